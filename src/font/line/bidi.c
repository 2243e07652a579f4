// Unicode Standard Annex 9: paragraphs (P2, P3), explicit levels (X1 to X10), lines (L1, L2). bidi_sequence.c has the
// rules between.
#include "font/line/bidi.h"

#include <string.h>

#include "base/ckd.h"
#include "font/line/bidi_sequence.h"

#define DEEPEST_LEVEL 125 // BD2
#define NONE UINT32_MAX
#define CHARS_PER_CHECK 4096

// Rule X9: these take no part in the rules after it.
static bool is_removed(uint8_t class)
{
    return class == PL_BIDI_BN || (class >= PL_BIDI_LRE && class <= PL_BIDI_PDF);
}

// A level run; a sequence is a chain of them.
struct run {
    uint32_t start, end;
    uint32_t next;     // the run that continues after an isolate; NONE
    bool is_continued; // another run leads to this one
};

struct paragraph {
    const uint32_t *chars;
    uint8_t *levels;
    uint8_t *classes; // of the characters as such
    uint8_t *types;   // after overrides
    uint32_t *match;  // of an isolate's initiator: where it ends; of its end: where it begins; NONE
    struct run *runs;
    uint32_t *at; // scratch for a sequence
    uint8_t *sequence_types, *sequence_given;
    uint32_t *closers;
    uint32_t length, run_count;
    uint8_t base;
};

// BD9. While an initiator is open, its match holds the one that is open around it.
static void match_isolates(struct paragraph *p)
{
    uint32_t open = NONE;
    for (uint32_t i = 0; i < p->length; i++) {
        p->match[i] = NONE;
        if (pl_bidi_is_initiator(p->classes[i])) {
            p->match[i] = open;
            open = i;
        } else if (p->classes[i] == PL_BIDI_PDI && open != NONE) {
            uint32_t around = p->match[open];
            p->match[open] = i;
            p->match[i] = open;
            open = around;
        }
    }
    while (open != NONE) {
        uint32_t around = p->match[open];
        p->match[open] = NONE;
        open = around;
    }
}

// P2, P3: isolates are passed over, so that isolates within isolates are not looked at again and again.
static bool first_strong_is_right(const struct paragraph *p, uint32_t start, uint32_t end)
{
    for (uint32_t i = start; i < end; i++) {
        uint8_t class = p->classes[i];
        if (class == PL_BIDI_L)
            return false;
        if (class == PL_BIDI_R || class == PL_BIDI_AL)
            return true;
        if (pl_bidi_is_initiator(class)) {
            if (p->match[i] == NONE)
                return false;
            i = p->match[i];
        }
    }
    return false;
}

bool pl_bidi_reads_from_right(const uint32_t *chars, uint32_t length)
{
    uint32_t open = 0;
    for (uint32_t i = 0; i < length; i++) {
        uint8_t class = (uint8_t)pl_bidi_class(chars[i]);
        if (class == PL_BIDI_B)
            open = 0;
        else if (pl_bidi_is_initiator(class))
            open++;
        else if (class == PL_BIDI_PDI && open > 0)
            open--;
        else if (open == 0 && class == PL_BIDI_L)
            return false;
        else if (open == 0 && (class == PL_BIDI_R || class == PL_BIDI_AL))
            return true;
    }
    return false;
}

struct status {
    uint8_t level;
    uint8_t override; // L, R; ON: none
    bool isolate;
};

struct explicit_state {
    struct status stack[DEEPEST_LEVEL + 2];
    uint32_t top;
    uint32_t overflowing_isolates, overflowing_embeddings, valid_isolates;
};

// X2 to X5c. False: it would be too deep, or is inside what is.
static bool push(struct explicit_state *s, bool right, uint8_t override, bool isolate)
{
    uint8_t level = s->stack[s->top].level;
    level = (uint8_t)(right ? (level + 1) | 1 : (level + 2) & ~1);
    if (level > DEEPEST_LEVEL || s->overflowing_isolates > 0 || s->overflowing_embeddings > 0)
        return false;
    s->stack[++s->top] = (struct status){level, override, isolate};
    return true;
}

static void close_isolate(struct explicit_state *s) // X6a
{
    if (s->overflowing_isolates > 0) {
        s->overflowing_isolates--;
    } else if (s->valid_isolates > 0) {
        s->overflowing_embeddings = 0;
        while (!s->stack[s->top].isolate)
            s->top--;
        s->top--;
        s->valid_isolates--;
    }
}

