// From commands to bytes: one field a line, or as short as it gets.
#include "rewrite/commands.h"

#include <string.h>

#include "base/ckd.h"

static uint8_t prefix_of(const struct rw_command *c)
{
    return c->prefix == '^' ? c->caret : c->tilde;
}

// A letter that has become a prefix (^CC, ~CT) would begin another command: it is written small, which means the same.
static uint8_t letter_of(const struct rw_command *c, uint8_t letter)
{
    bool is_prefix = letter == c->caret || letter == c->tilde;
    return is_prefix && pl_is_upper(letter) ? (uint8_t)(letter | 0x20) : letter;
}

static void put_command(const struct rw_command *c, enum rw_layout layout, struct pl_buf *out)
{
    pl_buf_append_byte(out, prefix_of(c));
    pl_buf_append_byte(out, letter_of(c, c->first));
    if (!c->unnamed)
        pl_buf_append_byte(out, letter_of(c, c->second));
    else if (c->item_count && c->items[0].len)
        pl_buf_append_byte(out, '\n'); // what followed at once would be the font's letter
    // Text behind a command that has no parameters is a remark.
    if (c->no_parameters && c->item_count && layout == RW_LINES)
        pl_buf_append_byte(out, ' ');
    for (uint32_t i = 0; i < c->item_count; i++) {
        if (i > 0)
            pl_buf_append_byte(out, c->comma);
        pl_buf_append_slice(out, c->items[i]);
    }
    if (c->kind == ZPL_LEX_PAYLOAD && c->has_data)
        pl_buf_append_byte(out, c->comma);
    pl_buf_append_slice(out, c->data);
}

enum line_state {
    LINE_START,  // nothing in it yet
    LINE_FIELD,  // in a field, which goes on to ^FS
    LINE_SETTING // complete, but ^FS may follow on the same line
};

static bool begins_or_ends_label(const struct rw_command *c)
{
    return rw_is(c, "^XA") || rw_is(c, "^XZ");
}

static enum line_state after(const struct rw_command *c, enum line_state state)
{
    if (begins_or_ends_label(c) || rw_is(c, "^FS"))
        return LINE_START;
    if (c->prefix == '^' && c->row && c->row->in_format)
        return LINE_FIELD;
    return state == LINE_FIELD && c->prefix == '^' ? LINE_FIELD : LINE_SETTING;
}

static bool breaks_before(const struct rw_command *c, enum line_state state)
{
    if (state == LINE_START || rw_is(c, "^FS"))
        return false;
    return state == LINE_SETTING || begins_or_ends_label(c) || c->prefix == '~';
}

// Data whose last byte would begin a command if a prefix followed.
static bool ends_with_half_command(const struct rw_command *c)
{
    enum { DLE = 0x10, RS = 0x1E };
    uint8_t last = c->kind == ZPL_LEX_DATA && c->data.len ? c->data.ptr[c->data.len - 1] : 0;
    return last && (last == c->tilde || last == DLE || last == RS);
}

// Code that is damaged is read again as it was read first only with a prefix more, as it had: behind data that ends
// with half a command, and before an unknown command that would be data.
static void put_stray_prefix(const struct rw_command *before, const struct rw_command *c, bool same_line,
                             struct pl_buf *out)
{
    if (before && rw_resets_prefix(before))
        pl_buf_append_byte(out, before->tilde);
    if (!before || before->kind != ZPL_LEX_DATA)
        return;
    bool unknown = c->prefix == '~' && !c->row;
    if (same_line && ends_with_half_command(before) && (unknown || c->prefix == '^'))
        pl_buf_append_byte(out, before->tilde);
    if (unknown)
        pl_buf_append_byte(out, c->caret);
}

bool rw_places_add(struct rw_places *places, size_t offset, const struct rw_command *c)
{
    if (!PL_ARENA_GROW(places->arena, places->items, places->count, places->capacity, 64))
        return false;
    places->items[places->count++] = (struct rw_place){(uint32_t)offset, c->origin, c->origin_end};
    return true;
}

struct pl_source rw_origin(const struct rw_places *places, uint32_t offset, uint32_t length)
{
    struct pl_source s = {.offset = offset, .length = length};
    if (!places || places->count == 0)
        return s;
    uint32_t low = 0, high = places->count; // the last place that is not behind the offset
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        *(places->items[middle].offset <= offset ? &low : &high) = middle;
    }
    const struct rw_place *at = &places->items[low];
    s.offset = at->origin;
    uint32_t end = at->origin_end;
    for (; low + 1 < places->count && places->items[low + 1].offset < offset + length; low++)
        end = PL_MAX(end, places->items[low + 1].origin_end);
    s.length = end - s.offset;
    return s;
}

// What comes behind the last command.
static void write_end(const struct rw_document *doc, enum rw_layout layout, const struct rw_command *last,
                      enum line_state state, struct pl_buf *out)
{
    // ^A without a font's letter is a command only with a byte behind it.
    bool needs_byte = last && last->unnamed && last->item_count == 0 && doc->rest.len == 0;
    if ((layout == RW_LINES && state != LINE_START && !last->bare) || needs_byte)
        pl_buf_append_byte(out, '\n');
    if (layout == RW_COMPACT && doc->torn && last && ends_with_half_command(last))
        pl_buf_append_byte(out, last->tilde);
    pl_buf_append_slice(out, doc->rest);
    if (layout == RW_LINES && doc->rest.len && !doc->torn)
        pl_buf_append_byte(out, '\n');
}

