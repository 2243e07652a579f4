// BARCODE: linear codes, their data, widths and the line below them.
#include "base/fmt.h"
#include "lang/code_text.h"
#include "lang/cpcl/cmd_table.h"

enum reader { READ_PLAIN, READ_39, READ_F39, READ_93, READ_GS1, READ_GERMAN, READ_CODABAR16, READ_FIM };

struct type {
    const char *name;
    enum pl_symbology symbology;
    enum reader reader;
    bool check;         // option of the symbology
    uint8_t digits;     // that the data has, without a check digit; 0: any
    uint8_t supplement; // digits of the code beside it
};

static const struct type TYPES[] = {
    {"UPCA", PL_SYM_UPCA, READ_PLAIN, true, 11, 0},
    {"UPCA2", PL_SYM_UPCA, READ_PLAIN, true, 11, 2},
    {"UPCA5", PL_SYM_UPCA, READ_PLAIN, true, 11, 5},
    {"UPCE", PL_SYM_UPCE, READ_PLAIN, true, 6, 0},
    {"UPCE2", PL_SYM_UPCE, READ_PLAIN, true, 6, 2},
    {"UPCE5", PL_SYM_UPCE, READ_PLAIN, true, 6, 5},
    {"EAN13", PL_SYM_EAN13, READ_PLAIN, false, 12, 0},
    {"EAN132", PL_SYM_EAN13, READ_PLAIN, false, 12, 2},
    {"EAN135", PL_SYM_EAN13, READ_PLAIN, false, 12, 5},
    {"EAN8", PL_SYM_EAN8, READ_PLAIN, false, 7, 0},
    {"EAN82", PL_SYM_EAN8, READ_PLAIN, false, 7, 2},
    {"EAN85", PL_SYM_EAN8, READ_PLAIN, false, 7, 5},
    {"39", PL_SYM_CODE39, READ_39, false, 0, 0},
    {"39C", PL_SYM_CODE39, READ_39, true, 0, 0},
    {"F39", PL_SYM_CODE39, READ_F39, false, 0, 0},
    {"F39C", PL_SYM_CODE39, READ_F39, true, 0, 0},
    {"93", PL_SYM_CODE93, READ_93, false, 0, 0},
    {"I2OF5", PL_SYM_INTERLEAVED_2OF5, READ_PLAIN, false, 0, 0},
    {"I2OF5C", PL_SYM_INTERLEAVED_2OF5, READ_PLAIN, true, 0, 0},
    {"I2OF5G", PL_SYM_INTERLEAVED_2OF5, READ_GERMAN, false, 0, 0},
    {"128", PL_SYM_CODE128, READ_PLAIN, false, 0, 0},
    {"UCCEAN128", PL_SYM_CODE128, READ_GS1, false, 0, 0},
    {"CODABAR", PL_SYM_CODABAR, READ_PLAIN, false, 0, 0},
    {"CODABAR16", PL_SYM_CODABAR, READ_CODABAR16, false, 0, 0},
    {"MSI", PL_SYM_MSI, READ_PLAIN, false, 0, 0},
    {"MSI10", PL_SYM_MSI, READ_PLAIN, false, 0, 0},
    {"MSI1010", PL_SYM_MSI, READ_PLAIN, false, 0, 0},
    {"MSI1110", PL_SYM_MSI, READ_PLAIN, false, 0, 0},
    {"POSTNET", PL_SYM_POSTAL, READ_PLAIN, false, 0, 0},
    {"FIM", PL_SYM_POSTAL, READ_FIM, false, 0, 0},
};

static const struct type *find_type(struct pl_slice name)
{
    for (size_t i = 0; i < PL_COUNTOF(TYPES); i++)
        if (pl_slice_eq_cstr(name, TYPES[i].name))
            return &TYPES[i];
    return NULL;
}

