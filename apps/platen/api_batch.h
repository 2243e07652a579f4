// Answers that hold all labels (pdf, json, base64), drawn in parallel, and strict answers.
#ifndef PLATEN_API_BATCH_H
#define PLATEN_API_BATCH_H

#include "api.h"
#include "result_json.h"

int api_answer_batch(struct render_call *call, const struct platen_document *document, uint32_t pages);
// From api_render.c.
int api_problem(struct http_response *res, const struct platen_error *err);
void api_set_headers(struct render_call *call, uint32_t pages, struct warning_header *warnings);

#endif
