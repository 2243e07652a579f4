// ^FB and ^TB: the lines that a block's characters make.
#ifndef PL_FONT_LINE_BLOCK_LINES_H
#define PL_FONT_LINE_BLOCK_LINES_H

#include "font/line/layout.h"

struct pl_line {
    uint32_t start, end; // characters, without the spaces at the break
    int64_t width;       // 1/2048 dots
    int32_t indent;      // dots
    bool hard;           // ended by \& (or by the end of the text after one)
    bool last;           // of the text
    bool hyphen;         // broken at a soft hyphen
    bool adds_hyphen;    // cut inside a word, with a hyphen that is not among the characters
};

struct pl_lines {
    struct pl_line *at;
    uint32_t count;
};

enum pl_errc pl_block_lines(const struct pl_layout *layout, const struct pl_block *block, struct pl_lines *out,
                            struct pl_error *err) PL_MUST_USE;

#endif
