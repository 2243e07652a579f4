// What Platen offers assistants: what its files share.
#ifndef PLATEN_MCP_TOOLS_H
#define PLATEN_MCP_TOOLS_H

#include "api/repeat_guard.h"
#include "http/http.h"
#include "mcp/mcp.h"
#include "renderer/renderer_link.h"

// Where calls of tools are carried out: mcp_call.host.
struct mcp_host {
    struct renderer_link *link;
    atomic_uint_fast64_t *requests; // the number of the last one that went to a renderer
    struct repeat_guard *repeats;   // NULL: whoever asks is alone here
    struct pl_slice client, id;     // of the caller, and of the request
};

// label_tools.c
extern const struct mcp_tool label_tools[];
extern const size_t label_tool_count;

// reference.c
bool reference_resource_at(size_t index, struct mcp_resource *out, struct pl_slice *text);
bool reference_read_command(struct mcp_call *call, struct pl_buf *out);
// Writes the commands of these names (with or without their sign), as JSON, or a line for each that is about all words
// of a question, or about most of them, the closest first. Returns how many there are.
uint32_t reference_find(enum platen_language language, struct pl_slice names, struct pl_buf *out);
uint32_t reference_search(enum platen_language language, struct pl_slice question, struct pl_buf *out);
extern const struct mcp_prompt reference_prompts[];
extern const size_t reference_prompt_count;
enum pl_errc reference_prepare(struct pl_error *err) PL_MUST_USE;

// mcp_command.c
http_handler mcp_post; // POST /mcp
// Once, before the first call: lists and schemas are made of the tables.
enum pl_errc mcp_prepare(struct pl_error *err) PL_MUST_USE;

#endif
