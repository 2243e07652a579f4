// Keeping a page, or a picture file, to compare it with another.
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "base/hash.h"
#include "base/lengths.h"
#include "img/img.h"
#include "render/compare.h"

#define SNAPSHOT_BYTES ((size_t)1 << 30)

static enum pl_errc keep_bits(struct platen_snapshot *snapshot, const struct pl_bitmap *bits, struct pl_error *err)
{
    PL_TRY(pl_bitmap_new(&snapshot->arena, bits->width, bits->height, &snapshot->bits, err));
    for (uint32_t y = 0; y < bits->height; y++)
        memcpy(pl_bitmap_row(&snapshot->bits, y), pl_bitmap_row(bits, y), (size_t)bits->stride * sizeof(uint64_t));
    return PL_OK;
}

static uint64_t mix_number(uint64_t hash, int64_t number)
{
    return pl_hash_mix(hash, (uint64_t)number);
}

static uint64_t mix_bytes(uint64_t hash, struct pl_slice bytes)
{
    return pl_hash_mix(hash, pl_hash_fnv1a(bytes));
}

static uint64_t look_of_text(uint64_t hash, const struct pl_text *text)
{
    const struct pl_font_ref *font = &text->font;
    const struct pl_block *block = &text->block;
    const int64_t numbers[] = {
        font->resident,      font->height,   font->width,      block->kind,       block->width,     block->height,
        block->max_lines,    block->spacing, block->indent,    block->align,      text->direction,  text->gap,
        text->default_glyph, text->no_bidi,  text->no_shaping, text->plain_zeros, text->shows_cents};
    for (size_t i = 0; i < PL_COUNTOF(numbers); i++)
        hash = mix_number(hash, numbers[i]);
    return font->file ? mix_bytes(hash, font->file->name) : hash;
}

static uint64_t look_of_image(uint64_t hash, const struct pl_image *image)
{
    hash = mix_number(mix_number(hash, image->mx), image->my);
    const struct pl_bitmap *bits = image->bits;
    if (!bits)
        return hash;
    hash = mix_number(mix_number(hash, bits->width), bits->height);
    return mix_bytes(hash, pl_slice_make(bits->words, (size_t)bits->stride * bits->height * sizeof(uint64_t)));
}

static uint64_t look_of(const struct pl_element *e, const struct platen_element *out)
{
    uint64_t hash = mix_number(mix_number(1, out->rotation), out->reverse);
    hash = mix_bytes(hash, pl_slice_cstr(out->command ? out->command : ""));
    switch (e->kind) {
    case PL_ELEMENT_TEXT:
        return look_of_text(hash, &e->text);
    case PL_ELEMENT_BARCODE:
        return mix_number(hash, out->module_dots);
    case PL_ELEMENT_IMAGE:
        return look_of_image(hash, &e->image);
    default:
        hash = mix_number(mix_number(hash, e->shape.thickness), e->shape.white);
        hash = mix_number(mix_number(hash, e->shape.radius), e->shape.stroke);
        return mix_number(mix_number(hash, e->shape.rounding), e->shape.leans_left);
    }
}

