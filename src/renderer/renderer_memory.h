// A renderer's end of a printer's memory: documents of it that jobs continue, and what a job leaves.
#ifndef PLATEN_RENDERER_MEMORY_H
#define PLATEN_RENDERER_MEMORY_H

#include "base/buf.h"
#include "renderer/render_job.h"

struct renderer_memory {
    uint64_t number; // of what it holds; 0: nothing
    bool kept;       // beyond the request
    enum platen_language language;
    struct platen_buffer texts[RENDER_MEMORY_PARTS];
    struct platen_document *parts[RENDER_MEMORY_PARTS]; // each after the one before it
    // What the job that is open leaves: it takes the place of the above when that job is over.
    uint64_t next_number; // 0: nothing changes
    unsigned next_changed;
    struct platen_buffer next[RENDER_MEMORY_PARTS];
};

// The document that a job of `ask` continues; `texts` are the parts that came with it, one behind the other. The worker
// has no document.
enum platen_status renderer_memory_take(struct renderer_memory *memory, struct platen_worker *worker,
                                        const struct render_ask *ask, const uint8_t *texts,
                                        const struct platen_document **after, struct platen_error *err);
// The language that the label code of a printer's job looks like: the printer's own, unless another one is recognised.
// The worker has no document.
enum platen_language renderer_recognise(struct platen_worker *worker, const struct render_ask *ask,
                                        struct pl_slice code);
// The job was understood: what it leaves, what it answers, and what is stored then.
enum platen_status renderer_memory_note(struct renderer_memory *memory, struct platen_worker *worker,
                                        const struct render_ask *ask, const struct platen_document *job,
                                        struct render_answer *answer, struct pl_buf *replies, struct pl_buf *stored);
// The job is over, and its document is freed.
void renderer_memory_settle(struct renderer_memory *memory, struct platen_worker *worker);
void renderer_memory_drop(struct renderer_memory *memory);

#endif
