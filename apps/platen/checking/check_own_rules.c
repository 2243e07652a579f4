// Rules of a project's own: reading them, and holding a drawn label against them.
#include "check_own_rules.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "check_codes.h"

#define DATA_MAX 4096u // bytes of a field that are compared

// ---- reading

enum key {
    FIELD,
    SYMBOLOGY,
    DATA,
    EQUALS,
    FILES,
    WINDOW,
    MIN_MODULE,
    MAX_MODULE,
    MIN_HEIGHT,
    REQUIRED,
    SEVERITY,
    KEYS
};

static const struct {
    const char *name;
    enum toml_event type;
} TABLE[KEYS] = {
    [FIELD] = {"field", TOML_STRING},
    [SYMBOLOGY] = {"symbology", TOML_STRING},
    [DATA] = {"data", TOML_STRING},
    [EQUALS] = {"equals", TOML_STRING},
    [FILES] = {"files", TOML_STRING},
    [WINDOW] = {"window-mm", TOML_STRING},
    [MIN_MODULE] = {"min-module-mm", TOML_NUMBER},
    [MAX_MODULE] = {"max-module-mm", TOML_NUMBER},
    [MIN_HEIGHT] = {"min-height-mm", TOML_NUMBER},
    [REQUIRED] = {"required", TOML_BOOLEAN},
    [SEVERITY] = {"severity", TOML_STRING},
};

static const struct check_own_rule *find(const struct check_own_rules *rules, const char *name)
{
    for (uint32_t i = 0; i < rules->count; i++)
        if (strcmp(rules->items[i].name, name) == 0)
            return &rules->items[i];
    return NULL;
}

bool check_own_rules_begin(struct check_own_rules *rules, const char *name, struct pl_arena *memory, struct pl_buf *why)
{
    if (name[0] == '\0' || find(rules, name)) {
        pl_buf_printf(why, name[0] ? "[rule.%s] is there twice" : "[rule.%s] needs a name behind the dot", name);
        return false;
    }
    if (rules->count == CHECK_OWN_RULES_MAX) {
        pl_buf_printf(why, "there are more than %u rules", CHECK_OWN_RULES_MAX);
        return false;
    }
    const char *own = pl_arena_printf(memory, "%s", name);
    rules->items[rules->count++] = (struct check_own_rule){.name = own ? own : "", .severity = PLATEN_ERROR};
    return own != NULL;
}

// "5, 5, 95, 60": left, top, right, bottom.
static bool read_window(struct check_own_rule *rule, const char *text, struct pl_buf *why)
{
    double *const out[] = {&rule->x0, &rule->y0, &rule->x1, &rule->y1};
    size_t count = 0;
    for (const char *at = text; count < PL_COUNTOF(out); count++) {
        size_t len = strcspn(at, ",");
        if (!pl_parse_double(pl_slice_trim(pl_slice_make(at, len)), out[count]))
            break;
        at += len + (at[len] == ',');
        if (*at == '\0') {
            count++;
            break;
        }
    }
    if (count == PL_COUNTOF(out) && rule->x0 < rule->x1 && rule->y0 < rule->y1)
        return true;
    pl_buf_printf(why, "'%s': must be left, top, right and bottom in mm, such as 5, 5, 95, 60", text);
    return false;
}

bool check_read_severity(const char *text, enum platen_severity *out, struct pl_buf *why)
{
    for (int s = PLATEN_INFO; s <= PLATEN_ERROR; s++) {
        if (strcmp(text, platen_severity_name((enum platen_severity)s)) == 0) {
            *out = (enum platen_severity)s;
            return true;
        }
    }
    pl_buf_printf(why, "'%s': must be error, warning or info", text);
    return false;
}

static bool read_field(struct check_own_rule *rule, const char *text, struct pl_buf *why)
{
    rule->text = strcmp(text, "text") == 0;
    if (rule->text || strcmp(text, "barcode") == 0)
        return true;
    pl_buf_printf(why, "'%s': must be barcode or text", text);
    return false;
}

static bool read_length(double *out, const char *text, struct pl_buf *why)
{
    if (pl_parse_double(pl_slice_cstr(text), out) && *out > 0)
        return true;
    pl_buf_printf(why, "'%s': must be a length in mm", text);
    return false;
}

static bool keep(const char **out, const char *text, struct pl_arena *memory)
{
    *out = pl_arena_printf(memory, "%s", text);
    return *out != NULL;
}