static void close_embedding(struct explicit_state *s) // X7
{
    if (s->overflowing_isolates > 0)
        return;
    if (s->overflowing_embeddings > 0)
        s->overflowing_embeddings--;
    else if (!s->stack[s->top].isolate && s->top > 0)
        s->top--;
}

static void take_level(struct paragraph *p, const struct explicit_state *s, uint32_t i)
{
    const struct status *status = &s->stack[s->top];
    p->levels[i] = status->level;
    if (status->override != PL_BIDI_ON)
        p->types[i] = status->override;
}

static void find_explicit_levels(struct paragraph *p) // X1 to X8
{
    struct explicit_state s = {.stack = {{p->base, PL_BIDI_ON, false}}};
    for (uint32_t i = 0; i < p->length; i++) {
        uint8_t class = p->classes[i];
        bool right;
        switch (class) {
        case PL_BIDI_LRE:
        case PL_BIDI_RLE:
        case PL_BIDI_LRO:
        case PL_BIDI_RLO: {
            right = class == PL_BIDI_RLE || class == PL_BIDI_RLO;
            uint8_t override = class == PL_BIDI_LRO ? PL_BIDI_L : class == PL_BIDI_RLO ? PL_BIDI_R : PL_BIDI_ON;
            if (!push(&s, right, override, false) && s.overflowing_isolates == 0)
                s.overflowing_embeddings++;
            break;
        }
        case PL_BIDI_LRI:
        case PL_BIDI_RLI:
        case PL_BIDI_FSI:
            take_level(p, &s, i);
            right = class == PL_BIDI_RLI ||
                    (class == PL_BIDI_FSI && first_strong_is_right(p, i + 1, PL_MIN(p->match[i], p->length)));
            if (push(&s, right, PL_BIDI_ON, true))
                s.valid_isolates++;
            else
                s.overflowing_isolates++;
            break;
        case PL_BIDI_PDI:
            close_isolate(&s);
            take_level(p, &s, i);
            break;
        case PL_BIDI_PDF:
            close_embedding(&s);
            break;
        case PL_BIDI_BN:
            break;
        case PL_BIDI_B:
            p->levels[i] = p->base;
            break;
        default:
            take_level(p, &s, i);
        }
    }
}

// BD7 and BD13. The match of an isolate's end becomes the run that leads to it.
static void find_runs(struct paragraph *p)
{
    p->run_count = 0;
    uint32_t last = NONE; // of the run
    for (uint32_t i = 0; i <= p->length; i++) {
        if (i < p->length && is_removed(p->classes[i]))
            continue;
        if (i < p->length && last != NONE && p->levels[i] == p->levels[last]) {
            last = i;
            continue;
        }
        if (last != NONE) {
            p->runs[p->run_count - 1].end = last + 1;
            if (pl_bidi_is_initiator(p->classes[last]) && p->match[last] != NONE)
                p->match[p->match[last]] = p->run_count - 1;
        }
        if (i == p->length)
            break;
        bool goes_on = p->classes[i] == PL_BIDI_PDI && p->match[i] != NONE;
        p->runs[p->run_count] = (struct run){i, i + 1, NONE, goes_on};
        if (goes_on)
            p->runs[p->match[i]].next = p->run_count;
        p->run_count++;
        last = i;
    }
}

static enum pl_bidi_class direction(uint8_t a, uint8_t b)
{
    return PL_MAX(a, b) & 1 ? PL_BIDI_R : PL_BIDI_L;
}

static void resolve_from(struct paragraph *p, uint32_t first) // X10
{
    const struct run *runs = p->runs;
    uint32_t length = 0, last = first;
    for (uint32_t r = first; r != NONE; r = runs[r].next) {
        for (uint32_t i = runs[r].start; i < runs[r].end; i++)
            if (!is_removed(p->classes[i])) {
                p->at[length] = i;
                p->sequence_types[length++] = p->types[i];
            }
        last = r;
    }
    uint8_t level = p->levels[runs[first].start];
    uint8_t before = first > 0 ? p->levels[runs[first - 1].start] : p->base, after = p->base;
    bool open_end = pl_bidi_is_initiator(p->classes[runs[last].end - 1]);
    if (last + 1 < p->run_count && !open_end)
        after = p->levels[runs[last + 1].start];
    struct pl_bidi_sequence sequence = {.chars = p->chars,
                                        .at = p->at,
                                        .types = p->sequence_types,
                                        .given = p->sequence_given,
                                        .closers = p->closers,
                                        .length = length,
                                        .level = level,
                                        .before = direction(level, before),
                                        .after = direction(level, after)};
    // The levels of other sequences are needed as they are, so the new ones are kept apart.
    pl_bidi_resolve_sequence(&sequence, p->types);
}

