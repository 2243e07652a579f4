// A: text in resident and soft fonts, and the character sets of I.
#include "base/ckd.h"
#include "base/utf8.h"
#include "lang/code_pages.h"
#include "lang/double_byte.h"
#include "lang/epl/cmd_table.h"

// Cells and pitches in dots at 203 and 300 dpi; the rows of src/font/face/device.c have them, too.
static const struct cell {
    uint8_t height, width, pitch;
} CELLS[2][7] = {
    {{12, 8, 10}, {16, 10, 12}, {20, 12, 14}, {24, 14, 16}, {48, 32, 36}, {19, 14, 16}, {19, 14, 16}},
    {{20, 12, 12}, {28, 16, 16}, {36, 20, 20}, {44, 24, 24}, {80, 48, 48}, {19, 14, 16}, {19, 14, 16}},
};

static const struct cell *cell_of(const struct epl *e, uint32_t font)
{
    return &CELLS[e->options->dpmm == 12][font - 1];
}

struct pl_font_ref epl_resident(const struct epl *e, uint32_t font, int32_t across, int32_t down)
{
    const struct cell *cell = cell_of(e, font);
    return (struct pl_font_ref){
        .resident = (uint8_t)(PL_FONT_EPL_1 + font - 1), .height = cell->height * down, .width = cell->width * across};
}

// I7: what the signs #$@[\]^`{|}~ are in other countries; 0: themselves.
static const char SIGNS[] = "#$@[\\]^`{|}~";
static const uint16_t NATIONAL[9][sizeof SIGNS - 1] = {
    {0},
    {0xA3},
    {0, 0, 0xA7, 0xC4, 0xD6, 0xDC, 0, 0, 0xE4, 0xF6, 0xFC, 0xDF},
    {0xA3, 0, 0xE0, 0xB0, 0xE7, 0xA7, 0, 0xB5, 0xE9, 0xF9, 0xE8, 0xA8},
    {0, 0, 0, 0xC6, 0xD8, 0xC5, 0, 0, 0xE6, 0xF8, 0xE5, 0},
    {0xA3, 0, 0xA7, 0xB0, 0xE7, 0xE9, 0, 0xF9, 0xE0, 0xF2, 0xE8, 0xEC},
    {0xA3, 0, 0xA7, 0xA1, 0xD1, 0xBF, 0, 0, 0xB0, 0xF1, 0xE7, 0},
    {0, 0xA4, 0xC9, 0xC4, 0xD6, 0xC5, 0xDC, 0xE9, 0xE4, 0xF6, 0xE5, 0xFC},
    {0xF9, 0, 0xE0, 0xE9, 0xE7, 0xEA, 0xEE, 0xF4, 0xE4, 0xF6, 0xFC, 0xFB},
};

static uint32_t character(const struct epl_settings *s, const uint16_t *high, uint8_t byte)
{
    if (byte >= 0x80)
        return high && !s->seven_bits && high[byte - 0x80] ? high[byte - 0x80] : 0xFFFD;
    if (s->seven_bits && s->country > 0 && byte) {
        const char *at = strchr(SIGNS, byte);
        uint16_t other = at ? NATIONAL[s->country][at - SIGNS] : 0;
        return other ? other : byte;
    }
    return byte;
}

// Bytes are never UTF-8 on these printers; who sends it is told so once.
static void note_utf8(struct epl *e, struct pl_slice bytes, struct pl_source source)
{
    bool high = false;
    for (size_t i = 0; i < bytes.len && !high; i++)
        high = bytes.ptr[i] >= 0x80;
    if (!high || e->told_utf8 || !pl_utf8_valid(bytes))
        return;
    e->told_utf8 = true;
    pl_diag_add(e->diags, PL_DIAG_CHARSET_SUSPECT, source, 0,
                "%s: the data looks like UTF-8, which EPL2 does not have; it was read as code page %u.", source.command,
                e->settings.code_page);
}

enum pl_errc epl_text_chars(struct epl *e, const struct epl_settings *settings, struct pl_slice bytes,
                            struct pl_source source, struct pl_text *text)
{
    uint32_t *chars = PL_ARENA_ARRAY(e->arena, uint32_t, bytes.len ? bytes.len : 1);
    if (!chars)
        return pl_fail_memory(e->err);
    const uint16_t *high = pl_code_page(settings->code_page);
    uint32_t n = 0;
    if (epl_has_pairs(settings)) {
        size_t wrong = 0, count = pl_double_byte_decode(settings->code_page == EPL_BIG5 ? &pl_big5 : &pl_gb18030,
                                                        bytes.ptr, bytes.len, chars, &wrong);
        if (wrong)
            pl_diag_add(e->diags, PL_DIAG_CHARSET_INVALID, source, 0,
                        "A: bytes that mean nothing in the Chinese set of the font: %zu.", wrong);
        for (size_t i = 0; count != SIZE_MAX && i < count; i++)
            if (chars[i] >= 0x20)
                chars[n++] = chars[i];
        text->chars = chars;
        text->length = n;
        return PL_OK;
    }
    for (size_t i = 0; i < bytes.len; i++) {
        if (text->font.file) // a soft font has its own places
            chars[n++] = bytes.ptr[i];
        else if (bytes.ptr[i] >= 0x20)
            chars[n++] = character(settings, high, bytes.ptr[i]);
    }
    if (!text->font.file)
        note_utf8(e, bytes, source);
    text->chars = chars;
    text->length = n;
    return PL_OK;
}

