// Label code with places for values: {{name}}, and ^FN. The library fills them in (docs/rewriting.md, "Values"). Where
// the code is simple (each {{name}} is all of a placeholder, in ^FD or in a parameter, and there is no ^FN) and no
// value of a row needs an escape, texts are put in place here, which gives the same labels and is faster.
#ifndef CLI_TEMPLATE_H
#define CLI_TEMPLATE_H

#include "base/buf.h"
#include "cli/cli_io.h"
#include "cli/cli_limits.h"
#include "request/problem.h"

struct template_piece {
    struct pl_slice text; // literal, or the name of a value
    bool is_name;
};

struct template
{
    struct pl_slice code;
    struct template_piece *pieces;
    size_t count, capacity;
    bool by_library;       // always; there are no pieces
    char indicators[256];  // of ^FH and others: such characters in a value need an escape; NUL at the end
    struct cli_input file; // of template_load
    // For the library; the engine and the worker are made when they are first needed.
    const struct cli_limits *limits;
    struct platen_engine *engine;
    struct platen_worker *worker;
};

// The values of one row.
struct template_values {
    const struct pl_slice *names, *values;
    uint32_t count;
};
bool template_value(const struct template_values *values, struct pl_slice name, struct pl_slice *out);

// The pieces lie in `code`. The limits, which must stay, are for each row. False: no memory.
bool template_read(struct template *template, struct pl_slice code, const struct cli_limits *limits);
// The same of a file of at most `most` bytes. False: a line was printed.
bool template_load(struct template *template, const char *path, size_t most, const struct cli_limits *limits);
void template_free(struct template *template);

// Appends the label code with its values. A name without a value is a problem.
bool template_fill(struct template *template, const struct template_values *values, struct pl_buf *out,
                   struct problem *problem);

#endif
