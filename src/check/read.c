// Takes the crop of a symbol, upright, and gives it to the reader of its symbology.
#include "check/read.h"

#include "base/ckd.h"
#include "check/read_zxing.h"
#include "check/readers.h"

// Scan lines of a linear symbol, over the height of its bars.
enum { LINES = 9 };
// How much of a module ink covers if it is dark: half; more; less.
static const uint32_t QUARTERS[] = {2, 3, 1};

struct work {
    const struct pl_read_request *request;
    struct pl_box from; // the part of the page that is read
    const struct pl_reader *reader;
    const struct pl_job *job;
    struct pl_arena *arena;
    struct pl_bitmap crop; // upright, with `margin` of paper around the area
    uint32_t margin;
    uint32_t module; // at least 1
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

// Some rows of the crop. *read: there is a symbol in them.
static enum pl_errc ask_zxing(struct work *w, uint32_t y, uint32_t height, bool pure, struct pl_zxing_result *result,
                              bool *read)
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

struct line {
    bool read, gs1;
    struct pl_box place;
};

static enum pl_errc read_line(struct work *w, uint32_t y, struct line *line)
{
    w->text.length = 0;
    w->text.full = false;
    if (w->reader->formats) {
        struct pl_zxing_result result;
        PL_TRY(ask_zxing(w, y, 1, false, &result, &line->read));
        line->place = (struct pl_box){result.x0, 0, result.x1, (int32_t)w->crop.height};
        line->gs1 = result.gs1;
        return PL_OK;
    }
    struct pl_read_runs runs;
    pl_read_row(&w->crop, y, &runs);
    line->read = runs.count > 0 && w->reader->line(&runs, w->module, &w->text) && !w->text.full;
    line->place = (struct pl_box){(int32_t)runs.x0, 0, (int32_t)runs.x1, (int32_t)w->crop.height};
    line->gs1 = w->request->symbology == PL_CHECK_DATABAR_LIMITED;
    return PL_OK;
}

// Rows of a band that are looked at: more do not change what most of them have.
enum { BAND_ROWS = 32 };

// The band around a scan line as one row: what most of its rows have. Thin lines that cross the bars aslant, dots and
// dirt are seen as less than that.
static enum pl_errc take_band(struct work *w, uint32_t y, uint32_t height, struct pl_bitmap *out)
{
    const uint32_t step = (height + BAND_ROWS - 1) / BAND_ROWS, rows = (height + step - 1) / step;
    PL_TRY(pl_bitmap_new(w->arena, w->crop.width, 1, out, w->err));
    for (uint32_t x = 0; x < w->crop.width; x++) {
        uint32_t ink = 0;
        for (uint32_t i = 0; i < rows; i++)
            ink += pl_bitmap_get(&w->crop, x, PL_MIN(y + i * step, w->crop.height - 1));
        if (ink * 2 > rows)
            pl_bitmap_set(out, x, 0);
    }
    return PL_OK;
}

static enum pl_errc read_band(struct work *w, uint32_t y, uint32_t height, struct line *line)
{
    const struct pl_bitmap crop = w->crop;
    struct pl_bitmap band;
    PL_TRY(take_band(w, y, height, &band));
    w->crop = band;
    enum pl_errc code = read_line(w, 0, line);
    w->crop = crop;
    line->place.y1 = (int32_t)crop.height;
    return code;
}

static enum pl_errc keep_line(struct work *w, struct line *line)
{
    struct pl_read_result *out = w->out;
    if (out->outcome == PL_READ_DECODED) {
        line->read = pl_slice_eq(out->data, pl_slice_make(w->text.data, w->text.length));
        return PL_OK;
    }
    uint8_t *data = (uint8_t *)pl_arena_copy(w->arena, w->text.data, PL_MAX((size_t)w->text.length, (size_t)1));
    if (!data)
        return pl_fail_memory(w->err);
    decoded(w, line->place, line->gs1);
    out->data.ptr = data;
    return PL_OK;
}

// The row in the middle of one of the nine parts of the height; where it is not read, the part as a whole. *row: the
// row itself is read, so that those like it are.
static enum pl_errc read_part(struct work *w, uint32_t part, uint32_t y, struct line *line, bool *row)
{
    const uint32_t height = w->crop.height - 2 * w->margin;
    PL_TRY(pl_job_check(w->job, w->err));
    PL_TRY(read_line(w, y, line));
    *row = line->read;
    if (!*row && height >= 2 * LINES)
        PL_TRY(read_band(w, w->margin + (uint32_t)((uint64_t)height * part / LINES), height / LINES, line));
    return line->read ? keep_line(w, line) : PL_OK;
}

// Rows over the height of the bars. Equal rows are read once: mostly all are.
static enum pl_errc read_lines(struct work *w)
{
    struct pl_read_result *out = w->out;
    const uint32_t height = w->crop.height - 2 * w->margin;
    uint32_t before = 0;
    bool row = false;
    struct line line = {0};
    for (uint32_t i = 0; i < LINES; i++) {
        const uint32_t y = w->margin + (uint32_t)((uint64_t)height * (2 * i + 1) / (2 * LINES));
        out->lines_tried++;
        if (!row || !pl_read_same_rows(&w->crop, y, before))
            PL_TRY(read_part(w, i, y, &line, &row));
        out->lines_read += line.read;
        before = y;
    }
    return PL_OK;
}

static enum pl_errc ask_zxing_whole(struct work *w, bool pure)
{
    struct pl_zxing_result result;
    bool read;
    PL_TRY(pl_job_check(w->job, w->err));
    PL_TRY(ask_zxing(w, 0, w->crop.height, pure, &result, &read));
    if (read)
        decoded(w, (struct pl_box){result.x0, result.y0, result.x1, result.y1}, result.gs1);
    return PL_OK;
}

// Left and right exchanged.
static enum pl_errc flip(struct work *w, struct pl_bitmap *bits)
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
    if (q->mirrored)
        PL_TRY(flip(w, &turned));
    if (q->rotation == PL_ROT_N)
        w->crop = turned;
    else
        PL_TRY(pl_bitmap_turn(w->arena, &turned, back[q->rotation], &w->crop, w->err));
    return PL_OK;
}

