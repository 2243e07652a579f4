// Flags, environment, configuration file, --help and limits from one table.
#include "http/options/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "base/units.h"

static bool is_choice(const char *choices, const char *text)
{
    size_t len = strlen(text);
    for (const char *at = choices; at;) {
        const char *bar = strchr(at, '|');
        size_t n = bar ? (size_t)(bar - at) : strlen(at);
        if (n == len && memcmp(at, text, n) == 0)
            return true;
        at = bar ? bar + 1 : NULL;
    }
    return false;
}

static const char *kind_hint(const struct http_option *row)
{
    switch (row->kind) {
    case HTTP_OPT_SIZE:
        return "a number of bytes such as 65536, 64KiB or 8MiB";
    case HTTP_OPT_MS:
        return "a time such as 500ms, 15s or 2m";
    case HTTP_OPT_BOOL:
        return "on or off";
    case HTTP_OPT_CHOICE:
        return row->choices;
    default:
        return "a whole number";
    }
}

// The parsed number of a numeric row.
static bool parse_number(const struct http_option *row, const char *text, uint64_t *out)
{
    if (row->kind == HTTP_OPT_SIZE || row->kind == HTTP_OPT_MS)
        return row->kind == HTTP_OPT_MS ? pl_parse_ms(text, out) : pl_parse_bytes(text, out);
    return pl_parse_u64(pl_slice_cstr(text), out);
}

enum pl_errc http_option_set(const struct http_option *row, void *base, const char *name, const char *text,
                             struct pl_error *err)
{
    void *target = (char *)base + row->offset;
    uint64_t number = 0;
    bool truth;
    switch (row->kind) {
    case HTTP_OPT_TEXT:
        memcpy(target, &text, sizeof(text));
        return PL_OK;
    case HTTP_OPT_CHOICE:
        if (!is_choice(row->choices, text))
            return pl_fail(err, PL_E_INVALID, "%s: '%s' is not one of %s", name, text, row->choices);
        memcpy(target, &text, sizeof(text));
        return PL_OK;
    case HTTP_OPT_BOOL:
        if (!pl_parse_bool(pl_slice_cstr(text), &truth))
            return pl_fail(err, PL_E_INVALID, "%s: '%s' is neither on nor off", name, text);
        memcpy(target, &truth, sizeof(truth));
        return PL_OK;
    case HTTP_OPT_SIZE:
    case HTTP_OPT_MS:
    case HTTP_OPT_U32:
    case HTTP_OPT_U64:
        break;
    }
    if (!parse_number(row, text, &number))
        return pl_fail(err, PL_E_INVALID, "%s: '%s' is not %s", name, text, kind_hint(row));
    if (number < row->min || number > row->max)
        return pl_fail(err, PL_E_INVALID, "%s: %s is not between %llu and %llu", name, text,
                       (unsigned long long)row->min, (unsigned long long)row->max);
    if (row->kind == HTTP_OPT_SIZE) {
        size_t size = (size_t)number;
        memcpy(target, &size, sizeof(size));
    } else if (row->kind == HTTP_OPT_U32) {
        uint32_t small = (uint32_t)number;
        memcpy(target, &small, sizeof(small));
    } else {
        memcpy(target, &number, sizeof(number));
    }
    return PL_OK;
}

void http_option_env_name(const char *prefix, const char *name, char *out, size_t size)
{
    int n = snprintf(out, size, "%s_", prefix);
    size_t at = n < 0 ? 0 : (size_t)n;
    for (; *name && at + 1 < size; name++, at++)
        out[at] = (char)(*name == '-' ? '_' : *name >= 'a' && *name <= 'z' ? *name - 32 : *name);
    out[at < size ? at : size - 1] = '\0';
}

// A row and what goes with it.
struct place {
    const struct http_option *row;
    void *base;
    struct http_option_source *source;
};

static struct place place_at(const struct http_option_set *set, size_t i)
{
    return (struct place){&set->rows[i], set->base, &set->sources[i]};
}

