// Data of linear codes: what the symbology does not have is left out, and strings to put the rest into.
#include <stdio.h>

#include "bar/layout/build.h"
#include "base/ckd.h"

enum pl_errc pl_bar_string_new(struct pl_bar_build *b, size_t cap, struct pl_bar_string *out)
{
    if (cap > UINT32_MAX / 2)
        return pl_fail_memory(b->err);
    out->ptr = pl_arena_alloc(b->context->arena, cap + 1, 1);
    if (!out->ptr)
        return pl_fail_memory(b->err);
    out->ptr[0] = 0;
    out->len = 0;
    out->cap = (uint32_t)cap;
    return PL_OK;
}

void pl_bar_string_put(struct pl_bar_string *s, uint8_t byte)
{
    if (s->len < s->cap) {
        s->ptr[s->len++] = byte;
        s->ptr[s->len] = 0;
    }
}

void pl_bar_string_append(struct pl_bar_string *s, struct pl_slice bytes)
{
    for (size_t i = 0; i < bytes.len; i++)
        pl_bar_string_put(s, bytes.ptr[i]);
}

// A byte as a human reads it in a message.
static void quote(uint8_t c, char out[8])
{
    if (c > 0x20 && c < 0x7F)
        snprintf(out, 8, "'%c'", c);
    else if (c == ' ')
        snprintf(out, 8, "a space");
    else
        snprintf(out, 8, "0x%02X", c);
}

// Characters that were left out are reported. True: the symbol is not drawn because of them.
static bool report_dropped(struct pl_bar_build *b, uint32_t count, uint8_t first)
{
    char shown[8];
    if (count == 0)
        return false;
    quote(first, shown);
    if (pl_bar_invalid(b, PL_BAR_BAD_CHARACTER, "%s has no %s.", b->out->symbology, shown))
        return true;
    pl_bar_note(b, PL_DIAG_BARCODE_DATA, "%u character%s that %s does not have (the first is %s) %s left out.", count,
                count > 1 ? "s" : "", b->out->symbology, shown, count > 1 ? "were" : "was");
    return false;
}

enum pl_errc pl_bar_filter(struct pl_bar_build *b, size_t room, struct pl_bar_string *out)
{
    const struct pl_bar_symbology *row = b->row;
    const struct pl_content *content = &b->barcode->content;
    size_t length = pl_content_length(content);
    uint8_t allowed[256] = {0};
    for (const char *p = row->alphabet; *p; p++)
        allowed[(uint8_t)*p] = 1;
    PL_TRY(pl_bar_string_new(b, PL_MIN(length, (size_t)row->max_length) + room, out));
    uint32_t dropped = 0, upper = 0;
    bool full = false;
    uint8_t first = 0;
    for (size_t i = 0; i < length; i++) {
        uint32_t code = pl_content_at(content, i);
        bool shift = row->shifts && pl_mark_kind(code) == PL_MARK_SHIFT;
        uint8_t c = (uint8_t)(shift ? PL_BAR_SHIFT + (pl_mark_number(code) & 0x7F) : code);
        if (row->upper && pl_is_lower(c)) {
            c = (uint8_t)(c - 'a' + 'A');
            upper++;
        }
        if (!shift && !allowed[c]) {
            first = dropped++ ? first : c;
        } else if (out->len < row->max_length) {
            pl_bar_string_put(out, c);
        } else {
            full = true;
            break;
        }
    }
    if (full)
        return pl_bar_give_up(b, PL_BAR_TOO_LONG, "The data is longer than the %u characters that %s can hold.",
                              row->max_length, b->out->symbology);
    if (report_dropped(b, dropped, first))
        return PL_OK;
    if (upper)
        pl_bar_note(b, PL_DIAG_BARCODE_DATA, "%s has no lower case; upper case was encoded.", b->out->symbology);
    if (out->len == 0)
        return pl_bar_give_up(b, length ? PL_BAR_BAD_CHARACTER : PL_BAR_TOO_SHORT, "There is no data to encode.");
    return PL_OK;
}
