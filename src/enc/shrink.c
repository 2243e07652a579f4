// Smaller pictures of a page, for screens: the mean of the dots that each shade covers.
#include "base/ckd.h"
#include "enc/enc.h"

struct shrinking {
    const struct pl_canvas *canvas;
    uint32_t from_width, from_height, width, height;
    uint8_t *dots;   // a row of the canvas
    uint32_t *row;   // the same in `width` sums; a whole dot of the picture weighs from_width
    uint64_t *sums;  // of the rows that a row of the picture covers
    uint8_t *shades; // a row of the picture
};

static void read_row(const struct shrinking *s, uint32_t y)
{
    if (s->canvas->grey) {
        pl_grey_get_row(s->canvas->grey, y, s->dots);
        return;
    }
    for (uint32_t x = 0; x < s->from_width; x++)
        s->dots[x] = pl_bitmap_get(s->canvas->bits, x, y) ? 0 : 255;
}

// In units of 1 / from_width of a dot of the picture, dot x of the canvas reaches from x * width to (x + 1) * width:
// over two dots of the picture at most.
static void sum_row(const struct shrinking *s)
{
    memset(s->row, 0, s->width * sizeof s->row[0]);
    uint64_t at = 0;
    for (uint32_t x = 0; x < s->from_width; x++, at += s->width) {
        uint32_t first = (uint32_t)(at / s->from_width);
        uint64_t end = (uint64_t)(first + 1) * s->from_width;
        uint32_t inside = (uint32_t)PL_MIN(end - at, (uint64_t)s->width);
        s->row[first] += s->dots[x] * inside;
        if (inside < s->width)
            s->row[first + 1] += s->dots[x] * (s->width - inside);
    }
}

static void add_row(const struct shrinking *s, uint64_t weight)
{
    for (uint32_t x = 0; x < s->width; x++)
        s->sums[x] += s->row[x] * weight;
}

static enum pl_errc put_row(const struct shrinking *s, uint32_t y, struct pl_arena *arena, struct pl_grey *out,
                            struct pl_error *err)
{
    const uint64_t whole = (uint64_t)s->from_width * s->from_height;
    for (uint32_t x = 0; x < s->width; x++)
        s->shades[x] = (uint8_t)((s->sums[x] + whole / 2) / whole);
    memset(s->sums, 0, s->width * sizeof s->sums[0]);
    return pl_grey_put_row(arena, out, y, s->shades, err);
}

enum pl_errc pl_canvas_shrink(const struct pl_canvas *canvas, uint32_t width, struct pl_arena *arena,
                              struct pl_grey *out, struct pl_error *err)
{
    struct shrinking s = {.canvas = canvas,
                          .from_width = canvas->bits ? canvas->bits->width : canvas->grey->width,
                          .from_height = canvas->bits ? canvas->bits->height : canvas->grey->height,
                          .width = width};
    s.height = (uint32_t)PL_MAX((uint64_t)s.from_height * width / s.from_width, (uint64_t)1);
    size_t groups = ((size_t)s.from_width + PL_GREY_GROUP - 1) / PL_GREY_GROUP;
    s.dots = PL_ARENA_ARRAY(arena, uint8_t, groups * PL_GREY_GROUP);
    s.row = PL_ARENA_ARRAY(arena, uint32_t, width);
    s.sums = PL_ARENA_ARRAY(arena, uint64_t, width);
    s.shades = PL_ARENA_ARRAY(arena, uint8_t, ((size_t)width + PL_GREY_GROUP - 1) / PL_GREY_GROUP * PL_GREY_GROUP);
    if (!s.dots || !s.row || !s.sums || !s.shades)
        return pl_fail_memory(err);
    memset(s.sums, 0, width * sizeof s.sums[0]);
    memset(s.shades, 255, ((size_t)width + PL_GREY_GROUP - 1) / PL_GREY_GROUP * PL_GREY_GROUP);
    PL_TRY(pl_grey_new(arena, width, s.height, out, err));
    uint64_t at = 0; // as in sum_row, for rows
    for (uint32_t y = 0, to = 0; y < s.from_height; y++, at += s.height) {
        PL_TRY(pl_job_check(canvas->job, err));
        uint64_t end = (uint64_t)(to + 1) * s.from_height;
        uint64_t inside = PL_MIN(end - at, (uint64_t)s.height);
        read_row(&s, y);
        sum_row(&s);
        add_row(&s, inside);
        if (at + inside == end) {
            PL_TRY(put_row(&s, to++, arena, out, err));
            add_row(&s, s.height - inside);
        }
    }
    return PL_OK;
}
