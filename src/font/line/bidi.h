// The order of text of both directions: Unicode's bidirectional algorithm (Unicode Standard Annex 9), whole.
#ifndef PL_FONT_LINE_BIDI_H
#define PL_FONT_LINE_BIDI_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/job.h"

// Where a paragraph's direction comes from.
enum pl_bidi_base { PL_BIDI_BASE_LEFT, PL_BIDI_BASE_RIGHT, PL_BIDI_BASE_TEXT };

// An embedding, override, isolate or mark: it has its say in the order and is never drawn.
static inline bool pl_bidi_is_control(uint32_t c)
{
    return c >= 0x61C &&
           (c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069));
}
// True when the first strong letter outside isolates is one of a right-to-left script (rules P2 and P3).
bool pl_bidi_reads_from_right(const uint32_t *chars, uint32_t length);
// Sets the level of each character, even: left to right, and the level of its paragraph; every paragraph separator ends
// a paragraph, and the end of each is taken as the end of a line. Controls get the level of what is before them.
// Takes time by the length.
enum pl_errc pl_bidi_levels(const uint32_t *chars, uint32_t length, enum pl_bidi_base base, struct pl_arena *arena,
                            const struct pl_job *job, uint8_t *levels, uint8_t *bases,
                            struct pl_error *err) PL_MUST_USE;
// Rule L1 where a line ends inside its paragraph: blanks at its end take the paragraph's level.
void pl_bidi_end_line(const uint32_t *chars, uint32_t length, uint8_t base, uint8_t *levels);
// Rule L2: order[i] is what is i-th from the left, of `count` characters or runs with these levels.
void pl_bidi_order(const uint8_t *levels, uint32_t count, uint32_t *order);

#endif
