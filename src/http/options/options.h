// One table of options: from its rows come the flags, the environment variables, the names of the configuration file,
// --help and the health document's limits.
#ifndef HTTP_OPTIONS_H
#define HTTP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/ckd.h"
#include "base/err.h"

enum http_option_kind {
    HTTP_OPT_SIZE,  // size_t, bytes: "8MiB", "64k", "1000"
    HTTP_OPT_U32,   // uint32_t
    HTTP_OPT_U64,   // uint64_t
    HTTP_OPT_MS,    // uint64_t, milliseconds: "15s", "500ms", "2m"
    HTTP_OPT_BOOL,  // bool: on/off, true/false, yes/no, 1/0
    HTTP_OPT_TEXT,  // const char *: any text; points into argv, the environment or the file's text
    HTTP_OPT_CHOICE // const char *: one of `choices`, which are parted by '|'
};

struct http_option {
    const char *name; // "max-body": --max-body, PLATEN_MAX_BODY
    enum http_option_kind kind;
    size_t offset; // of the value in the structure that is filled
    uint64_t min;  // numbers only; inclusive
    uint64_t max;
    const char *value;   // default, as one would type it
    const char *health;  // key in health's "limits" ("requestBodyBytes"), or NULL
    const char *help;    // one line
    const char *choices; // HTTP_OPT_CHOICE only
};

// Kind, place and bounds in a row: the member has the type of the kind, or it does not compile.
#define HTTP_SIZE(type, member, min, max) HTTP_OPT_SIZE, PL_OFFSET(size_t, type, member), (min), (max)
#define HTTP_U32(type, member, min, max) HTTP_OPT_U32, PL_OFFSET(uint32_t, type, member), (min), (max)
#define HTTP_U64(type, member, min, max) HTTP_OPT_U64, PL_OFFSET(uint64_t, type, member), (min), (max)
#define HTTP_MS(type, member, min, max) HTTP_OPT_MS, PL_OFFSET(uint64_t, type, member), (min), (max)
#define HTTP_BOOL(type, member) HTTP_OPT_BOOL, PL_OFFSET(bool, type, member), 0, 0
#define HTTP_TEXT(type, member) HTTP_OPT_TEXT, PL_OFFSET(const char *, type, member), 0, 0
#define HTTP_CHOICE(type, member) HTTP_OPT_CHOICE, PL_OFFSET(const char *, type, member), 0, 0

// Puts the value that `text` says into the structure at `base`; the error begins with `name`.
enum pl_errc http_option_set(const struct http_option *row, void *base, const char *name, const char *text,
                             struct pl_error *err) PL_MUST_USE;

enum http_option_origin { HTTP_FROM_DEFAULT, HTTP_FROM_FILE, HTTP_FROM_ENVIRONMENT, HTTP_FROM_FLAG };

// Where a value came from.
struct http_option_source {
    enum http_option_origin origin;
    unsigned line;    // in the file
    const char *text; // as it was typed; NULL: there is no value
};

// Rows with the structure they fill.
struct http_option_set {
    const struct http_option *rows;
    size_t count;
    void *base;
    struct http_option_source *sources; // one for each row, filled too
};

// What was found beside the values.
struct http_options_found {
    bool help;       // --help was asked for
    char *file_text; // values point into it: the caller frees it when they are no longer needed; NULL: no file
    const char *file;
};

// The option that names the configuration file: a row of this name, of the kind HTTP_OPT_TEXT.
#define HTTP_CONFIG_OPTION "config"

// Defaults, then the file, then the environment, then the flags (--name=value or --name value). PL_E_INVALID or PL_E_IO
// with one clear line. `found` is to be freed in any case.
enum pl_errc http_options_parse(const struct http_option_set *sets, size_t set_count, const char *env_prefix, int argc,
                                char **argv, struct http_options_found *found, struct pl_error *err) PL_MUST_USE;
void http_options_found_free(struct http_options_found *found);
// All values as a configuration file, each with a comment that says where it came from.
void http_options_print(const struct http_option_set *sets, size_t set_count, const char *env_prefix,
                        const struct http_options_found *found, struct pl_buf *out);
// options_file.c: the text of a configuration file, NUL at its end, for the caller to free.
enum pl_errc http_options_file_read(const char *path, char **text, struct pl_error *err) PL_MUST_USE;
// Takes the next line with a value apart: "name = value", "# comment", or nothing. Name and value get a NUL behind
// them, in place. *line counts. False at the end; *name is NULL where a line is none of these.
bool http_options_file_next(char **at, unsigned *line, char **name, char **value);
void http_options_help(const struct http_option_set *sets, size_t set_count, const char *env_prefix,
                       struct pl_buf *out);
#define HTTP_ENV_NAME_SIZE 96
// PLATEN_MAX_BODY of PLATEN and max-body.
void http_option_env_name(const char *prefix, const char *name, char *out, size_t size);
// options_unknown.c: on standard error a line for each variable of the environment that begins with the prefix and is
// no option, with the one that it may have meant, 20 at most; the line begins with `who`. `others` as
// http_app.other_variables; what Kubernetes sets is passed over.
void http_options_warn(const struct http_option_set *sets, size_t set_count, const char *env_prefix,
                       const char *const *others, const char *who);
// The next entry of a value that lists things with commas, without the blanks around it; `*list` goes behind it. An
// empty value has none, and behind the last one *list is NULL. False at the end.
bool http_option_entry(const char **list, struct pl_slice *entry);
// The members of health's "limits", without braces, from the values as they are now.
void http_options_limits(const struct http_option_set *sets, size_t set_count, struct pl_buf *out);
// A Markdown table of all rows, for the documents.
void http_options_markdown(const struct http_option_set *sets, size_t set_count, const char *env_prefix,
                           struct pl_buf *out);

#endif
