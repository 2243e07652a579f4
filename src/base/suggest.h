// What a misspelt name may have meant.
#ifndef PL_SUGGEST_H
#define PL_SUGGEST_H

#include "base/buf.h"

#define PL_SUGGESTED_MAX 3u

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
