// Comparing two pages that were kept: ink, areas, elements, and a picture of both.
#include "render/compare.h"

#include <stdlib.h>

#include "base/ckd.h"
#include "raster/bits.h"
#include "render/cancel.h"
#include "render/options.h"

#define COMPARISON_BYTES ((size_t)1 << 30)
#define AREAS_MOST 64u

struct platen_comparison {
    struct pl_arena arena;
    const struct platen_snapshot *a, *b;
    struct platen_ink ink;
    struct platen_area *areas;
    uint32_t areas_kept, area_count;
    struct platen_element_change *changes;
    uint32_t change_count;
    bool has_elements;
    bool same;
    struct pl_job job;
};

static enum pl_errc count_ink(struct platen_comparison *c, struct pl_error *err)
{
    const struct pl_bitmap *a = &c->a->bits, *b = &c->b->bits;
    struct platen_ink *ink = &c->ink;
    *ink = (struct platen_ink){.width_a = a->width, .height_a = a->height, .width_b = b->width, .height_b = b->height};
    uint32_t words = PL_MAX(a->stride, b->stride), height = PL_MAX(a->height, b->height);
    for (uint32_t y = 0; y < height; y++) {
        PL_TRY(pl_job_check(&c->job, err));
        for (uint32_t word = 0; word < words; word++) {
            uint64_t x = pl_compare_word(a, y, word), z = pl_compare_word(b, y, word);
            ink->a += pl_count_bits64(x);
            ink->b += pl_count_bits64(z);
            ink->only_a += pl_count_bits64(x & ~z);
            ink->only_b += pl_count_bits64(z & ~x);
        }
    }
    uint64_t all = ink->b + ink->only_a;
    ink->share = all ? (double)(ink->only_a + ink->only_b) / (double)all : 0;
    return PL_OK;
}

static void add_change(struct platen_comparison *c, const struct pl_kept_element *a, const struct pl_kept_element *b)
{
    struct platen_element_change *out = &c->changes[c->change_count];
    *out = (struct platen_element_change){.change = a ? PLATEN_REMOVED : PLATEN_ADDED,
                                          .a = a ? &a->element : NULL,
                                          .b = b ? &b->element : NULL,
                                          .index_a = a ? a->index : 0,
                                          .index_b = b ? b->index : 0};
    if (a && b) {
        out->differs = pl_element_differences(a, b);
        if (out->differs == 0)
            return;
        out->change = out->differs == PLATEN_DIFFERS_PLACE ? PLATEN_MOVED : PLATEN_CHANGED;
        out->dx = pl_clamp_i32((int64_t)b->element.x - a->element.x, INT32_MIN, INT32_MAX);
        out->dy = pl_clamp_i32((int64_t)b->element.y - a->element.y, INT32_MIN, INT32_MAX);
    }
    static const char *const NAMES[] = {"removed", "added", "moved", "changed"};
    out->change_name = NAMES[out->change];
    c->change_count++;
}

static enum pl_errc find_changes(struct platen_comparison *c, struct pl_error *err)
{
    const struct platen_snapshot *a = c->a, *b = c->b;
    uint32_t *partners = PL_ARENA_ARRAY(&c->arena, uint32_t, a->element_count + (size_t)1);
    bool *taken = PL_ARENA_ARRAY(&c->arena, bool, b->element_count + (size_t)1);
    c->changes =
        PL_ARENA_ARRAY(&c->arena, struct platen_element_change, (size_t)a->element_count + b->element_count + 1);
    if (!partners || !taken || !c->changes)
        return pl_fail_memory(err);
    PL_TRY(pl_match_elements(a, b, &c->arena, partners, taken, err));
    for (uint32_t i = 0; i < a->element_count; i++)
        add_change(c, &a->elements[i], partners[i] == PL_NO_PARTNER ? NULL : &b->elements[partners[i]]);
    for (uint32_t i = 0; i < b->element_count; i++) {
        if (!taken[i])
            add_change(c, NULL, &b->elements[i]);
    }
    return PL_OK;
}

