// BARCODE: every type with its width rule, its data and the line below it; and what all commands for codes share.
#include "base/fmt.h"
#include "lang/code_text.h"
#include "lang/tspl/cmd_table.h"

enum reader { READ_PLAIN, READ_39, READ_93, READ_128M, READ_GS1M, READ_GS1, READ_EAN14, READ_IDENT };

struct type {
    const char *name;
    enum pl_symbology symbology;
    enum reader reader;
    bool ratio;         // has wide elements
    bool check;         // option of the symbology
    uint8_t digits;     // that the data has, without a check digit; 0: any
    uint8_t supplement; // digits of the code beside it
};

static const struct type TYPES[] = {
    {"128", PL_SYM_CODE128, READ_PLAIN, false, false, 0, 0},
    {"128M", PL_SYM_CODE128, READ_128M, false, false, 0, 0},
    {"EAN128", PL_SYM_CODE128, READ_GS1, false, false, 0, 0},
    {"EAN128M", PL_SYM_CODE128, READ_GS1M, false, false, 0, 0},
    {"25", PL_SYM_INTERLEAVED_2OF5, READ_PLAIN, true, false, 0, 0},
    {"25C", PL_SYM_INTERLEAVED_2OF5, READ_PLAIN, true, true, 0, 0},
    {"25S", PL_SYM_STANDARD_2OF5, READ_PLAIN, true, false, 0, 0},
    {"25I", PL_SYM_INDUSTRIAL_2OF5, READ_PLAIN, true, false, 0, 0},
    {"39", PL_SYM_CODE39, READ_39, true, false, 0, 0},
    {"39C", PL_SYM_CODE39, READ_39, true, true, 0, 0},
    {"39S", PL_SYM_CODE39, READ_PLAIN, true, false, 0, 0},
    {"93", PL_SYM_CODE93, READ_93, false, false, 0, 0},
    {"EAN13", PL_SYM_EAN13, READ_PLAIN, false, false, 12, 0},
    {"EAN13+2", PL_SYM_EAN13, READ_PLAIN, false, false, 12, 2},
    {"EAN13+5", PL_SYM_EAN13, READ_PLAIN, false, false, 12, 5},
    {"EAN8", PL_SYM_EAN8, READ_PLAIN, false, false, 7, 0},
    {"EAN8+2", PL_SYM_EAN8, READ_PLAIN, false, false, 7, 2},
    {"EAN8+5", PL_SYM_EAN8, READ_PLAIN, false, false, 7, 5},
    {"UPCA", PL_SYM_UPCA, READ_PLAIN, false, true, 11, 0},
    {"UPCA+2", PL_SYM_UPCA, READ_PLAIN, false, true, 11, 2},
    {"UPCA+5", PL_SYM_UPCA, READ_PLAIN, false, true, 11, 5},
    {"UPA+5", PL_SYM_UPCA, READ_PLAIN, false, true, 11, 5},
    {"UPCE", PL_SYM_UPCE, READ_PLAIN, false, true, 6, 0},
    {"UPCE+2", PL_SYM_UPCE, READ_PLAIN, false, true, 6, 2},
    {"UPCE+5", PL_SYM_UPCE, READ_PLAIN, false, true, 6, 5},
    {"UPE+5", PL_SYM_UPCE, READ_PLAIN, false, true, 6, 5},
    {"CODA", PL_SYM_CODABAR, READ_PLAIN, true, false, 0, 0},
    {"MSI", PL_SYM_MSI, READ_PLAIN, true, false, 0, 0},
    {"MSIC", PL_SYM_MSI, READ_PLAIN, true, true, 0, 0},
    {"PLESSEY", PL_SYM_PLESSEY, READ_PLAIN, true, false, 0, 0},
    {"POST", PL_SYM_POSTAL, READ_PLAIN, false, false, 0, 0},
    {"PLANET", PL_SYM_PLANET, READ_PLAIN, false, false, 0, 0},
    {"ITF14", PL_SYM_INTERLEAVED_2OF5, READ_PLAIN, true, true, 13, 0},
    {"EAN14", PL_SYM_CODE128, READ_EAN14, false, false, 13, 0},
    {"11", PL_SYM_CODE11, READ_PLAIN, true, false, 0, 0},
    {"LOGMARS", PL_SYM_LOGMARS, READ_PLAIN, true, false, 0, 0},
    {"CODE49", PL_SYM_CODE49, READ_PLAIN, false, false, 0, 0},
    {"DPI", PL_SYM_INTERLEAVED_2OF5, READ_IDENT, true, false, 11, 0},
    {"DPL", PL_SYM_INTERLEAVED_2OF5, READ_IDENT, true, false, 13, 0},
};

