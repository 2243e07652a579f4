// A borrowed run of bytes: the type in which input travels through all stages.
#ifndef PL_BASE_SLICE_H
#define PL_BASE_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/ascii.h"

struct pl_slice {
    const uint8_t *ptr;
    size_t len;
};

static inline struct pl_slice pl_slice_make(const void *ptr, size_t len)
{
    return (struct pl_slice){(const uint8_t *)ptr, len};
}

static inline struct pl_slice pl_slice_cstr(const char *text)
{
    return (struct pl_slice){(const uint8_t *)text, strlen(text)};
}

// The part from `start`, at most `len` bytes; positions beyond the end give an empty slice.
static inline struct pl_slice pl_slice_sub(struct pl_slice s, size_t start, size_t len)
{
    if (start > s.len)
        start = s.len;
    size_t rest = s.len - start;
    // No arithmetic on the null pointer of an empty slice, not even by zero.
    return (struct pl_slice){start > 0 ? s.ptr + start : s.ptr, len < rest ? len : rest};
}

// The next `count` bytes from *pos on, or as many as there are; *pos goes behind them.
static inline struct pl_slice pl_slice_take(struct pl_slice s, size_t *pos, uint64_t count)
{
    size_t rest = *pos < s.len ? s.len - *pos : 0;
    struct pl_slice taken = pl_slice_sub(s, *pos, count < rest ? (size_t)count : rest);
    *pos += taken.len;
    return taken;
}

// The part before the next such byte, or all; *rest goes on behind that byte, and is empty where there is none.
static inline struct pl_slice pl_slice_until(struct pl_slice *rest, uint8_t byte)
{
    const uint8_t *at = rest->len > 0 ? (const uint8_t *)memchr(rest->ptr, byte, rest->len) : NULL;
    struct pl_slice part = pl_slice_sub(*rest, 0, at ? (size_t)(at - rest->ptr) : rest->len);
    *rest = pl_slice_sub(*rest, part.len + 1, rest->len);
    return part;
}

static inline bool pl_slice_eq(struct pl_slice a, struct pl_slice b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static inline bool pl_slice_eq_cstr(struct pl_slice a, const char *b)
{
    return pl_slice_eq(a, pl_slice_cstr(b));
}

// An empty word stands at every place up to the end.
static inline bool pl_slice_has_at(struct pl_slice s, size_t at, const char *word)
{
    const size_t length = strlen(word);
    return at <= s.len && s.len - at >= length && (length == 0 || memcmp(s.ptr + at, word, length) == 0);
}

// The length of the first of these words that stands there; 0: none does.
static inline size_t pl_slice_word_at(struct pl_slice s, size_t at, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (at < s.len && s.ptr[at] == (uint8_t)words[i][0] && pl_slice_has_at(s, at, words[i]))
            return strlen(words[i]);
    return 0;
}

// Nothing is in an empty slice, not even an empty word.
static inline bool pl_slice_has(struct pl_slice s, const char *word)
{
    return s.len > 0 && memmem(s.ptr, s.len, word, strlen(word)) != NULL;
}

// Is it one of these words, between which stands "|"?
static inline bool pl_slice_is_one_of(struct pl_slice s, const char *words)
{
    for (struct pl_slice rest = pl_slice_cstr(words); rest.len > 0;)
        if (pl_slice_eq(pl_slice_until(&rest, '|'), s))
            return true;
    return false;
}

// One digit at least.
static inline bool pl_all_digits(struct pl_slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!pl_is_digit(s.ptr[i]))
            return false;
    return s.len > 0;
}

// ASCII case only; independent of the locale.
bool pl_slice_eq_nocase(struct pl_slice a, struct pl_slice b);
// A verb of SGD ("! U1 getvar …"), which printers of every language take.
bool pl_slice_is_sgd_verb(struct pl_slice word);
struct pl_slice pl_slice_trim(struct pl_slice s);

#endif