// The dots of the bars alone.
static enum pl_errc take_bars(struct work *w)
{
    w->from = w->request->bars;
    w->margin = 0;
    return take_crop(w);
}

static bool is_read(const struct work *w)
{
    return w->out->outcome == PL_READ_DECODED;
}

static enum pl_errc ask_grid(struct work *w, bool pure)
{
    PL_TRY(ask_zxing_whole(w, pure));
    if (is_read(w))
        w->out->place = w->request->bars;
    return PL_OK;
}

// The symbol by its modules instead of its dots: few, whatever was printed over it, so that the time is short and
// bounded.
static enum pl_errc take_grid(struct work *w, struct pl_read_sampling sampling)
{
    struct pl_bitmap grid;
    PL_TRY(take_bars(w));
    if (w->request->inverted)
        pl_bitmap_fill(&w->crop, (struct pl_box){0, 0, (int32_t)w->crop.width, (int32_t)w->crop.height}, PL_INK_XOR);
    PL_TRY(pl_read_grid(w->arena, &w->crop, w->module, sampling, &grid, w->err));
    w->crop = grid;
    return PL_OK;
}

// The crop as a camera sees it.
static enum pl_errc see(struct work *w, enum pl_zxing_status *status)
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
        decoded(w, (struct pl_box){0, 0, 0, 0}, result.gs1);
        w->out->place = w->request->bars;
    }
    return PL_OK;
}

// The dots as they are. A finder pattern that a line crosses is still one to a camera.
static enum pl_errc read_dots(struct work *w)
{
    enum pl_zxing_status status;
    if (w->reader->formats & PL_ZXING_QR) // DetectPureQR of zxing 1.4 ends the program where ink is beside the symbol
        return PL_OK;
    PL_TRY(take_crop(w));
    PL_TRY(ask_zxing_whole(w, true));
    return is_read(w) || !w->request->as_seen ? PL_OK : see(w, &status);
}