static const struct type *find_type(struct pl_slice name)
{
    for (size_t i = 0; i < PL_COUNTOF(TYPES); i++)
        if (pl_slice_eq_nocase(name, pl_slice_cstr(TYPES[i].name)))
            return &TYPES[i];
    return NULL;
}

// An element with a symbol of this kind at the place of the first two arguments; NULL: no memory.
static struct pl_element *new_barcode(struct tspl *t, const struct tspl_args *a, int32_t x, int32_t y,
                                      enum pl_symbology symbology)
{
    struct pl_element *e = pl_element_new(&t->labels, PL_ELEMENT_BARCODE, a->source, x, y);
    if (!e)
        return NULL;
    e->at.pivot = true;
    pl_barcode_init(&e->barcode, symbology);
    e->barcode.module = 1;
    e->barcode.ratio_tenths = 30;
    return e;
}

enum pl_errc tspl_start_barcode(struct tspl *t, const struct tspl_args *a, enum pl_symbology symbology,
                                struct pl_element **out)
{
    int32_t x, y;
    *out = NULL;
    if (!tspl_place(t, a, 0, &x, &y))
        return PL_OK;
    *out = new_barcode(t, a, x, y, symbology);
    return *out ? PL_OK : pl_fail_memory(t->err);
}

bool tspl_set_data(struct tspl *t, const struct tspl_args *a, struct pl_barcode *b)
{
    if (!tspl_text(t, a, tspl_data_item(a->row, a->st), &b->data))
        return false;
    b->content = pl_content_of(b->data);
    return true;
}

void tspl_set_counted(struct tspl *t, const struct tspl_args *a, unsigned i, int32_t count, struct pl_barcode *b)
{
    struct tspl_lexer *lex = &t->lex;
    size_t from = (size_t)(a->st->item[i].ptr - lex->text.ptr) + a->st->item[i].len;
    while (from < lex->text.len && lex->text.ptr[from] != ',')
        from++;
    b->data = pl_slice_sub(lex->text, from + 1, (size_t)count);
    b->content = pl_content_of(b->data);
    if (b->data.len < (size_t)count)
        tspl_note(t, a, PL_DIAG_GRAPHIC_DATA, 0, "%s: %zu of %d bytes are missing at the end.", a->source.command,
                  (size_t)count - b->data.len, count);
    lex->pos = PL_MIN(from + 1 + b->data.len, lex->text.len);
}

void tspl_note_unread(struct tspl *t, const struct tspl_args *a, unsigned i)
{
    tspl_note(t, a, PL_DIAG_PARAMETER_INVALID, i + 1, "%s: parameter %u is not understood: %.*s.", a->source.command,
              i + 1, (int)PL_MIN(a->st->item[i].len, (size_t)40), (const char *)a->st->item[i].ptr);
}

enum pl_errc tspl_add_barcode(struct tspl *t, const struct tspl_args *a, struct pl_element *e)
{
    if (e->barcode.data.len > 0)
        return tspl_add(t, e);
    tspl_note(t, a, PL_DIAG_FIELD_EMPTY, a->st->count, "%s: there is no data; no barcode was drawn.",
              a->source.command);
    return PL_OK;
}

// ---- data

// Weights of the check digit that a type works out by itself, of its digits by turns, whose number is odd.
struct weights {
    uint32_t odd, even;
};

static struct weights weights_of(const struct type *type)
{
    return type->reader == READ_IDENT ? (struct weights){4, 9} : (struct weights){3, 1};
}

// Digits as they are, with a check digit behind them, and something before them.
static enum pl_errc with_check(struct tspl *t, struct pl_barcode *b, const char *before, struct weights w)
{
    size_t n = strlen(before);
    uint8_t *text = pl_arena_alloc(t->arena, n + b->data.len + 1, 1);
    if (!text)
        return pl_fail_memory(t->err);
    memcpy(text, before, n);
    memcpy(text + n, b->data.ptr, b->data.len);
    text[n + b->data.len] = (uint8_t)pl_check_digit(b->data, w.odd, w.even);
    b->content = pl_content_of(pl_slice_make(text, n + b->data.len + 1));
    return PL_OK;
}

