// Inside the PDF417 and MicroPDF417 encoders: compaction of data into codewords, check codewords, bar patterns.
#ifndef PL_BAR_ENCODE_PDF417_PARTS_H
#define PL_BAR_ENCODE_PDF417_PARTS_H

#include "bar/encode/pdf417_options.h"

#define PL_PDF_MAX_WORDS 928 // data and check codewords of one symbol

// Codewords 0 to 928 of the three clusters: 17 modules each, the first (a bar) in bit 16.
extern const uint32_t pl_pdf_patterns[3][929];
// Row address patterns of MicroPDF417: 10 modules, the first in bit 9. Left and right share one table.
extern const uint16_t pl_pdf_rap_side[52], pl_pdf_rap_centre[52];

struct pl_pdf_words {
    uint16_t *words;
    uint32_t length, capacity;
    bool overflow; // the capacity was met; the content is not whole
    struct pl_pdf_rules rules;
};

static inline void pl_pdf_put(struct pl_pdf_words *out, uint32_t word)
{
    if (out->length < out->capacity)
        out->words[out->length++] = (uint16_t)word;
    else
        out->overflow = true;
}

// MicroPDF417 begins in byte compaction, PDF417 in text: `micro` says whether a first text block must latch.
enum pl_errc pl_pdf_compact(struct pl_slice data, bool micro, struct pl_arena *arena, struct pl_pdf_words *out,
                            struct pl_error *err) PL_MUST_USE;
// Text compaction of characters that all belong to it.
void pl_pdf_put_text(struct pl_slice text, struct pl_pdf_words *out);
// Writes `checks` (at most 512) check codewords behind `length` words.
void pl_pdf_add_checks(uint16_t *words, uint32_t length, uint32_t checks);

// Writes the low `bits` bits (at most 32) of `value` into a row from column *x on, and moves *x.
void pl_pdf_put_bits(struct pl_bitmap *modules, uint32_t row, uint32_t *x, uint32_t value, uint32_t bits);

// A size of MicroPDF417 or CC-A.
struct pl_pdf_micro {
    uint8_t columns, rows, checks;
    uint8_t left, centre, right; // row address pattern of the first row, from 1
};
// Draws the codewords of all rows between their address patterns; CC-A of three columns shows no left ones.
void pl_pdf_draw_micro(const struct pl_pdf_micro *v, bool shows_left, const uint16_t *words, struct pl_bitmap *modules);

// ---- pdf417.c, micropdf417.c

// A symbol of fixed size, for the parts of a structured append.
struct pl_pdf_shape {
    bool micro;
    uint32_t columns, rows, checks;
    uint32_t detail; // PDF417: security level; MicroPDF417: size
    bool truncated;
};
// False if there is no such symbol.
bool pl_pdf417_shape(const struct pl_pdf417_options *options, uint32_t words, struct pl_pdf_shape *out);
bool pl_micropdf417_shape(const struct pl_micropdf417_options *options, uint32_t words, struct pl_pdf_shape *out);
// Adds the check codewords to words, which fill the shape but for them and have room for them, and draws the symbol.
enum pl_errc pl_pdf417_draw(const struct pl_pdf_shape *shape, uint16_t *words, struct pl_arena *arena,
                            struct pl_bitmap *modules, struct pl_error *err) PL_MUST_USE;
// Fills free codewords; in_turn: with the series of eight, otherwise with 900.
void pl_micropdf417_pad(const struct pl_pdf_shape *shape, bool in_turn, uint16_t *words, uint32_t count);
enum pl_errc pl_micropdf417_draw(const struct pl_pdf_shape *shape, uint16_t *words, struct pl_arena *arena,
                                 struct pl_bitmap *modules, struct pl_error *err) PL_MUST_USE;

#endif