struct pl_element *cpcl_new_barcode(struct cpcl *e, const struct cpcl_args *a, enum pl_symbology symbology)
{
    struct pl_element *element = pl_element_new(&e->labels, PL_ELEMENT_BARCODE, a->source, 0, 0);
    if (!element)
        return NULL;
    pl_barcode_init(&element->barcode, symbology);
    element->barcode.module = 1;
    element->barcode.ratio_tenths = 20;
    return element;
}

// ---- data

// Is the data as many digits as the type has? A check digit that came with it is worked out again.
static bool digits_fit(struct cpcl *e, const struct cpcl_args *a, const struct type *type, struct pl_slice data)
{
    if (type->digits == 0)
        return true;
    size_t n = data.len, least = (size_t)type->digits + type->supplement;
    bool upce = type->symbology == PL_SYM_UPCE;
    if (pl_all_digits(data) && n >= least && n <= least + 1u + upce)
        return true;
    cpcl_note(e, a, PL_DIAG_BARCODE_UNENCODABLE,
              "%s holds %zu digits, with or without a check digit; nothing was drawn.", type->name, least);
    return false;
}

static enum pl_errc append(struct cpcl *e, struct pl_slice data, size_t at, uint8_t byte, struct pl_content *out)
{
    uint8_t *text = pl_arena_alloc(e->arena, data.len + 1, 1);
    if (!text)
        return pl_fail_memory(e->err);
    memcpy(text, data.ptr, at);
    text[at] = byte;
    memcpy(text + at + 1, data.ptr + at, data.len - at);
    *out = pl_content_of(pl_slice_make(text, data.len + 1));
    return PL_OK;
}

// The sum of all characters with the check character, start and stop included, is a multiple of 16.
static enum pl_errc read_codabar16(struct cpcl *e, struct pl_barcode *b)
{
    static const char VALUES[] = "0123456789-$:/.+ABCD";
    struct pl_slice data = b->data;
    bool framed = data.len > 2 && strchr("ABCD", data.ptr[0]) && strchr("ABCD", data.ptr[data.len - 1]);
    uint32_t sum = framed ? 0 : 2 * 16; // A at both ends
    for (size_t i = 0; i < data.len; i++) {
        const char *at = data.ptr[i] ? strchr(VALUES, data.ptr[i]) : NULL;
        sum += at ? (uint32_t)(at - VALUES) : 0;
    }
    return append(e, data, framed ? data.len - 1 : data.len, (uint8_t)VALUES[(16 - sum % 16) % 16], &b->content);
}

static enum pl_errc read_data(struct cpcl *e, const struct type *type, struct pl_barcode *b)
{
    bool memory = true;
    switch (type->reader) {
    case READ_F39:
        b->caption = b->data;
        memory = pl_full_ascii_39(e->arena, b->data, &b->content);
        break;
    case READ_93:
        memory = pl_full_ascii_93(e->arena, b->data, &b->content);
        break;
    case READ_GS1:
        b->code128.rule = PL_CODE128_GS1;
        b->caption = b->data;
        memory = pl_gs1_elements(e->arena, b->data, &b->content);
        break;
    case READ_GERMAN: // 11 or 13 digits and a check digit
        return b->data.len % 2 ? append(e, b->data, b->data.len, (uint8_t)pl_check_digit(b->data, 4, 9), &b->content)
                               : PL_OK;
    case READ_CODABAR16:
        return read_codabar16(e, b);
    default:
        break;
    }
    return memory ? PL_OK : pl_fail_memory(e->err);
}

static void set_options(const struct type *type, struct pl_barcode *b)
{
    b->check = type->check;
    if (type->symbology == PL_SYM_MSI) {
        size_t n = strlen(type->name);
        b->msi.checks = n == 3                               ? PL_MSI_NONE
                        : n == 5                             ? PL_MSI_MOD10
                        : strcmp(type->name, "MSI1010") == 0 ? PL_MSI_MOD10_TWICE
                                                             : PL_MSI_MOD11_MOD10;
    } else if (type->symbology == PL_SYM_POSTAL) {
        b->postal.kind = PL_POSTAL_POSTNET;
    }
}

// ---- widths and caption

