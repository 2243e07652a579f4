// Takes the part of the page that a symbol has, and gives it to the reader of its symbology.
#include "check/read.h"

#include "base/ckd.h"
#include "check/read_work.h"

// The readers of this folder look at the middle of a module. Where ink has spread or is missing at one side of every
// bar, that may be the wrong dot, and the right one is at the other side of the module.
static enum pl_errc read_area(struct pl_read_work *w)
{
    const uint32_t module = w->module;
    const int32_t shifts[] = {0, (int32_t)(module / 2), (int32_t)(module / 2) - (int32_t)module + 1};
    PL_TRY(pl_read_take_bars(w));
    const struct pl_bitmap crop = w->crop;
    for (int i = 0; i < 3; i++) {
        if (i > 0 && shifts[i] == 0)
            continue;
        PL_TRY(pl_job_check(w->job, w->err));
        if (shifts[i]) {
            PL_TRY(pl_bitmap_new(w->arena, crop.width, crop.height, &w->crop, w->err));
            pl_bitmap_blit(&w->crop, &crop, shifts[i], 0, PL_INK_BLACK);
        }
        w->text.length = 0;
        w->text.full = false;
        if (!w->reader->area(&w->crop, module, &w->text) || w->text.full)
            continue;
        pl_read_decoded(w, (struct pl_box){0, 0, (int32_t)crop.width, (int32_t)crop.height}, false);
        break;
    }
    return PL_OK;
}

static enum pl_errc read_crop(struct pl_read_work *w)
{
    if (pl_check_shape_of(w->request->symbology) == PL_SHAPE_LINEAR) {
        PL_TRY(pl_read_take_crop(w));
        return pl_read_lines(w);
    }
    if (w->reader->area) {
        const struct pl_box area = w->from;
        const uint32_t margin = w->margin;
        PL_TRY(read_area(w));
        w->from = area;
        w->margin = margin;
    }
    bool ask = !pl_read_is_read(w) && w->reader->formats && pl_zxing_present();
    return ask ? pl_read_whole(w) : PL_OK;
}

// zxing looks for the symbol in its quiet zone, and gets some paper around that: it wants more than some symbologies
// ask for. The readers of this folder are told where the bars are. Captions above and below bars are left out.
static void choose_part(struct pl_read_work *w)
{
    const struct pl_read_request *q = w->request;
    // MaxiCode is only read where nothing else is in the crop, and UPS puts lines into its quiet zone.
    bool whole = w->reader->formats && q->symbology != PL_CHECK_MAXICODE;
    w->margin = w->reader->formats ? PL_MIN(w->module * 10, 200u) : 0;
    w->from = whole ? q->area : q->bars;
    if (pl_check_shape_of(q->symbology) != PL_SHAPE_LINEAR)
        return;
    if (pl_is_upright(q->rotation)) {
        w->from.y0 = q->bars.y0;
        w->from.y1 = q->bars.y1;
    } else {
        w->from.x0 = q->bars.x0;
        w->from.x1 = q->bars.x1;
    }
}

// Gives the crops and the room for the largest text back; the data itself is copied behind them.
static enum pl_errc keep_data(struct pl_read_work *w, struct pl_arena_mark mark)
{
    struct pl_read_result *out = w->out;
    uint8_t data[PL_READ_MAX_DATA];
    const size_t length = pl_read_is_read(w) ? out->data.len : 0;
    if (length)
        memcpy(data, out->data.ptr, length);
    pl_arena_release(w->arena, mark);
    out->data = (struct pl_slice){0};
    if (!pl_read_is_read(w))
        return PL_OK;
    uint8_t *copy = (uint8_t *)pl_arena_alloc(w->arena, length + 1, 1);
    if (!copy)
        return pl_fail_memory(w->err);
    if (length)
        memcpy(copy, data, length);
    out->data = pl_slice_make(copy, length);
    return PL_OK;
}

enum pl_errc pl_read_symbol(const struct pl_read_request *request, const struct pl_job *job, struct pl_arena *arena,
                            struct pl_read_result *out, struct pl_error *err)
{
    *out = (struct pl_read_result){.outcome = PL_READ_NO_READER};
    if (!pl_read_has_reader(request->symbology, &out->reason))
        return PL_OK;
    out->outcome = PL_READ_UNREADABLE;
    out->reason = "The symbol could not be read.";
    struct pl_read_work w = {.request = request,
                             .reader = pl_reader_of(request->symbology),
                             .job = job,
                             .arena = arena,
                             // No module is wider than what is read: products with it stay small.
                             .module = PL_MIN(PL_MAX(request->module, 1u), (uint32_t)PL_ZXING_MAX_SIDE),
                             .out = out,
                             .err = err};
    if ((request->inverted && !pl_reader_is_matrix(w.reader)) || pl_box_is_empty(request->bars) ||
        pl_box_is_empty(request->area))
        return PL_OK;
    choose_part(&w);
    if (!pl_read_is_small(w.from, w.margin) || !pl_read_is_small(request->bars, 0)) {
        out->outcome = PL_READ_TOO_LARGE;
        out->reason = "The symbol has more dots than the reader takes.";
        return PL_OK;
    }
    struct pl_arena_mark mark = pl_arena_mark(arena);
    w.text.data = (uint8_t *)pl_arena_alloc(arena, PL_READ_MAX_DATA, 1);
    enum pl_errc code = w.text.data ? read_crop(&w) : pl_fail_memory(err);
    if (code == PL_OK && !pl_read_is_read(&w) && w.reader->formats && !pl_zxing_present()) {
        out->outcome = PL_READ_NO_READER;
        out->reason = "This build of Platen has one of the two readers for this symbology, which did not read it.";
    }
    if (code == PL_OK)
        return keep_data(&w, mark);
    pl_arena_release(arena, mark);
    out->data = (struct pl_slice){0};
    return code;
}
