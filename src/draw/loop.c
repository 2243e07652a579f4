// The drawing loop of a label: elements in order, reverse printing, saved pictures.
#include "draw/loop.h"

#include <stdlib.h>

#include "base/ckd.h"
#include "base/search.h"

static enum pl_errc make_mask(const struct pl_draw_loop *loop, struct pl_bitmap *mask, struct pl_error *err)
{
    if (mask->words)
        return PL_OK;
    return pl_bitmap_new(loop->tools->arena, loop->canvas->width, loop->canvas->height, mask, err);
}

// Combines a mask with the canvas where it has ink, and blanks it again. The box may be off by a rounding, so the rows
// around it are looked at too.
static void apply_mask(const struct pl_draw_loop *loop, struct pl_bitmap *mask, struct pl_box ink)
{
    if (pl_box_is_empty(ink))
        return;
    uint32_t y0 = (uint32_t)pl_clamp_i64((int64_t)ink.y0 - 2, 0, mask->height);
    uint32_t y1 = (uint32_t)pl_clamp_i64((int64_t)ink.y1 + 2, 0, mask->height);
    if (loop->samples) {
        pl_samples_reverse(loop->samples, mask, y0, PL_MIN(y1, loop->canvas->height));
    } else {
        struct pl_bitmap rows = {mask->width, y1 - y0, mask->stride, pl_bitmap_row(mask, y0)};
        pl_bitmap_blit(loop->canvas, &rows, 0, (int32_t)y0, PL_INK_XOR);
    }
    memset(pl_bitmap_row(mask, y0), 0, (size_t)(y1 - y0) * mask->stride * sizeof(uint64_t));
}

static int by_label(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)((const struct pl_picture *)a)->label,
              y = (uintptr_t)((const struct pl_picture *)b)->label;
    return (x > y) - (x < y);
}

// NULL: it is not one of the scene's.
static struct pl_picture *find_picture(const struct pl_picture *pictures, uint32_t n, const struct pl_label *label)
{
    uint32_t first;
    PL_FIND_FIRST(first, n, (uintptr_t)pictures[first].label < (uintptr_t)label);
    return first < n && pictures[first].label == label ? (struct pl_picture *)&pictures[first] : NULL;
}

static const struct pl_bitmap *image_bits(const struct pl_draw_loop *loop, const struct pl_image *image)
{
    if (image->bits || !image->picture || !loop->pictures)
        return image->bits;
    const struct pl_picture *picture = find_picture(loop->pictures, loop->scene->picture_count, image->picture);
    return picture && picture->bits.words ? &picture->bits : NULL;
}

static enum pl_errc draw_element(struct pl_draw_loop *loop, const struct pl_element *element, struct pl_drawn *drawn,
                                 struct pl_error *err)
{
    struct pl_draw draw = {
        .profile = loop->scene->profile,
        .canvas = loop->canvas,
        .top = -loop->band_top,
        .samples = loop->samples,
        .ink = element->reverse ? PL_INK_XOR : PL_INK_BLACK,
        .dpmm = loop->options->dpmm,
        .arena = loop->tools->scratch,
        .diags = loop->band_top == 0 ? loop->tools->diags : &loop->mute, // once is enough
        .job = loop->tools->job,
        .writer = loop->tools->writer,
        .pen = &loop->pen,
        .want_report = loop->options->want_report,
    };
    *drawn = (struct pl_drawn){.rotation = element->rotation};
    switch (element->kind) {
    case PL_ELEMENT_BOX:
    case PL_ELEMENT_ELLIPSE:
    case PL_ELEMENT_DIAGONAL:
        drawn->rotation = PL_ROT_N;
        return pl_draw_shape(&draw, element, drawn, err);
    case PL_ELEMENT_IMAGE: {
        drawn->rotation = PL_ROT_N;
        const struct pl_bitmap *bits = image_bits(loop, &element->image);
        return bits ? pl_draw_image(&draw, element, bits, drawn, err) : PL_OK;
    }
    case PL_ELEMENT_TEXT:
    case PL_ELEMENT_BARCODE:
        break;
    }
    // Glyphs and bars of one field may overlap, which must not undo the reversing: they are drawn on a mask first. The
    // reference draws reversed text without smooth edges, so the mask has no samples.
    bool captions_apart =
        element->reverse && element->kind == PL_ELEMENT_BARCODE && draw.profile->draw.reverse_by_component;
    if (captions_apart) {
        PL_TRY(make_mask(loop, &loop->caption_mask, err));
        draw.captions = &loop->caption_mask;
    }
    if (element->reverse) {
        PL_TRY(make_mask(loop, &loop->mask, err));
        draw.canvas = &loop->mask;
        draw.samples = NULL;
        draw.ink = PL_INK_BLACK;
        draw.any_coverage = draw.profile->draw.reverse_adds_touched;
    }
    PL_TRY(element->kind == PL_ELEMENT_TEXT ? pl_draw_text(&draw, element, drawn, err)
                                            : pl_draw_barcode(&draw, element, drawn, err));
    if (element->reverse)
        apply_mask(loop, &loop->mask, drawn->ink);
    if (captions_apart)
        apply_mask(loop, &loop->caption_mask, drawn->caption);
    return PL_OK;
}

