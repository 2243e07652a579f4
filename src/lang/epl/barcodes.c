// B and b: linear barcodes and codes in two dimensions, with their options (a letter and a number, in any order).
#include "base/ckd.h"
#include "base/fmt.h"
#include "lang/code_text.h"
#include "lang/epl/codes.h"
#include "lang/epl/state.h"

// The options of one command: letters with numbers or a letter behind them, and numbers alone.
struct options {
    int32_t number[26]; // of a letter; -1: not given
    char letter[26];    // of a letter: what is behind it; 0: a number, or nothing
    int32_t plain[4];
    uint32_t plain_count;
    bool append; // QR: D
};

// One option or number; returns where the next begins.
static size_t read_option(struct pl_slice s, size_t at, struct options *o)
{
    uint8_t c = s.ptr[at++];
    int64_t value = 0;
    size_t digits = 0;
    bool option = c >= 'a' && c <= 'z';
    at -= !option && pl_is_digit(c);
    for (; at < s.len && pl_is_digit(s.ptr[at]) && digits < 6; digits++)
        value = value * 10 + (s.ptr[at++] - '0');
    if (option) {
        o->number[c - 'a'] = digits ? (int32_t)value : 0;
        if (digits == 0 && at < s.len && s.ptr[at] >= 'A' && s.ptr[at] <= 'Z')
            o->letter[c - 'a'] = (char)s.ptr[at++];
    } else if (pl_is_digit(c) && o->plain_count < PL_COUNTOF(o->plain)) {
        o->plain[o->plain_count++] = (int32_t)value;
    } else {
        o->append = o->append || c == 'D';
    }
    return at;
}

// "m2s5eLiA", with commas or without.
static void read_options(const struct epl_token *t, struct options *o)
{
    *o = (struct options){0};
    for (int i = 0; i < 26; i++)
        o->number[i] = -1;
    bool pdf417 = t->item_count > 2 && pl_slice_eq_cstr(t->item[2], "P");
    for (uint32_t i = 3; i < t->item_count; i++) {
        for (size_t at = 0; at < t->item[i].len;)
            at = read_option(t->item[i], at, o);
        // p has three numbers: the others are no size of the symbol.
        if (pdf417 && t->item[i].len > 1 && t->item[i].ptr[0] == 'p' && pl_is_digit(t->item[i].ptr[1]))
            i += 2;
    }
}

static int32_t within(const struct options *o, char letter, int32_t least, int32_t most, int32_t fallback)
{
    int32_t value = o->number[letter - 'a'];
    return value < 0 ? fallback : pl_clamp_i32(value, least, most);
}

static void set_aztec(const struct options *o, struct pl_barcode *b)
{
    b->aztec.magnification = within(o, 'd', 1, 55, 3);
    (void)pl_aztec_set_size(b, within(o, 'e', 0, 300, 0));
    b->aztec.reader_init = o->number['m' - 'a'] >= 0;
}

static void set_datamatrix(const struct options *o, struct pl_element *element)
{
    struct pl_barcode *b = &element->barcode;
    b->datamatrix.quality = 200;
    b->datamatrix.columns = within(o, 'c', 0, 144, 0) > 0 ? within(o, 'c', 0, 144, 0) : -1;
    b->datamatrix.rows = within(o, 'r', 0, 144, 0) > 0 ? within(o, 'r', 0, 144, 0) : -1;
    b->height = within(o, 'h', 1, 40, 5);
    // A quiet zone of one module is a part of the symbol.
    element->at.x += b->height;
    element->at.y += b->height;
}

static void set_pdf417(const struct options *o, struct pl_element *element)
{
    struct pl_barcode *b = &element->barcode;
    bool asked = o->number['x' - 'a'] >= 0;
    b->module = (uint32_t)within(o, 'x', 2, 9, 6);
    b->height = within(o, 'y', 4, 99, asked ? 4 * (int32_t)b->module : -1);
    b->pdf417.security = within(o, 's', 0, 8, 2);
    b->pdf417.truncated = within(o, 't', 0, 1, 0) == 1;
    element->rotation = (enum pl_rotation)within(o, 'o', 0, 3, 0);
    b->pdf417.fit = (struct pl_pdf417_fit){.width = o->plain_count > 0 ? o->plain[0] : 0,
                                           .height = o->plain_count > 1 ? o->plain[1] : 0,
                                           .columns = within(o, 'l', 0, 30, 0),
                                           .rows = within(o, 'r', 0, 90, 0),
                                           .least_module = asked ? (int32_t)b->module : 3};
    if (element->rotation == PL_ROT_R || element->rotation == PL_ROT_B) {
        int32_t width = b->pdf417.fit.width;
        b->pdf417.fit.width = b->pdf417.fit.height;
        b->pdf417.fit.height = width;
    }
    element->at.middle = within(o, 'f', 0, 1, 1) == 1;
}

