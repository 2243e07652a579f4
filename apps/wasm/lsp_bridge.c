// The language server for JavaScript: messages in, messages out. packages/vscode/src/engine.ts is the other side.
//
// There is one server. lsp_message takes a message, lsp_step does what takes longer than a key; both leave frames
// (Content-Length) in the output.
#include <stdio.h>
#include <stdlib.h>

#include "editors/lsp_work.h"
#include "lsp/server.h"
#include "os/clock.h"

#define EXPORT(name) __attribute__((export_name(#name))) name
#define MEMORY ((size_t)8 << 20)

static struct lsp_work work;
static struct lsp_host host;
static struct lsp_server server;
static struct pl_arena memory;

// ---- no threads: the host calls lsp_step

struct lsp_thread {
    char none;
};

struct lsp_thread *lsp_thread_new(void)
{
    static struct lsp_thread one;
    return &one;
}

bool lsp_thread_start(struct lsp_thread *thread, void (*run)(void *user), void *user)
{
    (void)thread, (void)run, (void)user;
    return true;
}

void lsp_thread_join(struct lsp_thread *thread)
{
    (void)thread;
}

void lsp_thread_free(struct lsp_thread *thread)
{
    (void)thread;
}

void lsp_thread_lock(struct lsp_thread *thread)
{
    (void)thread;
}

void lsp_thread_unlock(struct lsp_thread *thread)
{
    (void)thread;
}

void lsp_thread_wait(struct lsp_thread *thread, uint64_t until_ns)
{
    (void)thread, (void)until_ns;
}

void lsp_thread_wake(struct lsp_thread *thread)
{
    (void)thread;
}

int lsp_thread_fd(const struct lsp_thread *thread)
{
    (void)thread;
    return -1;
}

void lsp_thread_call(struct lsp_thread *thread)
{
    (void)thread;
}

void lsp_thread_called(struct lsp_thread *thread)
{
    (void)thread;
}

// ---- no command line: a failure names no option

uint64_t cli_deadline(const struct cli_limits *limits)
{
    return limits->render_ms ? pl_now_ns() + limits->render_ms * 1000000u : 0;
}

void cli_more_time(const struct cli_limits *limits, uint64_t deadline_ns, struct platen_document *document)
{
    (void)limits, (void)deadline_ns, (void)document;
}

void cli_failure(const struct platen_error *err, char *out, size_t size)
{
    snprintf(out, size, "%s", err->message);
}

// ---- calls

void *EXPORT(lsp_reserve)(size_t size)
{
    return malloc(size ? size : 1);
}

void EXPORT(lsp_release)(void *bytes)
{
    free(bytes);
}

// 0: it can be used.
int EXPORT(lsp_start)(void)
{
    struct platen_engine_options options = PLATEN_ENGINE_OPTIONS();
    struct platen_engine *engine;
    struct platen_error err;
    uint32_t not_read;
    pl_arena_init(&memory, MEMORY);
    work = (struct lsp_work){.settings.memory = &memory};
    work.settings.fail_on = PLATEN_ERROR;
    work.settings.common.limits = (struct cli_limits)CLI_LIMITS_INIT;
    controls_init(&work.settings.common.controls);
    work.settings.common.render = controls_given_options(&work.settings.common.controls.values);
    // Without a reader for all symbologies (read_zxing_absent.c) it would be said of every symbol of some of them.
    if (check_code_find(pl_slice_cstr("symbol_not_read"), &not_read))
        check_codes_put(&work.settings.ignore, not_read);
    host = (struct lsp_host){
        .version = platen_version(), .dpmm = 8, .user = &work, .configure = lsp_work_configure, .run = lsp_work_run};
    if (platen_engine_new(&options, &engine, &err) != PLATEN_OK ||
        platen_worker_new(engine, &work.worker, &err) != PLATEN_OK)
        return (int)err.status;
    return lsp_server_init(&server, &host) ? 0 : (int)PLATEN_E_MEMORY;
}

// `json` is one message, without a head.
void EXPORT(lsp_message)(const void *json, size_t size)
{
    struct pl_rpc_message message;
    struct pl_rpc_value id;
    pl_rpc_message_read(pl_slice_make(json, size), &message);
    if (message.kind == PL_RPC_NOTIFICATION && pl_slice_eq_cstr(message.method, "$/cancelRequest")) {
        pl_rpc_member(message.params.raw, "id", &id);
        (void)lsp_background_cancel(&server.background, id.raw);
    } else {
        lsp_server_message(&server, &message, false);
    }
    lsp_server_results(&server);
}

// Does a job that waits. False: there is none.
bool EXPORT(lsp_step)(void)
{
    bool found = lsp_background_step(&server.background, false);
    lsp_server_results(&server);
    return found;
}

const uint8_t *EXPORT(lsp_output)(void)
{
    return server.out.data;
}

size_t EXPORT(lsp_output_size)(void)
{
    return server.out.len;
}

void EXPORT(lsp_output_taken)(void)
{
    lsp_server_clear(&server.out);
}
