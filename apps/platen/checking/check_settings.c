// Settings of `platen check`, value by value, and the file that holds them for a project.
#include "check_settings.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ckd.h"
#include "base/suggest.h"
#include "base/units.h"
#include "check_toml.h"
#include "cli/cli_io.h"

#define BASELINE_MAX ((size_t)16 << 20)

#define FILE_NAME ".platen.toml"
#define FILE_BYTES_MAX ((size_t)1 << 20)
#define TIMEOUT_MS_MAX 86400000u

// ---- values

bool check_set_fail_on(void *settings, const char *value, struct pl_buf *why)
{
    return check_read_severity(value, &((struct check_settings *)settings)->fail_on, why);
}

bool check_set_timeout(void *settings, const char *value, struct pl_buf *why)
{
    uint64_t *ms = &((struct check_settings *)settings)->timeout_ms;
    if (pl_parse_ms(value, ms) && *ms >= 1 && *ms <= TIMEOUT_MS_MAX)
        return true;
    pl_buf_printf(why, "'%s': must be a time such as 500ms, 2s or 1m, up to 24h", value);
    return false;
}

bool check_set_baseline(void *settings, const char *file, struct pl_buf *why)
{
    struct check_settings *s = settings;
    struct cli_input input;
    s->baseline = (struct check_baseline){0};
    if (!cli_read(file, BASELINE_MAX, &input, NULL)) {
        pl_buf_printf(why, "'%.200s' cannot be read; --format baseline --output writes it", file);
        return false;
    }
    char *text = pl_arena_printf(s->memory, "%.*s", (int)input.size, (const char *)input.data);
    cli_input_free(&input);
    if (!text) {
        pl_buf_append_cstr(why, "not enough memory");
        return false;
    }
    return check_baseline_parse(&s->baseline, text, s->memory, why);
}

bool check_add_codes(struct check_codes *set, const char *list, struct pl_buf *why)
{
    for (;;) {
        size_t len = strcspn(list, ",");
        uint32_t index;
        if (!check_code_read(pl_slice_trim(pl_slice_make(list, len)), &index, why))
            return false;
        check_codes_put(set, index);
        if (list[len] == '\0')
            return true;
        list += len + 1;
    }
}

bool check_add_ignored(void *settings, const char *list, struct pl_buf *why)
{
    return check_add_codes(&((struct check_settings *)settings)->ignore, list, why);
}

bool check_add_severity(void *settings, const char *rule, struct pl_buf *why)
{
    struct check_settings *s = settings;
    return check_severities_add(&s->severities, rule, s->memory, why);
}

// ---- the file

static const char *const TYPE_NAMES[] = {
    [TOML_STRING] = "a string in quotes",
    [TOML_NUMBER] = "a number",
    [TOML_BOOLEAN] = "true or false",
    [TOML_ARRAY] = "an array of strings",
};

struct loading;
struct setting {
    const char *name; // of the option
    enum toml_event type;
    // One of them takes the reader's text; false: `why` says what is wrong with it.
    bool (*set)(void *settings, const char *value, struct pl_buf *why);
    bool (*apply)(struct loading *l);
    int option; // for apply_common
};
#define OWN_SETTINGS 9
#define SETTINGS_MAX (OWN_SETTINGS + CONTROL_COUNT)
_Static_assert(SETTINGS_MAX <= 64, "`given` has a bit for each");

struct loading {
    struct check_settings *settings;
    const char *path;
    struct toml_reader reader;
    struct setting known[SETTINGS_MAX + 1]; // the last one has no name
    uint64_t given;                         // bit per setting
    const struct setting *setting;          // at hand
    bool in_section, in_rule;               // [check] was there; the section at hand is a rule
    struct pl_buf why;
};

static bool apply_only(struct loading *l)
{
    return check_add_codes(&l->settings->only, l->reader.text, &l->why);
}

static bool apply_docs_url(struct loading *l)
{
    l->settings->docs_url = pl_arena_printf(l->settings->memory, "%s", l->reader.text);
    return l->settings->docs_url != NULL;
}

