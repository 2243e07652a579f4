// B: linear barcodes, their types, widths, captions and content.
#include "lang/epl/codes.h"

#include <stdio.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "lang/code_text.h"
#include "lang/epl/cmd_table.h"

static const struct epl_code CODES[] = {
    {"3", PL_SYM_CODE39, EPL_FULL_ASCII, 0, false, 0, 0},
    {"3C", PL_SYM_CODE39, EPL_FULL_ASCII, 0, true, 0, 0},
    {"9", PL_SYM_CODE93, EPL_FULL_ASCII, 0, false, 0, 0},
    {"0", PL_SYM_CODE128, EPL_SSCC, 0, false, 0, 0},
    {"1", PL_SYM_CODE128, EPL_AUTO_128, 0, false, 0, 0},
    {"1A", PL_SYM_CODE128, EPL_SUBSET_128, 'A', false, 0, 0},
    {"1B", PL_SYM_CODE128, EPL_SUBSET_128, 'B', false, 0, 0},
    {"1C", PL_SYM_CODE128, EPL_SUBSET_128, 'C', false, 0, 0},
    {"1D", PL_SYM_CODE128, EPL_POST_128, 0, false, 0, 0},
    {"1E", PL_SYM_CODE128, EPL_GS1_128, 0, false, 0, 0},
    {"K", PL_SYM_CODABAR, EPL_PLAIN, 0, false, 0, 0},
    {"E80", PL_SYM_EAN8, EPL_PLAIN, 0, false, 0, 7},
    {"E82", PL_SYM_EAN8, EPL_PLAIN, 0, false, 2, 7},
    {"E85", PL_SYM_EAN8, EPL_PLAIN, 0, false, 5, 7},
    {"E30", PL_SYM_EAN13, EPL_PLAIN, 0, false, 0, 12},
    {"E32", PL_SYM_EAN13, EPL_PLAIN, 0, false, 2, 12},
    {"E35", PL_SYM_EAN13, EPL_PLAIN, 0, false, 5, 12},
    {"A30", PL_SYM_EAN13, EPL_PLAIN, 0, false, 0, 12},
    {"UA0", PL_SYM_UPCA, EPL_PLAIN, 0, true, 0, 11},
    {"UA2", PL_SYM_UPCA, EPL_PLAIN, 0, true, 2, 11},
    {"UA5", PL_SYM_UPCA, EPL_PLAIN, 0, true, 5, 11},
    {"UE0", PL_SYM_UPCE, EPL_PLAIN, 0, true, 0, 6},
    {"UE2", PL_SYM_UPCE, EPL_PLAIN, 0, true, 2, 6},
    {"UE5", PL_SYM_UPCE, EPL_PLAIN, 0, true, 5, 6},
    {"2", PL_SYM_INTERLEAVED_2OF5, EPL_PLAIN, 0, false, 0, 0},
    {"2C", PL_SYM_INTERLEAVED_2OF5, EPL_PLAIN, 0, true, 0, 0},
    {"2D", PL_SYM_INTERLEAVED_2OF5, EPL_PLAIN, 0, true, 0, 0},
    {"2U", PL_SYM_INTERLEAVED_2OF5, EPL_CONTAINER, 0, false, 0, 0},
    {"2G", PL_SYM_INTERLEAVED_2OF5, EPL_POST_2OF5, 0, false, 0, 0},
    {"L", PL_SYM_MSI, EPL_PLAIN, 0, false, 0, 0},
    {"M", PL_SYM_MSI, EPL_PLAIN, 0, false, 0, 0},
    {"P", PL_SYM_POSTAL, EPL_NO_HYPHENS, 'P', false, 0, 0},
    {"PL", PL_SYM_POSTAL, EPL_NO_HYPHENS, 'L', false, 0, 0},
    {"J", PL_SYM_POSTAL, EPL_UNSUPPORTED, 0, false, 0, 0},
    {"R14", PL_SYM_DATABAR, EPL_PLAIN, PL_DATABAR_OMNI, false, 0, 0},
    {"RL", PL_SYM_DATABAR, EPL_PLAIN, PL_DATABAR_LIMITED, false, 0, 0},
    {"RS", PL_SYM_DATABAR, EPL_PLAIN, PL_DATABAR_STACKED, false, 0, 0},
    {"RT", PL_SYM_DATABAR, EPL_PLAIN, PL_DATABAR_TRUNCATED, false, 0, 0},
};

// NULL: no such type.
static const struct epl_code *find_code(struct pl_slice name)
{
    for (size_t i = 0; i < PL_COUNTOF(CODES); i++)
        if (pl_slice_eq_cstr(name, CODES[i].name))
            return &CODES[i];
    return NULL;
}

bool epl_code_has_escapes(const struct epl_code *code)
{
    return code && code->rule == EPL_SUBSET_128;
}

