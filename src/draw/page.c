// The drawing loop of a label: elements in order, reverse printing, saved pictures, bands for smooth output.
#include "draw/page.h"

#include "base/ckd.h"

// Smooth output draws on a bitmap of 16 times the dots; large pages are drawn in bands of at most this many bytes.
#define BAND_BYTES ((uint64_t)8 << 20)

// The canvas of a format, or a band of it, and what goes on from element to element.
struct loop {
    const struct pl_scene *scene;
    const struct pl_page_tools *tools;
    const struct pl_page_options *options;
    struct pl_bitmap *canvas;
    uint32_t scale;
    int32_t band_top;                       // first row of the band, in dots of the format
    struct pl_bitmap mask;                  // scale 1, blank between two uses; made when first needed
    const struct pl_bitmap *drawn_pictures; // one for each of scene->pictures that is needed
    struct pl_pen pen;
    struct pl_diags mute;             // keeps nothing
    uint32_t area_width, area_height; // of the format in its dots; 0: do not look what lies outside
};

static enum pl_errc make_mask(struct loop *loop, struct pl_error *err)
{
    if (loop->mask.words)
        return PL_OK;
    return pl_bitmap_new(loop->tools->arena, loop->canvas->width / loop->scale, loop->canvas->height / loop->scale,
                         &loop->mask, err);
}

// Combines the mask with the canvas where the element has ink, and blanks it again. The box may be off by a rounding,
// so the rows around it are looked at too.
static void apply_mask(struct loop *loop, struct pl_box ink)
{
    if (pl_box_is_empty(ink))
        return;
    struct pl_bitmap *mask = &loop->mask;
    uint32_t y0 = (uint32_t)pl_clamp_i64((int64_t)ink.y0 - 2, 0, mask->height);
    uint32_t y1 = (uint32_t)pl_clamp_i64((int64_t)ink.y1 + 2, 0, mask->height);
    if (loop->scale == 1) {
        struct pl_bitmap rows = {mask->width, y1 - y0, mask->stride, pl_bitmap_row(mask, y0)};
        pl_bitmap_blit(loop->canvas, &rows, 0, (int32_t)y0, PL_INK_XOR);
    } else {
        pl_bitmap_blit_enlarged(loop->canvas, mask, y0, y1, 0, 0, loop->scale, loop->scale, PL_INK_XOR);
    }
    memset(pl_bitmap_row(mask, y0), 0, (size_t)(y1 - y0) * mask->stride * sizeof(uint64_t));
}

static const struct pl_bitmap *image_bits(const struct loop *loop, const struct pl_image *image)
{
    if (image->bits || !image->picture || !loop->drawn_pictures)
        return image->bits;
    for (uint32_t i = 0; i < loop->scene->picture_count; i++) {
        if (loop->scene->pictures[i] == image->picture)
            return loop->drawn_pictures[i].words ? &loop->drawn_pictures[i] : NULL;
    }
    return NULL;
}

