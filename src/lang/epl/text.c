// A: text in resident and soft fonts.
#include "base/ckd.h"
#include "lang/epl/state.h"

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