static bool apply_verify(struct loading *l)
{
    l->settings->no_verify = strcmp(l->reader.text, "false") == 0;
    return true;
}

static bool apply_common(struct loading *l)
{
    l->settings->common.complaints = &l->why;
    enum cli_result result = cli_option(l->setting->option, l->reader.text, &l->settings->common);
    l->settings->common.complaints = NULL;
    return result == CLI_TAKEN;
}

// What is named in the file is looked for beside the file. NULL: no memory.
static const char *beside_file(const struct loading *l)
{
    const char *slash = strrchr(l->path, '/'), *value = l->reader.text;
    int folder = slash && value[0] != '/' ? (int)(slash + 1 - l->path) : 0;
    return pl_arena_printf(l->settings->memory, "%.*s%s", folder, l->path, value);
}

static bool apply_objects(struct loading *l)
{
    l->settings->common.objects_dir = beside_file(l);
    if (!l->settings->common.objects_dir)
        pl_buf_append_cstr(&l->why, "not enough memory");
    return l->settings->common.objects_dir != NULL;
}

static bool apply_baseline(struct loading *l)
{
    const char *path = beside_file(l);
    return path && check_set_baseline(l->settings, path, &l->why);
}

static const struct setting OWN[OWN_SETTINGS] = {
    {"fail-on", TOML_STRING, .set = check_set_fail_on}, {"ignore", TOML_ARRAY, .set = check_add_ignored},
    {"only", TOML_ARRAY, .apply = apply_only},          {"severity", TOML_ARRAY, .set = check_add_severity},
    {"baseline", TOML_STRING, .apply = apply_baseline}, {"docs-url", TOML_STRING, .apply = apply_docs_url},
    {"verify", TOML_BOOLEAN, .apply = apply_verify},    {"timeout", TOML_STRING, .set = check_set_timeout},
    {"objects", TOML_STRING, .apply = apply_objects},
};

static bool apply(struct loading *l)
{
    const struct setting *s = l->setting;
    return s->set ? s->set(l->settings, l->reader.text, &l->why) : s->apply(l);
}

static enum toml_event type_of(enum control_kind kind)
{
    return kind == KIND_NUMBER || kind == KIND_WHOLE ? TOML_NUMBER : kind == KIND_FLAG ? TOML_BOOLEAN : TOML_STRING;
}

// The own ones, and the other controls that CHECK_ROWS makes options of.
static void list_settings(struct setting known[SETTINGS_MAX + 1])
{
    size_t count = PL_COUNTOF(OWN);
    memcpy(known, OWN, sizeof OWN);
    for (int i = 0; i < CONTROL_COUNT; i++) {
        const struct control_row *row = control_row((enum control)i);
        bool is_option = row->group & (GROUP_SIZING | GROUP_CHECKING) || i == CONTROL_PROFILE;
        if (row->option && is_option && i != CONTROL_VERIFY)
            known[count++] =
                (struct setting){row->option, type_of(row->kind), .apply = apply_common, .option = OPT_OF(i)};
    }
}

static bool begin_key(struct loading *l, enum toml_event event)
{
    struct pl_slice name = pl_slice_cstr(l->reader.key);
    if (l->in_rule)
        return check_own_rules_set(&l->settings->own_rules, &l->reader, event, l->settings->memory, &l->why);
    if (!l->in_section) {
        pl_buf_printf(&l->why, "'%s' must be below [check]", l->reader.key);
        return false;
    }
    struct pl_suggestions near = {0};
    size_t index = 0;
    for (; l->known[index].name && !pl_slice_eq_cstr(name, l->known[index].name); index++)
        pl_suggest(&near, name, l->known[index].name);
    if (!l->known[index].name) {
        pl_buf_printf(&l->why, "there is no setting '%s'", l->reader.key);
        pl_suggest_tell(&near, &l->why);
        return false;
    }
    if (l->given >> index & 1) {
        pl_buf_printf(&l->why, "'%s' is there twice", l->reader.key);
        return false;
    }
    l->given |= UINT64_C(1) << index;
    l->setting = &l->known[index];
    if (event != l->setting->type) {
        pl_buf_printf(&l->why, "'%s' must be %s", l->reader.key, TYPE_NAMES[l->setting->type]);
        return false;
    }
    return event == TOML_ARRAY || apply(l);
}

