// The codes that a finding of `platen check` can have, and sets of them.
#ifndef PLATEN_CHECK_CODES_H
#define PLATEN_CHECK_CODES_H

#include <platen/platen.h>

#include "base/buf.h"

#define CHECK_CODES_MAX 256u

struct check_codes {
    uint64_t bits[CHECK_CODES_MAX / 64];
};

// What only a run can find, and no label.
#define CHECK_FILE_UNREADABLE "file_unreadable"
#define CHECK_NOT_CHECKED "not_checked"
#define CHECK_IGNORE_INVALID "ignore_invalid"
#define CHECK_RULE_BROKEN "rule_broken"

struct check_code {
    const char *code;
    enum platen_severity severity;
    const char *summary;
};

// Those of the library, then those of the run. False: there is no code of this index.
bool check_code_at(uint32_t index, struct check_code *out);
bool check_code_find(struct pl_slice code, uint32_t *index);
// The same; false, with a sentence in `why`.
bool check_code_read(struct pl_slice code, uint32_t *index, struct pl_buf *why);

bool check_codes_any(const struct check_codes *set);
bool check_codes_have(const struct check_codes *set, const char *code);
void check_codes_put(struct check_codes *set, uint32_t index);

// Appends up to three names that look like this one, as "; did you mean a, b or c?". Nothing where none does.
void check_codes_suggest(struct pl_slice code, struct pl_buf *out);
// The same for any list; NULL is behind its last name.
void check_suggest(struct pl_slice word, const char *const *names, struct pl_buf *out);

#endif
