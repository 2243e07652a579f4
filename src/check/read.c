// Takes the crop of a symbol, upright, and gives it to the reader of its symbology.
#include "check/read.h"

#include "base/ckd.h"
#include "check/read_zxing.h"
#include "check/readers.h"

// Scan lines of a linear symbol, over the height of its bars.
enum { LINES = 9 };

struct reader {
    uint32_t formats; // of zxing
    pl_read_line *line;
    pl_read_area *area;
    const char *reason; // why there is none
};

static const struct reader readers[PL_CHECK_SYMBOLOGY_COUNT] = {
    [PL_CHECK_AZTEC] = {.formats = PL_ZXING_AZTEC},
    [PL_CHECK_CODABAR] = {.formats = PL_ZXING_CODABAR},
    [PL_CHECK_CODABLOCK_A] = {.area = pl_read_codablock_a},
    [PL_CHECK_CODABLOCK_E] = {.area = pl_read_codablock_f},
    [PL_CHECK_CODABLOCK_F] = {.area = pl_read_codablock_f},
    [PL_CHECK_CODE11] = {.line = pl_read_code11},
    [PL_CHECK_CODE128] = {.formats = PL_ZXING_CODE128},
    [PL_CHECK_CODE39] = {.formats = PL_ZXING_CODE39},
    [PL_CHECK_CODE49] = {.area = pl_read_code49},
    [PL_CHECK_CODE93] = {.formats = PL_ZXING_CODE93},
    [PL_CHECK_DATABAR] = {.formats = PL_ZXING_DATABAR},
    [PL_CHECK_DATABAR_EXPANDED] = {.formats = PL_ZXING_DATABAR_EXPANDED},
    [PL_CHECK_DATABAR_LIMITED] = {.reason = "There is no reader for DataBar Limited."},
    [PL_CHECK_DATABAR_STACKED] = {.formats = PL_ZXING_DATABAR},
    [PL_CHECK_DATABAR_STACKED_OMNI] = {.formats = PL_ZXING_DATABAR},
    [PL_CHECK_DATABAR_TRUNCATED] = {.formats = PL_ZXING_DATABAR},
    [PL_CHECK_DATAMATRIX] = {.formats = PL_ZXING_DATAMATRIX},
    [PL_CHECK_DATAMATRIX_LEGACY] = {.reason = "There is no reader for Data Matrix before ECC 200."},
    [PL_CHECK_EAN13] = {.formats = PL_ZXING_EAN13},
    [PL_CHECK_EAN8] = {.formats = PL_ZXING_EAN8},
    [PL_CHECK_GS1_128] = {.formats = PL_ZXING_CODE128},
    [PL_CHECK_GS1_DATAMATRIX] = {.formats = PL_ZXING_DATAMATRIX},
    [PL_CHECK_GS1_QR] = {.formats = PL_ZXING_QR},
    [PL_CHECK_INDUSTRIAL_2OF5] = {.line = pl_read_industrial_2of5},
    [PL_CHECK_INTELLIGENT_MAIL] = {.area = pl_read_intelligent_mail},
    [PL_CHECK_INTERLEAVED_2OF5] = {.formats = PL_ZXING_ITF},
    [PL_CHECK_LOGMARS] = {.formats = PL_ZXING_CODE39},
    [PL_CHECK_MAXICODE] = {.formats = PL_ZXING_MAXICODE},
    [PL_CHECK_MICROPDF417] = {.area = pl_read_micropdf417},
    [PL_CHECK_MSI] = {.line = pl_read_msi},
    [PL_CHECK_PDF417] = {.formats = PL_ZXING_PDF417},
    [PL_CHECK_PLANET] = {.area = pl_read_planet},
    [PL_CHECK_PLESSEY] = {.line = pl_read_plessey},
    [PL_CHECK_POSTNET] = {.area = pl_read_postnet},
    [PL_CHECK_QR] = {.formats = PL_ZXING_QR},
    [PL_CHECK_STANDARD_2OF5] = {.line = pl_read_standard_2of5},
    [PL_CHECK_TLC39] = {.reason = "There is no reader for TLC39."},
    [PL_CHECK_UPCA] = {.formats = PL_ZXING_UPCA},
    [PL_CHECK_UPCE] = {.formats = PL_ZXING_UPCE},
    [PL_CHECK_UPC_EAN_EXTENSION] = {.line = pl_read_extension},
};