enum pl_errc epl_finding(struct epl *e, struct pl_barcode *barcode, enum pl_bar_fault fault, const char *remark,
                         const char *refusal)
{
    struct pl_barcode_finding finding = {remark ? PL_DIAG_BARCODE_DATA : PL_DIAG_BARCODE_UNENCODABLE, fault, remark,
                                         refusal};
    barcode->findings = pl_arena_copy(e->arena, &finding, sizeof finding);
    barcode->finding_count = barcode->findings ? 1 : 0;
    return barcode->findings ? PL_OK : pl_fail_memory(e->err);
}

// ---- content

// Characters that Code 39 and 93 lack are pairs of others.
static enum pl_errc extend(struct epl *e, struct pl_slice data, struct pl_barcode *b)
{
    for (size_t i = 0; i < data.len; i++)
        if (data.ptr[i] > 127)
            return epl_finding(e, b, PL_BAR_BAD_CHARACTER, NULL, "The data has characters above 127.");
    bool done = b->symbology == PL_SYM_CODE93 ? pl_full_ascii_93(e->arena, data, &b->content)
                                              : pl_full_ascii_39(e->arena, data, &b->content);
    if (done && b->symbology == PL_SYM_CODE39 && b->content.bytes.len != data.len)
        b->caption = data; // not its pairs
    return done ? PL_OK : pl_fail_memory(e->err);
}

// 06h ends a field of a GS1 symbol: it is FNC1.
static enum pl_errc with_fnc1(struct epl *e, struct pl_slice data, struct pl_barcode *b)
{
    enum { FIELD_END = 6 };
    b->code128.rule = PL_CODE128_AUTOMATIC;
    if (!memchr(data.ptr, FIELD_END, data.len))
        return PL_OK;
    uint32_t *codes = PL_ARENA_ARRAY(e->arena, uint32_t, data.len);
    uint8_t *text = PL_ARENA_ARRAY(e->arena, uint8_t, data.len);
    if (!codes || !text)
        return pl_fail_memory(e->err);
    for (size_t i = 0; i < data.len; i++) {
        codes[i] = data.ptr[i] == FIELD_END ? (uint32_t)PL_MARK_FNC1 : data.ptr[i];
        text[i] = data.ptr[i] == FIELD_END ? ' ' : data.ptr[i];
    }
    b->content = (struct pl_content){.codes = codes, .count = data.len};
    b->caption = pl_slice_make(text, data.len);
    return PL_OK;
}

// Symbol characters of a subset that was asked for.
struct values {
    uint32_t *codes;
    uint8_t *text;
    uint32_t count, shown, dropped;
    char set;
};

static void switch_to(struct values *v, char set)
{
    static const uint32_t STARTS[] = {103, 104, 105}, SWITCHES[] = {101, 100, 99};
    if (v->count <= 1)
        v->codes[0] = STARTS[set - 'A'];
    else if (v->set != set)
        v->codes[v->count++] = SWITCHES[set - 'A'];
    v->count = PL_MAX(v->count, 1u);
    v->set = set;
}

// One character of A or B, or a pair of digits of C. Returns the bytes that it took.
static size_t take_value(struct values *v, struct pl_slice data, size_t i)
{
    enum { FNC1 = 102, FIELD_END = 6 };
    uint8_t c = data.ptr[i];
    if (c == FIELD_END && v->set != 'A') {
        v->codes[v->count++] = FNC1;
        v->text[v->shown++] = ' ';
        return 1;
    }
    if (v->set == 'C') {
        if (!pl_is_digit(c) || i + 1 == data.len || !pl_is_digit(data.ptr[i + 1])) {
            v->dropped++;
            return 1;
        }
        v->codes[v->count++] = (uint32_t)(c - '0') * 10 + (uint32_t)(data.ptr[i + 1] - '0');
        v->text[v->shown++] = c;
        v->text[v->shown++] = data.ptr[i + 1];
        return 2;
    }
    bool control = c < 32, small = c >= 96;
    if (c > 127 || (v->set == 'A' ? small : control)) {
        v->dropped++;
        return 1;
    }
    v->codes[v->count++] = control ? c + 64u : c - 32u;
    v->text[v->shown++] = control ? ' ' : c;
    return 1;
}

static enum pl_errc force_subset(struct epl *e, char set, struct pl_slice data, struct pl_barcode *b)
{
    struct values v = {.codes = PL_ARENA_ARRAY(e->arena, uint32_t, data.len + 2),
                       .text = PL_ARENA_ARRAY(e->arena, uint8_t, data.len + 2)};
    if (!v.codes || !v.text)
        return pl_fail_memory(e->err);
    switch_to(&v, set);
    for (size_t i = 0; i < data.len;) {
        bool escape = data.ptr[i] == '\\' && i + 1 < data.len;
        if (escape && data.ptr[i + 1] >= 'A' && data.ptr[i + 1] <= 'C') {
            switch_to(&v, (char)data.ptr[i + 1]);
            i += 2;
        } else {
            i += take_value(&v, data, i + escape) + escape;
        }
    }
    b->code128.rule = PL_CODE128_VALUES;
    b->content = (struct pl_content){.codes = v.codes, .count = v.count};
    b->caption = pl_slice_make(v.text, v.shown);
    if (v.dropped == 0 || v.count < 2)
        return PL_OK;
    return epl_finding(e, b, PL_BAR_BAD_CHARACTER, "Characters that the subset does not have were left out.",
                       "The data has characters that the subset does not have.");
}

