// The problems of rendering, the same in every answer.
#ifndef PLATEN_RENDER_PROBLEM_H
#define PLATEN_RENDER_PROBLEM_H

#include "renderer/summary.h"
#include "request/problem.h"

// The problem that fits a failure of the library: code and sentence are the same for every entrance.
void render_problem_of(const struct platen_error *err, struct problem *out);
// The same for the service, where a renderer can fail, too; `id` is that of the request.
void api_problem_of(const struct platen_error *err, struct pl_slice id, struct problem *out);
// There is no such page, or no label at all.
void api_no_page(uint64_t page, const struct summary *summary, struct problem *out);

#endif
