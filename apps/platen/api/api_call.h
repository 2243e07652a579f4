// One request to render on its way: what every answer to it does.
#ifndef PLATEN_API_CALL_H
#define PLATEN_API_CALL_H

#include "api.h"
#include "renderer/render_problem.h"

// Where the labels say their size: from now on it counts as given, other renderers need not look for it again. False: a
// renderer says what cannot be.
bool api_take_size(struct render_call *call, const struct summary *summary);
// The problem that fits a failure, as an answer.
int api_problem(struct render_call *call, const struct platen_error *err);
// Logs a failure that a renderer did not survive, and remembers the label code. Once for a request.
void api_note_failure(struct render_call *call, const struct platen_error *err);
// Before a renderer is asked: its number and its clock. Returns 0, or with the problem the seconds for which the label
// code, which ended renderers before, is not tried.
uint32_t api_start(struct render_call *call, struct problem *problem);
// The same; false: the problem is in res.
bool api_begin(struct render_call *call);
// What a renderer is asked for in this call; the caller says which label and what of it.
void api_ask(const struct render_call *call, enum render_kind kind, struct render_ask *ask);
// Has the label code understood, and a label drawn if ask->labels says so. False: the problem is in res, since there
// are no labels, no such page, or a failure.
bool api_open(struct render_call *call, struct render_ask *ask, struct summary *summary, struct label_part *part);
// Do labels of this size fit on the pages of a PDF?
bool api_layout_fits(const struct controls *controls, const struct platen_pdf_layout *layout, struct platen_error *err);
// Content-Disposition: the name under which a browser saves an answer.
void disposition_set(struct render_call *call);
// Headers of every successful answer.
void api_set_headers(struct render_call *call, uint32_t pages, struct warning_header *warnings);
// Counts one, made in so much time.
void api_count(const struct render_call *call, uint32_t pages, uint64_t ns);
// Answers with all labels (pdf, json, base64), which are drawn in parallel and sent while they are drawn; and strictly.
int api_answer_document(const struct render_call *call);

#endif
