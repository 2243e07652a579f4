// Two documents, or a document and a picture, compared label by label.
#ifndef PLATEN_COMPARE_DOCUMENTS_H
#define PLATEN_COMPARE_DOCUMENTS_H

#include <platen/platen.h>

#include "base/json_writer.h"

// One of both: a document (detached, or the worker's), or a picture that stands for one label.
struct compare_side {
    struct platen_document *document;
    const struct platen_snapshot *picture;
};

// One label of the result.
struct compared_label {
    uint32_t index;              // of the page, with its copies counted as one
    uint32_t copies_a, copies_b; // 0: there is no such label
    bool same;
    const struct platen_comparison *comparison; // NULL: the label is on one side only
    const struct platen_buffer *picture;        // of both; NULL: not wanted, or there is no comparison
    double dpmm;
    uint32_t *room; // for changes, as pl_describe_comparison has it
};

struct compare_plan {
    struct platen_worker *worker;
    struct compare_side a, b;
    struct platen_compare_options options;
    double dpmm;
    bool one_page; // only that page, not all labels; a picture is always compared with one
    uint32_t page;
    bool want_pictures;
    // Told of each label. False: it could not be kept.
    bool (*each)(void *user, const struct compared_label *label);
    void *user;
};

// *same: all labels are the same, and there are as many. PLATEN_E_NOT_FOUND: neither side has the page.
enum platen_status compare_documents(const struct compare_plan *plan, bool *same, struct platen_error *err);

// The next finding of labels that were left out at the limit and so not compared, as a sentence with the number that
// was asked for; NULL: there is none. *from is 0 at first. The text lives as long as the document.
const char *compare_next_cut(const struct platen_document *document, uint32_t *from);

// A label as a JSON object, with its picture if there is one.
void compared_label_json(struct pl_json_writer *out, const struct compared_label *label);

#endif
