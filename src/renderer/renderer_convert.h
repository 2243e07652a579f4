// Conversions, in a renderer.
#ifndef PLATEN_RENDERER_CONVERT_H
#define PLATEN_RENDERER_CONVERT_H

#include "answer/label_part.h"
#include "renderer/render_job.h"

// Makes part->file of the bytes that follow the question, and the notes of it part->warnings and part->found.
enum platen_status renderer_convert(const struct platen_engine *engine, struct platen_worker *worker,
                                    const struct render_ask *ask, const struct platen_options *options,
                                    struct pl_slice bytes, struct label_part *part, struct platen_error *err);
// Label code with the values behind it filled in, malloc'ed.
enum platen_status renderer_fill(struct platen_worker *worker, const struct render_ask *ask,
                                 const struct platen_options *options, struct pl_slice bytes, uint8_t **code,
                                 size_t *size, struct platen_error *err);

#endif
