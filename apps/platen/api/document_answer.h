// The answer to one document, of all its labels, while it is made: what its files share.
//
// Labels are drawn in parallel and some of them ahead, written in their order, and freed as soon as they are written.
#ifndef PLATEN_DOCUMENT_ANSWER_H
#define PLATEN_DOCUMENT_ANSWER_H

#include <stdatomic.h>

#include "api.h"
#include "describe/describe.h"

#define DOCUMENT_WINDOW 64u                     // labels that are drawn and not yet written, at most
#define DOCUMENT_AHEAD ((size_t)256 << 10)      // and their bytes, about
#define DOCUMENT_WHOLE ((size_t)256 << 10)      // an answer up to this size is sent whole, with its length
#define DOCUMENT_SPARE_BUFFER ((size_t)1 << 20) // a buffer larger than this is not kept for the next label

enum document_part_state {
    DOCUMENT_PART_NONE,
    DOCUMENT_PART_CHECKED, // only its findings are there
    DOCUMENT_PART_DRAWN
};

struct document_part {
    struct label_part part;
    enum document_part_state state;
};

struct document_answer {
    struct render_call call;      // req and res are those of the step that runs
    struct summary summary;       // of the whole document; without memory as long as that is not understood
    struct pl_description result; // which labels, and what was found in them
    // Drawing: document_draw.c.
    struct document_part *parts; // that of label i (of the result) is parts[i % window]
    uint32_t window;
    uint32_t next;       // label that is to be written
    bool checking;       // strict: all labels are looked at before the first is written
    atomic_size_t ahead; // bytes of drawn parts
    atomic_bool failed;  // a label could not be made: others are not begun
    // Writing: document_write.c.
    struct pl_slice rest; // of the piece that is being written
    struct pl_buf text;
    struct platen_pdf *pdf;
    struct platen_buffer pdf_bytes;
    uint32_t page, copy; // pages begun, of all and of `next`
    bool opened, closed;
    // Findings of the labels before `noted`.
    struct warning_header found;
    uint32_t noted;
    // The request's share of memory and time.
    size_t held;
    bool stays; // on its worker, though others wait: letting it wait would cost too much memory
    uint64_t worked_ns;
    uint64_t step_ns;    // when the step began
    uint64_t opening_ns; // what having the document understood took at first
};

// Another renderer may have to understand the document anew in the next step, so a step takes longer than that.
#define DOCUMENT_OPENINGS 3u

static inline bool document_step_over(const struct document_answer *answer)
{
    return !answer->stays && http_step_should_end(answer->call.req, DOCUMENT_OPENINGS * answer->opening_ns);
}

// document_draw.c
static inline struct document_part *document_part(const struct document_answer *answer, uint32_t label)
{
    return &answer->parts[label % answer->window];
}
// Draws labels from `next` on, at least that one, on this worker and on idle ones, until the step is over. False: one
// could not be made, and *why is the reason.
bool document_draw(struct document_answer *answer, const struct platen_error **why);
void document_drop(struct document_answer *answer, struct document_part *part); // it is written, or of no use
void document_keep(struct document_answer *answer, struct document_part *part); // its label is drawn

// document_write.c
enum document_progress {
    DOCUMENT_GOES_ON,
    DOCUMENT_NEEDS_LABEL, // `next` is not drawn
    DOCUMENT_STEP_OVER,
    DOCUMENT_DONE,
    DOCUMENT_STARVED, // the server has no memory for what is to be written
    DOCUMENT_FAILED   // why is in *err
};
// Writes what there is, until the step is over.
enum document_progress document_write(struct document_answer *answer, struct platen_error *err);
// Adds the findings of label `next` to those of the answer.
void document_note(struct document_answer *answer);

#endif
