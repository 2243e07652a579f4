// Severities by code, file and command, and the baseline.
#include "check_policy.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/ckd.h"
#include "base/fmt.h"

const char *check_policy_path(const char *path)
{
    while (path[0] == '.' && path[1] == '/' && path[2])
        path += 2;
    return path;
}

// ---- severities

static bool read_level(struct pl_slice text, int *out)
{
    *out = CHECK_OFF;
    if (pl_slice_eq_cstr(text, "off"))
        return true;
    for (int s = PLATEN_INFO; s <= PLATEN_ERROR; s++) {
        *out = s;
        if (pl_slice_eq_cstr(text, platen_severity_name((enum platen_severity)s)))
            return true;
    }
    return false;
}

static bool read_code(struct pl_slice text, struct check_severity *rule, struct pl_buf *why)
{
    struct pl_slice command = text, code = pl_slice_until(&command, '@');
    if (command.len >= sizeof rule->command) {
        pl_buf_printf(why, "'%.*s' is no command", (int)PL_MIN(command.len, (size_t)40), (const char *)command.ptr);
        return false;
    }
    if (command.len)
        memcpy(rule->command, command.ptr, command.len);
    rule->code = CHECK_ANY_CODE;
    return pl_slice_eq_cstr(code, "*") || check_code_read(code, &rule->code, why);
}

bool check_severities_add(struct check_severities *list, const char *text, struct pl_arena *memory, struct pl_buf *why)
{
    const char *equals = strrchr(text, '='), *colon = equals ? memrchr(text, ':', (size_t)(equals - text)) : NULL;
    struct check_severity rule = {.code = CHECK_ANY_CODE};
    if (list->count == CHECK_SEVERITIES_MAX) {
        pl_buf_printf(why, "there are more than %u severities", CHECK_SEVERITIES_MAX);
        return false;
    }
    if (!equals || !read_level(pl_slice_trim(pl_slice_cstr(equals + 1)), &rule.level)) {
        pl_buf_printf(why, "'%.200s': must be [PATTERN:]CODE[@COMMAND]=LEVEL, and LEVEL error, warning, info or off",
                      text);
        return false;
    }
    const char *code = colon ? colon + 1 : text;
    if (!read_code(pl_slice_trim(pl_slice_make(code, (size_t)(equals - code))), &rule, why))
        return false;
    if (colon) {
        rule.pattern = pl_arena_printf(memory, "%.*s", (int)(colon - text), text);
        if (!rule.pattern) {
            pl_buf_append_cstr(why, "not enough memory");
            return false;
        }
    }
    list->items[list->count++] = rule;
    return true;
}

int check_severities_level(const struct check_severities *list, const char *path, const struct platen_diagnostic *d)
{
    uint32_t code = CHECK_ANY_CODE;
    if (list->count && !check_code_find(pl_slice_cstr(d->code), &code))
        code = CHECK_ANY_CODE - 1;
    for (uint32_t i = list->count; i-- > 0;) {
        const struct check_severity *rule = &list->items[i];
        if ((rule->code == CHECK_ANY_CODE || rule->code == code) &&
            (!rule->command[0] || strcmp(rule->command, d->command) == 0) &&
            (!rule->pattern || fnmatch(rule->pattern, path, 0) == 0))
            return rule->level;
    }
    // Whoever draws a label may let Platen guess its size; whoever checks it must know where its edges are.
    return strcmp(d->code, "size_guessed") == 0 ? (int)PLATEN_WARNING : (int)d->severity;
}

// ---- the baseline

static int compare_known(const struct check_known *a, const struct check_known *b)
{
    int order = strcmp(a->path, b->path);
    order = order ? order : strcmp(a->code, b->code);
    return order ? order : strcmp(a->command, b->command);
}

static int by_key(const void *one, const void *other)
{
    return compare_known(one, other);
}

// A line: path, code, command and count with tabs between them. `line` is changed.
static bool read_known(char *line, struct check_known *out)
{
    char *fields[4] = {line, NULL, NULL, NULL};
    uint64_t count;
    for (int i = 1; i < 4; i++) {
        char *tab = fields[i - 1] ? strchr(fields[i - 1], '\t') : NULL;
        if (!tab)
            return false;
        *tab = '\0';
        fields[i] = tab + 1;
    }
    if (!pl_parse_u64(pl_slice_cstr(fields[3]), &count) || count > UINT32_MAX)
        return false;
    *out = (struct check_known){fields[0], fields[1], fields[2], (uint32_t)count};
    return true;
}

bool check_baseline_parse(struct check_baseline *baseline, char *text, struct pl_arena *memory, struct pl_buf *why)
{
    uint32_t lines = 1, line = 0;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    baseline->items = PL_ARENA_ARRAY(memory, struct check_known, lines);
    if (!baseline->items) {
        pl_buf_append_cstr(why, "not enough memory");
        return false;
    }
    for (char *next = text; next && *next;) {
        char *end = strchr(next, '\n'), *here = next;
        line++;
        next = end ? end + 1 : NULL;
        if (end)
            *end = '\0';
        if (*here == '#' || *here == '\0')
            continue;
        if (!read_known(here, &baseline->items[baseline->count])) {
            pl_buf_printf(why, "line %u is no finding: path, code, command and count, with tabs between them", line);
            return false;
        }
        baseline->count++;
    }
    if (baseline->count > 1)
        qsort(baseline->items, baseline->count, sizeof *baseline->items, by_key);
    return true;
}

const struct check_known *check_baseline_find(const struct check_baseline *baseline, const char *path,
                                              const struct platen_diagnostic *d)
{
    const struct check_known key = {.path = path, .code = d->code, .command = d->command};
    return baseline->count ? bsearch(&key, baseline->items, baseline->count, sizeof key, by_key) : NULL;
}