static bool find(const struct http_option_set *sets, size_t set_count, struct pl_slice name, struct place *out)
{
    for (size_t s = 0; s < set_count; s++) {
        for (size_t i = 0; i < sets[s].count; i++) {
            if (pl_slice_eq_cstr(name, sets[s].rows[i].name)) {
                *out = place_at(&sets[s], i);
                return true;
            }
        }
    }
    return false;
}

static enum pl_errc put(const struct place *place, const char *shown, struct http_option_source source,
                        struct pl_error *err)
{
    PL_TRY(http_option_set(place->row, place->base, shown, source.text, err));
    *place->source = source;
    return PL_OK;
}

static enum pl_errc put_default(const struct place *place, struct pl_error *err)
{
    struct http_option_source source = {.text = place->row->value};
    *place->source = source;
    return source.text ? put(place, place->row->name, source, err) : PL_OK;
}

static enum pl_errc put_environment(const struct place *place, const char *prefix, struct pl_error *err)
{
    char name[HTTP_ENV_NAME_SIZE];
    http_option_env_name(prefix, place->row->name, name, sizeof(name));
    struct http_option_source source = {.origin = HTTP_FROM_ENVIRONMENT, .text = getenv(name)};
    return source.text && *source.text ? put(place, name, source, err) : PL_OK;
}

typedef enum pl_errc put_any(const struct place *place, const char *prefix, struct pl_error *err);

static enum pl_errc put_all(const struct http_option_set *sets, size_t set_count, const char *prefix, put_any *put_one,
                            struct pl_error *err)
{
    for (size_t s = 0; s < set_count; s++) {
        for (size_t i = 0; i < sets[s].count; i++) {
            struct place place = place_at(&sets[s], i);
            PL_TRY(put_one(&place, prefix, err));
        }
    }
    return PL_OK;
}

static enum pl_errc put_any_default(const struct place *place, const char *prefix, struct pl_error *err)
{
    (void)prefix;
    return put_default(place, err);
}

static bool is_config(const struct http_option *row)
{
    return strcmp(row->name, HTTP_CONFIG_OPTION) == 0;
}

// `config_only`: the one that names the file, which must be known before the others are set.
static enum pl_errc put_flags(const struct http_option_set *sets, size_t set_count, int argc, char **argv,
                              bool config_only, struct pl_error *err)
{
    for (int i = 1; i < argc; i++) {
        const char *flag = argv[i];
        if (flag[0] != '-' || flag[1] != '-')
            return pl_fail(err, PL_E_INVALID, "'%s' is not an option; --help lists them", flag);
        const char *equals = strchr(flag, '=');
        size_t len = equals ? (size_t)(equals - flag) - 2 : strlen(flag) - 2;
        struct place place;
        if (!find(sets, set_count, pl_slice_make(flag + 2, len), &place))
            return pl_fail(err, PL_E_INVALID, "there is no option '%.*s'; --help lists them", (int)len + 2, flag);
        struct http_option_source source = {HTTP_FROM_FLAG, 0, equals ? equals + 1 : i + 1 < argc ? argv[i + 1] : NULL};
        if (!source.text)
            return pl_fail(err, PL_E_INVALID, "%s needs a value", flag);
        if (!equals)
            i++;
        char shown[HTTP_ENV_NAME_SIZE];
        if (snprintf(shown, sizeof(shown), "--%s", place.row->name) < 0)
            return pl_fail(err, PL_E_BUG, "cannot write a name");
        if (!config_only || is_config(place.row))
            PL_TRY(put(&place, shown, source, err));
    }
    return PL_OK;
}