// EAN and UPC say so where they are drawn.
static void note_check_digit(struct tspl *t, const struct tspl_args *a, const struct type *type, struct pl_slice data)
{
    const bool own = type->reader == READ_EAN14 || type->reader == READ_IDENT ||
                     (type->symbology == PL_SYM_INTERLEAVED_2OF5 && type->check);
    const struct weights w = weights_of(type);
    if (!own || data.len != type->digits + 1u)
        return;
    const uint8_t right = (uint8_t)pl_check_digit(pl_slice_sub(data, 0, type->digits), w.odd, w.even);
    if (data.ptr[type->digits] == right)
        return;
    struct pl_diag *d =
        tspl_note(t, a, PL_DIAG_CHECK_DIGIT_WRONG, a->st->count,
                  "BARCODE: the check digit %c is wrong; %c was encoded.", data.ptr[type->digits], right);
    // At the digit, where the command has it as it is.
    const struct pl_slice command = pl_slice_sub(t->input, a->source.offset, a->source.length);
    const uint8_t *found = (const uint8_t *)memmem(command.ptr, command.len, data.ptr, data.len);
    if (d && found) {
        d->source.offset = (uint32_t)(found - t->input.ptr) + type->digits;
        d->source.length = 1;
    }
}

// Is the data as many digits as the type has? A check digit that came with it is left out, and worked out again.
static bool take_digits(struct tspl *t, const struct tspl_args *a, const struct type *type, struct pl_barcode *b)
{
    if (type->digits == 0)
        return true;
    size_t n = b->data.len, more = type->supplement;
    bool upce = type->symbology == PL_SYM_UPCE;
    bool fits = n == type->digits + more || n == type->digits + more + 1 || (upce && n == 8 + more);
    if (!pl_all_digits(b->data) || !fits) {
        tspl_note(t, a, PL_DIAG_BARCODE_UNENCODABLE, a->st->count,
                  "BARCODE: %s holds %u digits, with or without a check digit; nothing was drawn.", type->name,
                  (unsigned)(type->digits + more));
        return false;
    }
    note_check_digit(t, a, type, b->data);
    return true;
}

static enum pl_errc read_data(struct tspl *t, const struct type *type, struct pl_barcode *b)
{
    switch (type->reader) {
    case READ_39:
        b->caption = b->data;
        return pl_full_ascii_39(t->arena, b->data, &b->content) ? PL_OK : pl_fail_memory(t->err);
    case READ_93:
        return pl_full_ascii_93(t->arena, b->data, &b->content) ? PL_OK : pl_fail_memory(t->err);
    case READ_128M:
        return tspl_read_code128_manual(t, b, false);
    case READ_GS1M:
        return tspl_read_code128_manual(t, b, true);
    case READ_GS1:
        b->code128.rule = PL_CODE128_GS1;
        if (b->data.ptr[0] == '(')
            b->caption = b->data;
        return pl_gs1_elements(t->arena, b->data, &b->content) ? PL_OK : pl_fail_memory(t->err);
    case READ_EAN14:
        b->code128.rule = PL_CODE128_GS1;
        b->data = pl_slice_sub(b->data, 0, type->digits);
        return with_check(t, b, "01", weights_of(type));
    case READ_IDENT:
        b->data = pl_slice_sub(b->data, 0, type->digits);
        return with_check(t, b, "", weights_of(type));
    default:
        return PL_OK;
    }
}

// Where a symbology has options that the type decides.
static void set_options(const struct type *type, struct pl_barcode *b)
{
    b->check = type->check;
    if (type->symbology == PL_SYM_MSI)
        b->msi.checks = type->check ? PL_MSI_MOD10 : PL_MSI_NONE;
    else if (type->symbology == PL_SYM_CODE11)
        b->check = b->data.len <= 10; // longer data has two check digits
    if (type->symbology == PL_SYM_INTERLEAVED_2OF5 && type->digits == 13 && type->reader == READ_PLAIN)
        b->data = pl_slice_sub(b->data, 0, 13);
    if (type->symbology == PL_SYM_CODE39 && type->reader == READ_PLAIN)
        b->caption = b->data;
}

// ---- the command

struct look {
    int32_t height, readable, narrow, wide;
    enum pl_rotation rotation;
    enum pl_justify justify;
};

