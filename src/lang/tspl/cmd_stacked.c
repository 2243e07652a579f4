// Stacked codes: PDF417, MPDF417, RSS, CODABLOCK, TLC39.
#include "base/fmt.h"
#include "lang/tspl/cmd_table.h"

// ---- PDF417

// Codewords of a PDF417, about.
static int32_t estimate_words(const struct pl_barcode *b)
{
    bool digits = true, text = true;
    for (size_t i = 0; i < b->data.len; i++) {
        digits = digits && pl_is_digit(b->data.ptr[i]);
        text = text && b->data.ptr[i] < 0x80;
    }
    int32_t length = pl_clamp_i32((int64_t)b->data.len, 1, 3000), security = PL_MAX(b->pdf417.security, 0);
    return (digits ? length * 10 / 29 : text ? length * 6 / 10 : length * 5 / 6) + 3 + (2 << PL_MIN(security, 8));
}

// The printer's own choice of module and columns is not documented: the largest symbol that fits the area, with a
// module of 6 to 2 dots. The codewords are estimated; rows take what they need.
static void fit_area(struct pl_barcode *b, int32_t width, int32_t height, bool module_given, bool row_given)
{
    enum { FRAME = 69, COLUMN = 17, MOST_COLUMNS = 30, MOST_ROWS = 90 }; // modules, columns of data, rows
    int32_t words = estimate_words(b);
    bool columns_given = b->pdf417.columns > 0;
    int32_t from = module_given ? (int32_t)b->module : 6, least = module_given ? from : 2;
    for (int32_t module = from; module >= least; module--) {
        int32_t row = row_given ? b->height : module * 4;
        int32_t columns =
            columns_given ? b->pdf417.columns : pl_clamp_i32((width / module - FRAME) / COLUMN, 1, MOST_COLUMNS);
        int32_t rows = PL_MAX((words + columns - 1) / columns, 3);
        b->module = (uint32_t)module;
        b->height = row;
        bool fits = (columns * COLUMN + FRAME) * module <= width && rows * row <= height && rows <= MOST_ROWS;
        if (!columns_given && b->pdf417.rows <= 0 && (fits || module == least))
            b->pdf417.columns =
                rows > MOST_ROWS ? pl_clamp_i32((words + MOST_ROWS - 1) / MOST_ROWS, 1, MOST_COLUMNS) : columns;
        if (fits)
            return;
    }
}

// The options that are letters and a number, and change nothing else. Returns the further arguments that belong to it.
static unsigned pdf417_option(struct tspl *t, const struct tspl_args *a, unsigned i, struct pl_barcode *b)
{
    int32_t value;
    if (tspl_option(a, i, 'R', &value))
        b->pdf417.rows = pl_clamp_i32(value, 3, 90);
    else if (tspl_option(a, i, 'C', &value))
        b->pdf417.columns = pl_clamp_i32(value, 1, 30);
    else if (tspl_option(a, i, 'T', &value))
        b->pdf417.truncated = value == 1;
    else if (tspl_option(a, i, 'U', &value)) {
        tspl_note(t, a, PL_DIAG_UNSUPPORTED, i + 1, "PDF417: the text line of option U is not drawn.");
        return 2;
    } else if (tspl_option(a, i, 'M', &value) && value != 0)
        tspl_note(t, a, PL_DIAG_UNSUPPORTED, i + 1, "PDF417: the symbol is not centred in its area.");
    else if (!tspl_option(a, i, 'P', &value) && !tspl_option(a, i, 'M', &value)) // compression is automatic
        tspl_note_unread(t, a, i);
    return 0;
}

enum pl_errc tspl_cmd_pdf417(struct tspl *t, const struct tspl_args *a)
{
    struct pl_element *e;
    int32_t width = 0, height = 0, value;
    PL_TRY(tspl_start_barcode(t, a, PL_SYM_PDF417, &e));
    if (!e || !tspl_int(t, a, 2, 1, TSPL_FAR, &width) || !tspl_int(t, a, 3, 1, TSPL_FAR, &height))
        return PL_OK;
    struct pl_barcode *b = &e->barcode;
    // This command alone counts its rotation counter-clockwise.
    if (tspl_rotation(t, a, 4, &e->rotation))
        e->rotation = (enum pl_rotation)((4 - (int)e->rotation) % 4);
    bool counted = false, module_given = false, row_given = false;
    unsigned i = 5;
    for (; i + 1 < a->st->count && !counted; i++) {
        if (tspl_option(a, i, 'E', &value))
            b->pdf417.security = pl_clamp_i32(value, 0, 8);
        else if ((module_given |= tspl_option(a, i, 'W', &value)) && tspl_option(a, i, 'W', &value))
            b->module = (uint32_t)pl_clamp_i32(value, 1, 100);
        else if ((row_given |= tspl_option(a, i, 'H', &value)) && tspl_option(a, i, 'H', &value))
            b->height = pl_clamp_i32(value, 1, 9999);
        else if ((counted = tspl_option(a, i, 'L', &value)))
            tspl_set_counted(t, a, i, PL_MAX(value, 0), b);
        else
            i += pdf417_option(t, a, i, b);
    }
    if (!counted && !tspl_set_data(t, a, b))
        return PL_OK;
    fit_area(b, width, height, module_given, row_given);
    return tspl_add_barcode(t, a, e);
}