// By its modules, then by its dots as the symbol alone, then by its modules wherever zxing finds it in them. A camera
// chooses what is dark by what it sees: where thin lines cross a symbol, more than half of a module, where white ones
// do, less. A QR Code must have what a scanner looks for first, and is not looked for: the triples are too many even in
// a grid.
static enum pl_errc read_matrix(struct work *w)
{
    const struct pl_box area = w->from;
    const uint32_t margin = w->margin;
    const bool qr = w->reader->formats & PL_ZXING_QR;
    struct pl_bitmap grid;
    for (int i = 0; i < 3; i++) {
        struct pl_finder_damage damage;
        PL_TRY(take_grid(w, (struct pl_read_sampling){true, QUARTERS[i]}));
        if (pl_read_finders(&w->crop, w->reader->formats, &damage) || !qr)
            PL_TRY(ask_grid(w, true));
        if (is_read(w))
            return PL_OK;
        if (i == 0)
            grid = w->crop;
    }
    if (w->request->inverted)
        return PL_OK;
    w->from = area;
    w->margin = margin;
    PL_TRY(read_dots(w));
    if (is_read(w) || qr)
        return PL_OK;
    w->crop = grid;
    return ask_grid(w, false);
}

// zxing has no deadline, and what it tries grows with what is printed over a symbol: all triples of finder patterns in
// a QR Code, all start patterns of PDF417, all pairs of DataBar. A page full of them took minutes. So it looks at dots
// only where it takes them for the symbol alone, and otherwise at the modules: where they are, is known.
static enum pl_errc read_whole(struct work *w)
{
    switch (w->reader->formats) {
    case PL_ZXING_MAXICODE: // no grid of squares
        PL_TRY(take_crop(w));
        return ask_zxing_whole(w, true);
    case PL_ZXING_DATABAR:
    case PL_ZXING_DATABAR_EXPANDED:
    // Never as the symbol alone: that way of zxing 1.4 writes beyond its rows where it takes a column too few or too
    // many for one.
    case PL_ZXING_PDF417:
        PL_TRY(take_grid(w, (struct pl_read_sampling){false, 2}));
        return ask_grid(w, false);
    default:
        return read_matrix(w);
    }
}

// The readers of this folder look at the middle of a module. Where ink has spread or is missing at one side of every
// bar, that may be the wrong dot, and the right one is at the other side of the module.
static enum pl_errc read_area(struct work *w)
{
    const uint32_t module = w->module;
    const int32_t shifts[] = {0, (int32_t)(module / 2), (int32_t)(module / 2) - (int32_t)module + 1};
    PL_TRY(take_bars(w));
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
        decoded(w, (struct pl_box){0, 0, (int32_t)crop.width, (int32_t)crop.height}, false);
        break;
    }
    return PL_OK;
}

static enum pl_errc read_crop(struct work *w)
{
    if (pl_check_shape_of(w->request->symbology) == PL_SHAPE_LINEAR) {
        PL_TRY(take_crop(w));
        return read_lines(w);
    }
    if (w->reader->area) {
        const struct pl_box area = w->from;
        const uint32_t margin = w->margin;
        PL_TRY(read_area(w));
        w->from = area;
        w->margin = margin;
    }
    bool ask = !is_read(w) && w->reader->formats && pl_zxing_present();
    return ask ? read_whole(w) : PL_OK;
}

static bool is_small(struct pl_box box, uint32_t margin)
{
    int64_t width = (int64_t)box.x1 - box.x0 + 2 * margin, height = (int64_t)box.y1 - box.y0 + 2 * margin;
    return width <= PL_ZXING_MAX_SIDE && height <= PL_ZXING_MAX_SIDE && width * height <= PL_ZXING_MAX_DOTS;
}

static bool may_be_inverted(const struct pl_reader *reader)
{
    return reader->formats & (PL_ZXING_QR | PL_ZXING_DATAMATRIX | PL_ZXING_AZTEC);
}

