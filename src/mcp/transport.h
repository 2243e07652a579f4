// The two transports of the protocol.
#ifndef MCP_TRANSPORT_H
#define MCP_TRANSPORT_H

#include "http/http.h"
#include "mcp/mcp.h"

#define MCP_ROUTE "/mcp"

// POST /mcp (streamable HTTP): answers are JSON, there are no sessions and no streams.
// `host` is that of the calls.
int mcp_http(const struct mcp_offer *offer, void *host, struct http_request *req, struct http_response *res);

struct mcp_stdio {
    const struct mcp_offer *offer;
    size_t message_max; // bytes of one message
    size_t arena_bytes; // memory for answering one
    uint64_t time_ms;   // for answering one
    void *host;
};

// Messages on standard input, one a line; answers on standard output. Returns the exit status when the input ends.
int mcp_stdio_run(const struct mcp_stdio *stdio, int input, int output);

#endif
