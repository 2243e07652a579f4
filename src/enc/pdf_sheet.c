// Laying out a sheet.
#include "enc/pdf_sheet.h"

#include <math.h>

#include "base/ckd.h"
#include "enc/pdf_objects.h"

#define SLACK_PT 0.05    // sizes in inches and millimetres do not meet exactly
#define MOST_CELLS 1000u // along one side
#define MARK_PT 11.3     // 4 mm
#define MARK_GAP_PT 2.8  // 1 mm

static double mm(double points)
{
    return points / 72 * 25.4;
}

static uint32_t count_of(uint32_t wanted, double room, double label, double gap)
{
    if (wanted > 0)
        return wanted;
    double n = floor((room + gap + SLACK_PT) / (label + gap));
    return n < 1 ? 1 : n > MOST_CELLS ? MOST_CELLS : (uint32_t)n;
}

static double block_of(uint32_t n, double label, double gap)
{
    return n * label + (n - 1) * gap;
}

static void place(double room, double margin, uint32_t n, double label, double gap, enum pl_sheet_align align,
                  double *start, double *pitch)
{
    double rest = PL_MAX(room - block_of(n, label, gap), 0.0);
    double spread = align == PL_SHEET_JUSTIFY ? rest / (n + 1) : 0;
    double before = align == PL_SHEET_CENTER ? rest / 2 : align == PL_SHEET_END ? rest : spread;
    *start = margin + before;
    *pitch = label + gap + spread;
}

enum pl_errc pl_sheet_plan(const struct pl_sheet *s, double label_width, double label_height, struct pl_sheet_grid *g,
                           struct pl_error *err)
{
    if (s->columns > MOST_CELLS || s->rows > MOST_CELLS)
        return pl_fail(err, PL_E_INVALID, "a page has at most %u columns and rows", MOST_CELLS);
    // A page as large as its labels also has room for the marks beside them.
    double marks = s->cut_marks ? MARK_GAP_PT + MARK_PT : 0;
    double margin_x = s->width > 0 ? s->margin : PL_MAX(s->margin, marks);
    double margin_y = s->height > 0 ? s->margin : PL_MAX(s->margin, marks);
    double room_x = s->width - 2 * margin_x, room_y = s->height - 2 * margin_y;
    *g = (struct pl_sheet_grid){.scale = 1, .width = s->width, .height = s->height};
    g->columns = s->width > 0 ? count_of(s->columns, room_x, label_width, s->gap_x) : PL_MAX(s->columns, 1u);
    g->rows = s->height > 0 ? count_of(s->rows, room_y, label_height, s->gap_y) : PL_MAX(s->rows, 1u);
    double need_x = block_of(g->columns, label_width, s->gap_x), need_y = block_of(g->rows, label_height, s->gap_y);
    if (s->width <= 0)
        g->width = (room_x = need_x) + 2 * margin_x;
    if (s->height <= 0)
        g->height = (room_y = need_y) + 2 * margin_y;
    bool fits = need_x <= room_x + SLACK_PT && need_y <= room_y + SLACK_PT;
    double free_x = room_x - (g->columns - 1) * s->gap_x, free_y = room_y - (g->rows - 1) * s->gap_y;
    if (!fits && (!s->shrink || free_x < 1 || free_y < 1))
        return pl_fail(
            err, PL_E_INVALID,
            "%u x %u labels of %.1f x %.1f mm need %.1f x %.1f mm, and the page of %.1f x %.1f mm has %.1f x "
            "%.1f mm between its margins%s",
            g->columns, g->rows, mm(label_width), mm(label_height), mm(need_x), mm(need_y), mm(g->width), mm(g->height),
            mm(room_x), mm(room_y),
            s->shrink ? "; that is too little to shrink to" : "; fit=shrink makes the labels smaller");
    if (!fits)
        g->scale = PL_MIN(free_x / (g->columns * label_width), free_y / (g->rows * label_height));
    g->label_width = label_width * g->scale;
    g->label_height = label_height * g->scale;
    if (s->first >= g->columns * g->rows)
        return pl_fail(err, PL_E_INVALID, "the first label cannot be at position %u: a page of %u x %u labels has %u",
                       s->first + 1, g->columns, g->rows, g->columns * g->rows);
    place(room_x, margin_x, g->columns, g->label_width, s->gap_x, s->across, &g->x, &g->pitch_x);
    place(room_y, margin_y, g->rows, g->label_height, s->gap_y, s->down, &g->y, &g->pitch_y);
    return PL_OK;
}

void pl_sheet_cell(const struct pl_sheet *s, const struct pl_sheet_grid *g, uint32_t cell, double *x, double *y)
{
    uint32_t column = s->by_columns ? cell / g->rows : cell % g->columns;
    uint32_t row = s->by_columns ? cell % g->rows : cell / g->columns;
    *x = g->x + column * g->pitch_x;
    *y = g->height - g->y - row * g->pitch_y - g->label_height;
}

static void put_numbers(struct pl_buf *out, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        pl_pdf_put_number(out, numbers[i]);
        pl_buf_append_byte(out, ' ');
    }
}

static void put_line(struct pl_buf *out, double x0, double y0, double x1, double y1)
{
    put_numbers(out, (double[]){x0, y0}, 2);
    pl_buf_append_cstr(out, "m ");
    put_numbers(out, (double[]){x1, y1}, 2);
    pl_buf_append_cstr(out, "l ");
}

// At the edges of all columns above and below the labels, and at those of all rows on both sides.
static void put_marks(const struct pl_sheet_grid *g, struct pl_buf *out)
{
    double top = g->height - g->y, left = g->x;
    double bottom = top - (g->rows - 1) * g->pitch_y - g->label_height;
    double right = left + (g->columns - 1) * g->pitch_x + g->label_width;
    for (uint32_t i = 0; i < g->columns * 2; i++) {
        double x = left + i / 2 * g->pitch_x + (i % 2) * g->label_width;
        put_line(out, x, top + MARK_GAP_PT, x, top + MARK_GAP_PT + MARK_PT);
        put_line(out, x, bottom - MARK_GAP_PT, x, bottom - MARK_GAP_PT - MARK_PT);
    }
    for (uint32_t i = 0; i < g->rows * 2; i++) {
        double y = top - i / 2 * g->pitch_y - (i % 2) * g->label_height;
        put_line(out, left - MARK_GAP_PT, y, left - MARK_GAP_PT - MARK_PT, y);
        put_line(out, right + MARK_GAP_PT, y, right + MARK_GAP_PT + MARK_PT, y);
    }
}

void pl_sheet_frame(const struct pl_sheet *s, const struct pl_sheet_grid *g, uint32_t first, uint32_t end,
                    struct pl_buf *out)
{
    if (s->border != PL_SHEET_NO_BORDER) {
        pl_buf_append_cstr(out, s->border == PL_SHEET_DASHED ? "q 0.5 w 0.5 G[4 3]0 d " : "q 0.5 w 0 G ");
        for (uint32_t cell = first; cell < end; cell++) {
            double x, y;
            pl_sheet_cell(s, g, cell, &x, &y);
            put_numbers(out, (double[]){x, y, g->label_width, g->label_height}, 4);
            pl_buf_append_cstr(out, "re ");
        }
        pl_buf_append_cstr(out, "S Q\n");
    }
    if (s->cut_marks) {
        pl_buf_append_cstr(out, "q 0.25 w 0 G ");
        put_marks(g, out);
        pl_buf_append_cstr(out, "S Q\n");
    }
}