bool pl_read_has_reader(enum pl_check_symbology symbology, const char **reason)
{
    *reason = NULL;
    if ((unsigned)symbology >= PL_CHECK_SYMBOLOGY_COUNT)
        *reason = "There is no reader for this symbology.";
    else if (readers[symbology].formats && !pl_zxing_present())
        *reason = "This build has no reader (-Dreader).";
    else
        *reason = readers[symbology].reason;
    return *reason == NULL;
}

struct work {
    const struct pl_read_request *request;
    struct pl_box from; // the part of the page that is read
    const struct reader *reader;
    const struct pl_job *job;
    struct pl_arena *arena;
    struct pl_bitmap crop; // upright, with `margin` of paper around the area
    uint32_t margin;
    struct pl_read_text text;
    struct pl_read_result *out;
    struct pl_error *err;
};

// A box of the crop on the page.
static struct pl_box on_page(const struct work *w, struct pl_box box)
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

static void decoded(struct work *w, struct pl_box place, bool gs1)
{
    w->out->outcome = PL_READ_DECODED;
    w->out->reason = NULL;
    w->out->data = pl_slice_make(w->text.data, w->text.length);
    w->out->gs1 = gs1;
    w->out->place = on_page(w, place);
}

static enum pl_zxing_status ask_zxing(struct work *w, uint32_t y, uint32_t height, bool pure,
                                      struct pl_zxing_result *result)
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
    return status;
}

static bool read_line(struct work *w, uint32_t y, struct pl_box *place, bool *gs1)
{
    *gs1 = false;
    w->text.length = 0;
    if (w->reader->formats) {
        struct pl_zxing_result result;
        if (ask_zxing(w, y, 1, false, &result) != PL_ZXING_READ)
            return false;
        *place = (struct pl_box){result.x0, 0, result.x1, (int32_t)w->crop.height};
        *gs1 = result.gs1;
        pl_read_normalise(w->request->symbology, &w->text, gs1);
        return true;
    }
    struct pl_read_runs runs;
    pl_read_row(&w->crop, y, &runs);
    *place = (struct pl_box){(int32_t)runs.x0, 0, (int32_t)runs.x1, (int32_t)w->crop.height};
    return runs.count > 0 && w->reader->line(&runs, PL_MAX(w->request->module, 1u), &w->text) && !w->text.full;
}

static bool same_rows(const struct pl_bitmap *bm, uint32_t a, uint32_t b)
{
    return memcmp(pl_bitmap_row(bm, a), pl_bitmap_row(bm, b), bm->stride * sizeof(uint64_t)) == 0;
}

// Rows over the height of the bars. Equal rows are read once: mostly all are.
static enum pl_errc read_lines(struct work *w)
{
    struct pl_read_result *out = w->out;
    uint32_t height = w->crop.height - 2 * w->margin, before = 0;
    bool read_before = false;
    uint8_t *first = NULL;
    for (uint32_t i = 0; i < LINES; i++) {
        uint32_t y = w->margin + (uint32_t)((uint64_t)height * (2 * i + 1) / (2 * LINES));
        struct pl_box place;
        bool gs1, read = read_before;
        out->lines_tried++;
        if (i == 0 || !same_rows(&w->crop, y, before)) {
            PL_TRY(pl_job_check(w->job, w->err));
            read = read_line(w, y, &place, &gs1);
            if (read && !first) {
                first = (uint8_t *)pl_arena_copy(w->arena, w->text.data, PL_MAX((size_t)w->text.length, (size_t)1));
                if (!first)
                    return pl_fail_memory(w->err);
                decoded(w, place, gs1);
                out->data.ptr = first;
            } else if (read) {
                read = pl_slice_eq(out->data, pl_slice_make(w->text.data, w->text.length));
            }
        }
        out->lines_read += read;
        read_before = read;
        before = y;
    }
    return PL_OK;
}

