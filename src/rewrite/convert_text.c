// Texts as ZPL: in a font that printers have where that gives the same dots, otherwise in a downloaded font (~DB) with
// the shapes of the other language's.
#include <string.h>

#include "base/ckd.h"
#include "base/lengths.h"
#include "base/utf8.h"
#include "rewrite/convert.h"

#define GLYPHS_MOST ((size_t)8 << 20)
#define CELL_MOST 1000   // dots of a font that is worth a download
#define CHARS_MOST 1000u // of a font
#define BODY_MOST ((size_t)1 << 20)

static const char TURNS[] = "NRIB";

void rw_put_data(struct pl_buf *out, struct pl_slice bytes)
{
    bool any = !pl_utf8_valid(bytes);
    for (size_t i = 0; i < bytes.len && !any; i++)
        any = bytes.ptr[i] < 0x20 || memchr("^~_\x7F", bytes.ptr[i], 4);
    pl_buf_append_cstr(out, any ? "^FH_^FD" : "^FD");
    bool raw = pl_utf8_valid(bytes);
    for (size_t i = 0; i < bytes.len; i++) {
        uint8_t c = bytes.ptr[i];
        if (c < 0x20 || memchr("^~_\x7F", c, 4) || (c >= 0x80 && !raw))
            pl_buf_printf(out, "_%02X", c);
        else
            pl_buf_append_byte(out, c);
    }
}

static void put_chars(struct pl_buf *out, const struct pl_text *text)
{
    struct pl_buf utf8;
    bool lines = text->block.kind == PL_BLOCK_LINES;
    pl_buf_init(&utf8, BODY_MOST);
    for (uint32_t i = 0; i < text->length; i++) {
        uint8_t bytes[4];
        if (lines && (text->chars[i] == '\n' || text->chars[i] == '\\'))
            pl_buf_append_cstr(&utf8, text->chars[i] == '\n' ? "\\&" : "\\\\");
        else
            pl_buf_append(&utf8, bytes, pl_utf8_put(text->chars[i], bytes));
    }
    rw_put_data(out, pl_buf_slice(&utf8));
    pl_buf_take_over(out, &utf8);
}

// Direction, gap and block, and the characters.
static void put_rest(struct pl_buf *out, const struct pl_element *element)
{
    const struct pl_text *text = &element->text;
    const struct pl_block *b = &text->block;
    if (text->direction != PL_DIR_HORIZONTAL || text->gap != 0)
        pl_buf_printf(out, "^FP%c,%d", "HVR"[text->direction], text -> gap);
    if (b->kind == PL_BLOCK_LINES)
        pl_buf_printf(out, "^FB%d,%d,%d,%c,%d", b->width, b->max_lines, b->spacing, "LCRJ"[b->align], b -> indent);
    else if (b->kind == PL_BLOCK_BOX)
        pl_buf_printf(out, "^TB%c,%d,%d", TURNS[element->rotation], b->width, b->height);
    put_chars(out, text);
}

// ---- fonts

// Each text has a struct of its own for its font.
static bool is_same_file(const struct pl_font_file *a, const struct pl_font_file *b)
{
    return a == b || (a && b && a->id == b->id && a->kind == b->kind);
}

static struct rw_font *font_of(struct rw_conversion *c, const struct pl_font_ref *ref, bool plain_zeros)
{
    for (uint32_t i = 0; i < c->font_count; i++) {
        const struct pl_font_ref *known = &c->fonts[i].ref;
        if (known->resident == ref->resident && is_same_file(known->file, ref->file) && known->height == ref->height &&
            known->width == ref->width && c->fonts[i].plain_zeros == plain_zeros)
            return &c->fonts[i];
    }
    if (c->font_count == RW_FONTS_MOST)
        return NULL;
    struct rw_font *font = &c->fonts[c->font_count++];
    *font = (struct rw_font){.ref = *ref, .plain_zeros = plain_zeros};
    pl_buf_init(&font->glyphs, GLYPHS_MOST);
    return font;
}

// Width of a character in dots; -1: it is not a whole number.
static enum pl_errc measure(struct rw_conversion *c, struct rw_font *font, uint32_t character, int32_t *advance,
                            struct pl_error *err)
{
    const struct pl_text_target target = {.profile = &c->from->scene.profile->font,
                                          .scale = 1,
                                          .dpmm = pl_whole_dpmm(c->from->options.dpmm),
                                          .arena = &c->worker->scratch,
                                          .job = c->job};
    struct pl_text_metrics metrics;
    PL_TRY(pl_text_measure(c->worker->writer, &target, &font->ref, &character, 1, &metrics, err));
    font->cell_height = metrics.cell_height;
    font->baseline = metrics.baseline;
    bool whole = metrics.advance_2048 >= 0 && metrics.advance_2048 % 2048 == 0;
    *advance = whole && metrics.advance_2048 / 2048 <= CELL_MOST ? (int32_t)(metrics.advance_2048 / 2048) : -1;
    return PL_OK;
}