// Element strings outlive the element's scratch memory only as copies.
static enum pl_errc keep_drawn(struct pl_arena *arena, struct pl_drawn *drawn, struct pl_error *err)
{
    if (drawn->text.len) {
        void *copy = pl_arena_copy(arena, drawn->text.ptr, drawn->text.len);
        if (!copy)
            return pl_fail_memory(err);
        drawn->text.ptr = (const uint8_t *)copy;
    }
    if (drawn->part_count) {
        drawn->parts =
            (const struct pl_box *)pl_arena_copy(arena, drawn->parts, drawn->part_count * sizeof *drawn->parts);
        if (!drawn->parts)
            return pl_fail_memory(err);
    }
    if (drawn->symbology) {
        drawn->symbology = (const char *)pl_arena_copy(arena, drawn->symbology, strlen(drawn->symbology) + 1);
        if (!drawn->symbology)
            return pl_fail_memory(err);
    }
    return PL_OK;
}

// The element as it lies on a band that begins at row `top`.
static enum pl_errc move_up(const struct pl_element *element, int32_t top, struct pl_arena *arena,
                            struct pl_element *out, struct pl_error *err)
{
    *out = *element;
    out->at.y = pl_clamp_i32((int64_t)element->at.y - top, INT32_MIN, INT32_MAX);
    if (element->kind != PL_ELEMENT_BARCODE || element->barcode.position_count == 0)
        return PL_OK;
    uint32_t n = element->barcode.position_count;
    int32_t(*positions)[2] = (int32_t(*)[2])pl_arena_array(arena, n, sizeof *positions, _Alignof(int32_t));
    if (!positions)
        return pl_fail_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        positions[i][0] = element->barcode.positions[i][0];
        positions[i][1] = pl_clamp_i32((int64_t)element->barcode.positions[i][1] - top, INT32_MIN, INT32_MAX);
    }
    out->barcode.positions = (const int32_t(*)[2])positions;
    return PL_OK;
}

// A field that is not all on the label, which nobody wants and nobody sees on the printer before it is too late.
static void tell_outside(const struct pl_draw_loop *loop, const struct pl_element *element, struct pl_box ink)
{
    struct pl_box area = {0, 0, (int32_t)loop->area_width, (int32_t)loop->area_height};
    if (pl_box_is_empty(ink) || (ink.x0 >= 0 && ink.y0 >= 0 && ink.x1 <= area.x1 && ink.y1 <= area.y1))
        return;
    bool all = pl_box_is_empty(pl_box_intersect(ink, area));
    pl_diag_add(loop->tools->diags, PL_DIAG_OUTSIDE_LABEL, element->source, 0,
                "The field is %s outside the label: its ink is at %d,%d to %d,%d, the printed area is %u x %u dots.",
                all ? "wholly" : "partly", ink.x0, ink.y0, ink.x1, ink.y1, loop->area_width, loop->area_height);
}

// What is known of an element after it was drawn in the first band.
static enum pl_errc keep_result(struct pl_draw_loop *loop, const struct pl_element *element, struct pl_drawn *one,
                                struct pl_drawn *out, struct pl_error *err)
{
    if (loop->area_width)
        tell_outside(loop, element, one->ink);
    if (!out)
        return PL_OK;
    if (loop->options->want_report)
        PL_TRY(keep_drawn(loop->tools->arena, one, err));
    *out = *one;
    return PL_OK;
}

// Has the element dots in the band, or next to it?
static bool reaches_band(const struct pl_draw_loop *loop, const struct pl_drawn *drawn)
{
    int64_t rows = loop->canvas->height;
    struct pl_box all = pl_box_union(drawn->ink, pl_box_union(drawn->paper, drawn->text_paper));
    return (int64_t)all.y1 + 2 >= loop->band_top && (int64_t)all.y0 - 2 <= (int64_t)loop->band_top + rows;
}