static enum pl_errc draw_element(struct loop *loop, const struct pl_element *element, struct pl_drawn *drawn,
                                 struct pl_error *err)
{
    struct pl_draw draw = {
        .canvas = loop->canvas,
        .ink = element->reverse ? PL_INK_XOR : PL_INK_BLACK,
        .scale = loop->scale,
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
        pl_draw_shape(&draw, element, drawn);
        return PL_OK;
    case PL_ELEMENT_IMAGE: {
        drawn->rotation = PL_ROT_N;
        const struct pl_bitmap *bits = image_bits(loop, &element->image);
        if (bits)
            pl_draw_image(&draw, element, bits, drawn);
        return PL_OK;
    }
    case PL_ELEMENT_TEXT:
    case PL_ELEMENT_BARCODE:
        break;
    }
    // Glyphs and bars of one field may overlap, which must not undo the reversing: they are drawn on a mask first. The
    // reference draws reversed text without smooth edges, so the mask has the printer's dots whatever the scale.
    if (element->reverse) {
        PL_TRY(make_mask(loop, err));
        draw.canvas = &loop->mask;
        draw.ink = PL_INK_BLACK;
        draw.scale = 1;
        draw.any_coverage = true;
    }
    PL_TRY(element->kind == PL_ELEMENT_TEXT ? pl_draw_text(&draw, element, drawn, err)
                                            : pl_draw_barcode(&draw, element, drawn, err));
    if (element->reverse)
        apply_mask(loop, drawn->ink);
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
static void tell_outside(const struct loop *loop, const struct pl_element *element, struct pl_box ink)
{
    struct pl_box area = {0, 0, (int32_t)loop->area_width, (int32_t)loop->area_height};
    if (pl_box_is_empty(ink) || (ink.x0 >= 0 && ink.y0 >= 0 && ink.x1 <= area.x1 && ink.y1 <= area.y1))
        return;
    bool all = pl_box_is_empty(pl_box_intersect(ink, area));
    pl_diag_add(loop->tools->diags, PL_DIAG_OUTSIDE_LABEL, element->source, 0,
                "The field lies %s outside the label: its ink is at %d,%d to %d,%d, the printed area is %u x %u dots.",
                all ? "wholly" : "partly", ink.x0, ink.y0, ink.x1, ink.y1, loop->area_width, loop->area_height);
}

// One pass over the elements; in bands after the first, only those whose ink reaches the band.
static enum pl_errc draw_elements(struct loop *loop, const struct pl_label *label, struct pl_drawn *drawn,
                                  struct pl_pen *pens, struct pl_error *err)
{
    bool first_band = loop->band_top == 0;
    int32_t band_rows = (int32_t)(loop->canvas->height / loop->scale);
    struct pl_arena_mark mark = pl_arena_mark(loop->tools->scratch);
    for (uint32_t i = 0; i < label->element_count; i++) {
        const struct pl_element *element = label->elements[i];
        struct pl_drawn one;
        struct pl_element moved;
        PL_TRY(pl_job_check(loop->tools->job, err));
        if (!first_band) {
            if (drawn[i].ink.y1 + 2 < loop->band_top || drawn[i].ink.y0 - 2 > loop->band_top + band_rows)
                continue;
            PL_TRY(move_up(element, loop->band_top, loop->tools->scratch, &moved, err));
            element = &moved;
            loop->pen = i > 0 ? pens[i - 1] : (struct pl_pen){0};
            loop->pen.y_2048 -= (int64_t)loop->band_top * 2048;
        }
        PL_TRY(draw_element(loop, element, &one, err));
        if (first_band && loop->area_width)
            tell_outside(loop, element, one.ink);
        if (first_band && drawn) {
            if (loop->options->want_report)
                PL_TRY(keep_drawn(loop->tools->arena, &one, err));
            drawn[i] = one;
        }
        if (first_band && pens)
            pens[i] = loop->pen;
        pl_arena_release(loop->tools->scratch, mark);
    }
    return PL_OK;
}

// Draws the pictures of ^IS that the label shows, straight or through other pictures. A picture shows earlier ones
// only, so going backwards finds all that are needed, and forwards each is drawn after what it shows.
static enum pl_errc draw_pictures(struct loop *loop, const struct pl_label *label, struct pl_error *err)
{
    const struct pl_scene *scene = loop->scene;
    uint32_t n = scene->picture_count;
    bool any = false;
    for (uint32_t i = 0; i < label->element_count && !any; i++)
        any = label->elements[i]->kind == PL_ELEMENT_IMAGE && label->elements[i]->image.picture;
    if (!any || n == 0)
        return PL_OK;
    struct pl_arena *arena = loop->tools->arena;
    bool *needed = (bool *)pl_arena_zalloc(arena, n, 1);
    struct pl_bitmap *drawn = (struct pl_bitmap *)pl_arena_zalloc(arena, n * sizeof *drawn, _Alignof(struct pl_bitmap));
    if (!needed || !drawn)
        return pl_fail_memory(err);
    for (uint32_t p = n + 1; p-- > 0;) { // p = n stands for the label itself
        const struct pl_label *from = p == n ? label : scene->pictures[p];
        if (p < n && !needed[p])
            continue;
        for (uint32_t i = 0; i < from->element_count; i++) {
            const struct pl_element *element = from->elements[i];
            if (element->kind != PL_ELEMENT_IMAGE || !element->image.picture)
                continue;
            for (uint32_t k = 0; k < p; k++)
                needed[k] = needed[k] || scene->pictures[k] == element->image.picture;
        }
    }
    for (uint32_t p = 0; p < n; p++) {
        if (!needed[p])
            continue;
        PL_TRY(pl_bitmap_new(arena, loop->canvas->width / loop->scale, loop->options->height, &drawn[p], err));
        struct pl_page_options options = *loop->options;
        options.want_report = false;
        struct loop inner = {.scene = scene,
                             .tools = loop->tools,
                             .options = &options,
                             .canvas = &drawn[p],
                             .scale = 1,
                             .drawn_pictures = drawn};
        PL_TRY(draw_elements(&inner, scene->pictures[p], NULL, NULL, err));
    }
    loop->drawn_pictures = drawn;
    return PL_OK;
}

static struct pl_page_map page_map(const struct pl_label *label, const struct pl_page_options *options)
{
    struct pl_page_map map = {.width = options->width,
                              .height = options->height,
                              .dot_size = PL_MAX(label->dot_size, 1u),
                              .area_width = options->width,
                              .mirrored = label->mirrored,
                              .upside_down = label->upside_down,
                              .rotation = options->rotation};
    // A print width narrower than the page: the printed area is centred on it, and nothing is printed beside it.
    if (label->print_width != 0 && label->print_width < options->width) {
        map.area_width = label->print_width;
        map.offset_x = (int32_t)((options->width - label->print_width) / 2);
    }
    return map;
}

static enum pl_errc finish_bits(const struct pl_page_map *map, const struct pl_page_tools *tools,
                                const struct pl_bitmap *canvas, struct pl_drawn_page *page, struct pl_error *err)
{
    if (canvas->words != page->bits.words) {
        if (map->dot_size == 1) {
            pl_bitmap_blit(&page->bits, canvas, map->offset_x, 0, PL_INK_BLACK);
        } else {
            pl_bitmap_blit_enlarged(&page->bits, canvas, 0, canvas->height, map->offset_x, 0, map->dot_size,
                                    map->dot_size, PL_INK_BLACK);
        }
    }
    if (map->mirrored)
        pl_bitmap_mirror(&page->bits);
    if (map->upside_down)
        pl_bitmap_turn_over(&page->bits);
    if (map->rotation == PL_ROT_N)
        return PL_OK;
    struct pl_bitmap turned;
    PL_TRY(pl_bitmap_turn(tools->arena, &page->bits, map->rotation, &turned, err));
    page->bits = turned;
    return PL_OK;
}

static enum pl_errc finish_grey(const struct pl_page_map *map, const struct pl_page_tools *tools,
                                struct pl_drawn_page *page, struct pl_error *err)
{
    if (map->mirrored)
        pl_grey_mirror(&page->grey);
    if (map->upside_down)
        pl_grey_turn_over(&page->grey);
    if (map->rotation == PL_ROT_N)
        return PL_OK;
    struct pl_grey turned;
    PL_TRY(pl_grey_turn(tools->arena, &page->grey, map->rotation, &turned, err));
    page->grey = turned;
    return PL_OK;
}

// Bitonal: one pass on the page's own bitmap, or on one of the print area where that differs.
static enum pl_errc draw_bits(struct loop *loop, const struct pl_label *label, const struct pl_page_map *map,
                              struct pl_drawn *drawn, struct pl_drawn_page *page, struct pl_error *err)
{
    struct pl_arena *arena = loop->tools->arena;
    PL_TRY(pl_bitmap_new(arena, map->width, map->height, &page->bits, err));
    struct pl_bitmap canvas = page->bits;
    if (map->dot_size != 1 || map->area_width != map->width)
        PL_TRY(pl_bitmap_new(arena, (map->area_width + map->dot_size - 1) / map->dot_size,
                             (map->height + map->dot_size - 1) / map->dot_size, &canvas, err));
    loop->canvas = &canvas;
    loop->scale = 1;
    loop->area_width = canvas.width;
    loop->area_height = canvas.height;
    PL_TRY(draw_pictures(loop, label, err));
    PL_TRY(draw_elements(loop, label, drawn, NULL, err));
    return finish_bits(map, loop->tools, &canvas, page, err);
}

static enum pl_errc draw_grey(struct loop *loop, const struct pl_label *label, const struct pl_page_map *map,
                              struct pl_drawn *drawn, struct pl_drawn_page *page, struct pl_error *err)
{
    struct pl_arena *arena = loop->tools->arena;
    page->is_grey = true;
    PL_TRY(pl_grey_new(arena, map->width, map->height, &page->grey, err));
    uint32_t width, columns = (map->area_width + map->dot_size - 1) / map->dot_size;
    uint32_t rows = (map->height + map->dot_size - 1) / map->dot_size;
    if (!PL_CKD_MUL(&width, columns, PL_GREY_SCALE))
        return pl_fail(err, PL_E_LIMIT, "the label is too wide");
    uint64_t row_bytes = (uint64_t)(width / 64 + 1) * 8 * PL_GREY_SCALE;
    uint32_t band = (uint32_t)pl_clamp_i64((int64_t)(BAND_BYTES / row_bytes), 1, rows);
    struct pl_pen *pens = NULL;
    if (band < rows && label->element_count) {
        pens = PL_ARENA_ARRAY(arena, struct pl_pen, label->element_count);
        if (!pens)
            return pl_fail_memory(err);
    }
    struct pl_bitmap canvas;
    PL_TRY(pl_bitmap_new(arena, width, band * PL_GREY_SCALE, &canvas, err));
    loop->canvas = &canvas;
    loop->scale = PL_GREY_SCALE;
    loop->area_width = columns;
    loop->area_height = rows;
    PL_TRY(draw_pictures(loop, label, err));
    for (uint32_t top = 0; top < rows; top += band) {
        if (top != 0)
            memset(canvas.words, 0, (size_t)canvas.stride * canvas.height * sizeof(uint64_t));
        loop->band_top = (int32_t)top;
        PL_TRY(draw_elements(loop, label, drawn, pens, err));
        pl_grey_reduce(&page->grey, &canvas, (uint32_t)map->offset_x, top * map->dot_size, map->dot_size);
    }
    // The print area's last dot may be cut by its edge.
    return finish_grey(map, loop->tools, page, err);
}

enum pl_errc pl_page_draw(const struct pl_scene *scene, const struct pl_label *label,
                          const struct pl_page_options *options, const struct pl_page_tools *tools,
                          struct pl_drawn_page *page, struct pl_error *err)
{
    struct loop loop = {.scene = scene, .tools = tools, .options = options};
    struct pl_page_map map = page_map(label, options);
    *page = (struct pl_drawn_page){0};
    struct pl_drawn *drawn = NULL;
    if ((options->want_report || options->grey) && label->element_count) {
        drawn = PL_ARENA_ARRAY(tools->arena, struct pl_drawn, label->element_count);
        if (!drawn)
            return pl_fail_memory(err);
    }
    PL_TRY(options->grey ? draw_grey(&loop, label, &map, drawn, page, err)
                         : draw_bits(&loop, label, &map, drawn, page, err));
    if (!options->want_report || label->element_count == 0)
        return PL_OK;
    page->reports = PL_ARENA_ARRAY(tools->arena, struct pl_element_report, label->element_count);
    if (!page->reports)
        return pl_fail_memory(err);
    page->report_count = label->element_count;
    for (uint32_t i = 0; i < label->element_count; i++)
        page->reports[i] = (struct pl_element_report){.element = label->elements[i], .drawn = drawn[i]};
    return pl_page_check(&map, page, tools->arena, err);
}
