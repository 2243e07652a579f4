// Schemas of tools out of a program's OpenAPI document, so that there is one description of each argument.
#ifndef MCP_SCHEMA_H
#define MCP_SCHEMA_H

#include "base/buf.h"
#include "base/slice.h"

// For parts of the document's template that no schema of an argument has: any value, any member.
void mcp_put_no_value(struct pl_buf *out, void *user);
void mcp_put_no_member(struct pl_buf *out, void *user);
// "components/schemas" of the document, which is valid JSON; empty: it has none.
struct pl_slice mcp_schemas_of(struct pl_slice openapi);
// Appends the properties of a schema, as the members of an object: what "#/components/schemas/NAME" refers to is put in
// its place. False: there is none.
bool mcp_schema_put_all(struct pl_slice schemas, const char *schema, struct pl_buf *out);

#endif
