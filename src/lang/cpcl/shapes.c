// BOX, LINE and INVERSE-LINE.
#include "lang/cpcl/cmd_table.h"

#define THICKEST 32000

enum pl_errc cpcl_cmd_box(struct cpcl *e, struct cpcl_args *a)
{
    int32_t at[5];
    if (!cpcl_all_dots(e, a, 5, at))
        return PL_OK;
    const struct cpcl_settings *s = &e->settings;
    struct pl_element *box =
        pl_element_new(&e->labels, PL_ELEMENT_BOX, a->source, PL_MIN(at[0], at[2]) + s->offset_x + s->origin_x,
                       PL_MIN(at[1], at[3]) + s->origin_y);
    if (!box)
        return pl_fail_memory(e->err);
    int32_t width = abs(at[2] - at[0]), height = abs(at[3] - at[1]);
    int32_t thickness = pl_clamp_i32(at[4], 1, THICKEST); // 0 prints a thin frame
    box->shape = (struct pl_shape){.width = PL_MAX(width, 1),
                                   .height = PL_MAX(height, 1),
                                   .thickness = pl_frame_thickness(width, height, thickness)};
    cpcl_page_drawn(e, box->at.y + box->shape.height);
    return cpcl_add(e, box);
}

// ---- patterns

enum { PITCH = 8, STROKE = 2 }; // dots; how far apart the lines of patterns are is not documented

static bool pattern_has(int32_t pattern, uint32_t x, uint32_t y)
{
    switch (pattern) {
    case 101: // horizontal
        return y % PITCH < STROKE;
    case 102: // vertical
        return x % PITCH < STROKE;
    case 103: // rising to the right
        return (x + y) % PITCH < STROKE;
    case 104: // rising to the left
        return (x + PITCH - y % PITCH) % PITCH < STROKE;
    case 105: // squares
        return y % PITCH < STROKE || x % PITCH < STROKE;
    case 106: // cross hatch
        return (x + y) % PITCH < STROKE || (x + PITCH - y % PITCH) % PITCH < STROKE;
    default:
        return true;
    }
}

// The part of the area that is on the page. Outside of labels the page is as long as what is on it.
static struct pl_box on_page(const struct cpcl *e, struct pl_box box)
{
    const struct cpcl_settings *s = &e->settings;
    int32_t height = pl_clamp_i32(s->page_height ? s->page_height : e->options->height, 1, CPCL_FAR);
    struct pl_box page = {0, 0, cpcl_page_width(e), e->mode == CPCL_LABEL ? height : INT32_MAX};
    return pl_box_intersect(box, page);
}

// A part of an area filled with the pattern, which begins `left` and `top` dots before it; NULL: it was too large,
// which was reported.
static enum pl_errc fill_pattern(struct cpcl *e, const struct cpcl_args *a, struct pl_box part, uint32_t left,
                                 uint32_t top, struct pl_bitmap **out)
{
    uint32_t width = (uint32_t)(part.x1 - part.x0), height = (uint32_t)(part.y1 - part.y0);
    struct pl_error why;
    *out = NULL;
    enum pl_errc code = pl_img_open(&e->img, width, height, out, &why);
    if (code == PL_E_LIMIT)
        return PL_REPORTED(cpcl_note(e, a, PL_DIAG_LIMIT_REACHED, "the area was left out: %s.", why.message));
    if (code != PL_OK) {
        *e->err = why;
        return code;
    }
    for (uint32_t y = 0; y < height; y++) {
        PL_TRY(pl_job_check_often(e->job, &e->since_check, e->err));
        if (y >= PITCH) { // rows repeat
            memcpy(pl_bitmap_row(*out, y), pl_bitmap_row(*out, y - PITCH), (size_t)(*out)->stride * sizeof(uint64_t));
            continue;
        }
        for (uint32_t x = 0; x < width; x++)
            if (pattern_has(e->settings.pattern, left + x, top + y))
                pl_bitmap_set(*out, x, y);
    }
    return PL_OK;
}

