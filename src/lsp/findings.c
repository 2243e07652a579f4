// Findings as the editor shows them: diagnostics, and quick fixes by the library's table of fixes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "lsp/server.h"
#include "os/clock.h"

#define PUBLISHED_MAX 2000u // findings of a document: an editor shows a few
#define DELAY_BYTES 8192u   // a change of so many bytes of code waits a millisecond before labels are drawn

struct lsp_job *lsp_job_for(enum lsp_job_kind kind, const struct lsp_document *d, struct pl_slice id)
{
    struct lsp_job *job = lsp_job_new(kind, lsp_text_slice(&d->text));
    if (!job)
        return NULL;
    job->document = d->number;
    job->revision = d->revision;
    job->version = d->version;
    job->language = d->declared;
    job->path = strdup(d->uri);
    job->id = id.len > 0 ? strndup((const char *)id.ptr, id.len) : NULL;
    if (!job->path || (id.len > 0 && !job->id)) {
        lsp_job_free(job);
        return NULL;
    }
    return job;
}

void lsp_check(struct lsp_server *server, struct lsp_document *d, struct pl_slice id)
{
    struct lsp_job *job = lsp_job_for(LSP_CHECK, d, id);
    if (!job) {
        if (id.len > 0)
            lsp_server_broken(server, id, LSP_E_FAILED, "There is no memory for the document.");
        return;
    }
    // Large documents take longer, and more keys will come: a few milliseconds a key are saved.
    if (id.len == 0)
        job->earliest_ns = pl_now_ns() + d->text.bytes.len / DELAY_BYTES * 1000000u;
    lsp_background_submit(&server->background, job);
}

// ---- diagnostics

// Where it is shown: the parameter that it is about, or all of its code.
static struct pl_lang_part place_of(const struct lsp_document *d, const struct lsp_finding *f)
{
    struct pl_lang_part all = {f->offset, f->length};
    if (f->parameter == 0 || !d->is_read)
        return all;
    uint32_t i = lsp_document_first_behind(d, f->offset);
    if (i == d->command_count || d->commands[i].start != f->offset)
        return all;
    struct pl_lang_part part = lsp_item(d, &d->commands[i], f->parameter - 1);
    return part.length > 0 ? part : all;
}

static void put_diagnostic(const struct lsp_server *server, const struct lsp_document *d, struct pl_json_writer *json,
                           struct lsp_cursor *cursor, const struct lsp_finding *f)
{
    static const uint8_t SEVERITIES[] = {3, 2, 1}; // information, warning, error
    char href[256];
    pl_json_object(json);
    struct pl_lang_part place = place_of(d, f);
    lsp_put_range(json, "range", lsp_cursor_range(cursor, place.offset, (size_t)place.offset + place.length));
    pl_json_kv_u64(json, "severity", SEVERITIES[f->severity]);
    pl_json_kv_cstr(json, "code", f->code);
    if (server->host->docs_url) {
        snprintf(href, sizeof href, "%s/findings.html#%s", server->host->docs_url, f->code);
        pl_json_kv_object(json, "codeDescription");
        pl_json_kv_cstr(json, "href", href);
        pl_json_end(json);
    }
    pl_json_kv_cstr(json, "source", "platen");
    pl_json_kv_cstr(json, "message", f->message);
    pl_json_end(json);
}

void lsp_publish(struct lsp_server *server, struct lsp_document *d)
{
    struct pl_buf body;
    struct pl_json_writer json;
    struct lsp_cursor cursor = lsp_cursor_make(&d->text, server->encoding);
    uint32_t count = d->result ? PL_MIN(d->result->count, PUBLISHED_MAX) : 0;
    (void)!lsp_document_read(d); // for the places of parameters; without memory they are those of commands
    pl_buf_init(&body, LSP_OUTPUT_MAX);
    pl_json_writer_init(&json, &body);
    pl_json_object(&json);
    pl_json_kv_cstr(&json, "jsonrpc", "2.0");
    pl_json_kv_cstr(&json, "method", "textDocument/publishDiagnostics");
    pl_json_kv_object(&json, "params");
    pl_json_kv_cstr(&json, "uri", d->uri);
    pl_json_kv_i64(&json, "version", d->version);
    pl_json_kv_array(&json, "diagnostics");
    for (uint32_t i = 0; i < count; i++)
        put_diagnostic(server, d, &json, &cursor, &d->result->findings[i]);
    pl_json_ends(&json, 3);
    if (!body.failed)
        lsp_server_frame(server, &body);
    pl_buf_fini(&body);
}

