// Unicode Standard Annex 9, rules W1 to W7, N0 to N2, I1 and I2.
#include "font/line/bidi_sequence.h"

#include <string.h>

#define MOST_OPEN_BRACKETS 63 // BD16
#define UNPAIRED UINT32_MAX

static bool is_strong(uint8_t type)
{
    return type == PL_BIDI_L || type == PL_BIDI_R || type == PL_BIDI_AL;
}

// W1 to W3: marks, numbers behind Arabic letters, Arabic letters.
static void resolve_marks(struct pl_bidi_sequence *s)
{
    uint8_t *types = s->types, previous = (uint8_t)s->before, strong = previous;
    for (uint32_t i = 0; i < s->length; i++) {
        if (types[i] == PL_BIDI_NSM)
            types[i] = pl_bidi_is_initiator(previous) || previous == PL_BIDI_PDI ? PL_BIDI_ON : previous;
        previous = types[i];
        if (types[i] == PL_BIDI_EN && strong == PL_BIDI_AL)
            types[i] = PL_BIDI_AN;
        if (is_strong(types[i]))
            strong = types[i];
    }
    for (uint32_t i = 0; i < s->length; i++)
        if (types[i] == PL_BIDI_AL)
            types[i] = PL_BIDI_R;
}

// W4 and W5: separators and terminators of numbers.
static void resolve_separators(struct pl_bidi_sequence *s)
{
    uint8_t *types = s->types;
    for (uint32_t i = 1; i + 1 < s->length; i++) {
        uint8_t left = types[i - 1], right = types[i + 1];
        if (left == right && ((types[i] == PL_BIDI_ES && left == PL_BIDI_EN) ||
                              (types[i] == PL_BIDI_CS && (left == PL_BIDI_EN || left == PL_BIDI_AN))))
            types[i] = left;
    }
    for (uint32_t i = 0, end; i < s->length; i = end) {
        end = i + 1;
        if (types[i] != PL_BIDI_ET)
            continue;
        while (end < s->length && types[end] == PL_BIDI_ET)
            end++;
        if ((i > 0 && types[i - 1] == PL_BIDI_EN) || (end < s->length && types[end] == PL_BIDI_EN))
            memset(types + i, PL_BIDI_EN, end - i);
    }
}

static void resolve_weak(struct pl_bidi_sequence *s)
{
    resolve_marks(s);
    resolve_separators(s);
    uint8_t *types = s->types, strong = (uint8_t)s->before;
    for (uint32_t i = 0; i < s->length; i++) { // W6, W7
        if (types[i] == PL_BIDI_ES || types[i] == PL_BIDI_ET || types[i] == PL_BIDI_CS)
            types[i] = PL_BIDI_ON;
        if (is_strong(types[i]))
            strong = types[i];
        else if (types[i] == PL_BIDI_EN && strong == PL_BIDI_L)
            types[i] = PL_BIDI_L;
    }
}

// BD16: the closing bracket of each opening one. False: there are none.
static bool pair_brackets(struct pl_bidi_sequence *s)
{
    struct {
        uint32_t pair, at;
    } open[MOST_OPEN_BRACKETS];
    uint32_t depth = 0;
    bool found = false;
    for (uint32_t i = 0; i < s->length; i++)
        s->closers[i] = UNPAIRED;
    for (uint32_t i = 0; i < s->length; i++) {
        bool opens;
        uint32_t pair = s->types[i] == PL_BIDI_ON ? pl_bidi_bracket(s->chars[s->at[i]], &opens) : 0;
        if (!pair)
            continue;
        if (opens) {
            if (depth == MOST_OPEN_BRACKETS)
                return found;
            open[depth].pair = pair;
            open[depth++].at = i;
            continue;
        }
        for (uint32_t k = depth; k-- > 0;)
            if (open[k].pair == pair) {
                s->closers[open[k].at] = i;
                depth = k;
                found = true;
                break;
            }
    }
    return found;
}

// The direction that a type has for neutrals: numbers count as R. ON: none.
static uint8_t direction_of(uint8_t type)
{
    if (type == PL_BIDI_L)
        return PL_BIDI_L;
    return type == PL_BIDI_R || type == PL_BIDI_EN || type == PL_BIDI_AN ? PL_BIDI_R : PL_BIDI_ON;
}

// Marks behind a bracket go with it.
static void set_bracket(struct pl_bidi_sequence *s, uint32_t at, uint8_t direction)
{
    s->types[at] = direction;
    for (uint32_t i = at + 1; i < s->length && s->given[i] == PL_BIDI_NSM; i++)
        s->types[i] = direction;
}

// N0. No character is in more pairs than brackets can be open, so looking into each pair is bounded.
static void resolve_brackets(struct pl_bidi_sequence *s)
{
    if (!pair_brackets(s))
        return;
    const uint8_t own = s->level & 1 ? PL_BIDI_R : PL_BIDI_L;
    uint8_t context = (uint8_t)s->before; // the last direction before i
    for (uint32_t i = 0; i < s->length; i++) {
        uint32_t closer = s->closers[i];
        if (closer != UNPAIRED) {
            bool has_own = false, has_other = false;
            for (uint32_t k = i + 1; k < closer && !has_own; k++) {
                uint8_t direction = direction_of(s->types[k]);
                has_own = direction == own;
                has_other = has_other || direction != PL_BIDI_ON;
            }
            if (has_own || has_other) {
                uint8_t direction = has_own ? own : context;
                set_bracket(s, i, direction);
                set_bracket(s, closer, direction);
            }
        }
        if (direction_of(s->types[i]) != PL_BIDI_ON)
            context = direction_of(s->types[i]);
    }
}

static bool is_neutral(uint8_t type)
{
    return type == PL_BIDI_B || type == PL_BIDI_S || type == PL_BIDI_WS || type == PL_BIDI_ON ||
           pl_bidi_is_initiator(type) || type == PL_BIDI_PDI;
}

// N1, N2
static void resolve_neutrals(struct pl_bidi_sequence *s)
{
    const uint8_t own = s->level & 1 ? PL_BIDI_R : PL_BIDI_L;
    for (uint32_t i = 0, end; i < s->length; i = end) {
        end = i + 1;
        if (!is_neutral(s->types[i]))
            continue;
        while (end < s->length && is_neutral(s->types[end]))
            end++;
        uint8_t left = i > 0 ? direction_of(s->types[i - 1]) : (uint8_t)s->before;
        uint8_t right = end < s->length ? direction_of(s->types[end]) : (uint8_t)s->after;
        memset(s->types + i, left == right ? left : own, end - i);
    }
}

void pl_bidi_resolve_sequence(struct pl_bidi_sequence *s, uint8_t *levels)
{
    memcpy(s->given, s->types, s->length);
    resolve_weak(s);
    resolve_brackets(s);
    resolve_neutrals(s);
    for (uint32_t i = 0; i < s->length; i++) { // I1, I2
        bool left = s->types[i] == PL_BIDI_L, right = s->types[i] == PL_BIDI_R;
        int up = s->level & 1 ? !right : right ? 1 : left ? 0 : 2;
        levels[s->at[i]] = (uint8_t)(s->level + up);
    }
}