static enum pl_errc ask_zxing_whole(struct work *w, enum pl_zxing_status *status, bool pure)
{
    struct pl_zxing_result result;
    PL_TRY(pl_job_check(w->job, w->err));
    *status = ask_zxing(w, 0, w->crop.height, pure, &result);
    if (*status == PL_ZXING_FAILED)
        return pl_fail(w->err, PL_E_MEMORY, "the reader of barcodes found no memory");
    if (*status == PL_ZXING_READ) {
        pl_read_normalise(w->request->symbology, &w->text, &result.gs1);
        decoded(w, (struct pl_box){result.x0, result.y0, result.x1, result.y1}, result.gs1);
    }
    return PL_OK;
}

static enum pl_errc take_crop(struct work *w);

// The symbol by its modules instead of its dots: small, whatever was printed over it, so that the time is bounded.
static enum pl_errc take_grid(struct work *w, bool square)
{
    struct pl_bitmap grid;
    w->from = w->request->bars;
    w->margin = 0;
    PL_TRY(take_crop(w));
    PL_TRY(pl_read_grid(w->arena, &w->crop, PL_MAX(w->request->module, 1u), square, &grid, w->err));
    w->crop = grid;
    return PL_OK;
}

// zxing has no deadline, and what it tries grows with what is printed over a symbol: all triples of finder patterns in
// a QR Code, all start patterns of PDF417, all pairs of DataBar. A page full of them took minutes. So it looks at dots
// only where it takes them for the symbol alone, and otherwise at the modules: where they are, is known.
static enum pl_errc read_modules(struct work *w, bool square, bool pure)
{
    enum pl_zxing_status status = PL_ZXING_NOT_FOUND;
    PL_TRY(take_grid(w, square));
    // What a scanner looks for first must be there.
    if (w->reader->formats & PL_ZXING_QR && !pl_read_has_finders(&w->crop))
        return PL_OK;
    if (pure)
        PL_TRY(ask_zxing_whole(w, &status, true));
    // Not for QR Code: the triples are too many even so.
    if (status != PL_ZXING_READ && !(w->reader->formats & PL_ZXING_QR))
        PL_TRY(ask_zxing_whole(w, &status, false));
    if (status == PL_ZXING_READ)
        w->out->place = w->request->bars;
    return PL_OK;
}

static enum pl_errc read_whole(struct work *w)
{
    enum pl_zxing_status status;
    if (w->reader->formats & (PL_ZXING_DATABAR | PL_ZXING_DATABAR_EXPANDED))
        return read_modules(w, false, false);
    // Never as the symbol alone: that way of zxing 1.4 writes beyond its rows where it takes a column too few or too
    // many for one.
    if (w->reader->formats & PL_ZXING_PDF417)
        return read_modules(w, false, false);
    PL_TRY(ask_zxing_whole(w, &status, true));
    return status == PL_ZXING_READ ? PL_OK : read_modules(w, true, true);
}

static enum pl_errc take_crop(struct work *w)
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
    if (q->rotation == PL_ROT_N)
        w->crop = turned;
    else
        PL_TRY(pl_bitmap_turn(w->arena, &turned, back[q->rotation], &w->crop, w->err));
    return PL_OK;
}

