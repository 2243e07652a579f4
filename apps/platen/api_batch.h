// Answers that hold all labels (pdf, json, base64), drawn in parallel and sent while they are drawn, and strict
// answers.
#ifndef PLATEN_API_BATCH_H
#define PLATEN_API_BATCH_H

#include "api.h"

int api_answer_batch(const struct render_call *call);

// From api_render.c.

int api_problem(struct http_response *res, const struct platen_error *err);
// The document of a call whose labels and page are there. False: the problem is in res.
bool api_parse(struct render_call *call, struct platen_document **document);
// Headers of every successful answer.
void api_set_headers(struct render_call *call, uint32_t pages, struct warning_header *warnings);
// Counts one, made in so much time.
void api_count(const struct render_call *call, uint32_t pages, uint64_t ns);

#endif
