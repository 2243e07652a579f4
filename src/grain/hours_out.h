// What the ways of telling the hours of a season share: texts of the file, and what is to be noted about it.
#ifndef GRAIN_HOURS_OUT_H
#define GRAIN_HOURS_OUT_H

#include "grain/hours.h"

#define GRAIN_TIME_TOLD 40 // bytes of a time that are told back

// A text of the file, which may be in Latin-1 and hold anything, as text in UTF-8; quotes twice, if asked for.
void grain_hours_put_clean(struct pl_buf *out, struct pl_slice text, bool double_quotes);

struct grain_hours_note {
    const char *code, *field;
    struct grain_text text;
};
// The next note about the file from `next` on, which starts as 0; NULL: there is none left.
const struct grain_hours_note *grain_hours_next_note(const struct grain_hours *hours, size_t *next);

#endif
