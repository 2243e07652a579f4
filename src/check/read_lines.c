// Linear symbols: scan lines over the height of the bars.
#include "base/ckd.h"
#include "check/read_work.h"

// Scan lines of a linear symbol, over the height of its bars.
enum { LINES = 9 };

struct line {
    bool read, gs1;
    struct pl_box place;
};

static enum pl_errc read_line(struct pl_read_work *w, uint32_t y, struct line *line)
{
    w->text.length = 0;
    w->text.full = false;
    if (w->reader->formats) {
        struct pl_zxing_result result;
        PL_TRY(pl_read_ask_zxing(w, y, 1, false, &result, &line->read));
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
static enum pl_errc take_band(struct pl_read_work *w, uint32_t y, uint32_t height, struct pl_bitmap *out)
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

static enum pl_errc read_band(struct pl_read_work *w, uint32_t y, uint32_t height, struct line *line)
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

// The band as a camera sees it: a thin line along the bars is less than a bar there.
static enum pl_errc see_band(struct pl_read_work *w, uint32_t y, uint32_t height, struct line *line)
{
    const struct pl_zxing_job job = {.words = pl_bitmap_row(&w->crop, y),
                                     .stride = w->crop.stride,
                                     .width = w->crop.width,
                                     .height = height,
                                     .formats = w->reader->formats,
                                     .module = w->module};
    struct pl_zxing_result result = {.data = w->text.data, .capacity = PL_READ_MAX_DATA};
    const enum pl_zxing_status status = pl_zxing_see(&job, &result);
    if (status == PL_ZXING_FAILED)
        return pl_fail(w->err, PL_E_MEMORY, "the reader of barcodes found no memory");
    line->read = status == PL_ZXING_READ;
    if (!line->read)
        return PL_OK;
    w->text.length = result.length;
    pl_read_normalise(w->request->symbology, &w->text, &result.gs1);
    line->gs1 = result.gs1;
    line->place = (struct pl_box){0, 0, (int32_t)w->crop.width, (int32_t)w->crop.height};
    return PL_OK;
}

static enum pl_errc keep_line(struct pl_read_work *w, struct line *line)
{
    struct pl_read_result *out = w->out;
    if (out->outcome == PL_READ_DECODED) {
        line->read = pl_slice_eq(out->data, pl_slice_make(w->text.data, w->text.length));
        return PL_OK;
    }
    uint8_t *data = (uint8_t *)pl_arena_copy(w->arena, w->text.data, PL_MAX((size_t)w->text.length, (size_t)1));
    if (!data)
        return pl_fail_memory(w->err);
    pl_read_decoded(w, line->place, line->gs1);
    out->data.ptr = data;
    return PL_OK;
}

// The row in the middle of one of the nine parts of the height; where it is not read, the part as a whole, then as a
// camera sees it. *row: the row itself is read, so that those like it are.
static enum pl_errc read_part(struct pl_read_work *w, uint32_t part, uint32_t y, struct line *line, bool *row)
{
    const uint32_t height = w->crop.height - 2 * w->margin;
    PL_TRY(pl_job_check(w->job, w->err));
    PL_TRY(read_line(w, y, line));
    *row = line->read;
    const uint32_t top = w->margin + (uint32_t)((uint64_t)height * part / LINES);
    if (!*row && height >= 2 * LINES)
        PL_TRY(read_band(w, top, height / LINES, line));
    if (!line->read && w->request->as_seen && w->reader->formats && height >= 4 * LINES)
        PL_TRY(see_band(w, top, height / LINES, line));
    return line->read ? keep_line(w, line) : PL_OK;
}

// Rows over the height of the bars. Equal rows are read once: mostly all are.
enum pl_errc pl_read_lines(struct pl_read_work *w)
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