// Appends the dots of a character: #code.height.width.x.y.advance.rows
static enum pl_errc add_glyph(struct rw_conversion *c, struct rw_font *font, uint32_t character, struct pl_error *err)
{
    int32_t advance;
    PL_TRY(measure(c, font, character, &advance, err));
    if (advance < 0 || character > 0xFFFF || font->cell_height > CELL_MOST) {
        font->unusable = true;
        return PL_OK;
    }
    int32_t pad = font->cell_height;
    const struct pl_element element = {
        .kind = PL_ELEMENT_TEXT,
        .at = {.x = pad, .y = pad, .pivot = true},
        .text = {.font = font->ref, .chars = &character, .length = 1, .plain_zeros = font->plain_zeros}};
    struct pl_arena_mark mark = pl_arena_mark(c->scratch);
    struct rw_ink ink;
    // On a page of its own: the label's may be smaller than a character.
    struct platen_document page = *c->from, *from = c->from;
    page.width = page.height = (uint32_t)PL_MAX(pad, advance) * 4;
    c->from = &page;
    enum pl_errc code = rw_ink_of(c, &element, &ink, NULL, err);
    c->from = from;
    PL_TRY(code);
    uint32_t row_bytes = (ink.bits.width + 7) / 8;
    if (ink.bits.width == 0) // a blank takes room, and is a glyph so that no other font is searched for it
        pl_buf_printf(&font->glyphs, "#%04X.1.1.0.0.%d.00", character, advance);
    else
        pl_buf_printf(&font->glyphs, "#%04X.%u.%u.%d.%d.%d.", character, ink.bits.height, ink.bits.width, ink.x - pad,
                      font->baseline - (ink.y - pad), advance);
    for (uint32_t y = 0; y < ink.bits.height; y++) {
        const uint64_t *words = pl_bitmap_row(&ink.bits, y);
        for (uint32_t i = 0; i < row_bytes; i++)
            pl_buf_printf(&font->glyphs, "%02X", (unsigned)(uint8_t)(words[i / 8] >> (56 - i % 8 * 8)));
    }
    pl_arena_release(c->scratch, mark);
    return pl_buf_check(&font->glyphs, err);
}

static bool has_char(const struct rw_font *font, uint32_t character)
{
    for (uint32_t i = 0; i < font->count; i++)
        if (font->chars[i] == character)
            return true;
    return false;
}

static enum pl_errc add_char(struct rw_conversion *c, struct rw_font *font, uint32_t character, struct pl_error *err)
{
    if (!PL_ARENA_GROW(c->arena, font->chars, font->count, font->capacity, 64))
        return pl_fail_memory(err);
    font->chars[font->count++] = character;
    return add_glyph(c, font, character, err);
}

// Values that are filled in later have other letters than the placeholder's name.
static bool has_placeholder(const struct pl_text *text)
{
    uint32_t open = 0;
    while (open + 1 < text->length && !(text->chars[open] == '{' && text->chars[open + 1] == '{'))
        open++;
    for (uint32_t i = open + 2; i + 1 < text->length; i++)
        if (text->chars[i] == '}' && text->chars[i + 1] == '}')
            return true;
    return false;
}

static enum pl_errc add_printable(struct rw_conversion *c, struct rw_font *font, struct pl_error *err)
{
    for (uint32_t character = ' '; character < 0x7F && !font->unusable; character++)
        if (!has_char(font, character))
            PL_TRY(add_char(c, font, character, err));
    return PL_OK;
}

static enum pl_errc add_text(struct rw_conversion *c, struct rw_font *font, const struct pl_text *text,
                             struct pl_error *err)
{
    if (font->count == 0 && !font->unusable) {
        PL_TRY(measure(c, font, ' ', &font->space, err));
        font->unusable = font->space < 0;
        // A cell is as high as the font, and in fixed pitch as wide as a blank: that is the size that fields ask for.
        font->cell_width = PL_MAX(font->space, 1);
        // Fields were tried with the font as it was: what comes later must change neither its cell nor how wide a blank
        // is.
        if (!font->unusable)
            PL_TRY(add_char(c, font, ' ', err));
    }
    if (has_placeholder(text))
        PL_TRY(add_printable(c, font, err));
    for (uint32_t i = 0; i < text->length && !font->unusable; i++) {
        uint32_t character = text->chars[i];
        if (i % 1024 == 1023)
            PL_TRY(pl_job_check(c->job, err));
        if (character < ' ' || has_char(font, character))
            continue;
        if (font->count == CHARS_MOST)
            font->unusable = true;
        else
            PL_TRY(add_char(c, font, character, err));
    }
    return PL_OK;
}