// ---- quick fixes

static void put_edits(struct lsp_call *call, const struct pl_fix *fix)
{
    struct lsp_cursor cursor = lsp_call_cursor(call);
    for (uint32_t i = 0; i < fix->count; i++) {
        const struct pl_edit *e = &fix->edits[i];
        lsp_put_edit(&call->json, lsp_cursor_range(&cursor, e->offset, (size_t)e->offset + e->length),
                     pl_slice_cstr(e->text));
    }
}

static void open_action(struct lsp_call *call, const char *title, const char *kind)
{
    struct pl_json_writer *json = &call->json;
    pl_json_object(json);
    pl_json_kv_cstr(json, "title", title);
    pl_json_kv_cstr(json, "kind", kind);
    pl_json_kv_object(json, "edit");
    pl_json_kv_object(json, "changes");
    pl_json_kv_array(json, call->document->uri);
}

static void close_edits(struct lsp_call *call)
{
    pl_json_ends(&call->json, 3);
}

// Of two for one place the first one is taken: which one must not depend on the library's way of sorting.
static int by_offset(const void *a, const void *b)
{
    const struct pl_edit *x = (*(const struct pl_fix *const *)a)->edits, *y = (*(const struct pl_fix *const *)b)->edits;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    return strcmp(x->text, y->text);
}

// All fixes that do not meet, as one action. Others follow when these have been applied.
static void put_fix_all(struct lsp_call *call, const struct lsp_result *result)
{
    const struct pl_fix **fixes = PL_ARENA_ARRAY(call->arena, const struct pl_fix *, (size_t)result->count + 1);
    size_t count = 0, end = 0;
    for (uint32_t i = 0; fixes && i < result->count; i++) {
        if (result->findings[i].fix)
            fixes[count++] = result->findings[i].fix;
    }
    if (count == 0)
        return;
    qsort(fixes, count, sizeof *fixes, by_offset);
    open_action(call, "Fix all problems of this file that have one fix", "source.fixAll.platen");
    for (size_t i = 0; i < count; i++) {
        const struct pl_edit *last = &fixes[i]->edits[fixes[i]->count - 1];
        if (i > 0 && fixes[i]->edits[0].offset <= end)
            continue;
        put_edits(call, fixes[i]);
        end = (size_t)last->offset + last->length;
    }
    close_edits(call);
    pl_json_end(&call->json);
}

// context.only: does it ask for this kind? A kind stands for all that begin with it.
static bool is_wanted(struct pl_slice params, const char *kind)
{
    struct pl_rpc_value value, entry;
    pl_rpc_member(params, "context", &value);
    pl_rpc_member(value.raw, "only", &value);
    if (value.type != PL_JSON_ARRAY)
        return true;
    for (size_t at = 0; at < 16 && pl_rpc_item(value.raw, &at, &entry);) {
        size_t n = entry.token.len;
        if (entry.type == PL_JSON_STRING && n <= strlen(kind) && memcmp(entry.token.ptr, kind, n) == 0 &&
            (kind[n] == '\0' || kind[n] == '.' || n == 0))
            return true;
    }
    return false;
}

enum lsp_outcome lsp_code_action(struct lsp_call *call)
{
    const struct lsp_result *result = call->document->result;
    bool quick = is_wanted(call->params, "quickfix"), all = is_wanted(call->params, "source.fixAll.platen");
    struct pl_json_writer *json = &call->json;
    struct lsp_cursor cursor = lsp_call_cursor(call);
    pl_json_array(json);
    if (result && result->revision != call->document->revision)
        result = NULL; // of a text that was changed
    for (uint32_t i = 0; quick && result && i < result->count; i++) {
        const struct lsp_finding *f = &result->findings[i];
        if (!f->fix || f->offset > call->to || (size_t)f->offset + f->length < call->from)
            continue;
        open_action(call, f->fix->title, "quickfix");
        put_edits(call, f->fix);
        close_edits(call);
        pl_json_kv_bool(json, "isPreferred", true);
        pl_json_kv_array(json, "diagnostics");
        put_diagnostic(call->server, call->document, json, &cursor, f);
        pl_json_ends(json, 2);
    }
    if (all && result)
        put_fix_all(call, result);
    pl_json_end(json);
    return LSP_ANSWERED;
}
