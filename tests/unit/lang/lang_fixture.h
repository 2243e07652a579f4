// One interpretation for tests: arena, store, diagnostics and scene together. Languages have fixtures of their own that
// include this one.
#ifndef PL_TEST_LANG_FIXTURE_H
#define PL_TEST_LANG_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "lang/lang.h"
#include "unit.h"

struct run {
    struct pl_arena arena;
    struct pl_store store;
    struct pl_diags diags;
    struct pl_scene scene;
    struct pl_error err;
    struct pl_lang_options options;
    const struct pl_job *job;
    const void *end;
    enum pl_errc code;
};

// 2026-03-05 14:07:09, a Thursday.
#define RUN_TIME 1772719629

static inline void run_init(struct run *r)
{
    *r = (struct run){.options = {.profile = &pl_profile_reference,
                                  .dpmm = 8,
                                  .width = 812,
                                  .height = 1218,
                                  .limits = PL_LIMITS_DEFAULT,
                                  .time = RUN_TIME}};
    pl_arena_init(&r->arena, (size_t)256 << 20);
}

static inline void run_with(struct run *r, pl_lang_interpret *interpret, const void *code, size_t length)
{
    pl_store_init(&r->store, &r->arena, NULL, r->options.limits.stored_bytes);
    pl_diags_init(&r->diags, &r->arena, r->options.limits.diagnostics);
    if (!r->options.end)
        r->options.end = &r->end;
    r->code = interpret(pl_slice_make(code, length), &r->options, &r->store, &r->arena, &r->diags, r->job, &r->scene,
                        &r->err);
}

static inline void run_end(struct run *r)
{
    pl_arena_fini(&r->arena);
}

static inline const struct pl_element *run_element(const struct run *r, uint32_t label, uint32_t index)
{
    assert_true(label < r->scene.label_count);
    assert_true(index < r->scene.labels[label].element_count);
    return r->scene.labels[label].elements[index];
}

// The characters of a text element as ASCII; others become '?'.
static inline const char *run_string(const struct pl_element *e, char *out, size_t size)
{
    assert_int_equal(e->kind, PL_ELEMENT_TEXT);
    size_t n = 0;
    for (uint32_t i = 0; i < e->text.length && n + 1 < size; i++)
        out[n++] = (char)(e->text.chars[i] < 0x7F ? e->text.chars[i] : '?');
    out[n] = '\0';
    return out;
}

static inline uint32_t run_count(const struct run *r, enum pl_diag_id id)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->diags.count; i++)
        n += r->diags.items[i].id == id;
    return n;
}

static inline bool run_has(const struct run *r, enum pl_diag_id id)
{
    for (uint32_t i = 0; i < r->diags.count; i++) {
        if (r->diags.items[i].id == id)
            return true;
    }
    return false;
}

// Scene and diagnostics as the golden files hold them.
static inline void run_dump(struct run *r, struct pl_slice input, struct pl_buf *out)
{
    pl_scene_dump(&r->scene, out);
    pl_diags_locate(&r->diags, input, NULL);
    for (uint32_t i = 0; i < r->diags.count; i++) {
        const struct pl_diag *d = &r->diags.items[i];
        pl_buf_printf(out, "%s %u:%u @%u+%u %s", pl_diag_info(d->id)->code, d->line, d->column, d->source.offset,
                      d->source.length, d->source.command[0] ? d->source.command : "-");
        if (d->parameter)
            pl_buf_printf(out, "[%u]", d->parameter);
        pl_buf_printf(out, " label=%d %s\n", d->label, d->message);
    }
}

#endif
