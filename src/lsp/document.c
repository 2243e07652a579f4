// Documents: their commands by the lexers of the languages.
#include "lsp/document.h"

#include <stdlib.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "base/search.h"

// A language by the id that editors give: its name.
static enum platen_language language_of(struct pl_slice id)
{
    const struct pl_lang *language;
    for (uint32_t i = 0; (language = pl_lang_at(i)); i++) {
        if (pl_slice_eq_nocase(id, pl_slice_cstr(language->name)))
            return (enum platen_language)(PLATEN_LANGUAGE_ZPL + i);
    }
    return PLATEN_LANGUAGE_DETECT;
}

struct lsp_document *lsp_document_new(struct pl_slice uri, struct pl_slice language_id)
{
    struct lsp_document *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    lsp_text_init(&d->text);
    d->declared = language_of(language_id);
    d->uri = malloc(uri.len + 1);
    if (!d->uri || !lsp_text_set(&d->text, pl_slice_make(NULL, 0))) {
        lsp_document_free(d);
        return NULL;
    }
    if (uri.len > 0)
        memcpy(d->uri, uri.ptr, uri.len);
    d->uri[uri.len] = '\0';
    lsp_document_changed(d);
    return d;
}

void lsp_document_free(struct lsp_document *d)
{
    if (!d)
        return;
    lsp_text_fini(&d->text);
    lsp_result_free(d->result);
    free(d->commands);
    free(d->items);
    free(d->params);
    free(d->uri);
    free(d);
}

void lsp_document_changed(struct lsp_document *d)
{
    d->revision++;
    d->is_read = false;
    d->language = d->declared == PLATEN_LANGUAGE_DETECT ? pl_lang_detect(lsp_text_slice(&d->text))
                                                        : pl_lang_at((uint32_t)(d->declared - PLATEN_LANGUAGE_ZPL));
}

struct reading {
    struct lsp_document *d;
    const struct reads *reads; // NULL: all is read at each change
    uint32_t base;             // where the text that is read begins
    bool ok, is_plain;
    // Of a text that was read before: where the part begins that is the same, how far it moved (modulo 2^32), and how
    // many commands there were. `joined` is the first of them that stays.
    size_t same_from;
    uint32_t moved, old_count, joined;
    bool has_joined;
};

static bool is_line_end(uint8_t byte)
{
    return byte == '\n' || byte == '\r';
}

// Are the commands behind this one read as they are without it? Prefixes and units of ZPL hold from here on, and data
// of a download ends where its size says. What follows a `?` of EPL depends on all variables before it.
static bool is_plain_zpl(const struct lsp_document *d, const struct lsp_command *c)
{
    (void)d;
    bool prefixes = c->name[1] == 'C' && (c->name[2] == 'C' || c->name[2] == 'D' || c->name[2] == 'T');
    return !prefixes && !lsp_is(c, "~JR") && !lsp_is(c, "^MU") && !lsp_is(c, "^GF") &&
           !(c->name[0] == '~' && c->name[1] == 'D');
}

static bool is_plain_epl(const struct lsp_document *d, const struct lsp_command *c)
{
    (void)d;
    return c->name[0] != '?';
}

static bool is_plain_line(const struct lsp_document *d, const struct lsp_command *c)
{
    (void)d;
    (void)c;
    return true;
}

static bool is_command(const struct lsp_document *d, const struct lsp_command *c)
{
    (void)d;
    return c->about != NULL;
}

static bool begins_line(const struct lsp_document *d, const struct lsp_command *c)
{
    return c->about && (c->start == 0 || is_line_end(d->text.bytes.data[c->start - 1]));
}

static bool ends_with_line_feed(const struct lsp_document *d, size_t from)
{
    const uint8_t *text = d->text.bytes.data;
    const size_t size = d->text.bytes.len;
    while (from < size && pl_is_gap(text[from]))
        from++;
    while (from < size && !is_line_end(text[from]))
        from++;
    while (from < size && text[from] == '\r')
        from++;
    return from < size && text[from] == '\n';
}

// Lines of EPL end as the first one does. That of graphics is not looked at: bytes follow it.
static bool begins_line_epl(const struct lsp_document *d, const struct lsp_command *c)
{
    const char *title = c->about ? c->about->title : "";
    bool has_bytes = strcmp(title, "GW") == 0 || strcmp(title, "GM") == 0 || strcmp(title, "ES") == 0;
    return begins_line(d, c) && !has_bytes && ends_with_line_feed(d, c->start);
}

