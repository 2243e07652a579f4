// For fuzz_calls.c: choices that the input makes, values that a binding may give by mistake, memory that ends where it
// must.
#ifndef PL_FUZZ_CALLS_CHOICE_H
#define PL_FUZZ_CALLS_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platen/platen.h"
#include "starve.h"

void choose_from(const uint8_t *data, size_t size);
bool choices_left(void);
unsigned pick(unsigned count); // 0 to count - 1; 0 at the end of the input
bool chance(unsigned one_in);  // false at the end of the input

uint64_t number(void);
double real(void);
int small(int most); // 0 to `most`, sometimes far from it
const char *word(void);
bool no_font(void *context, uint32_t index, struct platen_font *out);

// Memory of its own, of exactly the size that is said: freed by the caller.
void *own_copy(const void *bytes, size_t size);
// Options that start with their size, with that size or a wrong one; NULL for none.
void *sized(const void *options, size_t size);
// Where a result of this size is put that says it is of *size.
void *result_of(size_t known, size_t *size);
void *label_code(size_t *size);
void *picture_file(size_t *size);

// Every question about an object, with any index and size.
void look_at_document(const struct platen_document *document);
void look_at_page(const struct platen_page *page);
void look_at_comparison(const struct platen_comparison *comparison);
void look_at_tables(void);

#endif
