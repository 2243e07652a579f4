// What a GSUB or GPOS table costs those who shape by it: how many lookups it has, and how many steps one of them may
// take for a glyph. HarfBuzz looks at the clock between lookups (font_hb.c), not inside them.
#include "base/ckd.h"
#include "font/face/sfnt.h"

#define MOST_LOOKUPS 2000    // the largest fonts of complex scripts have a thousand,
#define MOST_SUBTABLES 8000  // and some thousand of these
#define MOST_STEPS 40000     // glyphs that one lookup looks at for one glyph, with those that its rules carry out
#define MOST_ROUNDS 16       // until what rules cost that carry out others is known
#define LONGEST_RULE 256     // there are no more glyphs to look at: layout.c cuts runs
#define MOST_READ (1u << 22) // rules and records that are looked at here

enum kind { OTHER, LIGATURES, CONTEXT, CHAIN, EXTENSION };

// Kinds of lookups by their numbers, from 1; those that are left out take few steps for a glyph.
static enum kind kind_of(uint32_t type, bool positions)
{
    static const uint8_t KINDS[2][10] = {{[4] = LIGATURES, [5] = CONTEXT, [6] = CHAIN, [7] = EXTENSION},
                                         {[7] = CONTEXT, [8] = CHAIN, [9] = EXTENSION}};
    return type < PL_COUNTOF(KINDS[0]) ? (enum kind)KINDS[positions][type] : OTHER;
}

// Where the records of a rule are, which say what other lookups are carried out when it applies; and how many glyphs,
// classes or coverages it looks at.
struct rule {
    size_t records;
    uint32_t record_count, length;
};

// The glyphs of a rule by glyph or class leave out the first, which the set is for; by coverage it is there.
static struct rule read_context(struct pl_slice table, size_t at, bool by_coverage)
{
    uint32_t count = pl_sfnt_u16(table, at), listed = count - (!by_coverage && count > 0);
    return (struct rule){at + 4 + (size_t)listed * 2, pl_sfnt_u16(table, at + 2), count};
}

static struct rule read_chain(struct pl_slice table, size_t at, bool by_coverage)
{
    uint32_t before = pl_sfnt_u16(table, at);
    at += 2 + (size_t)before * 2;
    uint32_t count = pl_sfnt_u16(table, at), listed = count - (!by_coverage && count > 0);
    at += 2 + (size_t)listed * 2;
    uint32_t after = pl_sfnt_u16(table, at);
    at += 2 + (size_t)after * 2;
    return (struct rule){at + 2, pl_sfnt_u16(table, at), before + count + after};
}

struct judge {
    struct pl_slice table;
    uint32_t read;               // rules and records so far
    uint32_t cost[MOST_LOOKUPS]; // steps of each lookup for one glyph, as far as they are known
    uint32_t nested; // of the lookup that is judged: the most that the lookups which a rule carries out cost
};

// Steps that it takes to see whether a rule applies.
static uint32_t judge_rule(struct judge *judge, enum kind kind, size_t at, bool by_coverage)
{
    struct rule rule = {.length = pl_sfnt_u16(judge->table, at + 2)}; // of a ligature
    if (kind == CONTEXT)
        rule = read_context(judge->table, at, by_coverage);
    else if (kind == CHAIN)
        rule = read_chain(judge->table, at, by_coverage);
    judge->read += 1 + rule.record_count;
    uint32_t nested = 0;
    for (uint32_t i = 0; i < rule.record_count && judge->read <= MOST_READ && nested <= MOST_STEPS; i++) {
        uint32_t lookup = pl_sfnt_u16(judge->table, rule.records + (size_t)i * 4 + 2);
        nested += 1 + (lookup < MOST_LOOKUPS ? judge->cost[lookup] : 0);
    }
    judge->nested = PL_MAX(judge->nested, nested);
    return PL_MIN(rule.length, LONGEST_RULE) + 1;
}

// The most steps that the rules of a subtable take for one glyph: a glyph has one set of rules.
static uint32_t judge_subtable(struct judge *judge, enum kind kind, size_t at)
{
    struct pl_slice table = judge->table;
    uint32_t format = pl_sfnt_u16(table, at), most = 1;
    if (kind == OTHER || kind == EXTENSION)
        return 1;
    if (kind != LIGATURES && format == 3)
        return judge_rule(judge, kind, at + 2, true);
    // By glyph the sets follow the coverage; by class the definitions of classes come first, three of them in a chain.
    size_t list = at + (kind == LIGATURES || format == 1 ? 4 : kind == CHAIN ? 10 : 6);
    uint32_t sets = pl_sfnt_u16(table, list);
    for (uint32_t i = 0; i < sets && judge->read <= MOST_READ; i++) {
        uint32_t offset = pl_sfnt_u16(table, list + 2 + (size_t)i * 2), steps = 0;
        size_t set = at + offset;
        uint32_t rules = offset ? pl_sfnt_u16(table, set) : 0;
        judge->read++;
        for (uint32_t k = 0; k < rules && judge->read <= MOST_READ; k++)
            steps += judge_rule(judge, kind, set + pl_sfnt_u16(table, set + 2 + (size_t)k * 2), false);
        most = PL_MAX(most, steps);
    }
    return most;
}

// What a lookup costs, as far as the costs of others are known; more than MOST_STEPS: too much.
static uint32_t judge_lookup(struct judge *judge, size_t lookup, bool positions)
{
    uint32_t count = pl_sfnt_u16(judge->table, lookup + 4), steps = 0;
    judge->nested = 0;
    for (uint32_t i = 0; i < count && steps <= MOST_STEPS; i++) {
        size_t at = lookup + pl_sfnt_u16(judge->table, lookup + 6 + (size_t)i * 2);
        enum kind kind = kind_of(pl_sfnt_u16(judge->table, lookup), positions);
        if (kind == EXTENSION) {
            kind = kind_of(pl_sfnt_u16(judge->table, at + 2), positions);
            at += pl_sfnt_u32(judge->table, at + 4);
        }
        steps += judge_subtable(judge, kind, at);
    }
    return steps + judge->nested;
}

bool pl_sfnt_can_shape(struct pl_slice table, bool positions)
{
    struct judge judge = {.table = table};
    size_t list = pl_sfnt_u16(table, 8);
    uint32_t lookups = pl_sfnt_u16(table, list), subtables = 0;
    if (lookups > MOST_LOOKUPS)
        return false;
    for (uint32_t i = 0; i < lookups; i++)
        subtables += pl_sfnt_u16(table, list + pl_sfnt_u16(table, list + 2 + (size_t)i * 2) + 4);
    if (subtables > MOST_SUBTABLES)
        return false;
    // Each round knows what the one before has found of lookups that are carried out by others. Circles grow too dear.
    for (uint32_t round = 0; round < MOST_ROUNDS; round++) {
        bool changed = false;
        for (uint32_t i = 0; i < lookups; i++) {
            uint32_t cost = judge_lookup(&judge, list + pl_sfnt_u16(table, list + 2 + (size_t)i * 2), positions);
            if (cost > MOST_STEPS || judge.read > MOST_READ)
                return false;
            changed = changed || cost != judge.cost[i];
            judge.cost[i] = cost;
        }
        if (!changed)
            return true;
    }
    return false;
}
