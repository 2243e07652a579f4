// Barcodes as ZPL: bars and text line by one command, the text line as a text of its own, or modules that the printer
// chooses otherwise.
#include "base/ckd.h"
#include "base/utf8.h"
#include "rewrite/convert.h"

#define BODY_MOST ((size_t)2 << 20)

// The symbol by its command. *same: its dots are those of `ink`. *alike: it is as large, in a symbology that leaves
// masks and codewords to the printer.
static enum pl_errc try_command(struct rw_conversion *c, const struct pl_element *element, const struct rw_ink *ink,
                                const struct pl_drawn *drawn, bool may_differ, bool *done, struct pl_error *err)
{
    struct pl_buf body;
    enum pl_errc code = PL_OK;
    *done = false;
    pl_buf_init(&body, BODY_MOST);
    if (rw_barcode_code(&body, element, drawn)) {
        struct rw_trial trial = {.body = pl_buf_slice(&body), .reverse = element->reverse};
        code = rw_try(c, ink, &trial, err);
        bool alike = code == PL_OK && !trial.same && may_differ && trial.got.bits.width == ink->bits.width &&
                     trial.got.bits.height == ink->bits.height && trial.x >= 0 && trial.y >= 0;
        *done = code == PL_OK && (trial.same || alike);
        if (*done)
            rw_put_field(c, &trial);
        if (alike) {
            pl_diag_add(c->diags, PL_DIAG_REWRITE, element->source, 0,
                        "The symbol has the same size and data in ZPL, but other modules: its encoding is the "
                        "printer's choice.");
            code = rw_looks_otherwise(c, ink, err);
        }
    }
    pl_buf_fini(&body);
    return code;
}

static bool is_matrix(enum pl_symbology symbology)
{
    return symbology == PL_SYM_QR || symbology == PL_SYM_DATAMATRIX || symbology == PL_SYM_PDF417 ||
           symbology == PL_SYM_AZTEC || symbology == PL_SYM_MAXICODE || symbology == PL_SYM_MICROPDF417;
}

// The ink of the whole symbol without that of its bars.
static void subtract(struct rw_ink *whole, const struct rw_ink *bars)
{
    pl_bitmap_blit(&whole->bits, &bars->bits, bars->x - whole->x, bars->y - whole->y, PL_INK_WHITE);
}

// The text line in one wording, as a text field. *done: it has the dots of `ink`.
static enum pl_errc try_caption(struct rw_conversion *c, const struct pl_element *element, const struct rw_ink *ink,
                                struct pl_slice words, bool *done, struct pl_error *err)
{
    uint32_t *chars = PL_ARENA_ARRAY(c->scratch, uint32_t, words.len + 1), count = 0;
    if (!chars)
        return pl_fail_memory(err);
    for (size_t i = 0; i < words.len;)
        chars[count++] = pl_utf8_next(words, &i);
    const struct pl_element text = {.kind = PL_ELEMENT_TEXT,
                                    .rotation = element->rotation,
                                    .reverse = element->reverse,
                                    .source = element->source,
                                    .text = {.font = element->barcode.text_font, .chars = chars, .length = count}};
    return rw_put_text(c, &text, ink, done, err);
}

// What the line says: its own text, or that of the symbol, without or with signs for start and stop.
static enum pl_errc put_caption(struct rw_conversion *c, const struct pl_element *element, const struct rw_ink *left,
                                const struct pl_drawn *drawn, struct pl_error *err)
{
    struct rw_ink ink;
    PL_TRY(rw_cut(c, &left->bits, &ink, err));
    if (ink.bits.width == 0)
        return PL_OK;
    ink.x += left->x;
    ink.y += left->y;
    const char *starred = pl_arena_printf(c->scratch, "*%.*s*", (int)drawn->text.len, (const char *)drawn->text.ptr);
    if (!starred)
        return pl_fail_memory(err);
    const struct pl_slice wordings[] = {element->barcode.caption, drawn->text, pl_slice_cstr(starred)};
    bool done = false;
    for (size_t i = 0; i < PL_COUNTOF(wordings) && !done && element->barcode.has_text_font; i++)
        if (wordings[i].len > 0)
            PL_TRY(try_caption(c, element, &ink, wordings[i], &done, err));
    if (done)
        return PL_OK;
    pl_diag_add(c->diags, PL_DIAG_REWRITE, element->source, 0,
                "ZPL cannot print the text line of this barcode as it is: the line became a graphic.");
    return rw_put_graphic(c, &ink, element, err);
}

enum pl_errc rw_put_barcode(struct rw_conversion *c, const struct pl_element *element, const struct rw_ink *ink,
                            const struct pl_drawn *drawn, bool *done, struct pl_error *err)
{
    struct pl_element bare = *element;
    struct pl_drawn of_bars;
    struct rw_ink bars;
    PL_TRY(try_command(c, element, ink, drawn, is_matrix(element->barcode.symbology), done, err));
    if (*done || !element->barcode.text)
        return PL_OK;
    bare.barcode.text = false;
    PL_TRY(rw_ink_of(c, &bare, &bars, &of_bars, err));
    if (bars.bits.width == 0)
        return PL_OK;
    PL_TRY(try_command(c, &bare, &bars, &of_bars, is_matrix(element->barcode.symbology), done, err));
    if (!*done)
        return PL_OK;
    struct rw_ink left = *ink; // the caller has no more use for it
    subtract(&left, &bars);
    return put_caption(c, element, &left, drawn, err);
}
