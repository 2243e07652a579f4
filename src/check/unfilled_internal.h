// What the files about unfilled data share.
#ifndef PL_CHECK_UNFILLED_INTERNAL_H
#define PL_CHECK_UNFILLED_INTERNAL_H

#include <string.h>

#include "base/ckd.h"
#include "check/unfilled.h"

struct pl_unfilled {
    struct pl_slice data;
    bool barcode;
    bool address; // of the web
    bool markup;  // XML or JSON: what has signs of its own
    // Of the whole data, known where `looked` is set.
    bool looked;
    bool opens, equals; // it has { or =
    bool percents;      // it has more than one %
    size_t first_tag;   // where its first < is
};

static inline bool pl_unfilled_begins(struct pl_slice data, size_t at, const char *word)
{
    const size_t length = strlen(word);
    return at <= data.len && data.len - at >= length && memcmp(data.ptr + at, word, length) == 0;
}

// 0 behind the end, and before the start where `at` wrapped around.
static inline uint8_t pl_unfilled_char(struct pl_slice data, size_t at)
{
    return at < data.len ? data.ptr[at] : 0;
}

static inline bool pl_unfilled_is_word(uint8_t c)
{
    return pl_is_digit(c) || pl_is_letter(c) || c == '_';
}

// Is this a name that only programs write: with _ or . inside, or capitals inside of small letters; or one of those
// that templates of labels have?
bool pl_unfilled_is_field_name(struct pl_slice name);

// The length of the mark at this place; 0: none begins here.
size_t pl_unfilled_mark_at(const struct pl_unfilled *u, size_t at);
// The same of words, of values as programs print them, and of escapes.
size_t pl_unfilled_print_at(const struct pl_unfilled *u, size_t at);

#endif