// Digits of the data with something before them and a digit behind.
static enum pl_errc set_digits(struct epl *e, const char *before, struct pl_slice data, char check,
                               struct pl_barcode *b)
{
    size_t lead = strlen(before), n = lead;
    uint8_t *text = PL_ARENA_ARRAY(e->arena, uint8_t, lead + data.len + 1);
    if (!text)
        return pl_fail_memory(e->err);
    memcpy(text, before, lead);
    memcpy(text + n, data.ptr, data.len);
    n += data.len;
    if (check)
        text[n++] = (uint8_t)check;
    b->content = pl_content_of(pl_slice_make(text, n));
    return PL_OK;
}

// Two letters, eight digits, the check digit of UPU S10, and the country.
static enum pl_errc post_128(struct epl *e, struct pl_slice data, struct pl_barcode *b)
{
    static const uint8_t WEIGHTS[] = {8, 6, 4, 2, 3, 5, 9, 7};
    b->code128.rule = PL_CODE128_AUTOMATIC;
    bool sound = data.len == 12;
    uint32_t sum = 0;
    for (size_t i = 0; sound && i < 8; i++) {
        sound = pl_is_digit(data.ptr[2 + i]);
        sum += (uint32_t)(data.ptr[2 + i] - '0') * WEIGHTS[i];
    }
    if (!sound)
        return epl_finding(e, b, PL_BAR_BAD_CHARACTER, NULL,
                           "The data is two letters, eight digits and the letters of the country.");
    uint32_t check = 11 - sum % 11;
    check = check == 10 ? 0 : check == 11 ? 5 : check;
    uint8_t *text = PL_ARENA_ARRAY(e->arena, uint8_t, 13);
    if (!text)
        return pl_fail_memory(e->err);
    memcpy(text, data.ptr, 10);
    text[10] = (uint8_t)('0' + check);
    memcpy(text + 11, data.ptr + 10, 2);
    b->content = pl_content_of(pl_slice_make(text, 13));
    return PL_OK;
}

static enum pl_errc sscc(struct epl *e, struct pl_slice data, struct pl_barcode *b)
{
    b->code128.rule = PL_CODE128_CASE;
    if (data.len == 18 || data.len == 20) // the check digit is worked out again
        data.len--;
    return set_digits(e, data.len == 17 ? "00" : "", data, 0, b);
}

static enum pl_errc without_hyphens(struct epl *e, struct pl_slice data, struct pl_barcode *b)
{
    uint8_t *text = PL_ARENA_ARRAY(e->arena, uint8_t, data.len);
    if (!text)
        return pl_fail_memory(e->err);
    size_t n = 0;
    for (size_t i = 0; i < data.len; i++)
        if (data.ptr[i] != '-')
            text[n++] = data.ptr[i];
    b->content = pl_content_of(pl_slice_make(text, n));
    return PL_OK;
}

enum pl_errc epl_code_content(struct epl *e, const struct epl_code *code, struct pl_slice data,
                              struct pl_element *element)
{
    struct pl_barcode *b = &element->barcode;
    b->data = data;
    b->content = pl_content_of(data);
    if (code->extension) {
        bool extends = b->symbology == PL_SYM_UPC_EAN_EXTENSION;
        size_t main = data.len > code->extension ? data.len - code->extension : 0;
        b->content = pl_content_of(extends ? pl_slice_sub(data, main, code->extension) : pl_slice_sub(data, 0, main));
    }
    switch (code->rule) {
    case EPL_FULL_ASCII:
        return extend(e, data, b);
    case EPL_GS1_128:
        PL_TRY(with_fnc1(e, data, b));
        b->code128.rule = PL_CODE128_GS1;
        b->caption = b->caption.ptr ? b->caption : data;
        return PL_OK;
    case EPL_AUTO_128:
        return with_fnc1(e, data, b);
    case EPL_SSCC:
        return sscc(e, data, b);
    case EPL_SUBSET_128:
        return force_subset(e, code->variant, data, b);
    case EPL_POST_128:
        return post_128(e, data, b);
    case EPL_POST_2OF5:
        return data.len % 2 ? set_digits(e, "", data, pl_check_digit(data, 4, 9), b) : PL_OK;
    case EPL_CONTAINER:
        return data.len % 2 ? set_digits(e, "", data, pl_check_digit(data, 3, 1), b) : PL_OK;
    case EPL_NO_HYPHENS:
        return without_hyphens(e, data, b);
    default:
        return PL_OK;
    }
}

// ---- the command

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
    struct pl_box corner =
        epl_turned_box(main->at.x, main->at.y, main->rotation, (struct pl_box){along, text, along, text});
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
    const struct epl_code *code = epl_given(a, 3) ? find_code(a->token->item[3]) : NULL;
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
