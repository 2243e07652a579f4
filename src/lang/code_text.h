// Data of barcodes that languages write in the same way: full ASCII of Code 39 and Code 93, element strings of GS1,
// modes of QR.
#ifndef PL_LANG_CODE_TEXT_H
#define PL_LANG_CODE_TEXT_H

#include "base/arena.h"
#include "base/content.h"

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

// Does the mode have all characters of the data?
bool pl_qr_mode_holds(enum pl_qr_mode mode, struct pl_slice data);

#endif