// A header of CPCL sets the unit anew. Without the blank behind it, the line may belong to a block that began before.
static bool is_header(const struct lsp_document *d, const struct lsp_command *c)
{
    const struct pl_slice text = lsp_text_slice(&d->text);
    return begins_line(d, c) && strcmp(c->about->title, "!") == 0 && c->start + 1 < text.len &&
           text.ptr[c->start + 1] == ' ';
}

// Where a part of a text can be read as if it was all of it.
static const struct reads {
    const char *language;
    bool (*is_plain)(const struct lsp_document *d, const struct lsp_command *c);
    bool (*begins_anew)(const struct lsp_document *d, const struct lsp_command *c);
    uint32_t ahead; // so many bytes behind a command may tell where it ends: quotes that are closed lines later
} READS[] = {{"zpl", is_plain_zpl, is_command, 8},
             {"epl", is_plain_epl, begins_line_epl, 4096 + 64},
             {"tspl", is_plain_line, begins_line, 8192 + 64},
             {"cpcl", is_plain_line, is_header, 64}};

static const struct reads *reads_of(const struct lsp_document *d)
{
    for (size_t i = 0; i < PL_COUNTOF(READS); i++) {
        if (strcmp(d->language->name, READS[i].language) == 0)
            return READS[i].begins_anew != begins_line_epl || ends_with_line_feed(d, 0) ? &READS[i] : NULL;
    }
    return NULL;
}

static struct pl_lang_part moved(struct pl_lang_part part, uint32_t by)
{
    return part.offset == 0 && part.length == 0 ? part : (struct pl_lang_part){part.offset + by, part.length};
}

// Does a command begin here that is read already? All behind it is, too.
static bool joins(struct reading *r, const struct lsp_command *c)
{
    const struct lsp_command *old = r->d->commands;
    if (c->start < r->same_from || !r->reads->begins_anew(r->d, c))
        return false;
    while (r->joined < r->old_count && old[r->joined].start + r->moved < c->start)
        r->joined++;
    r->has_joined =
        r->joined < r->old_count && old[r->joined].start + r->moved == c->start && old[r->joined].about == c->about;
    return r->has_joined;
}

static bool take(void *user, const struct pl_lang_span *span)
{
    struct reading *r = user;
    struct lsp_document *d = r->d;
    r->ok = lsp_grow((void **)&d->commands, &d->command_capacity, d->command_count + 1, sizeof *d->commands) &&
            lsp_grow((void **)&d->items, &d->item_capacity, d->item_count + PL_LANG_PARTS, sizeof *d->items) &&
            lsp_grow((void **)&d->params, &d->param_capacity, d->item_count + PL_LANG_PARTS, sizeof *d->params);
    if (!r->ok)
        return false;
    struct lsp_command *c = &d->commands[d->command_count];
    *c = (struct lsp_command){.about = span->command,
                              .start = span->start + r->base,
                              .end = span->end + r->base,
                              .first_item = d->item_count,
                              .data = moved(span->data, r->base),
                              .item_count = (uint16_t)span->item_count,
                              .name_length = (uint8_t)PL_MIN(span->name_length, 255u),
                              .is_text = span->is_text,
                              .in_dots = span->in_dots};
    memcpy(c->name, span->name, 3);
    if (r->old_count > 0 && joins(r, c))
        return false;
    r->is_plain = r->is_plain && r->reads && r->reads->is_plain(d, c);
    for (uint32_t i = 0; i < span->item_count; i++)
        d->items[d->item_count + i] = moved(span->items[i], r->base);
    memcpy(d->params + d->item_count, span->params, span->item_count);
    d->command_count++;
    d->item_count += span->item_count;
    return r->is_plain || r->old_count == 0;
}

// The last command that begins so far before a change that this does not matter for the commands before it.
static uint32_t command_before(const struct lsp_document *d, const struct reads *reads, size_t offset)
{
    uint32_t i = lsp_document_first_behind(d, offset);
    while (i > 0 && (i == d->command_count || d->commands[i].start + reads->ahead > offset ||
                     !reads->begins_anew(d, &d->commands[i])))
        i--;
    return i;
}

