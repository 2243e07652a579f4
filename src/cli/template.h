// Label code with places for values: {{name}}, and ^FN. The library fills them in (docs/rewriting.md, "Values").
#ifndef CLI_TEMPLATE_H
#define CLI_TEMPLATE_H

#include "base/buf.h"
#include "cli/cli_io.h"
#include "cli/cli_limits.h"
#include "request/problem.h"

struct template
{
    struct cli_input code;
    const struct cli_limits *limits; // of each row
    // They are made when the first row is filled in.
    struct platen_engine *engine;
    struct platen_worker *worker;
};

// The limits have to stay. False: a line was printed.
bool template_load(struct template *template, const char *path, size_t most, const struct cli_limits *limits);
void template_free(struct template *template);

// Appends the label code with the values of a row: a JSON object, or CSV behind a line of names. A name without a value
// is a problem.
bool template_fill(struct template *template, struct pl_slice row, struct pl_buf *out, struct problem *problem);
// Writes values as such a row.
void template_put_row(const struct pl_slice *names, const struct pl_slice *values, uint32_t count, struct pl_buf *out);

#endif