static bool set(struct check_own_rule *rule, enum key key, const char *text, struct pl_arena *memory,
                struct pl_buf *why)
{
    switch (key) {
    case FIELD:
        return read_field(rule, text, why);
    case SYMBOLOGY:
        return keep(&rule->symbology, text, memory);
    case DATA:
        return keep(&rule->data, text, memory);
    case EQUALS:
        return keep(&rule->equals, text, memory);
    case FILES:
        return keep(&rule->files, text, memory);
    case WINDOW:
        return keep(&rule->window, text, memory) && read_window(rule, text, why);
    case MIN_MODULE:
        return read_length(&rule->min_module, text, why);
    case MAX_MODULE:
        return read_length(&rule->max_module, text, why);
    case MIN_HEIGHT:
        return read_length(&rule->min_height, text, why);
    case REQUIRED:
        rule->optional = strcmp(text, "false") == 0;
        return true;
    default:
        return check_read_severity(text, &rule->severity, why);
    }
}

bool check_own_rules_set(struct check_own_rules *rules, const struct toml_reader *reader, enum toml_event event,
                         struct pl_arena *memory, struct pl_buf *why)
{
    struct check_own_rule *rule = &rules->items[rules->count - 1];
    const char *names[KEYS + 1] = {NULL};
    enum key key = 0;
    while (key < KEYS && strcmp(reader->key, TABLE[key].name) != 0)
        key++;
    if (key == KEYS) {
        for (size_t i = 0; i < KEYS; i++)
            names[i] = TABLE[i].name;
        pl_buf_printf(why, "a rule has no '%s'", reader->key);
        check_suggest(pl_slice_cstr(reader->key), names, why);
        return false;
    }
    if (rule->given >> key & 1) {
        pl_buf_printf(why, "'%s' is there twice", reader->key);
        return false;
    }
    rule->given |= 1u << key;
    if (event != TABLE[key].type) {
        pl_buf_printf(why, "'%s' must be %s", reader->key,
                      TABLE[key].type == TOML_STRING   ? "a string in quotes"
                      : TABLE[key].type == TOML_NUMBER ? "a number"
                                                       : "true or false");
        return false;
    }
    return set(rule, key, reader->text, memory, why);
}

bool check_own_rules_end(const struct check_own_rules *rules, struct pl_buf *why)
{
    for (uint32_t i = 0; i < rules->count; i++) {
        const char *other = rules->items[i].equals;
        if (!other || find(rules, other))
            continue;
        pl_buf_printf(why, "[rule.%s]: there is no rule '%s'", rules->items[i].name, other);
        return false;
    }
    return true;
}

// ---- a label

struct held {
    const struct check_own_rule *rule;
    const struct check_drawn *drawn;
    check_own_broken *broken;
    void *user;
};

// What a barcode was read as; otherwise what its field has.
static void take_data(const struct platen_element *e, char out[DATA_MAX])
{
    const bool barcode = e->type == PLATEN_BARCODE, read = barcode && e->decoded == 1 && e->decoded_size;
    const char *from = read ? e->decoded_data : barcode && e->text_size ? e->text : e->data;
    const size_t size = read ? e->decoded_size : barcode && e->text_size ? e->text_size : e->data_size;
    const size_t len = PL_MIN(size, (size_t)DATA_MAX - 1);
    if (len)
        memcpy(out, from, len);
    out[len] = '\0';
}

static bool is_of(const struct check_own_rule *rule, const struct platen_element *e)
{
    if (rule->text)
        return e->type == PLATEN_TEXT;
    return e->type == PLATEN_BARCODE && (!rule->symbology || fnmatch(rule->symbology, e->symbology, 0) == 0);
}

// The field that the rule is about; `near`: the first that only has other data. -1: none.
static int64_t find_field(const struct check_own_rule *rule, const struct platen_page *page, struct platen_element *out,
                          char data[DATA_MAX], int64_t *near)
{
    *near = -1;
    for (uint32_t i = 0; platen_page_element_at(page, i, out); i++) {
        if (!is_of(rule, out))
            continue;
        take_data(out, data);
        if (!rule->data || fnmatch(rule->data, data, 0) == 0)
            return i;
        *near = *near < 0 ? i : *near;
    }
    return -1;
}

static void say(const struct held *h, int64_t element, const char *what)
{
    char message[512];
    snprintf(message, sizeof message, "Rule '%s': %s", h->rule->name, what);
    struct platen_diagnostic d = {.code = CHECK_RULE_BROKEN,
                                  .severity = h->rule->severity,
                                  .message = message,
                                  .command = "",
                                  .offset = h->drawn->label->offset,
                                  .label = (int32_t)h->drawn->index,
                                  .element = (int32_t)element};
    struct platen_element e;
    if (element >= 0 && platen_page_element_at(h->drawn->page, (uint32_t)element, &e)) {
        d.command = e.command;
        d.offset = e.offset;
        d.length = e.length;
    }
    h->broken(h->user, &d, h->drawn->label);
}

