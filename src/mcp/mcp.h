// The Model Context Protocol, on which assistants call tools of a program: what a program offers, and how messages are
// answered. Revisions: revision.c. Between two messages a transport keeps the revision that was agreed on, nothing
// more.
//
//   transport (stdio.c, http_transport.c) -> mcp_answer (answer.c) -> revision.c, then the offer's functions answer
#ifndef MCP_MCP_H
#define MCP_MCP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/job.h"
#include "base/slice.h"

#define MCP_PROBLEM_MAX 600

// One message that is being answered.
struct mcp_call {
    const struct mcp_offer *offer;
    const struct mcp_tool *tool; // NULL: it is no tool
    struct pl_slice arguments; // of a tool or prompt, a JSON object; of a resource, what follows the template's prefix
    struct pl_arena *arena;    // memory of this message
    const struct pl_job *job;  // how long it may take
    void *host;                // the transport's, for the offer's functions
    struct pl_buf *content;    // what a tool answers: mcp_put_...
    char problem[MCP_PROBLEM_MAX]; // what went wrong, and what to change: a sentence
};

// Returns false, so that refusing is one line.
bool mcp_refuse(struct mcp_call *call, const char *fmt, ...) PL_PRINTF(2, 3);

// A tool. All of them only read.
struct mcp_tool {
    const char *name, *title, *description;
    void (*put_schema)(const struct mcp_tool *tool, struct pl_buf *out); // of its arguments, as JSON Schema
    bool (*run)(struct mcp_call *call);                                  // false: call->problem
    const void *own;                                                     // the offer's
};

void mcp_put_text(struct mcp_call *call, struct pl_slice text);
void mcp_put_image(struct mcp_call *call, const char *type, struct pl_slice bytes);
void mcp_put_file(struct mcp_call *call, const char *uri, const char *type, struct pl_slice bytes);

// A document that can be read. With a title of NULL the text's first line is the title.
struct mcp_resource {
    const char *uri, *name, *title, *description, *type;
};

// Addresses with a part that the caller chooses: "platen://commands/{name}" is everything that begins with `prefix`.
struct mcp_template {
    const char *prefix, *parameter, *name, *description, *type;
    bool (*read)(struct mcp_call *call, struct pl_buf *out); // false: there is no such one, and call->problem says so
};

struct mcp_prompt_argument {
    const char *name, *description;
    bool required;
};

#define MCP_PROMPT_ARGUMENTS 3

struct mcp_prompt {
    const char *name, *title, *description;
    struct mcp_prompt_argument arguments[MCP_PROMPT_ARGUMENTS]; // ends with a name of NULL
    const char *text;                                           // "{name}" is replaced by the argument
};

struct mcp_offer {
    const char *name, *title, *version, *instructions;
    const struct mcp_tool *tools;
    size_t tool_count;
    // The index-th resource; false: there are no more. Its text lives as long as the program.
    bool (*resource_at)(size_t index, struct mcp_resource *out, struct pl_slice *text);
    const struct mcp_template *templates;
    size_t template_count;
    const struct mcp_prompt *prompts;
    size_t prompt_count;
};

#define MCP_ANSWER_MAX ((size_t)256 << 20)

// What the headers of HTTP say of a message; empty: there is no such header.
struct mcp_headers {
    struct pl_slice revision, method, name;
};

struct mcp_context {
    struct pl_arena *arena;
    const struct pl_job *job;
    void *host;
    const struct mcp_headers *headers; // NULL: the message did not come over HTTP
    const char **agreed; // the revision that initialize answered, NULL before it; kept for one client by its transport
};

enum mcp_outcome {
    MCP_NOTHING,  // there is nothing to answer: notifications
    MCP_ANSWERED, // `out` is the answer
    MCP_INVALID,  // `out` is an error: the text is no message, or lacks what its revision asks for
    MCP_NO_METHOD // `out` is an error that has a status of its own over HTTP
};

// Answers a message, or a list of messages. Appends to `out`.
enum mcp_outcome mcp_answer(const struct mcp_offer *offer, struct pl_slice text, const struct mcp_context *context,
                            struct pl_buf *out);

#endif
