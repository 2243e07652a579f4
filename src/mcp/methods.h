// The methods of the protocol, and what they write their answers with.
#ifndef MCP_METHODS_H
#define MCP_METHODS_H

#include "base/json_rpc.h"
#include "base/json_writer.h"
#include "mcp/mcp.h"

// Codes of JSON-RPC 2.0, and some of the protocol's own.
enum mcp_rpc_code {
    RPC_PARSE = -32700,
    RPC_INVALID_REQUEST = -32600,
    RPC_NO_METHOD = -32601,
    RPC_INVALID_PARAMS = -32602,
    RPC_INTERNAL = -32603,
    RPC_NO_RESOURCE = -32002, // until 2025-11-25; then RPC_INVALID_PARAMS
    RPC_HEADER_MISMATCH = -32020,
    RPC_UNSUPPORTED_REVISION = -32022
};

// A request with its answer, which is written behind `start` of the buffer.
struct mcp_exchange {
    const struct mcp_offer *offer;
    const struct mcp_context *context;
    const struct pl_rpc_message *message;
    struct pl_json_writer *json; // the object of the answer is open
    bool is_stateless;           // of a revision without initialize
    bool in_list;                // beside other messages
};

void mcp_put_error(struct pl_json_writer *json, enum mcp_rpc_code code, const char *fmt, ...) PL_PRINTF(3, 4);
// The same, with its object left open for "data".
void mcp_open_error(struct pl_json_writer *json, enum mcp_rpc_code code, const char *fmt, ...) PL_PRINTF(3, 4);
void mcp_open_result(const struct mcp_exchange *x);
// The same of what stays as it is while the program runs: clients may keep it.
void mcp_open_lasting_result(const struct mcp_exchange *x);
// A member whose text is not NULL.
void mcp_put_optional(struct pl_json_writer *json, const char *name, const char *text);
// A parameter that is a string, into the message's memory. False: the error is written.
bool mcp_text_parameter(const struct mcp_exchange *x, const char *name, struct pl_slice *out);
struct mcp_call mcp_call_of(const struct mcp_exchange *x, struct pl_slice arguments);

void mcp_list_tools(const struct mcp_exchange *x);
void mcp_call_tool(const struct mcp_exchange *x);
void mcp_list_resources(const struct mcp_exchange *x);
void mcp_list_templates(const struct mcp_exchange *x);
void mcp_read_resource(const struct mcp_exchange *x);
void mcp_list_prompts(const struct mcp_exchange *x);
void mcp_get_prompt(const struct mcp_exchange *x);

#endif
