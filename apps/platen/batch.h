// An answer of many labels while it is made: what its files share.
//
// Labels are drawn in parallel and some of them ahead, written in their order, and freed as soon as they are written.
#ifndef PLATEN_BATCH_H
#define PLATEN_BATCH_H

#include <stdatomic.h>

#include "api.h"
#include "describe/describe.h"

#define BATCH_WINDOW 64u                     // labels that are drawn and not yet written, at most
#define BATCH_AHEAD ((size_t)256 << 10)      // and their bytes, about
#define BATCH_WHOLE ((size_t)256 << 10)      // an answer up to this size is sent whole, with its length
#define BATCH_WARNINGS ((size_t)8 << 20)     // text of warnings that is kept for the end of an answer
#define BATCH_SPARE_BUFFER ((size_t)1 << 20) // a buffer larger than this is not kept for the next label

enum batch_part_state {
    BATCH_PART_NONE,
    BATCH_PART_CHECKED, // only its findings are there
    BATCH_PART_DRAWN
};

struct batch_part {
    struct label_part part;
    enum batch_part_state state;
};

struct batch {
    struct render_call call;      // req and res are those of the step that runs
    struct summary summary;       // of the whole document; without memory as long as that is not understood
    struct pl_description result; // which labels, and what was found in them
    // Drawing: batch_draw.c.
    struct batch_part *parts; // that of label i (of the result) is parts[i % window]
    uint32_t window;
    uint32_t next;       // label that is to be written
    bool checking;       // strict: all labels are looked at before the first is written
    atomic_size_t ahead; // bytes of drawn parts
    atomic_bool failed;  // a label could not be made: others are not begun
    // Writing: batch_write.c.
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
#define BATCH_OPENINGS 3u

static inline bool batch_step_over(const struct batch *batch)
{
    return !batch->stays && http_step_over(batch->call.req, BATCH_OPENINGS * batch->opening_ns);
}

// batch_draw.c
static inline struct batch_part *batch_part(const struct batch *batch, uint32_t label)
{
    return &batch->parts[label % batch->window];
}
// Draws labels from `next` on, at least that one, on this worker and on idle ones, until the step is over. False: one
// could not be made, and *why is the reason.
bool batch_draw(struct batch *batch, const struct platen_error **why);
void batch_drop(struct batch *batch, struct batch_part *part); // it is written, or of no use
void batch_keep(struct batch *batch, struct batch_part *part); // its label is drawn

// batch_write.c
enum batch_progress {
    BATCH_GOES_ON,
    BATCH_NEEDS_LABEL, // `next` is not drawn
    BATCH_STEP_OVER,
    BATCH_DONE,
    BATCH_STARVED, // the server has no memory for what is to be written
    BATCH_FAILED   // why is in *err
};
// Writes what there is, until the step is over.
enum batch_progress batch_write(struct batch *batch, struct platen_error *err);
// Adds the findings of label `next` to those of the answer.
void batch_note(struct batch *batch);

#endif
