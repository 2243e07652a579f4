// The engine: fonts, limits and objects that all threads share.
#include <stdlib.h>

#include "base/ckd.h"
#include "render/options.h"
#include "render/render.h"

#define GLYPH_CACHE_BYTES ((size_t)8 << 20)
#define LARGEST_FONT_1000 10000           // of the size that a label asks for, in 1/1000
#define OBJECTS_BYTES ((size_t)512 << 20) // preloaded objects are the operator's own

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
