// What is wrong with a request, as every answer reports it: a status of HTTP, a code and a sentence.
#ifndef REQUEST_PROBLEM_H
#define REQUEST_PROBLEM_H

#include <stdbool.h>

#include "base/err.h"

struct problem {
    int status;
    const char *code; // static
    char message[480];
};

// Returns false, so that refusing is one line.
bool problem_set(struct problem *problem, int status, const char *code, const char *fmt, ...) PL_PRINTF(4, 5);
// The name is given twice with different values.
bool problem_twice(struct problem *problem, const char *name);
// A further sentence.
void problem_add(struct problem *problem, const char *sentence);

#endif
