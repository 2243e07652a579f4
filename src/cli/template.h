// Label code with places for values: {{name}}, and ^FN. The library fills them in (docs/rewriting.md, "Values").
#ifndef CLI_TEMPLATE_H
#define CLI_TEMPLATE_H

#include <platen/platen.h>

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

// What is odd in how a row was filled in, the first few. Nothing in it points anywhere: it crosses to processes.
#define TEMPLATE_NOTES 4
struct template_note {
    uint32_t offset, length, line, column; // in the label code with the values
    char command[16], message[128];
};
struct template_notes {
    uint32_t count;
    struct template_note items[TEMPLATE_NOTES];
};

// The limits have to stay. False: a line was printed.
bool template_load(struct template *template, const char *path, size_t most, const struct cli_limits *limits);
void template_free(struct template *template);

// Appends the label code with the values of a row: a JSON object, or CSV behind a line of names. A name without a value
// is a problem.
bool template_fill(struct template *template, struct pl_slice row, struct pl_buf *out, struct template_notes *notes,
                   struct problem *problem);
// They become findings of the document that was parsed of that code.
void template_put_notes(const struct template_notes *notes, struct platen_document *document);
// Writes values as such a row.
void template_put_row(const struct pl_slice *names, const struct pl_slice *values, uint32_t count, struct pl_buf *out);

#endif
