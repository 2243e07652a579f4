// Answers that hold all labels (pdf, json, base64), drawn in parallel and sent while they are drawn, and strict
// answers.
#ifndef PLATEN_API_DOCUMENT_H
#define PLATEN_API_DOCUMENT_H

#include "api.h"

int api_answer_document(const struct render_call *call);

#endif
