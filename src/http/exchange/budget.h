// Memory that clients make the service hold beyond a request's arena: bodies that arrived, answers that were not read
// yet, and what answers in steps keep between two steps. All of it counts in one budget, --max-body-memory.
#ifndef HTTP_BUDGET_H
#define HTTP_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct http_budget {
    atomic_size_t used;
    size_t limit;
};

bool http_budget_take(struct http_budget *budget, size_t bytes); // false: nothing was taken
void http_budget_give(struct http_budget *budget, size_t bytes);

#endif
