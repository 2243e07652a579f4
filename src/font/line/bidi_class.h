// What Unicode's bidirectional algorithm has to know of single characters.
#ifndef PL_FONT_LINE_BIDI_CLASS_H
#define PL_FONT_LINE_BIDI_CLASS_H

#include <stdbool.h>
#include <stdint.h>

enum pl_bidi_class {
    PL_BIDI_L,
    PL_BIDI_R,
    PL_BIDI_AL,
    PL_BIDI_EN,
    PL_BIDI_ES,
    PL_BIDI_ET,
    PL_BIDI_AN,
    PL_BIDI_CS,
    PL_BIDI_NSM,
    PL_BIDI_BN,
    PL_BIDI_B,
    PL_BIDI_S,
    PL_BIDI_WS,
    PL_BIDI_ON,
    PL_BIDI_LRE,
    PL_BIDI_LRO,
    PL_BIDI_RLE,
    PL_BIDI_RLO,
    PL_BIDI_PDF,
    PL_BIDI_LRI,
    PL_BIDI_RLI,
    PL_BIDI_FSI,
    PL_BIDI_PDI,
};

enum pl_bidi_class pl_bidi_class(uint32_t codepoint);
// A number that both brackets of a pair have in common; 0: not a bracket.
uint32_t pl_bidi_bracket(uint32_t codepoint, bool *opens);
// LRI, RLI or FSI.
static inline bool pl_bidi_is_initiator(uint8_t class)
{
    return class >= PL_BIDI_LRI && class <= PL_BIDI_FSI;
}

#endif
