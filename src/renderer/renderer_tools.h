// What assistants ask for: pictures, findings with fixes, barcodes, GS1 data; in a renderer.
#ifndef PLATEN_RENDERER_TOOLS_H
#define PLATEN_RENDERER_TOOLS_H

#include "answer/label_part.h"
#include "renderer/render_job.h"

#define TOOL_FINDINGS_MAX 60 // an assistant reads no more, and fixes these first

// part->members is the answer as a JSON object, part->file the file that belongs to it.
enum platen_status renderer_tool(struct platen_worker *worker, const struct render_ask *ask,
                                 const struct platen_options *options, struct pl_slice bytes, struct label_part *part,
                                 struct platen_error *err);

#endif
