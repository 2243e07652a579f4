// What an answer of a renderer has beside the parts of its label: the document's labels and findings, and what a
// printer says and keeps.
#ifndef PLATEN_ANSWER_EXTRAS_H
#define PLATEN_ANSWER_EXTRAS_H

#include "base/buf.h"
#include "renderer/render_job.h"

struct answer_extras {
    struct pl_buf copies, findings, replies, stored;
    struct platen_buffer memory[RENDER_MEMORY_PARTS]; // of renderer_memory.next; not its own
};

void answer_extras_init(struct answer_extras *extras);
bool answer_extras_failed(const struct answer_extras *extras);
// Overwrites them, too: the memory may be another client's next.
void answer_extras_wipe(struct answer_extras *extras);
// The document's labels and what was found in it.
void answer_extras_describe(const struct platen_document *document, const struct render_ask *ask,
                            struct answer_extras *extras, struct render_answer *answer);

#endif
