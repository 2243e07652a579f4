// Decoding double-byte character sets.
#include "lang/double_byte.h"

#include <stdbool.h>

// Four bytes are digits of bases 126, 10, 126 and 10: the number of the sequence. False: they are none.
static bool four_number(const uint8_t *in, size_t left, uint32_t *number)
{
    static const uint8_t LOW[4] = {0x81, 0x30, 0x81, 0x30}, HIGH[4] = {0xFE, 0x39, 0xFE, 0x39};
    *number = 0;
    for (size_t i = 0; i < 4; i++) {
        if (i == left || in[i] < LOW[i] || in[i] > HIGH[i])
            return false;
        *number = *number * (uint32_t)(HIGH[i] - LOW[i] + 1) + (uint32_t)(in[i] - LOW[i]);
    }
    return true;
}

static bool find_four(const struct pl_double_byte *set, const uint8_t *in, size_t left, uint32_t *character)
{
    uint32_t number, low = 0, high = set->four_run_count;
    if (high == 0 || !four_number(in, left, &number))
        return false;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        const struct pl_four_run *run = &set->four_runs[middle];
        if (number < run->from) {
            high = middle;
        } else if (number - run->from >= run->count) {
            low = middle + 1;
        } else {
            *character = run->character + (number - run->from);
            return true;
        }
    }
    return false;
}

static bool is_in(uint8_t byte, uint8_t low, uint8_t high)
{
    return byte >= low && byte <= high;
}

// The entry for what begins at `in`; `length` is how many bytes it takes.
static uint16_t find_entry(const struct pl_double_byte *set, const uint8_t *in, size_t left, size_t *length)
{
    *length = 1;
    uint16_t entry = set->singles[in[0]];
    if (entry != PL_NO_CHARACTER || left < 2)
        return entry;
    *length = 2;
    if (is_in(in[0], set->lead_low, set->lead_high) && is_in(in[1], set->trail_low, set->trail_high)) {
        size_t width = (size_t)(set->trail_high - set->trail_low) + 1;
        entry = set->pairs[(size_t)(in[0] - set->lead_low) * width + (size_t)(in[1] - set->trail_low)];
    }
    if (entry != PL_NO_CHARACTER || left < 3 || in[0] != set->triple_lead || set->triple_lead == 0)
        return entry;
    *length = 3;
    if (is_in(in[1], set->triple_low, set->triple_high) && is_in(in[2], set->triple_low, set->triple_high)) {
        size_t width = (size_t)(set->triple_high - set->triple_low) + 1;
        entry = set->triples[(size_t)(in[1] - set->triple_low) * width + (size_t)(in[2] - set->triple_low)];
    }
    return entry;
}

size_t pl_double_byte_decode(const struct pl_double_byte *set, const uint8_t *in, size_t size, uint32_t *out,
                             size_t *bad)
{
    if (!set->singles)
        return SIZE_MAX;
    uint32_t *to = out;
    for (size_t at = 0; at < size;) {
        size_t length;
        uint32_t character = find_entry(set, in + at, size - at, &length);
        if (character >= PL_EXTRA_CHARACTER && character < 0xE000) {
            const uint32_t *both = set->extra[character - PL_EXTRA_CHARACTER];
            *to++ = both[0];
            if (both[1])
                *to++ = both[1];
        } else if (character != PL_NO_CHARACTER) {
            *to++ = character;
        } else if (find_four(set, in + at, size - at, &character)) {
            *to++ = character;
            length = 4;
        } else {
            // A byte that begins nothing is marked, and what follows it may be good.
            *to++ = 0xFFFD;
            length = 1;
            (*bad)++;
        }
        at += length;
    }
    return (size_t)(to - out);
}