static bool begin_section(struct loading *l)
{
    static const char rule[] = "rule.";
    l->in_rule = strncmp(l->reader.key, rule, sizeof rule - 1) == 0;
    if (l->in_rule)
        return check_own_rules_begin(&l->settings->own_rules, l->reader.key + sizeof rule - 1, l->settings->memory,
                                     &l->why);
    if (strcmp(l->reader.key, "check") != 0 || l->in_section) {
        pl_buf_printf(&l->why,
                      l->in_section ? "[%s] is one section too many: there is one [check], and [rule.NAME]"
                                    : "there is no section [%s]: only [check] and [rule.NAME]",
                      l->reader.key);
        return false;
    }
    return l->in_section = true;
}

static bool read_settings(struct loading *l, struct pl_slice text)
{
    toml_init(&l->reader, text);
    for (;;) {
        enum toml_event event = toml_next(&l->reader);
        bool ok = true;
        if (event == TOML_END)
            return check_own_rules_end(&l->settings->own_rules, &l->why);
        if (event == TOML_BAD) {
            pl_buf_append_cstr(&l->why, l->reader.mistake);
            ok = false;
        } else if (event == TOML_SECTION) {
            ok = begin_section(l);
        } else if (event == TOML_ITEM) {
            ok = apply(l);
        } else {
            ok = begin_key(l, event);
        }
        if (!ok)
            return false;
    }
}

// The nearest file above the working folder, in the caller's memory. False: there is none.
static bool find(char path[PATH_MAX])
{
    char folder[PATH_MAX];
    if (!getcwd(folder, sizeof folder))
        return false;
    for (;;) {
        bool top = strcmp(folder, "/") == 0;
        if (snprintf(path, PATH_MAX, "%s/" FILE_NAME, top ? "" : folder) < PATH_MAX && access(path, F_OK) == 0)
            return true;
        // A project ends where its repository does: what is above it is somebody else's.
        if (snprintf(path, PATH_MAX, "%s/.git", top ? "" : folder) < PATH_MAX && access(path, F_OK) == 0)
            return false;
        char *slash = strrchr(folder, '/');
        if (top || !slash)
            return false;
        slash[slash == folder ? 1 : 0] = '\0';
    }
}

// False: a line was printed.
static bool load(struct check_settings *settings, const char *path)
{
    char found[PATH_MAX];
    struct cli_input text;
    if (!path && !find(found))
        return true;
    path = pl_arena_printf(settings->memory, "%s", path ? path : found);
    if (!path || !cli_read(path, FILE_BYTES_MAX, &text, NULL))
        return false;
    struct loading l = {.settings = settings, .path = path};
    list_settings(l.known);
    pl_buf_init(&l.why, 4096);
    bool ok = read_settings(&l, pl_slice_make(text.data, text.size));
    if (!ok)
        fprintf(stderr, "platen: %s:%u:%u: %.*s\n", path, l.reader.line, l.reader.column, (int)l.why.len,
                l.why.data ? (const char *)l.why.data : "");
    pl_buf_fini(&l.why);
    cli_input_free(&text);
    settings->file = path;
    return ok;
}

enum cli_result check_other_option(void *settings, int option, const char *value)
{
    (void)value;
    if (option != OPT_OF(CONTROL_VERIFY))
        return CLI_NOT_MINE;
    ((struct check_settings *)settings)->no_verify = false;
    return CLI_TAKEN;
}

int check_read_arguments(const struct cli_command *command, int argc, char **argv, struct check_settings *settings)
{
    const char *file = NULL;
    int status = cli_look_ahead(command, argc, argv, "config-file", &file);
    if (status)
        return status;
    return load(settings, file) ? cli_arguments(command, argc, argv, settings, &settings->common) : CLI_WRONG_USAGE;
}
