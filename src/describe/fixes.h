// Fixes of findings: the changes of the label code that resolve one, where there is just one sensible way.
#ifndef PL_DESCRIBE_FIXES_H
#define PL_DESCRIBE_FIXES_H

#include <platen/platen.h>

#include "base/json_writer.h"

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

// `page` is the label that the finding is about, drawn with elements; NULL: only what parsing found can be fixed.
// False: there is no fix, or more than one would do.
bool pl_fix_find(const struct platen_document *document, const struct platen_page *page,
                 const struct platen_diagnostic *d, struct pl_fix *out);
// From now on no finding of the document has a fix: its code was made of the caller's, whose places are others.
void pl_fix_give_none(struct platen_document *document);
// A note of how that code was made, as a finding of the label that it lies in. Before labels are drawn.
void pl_fix_add_note(struct platen_document *document, const struct platen_diagnostic *note);
// Replaces the buffer's content by the fix as a JSON object; by nothing where there is none. A failure of the buffer
// stays, so one look behind the last finding is enough.
void pl_fix_describe(const struct platen_document *document, const struct platen_page *page,
                     const struct platen_diagnostic *d, struct pl_buf *out);
// Appends it.
void pl_fix_write(struct pl_json_writer *out, const struct pl_fix *fix);

#endif
