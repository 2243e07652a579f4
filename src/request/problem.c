// Problems, before it is known where they go: into an answer, a line of one, or a message.
#include "request/problem.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool problem_set(struct problem *problem, int status, const char *code, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (vsnprintf(problem->message, sizeof problem->message, fmt, args) < 0)
        problem->message[0] = '\0';
    va_end(args);
    problem->status = status;
    problem->code = code;
    return false;
}

bool problem_twice(struct problem *problem, const char *name)
{
    return problem_set(problem, 400, "conflicting_parameter", "'%s' is given twice with different values.", name);
}

void problem_add(struct problem *problem, const char *sentence)
{
    size_t used = strlen(problem->message);
    snprintf(problem->message + used, sizeof problem->message - used, " %s", sentence);
}