static void set_qr(const struct options *o, struct pl_barcode *b)
{
    char level = o->letter['e' - 'a'];
    b->qr.magnification = within(o, 's', 1, 99, 3);
    b->qr.model1 = o->number['m' - 'a'] == 1;
    b->qr.error_level = level && strchr("LMQH", level) ? level : 'M';
    b->qr.mode_declared = o->letter['i' - 'a'] == 'M';
}

static void set_maxicode(const struct options *o, struct pl_barcode *b)
{
    int32_t mode = o->number['m' - 'a'];
    b->maxicode.mode = mode == 2 || mode == 3 || mode == 4 || mode == 6 ? mode : -1;
    if (o->plain_count >= 2 && o->plain[0] >= 1 && o->plain[0] <= o->plain[1] && o->plain[1] <= 8) {
        b->maxicode.append_index = o->plain[0];
        b->maxicode.append_count = o->plain[1];
    }
}

static enum pl_symbology symbology_of(char letter)
{
    switch (letter) {
    case 'A':
        return PL_SYM_AZTEC;
    case 'D':
        return PL_SYM_DATAMATRIX;
    case 'M':
        return PL_SYM_MAXICODE;
    case 'P':
        return PL_SYM_PDF417;
    case 'Q':
        return PL_SYM_QR;
    default:
        return PL_SYM_COUNT;
    }
}

enum pl_errc epl_cmd_matrix(struct epl *e, const struct epl_args *a)
{
    int32_t place[2];
    if (!epl_numbers(e, a, 2, place))
        return PL_OK;
    struct pl_slice kind = epl_given(a, 2) ? a->token->item[2] : (struct pl_slice){0};
    char letter = kind.len == 1 ? (char)kind.ptr[0] : 0;
    enum pl_symbology symbology = symbology_of(letter);
    bool known = pl_slice_eq_cstr(kind, "AZ") || pl_slice_eq_cstr(kind, "C");
    if (symbology == PL_SYM_COUNT || !a->token->data.ptr)
        return PL_REPORTED(pl_diag_add(
            e->diags, known ? PL_DIAG_UNSUPPORTED : PL_DIAG_PARAMETER_INVALID, a->source, known ? 3 : 0, "%s",
            known                       ? "b: Aztec Mesa and EAN.UCC composite symbols are not drawn."
            : symbology == PL_SYM_COUNT ? "b: there is no code of this type; nothing was drawn."
                                        : "b: the data is missing; nothing was drawn."));
    struct pl_element *code = epl_new_element(e, a, PL_ELEMENT_BARCODE, place[0], place[1]);
    if (!code)
        return pl_fail_memory(e->err);
    struct options o;
    read_options(a->token, &o);
    pl_barcode_init(&code->barcode, symbology);
    code->at.pivot = true;
    code->replaces = true;
    code->barcode.module = 3;
    code->barcode.ratio_tenths = 20;
    switch (symbology) {
    case PL_SYM_AZTEC:
        set_aztec(&o, &code->barcode);
        break;
    case PL_SYM_DATAMATRIX:
        set_datamatrix(&o, code);
        break;
    case PL_SYM_PDF417:
        set_pdf417(&o, code);
        break;
    case PL_SYM_QR:
        set_qr(&o, &code->barcode);
        break;
    default:
        set_maxicode(&o, &code->barcode);
    }
    if (letter == 'P' && o.number['p' - 'a'] >= 0)
        pl_diag_add(e->diags, PL_DIAG_UNSUPPORTED, a->source, 0, "b: the text line of option p is not drawn.");
    bool inverse = (letter == 'D' && o.number['v' - 'a'] >= 0) || (letter == 'A' && o.number['r' - 'a'] >= 0);
    if (inverse || o.append)
        pl_diag_add(e->diags, PL_DIAG_UNSUPPORTED, a->source, 0, "%s",
                    inverse ? "b: inverse symbols are not drawn; it was drawn black on white."
                            : "b: symbols in a row are not drawn; the symbol was drawn alone.");
    return epl_add_data(e, &(struct epl_pending){.element = code, .data = a->token->data, .matrix = letter});
}

// What the type does to the options of the symbology.
static void set_options(const struct epl *e, const struct epl_code *code, struct pl_barcode *b, uint32_t narrow)
{
    b->check = code->check;
    if (b->symbology == PL_SYM_POSTAL) {
        // Bars of postal codes have one size: 25 dots at 203 dpi, ten dots from bar to bar.
        b->postal.kind = code->variant == 'L' ? PL_POSTAL_PLANET : PL_POSTAL_POSTNET;
        b->module = e->options->dpmm >= 12 ? 6 : 4;
        b->height = e->options->dpmm >= 12 ? 37 : 25;
    } else if (b->symbology == PL_SYM_DATABAR) {
        b->databar.form = code->variant;
        b->databar.magnification = (int32_t)narrow;
        b->databar.separator = 1;
    }
}

