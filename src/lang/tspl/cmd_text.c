// TEXT and BLOCK.
#include "lang/tspl/cmd_table.h"

// What both have from `first` on: "font",rotation,x-multiplier,y-multiplier.
static enum pl_errc read_font(struct tspl *t, const struct tspl_args *a, unsigned first, struct pl_element *e,
                              struct pl_slice *name)
{
    double mx = 1, my = 1;
    (void)tspl_text(t, a, first, name);
    (void)tspl_rotation(t, a, first + 1, &e->rotation);
    (void)tspl_number(t, a, first + 2, &mx);
    (void)tspl_number(t, a, first + 3, &my);
    return tspl_font(t, a, *name, mx, my, &e->text.font);
}

enum pl_errc tspl_cmd_text(struct tspl *t, const struct tspl_args *a)
{
    int32_t x, y, align = 0;
    if (!tspl_place(t, a, 0, &x, &y))
        return PL_OK;
    struct pl_element *e = pl_element_new(&t->labels, PL_ELEMENT_TEXT, a->source, x, y);
    if (!e)
        return pl_fail_memory(t->err);
    struct pl_slice bytes = {0}, font = {0};
    PL_TRY(read_font(t, a, 2, e, &font));
    unsigned data = tspl_data_item(a->row, a->st);
    if (data > 6)
        (void)tspl_int(t, a, 6, 0, 3, &align);
    if (!tspl_text(t, a, data, &bytes))
        return PL_OK;
    e->at.pivot = true;
    e->at.justify = align == 2 ? PL_JUSTIFY_CENTER : align == 3 ? PL_JUSTIFY_RIGHT : PL_JUSTIFY_LEFT;
    e->text.plain_zeros = true;
    PL_TRY(tspl_chars(t, a, font, bytes, false, &e->text));
    return e->text.length ? tspl_add(t, e) : PL_OK;
}

enum pl_errc tspl_cmd_block(struct tspl *t, const struct tspl_args *a)
{
    int32_t x, y, w = 0, h = 0, space = 0, align = 0, fit = 0;
    if (!tspl_place(t, a, 0, &x, &y))
        return PL_OK;
    struct pl_element *e = pl_element_new(&t->labels, PL_ELEMENT_TEXT, a->source, x, y);
    if (!e)
        return pl_fail_memory(t->err);
    if (!tspl_int(t, a, 2, 1, TSPL_FAR, &w) || !tspl_int(t, a, 3, 1, TSPL_FAR, &h))
        return PL_OK;
    struct pl_slice bytes = {0}, font = {0};
    PL_TRY(read_font(t, a, 4, e, &font));
    // Between the multipliers and the text: space, then align, then fit.
    unsigned data = tspl_data_item(a->row, a->st);
    if (data > 8)
        (void)tspl_int(t, a, 8, -1000, 1000, &space);
    if (data > 9)
        (void)tspl_int(t, a, 9, 0, 3, &align);
    if (data > 10 && tspl_int(t, a, 10, 0, 1, &fit) && fit)
        tspl_note(t, a, PL_DIAG_UNSUPPORTED, 11, "BLOCK: text is not shrunk to fit its block.");
    if (!tspl_text(t, a, data, &bytes))
        return PL_OK;
    e->at.pivot = true;
    e->text.plain_zeros = true;
    int64_t pitch = (int64_t)e->text.font.height + space;
    e->text.block = (struct pl_block){
        .kind = PL_BLOCK_LINES,
        .width = w,
        .max_lines = pl_clamp_i32(pitch > 0 ? (h + (int64_t)space) / pitch : 1, 1, 9999),
        .spacing = space,
        .align = align == 2   ? PL_ALIGN_CENTER
                 : align == 3 ? PL_ALIGN_RIGHT
                              : PL_ALIGN_LEFT,
        .drops_rest = true,
    };
    PL_TRY(tspl_chars(t, a, font, bytes, true, &e->text));
    return e->text.length ? tspl_add(t, e) : PL_OK;
}
