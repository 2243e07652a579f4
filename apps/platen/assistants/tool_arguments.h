// The arguments of the tools: render controls, and a table of those that tools have beside them.
#ifndef PLATEN_TOOL_ARGUMENTS_H
#define PLATEN_TOOL_ARGUMENTS_H

#include "mcp_tools.h"
#include "request/conversion.h"

enum tool_argument {
    ARG_ZPL,
    ARG_A,
    ARG_B,
    ARG_TOLERANCE_DOTS,
    ARG_TOLERANCE_PERCENT,
    ARG_ELEMENTS,
    ARG_TARGET_DPMM,
    ARG_GRAPHICS,
    ARG_TO_LANGUAGE,
    ARG_MAX_WIDTH,
    ARG_FIX,
    ARG_TO,
    ARG_DATA,
    ARG_NAME,
    ARG_SEARCH,
    ARG_COUNT
};

enum convert_target { TO_ZPL, TO_MINIFIED, TO_PDF, TO_FIELDS };

struct tool_values {
    struct pl_slice zpl, a, b, data, name, search;
    uint32_t to;
    uint32_t given; // a bit for each argument
    struct conversion_request conversion;
    struct controls controls;
};

// What a tool takes: mcp_tool.own.
struct tool_takes {
    uint32_t arguments, required; // a bit for each
    uint64_t controls;            // the same
};

#define ARG(id) (UINT32_C(1) << ARG_##id)
#define CONTROL(id) (UINT64_C(1) << CONTROL_##id)

// mcp_tool.put_schema
void tool_put_schema(const struct mcp_tool *tool, struct pl_buf *out);
// Reads call->arguments. False: call->problem says what to change.
bool tool_read(struct mcp_call *call, struct tool_values *values);

#endif
