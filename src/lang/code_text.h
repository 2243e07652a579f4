// Data of barcodes that languages write in the same way: full ASCII of Code 39 and Code 93, element strings of GS1,
// modes of QR.
#ifndef PL_LANG_CODE_TEXT_H
#define PL_LANG_CODE_TEXT_H

#include "base/arena.h"
#include "base/content.h"
#include "scene/barcode.h"

// Code 39 writes the characters that it lacks as two of its own; data that has none of them stays as it is. A byte
// above 127 stays, too: no symbol holds it. False: no memory.
bool pl_full_ascii_39(struct pl_arena *arena, struct pl_slice data, struct pl_content *out);
// Code 93 has characters of its own for the first of the two.
bool pl_full_ascii_93(struct pl_arena *arena, struct pl_slice data, struct pl_content *out);

// (01)…(10)…: the brackets are left out, and FNC1 is put behind data whose length is not fixed. Data that does not
// begin with a bracket stays as it is.
bool pl_gs1_elements(struct pl_arena *arena, struct pl_slice data, struct pl_content *out);

// The check digit behind digits: those at even places from the right end weigh `last`, the others `before`. Other
// characters do not count.
char pl_check_digit(struct pl_slice data, uint32_t last, uint32_t before);

// Data of QR codes as one segment whose modes are chosen; `b` gets it. False: no memory.
bool pl_qr_whole(struct pl_arena *arena, struct pl_slice data, struct pl_barcode *b);
// Manual mode: N…, A…, Bdddd…, K…, with `between` between them. `odd` is called for a segment that begins with no
// letter (0), or whose mode does not have all of its characters: bytes are encoded. False: no memory.
typedef void pl_qr_odd(void *user, const void *command, char letter);
bool pl_qr_segments(struct pl_arena *arena, struct pl_slice data, uint8_t between, struct pl_barcode *b, pl_qr_odd *odd,
                    void *user, const void *command);

// Sizes of Aztec codes: 1 to 99 percent of error correction, 101 to 104 and 201 to 232 layers, 300 a rune, 0 by the
// data. False: none of them.
bool pl_aztec_set_size(struct pl_barcode *b, int32_t size);

// Modules of an EAN or UPC symbol with the space before the digits beside it.
int32_t pl_supplement_place(enum pl_symbology symbology);

#endif
