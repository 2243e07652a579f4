// What the files about unfilled data share.
#ifndef PL_CHECK_UNFILLED_INTERNAL_H
#define PL_CHECK_UNFILLED_INTERNAL_H

#include "base/ckd.h"
#include "base/fmt.h"
#include "base/slice.h"

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

// 0 behind the end, and before the start where `at` wrapped around.
static inline uint8_t char_at(struct pl_slice data, size_t at)
{
    return at < data.len ? data.ptr[at] : 0;
}

static inline bool is_word(uint8_t c)
{
    return pl_is_digit(c) || pl_is_letter(c) || c == '_';
}

// Are these digits hexadecimal?
static inline bool is_hex(struct pl_slice data, size_t at, size_t digits)
{
    for (size_t i = 0; i < digits; i++)
        if (pl_hex_value(char_at(data, at + i)) < 0)
            return false;
    return true;
}

// Is this a name that only programs write: with _ or . inside, or capitals inside of small letters; or one of those
// that templates of labels have?
bool pl_unfilled_is_field_name(struct pl_slice name);

// The length of the mark at this place; 0: none begins here.
size_t pl_unfilled_mark_at(const struct pl_unfilled *u, size_t at);
// Does all of it stand for a value?
bool pl_unfilled_is_whole(const struct pl_unfilled *u);

#endif
