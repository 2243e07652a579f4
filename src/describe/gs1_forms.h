// GS1 data in its forms: what it says, what is wrong with it, and how each kind of symbol is written in ZPL.
#ifndef PL_DESCRIBE_GS1_FORMS_H
#define PL_DESCRIBE_GS1_FORMS_H

#include "base/arena.h"
#include "base/buf.h"

// Appends a JSON object. The text is in any form: brackets, an element string with GS (0x1D) for FNC1, a Digital Link.
enum pl_errc pl_describe_gs1(struct pl_slice text, struct pl_arena *arena, struct pl_buf *out,
                             struct pl_error *err) PL_MUST_USE;

#endif