// Boxes seen from a corner that is rotated with them, u along the text and v across it.
struct pl_box epl_turned_box(int32_t x, int32_t y, enum pl_rotation rotation, struct pl_box b)
{
    switch (rotation) {
    case PL_ROT_N:
        return (struct pl_box){x + b.x0, y + b.y0, x + b.x1, y + b.y1};
    case PL_ROT_R:
        return (struct pl_box){x - b.y1, y + b.x0, x - b.y0, y + b.x1};
    case PL_ROT_I:
        return (struct pl_box){x - b.x1, y - b.y1, x - b.x0, y - b.y0};
    default:
        return (struct pl_box){x + b.y0, y - b.x1, x + b.y1, y - b.x0};
    }
}

// The box behind reversed text: two dots before and above it, a pitch for each character, four dots higher than the
// cells (measured on a printer).
struct pl_box epl_reverse_box(const struct pl_element *text, int32_t pitch, int32_t height)
{
    enum { FIRST_SQUARE = 0x1100 }; // of the characters that take two places in fonts 8 and 9
    int64_t places = text->text.length;
    for (uint32_t i = 0; text->text.font.resident == PL_FONT_TSPL_24 && i < text->text.length; i++)
        places += text->text.chars[i] >= FIRST_SQUARE;
    int32_t width = pl_clamp_i32(places * pitch, 0, 65535);
    return epl_turned_box(text->at.x, text->at.y, text->rotation, (struct pl_box){-2, -2, width - 2, height + 2});
}

// The font's letter or digit. *pitch and *height: what a character takes, for the box of reversed text.
static void choose_font(struct epl *e, const struct epl_args *a, int32_t across, int32_t down, struct pl_font_ref *out,
                        int32_t *pitch, int32_t *height)
{
    struct pl_slice name = a->token->item[3];
    uint8_t letter = name.len == 1 ? name.ptr[0] : 0;
    uint32_t font = letter >= '1' && letter <= '7' ? (uint32_t)(letter - '0') : 0;
    if ((letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')) {
        const struct epl_soft_font *stored = epl_soft_font(e, letter);
        if (stored) {
            *pitch = stored->width * across;
            *height = stored->height * down;
            *out = (struct pl_font_ref){.file = &stored->file, .height = *height, .width = *pitch};
            return;
        }
        pl_diag_add(e->diags, PL_DIAG_FONT_NOT_FOUND, a->source, 4, "A: no soft font %c was stored; font 2 was used.",
                    letter);
        font = 2;
    } else if (letter == '8' || letter == '9') {
        // Squares for Chinese characters, half of them for others. At 300 dpi no font has such cells.
        bool is_300 = e->options->dpmm == 12;
        *pitch = (is_300 ? 36 : 12) * across;
        *height = (is_300 ? 36 : 24) * down;
        *out = (struct pl_font_ref){
            .resident = is_300 ? PL_FONT_SCALABLE : PL_FONT_TSPL_24, .height = *height, .width = *pitch};
        return;
    } else if (font == 0) {
        pl_diag_add(e->diags, PL_DIAG_PARAMETER_INVALID, a->source, 4, "A: there is no font %.*s; font 2 was used.",
                    (int)PL_MIN(name.len, (size_t)8), (const char *)name.ptr);
        font = 2;
    }
    *out = epl_resident(e, font, across, down);
    *pitch = cell_of(e, font)->pitch * across;
    *height = out->height;
}

enum pl_errc epl_cmd_text(struct epl *e, const struct epl_args *a)
{
    int32_t place[3], across = 1, down = 1, pitch = 0, height = 0;
    if (!epl_numbers(e, a, 3, place))
        return PL_OK;
    epl_number(e, a, 4, &across);
    epl_number(e, a, 5, &down);
    if (epl_given(a, 4) && (pl_slice_eq_cstr(a->token->item[4], "7") || pl_slice_eq_cstr(a->token->item[4], "9")))
        pl_diag_add(e->diags, PL_DIAG_PARAMETER_RANGE, a->source, 5,
                    "A: printers have horizontal multipliers 1 to 6 and 8; %d was drawn all the same.", across);
    if (!a->token->data.ptr)
        return PL_REPORTED(pl_diag_add(e->diags, PL_DIAG_PARAMETER_MISSING, a->source, 8,
                                       "A: the text is missing; nothing was drawn."));
    if (!epl_given(a, 3))
        return PL_REPORTED(pl_diag_add(e->diags, PL_DIAG_PARAMETER_MISSING, a->source, 4,
                                       "A: the font is missing; nothing was drawn."));
    struct pl_element *text = epl_new_element(e, a, PL_ELEMENT_TEXT, place[0], place[1]);
    if (!text)
        return pl_fail_memory(e->err);
    text->rotation = (enum pl_rotation)(place[2] % 4);
    text->at.pivot = true;
    text->text.no_bidi = text->text.no_shaping = true;
    choose_font(e, a, across, down, &text->text.font, &pitch, &height);
    if (place[2] > 3)
        pl_diag_add(e->diags, PL_DIAG_UNSUPPORTED, a->source, 3,
                    "A: rotations 4 to 7 set Asian text vertically, which is not drawn; %d was used.", place[2] % 4);
    text->reverse = epl_given(a, 6) && a->token->item[6].ptr[0] == 'R';
    text->replaces = !text->reverse; // the box of reversed text is black
    struct epl_pending pending = {.element = text, .data = a->token->data, .pitch = pitch, .height = height};
    uint32_t page = e->settings.code_page;
    if (pl_slice_eq_cstr(a->token->item[3], "8"))
        e->settings.code_page = EPL_GBK;
    else if (pl_slice_eq_cstr(a->token->item[3], "9"))
        e->settings.code_page = EPL_BIG5;
    enum pl_errc code = epl_add_data(e, &pending);
    e->settings.code_page = page;
    return code;
}
