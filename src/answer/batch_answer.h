// The answer to a batch of documents, written label by label: NDJSON lines, parts of a multipart body, files of a ZIP,
// or the pages of one PDF. For the service and for the command line.
#ifndef PLATEN_BATCH_ANSWER_H
#define PLATEN_BATCH_ANSWER_H

#include <platen/platen.h>

#include "batch/zip_writer.h"
#include "request/controls.h"

enum batch_kind { BATCH_NDJSON, BATCH_MULTIPART, BATCH_ZIP, BATCH_PDF, BATCH_KINDS };

struct batch_counts {
    uint64_t documents, failed, labels, pages, bytes;
    uint64_t began_ns;
};

struct batch_answer {
    enum batch_kind kind;
    struct pl_buf out; // what was written; the caller takes it away and clears it
    struct pl_zip_writer zip;
    struct platen_pdf *pdf;
    struct platen_buffer pdf_bytes;
    struct pl_buf errors;   // of a ZIP, as lines: its last file
    uint64_t errors_hidden; // more of them
    struct batch_counts counts;
    char boundary[40]; // of a multipart body: random
};

// One distinct label, drawn.
struct batch_label {
    struct pl_slice id;     // of its document
    uint32_t index, count;  // of that document's labels
    uint32_t copies, pages; // of the label; of its pages, those that a PDF has
    enum output format;     // of `file`; OUTPUT_JSON: `members` are those of its description
    struct pl_slice file, members;
    struct pl_slice warnings;         // a JSON array; empty: there are none
    const struct platen_buffer *part; // of a PDF
    const struct pl_slice *unknown;   // names that are no controls
    uint32_t unknown_count;
    const struct pl_slice *overridden; // controls that the query gives, and the document with another value
    uint32_t overridden_count;
};

bool batch_kind_by_name(struct pl_slice name, enum batch_kind *out);
#define BATCH_KIND_LIST "ndjson, multipart, zip or pdf"
const char *batch_kind_mime(enum batch_kind kind); // without the boundary

// `layout` is of a PDF's pages; NULL: one label a page.
enum platen_status batch_answer_init(struct batch_answer *answer, enum batch_kind kind,
                                     const struct platen_pdf_layout *layout, struct platen_error *err);
void batch_answer_free(struct batch_answer *answer);
size_t batch_answer_held(const struct batch_answer *answer); // bytes that it keeps

// PLATEN_E_INVALID: a label that does not fit on the pages of its PDF, or no PDF part.
enum platen_status batch_put_label(struct batch_answer *answer, const struct batch_label *label,
                                   struct platen_error *err);
// A document, or the rest of it, that could not be drawn.
void batch_put_problem(struct batch_answer *answer, struct pl_slice id, const struct problem *problem);
void batch_put_progress(struct batch_answer *answer, uint64_t now_ns); // where the answer can hold it
// The end. `unknown` are names of the request that are no controls. A PDF without pages is PLATEN_E_INVALID.
enum platen_status batch_put_summary(struct batch_answer *answer, uint64_t now_ns, const struct pl_slice *unknown,
                                     uint32_t unknown_count, struct platen_error *err);

#endif