enum pl_errc pl_loop_draw(struct pl_draw_loop *loop, const struct pl_label *label, struct pl_drawn *drawn,
                          struct pl_pen *pens, struct pl_error *err)
{
    bool first_band = loop->band_top == 0;
    struct pl_arena_mark mark = pl_arena_mark(loop->tools->scratch);
    for (uint32_t i = 0; i < label->element_count; i++) {
        const struct pl_element *element = label->elements[i];
        struct pl_drawn one;
        struct pl_element moved;
        PL_TRY(pl_job_check(loop->tools->job, err));
        loop->tools->diags->element = loop->area_width ? (int32_t)i : -1; // a picture's elements are not the label's
        if (!first_band) {
            if (!reaches_band(loop, &drawn[i]))
                continue;
            PL_TRY(move_up(element, loop->band_top, loop->tools->scratch, &moved, err));
            element = &moved;
            loop->pen = i > 0 ? pens[i - 1] : (struct pl_pen){0};
            loop->pen.y_2048 -= (int64_t)loop->band_top * 2048;
        }
        PL_TRY(draw_element(loop, element, &one, err));
        if (loop->samples && loop->samples->failed)
            return pl_fail_memory(err);
        if (first_band)
            PL_TRY(keep_result(loop, element, &one, drawn ? &drawn[i] : NULL, err));
        if (first_band && pens)
            pens[i] = loop->pen;
        pl_arena_release(loop->tools->scratch, mark);
    }
    return PL_OK;
}

enum pl_errc pl_loop_draw_alone(struct pl_draw_loop *loop, const struct pl_element *element, struct pl_error *err)
{
    struct pl_drawn drawn;
    struct pl_element plain = *element;
    struct pl_arena_mark mark = pl_arena_mark(loop->tools->scratch);
    plain.reverse = false;
    PL_TRY(draw_element(loop, &plain, &drawn, err));
    pl_arena_release(loop->tools->scratch, mark);
    return PL_OK;
}

static bool shows_pictures(const struct pl_label *label)
{
    for (uint32_t i = 0; i < label->element_count; i++) {
        if (label->elements[i]->kind == PL_ELEMENT_IMAGE && label->elements[i]->image.picture)
            return true;
    }
    return false;
}

// Marks the pictures that a label shows, or an earlier one than `before` that a picture shows.
static void mark_needed(struct pl_picture *pictures, uint32_t n, const struct pl_label *label, uint32_t before)
{
    for (uint32_t i = 0; i < label->element_count; i++) {
        const struct pl_element *element = label->elements[i];
        if (element->kind != PL_ELEMENT_IMAGE || !element->image.picture)
            continue;
        struct pl_picture *shown = find_picture(pictures, n, element->image.picture);
        if (shown && shown->index < before)
            shown->needed = true;
    }
}

// Draws the pictures of ^IS that the label shows, straight or through other pictures. A picture shows earlier ones
// only, so going backwards finds all that are needed, and forwards each is drawn after what it shows.
enum pl_errc pl_loop_draw_pictures(struct pl_draw_loop *loop, const struct pl_label *label, struct pl_error *err)
{
    const struct pl_scene *scene = loop->scene;
    uint32_t n = scene->picture_count;
    if (n == 0 || !shows_pictures(label))
        return PL_OK;
    struct pl_arena *arena = loop->tools->arena;
    struct pl_picture *pictures = PL_ARENA_ARRAY(arena, struct pl_picture, n);
    uint32_t *place = PL_ARENA_ARRAY(arena, uint32_t, n); // of each picture among those sorted by address
    if (!pictures || !place)
        return pl_fail_memory(err);
    for (uint32_t i = 0; i < n; i++)
        pictures[i] = (struct pl_picture){.label = scene->pictures[i], .index = i};
    qsort(pictures, n, sizeof *pictures, by_label);
    for (uint32_t i = 0; i < n; i++)
        place[pictures[i].index] = i;
    mark_needed(pictures, n, label, n);
    for (uint32_t p = n; p-- > 0;) {
        PL_TRY(pl_job_check(loop->tools->job, err));
        if (pictures[place[p]].needed)
            mark_needed(pictures, n, scene->pictures[p], p);
    }
    struct pl_page_options options = *loop->options;
    options.want_report = false;
    for (uint32_t p = 0; p < n; p++) {
        struct pl_picture *picture = &pictures[place[p]];
        if (!picture->needed)
            continue;
        PL_TRY(pl_bitmap_new(arena, loop->area_width, loop->area_height, &picture->bits, err));
        struct pl_draw_loop inner = {
            .scene = scene, .tools = loop->tools, .options = &options, .canvas = &picture->bits, .pictures = pictures};
        PL_TRY(pl_loop_draw(&inner, scene->pictures[p], NULL, NULL, err));
    }
    loop->pictures = pictures;
    return PL_OK;
}
