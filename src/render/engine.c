// Engine and worker: what lives longer than a render.
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ckd.h"
#include "os/locale.h"
#include "render/cancel.h"
#include "render/options.h"
#include "render/render.h"

#define GLYPH_CACHE_BYTES ((size_t)8 << 20)
#define LARGEST_FONT_1000 10000           // of the size that a label asks for, in 1/1000
#define OBJECTS_BYTES ((size_t)512 << 20) // preloaded objects are the operator's own

// The public codes are the inner ones under public names.
_Static_assert((int)PLATEN_OK == PL_OK && (int)PLATEN_E_MEMORY == PL_E_MEMORY && (int)PLATEN_E_LIMIT == PL_E_LIMIT &&
                   (int)PLATEN_E_INVALID == PL_E_INVALID && (int)PLATEN_E_IO == PL_E_IO &&
                   (int)PLATEN_E_NOT_FOUND == PL_E_NOT_FOUND && (int)PLATEN_E_DEADLINE == PL_E_DEADLINE &&
                   (int)PLATEN_E_CANCELLED == PL_E_CANCELLED && (int)PLATEN_E_BUG == PL_E_BUG,
               "status codes differ");

enum platen_status pl_public_status(enum pl_errc code, const struct pl_error *from, struct platen_error *to)
{
    if (code != PL_OK && to) {
        to->status = (enum platen_status)code;
        snprintf(to->message, sizeof to->message, "%s", from->message);
    }
    return (enum platen_status)code;
}

enum platen_status pl_public_fail(struct platen_error *err, enum platen_status status, const char *fmt, ...)
{
    if (err) {
        va_list args;
        va_start(args, fmt);
        err->status = status;
        pl_os_vsnprintf(err->message, sizeof err->message, fmt, args);
        va_end(args);
    }
    return status;
}

enum platen_status pl_null_argument(struct platen_error *err, const char *function)
{
    return pl_public_fail(err, PLATEN_E_INVALID, "%s was given NULL where it needs an object", function);
}

enum platen_status pl_page_gone(struct platen_error *err)
{
    return pl_public_fail(err, PLATEN_E_INVALID, "the page is gone: its worker was trimmed, drew again or detached it");
}

const char *platen_status_name(enum platen_status status)
{
    return pl_errc_name((enum pl_errc)status);
}

const char *platen_version(void)
{
    return PROJECT_VERSION;
}

// The provider of the public header, as the fonts see it.
static bool font_of_caller(void *context, uint32_t index, struct pl_given_font *out)
{
    const struct platen_engine_options *options = context;
    struct platen_font font = {0};
    if (!options->font_at(options->font_context, index, &font))
        return false;
    *out = (struct pl_given_font){.name = font.name,
                                  .bytes = pl_slice_make(font.data, font.size),
                                  .height_1000 = (int32_t)PL_MIN(font.height_1000, (uint32_t)LARGEST_FONT_1000),
                                  .width_1000 = (int32_t)PL_MIN(font.width_1000, (uint32_t)LARGEST_FONT_1000)};
    return true;
}

enum platen_status platen_font_check(const struct platen_font *font, struct platen_error *err)
{
    if (!font || (!font->data && font->size > 0))
        return pl_null_argument(err, __func__);
    struct pl_error inner = {0};
    enum pl_errc code = pl_font_check(pl_slice_make(font->data, font->size), &inner);
    return code == PL_OK ? PLATEN_OK : pl_public_status(code, &inner, err);
}

static enum pl_errc fill_engine(struct platen_engine *engine, struct platen_engine_options *o, struct pl_error *err)
{
    struct pl_limits *limits = &engine->limits;
    *limits = (struct pl_limits)PL_LIMITS_DEFAULT;
    engine->glyph_cache_bytes = GLYPH_CACHE_BYTES;
    limits->input_bytes = o->input_bytes ? o->input_bytes : limits->input_bytes;
    limits->labels = o->labels ? o->labels : limits->labels;
    limits->copies = o->copies ? o->copies : limits->copies;
    limits->dots_per_label = o->dots_per_label ? o->dots_per_label : limits->dots_per_label;
    limits->decoded_graphics = o->decoded_graphics ? o->decoded_graphics : limits->decoded_graphics;
    limits->stored_bytes = o->stored_bytes ? o->stored_bytes : limits->stored_bytes;
    limits->arena_bytes = o->arena_bytes ? o->arena_bytes : limits->arena_bytes;
    limits->elements_per_label = o->elements_per_label ? o->elements_per_label : limits->elements_per_label;
    limits->diagnostics = o->diagnostics ? o->diagnostics : limits->diagnostics;
    engine->glyph_cache_bytes = o->glyph_cache_bytes ? o->glyph_cache_bytes : engine->glyph_cache_bytes;
    pl_arena_init(&engine->objects_arena, OBJECTS_BYTES);
    pl_store_init(&engine->objects, &engine->objects_arena, NULL, OBJECTS_BYTES);
    const struct pl_font_provider provider = {font_of_caller, o};
    PL_TRY(pl_fonts_new(o->font_at ? &provider : NULL, &engine->fonts, err));
    if (o->objects_dir)
        PL_TRY(pl_store_load_dir(&engine->objects, o->objects_dir, &engine->object_count, err));
    return PL_OK;
}

enum platen_status platen_engine_new(const struct platen_engine_options *options, struct platen_engine **out,
                                     struct platen_error *err)
{
    if (out)
        *out = NULL;
    if (!out)
        return pl_null_argument(err, __func__);
    struct platen_engine_options known;
    enum platen_status status = pl_options_read(options, &known, sizeof known, "platen_engine_options", err);
    if (status != PLATEN_OK)
        return status;
    struct pl_error inner = {0};
    struct platen_engine *engine = calloc(1, sizeof *engine);
    if (!engine)
        return pl_public_fail(err, PLATEN_E_MEMORY, "no memory for the engine");
    engine->self = engine;
    atomic_init(&engine->holders, 1);
    enum pl_errc code = fill_engine(engine, &known, &inner);
    if (code != PL_OK) {
        platen_engine_free(engine);
        return pl_public_status(code, &inner, err);
    }
    *out = engine;
    return PLATEN_OK;
}

void pl_engine_hold(const struct platen_engine *engine)
{
    atomic_fetch_add_explicit(&engine->self->holders, 1, memory_order_relaxed);
}

void pl_engine_drop(const struct platen_engine *engine)
{
    struct platen_engine *e = engine->self;
    if (atomic_fetch_sub_explicit(&e->holders, 1, memory_order_acq_rel) > 1)
        return;
    pl_fonts_free(e->fonts);
    pl_arena_fini(&e->objects_arena);
    free(e);
}

void platen_engine_free(struct platen_engine *engine)
{
    if (engine)
        pl_engine_drop(engine);
}

void(platen_engine_limits)(const struct platen_engine *engine, struct platen_limits *out, size_t size)
{
    if (!engine || !out)
        return;
    const struct pl_limits *l = &engine->limits;
    struct platen_limits result = {.input_bytes = l->input_bytes,
                                   .labels = l->labels,
                                   .dots_per_label = l->dots_per_label,
                                   .decoded_graphics = l->decoded_graphics,
                                   .stored_bytes = l->stored_bytes,
                                   .arena_bytes = l->arena_bytes,
                                   .elements_per_label = l->elements_per_label,
                                   .diagnostics = l->diagnostics};
    pl_give(out, size, &result, sizeof result);
}

uint32_t platen_engine_object_count(const struct platen_engine *engine)
{
    if (!engine)
        return 0;
    return engine->object_count;
}

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
