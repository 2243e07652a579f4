// Reading the controls of a PDF's pages.
#include "sheet_controls.h"

#include "base/ckd.h"
#include "base/fmt.h"

#define LENGTH_MOST 10000.0
#define CELLS_MOST 1000u

bool sheet_length(struct pl_slice text, double *mm)
{
    return pl_parse_double(text, mm) && *mm >= 0 && *mm <= LENGTH_MOST;
}

// Both sides of an x, or of a times sign. False: there is none.
static bool halves(struct pl_slice text, struct pl_slice *a, struct pl_slice *b)
{
    for (size_t i = 0; i < text.len; i++) {
        if ((text.ptr[i] | 32) == 'x') {
            *a = pl_slice_sub(text, 0, i);
            *b = pl_slice_sub(text, i + 1, text.len);
            return true;
        }
    }
    return false;
}

static bool is(struct pl_slice text, const char *word)
{
    return pl_slice_eq_nocase(text, pl_slice_cstr(word));
}

bool sheet_page_size(struct pl_slice text, struct platen_pdf_layout *out)
{
    static const struct {
        const char *name;
        double width, height;
    } SIZES[] = {
        {"A4", 210, 297}, {"A5", 148, 210}, {"A6", 105, 148}, {"Letter", 215.9, 279.4}, {"Legal", 215.9, 355.6}};
    for (size_t i = 0; i < PL_COUNTOF(SIZES); i++) {
        if (is(text, SIZES[i].name)) {
            out->page_width_mm = SIZES[i].width;
            out->page_height_mm = SIZES[i].height;
            return true;
        }
    }
    struct pl_slice a, b;
    return halves(text, &a, &b) && sheet_length(a, &out->page_width_mm) && sheet_length(b, &out->page_height_mm) &&
           out->page_width_mm > 0 && out->page_height_mm > 0;
}

static bool cells(struct pl_slice text, uint32_t *out)
{
    uint64_t value;
    if (!pl_parse_u64(text, &value) || value < 1 || value > CELLS_MOST)
        return false;
    *out = (uint32_t)value;
    return true;
}

bool sheet_grid(struct pl_slice text, struct platen_pdf_layout *out)
{
    struct pl_slice a, b;
    out->columns = out->rows = 0;
    return is(text, "auto") || (halves(text, &a, &b) && cells(a, &out->columns) && cells(b, &out->rows));
}

bool sheet_gap(struct pl_slice text, struct platen_pdf_layout *out)
{
    struct pl_slice a = text, b = text;
    halves(text, &a, &b);
    return sheet_length(a, &out->gap_x_mm) && sheet_length(b, &out->gap_y_mm);
}

static bool choose(struct pl_slice text, const char *const *words, size_t count, uint32_t *out)
{
    for (uint32_t i = 0; i < count; i++) {
        if (is(text, words[i])) {
            *out = i;
            return true;
        }
    }
    return false;
}

bool sheet_across(struct pl_slice text, enum platen_align *out)
{
    static const char *const WORDS[] = {"justify", "left", "center", "right"};
    uint32_t index;
    bool ok = choose(text, WORDS, PL_COUNTOF(WORDS), &index);
    *out = ok ? (enum platen_align)index : *out;
    return ok;
}

bool sheet_down(struct pl_slice text, enum platen_align *out)
{
    static const char *const WORDS[] = {"justify", "top", "center", "bottom"};
    uint32_t index;
    bool ok = choose(text, WORDS, PL_COUNTOF(WORDS), &index);
    *out = ok ? (enum platen_align)index : *out;
    return ok;
}

bool sheet_border(struct pl_slice text, enum platen_border *out)
{
    static const char *const WORDS[] = {"none", "solid", "dashed"};
    uint32_t index;
    bool ok = choose(text, WORDS, PL_COUNTOF(WORDS), &index);
    *out = ok ? (enum platen_border)index : *out;
    return ok;
}

bool sheet_start(struct pl_slice text, uint32_t *first)
{
    uint64_t value;
    if (!pl_parse_u64(text, &value) || value < 1 || value > CELLS_MOST * CELLS_MOST)
        return false;
    *first = (uint32_t)value - 1;
    return true;
}

void sheet_turn(struct platen_pdf_layout *layout, bool landscape)
{
    double w = layout->page_width_mm, h = layout->page_height_mm;
    // A size is given upright or lying; the orientation says which it is to be.
    if ((landscape && w < h) || (!landscape && w > h)) {
        layout->page_width_mm = h;
        layout->page_height_mm = w;
    }
}