static enum pl_errc put_file(const struct http_option_set *sets, size_t set_count, struct http_options_found *found,
                             struct pl_error *err)
{
    PL_TRY(http_options_file_read(found->file, &found->file_text, err));
    char *at = found->file_text, *name, *value;
    for (unsigned line = 0; http_options_file_next(&at, &line, &name, &value);) {
        struct place place;
        char shown[HTTP_ENV_NAME_SIZE + 64];
        if (!name)
            return pl_fail(err, PL_E_INVALID, "%.100s:%u: a line is NAME = VALUE or begins with #", found->file, line);
        if (!find(sets, set_count, pl_slice_cstr(name), &place) || is_config(place.row))
            return pl_fail(err, PL_E_INVALID, "%.100s:%u: there is no option '%.40s'", found->file, line, name);
        if (place.source->origin == HTTP_FROM_FILE)
            return pl_fail(err, PL_E_INVALID, "%.100s:%u: '%s' is in line %u already", found->file, line, name,
                           place.source->line);
        if (snprintf(shown, sizeof(shown), "%.100s:%u: %.40s", found->file, line, name) < 0)
            return pl_fail(err, PL_E_BUG, "cannot write a name");
        PL_TRY(put(&place, shown, (struct http_option_source){HTTP_FROM_FILE, line, value}, err));
    }
    return PL_OK;
}

enum pl_errc http_options_parse(const struct http_option_set *sets, size_t set_count, const char *env_prefix, int argc,
                                char **argv, struct http_options_found *found, struct pl_error *err)
{
    *found = (struct http_options_found){0};
    for (int i = 1; i < argc; i++)
        found->help = found->help || strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0;
    PL_TRY(put_all(sets, set_count, env_prefix, put_any_default, err));
    if (found->help)
        return PL_OK;
    struct place config;
    if (find(sets, set_count, pl_slice_cstr(HTTP_CONFIG_OPTION), &config)) {
        PL_TRY(put_environment(&config, env_prefix, err));
        PL_TRY(put_flags(sets, set_count, argc, argv, true, err));
        if (config.source->text && *config.source->text) {
            found->file = config.source->text;
            PL_TRY(put_file(sets, set_count, found, err));
        }
    }
    PL_TRY(put_all(sets, set_count, env_prefix, put_environment, err));
    return put_flags(sets, set_count, argc, argv, false, err);
}

void http_options_found_free(struct http_options_found *found)
{
    free(found->file_text);
    *found = (struct http_options_found){0};
}

static void print_source(const struct place *place, const char *env_prefix, const char *file, struct pl_buf *out)
{
    char name[HTTP_ENV_NAME_SIZE];
    switch (place->source->origin) {
    case HTTP_FROM_DEFAULT:
        pl_buf_append_cstr(out, "default");
        break;
    case HTTP_FROM_FILE:
        pl_buf_printf(out, "%s:%u", file, place->source->line);
        break;
    case HTTP_FROM_ENVIRONMENT:
        http_option_env_name(env_prefix, place->row->name, name, sizeof(name));
        pl_buf_append_cstr(out, name);
        break;
    case HTTP_FROM_FLAG:
        pl_buf_printf(out, "--%s", place->row->name);
        break;
    }
}

// A number that could mean another unit.
static bool is_bare_number(const char *text)
{
    return text[strspn(text, "0")] && text[strspn(text, "0123456789")] == '\0';
}

void http_options_print(const struct http_option_set *sets, size_t set_count, const char *env_prefix,
                        const struct http_options_found *found, struct pl_buf *out)
{
    for (size_t s = 0; s < set_count; s++) {
        for (size_t i = 0; i < sets[s].count; i++) {
            struct place place = place_at(&sets[s], i);
            const char *text = place.source->text ? place.source->text : "";
            // Who wrote seconds sees what the number means.
            const char *unit = place.row->kind == HTTP_OPT_MS && is_bare_number(text) ? "ms" : "";
            // A file cannot name another one.
            pl_buf_printf(out, "%s%s = %s%s", is_config(place.row) ? "# " : "", place.row->name, text, unit);
            size_t width = strlen(place.row->name) + strlen(text) + strlen(unit) + (is_config(place.row) ? 2 : 0);
            pl_buf_printf(out, "%*s# ", width < 37 ? (int)(40 - width) : 3, "");
            print_source(&place, env_prefix, found->file, out);
            pl_buf_append_byte(out, '\n');
        }
    }
}

