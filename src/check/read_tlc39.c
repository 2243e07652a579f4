// TLC39 from dots: six digits in Code 39, and over them, if there is more, a MicroPDF417.
#include "check/readers.h"

enum { DIGITS = 6, MICRO_MODULES = 99, LINK = 29 }; // LINK: T of Code 39, the flag of a second part

// Start, digits and stop, with a gap behind each; *linked: there is the flag behind them.
static bool read_number(const struct pl_read_runs *runs, uint32_t module, char number[DIGITS], bool *linked)
{
    const uint32_t length = (DIGITS + 2) * PL_READ_CODE39_STEP - 1;
    *linked = runs->count == length + PL_READ_CODE39_STEP && pl_read_code39(runs, DIGITS + 2, module) == LINK;
    if ((runs->count != length && !*linked) || pl_read_code39(runs, 0, module) != PL_READ_CODE39_STAR ||
        pl_read_code39(runs, DIGITS + 1, module) != PL_READ_CODE39_STAR)
        return false;
    for (uint32_t i = 0; i < DIGITS; i++) {
        uint32_t digit = pl_read_code39(runs, i + 1, module);
        if (digit > 9)
            return false;
        number[i] = (char)('0' + digit);
    }
    return true;
}

// The next run of ink left of `limit`.
static bool next_run(const struct pl_bitmap *crop, uint32_t y, uint32_t from, uint32_t limit, uint32_t *start,
                     uint32_t *end)
{
    return pl_bitmap_next_run(crop, y, from, start, end) && *start < limit;
}

// The MicroPDF417 is what is above the first row of paper, as far as it is left of `limit`; it always has four columns.
static bool read_second(const struct pl_bitmap *crop, uint32_t limit, struct pl_read_text *out)
{
    uint32_t top = 0, bottom, start, end, left = UINT32_MAX, right = 0;
    while (top < crop->height && !next_run(crop, top, 0, limit, &start, &end))
        top++;
    for (bottom = top; bottom < crop->height && next_run(crop, bottom, 0, limit, &start, &end); bottom++) {
        left = start < left ? start : left;
        do
            right = end > right ? end : right;
        while (next_run(crop, bottom, end, limit, &start, &end));
    }
    if (left >= right || (right - left) % MICRO_MODULES != 0)
        return false;
    const struct pl_box box = {(int32_t)left, (int32_t)top, (int32_t)right, (int32_t)bottom};
    return pl_read_micropdf417_in(crop, box, (right - left) / MICRO_MODULES, out);
}

// Where the flag begins. Printers draw it longer than the bars, so that it is beside the MicroPDF417, too.
static uint32_t flag_start(const struct pl_read_runs *runs)
{
    uint32_t x = runs->x0;
    for (uint32_t i = 0; i < (DIGITS + 2) * PL_READ_CODE39_STEP; i++)
        x += runs->widths[i];
    return x;
}

bool pl_read_tlc39(const struct pl_bitmap *crop, uint32_t module, struct pl_read_text *out)
{
    char number[DIGITS];
    bool linked;
    struct pl_read_runs runs;
    for (uint32_t y = crop->height; y-- > 0;) {
        pl_read_row(crop, y, &runs);
        if (!read_number(&runs, module, number, &linked))
            continue;
        for (uint32_t i = 0; i < DIGITS; i++)
            pl_read_put(out, (uint8_t)number[i]);
        if (linked)
            pl_read_put(out, ',');
        return !linked || read_second(crop, UINT32_MAX, out) || read_second(crop, flag_start(&runs), out);
    }
    return false;
}
