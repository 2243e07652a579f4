// Fixes of findings: the changes of the label code that resolve one, where there is just one sensible way.
#ifndef PL_DESCRIBE_FIXES_H
#define PL_DESCRIBE_FIXES_H

#include <platen/platen.h>

#include "base/slice.h"

#define PL_FIX_TEXT 96
#define PL_FIX_EDITS 4

// `length` bytes at `offset` become `text`.
struct pl_edit {
    uint32_t offset, length;
    char text[PL_FIX_TEXT];
};

struct pl_fix {
    char title[PL_FIX_TEXT];
    struct pl_edit edits[PL_FIX_EDITS]; // they do not overlap; in the order of the code
    uint32_t count;
};

// Label code, and what is looked for in all of it: made once for all findings of it.
struct pl_fix_code {
    struct pl_slice text;
    bool has_own_signs; // it changes its own prefixes or delimiter
    bool has_units;
};
struct pl_fix_code pl_fix_code_make(struct pl_slice text);

// What a fix is made of. `page` is the label that the finding is about, drawn with elements; NULL: only what parsing
// found can be fixed.
struct pl_fix_input {
    struct pl_fix_code code;
    const struct platen_document *document;
    const struct platen_page *page;
};

// False: there is no fix, or more than one would do.
bool pl_fix_find(const struct pl_fix_input *input, const struct platen_diagnostic *d, struct pl_fix *out);

#endif
