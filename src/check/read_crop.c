// The crop of a symbol, upright, by its dots and by its modules, and what zxing-cpp reads in it.
#include "base/ckd.h"
#include "check/read_work.h"

bool pl_read_is_small(struct pl_box box, uint32_t margin)
{
    int64_t width = (int64_t)box.x1 - box.x0 + 2 * margin, height = (int64_t)box.y1 - box.y0 + 2 * margin;
    return width <= PL_ZXING_MAX_SIDE && height <= PL_ZXING_MAX_SIDE && width * height <= PL_ZXING_MAX_DOTS;
}

bool pl_reader_is_matrix(const struct pl_reader *reader)
{
    return reader->formats & (PL_ZXING_QR | PL_ZXING_DATAMATRIX | PL_ZXING_AZTEC);
}

// A box of the crop on the page.
static struct pl_box on_page(const struct pl_read_work *w, struct pl_box box)
{
    const struct pl_box area = w->from;
    const int32_t m = (int32_t)w->margin;
    struct pl_frame frame = {area.x0, area.y0, w->request->rotation};
    if (frame.rotation == PL_ROT_R || frame.rotation == PL_ROT_I)
        frame.x = area.x1;
    if (frame.rotation == PL_ROT_I || frame.rotation == PL_ROT_B)
        frame.y = area.y1;
    return pl_frame_box(frame, (struct pl_box){box.x0 - m, box.y0 - m, box.x1 - m, box.y1 - m});
}

void pl_read_decoded(struct pl_read_work *w, struct pl_box place, bool gs1)
{
    w->out->outcome = PL_READ_DECODED;
    w->out->reason = NULL;
    w->out->data = pl_slice_make(w->text.data, w->text.length);
    w->out->gs1 = gs1;
    w->out->place = on_page(w, place);
}

// Some rows of the crop. *read: there is a symbol in them.
enum pl_errc pl_read_ask_zxing(struct pl_read_work *w, uint32_t y, uint32_t height, bool pure,
                               struct pl_zxing_result *result, bool *read)
{
    struct pl_zxing_job job = {.words = pl_bitmap_row(&w->crop, y),
                               .stride = w->crop.stride,
                               .width = w->crop.width,
                               .height = height,
                               .formats = w->reader->formats,
                               .pure = pure};
    *result = (struct pl_zxing_result){.data = w->text.data, .capacity = PL_READ_MAX_DATA};
    enum pl_zxing_status status = pl_zxing_read(&job, result);
    w->text.length = result->length;
    *read = status == PL_ZXING_READ;
    if (*read)
        pl_read_normalise(w->request->symbology, &w->text, &result->gs1);
    return status == PL_ZXING_FAILED ? pl_fail(w->err, PL_E_MEMORY, "the reader of barcodes found no memory") : PL_OK;
}

enum pl_errc pl_read_ask_whole(struct pl_read_work *w, bool pure)
{
    struct pl_zxing_result result;
    bool read;
    PL_TRY(pl_job_check(w->job, w->err));
    PL_TRY(pl_read_ask_zxing(w, 0, w->crop.height, pure, &result, &read));
    if (read)
        pl_read_decoded(w, (struct pl_box){result.x0, result.y0, result.x1, result.y1}, result.gs1);
    return PL_OK;
}

// Left and right exchanged.
static enum pl_errc flip(struct pl_read_work *w, struct pl_bitmap *bits)
{
    struct pl_bitmap out;
    PL_TRY(pl_bitmap_new(w->arena, bits->width, bits->height, &out, w->err));
    for (uint32_t y = 0; y < bits->height; y++) {
        const uint64_t *from = pl_bitmap_row(bits, y);
        uint64_t *to = pl_bitmap_row(&out, y);
        for (uint32_t x = 0; x < bits->width; x++) {
            uint32_t at = bits->width - 1 - x;
            to[at / 64] |= (from[x / 64] >> (63 - x % 64) & 1) << (63 - at % 64);
        }
    }
    *bits = out;
    return PL_OK;
}

// The part of the page, upright.
enum pl_errc pl_read_take_crop(struct pl_read_work *w)
{
    const struct pl_read_request *q = w->request;
    struct pl_bitmap turned;
    uint32_t width = (uint32_t)(w->from.x1 - w->from.x0), height = (uint32_t)(w->from.y1 - w->from.y0);
    static const enum pl_rotation back[] = {PL_ROT_N, PL_ROT_B, PL_ROT_I, PL_ROT_R};
    PL_TRY(pl_bitmap_new(w->arena, width + 2 * w->margin, height + 2 * w->margin, &turned, w->err));
    // Only the area: what lies outside of the quiet zone does not count.
    struct pl_box inside =
        pl_box_intersect(w->from, (struct pl_box){0, 0, (int32_t)q->page->width, (int32_t)q->page->height});
    if (!pl_box_is_empty(inside)) {
        struct pl_bitmap part;
        PL_TRY(pl_bitmap_new(w->arena, (uint32_t)(inside.x1 - inside.x0), (uint32_t)(inside.y1 - inside.y0), &part,
                             w->err));
        pl_bitmap_blit(&part, q->page, -inside.x0, -inside.y0, PL_INK_BLACK);
        pl_bitmap_blit(&turned, &part, inside.x0 - w->from.x0 + (int32_t)w->margin,
                       inside.y0 - w->from.y0 + (int32_t)w->margin, PL_INK_BLACK);
    }
    if (q->mirrored)
        PL_TRY(flip(w, &turned));
    if (q->rotation == PL_ROT_N)
        w->crop = turned;
    else
        PL_TRY(pl_bitmap_turn(w->arena, &turned, back[q->rotation], &w->crop, w->err));
    return PL_OK;
}

// The dots of the bars alone.
enum pl_errc pl_read_take_bars(struct pl_read_work *w)
{
    w->from = w->request->bars;
    w->margin = 0;
    return pl_read_take_crop(w);
}

bool pl_read_is_read(const struct pl_read_work *w)
{
    return w->out->outcome == PL_READ_DECODED;
}

enum pl_errc pl_read_ask_grid(struct pl_read_work *w, bool pure)
{
    PL_TRY(pl_read_ask_whole(w, pure));
    if (pl_read_is_read(w))
        w->out->place = w->request->bars;
    return PL_OK;
}

// The symbol by its modules instead of its dots: few, whatever was printed over it, so that the time is short and
// bounded.
enum pl_errc pl_read_take_grid(struct pl_read_work *w, struct pl_read_sampling sampling)
{
    struct pl_bitmap grid;
    PL_TRY(pl_read_take_bars(w));
    if (w->request->inverted)
        pl_bitmap_fill(&w->crop, (struct pl_box){0, 0, (int32_t)w->crop.width, (int32_t)w->crop.height}, PL_INK_XOR);
    PL_TRY(pl_read_grid(w->arena, &w->crop, w->module, sampling, &grid, w->err));
    w->crop = grid;
    return PL_OK;
}