static enum pl_errc read_crop(struct work *w)
{
    PL_TRY(take_crop(w));
    bool lines = pl_check_shape_of(w->request->symbology) == PL_SHAPE_LINEAR;
    if (lines)
        return read_lines(w);
    if (w->reader->formats)
        return read_whole(w);
    PL_TRY(pl_job_check(w->job, w->err));
    if (w->reader->area(&w->crop, PL_MAX(w->request->module, 1u), &w->text) && !w->text.full)
        decoded(w, (struct pl_box){0, 0, (int32_t)w->crop.width, (int32_t)w->crop.height}, false);
    return PL_OK;
}

static bool is_small(struct pl_box box, uint32_t margin)
{
    int64_t width = (int64_t)box.x1 - box.x0 + 2 * margin, height = (int64_t)box.y1 - box.y0 + 2 * margin;
    return width <= PL_ZXING_MAX_SIDE && height <= PL_ZXING_MAX_SIDE && width * height <= PL_ZXING_MAX_DOTS;
}

enum pl_errc pl_read_symbol(const struct pl_read_request *request, const struct pl_job *job, struct pl_arena *arena,
                            struct pl_read_result *out, struct pl_error *err)
{
    *out = (struct pl_read_result){.outcome = PL_READ_UNREADABLE, .reason = "The symbol could not be read."};
    if (!pl_read_has_reader(request->symbology, &out->reason)) {
        out->outcome = PL_READ_NO_READER;
        return PL_OK;
    }
    out->reason = "The symbol could not be read.";
    const struct reader *reader = &readers[request->symbology];
    // zxing looks for the symbol in its quiet zone, and gets some paper around that: it wants more than some
    // symbologies ask for. The readers of this folder are told where the bars are. Captions above and below bars are
    // left out.
    uint32_t module = PL_MAX(request->module, 1u), margin = reader->formats ? PL_MIN(module * 10, 200u) : 0;
    // MaxiCode is only read where nothing else is in the crop, and UPS puts lines into its quiet zone.
    bool whole = reader->formats && request->symbology != PL_CHECK_MAXICODE;
    struct pl_box from = whole ? request->area : request->bars;
    if (pl_check_shape_of(request->symbology) == PL_SHAPE_LINEAR) {
        bool upright = request->rotation == PL_ROT_N || request->rotation == PL_ROT_I;
        from = upright ? (struct pl_box){from.x0, request->bars.y0, from.x1, request->bars.y1}
                       : (struct pl_box){request->bars.x0, from.y0, request->bars.x1, from.y1};
    }
    if (pl_box_is_empty(request->bars) || pl_box_is_empty(request->area))
        return PL_OK;
    if (!is_small(from, margin) || !is_small(request->bars, 0)) {
        out->outcome = PL_READ_TOO_LARGE;
        out->reason = "The symbol has more dots than the reader takes.";
        return PL_OK;
    }
    // The crops and the largest text are given back; the data itself is copied behind them.
    struct pl_arena_mark mark = pl_arena_mark(arena);
    struct work w = {.request = request,
                     .from = from,
                     .reader = reader,
                     .job = job,
                     .arena = arena,
                     .margin = margin,
                     .out = out,
                     .err = err};
    w.text.data = (uint8_t *)pl_arena_alloc(arena, PL_READ_MAX_DATA, 1);
    enum pl_errc code = w.text.data ? read_crop(&w) : pl_fail_memory(err);
    uint8_t data[PL_READ_MAX_DATA] = {0};
    size_t length = code == PL_OK && out->outcome == PL_READ_DECODED ? out->data.len : 0;
    if (length)
        memcpy(data, out->data.ptr, length);
    pl_arena_release(arena, mark);
    out->data = (struct pl_slice){0};
    if (code != PL_OK || out->outcome != PL_READ_DECODED)
        return code;
    uint8_t *copy = (uint8_t *)pl_arena_copy(arena, data, length ? length : 1);
    if (!copy)
        return pl_fail_memory(err);
    out->data = pl_slice_make(copy, length);
    return PL_OK;
}
