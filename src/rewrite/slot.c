// How values are written as data of a field.
#include "rewrite/slot.h"

#include <string.h>

#include "base/buf.h"

bool rw_must_escape(const struct rw_command *c, const struct rw_slot *at, uint8_t byte)
{
    return byte == c->caret || byte == c->tilde || byte < 0x20 || (at->hex && byte == at->hex);
}

static void see_block(struct rw_slot *at, const struct rw_command *c)
{
    if (rw_is(c, "^TB"))
        at->is_box = at->keeps_ends = true;
    if (!rw_is(c, "^FB"))
        return;
    at->is_block = true;
    at->doubled = '\\';
}

// Barcodes that hold line ends, and what they take for the beginning of an escape.
static void see_barcode(struct rw_slot *at, const struct rw_command *c)
{
    bool matrix = rw_is(c, "^BX") && rw_has(c, 2) && pl_slice_eq_cstr(c->items[2], "200");
    bool aztec = rw_is(c, "^BO") || rw_is(c, "^B0"), lines = rw_is(c, "^B7") || rw_is(c, "^BF") || rw_is(c, "^BX");
    if (!matrix && !aztec && !lines && !rw_is(c, "^BQ") && !rw_is(c, "^BD"))
        return;
    at->keeps_ends = true;
    if (matrix)
        at->doubled = rw_has(c, 6) ? c->items[6].ptr[0] : '~';
    else if (lines || (aztec && rw_has(c, 2) && (c->items[2].ptr[0] & 0xDF) == 'Y'))
        at->doubled = '\\';
}

void rw_slot_see(struct rw_slot *at, const struct rw_command *c)
{
    see_block(at, c);
    see_barcode(at, c);
}

void rw_put_byte(const struct rw_command *c, const struct rw_slot *at, uint8_t byte, struct pl_buf *out)
{
    if (rw_must_escape(c, at, byte))
        pl_buf_printf(out, "%c%02X", at->hex, byte);
    else
        pl_buf_append_byte(out, byte);
}

void rw_put_value(const struct rw_command *c, const struct rw_slot *at, struct pl_slice value, struct pl_buf *out)
{
    for (size_t i = 0; i < value.len; i++) {
        uint8_t byte = value.ptr[i], next = i + 1 < value.len ? value.ptr[i + 1] : 0;
        bool ends = (byte == '\n' || byte == '\r') && !at->keeps_ends;
        if (ends && byte == '\r' && next == '\n')
            continue;
        if (ends)
            pl_buf_append_cstr(out, at->is_block ? "\\&" : " ");
        else if (at->is_box && byte == '<')
            pl_buf_append_cstr(out, "<<>");
        else
            rw_put_byte(c, at, byte, out);
        // \& is how ZPL writes a line end in a block: a value may have it.
        if (!ends && at->doubled && byte == at->doubled && !(at->is_block && next == '&'))
            rw_put_byte(c, at, byte, out);
    }
}

bool rw_needs_escape(const struct rw_command *c, bool keeps_ends, struct pl_slice value)
{
    const struct rw_slot plain = {0};
    for (size_t i = 0; i < value.len; i++) {
        bool ends = value.ptr[i] == '\n' || value.ptr[i] == '\r';
        if (ends ? keeps_ends : rw_must_escape(c, &plain, value.ptr[i]))
            return true;
    }
    return false;
}

bool rw_can_be_hex(const struct rw_command *c, uint8_t byte)
{
    return byte != c->caret && byte != c->tilde && byte != c->comma;
}

uint8_t rw_choose_hex(const struct rw_command *c, struct pl_slice data)
{
    static const char CANDIDATES[] = "_\\`|@$&*#=";
    uint8_t possible = 0;
    for (const char *p = CANDIDATES; *p; p++) {
        if (!rw_can_be_hex(c, (uint8_t)*p))
            continue;
        if (!data.len || !memchr(data.ptr, *p, data.len))
            return (uint8_t)*p;
        possible = possible ? possible : (uint8_t)*p;
    }
    return possible;
}
