// What a GSUB or GPOS table costs those who shape by it: how many lookups it has, and how many steps one of them may
// take for a glyph. HarfBuzz looks at the clock between lookups (font_hb.c), not inside them.
#include "base/ckd.h"
#include "font/sfnt.h"

#define MOST_LOOKUPS 2000    // the largest fonts of complex scripts have some hundred,
#define MOST_SUBTABLES 8000  // and some thousand of these
#define MOST_STEPS 20000     // glyphs that the rules of one lookup look at, for one glyph
#define LONGEST_RULE 256     // there are no more glyphs to look at: layout.c cuts runs
#define MOST_READ (1u << 20) // rules that are looked at here

enum kind { OTHER, LIGATURES, CONTEXT, CHAIN, EXTENSION };

// Kinds of lookups by their numbers, from 1; those that are left out take few steps for a glyph.
static enum kind kind_of(uint32_t type, bool positions)
{
    static const uint8_t KINDS[2][10] = {{[4] = LIGATURES, [5] = CONTEXT, [6] = CHAIN, [7] = EXTENSION},
                                         {[7] = CONTEXT, [8] = CHAIN, [9] = EXTENSION}};
    return type < PL_COUNTOF(KINDS[0]) ? (enum kind)KINDS[positions][type] : OTHER;
}

// The glyphs, classes or coverages of a sequence before, of and after a glyph; the middle one counts its first, too.
static uint32_t chain_length(struct pl_slice table, size_t at, bool first_is_implied)
{
    uint32_t before = pl_sfnt_u16(table, at);
    at += 2 + (size_t)before * 2;
    uint32_t middle = pl_sfnt_u16(table, at), implied = first_is_implied && middle > 0;
    at += 2 + ((size_t)middle - implied) * 2;
    return before + middle + pl_sfnt_u16(table, at);
}

static uint32_t rule_length(enum kind kind, struct pl_slice table, size_t at)
{
    uint32_t length =
        kind == CHAIN ? chain_length(table, at, true) : pl_sfnt_u16(table, at + (kind == LIGATURES ? 2 : 0));
    return PL_MIN(length, LONGEST_RULE) + 1;
}

// The most steps that the rules of a subtable take for one glyph: a glyph has one set of rules. `read` counts them.
static uint32_t steps_of(enum kind kind, struct pl_slice table, size_t at, uint32_t *read)
{
    uint32_t format = pl_sfnt_u16(table, at);
    if (kind == OTHER)
        return 1;
    if (kind != LIGATURES && format == 3)
        return 1 +
               PL_MIN(kind == CHAIN ? chain_length(table, at + 2, false) : pl_sfnt_u16(table, at + 2), LONGEST_RULE);
    // By glyph the sets follow the coverage; by class the definitions of classes come first, three of them in a chain.
    size_t list = at + (kind == LIGATURES || format == 1 ? 4 : kind == CHAIN ? 10 : 6);
    uint32_t sets = pl_sfnt_u16(table, list), most = 1;
    for (uint32_t i = 0; i < sets && *read <= MOST_READ; i++) {
        uint32_t offset = pl_sfnt_u16(table, list + 2 + (size_t)i * 2), steps = 0;
        size_t set = at + offset;
        uint32_t rules = offset ? pl_sfnt_u16(table, set) : 0;
        *read += rules + 1;
        for (uint32_t k = 0; k < rules && *read <= MOST_READ; k++)
            steps += rule_length(kind, table, set + pl_sfnt_u16(table, set + 2 + (size_t)k * 2));
        most = PL_MAX(most, steps);
    }
    return most;
}

bool pl_sfnt_can_shape(struct pl_slice table, bool positions)
{
    size_t list = pl_sfnt_u16(table, 8);
    uint32_t lookups = pl_sfnt_u16(table, list), subtables = 0, read = 0;
    if (lookups > MOST_LOOKUPS)
        return false;
    for (uint32_t i = 0; i < lookups; i++) {
        size_t lookup = list + pl_sfnt_u16(table, list + 2 + (size_t)i * 2);
        uint32_t count = pl_sfnt_u16(table, lookup + 4), steps = 0;
        subtables += count;
        if (subtables > MOST_SUBTABLES)
            return false;
        for (uint32_t k = 0; k < count; k++) {
            size_t at = lookup + pl_sfnt_u16(table, lookup + 6 + (size_t)k * 2);
            enum kind kind = kind_of(pl_sfnt_u16(table, lookup), positions);
            if (kind == EXTENSION) {
                kind = kind_of(pl_sfnt_u16(table, at + 2), positions);
                at += pl_sfnt_u32(table, at + 4);
            }
            steps += steps_of(kind == EXTENSION ? OTHER : kind, table, at, &read);
            if (steps > MOST_STEPS || read > MOST_READ)
                return false;
        }
    }
    return true;
}