static enum pl_errc compare(struct platen_comparison *c, const struct platen_compare_options *options,
                            struct pl_error *err)
{
    PL_TRY(count_ink(c, err));
    const struct platen_ink *ink = &c->ink;
    uint64_t differing = ink->only_a + ink->only_b;
    if (differing > 0)
        PL_TRY(pl_find_areas(&c->a->bits, &c->b->bits, AREAS_MOST, &c->arena, &c->areas, &c->areas_kept, &c->area_count,
                             err));
    PL_TRY(pl_job_check(&c->job, err));
    c->has_elements = c->a->has_elements && c->b->has_elements;
    if (c->has_elements)
        PL_TRY(find_changes(c, err));
    bool few = differing <= options->tolerance_dots ||
               (options->tolerance_percent > 0 && ink->share * 100 <= options->tolerance_percent);
    c->same = few && ink->width_a == ink->width_b && ink->height_a == ink->height_b &&
              !(options->elements && c->change_count > 0);
    return PL_OK;
}

enum platen_status platen_compare(const struct platen_snapshot *a, const struct platen_snapshot *b,
                                  const struct platen_compare_options *options, struct platen_comparison **out,
                                  struct platen_error *err)
{
    if (out)
        *out = NULL;
    if (!a || !b || !out)
        return pl_null_argument(err, __func__);
    struct platen_compare_options known;
    enum platen_status status = pl_options_read(options, &known, sizeof known, "platen_compare_options", err);
    if (status != PLATEN_OK)
        return status;
    if (!(known.tolerance_percent >= 0 && known.tolerance_percent <= 100))
        return pl_public_fail(err, PLATEN_E_INVALID, "the tolerance must be from 0 to 100 percent");
    struct platen_comparison *c = calloc(1, sizeof *c);
    if (!c)
        return pl_public_fail(err, PLATEN_E_MEMORY, "no memory for a comparison");
    struct pl_error inner = {0};
    pl_arena_init(&c->arena, COMPARISON_BYTES);
    c->job = (struct pl_job){pl_cancel_flag(known.cancel), known.deadline_ns};
    c->a = a;
    c->b = b;
    enum pl_errc code = compare(c, &known, &inner);
    if (code != PL_OK) {
        platen_comparison_free(c);
        return pl_public_status(code, &inner, err);
    }
    *out = c;
    return PLATEN_OK;
}

void platen_comparison_free(struct platen_comparison *comparison)
{
    if (!comparison)
        return;
    pl_arena_fini(&comparison->arena);
    free(comparison);
}

bool platen_comparison_is_same(const struct platen_comparison *comparison)
{
    if (!comparison)
        return false;
    return comparison->same;
}

void(platen_comparison_ink)(const struct platen_comparison *comparison, struct platen_ink *out, size_t size)
{
    if (!comparison || !out)
        return;
    pl_give(out, size, &comparison->ink, sizeof comparison->ink);
}

uint32_t platen_comparison_area_count(const struct platen_comparison *comparison)
{
    if (!comparison)
        return 0;
    return comparison->area_count;
}

bool(platen_comparison_area_at)(const struct platen_comparison *comparison, uint32_t index, struct platen_area *out,
                                size_t size)
{
    if (!comparison || !out)
        return false;
    if (index >= comparison->areas_kept)
        return false;
    return pl_give(out, size, &comparison->areas[index], sizeof comparison->areas[index]);
}

bool platen_comparison_has_elements(const struct platen_comparison *comparison)
{
    if (!comparison)
        return false;
    return comparison->has_elements;
}

uint32_t platen_comparison_change_count(const struct platen_comparison *comparison)
{
    if (!comparison)
        return 0;
    return comparison->change_count;
}

bool(platen_comparison_change_at)(const struct platen_comparison *comparison, uint32_t index,
                                  struct platen_element_change *out, size_t size)
{
    if (!comparison || !out)
        return false;
    if (index >= comparison->change_count)
        return false;
    return pl_give(out, size, &comparison->changes[index], sizeof comparison->changes[index]);
}

enum platen_status platen_comparison_picture(const struct platen_comparison *comparison, struct platen_buffer *out,
                                             struct platen_error *err)
{
    if (!comparison || !out)
        return pl_null_argument(err, __func__);
    struct pl_error inner = {0};
    struct pl_buf buf = {.data = out->data, .cap = out->capacity, .max = SIZE_MAX / 2};
    uint32_t density = comparison->a->density ? comparison->a->density : comparison->b->density;
    enum pl_errc code = pl_job_check(&comparison->job, &inner);
    if (code == PL_OK)
        code = pl_png_encode_both(&comparison->a->bits, &comparison->b->bits, density, &buf, &inner);
    // The buffer may have moved even if the encoder failed.
    out->data = buf.data;
    out->capacity = buf.cap;
    out->size = code == PL_OK ? buf.len : 0;
    return pl_public_status(code, &inner, err);
}