static enum pl_errc add_pattern(struct cpcl *e, const struct cpcl_args *a, struct pl_box box)
{
    struct pl_bitmap *bits = NULL;
    struct pl_box part = on_page(e, box);
    if (!pl_box_is_empty(part))
        PL_TRY(fill_pattern(e, a, part, (uint32_t)(part.x0 - box.x0), (uint32_t)(part.y0 - box.y0), &bits));
    if (!bits)
        return PL_OK;
    struct pl_element *area = pl_element_new(&e->labels, PL_ELEMENT_IMAGE, a->source, part.x0, part.y0);
    if (!area)
        return pl_fail_memory(e->err);
    area->image = (struct pl_image){.bits = bits, .mx = 1, .my = 1};
    return cpcl_add(e, area);
}

// ---- lines

// A line along an axis: its thickness is below it, or to its right.
static enum pl_errc straight(struct cpcl *e, const struct cpcl_args *a, struct pl_box box, bool inverse)
{
    const struct cpcl_settings *s = &e->settings;
    int32_t width = box.x1 - box.x0, height = box.y1 - box.y0;
    // Only inverse lines follow the justification: they lie over justified text.
    if (inverse && s->justify == PL_JUSTIFY_CENTER)
        box.x0 = (box.x0 + cpcl_edge(e, PL_ROT_N) - width) / 2;
    else if (inverse && s->justify == PL_JUSTIFY_RIGHT)
        box.x0 = cpcl_edge(e, PL_ROT_N) - width;
    int32_t x = box.x0 + s->offset_x + s->origin_x, y = box.y0 + s->origin_y;
    box = (struct pl_box){x, y, x + width, y + height};
    cpcl_page_drawn(e, box.y1);
    if (!inverse && s->pattern != 100)
        return add_pattern(e, a, box);
    struct pl_element *line = pl_element_new_solid(&e->labels, a->source, box);
    if (!line)
        return pl_fail_memory(e->err);
    line->reverse = inverse;
    return cpcl_add(e, line);
}

// Its middle goes from one point to the other.
static enum pl_errc diagonal(struct cpcl *e, const struct cpcl_args *a, const int32_t at[4], int32_t thickness,
                             bool inverse)
{
    const struct cpcl_settings *s = &e->settings;
    struct pl_element *line = pl_element_new(&e->labels, PL_ELEMENT_DIAGONAL, a->source,
                                             PL_MIN(at[0], at[2]) - thickness / 2 + s->offset_x + s->origin_x,
                                             PL_MIN(at[1], at[3]) - thickness / 2 + s->origin_y);
    if (!line)
        return pl_fail_memory(e->err);
    line->reverse = inverse;
    line->shape = pl_line_shape((struct pl_box){at[0], at[1], at[2], at[3]}, thickness);
    cpcl_page_drawn(e, line->at.y + line->shape.height);
    if (!inverse && s->pattern != 100)
        cpcl_note(e, a, PL_DIAG_UNSUPPORTED, "a diagonal line with a pattern is drawn black.");
    return cpcl_add(e, line);
}

enum pl_errc cpcl_cmd_line(struct cpcl *e, struct cpcl_args *a)
{
    int32_t at[5];
    if (!cpcl_all_dots(e, a, 5, at))
        return PL_OK;
    bool inverse = a->row->kind == 1;
    if (a->row->kind == 2)
        cpcl_note(e, a, PL_DIAG_UNSUPPORTED, "the line is drawn whole.");
    int32_t thickness = pl_clamp_i32(at[4], 1, THICKEST), x = PL_MIN(at[0], at[2]), y = PL_MIN(at[1], at[3]);
    int32_t across = PL_MAX(at[0], at[2]) - x, down = PL_MAX(at[1], at[3]) - y;
    if (across > 0 && down > 0)
        return diagonal(e, a, at, thickness, inverse);
    struct pl_box box = {x, y, x + (down > 0 ? thickness : PL_MAX(across, 1)), y + (down > 0 ? down : thickness)};
    return straight(e, a, box, inverse);
}
