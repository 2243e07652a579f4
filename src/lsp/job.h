// Work that takes longer than a key: labels are drawn and checked, or label code is laid out, on a thread of its own.
// The text answers first; a change of the text cancels what was begun for the text before.
#ifndef LSP_JOB_H
#define LSP_JOB_H

#include <platen/platen.h>

#include "base/arena.h"
#include "base/buf.h"
#include "describe/fixes.h"

enum lsp_job_kind { LSP_CHECK, LSP_PREVIEW, LSP_FORMAT };

struct lsp_finding {
    const char *code, *message;
    enum platen_severity severity;
    uint32_t offset, length;
    uint32_t parameter;       // from 1: it is about this one of the command; 0: about all
    const struct pl_fix *fix; // NULL: none
};

struct lsp_job {
    struct lsp_job *next;
    enum lsp_job_kind kind;
    uint64_t document, revision;
    int64_t version;
    uint8_t *text;
    size_t size;
    enum platen_language language;
    char *path;           // of the document, for the settings' patterns
    char *id;             // of the request that waits for it, as JSON; NULL: none
    uint32_t label;       // LSP_PREVIEW: its index
    uint32_t place;       // or a byte of it; UINT32_MAX: by its index
    char *options;        // LSP_PREVIEW: a JSON object of the client, for this picture alone; NULL: none
    uint64_t earliest_ns; // it does not begin before
    struct platen_cancel cancel;
    struct lsp_results *results; // where they go: lsp_job_post
};

// What a job found. Several may come of one; the last one is final.
struct lsp_result {
    struct lsp_result *next;
    enum lsp_job_kind kind;
    uint64_t document, revision;
    int64_t version;
    char *id;
    bool is_final;
    struct pl_arena arena; // the findings
    struct lsp_finding *findings;
    uint32_t count, capacity;
    uint32_t left_out; // of findings
    // LSP_PREVIEW: a picture or a PDF; LSP_FORMAT: the code.
    struct pl_buf bytes;
    const char *mime;
    uint32_t width, height, label, labels;
    char problem[256]; // why there is no answer; empty: there is one
    bool is_cancelled; // the request was
};

// NULL: no memory.
struct lsp_result *lsp_result_new(const struct lsp_job *job);
void lsp_result_free(struct lsp_result *result);
// Copies the texts and the fix.
void lsp_result_add(struct lsp_result *result, const struct lsp_finding *finding);
// Gives the result to the server. May be called several times for one job: the last result is final.
void lsp_job_post(struct lsp_job *job, struct lsp_result *result);

#endif