// 0 to 4: 1.5 to 3.5 by halves; 20 to 30: tenths.
static uint32_t ratio_tenths(struct cpcl *e, const struct cpcl_args *a, int32_t ratio)
{
    if (ratio >= 0 && ratio <= 4)
        return 15 + 5 * (uint32_t)ratio;
    if (ratio >= 20 && ratio <= 30)
        return (uint32_t)ratio;
    cpcl_note(e, a, PL_DIAG_PARAMETER_RANGE, "the ratio is %d, but must be from 0 to 4 or from 20 to 30; 2 was used.",
              ratio);
    return 25;
}

static void set_look(const struct cpcl *e, int32_t narrow, uint32_t ratio, int32_t height, struct pl_barcode *b)
{
    const struct cpcl_settings *s = &e->settings;
    b->module = (uint32_t)narrow;
    b->ratio_tenths = (uint32_t)pl_clamp_i32((int64_t)ratio, 20, 30);
    if (ratio != b->ratio_tenths)
        b->wide = PL_MAX((uint32_t)narrow * ratio / 10, (uint32_t)narrow + 1);
    b->height = height;
    b->default_height = (uint32_t)height;
    b->text = b->has_text_font = b->plain_caption = s->caption;
    if (!s->caption)
        return;
    b->text_font = s->caption_font;
    b->text_gap = (uint8_t)pl_clamp_i32(s->caption_gap, 1, 255); // 0 is the usual gap of other languages
}

enum pl_errc cpcl_cmd_barcode_text(struct cpcl *e, struct cpcl_args *a)
{
    struct pl_slice ahead = a->rest, word = cpcl_next_word(&ahead);
    bool found;
    if (pl_slice_eq_cstr(word, "OFF")) {
        e->settings.caption = false;
        return PL_OK;
    }
    struct pl_font_ref font = {0};
    PL_TRY(cpcl_font(e, a, &font, &found));
    if (!found)
        return PL_OK;
    e->settings.caption = true;
    e->settings.caption_font = font;
    e->settings.caption_gap = 0;
    if (cpcl_more(a))
        (void)cpcl_dots(e, a, &e->settings.caption_gap);
    return PL_OK;
}

// ---- the command

// The two or five digits beside an EAN or UPC code: nine modules behind it, with their text above.
static enum pl_errc add_supplement(struct cpcl *e, const struct cpcl_args *a, const struct type *type,
                                   struct pl_element *main, struct pl_slice digits)
{
    int32_t module = (int32_t)main->barcode.module, columns = pl_supplement_place(type->symbology);
    int32_t all = (columns + (type->supplement == 2 ? 20 : 47)) * module;
    struct pl_frame frame = {main->at.x, main->at.y, main->rotation};
    // Both together are justified.
    if (main->at.justify == PL_JUSTIFY_CENTER)
        frame = pl_frame_moved(frame, -all / 2);
    else if (main->at.justify == PL_JUSTIFY_RIGHT)
        frame = pl_frame_moved(frame, -all);
    main->at.x = frame.x;
    main->at.y = frame.y;
    main->at.justify = PL_JUSTIFY_LEFT;
    struct pl_element *more = cpcl_new_barcode(e, a, PL_SYM_UPC_EAN_EXTENSION);
    if (!more)
        return pl_fail_memory(e->err);
    const struct pl_barcode *of = &main->barcode;
    int32_t along = columns * module;
    // Low bars keep half their height, and the text stands above them.
    int32_t down = of->text ? PL_MIN(of->text_font.height + of->text_gap, of->height / 2) : 0;
    struct pl_box corner = pl_frame_box(frame, (struct pl_box){along, down, along, down});
    more->rotation = main->rotation;
    more->at = main->at;
    more->at.x = corner.x0;
    more->at.y = corner.y0;
    set_look(e, module, of->ratio_tenths, PL_MAX(of->height - down, 1), &more->barcode);
    more->barcode.text_above = true;
    more->barcode.data = digits;
    more->barcode.content = pl_content_of(digits);
    return cpcl_add(e, more);
}

