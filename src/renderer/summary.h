// A document in short: how many labels and pages it has, and what parsing found in it.
#ifndef PLATEN_SUMMARY_H
#define PLATEN_SUMMARY_H

#include <platen/platen.h>

#include "base/slice.h"
#include "renderer/render_job.h"

struct findings {
    const struct platen_diagnostic *items;
    const char *const *fixes; // as a renderer says: the JSON of each item's fix, or ""; NULL: the document is here
    uint32_t count;
    uint32_t dropped; // more of them, beyond the limit
};

struct summary {
    uint32_t pages, labels;
    double width_mm, height_mm; // of the pages, as a renderer says
    enum platen_language language;
    enum platen_language looks_like; // of a printer's job: of its beginning, as a renderer says; 0: not asked
    const uint32_t *copies;          // of each label, at least 1
    struct findings findings;
    uint64_t opening_ns; // what understanding took, as a renderer says
    void *memory;        // all of the above lies in it
    size_t bytes;        // and so many
};

// Of a document, whose texts it borrows. False: no memory.
bool summary_of_document(const struct platen_document *document, struct summary *out);
// Of a renderer's answer. `most_labels` bounds labels and pages. False: no memory (*sound is true), or the answer
// contradicts itself.
bool summary_of_answer(const struct render_answer *answer, struct pl_slice copies, struct pl_slice findings,
                       uint32_t most_labels, bool collapsed, struct summary *out, bool *sound);
void summary_free(struct summary *summary);
// What `strict` refuses beside what drawing the labels finds: warnings and errors of the input as a whole and of labels
// that are not drawn, which are all but `count` from `first` on. In one picture or part, part->found has the others.
uint32_t summary_warnings_outside(const struct summary *summary, uint32_t first, uint32_t count);
// The label of a page; `page` is one of summary->pages.
uint32_t summary_label_of_page(const struct summary *summary, uint32_t page, bool collapsed);

#endif
