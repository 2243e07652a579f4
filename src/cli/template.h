// Label code with places for values: {{name}}.
#ifndef PLATEN_TEMPLATE_H
#define PLATEN_TEMPLATE_H

#include "base/buf.h"
#include "request/problem.h"

struct template_piece {
    struct pl_slice text; // literal, or the name of a value
    bool is_name;
};

struct template
{
    struct template_piece *pieces;
    size_t count;
};

// The pieces lie in `code`. False: no memory.
bool template_read(struct template *template, struct pl_slice code);
void template_free(struct template *template);

// Finds the value of a name. False: there is none.
typedef bool template_value(const void *user, struct pl_slice name, struct pl_slice *value);
// Appends the label code with its values. A value with '^', '~' or a control character would be commands of its own and
// is refused.
bool template_fill(const struct template *template, template_value *value, const void *user, struct pl_buf *out,
                   struct problem *problem);

#endif