// A facing identification mark: nine places for bars, by its letter.
static enum pl_errc add_fim(struct cpcl *e, const struct cpcl_args *a, const int32_t at[2], int32_t narrow,
                            int32_t height, struct pl_slice data)
{
    static const char *const MARKS[] = {"110010011", "101101101", "110101011", "111010111"};
    struct pl_slice letter = pl_slice_trim(data);
    if (letter.len != 1 || letter.ptr[0] < 'A' || letter.ptr[0] > 'D')
        return PL_REPORTED(
            cpcl_note(e, a, PL_DIAG_BARCODE_UNENCODABLE, "FIM is one of the letters A to D; nothing was drawn."));
    enum pl_rotation rotation = a->vertical ? PL_ROT_B : PL_ROT_N;
    const char *mark = MARKS[letter.ptr[0] - 'A'];
    const struct pl_frame frame = {at[0] + e->settings.offset_x + e->settings.origin_x, at[1] + e->settings.origin_y,
                                   rotation};
    for (int32_t i = 0; mark[i]; i++) {
        if (mark[i] != '1')
            continue;
        struct pl_box box = pl_frame_box(frame, (struct pl_box){2 * i * narrow, 0, (2 * i + 1) * narrow, height});
        struct pl_element *bar = pl_element_new_solid(&e->labels, a->source, box);
        if (!bar)
            return pl_fail_memory(e->err);
        PL_TRY(cpcl_add(e, bar));
    }
    return PL_OK;
}

// type narrow ratio height x y data
static enum pl_errc linear(struct cpcl *e, struct cpcl_args *a, const struct type *type)
{
    int32_t narrow, ratio, height, at[2];
    if (!cpcl_dots(e, a, &narrow) || !cpcl_whole(e, a, &ratio) || !cpcl_dots(e, a, &height) ||
        !cpcl_all_dots(e, a, 2, at))
        return PL_OK;
    narrow = pl_clamp_i32(narrow, 1, 100);
    height = pl_clamp_i32(height, 1, 32000);
    struct pl_slice data = pl_slice_trim(cpcl_data(e, a));
    if (data.len == 0)
        return PL_REPORTED(cpcl_note(e, a, PL_DIAG_FIELD_EMPTY, "the data is empty; no barcode was drawn."));
    if (type->reader == READ_FIM)
        return add_fim(e, a, at, narrow, height, data);
    if (!digits_fit(e, a, type, data))
        return PL_OK;
    struct pl_element *bars = cpcl_new_barcode(e, a, type->symbology);
    if (!bars)
        return pl_fail_memory(e->err);
    struct pl_barcode *b = &bars->barcode;
    cpcl_place(e, bars, at[0], at[1], a->vertical ? PL_ROT_B : PL_ROT_N);
    set_look(e, narrow, ratio_tenths(e, a, ratio), height, b);
    size_t main = data.len - type->supplement;
    b->data = pl_slice_sub(data, 0, main);
    set_options(type, b);
    b->content = pl_content_of(b->data);
    PL_TRY(read_data(e, type, b));
    PL_TRY(cpcl_add(e, bars));
    cpcl_page_drawn(e, bars->at.y + height + (b->text ? b->text_font.height + b->text_gap : 0));
    return type->supplement ? add_supplement(e, a, type, bars, pl_slice_sub(data, main, data.len)) : PL_OK;
}

enum pl_errc cpcl_cmd_barcode(struct cpcl *e, struct cpcl_args *a)
{
    struct pl_slice name = cpcl_word(a);
    const struct type *type = find_type(name);
    if (type)
        return linear(e, a, type);
    struct cpcl_args code = *a;
    code.row = cpcl_code_lookup(name);
    if (code.row)
        return code.row->run(e, &code);
    cpcl_note(e, a, PL_DIAG_PARAMETER_INVALID, "there is no barcode of the type %.*s; nothing was drawn.",
              (int)PL_MIN(name.len, (size_t)24), (const char *)name.ptr);
    return PL_OK;
}
