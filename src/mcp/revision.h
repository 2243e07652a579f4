// The revisions of the protocol that are spoken.
#ifndef MCP_REVISION_H
#define MCP_REVISION_H

#include "mcp/methods.h"

#define MCP_DISCOVER "server/discover" // of stateless revisions; it takes the place of initialize

// Finds the revision of a message, and checks what it must carry. False: the error is written.
bool mcp_read_revision(struct mcp_exchange *x);
// What initialize answers to a client that wants a revision.
const char *mcp_revision_for(struct pl_slice wanted);
// A member with the list of all.
void mcp_put_revisions(struct pl_json_writer *json, const char *name);
// May several messages be sent as a list? As long as no revision is known, they may.
bool mcp_has_lists(const struct mcp_context *context);
// A member that says which program this is.
void mcp_put_server(const struct mcp_exchange *x, const char *name);

#endif
