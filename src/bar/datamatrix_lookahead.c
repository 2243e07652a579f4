// Data Matrix: which encodation to use next (ISO/IEC 16022, annex P, steps J to R), in whole twelfths of a codeword.
#include "bar/datamatrix.h"

enum { ONE = 12 };

struct counts {
    uint32_t of[6]; // by enum pl_dm_mode
};

static uint32_t round_up(uint32_t count)
{
    return (count + ONE - 1) / ONE * ONE;
}

static bool is_digit(uint32_t c)
{
    return c >= '0' && c <= '9';
}

static bool is_upper(uint32_t c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_x12_mark(uint32_t c)
{
    return c == '\r' || c == '*' || c == '>';
}

static void add_char(struct counts *k, uint32_t c)
{
    bool extended = c >= 128 && c < 256;
    bool common = c == ' ' || is_digit(c);
    if (is_digit(c))
        k->of[PL_DM_ASCII] += ONE / 2;
    else
        k->of[PL_DM_ASCII] = round_up(k->of[PL_DM_ASCII]) + (extended ? 2 * ONE : ONE);
    uint32_t other = extended ? 32 : 16; // 8/3 and 4/3
    k->of[PL_DM_C40] += common || is_upper(c) ? 8 : other;
    k->of[PL_DM_TEXT] += common || (c >= 'a' && c <= 'z') ? 8 : other;
    k->of[PL_DM_X12] += common || is_upper(c) || is_x12_mark(c) ? 8 : extended ? 52 : 40;
    k->of[PL_DM_EDIFACT] += c >= 32 && c <= 94 ? 9 : extended ? 51 : 39;
    k->of[PL_DM_BASE256] += c == PL_DM_FNC1 ? 4 * ONE : ONE;
}

// True if `mode` plus `margin` is less than every other count.
static bool wins(const struct counts *k, enum pl_dm_mode mode, uint32_t margin)
{
    for (int other = 0; other < 6; other++)
        if (other != (int)mode && k->of[mode] + margin >= k->of[other])
            return false;
    return true;
}

static bool ascii_wins(const struct counts *k, uint32_t margin)
{
    for (int other = 1; other < 6; other++)
        if (k->of[PL_DM_ASCII] + margin > k->of[other])
            return false;
    return true;
}

// Step K: the data has ended.
static enum pl_dm_mode choose_at_end(struct counts *k)
{
    static const enum pl_dm_mode order[] = {PL_DM_BASE256, PL_DM_EDIFACT, PL_DM_TEXT, PL_DM_X12};
    for (int mode = 0; mode < 6; mode++)
        k->of[mode] = round_up(k->of[mode]);
    if (ascii_wins(k, 0))
        return PL_DM_ASCII;
    for (int i = 0; i < 4; i++)
        if (wins(k, order[i], 0))
            return order[i];
    return PL_DM_C40;
}

// Step R 6 b: does an X12 mark come before the first character that X12 cannot hold?
static bool mark_ahead(const uint16_t *chars, size_t count, size_t at)
{
    for (; at < count; at++) {
        if (is_x12_mark(chars[at]))
            return true;
        if (!(chars[at] == ' ' || is_digit(chars[at]) || is_upper(chars[at])))
            return false;
    }
    return false;
}

enum pl_dm_mode pl_dm_look_ahead(const uint16_t *chars, size_t count, size_t at, enum pl_dm_mode mode)
{
    struct counts k = {{ONE, 2 * ONE, 2 * ONE, 2 * ONE, 2 * ONE, 27}};
    if (mode == PL_DM_ASCII)
        k = (struct counts){{0, ONE, ONE, ONE, ONE, 15}};
    else
        k.of[mode] = 0;
    for (size_t i = at; i < count && chars[i] < PL_DM_ECI; i++) {
        add_char(&k, chars[i]);
        if (i < at + 4)
            continue;
        if (ascii_wins(&k, ONE))
            return PL_DM_ASCII;
        if (k.of[PL_DM_BASE256] + ONE <= k.of[PL_DM_ASCII] || wins(&k, PL_DM_BASE256, ONE))
            return PL_DM_BASE256;
        if (wins(&k, PL_DM_EDIFACT, ONE))
            return PL_DM_EDIFACT;
        if (wins(&k, PL_DM_TEXT, ONE))
            return PL_DM_TEXT;
        if (wins(&k, PL_DM_X12, ONE))
            return PL_DM_X12;
        uint32_t c40 = k.of[PL_DM_C40] + ONE;
        if (c40 < k.of[PL_DM_ASCII] && c40 < k.of[PL_DM_BASE256] && c40 < k.of[PL_DM_EDIFACT] &&
            c40 < k.of[PL_DM_TEXT]) {
            if (k.of[PL_DM_C40] < k.of[PL_DM_X12])
                return PL_DM_C40;
            if (k.of[PL_DM_C40] == k.of[PL_DM_X12])
                return mark_ahead(chars, count, i + 1) ? PL_DM_X12 : PL_DM_C40;
        }
    }
    return choose_at_end(&k);
}