enum pl_errc tspl_cmd_mpdf417(struct tspl *t, const struct tspl_args *a)
{
    struct pl_element *e;
    PL_TRY(tspl_start_barcode(t, a, PL_SYM_MICROPDF417, &e));
    if (!e || !tspl_set_data(t, a, &e->barcode))
        return PL_OK;
    struct pl_barcode *b = &e->barcode;
    int32_t value;
    (void)tspl_rotation(t, a, 2, &e->rotation);
    b->height = 10;
    b->micropdf417.columns = 0;
    for (unsigned i = 3; i + 1 < a->st->count; i++) {
        if (tspl_option(a, i, 'W', &value))
            b->module = (uint32_t)pl_clamp_i32(value, 1, 100);
        else if (tspl_option(a, i, 'H', &value))
            b->height = pl_clamp_i32(value, 1, 9999);
        else if (tspl_option(a, i, 'C', &value))
            b->micropdf417.columns = pl_clamp_i32(value, 0, 4);
        else
            tspl_note_unread(t, a, i);
    }
    return tspl_add_barcode(t, a, e);
}

// ---- GS1 DataBar, CODABLOCK, TLC39

static int32_t databar_form(struct pl_slice name)
{
    static const char *const NAMES[] = {"RSS14", "RSS14T", "RSS14S", "RSS14SO", "RSSLIM",    "RSSEXP",
                                        "UPCA",  "UPCE",   "EAN13",  "EAN8",    "UCC128CCA", "UCC128CCC"};
    for (size_t i = 0; i < PL_COUNTOF(NAMES); i++)
        if (pl_slice_eq_nocase(name, pl_slice_cstr(NAMES[i])))
            return (int32_t)i + PL_DATABAR_OMNI;
    return 0;
}

enum pl_errc tspl_cmd_rss(struct tspl *t, const struct tspl_args *a)
{
    struct pl_element *e;
    struct pl_slice name = {0};
    PL_TRY(tspl_start_barcode(t, a, PL_SYM_DATABAR, &e));
    if (!e || !tspl_text(t, a, 2, &name) || !tspl_set_data(t, a, &e->barcode))
        return PL_OK;
    struct pl_barcode *b = &e->barcode;
    b->databar.form = databar_form(name);
    if (b->databar.form == 0)
        return PL_REPORTED(tspl_note(t, a, PL_DIAG_PARAMETER_INVALID, 3,
                                     "RSS: there is no symbol %.*s; nothing was drawn.",
                                     (int)PL_MIN(name.len, (size_t)40), (const char *)name.ptr));
    b->databar.magnification = 2;
    b->databar.separator = 1;
    (void)tspl_rotation(t, a, 3, &e->rotation);
    (void)tspl_int(t, a, 4, 1, 10, &b->databar.magnification);
    (void)tspl_int(t, a, 5, 1, 2, &b->databar.separator);
    bool expanded = b->databar.form == PL_DATABAR_EXPANDED;
    b->databar.segments_per_row = 22;
    b->height = 25;
    if (a->st->count > 7 && expanded)
        (void)tspl_int(t, a, 6, 2, 22, &b->databar.segments_per_row);
    else if (a->st->count > 7)
        (void)tspl_int(t, a, 6, 1, 500, &b->height);
    b->module = (uint32_t)b->databar.magnification;
    b->databar.composite = b->data;
    b->content.bytes = pl_slice_until(&b->databar.composite, '|');
    return tspl_add_barcode(t, a, e);
}

enum pl_errc tspl_cmd_codablock(struct tspl *t, const struct tspl_args *a)
{
    struct pl_element *e;
    PL_TRY(tspl_start_barcode(t, a, PL_SYM_CODABLOCK, &e));
    if (!e || !tspl_set_data(t, a, &e->barcode))
        return PL_OK;
    int32_t row = 8, module = 2;
    (void)tspl_rotation(t, a, 2, &e->rotation);
    if (a->st->count > 4)
        (void)tspl_int(t, a, 3, 1, 1000, &row);
    if (a->st->count > 5)
        (void)tspl_int(t, a, 4, 1, 100, &module);
    e->barcode.module = (uint32_t)module;
    e->barcode.height = row * module; // rows are counted in modules
    e->barcode.codablock.variant = 'F';
    return tspl_add_barcode(t, a, e);
}

enum pl_errc tspl_cmd_tlc39(struct tspl *t, const struct tspl_args *a)
{
    struct pl_element *e;
    PL_TRY(tspl_start_barcode(t, a, PL_SYM_TLC39, &e));
    if (!e || !tspl_set_data(t, a, &e->barcode))
        return PL_OK;
    struct pl_barcode *b = &e->barcode;
    int32_t sizes[5] = {40, 2, 4, 2, 4}; // height, narrow, wide, module and row height of the part above
    (void)tspl_rotation(t, a, 2, &e->rotation);
    for (unsigned i = 0; i < 5 && 4 + i < a->st->count; i++)
        (void)tspl_int(t, a, 3 + i, 1, 1000, &sizes[i]);
    b->height = sizes[0];
    b->module = (uint32_t)sizes[1];
    b->tlc39.narrow = sizes[1];
    b->tlc39.ratio_tenths = pl_clamp_i32((sizes[2] * 10 + sizes[1] - 1) / sizes[1], 20, 30);
    b->tlc39.micro_module = sizes[3];
    b->tlc39.micro_height = sizes[4];
    struct pl_slice rest = b->data;
    b->content.bytes = pl_slice_until(&rest, ',');
    uint8_t *second = rest.len ? pl_arena_copy(t->arena, rest.ptr, rest.len) : NULL;
    if (rest.len && !second)
        return pl_fail_memory(t->err);
    for (size_t i = 0; i < rest.len; i++)
        second[i] = second[i] == ',' ? '*' : second[i];
    b->tlc39.second = pl_slice_make(second, rest.len);
    return tspl_add_barcode(t, a, e);
}
