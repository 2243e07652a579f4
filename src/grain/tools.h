// The tools that answer fields with values: what each one takes, and its answer as JSON or as rows.
#ifndef GRAIN_TOOLS_H
#define GRAIN_TOOLS_H

#include "grain/fields.h"

struct grain_tool {
    const char *id; // of its route and its subcommand
    uint32_t takes; // its fields
    // Writes the answer: to `row`, or as JSON where that is NULL. False: `fields` says what is wrong, and `out` is as
    // it was.
    bool (*run)(struct grain_fields *fields, grain_row *row, struct pl_buf *out);
};

// `id` must be that of a tool.
const struct grain_tool *grain_tool_by_id(const char *id);

#endif