bool http_option_entry(const char **list, struct pl_slice *entry)
{
    if (!*list || !**list)
        return false;
    const char *comma = strchr(*list, ',');
    *entry = pl_slice_trim(pl_slice_make(*list, comma ? (size_t)(comma - *list) : strlen(*list)));
    *list = comma ? comma + 1 : NULL;
    return true;
}

static const char *placeholder(const struct http_option *row)
{
    switch (row->kind) {
    case HTTP_OPT_SIZE:
        return "BYTES";
    case HTTP_OPT_MS:
        return "TIME";
    case HTTP_OPT_BOOL:
        return "on|off";
    case HTTP_OPT_CHOICE:
        return row->choices;
    case HTTP_OPT_TEXT:
        return "TEXT";
    default:
        return "N";
    }
}

void http_options_help(const struct http_option_set *sets, size_t set_count, const char *env_prefix, struct pl_buf *out)
{
    for (size_t s = 0; s < set_count; s++) {
        for (size_t i = 0; i < sets[s].count; i++) {
            const struct http_option *row = &sets[s].rows[i];
            char name[HTTP_ENV_NAME_SIZE];
            http_option_env_name(env_prefix, row->name, name, sizeof(name));
            pl_buf_printf(out, "  --%s %s\n      %s", row->name, placeholder(row), row->help);
            if (row->value)
                pl_buf_printf(out, " [default: %s]", *row->value ? row->value : "none");
            pl_buf_printf(out, " [%s]\n", name);
        }
    }
}

static bool current_number(const struct http_option *row, const void *base, uint64_t *out)
{
    const void *at = (const char *)base + row->offset;
    size_t size;
    uint32_t small;
    bool truth;
    switch (row->kind) {
    case HTTP_OPT_SIZE:
        memcpy(&size, at, sizeof(size));
        *out = size;
        return true;
    case HTTP_OPT_U32:
        memcpy(&small, at, sizeof(small));
        *out = small;
        return true;
    case HTTP_OPT_U64:
    case HTTP_OPT_MS:
        memcpy(out, at, sizeof(*out));
        return true;
    case HTTP_OPT_BOOL:
        memcpy(&truth, at, sizeof(truth));
        *out = truth;
        return true;
    case HTTP_OPT_TEXT:
    case HTTP_OPT_CHOICE:
        break;
    }
    return false;
}

void http_options_limits(const struct http_option_set *sets, size_t set_count, struct pl_buf *out)
{
    bool first = true;
    for (size_t s = 0; s < set_count; s++) {
        for (size_t i = 0; i < sets[s].count; i++) {
            const struct http_option *row = &sets[s].rows[i];
            uint64_t value;
            if (!row->health || !current_number(row, sets[s].base, &value))
                continue;
            pl_buf_printf(out, "%s\"%s\":", first ? "" : ",", row->health);
            if (row->kind == HTTP_OPT_BOOL)
                pl_buf_append_cstr(out, value ? "true" : "false");
            else
                pl_buf_append_u64(out, value);
            first = false;
        }
    }
}

void http_options_markdown(const struct http_option_set *sets, size_t set_count, const char *env_prefix,
                           struct pl_buf *out)
{
    pl_buf_append_cstr(out, "| flag | environment | default | what |\n|---|---|---|---|\n");
    for (size_t s = 0; s < set_count; s++) {
        for (size_t i = 0; i < sets[s].count; i++) {
            const struct http_option *row = &sets[s].rows[i];
            char name[HTTP_ENV_NAME_SIZE];
            http_option_env_name(env_prefix, row->name, name, sizeof(name));
            pl_buf_printf(out, "| `--%s` | `%s` | %s | %s |\n", row->name, name,
                          row->value && *row->value ? row->value : "none", row->help);
        }
    }
}