// The symbol of two or five digits: nine modules behind the main one, its text above it.
static enum pl_errc add_extension(struct epl *e, const struct epl_args *a, const struct epl_code *code,
                                  const struct pl_element *main)
{
    int32_t module = (int32_t)main->barcode.module;
    // Low bars keep half their height, and the text stands above them.
    int32_t text = main->barcode.text ? PL_MIN(8 + 7 * module, main->barcode.height / 2) : 0;
    int32_t along = pl_supplement_place(code->symbology) * module;
    const struct pl_frame place = {main->at.x, main->at.y, main->rotation};
    struct pl_box corner = pl_frame_box(place, (struct pl_box){along, text, along, text});
    struct pl_element *more = epl_new_element(e, a, PL_ELEMENT_BARCODE, 0, 0);
    if (!more)
        return pl_fail_memory(e->err);
    more->at = main->at;
    more->at.x = corner.x0;
    more->at.y = corner.y0;
    more->placed_by = (struct pl_place_source){0};
    more->rotation = main->rotation;
    more->replaces = main->replaces;
    pl_barcode_init(&more->barcode, PL_SYM_UPC_EAN_EXTENSION);
    more->barcode.module = main->barcode.module;
    more->barcode.ratio_tenths = main->barcode.ratio_tenths;
    more->barcode.height = PL_MAX(main->barcode.height - text, 1);
    more->barcode.text = main->barcode.text;
    more->barcode.text_above = true;
    return epl_add_data(e, &(struct epl_pending){.element = more, .data = a->token->data, .code = code});
}

static bool has_wide_bars(enum pl_symbology symbology)
{
    return symbology == PL_SYM_CODE39 || symbology == PL_SYM_CODABAR || symbology == PL_SYM_INTERLEAVED_2OF5 ||
           symbology == PL_SYM_MSI;
}

enum pl_errc epl_cmd_barcode(struct epl *e, const struct epl_args *a)
{
    int32_t place[3], narrow = 2, wide = 4, height = 50;
    if (!epl_numbers(e, a, 3, place))
        return PL_OK;
    const struct epl_code *code = epl_given(a, 3) ? epl_code_find(a->token->item[3]) : NULL;
    if (!code || code->rule == EPL_UNSUPPORTED || !a->token->data.ptr)
        return PL_REPORTED(pl_diag_add(e->diags,
                                       !code || !a->token->data.ptr ? PL_DIAG_PARAMETER_INVALID : PL_DIAG_UNSUPPORTED,
                                       a->source, a->token->data.ptr ? 4 : 9,
                                       !a->token->data.ptr ? "B: the data is missing; nothing was drawn."
                                       : code              ? "B: Japanese postal codes are not drawn."
                                              : "B: there is no barcode of this type; nothing was drawn."));
    epl_number(e, a, 4, &narrow);
    epl_number(e, a, 5, &wide);
    epl_number(e, a, 6, &height);
    struct pl_element *bars = epl_new_element(e, a, PL_ELEMENT_BARCODE, place[0], place[1]);
    if (!bars)
        return pl_fail_memory(e->err);
    bars->rotation = (enum pl_rotation)place[2];
    bars->at.pivot = true;
    bars->replaces = true;
    struct pl_barcode *b = &bars->barcode;
    pl_barcode_init(b, code->symbology);
    b->module = (uint32_t)narrow;
    b->ratio_tenths = 20;
    b->wide = wide > narrow ? (uint32_t)wide : 0; // codes of modules have no wide bars, and files then say anything
    if (epl_given(a, 5) && b->wide == 0 && has_wide_bars(code->symbology))
        pl_diag_add(e->diags, PL_DIAG_PARAMETER_RANGE, a->source, 6,
                    "B: wide bars must be wider than narrow ones; %d dots were used.", narrow * 2);
    b->height = height;
    b->text = epl_given(a, 7) && a->token->item[7].ptr[0] == 'B';
    bool own_digits = code->digits > 0; // EAN and UPC have digits between their guards
    b->has_text_font = !own_digits;
    b->text_font = epl_resident(e, narrow < 2 ? 1 : 2, 1, 1);
    b->text_gap = 2;
    b->plain_caption = true;
    set_options(e, code, b, (uint32_t)narrow);
    PL_TRY(epl_add_data(e, &(struct epl_pending){.element = bars, .data = a->token->data, .code = code}));
    return code->extension ? add_extension(e, a, code, bars) : PL_OK;
}