void rw_put_font(const struct rw_conversion *c, const struct rw_font *font, struct pl_buf *out)
{
    pl_buf_printf(out, "~DBR:P%u.FNT,N,%d,%d,%d,%d,%u,,", (unsigned)(font - c->fonts) + 1, font->cell_height,
                  font->cell_width, font->baseline, font->space, font->count);
    pl_buf_append_slice(out, pl_buf_slice(&font->glyphs));
    pl_buf_append_cstr(out, c->line_end);
}

// ---- fields

// How a printer draws the backslashes of a text.
enum backslashes { NO_BACKSLASH, IN_CODE_PAGE, AS_CENTS };

static enum backslashes backslashes_of(const struct pl_text *text)
{
    bool any = false, ascii = true;
    for (uint32_t i = 0; i < text->length; i++) {
        any = any || text->chars[i] == '\\';
        ascii = ascii && text->chars[i] < 0x80;
    }
    return !any ? NO_BACKSLASH : ascii ? IN_CODE_PAGE : AS_CENTS;
}

static bool zpl_has(const struct pl_font_ref *font)
{
    char f = (char)font->resident;
    return !font->file && (f == '0' || (f >= 'A' && f <= 'H') || (f >= 'P' && f <= 'V'));
}

static enum pl_errc try_resident(struct rw_conversion *c, const struct pl_element *element, const struct rw_ink *ink,
                                 bool *done, struct pl_error *err)
{
    const struct pl_font_ref *font = &element->text.font;
    struct pl_buf body;
    pl_buf_init(&body, BODY_MOST);
    pl_buf_printf(&body, "^A%c%c,%d,%d", font->resident, TURNS[element->rotation], font->height, font->width);
    put_rest(&body, element);
    struct rw_trial trial = {.body = pl_buf_slice(&body),
                             .reverse = element->reverse,
                             .code_page = backslashes_of(&element->text) == IN_CODE_PAGE};
    enum pl_errc code = pl_buf_check(&body, err);
    if (code == PL_OK)
        code = rw_try(c, ink, &trial, err);
    *done = code == PL_OK && trial.same;
    if (*done)
        rw_put_field(c, &trial);
    pl_buf_fini(&body);
    return code;
}

static enum pl_errc try_download(struct rw_conversion *c, const struct pl_element *element, const struct rw_ink *ink,
                                 bool *done, struct pl_error *err)
{
    struct rw_font *font = font_of(c, &element->text.font, element->text.plain_zeros);
    if (!font)
        return PL_OK;
    PL_TRY(add_text(c, font, &element->text, err));
    if (font->unusable)
        return PL_OK;
    struct pl_buf body, download;
    pl_buf_init(&body, BODY_MOST);
    pl_buf_init(&download, GLYPHS_MOST);
    pl_buf_printf(&body, "^A@%c,%d,%d,R:P%u.FNT", TURNS[element->rotation], font->cell_height, font->cell_width,
                  (unsigned)(font - c->fonts) + 1);
    put_rest(&body, element);
    rw_put_font(c, font, &download);
    struct rw_trial trial = {.downloads = pl_buf_slice(&download),
                             .body = pl_buf_slice(&body),
                             .reverse = element->reverse,
                             .code_page = backslashes_of(&element->text) == IN_CODE_PAGE};
    pl_buf_inherit(&body, &download);
    enum pl_errc code = pl_buf_check(&body, err);
    if (code == PL_OK)
        code = rw_try(c, ink, &trial, err);
    *done = code == PL_OK && trial.same;
    font->used = font->used || *done;
    if (*done)
        rw_put_field(c, &trial);
    pl_buf_fini(&body);
    pl_buf_fini(&download);
    return code;
}

enum pl_errc rw_put_text(struct rw_conversion *c, const struct pl_element *element, const struct rw_ink *ink,
                         bool *done, struct pl_error *err)
{
    *done = false;
    if (zpl_has(&element->text.font))
        PL_TRY(try_resident(c, element, ink, done, err));
    if (!*done)
        PL_TRY(try_download(c, element, ink, done, err));
    if (*done && backslashes_of(&element->text) == AS_CENTS)
        pl_diag_add(
            c->diags, PL_DIAG_REWRITE, element->source, 0,
            "The text has a backslash beside characters beyond ASCII: a printer draws the cent sign in its place.");
    return PL_OK;
}
