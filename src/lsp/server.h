// The server's state, and what the files of its methods share.
#ifndef LSP_SERVER_H
#define LSP_SERVER_H

#include "base/json_rpc.h"
#include "base/json_writer.h"
#include "lsp/background.h"
#include "lsp/document.h"
#include "lsp/lsp.h"

#define LSP_OUTPUT_MAX ((size_t)512 << 20)
#define LSP_ANSWER_MOST                                                                                                \
    10000u // labels, hints of an answer: nobody looks at more, and editors would read it for minutes
#define LSP_OUTPUT_KEPT ((size_t)16 << 20) // of the memory for it

enum {
    LSP_E_PARSE = -32700,
    LSP_E_INVALID_REQUEST = -32600,
    LSP_E_METHOD = -32601,
    LSP_E_PARAMS = -32602,
    LSP_E_NOT_INITIALIZED = -32002,
    LSP_E_FAILED = -32803,
    LSP_E_MODIFIED = -32801,
    LSP_E_CANCELLED = -32800
};

enum lsp_state { LSP_NEW, LSP_READY, LSP_SHUT, LSP_EXITED };

struct lsp_server {
    struct lsp_host *host;
    struct lsp_background background;
    enum lsp_state state;
    int status; // of the exit
    enum lsp_encoding encoding;
    bool has_snippets;
    struct lsp_document *documents;
    uint64_t document_numbers;
    struct pl_buf out;  // frames to be written
    struct pl_buf body; // of an answer; both keep their memory, which costs more than what is written into it
};

enum lsp_outcome {
    LSP_ANSWERED, // call->json has one value
    LSP_REFUSED,  // call->problem
    LSP_LATER     // a job answers
};

// A request or notification that is being answered.
struct lsp_call {
    struct lsp_server *server;
    struct pl_slice id;     // as JSON
    struct pl_slice params; // a JSON object, or empty
    struct pl_arena *arena;
    struct pl_json_writer json;
    struct lsp_document *document; // of a method of documents
    size_t offset;                 // of a method of positions
    size_t from, to;               // of a method of ranges
    int code;
    char problem[480]; // a control's refusal lists all that is allowed
};

typedef enum lsp_outcome lsp_method(struct lsp_call *call);

enum lsp_outcome lsp_refuse(struct lsp_call *call, int code, const char *fmt, ...) PL_PRINTF(3, 4);

// ---- server.c

bool lsp_server_init(struct lsp_server *server, struct lsp_host *host);
void lsp_server_fini(struct lsp_server *server);
// Empties a buffer. One that has become very large gives its memory back.
void lsp_server_clear(struct pl_buf *buf);
// An answer to what is no message.
void lsp_server_broken(struct lsp_server *server, struct pl_slice id, int code, const char *why);
// Appends a frame around JSON.
void lsp_server_frame(struct lsp_server *server, const struct pl_buf *body);
struct lsp_document *lsp_server_find(struct lsp_server *server, struct pl_slice uri);
extern const char *const lsp_commands[]; // of workspace/executeCommand; ends with NULL

// ---- methods.c

void lsp_server_message(struct lsp_server *server, const struct pl_rpc_message *message, bool is_cancelled);
// Writes what the thread found.
void lsp_server_results(struct lsp_server *server);

struct lsp_method_row {
    const char *name;
    lsp_method *run;
    enum { LSP_ANY, LSP_OF_DOCUMENT, LSP_OF_POSITION, LSP_OF_RANGE } takes;
    bool is_notification;
    bool is_list; // of all that a document has: it takes as long as a thousand of the others
};
const struct lsp_method_row *lsp_method_find(struct pl_slice name);

lsp_method lsp_hover, lsp_completion, lsp_signature_help, lsp_symbols, lsp_folding, lsp_definition, lsp_references,
    lsp_prepare_rename, lsp_rename, lsp_tokens, lsp_tokens_range, lsp_formatting, lsp_code_action, lsp_inlay_hint,
    lsp_code_lens, lsp_execute_command, lsp_did_open, lsp_did_change, lsp_did_close;
extern const char *const lsp_token_types[]; // ends with NULL

// ---- values (values.c)

bool lsp_read_position(struct pl_slice object, struct lsp_position *out);
// {"start":…,"end":…}
bool lsp_read_positions(struct pl_slice object, struct lsp_range *out);
bool lsp_read_number(const struct pl_rpc_value *value, int64_t *out);
bool lsp_read_range(const struct lsp_server *server, const struct lsp_document *document, struct pl_slice object,
                    size_t *from, size_t *to);
void lsp_put_position(struct pl_json_writer *json, const char *key, struct lsp_position position);
void lsp_put_range(struct pl_json_writer *json, const char *key, struct lsp_range range);
// The members kind, range and selectionRange of an object: what is shown begins where all does.
void lsp_put_symbol_place(struct pl_json_writer *json, unsigned kind, struct lsp_range whole,
                          struct lsp_position shown_end);
struct lsp_cursor lsp_call_cursor(const struct lsp_call *call);
// {"range":…,"newText":…}
void lsp_put_edit(struct pl_json_writer *json, struct lsp_range range, struct pl_slice text);

// ---- findings (findings.c)

// Lets the document be checked; `id` (may be empty) is answered when it is done.
void lsp_check(struct lsp_server *server, struct lsp_document *document, struct pl_slice id);
void lsp_publish(struct lsp_server *server, struct lsp_document *document);

// A job for the document's text as it is now; NULL: no memory.
struct lsp_job *lsp_job_for(enum lsp_job_kind kind, const struct lsp_document *document, struct pl_slice id);
// The answer to the request that waits for it.
void lsp_answer_job(struct lsp_server *server, struct lsp_document *document, const struct lsp_result *result);

#endif