// A text with a NUL behind it. NULL: no memory.
static const char *keep_text(struct pl_arena *arena, const char *text, size_t size)
{
    char *copy = pl_arena_alloc(arena, size + 1, 1);
    if (!copy)
        return NULL;
    if (size > 0)
        memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

static enum pl_errc keep_element(struct platen_snapshot *snapshot, const struct pl_element *e,
                                 const struct platen_element *from, uint32_t index, struct pl_error *err)
{
    struct pl_kept_element *kept = &snapshot->elements[index];
    struct pl_arena *arena = &snapshot->arena;
    *kept = (struct pl_kept_element){.element = *from, .origin_x = e->at.x, .origin_y = e->at.y, .index = index};
    struct platen_element *out = &kept->element;
    out->overlaps = NULL;
    out->overlap_count = 0;
    out->data = keep_text(arena, from->data, from->data_size);
    // Of most elements both texts are one.
    bool one = from->text == from->data && from->text_size == from->data_size;
    out->text = one ? out->data : keep_text(arena, from->text, from->text_size);
    const char *command = from->command ? from->command : "";
    out->command = keep_text(arena, command, strlen(command));
    if (from->symbology)
        out->symbology = keep_text(arena, from->symbology, strlen(from->symbology));
    if (!out->data || !out->text || !out->command || (from->symbology && !out->symbology))
        return pl_fail_memory(err);
    kept->data_hash = pl_hash_fnv1a(pl_slice_make(out->data, out->data_size));
    kept->look = look_of(e, out);
    return PL_OK;
}

static enum pl_errc keep_page(struct platen_snapshot *snapshot, const struct platen_page *page, struct pl_error *err)
{
    const struct pl_drawn_page *drawn = &page->drawn;
    snapshot->density = pl_density_per_metre(page->dpmm);
    PL_TRY(drawn->is_grey ? pl_grey_to_bits(&snapshot->arena, &drawn->grey, &snapshot->bits, err)
                          : keep_bits(snapshot, &drawn->bits, err));
    snapshot->has_elements = page->has_elements;
    if (page->element_count == 0)
        return PL_OK;
    snapshot->elements = PL_ARENA_ARRAY(&snapshot->arena, struct pl_kept_element, page->element_count);
    if (!snapshot->elements)
        return pl_fail_memory(err);
    snapshot->element_count = page->element_count;
    for (uint32_t i = 0; i < page->element_count; i++)
        PL_TRY(keep_element(snapshot, drawn->reports[i].element, &page->elements[i], i, err));
    return PL_OK;
}

static struct platen_snapshot *new_snapshot(void)
{
    struct platen_snapshot *snapshot = calloc(1, sizeof *snapshot);
    if (snapshot)
        pl_arena_init(&snapshot->arena, SNAPSHOT_BYTES);
    return snapshot;
}

static enum platen_status finish(struct platen_snapshot *snapshot, enum pl_errc code, const struct pl_error *inner,
                                 struct platen_snapshot **out, struct platen_error *err)
{
    if (code != PL_OK) {
        platen_snapshot_free(snapshot);
        return pl_public_status(code, inner, err);
    }
    *out = snapshot;
    return PLATEN_OK;
}

enum platen_status platen_snapshot_new(const struct platen_page *page, struct platen_snapshot **out,
                                       struct platen_error *err)
{
    if (out)
        *out = NULL;
    if (!page || !out)
        return pl_null_argument(err, __func__);
    if (!page->document)
        return pl_page_gone(err);
    struct pl_error inner = {0};
    struct platen_snapshot *snapshot = new_snapshot();
    if (!snapshot)
        return pl_public_fail(err, PLATEN_E_MEMORY, "no memory to keep a page");
    return finish(snapshot, keep_page(snapshot, page, &inner), &inner, out, err);
}

static enum pl_errc keep_picture(struct platen_snapshot *snapshot, const struct pl_limits *limits, struct pl_slice file,
                                 struct pl_error *err)
{
    struct pl_arena decoding;
    struct pl_img_env env = {.arena = &decoding, .limit = limits->decoded_graphics};
    const struct pl_bitmap *bits = NULL;
    const char *why = NULL;
    pl_arena_init(&decoding, SNAPSHOT_BYTES);
    enum pl_errc code = pl_img_decode(&env, file, &bits, &why, err);
    if (code == PL_OK && !bits)
        code = pl_fail(err, PL_E_INVALID, "the picture cannot be read: %s", why ? why : "it is damaged");
    if (code == PL_OK && (uint64_t)bits->width * bits->height > limits->dots_per_label)
        code = pl_fail(err, PL_E_INVALID, "a picture of %u x %u dots is over the limit of %llu dots", bits->width,
                       bits->height, (unsigned long long)limits->dots_per_label);
    if (code == PL_OK)
        code = keep_bits(snapshot, bits, err);
    pl_arena_fini(&decoding);
    return code;
}

enum platen_status platen_snapshot_of_picture(const struct platen_engine *engine, const void *data, size_t size,
                                              struct platen_snapshot **out, struct platen_error *err)
{
    if (out)
        *out = NULL;
    if (!engine || !out || (!data && size > 0))
        return pl_null_argument(err, __func__);
    struct pl_error inner = {0};
    struct platen_snapshot *snapshot = new_snapshot();
    if (!snapshot)
        return pl_public_fail(err, PLATEN_E_MEMORY, "no memory to keep a picture");
    return finish(snapshot, keep_picture(snapshot, &engine->limits, pl_slice_make(data, size), &inner), &inner, out,
                  err);
}

void platen_snapshot_free(struct platen_snapshot *snapshot)
{
    if (!snapshot)
        return;
    pl_arena_fini(&snapshot->arena);
    free(snapshot);
}
