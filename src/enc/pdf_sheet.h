// Several labels on one page of a PDF: where each of them stands. Lengths are points, places count from the bottom left
// corner of the page.
#ifndef PL_ENC_PDF_SHEET_H
#define PL_ENC_PDF_SHEET_H

#include <stdbool.h>

#include "base/buf.h"

enum pl_sheet_align {
    PL_SHEET_JUSTIFY, // what is left over is spread evenly, before, between and behind the labels
    PL_SHEET_START,
    PL_SHEET_CENTER,
    PL_SHEET_END
};
enum pl_sheet_border { PL_SHEET_NO_BORDER, PL_SHEET_SOLID, PL_SHEET_DASHED };

struct pl_sheet {
    double width, height;   // of the page; 0: as large as its labels need
    uint32_t columns, rows; // 0: as many as there is room for
    enum pl_sheet_align across, down;
    double margin, gap_x, gap_y;
    enum pl_sheet_border border;
    bool cut_marks;
    bool by_columns; // cells are filled column by column
    bool shrink;     // labels that do not fit are made smaller
    uint32_t first;  // cells of the first page that stay empty
};

struct pl_sheet_grid {
    double width, height;             // of the page
    double label_width, label_height; // as they are placed
    double scale;                     // of the labels
    uint32_t columns, rows;
    double x, y;             // of the first cell: its left edge, and its upper edge from the top
    double pitch_x, pitch_y; // from cell to cell
};

// PL_E_INVALID: the labels do not fit; the sentence names the numbers.
enum pl_errc pl_sheet_plan(const struct pl_sheet *sheet, double label_width, double label_height,
                           struct pl_sheet_grid *out, struct pl_error *err) PL_MUST_USE;
// The bottom left corner of a cell.
void pl_sheet_cell(const struct pl_sheet *sheet, const struct pl_sheet_grid *grid, uint32_t cell, double *x, double *y);
// Operators that draw what is around the cells [first, end): borders and cut marks.
void pl_sheet_frame(const struct pl_sheet *sheet, const struct pl_sheet_grid *grid, uint32_t first, uint32_t end,
                    struct pl_buf *out);

#endif
