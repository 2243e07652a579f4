// Gathering findings.
#include "check_finding.h"

#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "base/diag.h"
#include "base/utf8.h"

#define COMMENTS_MAX 10000u

// ---- which ones count

// Codes of comments in the label.
static bool ignored_by_comment(const struct check_findings *all, const struct platen_label *label, const char *code)
{
    uint32_t low = 0, high = all->comment_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (all->comments[middle].offset < label->offset)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < all->comment_count && all->comments[low].offset - label->offset < label->length; low++) {
        if (check_codes_have(&all->comments[low].codes, code))
            return true;
    }
    return false;
}

// What could not be checked is not hidden by asking for other codes: a run must not pass because it saw nothing.
static bool always_asked(const char *code)
{
    return strcmp(code, CHECK_FILE_UNREADABLE) == 0 || strcmp(code, CHECK_NOT_CHECKED) == 0;
}

// The baseline has as many of its kind as were found up to now.
static bool is_known(struct check_findings *all, const struct platen_diagnostic *d)
{
    const struct check_baseline *b = &all->settings->baseline;
    const struct check_known *known = check_baseline_find(b, all->path, d);
    if (!known)
        return false;
    if (!all->used) {
        all->used = PL_ARENA_ARRAY(all->memory, uint32_t, b->count);
        all->short_of_memory = all->short_of_memory || !all->used;
        if (!all->used)
            return false;
        memset(all->used, 0, b->count * sizeof *all->used);
    }
    return all->used[known - b->items]++ < known->count;
}

// *level: the severity that the settings give it.
static bool counts(struct check_findings *all, const struct platen_diagnostic *d, const struct platen_label *label,
                   int *level)
{
    const struct check_settings *s = all->settings;
    *level = check_severities_level(&s->severities, all->path, d);
    if (check_codes_any(&s->only) && !check_codes_have(&s->only, d->code) && !always_asked(d->code)) {
        all->counts.hidden += *level == PLATEN_ERROR;
        return false;
    }
    bool ignored = *level == CHECK_OFF || check_codes_have(&s->ignore, d->code) ||
                   (label && ignored_by_comment(all, label, d->code));
    all->counts.ignored += ignored;
    if (ignored || !is_known(all, d))
        return !ignored;
    all->counts.known++;
    return false;
}

static const char *copy(struct check_findings *all, const char *text)
{
    const char *own = pl_arena_printf(all->memory, "%s", text ? text : "");
    all->short_of_memory = all->short_of_memory || !own;
    return own ? own : "";
}

void check_findings_add(struct check_findings *all, const struct platen_diagnostic *d, const struct platen_label *label)
{
    int level;
    if (!counts(all, d, label, &level))
        return;
    all->counts.by_severity[level]++;
    if (all->count == CHECK_FINDINGS_MAX || !PL_ARENA_GROW(all->memory, all->items, all->count, all->capacity, 16)) {
        all->short_of_memory = all->short_of_memory || all->count < CHECK_FINDINGS_MAX;
        all->counts.left_out++;
        return;
    }
    struct check_finding *finding = &all->items[all->count];
    *finding = (struct check_finding){.d = *d, .order = all->count, .column_utf16 = d->column};
    finding->d.severity = (enum platen_severity)level;
    finding->d.code = copy(all, d->code);
    finding->d.message = copy(all, d->message);
    finding->d.command = copy(all, d->command);
    all->count++;
}

