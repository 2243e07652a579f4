// Names that a misspelt word may have meant.
#ifndef PL_SUGGEST_H
#define PL_SUGGEST_H

#include "base/buf.h"

#define PL_SUGGESTED_MAX 3u

// How many letters have to be changed, added or removed, or with `swaps` exchanged with their neighbour, to make `b` of
// `a`. UINT32_MAX: one of them is longer than PL_EDIT_WORD_MAX.
#define PL_EDIT_WORD_MAX 48u
uint32_t pl_edit_distance(struct pl_slice a, struct pl_slice b, bool swaps);

// The names that look most like a word, the nearest first. It begins with zeros.
struct pl_suggestions {
    const char *names[PL_SUGGESTED_MAX];
    uint32_t far[PL_SUGGESTED_MAX];
    uint32_t count;
};

// Keeps the name if it looks like the word. The name is not copied.
void pl_suggest(struct pl_suggestions *best, struct pl_slice word, const char *name);
// Appends "; did you mean a, b or c?", or nothing.
void pl_suggest_tell(const struct pl_suggestions *best, struct pl_buf *out);

#endif
