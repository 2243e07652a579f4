// The order of right-to-left text: levels after Unicode's bidirectional algorithm, without explicit embeddings.
#ifndef PL_FONT_BIDI_H
#define PL_FONT_BIDI_H

#include <stdbool.h>
#include <stdint.h>

// True when a character makes ordering or shaping necessary at all.
bool pl_bidi_is_right_to_left(uint32_t codepoint);
// True when the first strong letter is one of a right-to-left script.
bool pl_bidi_base_is_right_to_left(const uint32_t *chars, uint32_t length);
// Levels of the characters of one line; even: left to right. `classes` is scratch of `length` bytes.
void pl_bidi_levels(const uint32_t *chars, uint32_t length, bool right_to_left, uint8_t *levels, uint8_t *classes);

#endif