static int by_place(const void *one, const void *other)
{
    const struct check_finding *a = one, *b = other;
    if (a->d.label != b->d.label)
        return a->d.label < b->d.label ? -1 : 1;
    if (a->d.offset != b->d.offset)
        return a->d.offset < b->d.offset ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

void check_findings_sort(struct check_findings *all)
{
    if (all->count > 1)
        qsort(all->items, all->count, sizeof *all->items, by_place);
}

static int by_place_of_pointers(const void *one, const void *other)
{
    return by_place(*(const struct check_finding *const *)one, *(const struct check_finding *const *)other);
}

const struct check_finding *const *check_findings_ordered(struct check_findings *all, const uint32_t ranges[4],
                                                          uint32_t *count)
{
    uint32_t n = 0;
    *count = ranges[1] - ranges[0] + ranges[3] - ranges[2];
    const struct check_finding **list = PL_ARENA_ARRAY(all->memory, const struct check_finding *, PL_MAX(*count, 1u));
    if (!list) {
        all->short_of_memory = true;
        *count = 0;
        return NULL;
    }
    for (int range = 0; range < 4; range += 2) {
        for (uint32_t i = ranges[range]; i < ranges[range + 1]; i++)
            list[n++] = &all->items[i];
    }
    if (n > 1)
        qsort(list, n, sizeof *list, by_place_of_pointers);
    return list;
}

static int by_offset(const void *one, const void *other)
{
    const struct check_finding *const *a = one, *const *b = other;
    return ((*a)->d.offset > (*b)->d.offset) - ((*a)->d.offset < (*b)->d.offset);
}

// In one pass, since a line can be as long as the input.
void check_findings_count_columns(struct check_findings *all, struct pl_slice zpl)
{
    struct check_finding **order = PL_ARENA_ARRAY(all->memory, struct check_finding *, PL_MAX(all->count, 1u));
    size_t at = 0;
    uint32_t column = 1;
    all->short_of_memory = all->short_of_memory || !order;
    for (uint32_t i = 0; order && i < all->count; i++)
        order[i] = &all->items[i];
    if (order && all->count > 1)
        qsort(order, all->count, sizeof *order, by_offset);
    for (uint32_t i = 0; order && i < all->count; i++) {
        const size_t offset = order[i]->d.offset;
        if (order[i]->d.line == 0 || offset > zpl.len)
            continue;
        while (at < offset) {
            bool ends = zpl.ptr[at] == '\n' || (zpl.ptr[at] == '\r' && !(at + 1 < zpl.len && zpl.ptr[at + 1] == '\n'));
            uint32_t point = pl_utf8_next(zpl, &at);
            column = ends ? 1 : column + (point != PL_UTF8_BAD && point > 0xFFFF ? 2 : 1);
        }
        order[i]->column_utf16 = column;
    }
}

// ---- comments

struct comment_reader {
    struct check_findings *all;
    struct pl_slice zpl;
    const struct platen_document *document;
    struct pl_line_mark counted;
    uint32_t label; // the first one that ends behind the place
};

static bool starts_with(struct pl_slice s, const char *word)
{
    return pl_slice_eq_nocase(pl_slice_sub(s, 0, strlen(word)), pl_slice_cstr(word));
}

static struct pl_slice skip_blanks(struct pl_slice s)
{
    while (s.len > 0 && (s.ptr[0] == ' ' || s.ptr[0] == '\t'))
        s = pl_slice_sub(s, 1, s.len);
    return s;
}

// The label that the place is in; index -1: none. Places come in order.
static int32_t label_at(struct comment_reader *r, uint32_t offset, struct platen_label *label)
{
    for (; platen_label_at(r->document, r->label, label); r->label++) {
        if (offset < label->offset)
            return -1;
        if (offset - label->offset < label->length)
            return (int32_t)r->label;
    }
    return -1;
}

static void complain(struct comment_reader *r, size_t offset, size_t length, int32_t index,
                     const struct platen_label *label, const char *message)
{
    pl_line_mark_move(&r->counted, r->zpl, offset);
    const struct platen_diagnostic d = {.code = CHECK_IGNORE_INVALID,
                                        .severity = PLATEN_WARNING,
                                        .message = message,
                                        .command = "^FX",
                                        .offset = (uint32_t)offset,
                                        .length = (uint32_t)length,
                                        .line = r->counted.line,
                                        .column = (uint32_t)(offset - r->counted.start) + 1,
                                        .label = index,
                                        .element = -1};
    check_findings_add(r->all, &d, label);
}

// The list behind "ignore", from `at` to `end` in the input.
static void read_list(struct comment_reader *r, size_t comment, size_t at, size_t end)
{
    struct check_findings *all = r->all;
    struct platen_label label;
    struct pl_buf text;
    int32_t index = label_at(r, (uint32_t)comment, &label);
    struct check_comment found = {.offset = (uint32_t)comment};
    if (index < 0) {
        complain(r, comment, end - comment, -1, NULL, "The comment is in no label, so it ignores nothing.");
        return;
    }
    if (pl_slice_trim(pl_slice_sub(r->zpl, at, end - at)).len == 0) {
        complain(r, comment, end - comment, index, &label, "The comment names no code, so it ignores nothing.");
        return;
    }
    pl_buf_init(&text, 4096);
    while (at < end) {
        size_t stop = at;
        while (stop < end && r->zpl.ptr[stop] != ',')
            stop++;
        struct pl_slice code = pl_slice_trim(pl_slice_sub(r->zpl, at, stop - at));
        uint32_t known;
        if (check_code_find(code, &known)) {
            check_codes_put(&found.codes, known);
        } else {
            pl_buf_clear(&text);
            pl_buf_printf(&text, "There is no code '%.*s'", (int)PL_MIN(code.len, (size_t)64), (const char *)code.ptr);
            check_codes_suggest(code, &text);
            if (!text.failed && text.data[text.len - 1] != '?')
                pl_buf_append_byte(&text, '.');
            pl_buf_append_byte(&text, '\0');
            complain(r, at, stop - at, index, &label, text.failed ? "There is no such code." : (char *)text.data);
        }
        at = stop + 1;
    }
    pl_buf_fini(&text);
    if (check_codes_any(&found.codes) && all->comment_count < COMMENTS_MAX)
        all->comments[all->comment_count++] = found;
}

// The list ends with its line, where the next command begins, or where -- begins the reason.
static size_t comment_end(struct pl_slice zpl, size_t at)
{
    while (at < zpl.len && !strchr("\r\n^~", zpl.ptr[at]) &&
           !(zpl.ptr[at] == '-' && at + 1 < zpl.len && zpl.ptr[at + 1] == '-'))
        at++;
    return at;
}

void check_findings_read_comments(struct check_findings *all, struct pl_slice zpl,
                                  const struct platen_document *document)
{
    struct comment_reader r = {.all = all, .zpl = zpl, .document = document, .counted = PL_FIRST_LINE};
    size_t at = 0;
    for (const uint8_t *caret; at < zpl.len && (caret = memchr(zpl.ptr + at, '^', zpl.len - at));) {
        size_t comment = (size_t)(caret - zpl.ptr);
        at = comment + 1;
        struct pl_slice rest = pl_slice_sub(zpl, comment, zpl.len);
        if (!starts_with(rest, "^FX"))
            continue;
        rest = skip_blanks(pl_slice_sub(rest, 3, rest.len));
        if (!starts_with(rest, "platen:"))
            continue;
        rest = skip_blanks(pl_slice_sub(rest, 7, rest.len));
        if (!starts_with(rest, "ignore"))
            continue;
        rest = pl_slice_sub(rest, 6, rest.len);
        if (rest.len > 0 && ((rest.ptr[0] | 0x20) >= 'a' && (rest.ptr[0] | 0x20) <= 'z')) // another word
            continue;
        if (!all->comments) {
            all->comments = PL_ARENA_ARRAY(all->memory, struct check_comment, COMMENTS_MAX);
            all->short_of_memory = all->short_of_memory || !all->comments;
            if (!all->comments)
                return;
        }
        size_t list = (size_t)(rest.ptr - zpl.ptr);
        read_list(&r, comment, list, comment_end(zpl, list));
    }
}