static bool is_blank(uint8_t class)
{
    return class == PL_BIDI_WS || class == PL_BIDI_PDI || pl_bidi_is_initiator(class) || is_removed(class);
}

static void resolve_paragraph(struct paragraph *p)
{
    find_explicit_levels(p);
    find_runs(p);
    for (uint32_t r = 0; r < p->run_count; r++)
        if (!p->runs[r].is_continued)
            resolve_from(p, r);
    uint8_t level = p->base;
    for (uint32_t i = 0; i < p->length; i++)
        level = p->levels[i] = is_removed(p->classes[i]) ? level : p->types[i];
    bool ends = true; // L1
    for (uint32_t i = p->length; i-- > 0;) {
        bool separator = p->classes[i] == PL_BIDI_B || p->classes[i] == PL_BIDI_S;
        ends = separator || (ends && is_blank(p->classes[i]));
        if (ends)
            p->levels[i] = p->base;
    }
}

enum pl_errc pl_bidi_levels(const uint32_t *chars, uint32_t length, enum pl_bidi_base base, struct pl_arena *arena,
                            const struct pl_job *job, uint8_t *levels, uint8_t *bases, struct pl_error *err)
{
    struct pl_arena_mark mark = pl_arena_mark(arena);
    size_t n = (size_t)length + 1;
    uint8_t *bytes = pl_arena_zalloc(arena, n * 4, 1);
    uint32_t *words = PL_ARENA_ARRAY(arena, uint32_t, n * 3);
    struct paragraph p = {.runs = PL_ARENA_ARRAY(arena, struct run, n)};
    if (!bytes || !words || !p.runs)
        return pl_fail_memory(err);
    p.sequence_types = bytes + n * 2;
    p.sequence_given = bytes + n * 3;
    p.match = words;
    p.at = words + n;
    p.closers = words + n * 2;
    for (uint32_t start = 0, end; start < length; start = end) {
        p.chars = chars + start;
        p.levels = levels + start;
        p.classes = bytes;
        p.types = bytes + n;
        bool separated = false;
        for (end = start; end < length && !separated; end++) {
            if (end % CHARS_PER_CHECK == CHARS_PER_CHECK - 1)
                PL_TRY(pl_job_check(job, err));
            p.classes[end - start] = p.types[end - start] = (uint8_t)pl_bidi_class(chars[end]);
            separated = p.classes[end - start] == PL_BIDI_B;
        }
        p.length = end - start;
        match_isolates(&p);
        p.base = base == PL_BIDI_BASE_TEXT ? first_strong_is_right(&p, 0, p.length) : base == PL_BIDI_BASE_RIGHT;
        memset(bases + start, p.base, p.length);
        resolve_paragraph(&p);
    }
    pl_arena_release(arena, mark);
    return PL_OK;
}

void pl_bidi_end_line(const uint32_t *chars, uint32_t length, uint8_t base, uint8_t *levels)
{
    for (uint32_t i = length; i-- > 0 && is_blank((uint8_t)pl_bidi_class(chars[i]));)
        levels[i] = base;
}

void pl_bidi_order(const uint8_t *levels, uint32_t count, uint32_t *order)
{
    uint8_t highest = 0;
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
        highest = PL_MAX(highest, levels[i]);
    }
    for (uint8_t level = highest; level > 0; level--)
        for (uint32_t i = 0; i < count;) {
            uint32_t end = i;
            while (end < count && levels[order[end]] >= level)
                end++;
            for (uint32_t a = i, b = end; a + 1 < b; a++) {
                b--;
                uint32_t swap = order[a];
                order[a] = order[b];
                order[b] = swap;
            }
            i = end + (end == i);
        }
}