static bool read_look(struct tspl *t, const struct tspl_args *a, const struct type *type, struct look *out)
{
    int32_t align = 0;
    *out = (struct look){.narrow = 2, .wide = 4};
    if (!tspl_int(t, a, 3, 1, 32000, &out->height))
        return false;
    (void)tspl_int(t, a, 4, 0, 3, &out->readable);
    (void)tspl_rotation(t, a, 5, &out->rotation);
    (void)tspl_int(t, a, 6, 1, 100, &out->narrow);
    (void)tspl_int(t, a, 7, 1, 400, &out->wide);
    if (tspl_data_item(a->row, a->st) > 8)
        (void)tspl_int(t, a, 8, 0, 3, &align);
    out->justify = align == 2 ? PL_JUSTIFY_CENTER : align == 3 ? PL_JUSTIFY_RIGHT : PL_JUSTIFY_LEFT;
    if (type->ratio && (out->wide * 10 < out->narrow * 20 || out->wide > out->narrow * 3))
        tspl_note(t, a, PL_DIAG_BARCODE_OPTION, 8,
                  "BARCODE: wide elements of %s have two to three times the narrow ones; %d was used.", type->name,
                  out->wide > out->narrow * 3 ? out->narrow * 3 : out->narrow * 2);
    return true;
}

static void set_look(const struct look *look, struct pl_element *e)
{
    struct pl_barcode *b = &e->barcode;
    e->rotation = look->rotation;
    e->at.justify = look->justify;
    b->module = (uint32_t)look->narrow;
    // Rounded up, so that narrow times it, rounded down, is what was asked for.
    b->ratio_tenths = (uint32_t)pl_clamp_i32((look->wide * 10 + look->narrow - 1) / look->narrow, 20, 30);
    b->height = look->height;
    b->default_height = (uint32_t)look->height;
    b->text = look->readable > 0;
    b->has_text_font = true;
    b->text_font = tspl_caption_font(look->narrow);
    b->text_gap = 2;
    b->plain_caption = true;
    b->text_place = look->readable == 1 ? PL_CAPTION_LEFT : look->readable == 3 ? PL_CAPTION_RIGHT : PL_CAPTION_CENTRED;
}

// The two or five digits beside an EAN or UPC code, with their text above.
static enum pl_errc add_supplement(struct tspl *t, const struct tspl_args *a, const struct type *type,
                                   const struct look *look, struct pl_slice digits, int32_t x, int32_t y)
{
    int32_t along = pl_supplement_place(type->symbology) * look->narrow;
    // Low bars keep half their height, and the text stands above them.
    int32_t down = look->readable ? PL_MIN(tspl_caption_font(look->narrow).height + 2, look->height / 2) : 0;
    struct pl_element *e = new_barcode(t, a, x, y, PL_SYM_UPC_EAN_EXTENSION);
    if (!e)
        return pl_fail_memory(t->err);
    set_look(look, e);
    e->at.justify = PL_JUSTIFY_LEFT;
    struct pl_box corner =
        pl_frame_box((struct pl_frame){e->at.x, e->at.y, look->rotation}, (struct pl_box){along, down, along, down});
    e->at.x = corner.x0;
    e->at.y = corner.y0;
    e->barcode.height = PL_MAX(look->height - down, 1);
    e->barcode.text_above = true;
    e->barcode.text_place = PL_CAPTION_CENTRED;
    e->barcode.data = digits;
    e->barcode.content = pl_content_of(digits);
    return tspl_add(t, e);
}

enum pl_errc tspl_cmd_barcode(struct tspl *t, const struct tspl_args *a)
{
    int32_t x, y;
    struct pl_slice name = {0}, data = {0};
    if (!tspl_place(t, a, 0, &x, &y) || !tspl_text(t, a, 2, &name))
        return PL_OK;
    const struct type *type = find_type(pl_slice_trim(name));
    if (!type)
        return PL_REPORTED(tspl_note(t, a, PL_DIAG_UNSUPPORTED, 3, "BARCODE: the type %.*s cannot be drawn.",
                                     (int)PL_MIN(name.len, (size_t)40), (const char *)name.ptr));
    struct look look;
    if (!read_look(t, a, type, &look) || !tspl_text(t, a, tspl_data_item(a->row, a->st), &data))
        return PL_OK;
    struct pl_element *e = new_barcode(t, a, x, y, type->symbology);
    if (!e)
        return pl_fail_memory(t->err);
    struct pl_barcode *b = &e->barcode;
    set_look(&look, e);
    b->data = data;
    if (data.len > 0 && !take_digits(t, a, type, b))
        return PL_OK;
    size_t main = type->supplement ? data.len - PL_MIN(data.len, type->supplement) : data.len;
    b->data = pl_slice_sub(data, 0, main);
    set_options(type, b);
    b->content = pl_content_of(b->data);
    if (b->data.len > 0)
        PL_TRY(read_data(t, type, b));
    PL_TRY(tspl_add_barcode(t, a, e));
    if (type->supplement == 0 || data.len == 0)
        return PL_OK;
    return add_supplement(t, a, type, &look, pl_slice_sub(data, main, data.len), x, y);
}