static void say_missing(const struct held *h, int64_t near)
{
    const struct check_own_rule *rule = h->rule;
    const char *kind = rule->text ? "text field" : "barcode";
    char what[400], data[DATA_MAX];
    struct platen_element e;
    // A text is one of many: only of barcodes the first with other data is shown.
    if (near >= 0 && !rule->text && platen_page_element_at(h->drawn->page, (uint32_t)near, &e)) {
        take_data(&e, data);
        snprintf(what, sizeof what, "the data '%.100s' does not match '%.100s'.", data, rule->data);
    } else {
        near = -1;
        snprintf(what, sizeof what, "the label has no %s%s%.60s%s%s%.100s%s.", kind, rule->symbology ? " " : "",
                 rule->symbology ? rule->symbology : "", rule->data ? " with data" : "", rule->data ? " like '" : "",
                 rule->data ? rule->data : "", rule->data ? "'" : "");
    }
    say(h, near, what);
}

// Both without blanks: numbers are shown in groups.
static bool same_data(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (*a == ' ')
            a++;
        while (*b == ' ')
            b++;
        if (*a != *b || *a == '\0')
            return *a == *b;
    }
}

static void check_equal(const struct held *h, const struct check_own_rules *rules, int64_t element, const char *data)
{
    const struct check_own_rule *other = find(rules, h->rule->equals);
    char theirs[DATA_MAX], what[400];
    struct platen_element e;
    int64_t near;
    if (!other || find_field(other, h->drawn->page, &e, theirs, &near) < 0 || same_data(data, theirs))
        return;
    snprintf(what, sizeof what, "the data '%.100s' is not that of '%.60s', '%.100s'.", data, other->name, theirs);
    say(h, element, what);
}

static void check_lengths(const struct held *h, int64_t element, const struct platen_element *e)
{
    const struct check_own_rule *rule = h->rule;
    const double module = e->module_dots / h->drawn->dpmm;
    const uint32_t high = e->rotation % 180 ? e->bars_width : e->bars_height;
    const double height = high / h->drawn->dpmm, small = 1e-9;
    char what[200];
    if (rule->min_module > 0 && module + small < rule->min_module) {
        snprintf(what, sizeof what, "the module is %.3f mm wide; at least %.3f mm is the rule.", module,
                 rule->min_module);
        say(h, element, what);
    }
    if (rule->max_module > 0 && module > rule->max_module + small) {
        snprintf(what, sizeof what, "the module is %.3f mm wide; at most %.3f mm is the rule.", module,
                 rule->max_module);
        say(h, element, what);
    }
    if (rule->min_height > 0 && height + small < rule->min_height) {
        snprintf(what, sizeof what, "the bars are %.2f mm high; at least %.2f mm is the rule.", height,
                 rule->min_height);
        say(h, element, what);
    }
}

static void check_window(const struct held *h, int64_t element, const struct platen_element *e)
{
    const struct check_own_rule *rule = h->rule;
    const bool bars = e->type == PLATEN_BARCODE && e->bars_width;
    const double x0 = (bars ? e->bars_x : e->x) / h->drawn->dpmm, y0 = (bars ? e->bars_y : e->y) / h->drawn->dpmm;
    const double x1 = x0 + (bars ? e->bars_width : e->width) / h->drawn->dpmm;
    const double y1 = y0 + (bars ? e->bars_height : e->height) / h->drawn->dpmm;
    char what[300];
    if (x0 >= rule->x0 && y0 >= rule->y0 && x1 <= rule->x1 && y1 <= rule->y1)
        return;
    snprintf(what, sizeof what, "the field covers %.2f, %.2f to %.2f, %.2f mm, which is not inside of %.100s.", x0, y0,
             x1, y1, rule->window);
    say(h, element, what);
}

void check_own_rules_apply(const struct check_own_rules *rules, const char *path, const struct check_drawn *drawn,
                           check_own_broken *broken, void *user)
{
    for (uint32_t i = 0; i < rules->count; i++) {
        const struct held h = {&rules->items[i], drawn, broken, user};
        struct platen_element e;
        char data[DATA_MAX];
        int64_t near;
        if (h.rule->files && fnmatch(h.rule->files, path, 0) != 0)
            continue;
        const int64_t element = find_field(h.rule, drawn->page, &e, data, &near);
        if (element < 0) {
            if (!h.rule->optional)
                say_missing(&h, near);
            continue;
        }
        if (h.rule->equals)
            check_equal(&h, rules, element, data);
        if (h.rule->window)
            check_window(&h, element, &e);
        if (!h.rule->text)
            check_lengths(&h, element, &e);
    }
}
