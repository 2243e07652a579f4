// What is wrong with what was asked for, as every answer tells it: a status, a code and a sentence.
#ifndef PLATEN_PROBLEM_H
#define PLATEN_PROBLEM_H

#include "http/http.h"

struct problem {
    int status;
    const char *code; // static
    char message[480];
};

// Returns false, so that refusing is one line.
bool problem_set(struct problem *problem, int status, const char *code, const char *fmt, ...) PL_PRINTF(4, 5);
// As the answer to a request. Returns false.
bool problem_answer(const struct problem *problem, struct http_response *res);

#endif
