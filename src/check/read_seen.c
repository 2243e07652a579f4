// Symbols as a scanner sees them, which does not know where their modules are.
#include "base/ckd.h"
#include "check/read_work.h"

// The crop as a camera sees it.
enum pl_errc pl_read_see(struct pl_read_work *w, enum pl_zxing_status *status)
{
    const struct pl_zxing_job job = {.words = pl_bitmap_row(&w->crop, 0),
                                     .stride = w->crop.stride,
                                     .width = w->crop.width,
                                     .height = w->crop.height,
                                     .formats = w->reader->formats,
                                     .module = w->module};
    struct pl_zxing_result result = {.data = w->text.data, .capacity = PL_READ_MAX_DATA};
    PL_TRY(pl_job_check(w->job, w->err));
    *status = pl_zxing_see(&job, &result);
    if (*status == PL_ZXING_FAILED)
        return pl_fail(w->err, PL_E_MEMORY, "the reader of barcodes found no memory");
    w->text.length = result.length;
    if (*status == PL_ZXING_READ) {
        pl_read_decoded(w, (struct pl_box){0, 0, 0, 0}, result.gs1);
        w->out->place = w->request->bars;
    }
    return PL_OK;
}

// Scanners find a QR Code by lines through its finder patterns, and read it with the same threshold.
static enum pl_errc see_qr(struct pl_read_work *w, enum pl_zxing_status *status)
{
    *status = PL_ZXING_NOT_FOUND;
    for (int i = 0; i < PL_READ_THRESHOLDS && *status != PL_ZXING_READ; i++) {
        struct pl_finder_damage damage;
        PL_TRY(pl_read_take_grid(w, (struct pl_read_sampling){true, PL_READ_EIGHTHS[i]}));
        if (!pl_read_has_finders(&w->crop) || !pl_read_finders(&w->crop, w->reader->formats, &damage))
            continue;
        PL_TRY(pl_read_ask_grid(w, true));
        *status = pl_read_is_read(w) ? PL_ZXING_READ : PL_ZXING_NOT_FOUND;
    }
    return PL_OK;
}

// What the reader of this build does not find, others do where the pattern that they look for is whole with every
// threshold: the bars at the left and at the bottom of a Data Matrix, the rings of an Aztec. A thin white line through
// a bar is enough to lose its edge, so nearly all dots of each module count. What it finds by luck, others do not where
// most of a bar is gone.
static enum pl_errc see_pattern(struct pl_read_work *w, enum pl_zxing_status *status)
{
    enum { MOST = 50 }; // percent
    bool whole = true;
    for (int i = 0; i < PL_READ_ALL_THRESHOLDS; i++) {
        struct pl_finder_damage damage;
        PL_TRY(pl_read_take_grid(w, (struct pl_read_sampling){true, PL_READ_EIGHTHS[i]}));
        if (!pl_read_finders(&w->crop, w->reader->formats, &damage))
            return PL_OK;
        const uint32_t worst = PL_MAX(damage.percent[0], damage.percent[1]);
        if (i == 0 && worst > MOST)
            *status = PL_ZXING_NOT_FOUND;
        whole = whole && worst == 0;
    }
    if (whole)
        *status = PL_ZXING_READ;
    return PL_OK;
}

enum pl_errc pl_read_as_seen(const struct pl_read_request *request, const struct pl_job *job, struct pl_arena *arena,
                             int32_t *out, struct pl_error *err)
{
    const struct pl_reader *reader = pl_reader_of(request->symbology);
    struct pl_read_result result = {.outcome = PL_READ_UNREADABLE};
    *out = -1;
    if (!pl_reader_is_matrix(reader) || !pl_zxing_present() || request->inverted || pl_box_is_empty(request->bars))
        return PL_OK;
    struct pl_read_work w = {.request = request,
                             .from = request->area,
                             .reader = reader,
                             .job = job,
                             .arena = arena,
                             .module = PL_MIN(PL_MAX(request->module, 1u), (uint32_t)PL_ZXING_MAX_SIDE),
                             .out = &result,
                             .err = err};
    // With what is around it, which a scanner sees too.
    const int32_t around = (int32_t)PL_MIN(w.module * 8, 200u);
    w.from = (struct pl_box){w.from.x0 - around, w.from.y0 - around, w.from.x1 + around, w.from.y1 + around};
    if (!pl_read_is_small(w.from, 0))
        return PL_OK;
    struct pl_arena_mark mark = pl_arena_mark(arena);
    enum pl_zxing_status status = PL_ZXING_ABSENT;
    const struct pl_box seen = w.from;
    w.text.data = (uint8_t *)pl_arena_alloc(arena, PL_READ_MAX_DATA, 1);
    enum pl_errc code = w.text.data ? PL_OK : pl_fail_memory(err);
    if (code == PL_OK && reader->formats & PL_ZXING_QR)
        code = see_qr(&w, &status);
    if (code == PL_OK && status == PL_ZXING_ABSENT) {
        w.from = seen;
        code = pl_read_take_crop(&w);
        if (code == PL_OK)
            code = pl_read_see(&w, &status);
    }
    if (code == PL_OK && status != PL_ZXING_ABSENT && !(reader->formats & PL_ZXING_QR))
        code = see_pattern(&w, &status);
    *out = status == PL_ZXING_READ ? 1 : status == PL_ZXING_NOT_FOUND ? 0 : -1;
    pl_arena_release(arena, mark);
    return code;
}