// Reads from a command before the changes to the first one behind them. False: all must be read.
static bool read_changed(struct lsp_document *d, const struct reads *reads)
{
    const struct lsp_text *text = &d->text;
    const struct pl_slice code = lsp_text_slice(text);
    const uint32_t first = command_before(d, reads, text->same_head), old = d->command_count;
    struct reading r = {.d = d,
                        .reads = reads,
                        .base = first > 0 ? d->commands[first].start : 0,
                        .ok = true,
                        .is_plain = true,
                        .same_from = code.len - text->same_tail,
                        .moved = (uint32_t)(code.len - d->read_bytes),
                        .old_count = old,
                        .joined = first};
    d->language->outline(pl_slice_sub(code, r.base, code.len), take, &r);
    const uint32_t count = d->command_count - old, rest = r.has_joined ? old - r.joined : 0;
    struct lsp_command *middle = r.ok && r.is_plain ? malloc((count + 1) * sizeof *middle) : NULL;
    if (!middle)
        return false;
    memcpy(middle, d->commands + old, count * sizeof *middle);
    if (first + count != r.joined)
        memmove(d->commands + first + count, d->commands + r.joined, rest * sizeof *middle);
    memcpy(d->commands + first, middle, count * sizeof *middle);
    free(middle);
    d->command_count = first + count + rest;
    for (uint32_t i = first + count; i < d->command_count; i++) {
        struct lsp_command *c = &d->commands[i];
        c->start += r.moved;
        c->end += r.moved;
        c->data = moved(c->data, r.moved);
        for (uint32_t k = 0; k < c->item_count; k++)
            d->items[c->first_item + k] = moved(d->items[c->first_item + k], r.moved);
    }
    return true;
}

bool lsp_document_read(struct lsp_document *d)
{
    const struct reads *reads = reads_of(d);
    struct reading r = {.d = d, .reads = reads, .ok = true, .is_plain = true};
    if (d->is_read)
        return true;
    bool reuses = reads && d->plain == d->language && d->command_count > 0 && d->item_count / 2 <= d->whole_items;
    if (!reuses || !read_changed(d, reads)) {
        d->command_count = d->item_count = 0;
        d->language->outline(lsp_text_slice(&d->text), take, &r);
        d->plain = r.ok && r.is_plain ? d->language : NULL;
        d->whole_items = d->item_count;
    }
    d->is_read = r.ok;
    d->read_bytes = d->text.bytes.len;
    d->text.same_head = d->text.same_tail = SIZE_MAX;
    return r.ok;
}

uint32_t lsp_document_first_behind(const struct lsp_document *d, size_t offset)
{
    uint32_t first;
    PL_FIND_FIRST(first, d->command_count, d->commands[first].end <= offset);
    return first;
}

const struct lsp_command *lsp_document_command_at(const struct lsp_document *d, size_t offset, bool before)
{
    uint32_t i = lsp_document_first_behind(d, offset);
    const struct lsp_command *here = i < d->command_count && d->commands[i].start <= offset ? &d->commands[i] : NULL;
    const struct lsp_command *last = i > 0 && d->commands[i - 1].end == offset ? &d->commands[i - 1] : NULL;
    return last && (before || !here) ? last : here;
}

uint32_t lsp_item_at(const struct lsp_document *d, const struct lsp_command *c, size_t offset)
{
    for (uint32_t i = 0; i < c->item_count; i++) {
        struct pl_lang_part part = d->items[c->first_item + i];
        if (offset >= part.offset && offset <= (size_t)part.offset + part.length)
            return i;
    }
    return c->item_count;
}

bool lsp_item_mm(const struct lsp_document *d, const struct lsp_command *c, uint32_t item, double dpmm, double *mm)
{
    const struct pl_lang_param *p = lsp_param(d, c, item);
    struct pl_slice s = lsp_part_text(d, lsp_item(d, c, item));
    int64_t value = 0;
    bool minus = s.len > 0 && s.ptr[0] == '-';
    if (!p || p->type != PL_LANG_DOTS || !c->in_dots || s.len <= minus || s.len > 7)
        return false;
    for (size_t i = minus; i < s.len; i++) {
        if (!pl_is_digit(s.ptr[i]))
            return false;
        value = value * 10 + (s.ptr[i] - '0');
    }
    *mm = (double)(minus ? -value : value) / dpmm;
    return true;
}
