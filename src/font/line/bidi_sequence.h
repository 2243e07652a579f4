// One isolating run sequence of Unicode's bidirectional algorithm: rules W1 to W7, N0 to N2, I1 and I2.
#ifndef PL_FONT_LINE_BIDI_SEQUENCE_H
#define PL_FONT_LINE_BIDI_SEQUENCE_H

#include "font/line/bidi_class.h"

struct pl_bidi_sequence {
    const uint32_t *chars; // of the whole paragraph
    const uint32_t *at;    // places in it of the sequence's characters
    uint8_t *types;        // their classes after the explicit rules; they change
    uint8_t *given;        // scratch for a copy of them
    uint32_t *closers;     // scratch, one for each character
    uint32_t length;
    uint8_t level;
    enum pl_bidi_class before, after; // L or R: what the ends border on
};

// Sets `levels` at the sequence's places. Takes time by the sequence's length.
void pl_bidi_resolve_sequence(struct pl_bidi_sequence *sequence, uint8_t *levels);

#endif
