// Conversions, in a renderer.
#ifndef PLATEN_RENDERER_CONVERT_H
#define PLATEN_RENDERER_CONVERT_H

#include "answer/label_part.h"
#include "renderer/render_job.h"

// Makes part->file of the bytes that follow the question, and the notes of it part->warnings and part->found.
enum platen_status renderer_convert(const struct platen_engine *engine, struct platen_worker *worker,
                                    const struct render_ask *ask, const struct platen_options *options,
                                    struct pl_slice bytes, struct label_part *part, struct platen_error *err);
// Label code, or with values behind it, that is written anew.
enum platen_status renderer_rewrite(struct platen_worker *worker, const struct render_ask *ask,
                                    const struct platen_options *options, struct pl_slice bytes,
                                    struct platen_rewritten **out, struct platen_error *err);

#endif