void rw_write(const struct rw_document *doc, enum rw_layout layout, struct pl_buf *out, struct rw_places *places)
{
    enum line_state state = LINE_START;
    bool counted = false; // the byte before is the last one of counted bytes
    const struct rw_command *before = NULL;
    for (uint32_t i = 0; i < doc->count; i++) {
        const struct rw_command *c = &doc->commands[i];
        if (c->left_out)
            continue;
        bool lines = layout == RW_LINES, bare = before && before->bare;
        if (lines && !bare && (breaks_before(c, state) || (c->skipped.len && state != LINE_START && !counted))) {
            pl_buf_append_byte(out, '\n');
            state = LINE_START;
        }
        if (c->skipped.len) {
            pl_buf_append_slice(out, c->skipped);
            if (lines)
                pl_buf_append_byte(out, '\n');
        }
        put_stray_prefix(before, c, state != LINE_START, out);
        if (places && !rw_places_add(places, out->len, c))
            out->failed = out->short_of_memory = true;
        put_command(c, layout, out);
        before = c;
        state = after(c, state);
        counted = c->counted;
        if (lines && state == LINE_START)
            pl_buf_append_byte(out, '\n');
    }
    write_end(doc, layout, before, state, out);
}

void rw_strip(struct rw_document *doc)
{
    bool field = false;
    bool comment = false; // since the last ^FS
    for (uint32_t i = 0; i < doc->count; i++) {
        struct rw_command *c = &doc->commands[i];
        c->skipped = pl_slice_make(NULL, 0);
        if (rw_is(c, "^FX")) {
            c->left_out = comment = true;
        } else if (rw_is(c, "^FS")) {
            // That of a comment ends nothing.
            c->left_out = comment && !field;
            field = comment = false;
        } else {
            field = field || !begins_or_ends_label(c); // a field that was not ended goes on behind ^XA
        }
        if (c->no_parameters)
            c->item_count = 0;
        if (!c->row || c->kind != ZPL_LEX_ARGS)
            continue;
        while (c->item_count > 0 && c->items[c->item_count - 1].len == 0)
            c->item_count--;
    }
    if (!doc->torn)
        doc->rest = pl_slice_make(NULL, 0);
}

// What a field says of itself, as far as blanks behind its text may show.
struct field_look {
    uint32_t data; // index of its ^FD; UINT32_MAX: none
    bool plain;    // left-aligned text that runs from left to right
};

static bool is_upright(const struct rw_command *c, uint32_t item, bool fallback)
{
    if (!rw_has(c, item))
        return fallback;
    uint8_t letter = c->items[item].ptr[0] & 0xDF;
    return (letter != 'R' && letter != 'I' && letter != 'B') || c->items[item].ptr[0] < 'A';
}

// A text of blanks alone keeps one: without any there would be no field. Line ends are no text.
static struct pl_slice without_blanks_behind(struct pl_slice text)
{
    struct pl_slice cut = text;
    bool blanks = false;
    for (; cut.len > 0; cut.len--) {
        uint8_t last = cut.ptr[cut.len - 1];
        if (last != ' ' && last != '\n' && last != '\r')
            break;
        blanks = blanks || last == ' ';
    }
    return cut.len > 0 || !blanks ? cut : pl_slice_cstr(" ");
}

// Is there text that goes on where the last one ended?
static bool has_text_behind_text(const struct rw_document *doc)
{
    for (uint32_t i = 0; i < doc->count; i++) {
        const struct rw_command *c = &doc->commands[i];
        if (rw_is(c, "^FT") && (!rw_has(c, 0) || !rw_has(c, 1)))
            return true;
    }
    return false;
}

// A command of a field that may be trimmed.
static void look_at(struct field_look *look, const struct rw_command *c, uint32_t index, bool upright, bool left)
{
    if (rw_is(c, "^FD")) {
        look->plain = look->plain && look->data == UINT32_MAX;
        look->data = index;
    } else if (rw_is_font(c)) {
        look->plain = look->plain && is_upright(c, 0, upright);
    } else if (rw_is(c, "^FO") || rw_is(c, "^FT")) {
        look->plain = look->plain && (rw_has(c, 2) ? c->items[2].ptr[0] == '0' : left);
    } else if (c->prefix == '^' && c->row && c->row->in_format && !rw_is(c, "^FR")) {
        look->plain = false; // a block, a barcode, a number, an indicator …
    }
}

void rw_trim_texts(struct rw_document *doc)
{
    if (has_text_behind_text(doc))
        return; // it is placed by the blanks before it
    bool upright = true, left = true;
    struct field_look look = {UINT32_MAX, true};
    for (uint32_t i = 0; i < doc->count; i++) {
        struct rw_command *c = &doc->commands[i];
        if (rw_is(c, "^FW")) {
            upright = is_upright(c, 0, upright);
            left = !rw_has(c, 1) ? left : c->items[1].ptr[0] == '0';
        }
        if (rw_is(c, "^FS")) {
            struct pl_slice *data = look.data == UINT32_MAX ? NULL : &doc->commands[look.data].data;
            if (data && look.plain && upright && left)
                *data = without_blanks_behind(*data);
            look = (struct field_look){UINT32_MAX, true};
        } else {
            look_at(&look, c, i, upright, left);
        }
    }
}