// zxing looks for the symbol in its quiet zone, and gets some paper around that: it wants more than some symbologies
// ask for. The readers of this folder are told where the bars are. Captions above and below bars are left out.
static void choose_part(struct work *w)
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
static enum pl_errc keep_data(struct work *w, struct pl_arena_mark mark)
{
    struct pl_read_result *out = w->out;
    uint8_t data[PL_READ_MAX_DATA];
    const size_t length = is_read(w) ? out->data.len : 0;
    if (length)
        memcpy(data, out->data.ptr, length);
    pl_arena_release(w->arena, mark);
    out->data = (struct pl_slice){0};
    if (!is_read(w))
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
    struct work w = {.request = request,
                     .reader = pl_reader_of(request->symbology),
                     .job = job,
                     .arena = arena,
                     // No module is wider than what is read: products with it stay small.
                     .module = PL_MIN(PL_MAX(request->module, 1u), (uint32_t)PL_ZXING_MAX_SIDE),
                     .out = out,
                     .err = err};
    if ((request->inverted && !may_be_inverted(w.reader)) || pl_box_is_empty(request->bars) ||
        pl_box_is_empty(request->area))
        return PL_OK;
    choose_part(&w);
    if (!is_small(w.from, w.margin) || !is_small(request->bars, 0)) {
        out->outcome = PL_READ_TOO_LARGE;
        out->reason = "The symbol has more dots than the reader takes.";
        return PL_OK;
    }
    struct pl_arena_mark mark = pl_arena_mark(arena);
    w.text.data = (uint8_t *)pl_arena_alloc(arena, PL_READ_MAX_DATA, 1);
    enum pl_errc code = w.text.data ? read_crop(&w) : pl_fail_memory(err);
    if (code == PL_OK)
        return keep_data(&w, mark);
    pl_arena_release(arena, mark);
    out->data = (struct pl_slice){0};
    return code;
}

// Scanners find a QR Code by lines through its finder patterns, and read it with the same threshold.
static enum pl_errc see_qr(struct work *w, enum pl_zxing_status *status)
{
    *status = PL_ZXING_NOT_FOUND;
    for (int i = 0; i < 3 && *status != PL_ZXING_READ; i++) {
        struct pl_finder_damage damage;
        PL_TRY(take_grid(w, (struct pl_read_sampling){true, QUARTERS[i]}));
        if (!pl_read_has_finders(&w->crop) || !pl_read_finders(&w->crop, w->reader->formats, &damage))
            continue;
        PL_TRY(ask_grid(w, true));
        *status = is_read(w) ? PL_ZXING_READ : PL_ZXING_NOT_FOUND;
    }
    return PL_OK;
}

// What the reader of this build does not find, others do where the pattern that they look for is whole with every
// threshold: the bars at the left and at the bottom of a Data Matrix, the rings of an Aztec.
static enum pl_errc see_pattern(struct work *w, enum pl_zxing_status *status)
{
    for (int i = 0; i < 3; i++) {
        struct pl_finder_damage damage;
        PL_TRY(take_grid(w, (struct pl_read_sampling){true, QUARTERS[i]}));
        if (!pl_read_finders(&w->crop, w->reader->formats, &damage) || damage.percent[0] || damage.percent[1])
            return PL_OK;
    }
    *status = PL_ZXING_READ;
    return PL_OK;
}

enum pl_errc pl_read_as_seen(const struct pl_read_request *request, const struct pl_job *job, struct pl_arena *arena,
                             int32_t *out, struct pl_error *err)
{
    const struct pl_reader *reader = pl_reader_of(request->symbology);
    struct pl_read_result result = {.outcome = PL_READ_UNREADABLE};
    *out = -1;
    if (!may_be_inverted(reader) || !pl_zxing_present() || request->inverted || pl_box_is_empty(request->bars))
        return PL_OK;
    struct work w = {.request = request,
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
    if (!is_small(w.from, 0))
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
        code = take_crop(&w);
        if (code == PL_OK)
            code = see(&w, &status);
    }
    if (code == PL_OK && status == PL_ZXING_NOT_FOUND && !(reader->formats & PL_ZXING_QR))
        code = see_pattern(&w, &status);
    *out = status == PL_ZXING_READ ? 1 : status == PL_ZXING_NOT_FOUND ? 0 : -1;
    pl_arena_release(arena, mark);
    return code;
}
