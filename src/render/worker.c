// The worker: what a thread keeps from one label to the next, and whether it ran out of memory.
#include <errno.h>
#include <stdlib.h>

#include "render/cancel.h"
#include "render/render.h"

enum platen_status platen_worker_new(const struct platen_engine *engine, struct platen_worker **out,
                                     struct platen_error *err)
{
    if (out)
        *out = NULL;
    if (!engine || !out)
        return pl_null_argument(err, __func__);
    struct pl_error inner = {0};
    struct platen_worker *worker = calloc(1, sizeof *worker);
    if (!worker)
        return pl_public_fail(err, PLATEN_E_MEMORY, "no memory for a worker");
    worker->engine = engine;
    pl_engine_hold(engine);
    pl_arena_init(&worker->document_arena, engine->limits.arena_bytes);
    pl_arena_init(&worker->page_arena, engine->limits.arena_bytes);
    pl_arena_init(&worker->scratch, engine->limits.arena_bytes);
    worker->budget.limit = engine->limits.arena_bytes;
    pl_arena_join(&worker->document_arena, &worker->budget, true);
    pl_arena_join(&worker->page_arena, &worker->budget, true);
    pl_arena_join(&worker->scratch, &worker->budget, true);
    enum pl_errc code =
        pl_writer_new(engine->fonts, engine->glyph_cache_bytes, &worker->budget, &worker->writer, &inner);
    if (code != PL_OK) {
        platen_worker_free(worker);
        return pl_public_status(code, &inner, err);
    }
    worker->font_bytes = worker->budget.used;
    *out = worker;
    return PLATEN_OK;
}

void platen_worker_set_cancel(struct platen_worker *worker, const struct platen_cancel *cancel, uint64_t deadline_ns)
{
    if (worker)
        worker->job = (struct pl_job){pl_cancel_flag(cancel), deadline_ns};
}

void platen_worker_free(struct platen_worker *worker)
{
    if (!worker)
        return;
    if (worker->has_document)
        pl_document_drop(worker->document.options.after);
    pl_writer_free(worker->writer);
    pl_arena_fini(&worker->document_arena);
    pl_arena_fini(&worker->page_arena);
    pl_arena_fini(&worker->scratch);
    pl_engine_drop(worker->engine);
    free(worker);
}

void pl_worker_close_fonts(struct platen_worker *worker)
{
    pl_writer_end_job(worker->writer);
    worker->fonts_of = 0;
}

void pl_worker_turn_to(struct platen_worker *worker, const struct platen_document *document)
{
    if (worker->fonts_of == document->number)
        return;
    pl_worker_close_fonts(worker);
    worker->fonts_of = document->number;
}

void pl_worker_drop_page(struct platen_worker *worker)
{
    worker->page = (struct platen_page){0};
    pl_arena_end_job(&worker->page_arena, PL_WORKER_KEEP);
    pl_arena_end_job(&worker->scratch, PL_WORKER_KEEP);
}

void platen_worker_trim(struct platen_worker *worker)
{
    if (!worker)
        return;
    pl_worker_drop_page(worker);
    // The worker learns of the end of its own document, but not of another's.
    if (!worker->has_document || worker->fonts_of != worker->document.number)
        pl_worker_close_fonts(worker);
}

void platen_worker_wipe(struct platen_worker *worker)
{
    if (!worker)
        return;
    if (worker->has_document)
        return; // it would lose its labels
    platen_worker_trim(worker);
    pl_arena_wipe(&worker->document_arena);
    pl_arena_wipe(&worker->page_arena);
    pl_arena_wipe(&worker->scratch);
}

bool platen_worker_searched_at(const struct platen_worker *worker, uint32_t index, uint32_t *character)
{
    if (!worker || !character)
        return false;
    return pl_writer_searched_at(worker->writer, index, character);
}

void platen_worker_forget_searched(struct platen_worker *worker)
{
    if (!worker)
        return;
    pl_writer_forget_searched(worker->writer);
}

void pl_memory_watch_begin(struct platen_worker *worker)
{
    size_t arenas = worker->document_arena.reserved + worker->page_arena.reserved + worker->scratch.reserved;
    worker->faces_before = worker->budget.used - arenas > worker->font_bytes;
    worker->budget.refused = false;
    worker->errno_before = errno;
    errno = 0;
}

bool pl_memory_watch_retry(struct platen_worker *worker, enum pl_errc code)
{
    if (code == PL_E_DEADLINE || code == PL_E_CANCELLED)
        return false;
    if (worker->budget.refused ? !worker->faces_before : code != PL_OK || errno != ENOMEM)
        return false;
    pl_writer_forget(worker->writer);
    worker->budget.refused = false;
    errno = 0;
    return true;
}

enum pl_errc pl_memory_watch_end(struct platen_worker *worker, enum pl_errc code, struct pl_error *err)
{
    bool complained = errno == ENOMEM;
    errno = worker->errno_before;
    if (!complained && !worker->budget.refused)
        return code;
    pl_writer_forget(worker->writer);
    return code == PL_OK ? pl_fail_memory(err) : code;
}
