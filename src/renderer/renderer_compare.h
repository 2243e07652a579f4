// Comparing two label codes, in a renderer.
#ifndef PLATEN_RENDERER_COMPARE_H
#define PLATEN_RENDERER_COMPARE_H

#include "base/buf.h"
#include "renderer/render_job.h"

#define COMPARE_CHANGES_MAX 60 // in a brief answer: an assistant reads no more

// Appends the members of the answer's JSON object. `zpl` is both codes, one behind the other. PLATEN_E_NOT_FOUND: one
// of them prints no label.
enum platen_status renderer_compare(struct platen_worker *worker, const struct render_ask *ask,
                                    const struct platen_options *options, struct pl_slice zpl, struct pl_buf *members,
                                    struct platen_error *err);

#endif
