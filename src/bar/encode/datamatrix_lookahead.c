// Data Matrix: which encodation to use next (ISO/IEC 16022, annex P, steps J to R).
//
// The counts are sums of thirds and quarters in double precision, not whole twelfths: the reference renderer adds them
// up so, and where a sum of thirds lands a hair above a whole number its rounding up decides otherwise than exact sums
// do.
#include <math.h>

#include "bar/encode/datamatrix_parts.h"
#include "base/fmt.h"

// Counts closer than this are equal: true differences are at least a twelfth.
#define TOLERANCE (1.0 / 24.0)

struct counts {
    double of[6]; // codewords by enum pl_dm_mode
};

static bool is_x12_mark(uint32_t c)
{
    return c == '\r' || c == '*' || c == '>';
}

static void add_char(struct counts *k, uint32_t c)
{
    bool extended = c >= 128 && c < 256;
    bool common = c == ' ' || pl_is_digit(c);
    if (pl_is_digit(c))
        k->of[PL_DM_ASCII] += 0.5;
    else
        k->of[PL_DM_ASCII] = ceil(k->of[PL_DM_ASCII]) + (extended ? 2 : 1);
    double native = 2.0 / 3.0, other = extended ? 8.0 / 3.0 : 4.0 / 3.0;
    k->of[PL_DM_C40] += common || pl_is_upper(c) ? native : other;
    k->of[PL_DM_TEXT] += common || pl_is_lower(c) ? native : other;
    k->of[PL_DM_X12] += common || pl_is_upper(c) || is_x12_mark(c) ? native : extended ? 13.0 / 3.0 : 10.0 / 3.0;
    // Annex P has 17/4 and 13/4 here; the reference keeps EDIFACT away from what it cannot hold.
    k->of[PL_DM_EDIFACT] += c >= 32 && c <= 94 ? 0.75 : extended ? 17 : c == PL_DM_FNC1 ? 26 : 13;
    k->of[PL_DM_BASE256] += c == PL_DM_FNC1 ? 4 : 1;
}

static bool less(double a, double b)
{
    return a < b - TOLERANCE;
}

// True if `mode` plus one is less than every count but those of `except`, a set of bits.
static bool wins(const struct counts *k, enum pl_dm_mode mode, uint32_t except)
{
    for (uint32_t other = 0; other < 6; other++)
        if (other != (uint32_t)mode && !(except >> other & 1) && !less(k->of[mode] + 1, k->of[other]))
            return false;
    return true;
}

static bool ascii_wins(const struct counts *k)
{
    for (uint32_t other = 1; other < 6; other++)
        if (less(k->of[other], k->of[PL_DM_ASCII] + 1))
            return false;
    return true;
}

// Step K: the data has ended. Of equal counts the one that comes first in `order` is taken, ASCII before all.
static enum pl_dm_mode choose_at_end(const struct counts *k)
{
    static const enum pl_dm_mode order[] = {PL_DM_ASCII, PL_DM_C40,     PL_DM_X12,
                                            PL_DM_TEXT,  PL_DM_EDIFACT, PL_DM_BASE256};
    enum pl_dm_mode best = order[0];
    for (int i = 1; i < 6; i++)
        if (k->of[order[i]] < k->of[best])
            best = order[i];
    return best;
}

// Step R 6 b: does an X12 mark come before a character that X12 cannot hold? Without such a character: no.
static bool mark_ahead(const uint16_t *chars, size_t count, size_t at)
{
    bool mark = false;
    for (; at < count; at++) {
        mark = mark || is_x12_mark(chars[at]);
        if (!(chars[at] == ' ' || pl_is_digit(chars[at]) || pl_is_upper(chars[at]) || is_x12_mark(chars[at])))
            return mark;
    }
    return false;
}

// Step R: true with the winner in `mode` if one encodation is ahead of all others by enough.
static bool choose_early(const struct counts *k, const uint16_t *chars, size_t count, size_t at, enum pl_dm_mode *mode)
{
    if (ascii_wins(k)) {
        *mode = PL_DM_ASCII;
        return true;
    }
    if (!less(k->of[PL_DM_ASCII], k->of[PL_DM_BASE256] + 1) || wins(k, PL_DM_BASE256, 1u << PL_DM_ASCII)) {
        *mode = PL_DM_BASE256;
        return true;
    }
    static const enum pl_dm_mode order[] = {PL_DM_EDIFACT, PL_DM_TEXT, PL_DM_X12};
    for (int i = 0; i < 3; i++)
        if (wins(k, order[i], 0)) {
            *mode = order[i];
            return true;
        }
    if (!wins(k, PL_DM_C40, 1u << PL_DM_X12) || less(k->of[PL_DM_X12], k->of[PL_DM_C40]))
        return false;
    bool x12 = !less(k->of[PL_DM_C40], k->of[PL_DM_X12]) && mark_ahead(chars, count, at);
    *mode = x12 ? PL_DM_X12 : PL_DM_C40;
    return true;
}

enum pl_dm_mode pl_dm_look_ahead(const uint16_t *chars, size_t count, size_t at, enum pl_dm_mode mode)
{
    struct counts k = {{1, 2, 2, 2, 2, 2.25}};
    if (mode == PL_DM_ASCII)
        k = (struct counts){{0, 1, 1, 1, 1, 1.25}};
    else
        k.of[mode] = 0;
    enum pl_dm_mode best;
    size_t i = at;
    for (; i < count && chars[i] < PL_DM_ECI; i++) {
        add_char(&k, chars[i]);
        if (i >= at + 3 && choose_early(&k, chars, count, i, &best))
            return best;
    }
    for (int m = 0; m < 6; m++)
        k.of[m] = ceil(k.of[m]);
    if (i >= at + 3 && choose_early(&k, chars, count, i, &best))
        return best;
    return choose_at_end(&k);
}
