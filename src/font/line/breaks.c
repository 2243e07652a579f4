// Line breaks without spaces: between East Asian characters by the classes of Unicode Standard Annex 14, and where
// words of other scripts can be cut.
#include "font/line/breaks.h"

#include <stddef.h>
#include <string.h>

#include "base/ckd.h"
#include "base/search.h"
#include "font/face/font_hb.h"

// Of East Asian and other characters; NOT_FIRST and NOT_LAST: of a line.
enum { EAST_ASIAN = 1, NOT_FIRST = 2, NOT_LAST = 4 };

#include "font/line/break_table.h"

#define ZERO_WIDTH_JOINER 0x200D
#define ZERO_WIDTH_NON_JOINER 0x200C
#define MYANMAR_ASAT 0x103A // a virama by its class, but the letter behind it stands by itself
#define FIRST_MARK 0x300    // below it no character is joined to another
#define CHARS_PER_CHECK 4096

static bool in(uint32_t c, uint32_t low, uint32_t high)
{
    return c >= low && c <= high;
}

static uint8_t flags_of(uint32_t c)
{
    uint32_t first;
    PL_FIND_FIRST(first, PL_COUNTOF(break_rows), c > break_rows[first].last);
    return first < PL_COUNTOF(break_rows) && c >= break_rows[first].first ? break_rows[first].flags : 0;
}

bool pl_breaks_joins(uint32_t before, uint32_t c)
{
    bool vowel_and_mark = c == 0x0E33 || c == 0x0EB3, late_jamo = in(c, 0x1160, 0x11FF) || in(c, 0xD7B0, 0xD7FF);
    bool emoji_part = in(c, 0x1F3FB, 0x1F3FF) || in(c, 0xE0020, 0xE007F);
    bool conjunct = pl_hb_is_virama(before) && before != MYANMAR_ASAT;
    return pl_hb_is_mark(c) || conjunct || c == ZERO_WIDTH_JOINER || c == ZERO_WIDTH_NON_JOINER ||
           before == ZERO_WIDTH_JOINER || vowel_and_mark || late_jamo || emoji_part;
}

// Thai and Lao have the same plan, 0x80 apart. What follows are the signs of Thai.
static uint32_t as_thai(uint32_t c)
{
    return in(c, 0xE80, 0xEFF) ? c - 0x80 : c;
}

static bool is_thai_consonant(uint32_t c)
{
    return in(c, 0xE01, 0xE2E);
}

static uint32_t thai_at(const uint32_t *chars, uint32_t length, uint32_t i)
{
    return i < length ? as_thai(chars[i]) : 0;
}

// By thanthakhat, with or without a vowel between.
static bool is_silenced(const uint32_t *chars, uint32_t length, uint32_t i)
{
    uint32_t sign = thai_at(chars, length, i + 1);
    return is_thai_consonant(thai_at(chars, length, i)) &&
           (sign == 0xE4C || (in(sign, 0xE34, 0xE39) && thai_at(chars, length, i + 2) == 0xE4C));
}

// True when a vowel's sign needs the letter c behind it.
static bool goes_on(uint32_t vowel, uint32_t c)
{
    switch (vowel) {
    case 0xE31: // mai han-akat, maitaikhu, sara uee; Lao's mai kan and mai kon
    case 0xE47:
    case 0xE37:
    case 0xEB1:
    case 0xEBB:
        return is_thai_consonant(as_thai(c));
    case 0xE35: // ia
        return c == 0xE22;
    case 0xEB6: // Lao's uea
    case 0xEB7:
        return c == 0xEAD;
    default:
        return false;
    }
}

// Scripts without spaces between words: no dictionary says where words end, but these places are inside a syllable.
// `vowel`: the sign on the letter before.
static bool is_inside_syllable(const uint32_t *chars, uint32_t length, uint32_t i, uint32_t vowel)
{
    if (in(chars[i], 0x1000, 0x1021) && in(chars[i - 1], 0x1000, 0x109F)) { // Myanmar: a final, which asat marks
        uint32_t next = i + 1 < length ? chars[i + 1] : 0, after = i + 2 < length ? chars[i + 2] : 0;
        return next == 0x103A || (next == 0x1037 && after == 0x103A);
    }
    if (!in(chars[i], 0xE01, 0xEFF) || !in(chars[i - 1], 0xE01, 0xEFF))
        return false;
    uint32_t before = as_thai(chars[i - 1]), c = as_thai(chars[i]);
    bool vowel_behind = c == 0xE30 || c == 0xE32 || c == 0xE45 || c == 0xE46 || c == 0xE2F || chars[i] == 0xEBD;
    if (vowel_behind || in(before, 0xE40, 0xE44) || goes_on(vowel, chars[i]))
        return true;
    // A letter before a silenced one ends a syllable, as in "suk" (Friday), which has a silent r behind its k.
    return is_silenced(chars, length, i) || (is_thai_consonant(c) && is_silenced(chars, length, i + 1));
}

static bool is_blank(uint32_t c)
{
    return c == ' ' || c == '\n';
}

// `before` is the character that marks before `c` belong to.
static enum pl_break between(uint32_t before, uint32_t c)
{
    uint8_t left = flags_of(before), right = flags_of(c);
    bool may = ((left | right) & EAST_ASIAN) && !(left & NOT_LAST) && !(right & NOT_FIRST);
    return may && !is_blank(before) && !is_blank(c) ? PL_BREAK_MAY : PL_BREAK_CUT;
}

enum pl_errc pl_breaks_find(const uint32_t *chars, uint32_t length, const struct pl_job *job, uint8_t *out,
                            struct pl_error *err)
{
    uint32_t all = 0;
    for (uint32_t i = 0; i < length; i++)
        all |= chars[i];
    if (all < FIRST_MARK) { // most text of labels
        memset(out, PL_BREAK_CUT, length);
        return PL_OK;
    }
    uint32_t base = ' ';     // the last character that is not joined to one before
    uint32_t indicators = 0; // regional indicators in a row: each two are a flag
    uint32_t vowel = 0;      // the last sign that is not a tone
    for (uint32_t i = 0; i < length; i++) {
        if (i % CHARS_PER_CHECK == CHARS_PER_CHECK - 1)
            PL_TRY(pl_job_check(job, err));
        uint32_t c = chars[i], previous = i > 0 ? chars[i - 1] : ' ';
        bool simple = c < FIRST_MARK && previous < FIRST_MARK;
        indicators = in(c, 0x1F1E6, 0x1F1FF) ? indicators + 1 : 0;
        if (!simple && pl_breaks_joins(previous, c)) {
            out[i] = PL_BREAK_NEVER;
        } else {
            bool inside = !simple && i > 0 && is_inside_syllable(chars, length, i, vowel);
            bool flag = indicators > 0 && indicators % 2 == 0;
            out[i] = (uint8_t)(inside || flag ? PL_BREAK_NEVER : simple ? PL_BREAK_CUT : between(base, c));
            base = c;
        }
        if (!in(as_thai(c), 0xE48, 0xE4B))
            vowel = c;
    }
    return PL_OK;
}
