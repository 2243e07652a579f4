// Text of elements: fonts by their names, bytes to characters.
#include <math.h>

#include "base/lengths.h"
#include "base/utf8.h"
#include "lang/tspl/state.h"

// Cells of the printer's own fonts; the same dots at every density.
static const struct {
    const char *name;
    uint8_t resident;
    uint8_t height, width;
} CELLS[] = {
    {"1", PL_FONT_TSPL_1, 12, 8},
    {"2", PL_FONT_TSPL_2, 20, 12},
    {"3", PL_FONT_TSPL_3, 24, 16},
    {"4", PL_FONT_TSPL_4, 32, 24},
    {"5", PL_FONT_TSPL_5, 48, 32},
    {"6", PL_FONT_TSPL_6, 19, 14},
    {"7", PL_FONT_TSPL_7, 27, 21},
    {"8", PL_FONT_TSPL_8, 25, 14},
    {"9", PL_FONT_TSPL_9, 17, 9},
    {"10", PL_FONT_TSPL_10, 24, 12},
    {"TSS16.BF2", PL_FONT_TSPL_16, 16, 8},
    {"TST16.BF2", PL_FONT_TSPL_16, 16, 8},
    {"TSS20.BF2", PL_FONT_TSPL_20, 20, 10},
    {"TST20.BF2", PL_FONT_TSPL_20, 20, 10},
    {"TSS24.BF2", PL_FONT_TSPL_24, 24, 12},
    {"TST24.BF2", PL_FONT_TSPL_24, 24, 12},
    {"TSS32.BF2", PL_FONT_TSPL_32, 32, 16},
    {"K", PL_FONT_TSPL_24, 24, 12},
    // Fonts of ZPL printers, which newer firmware has as well.
    {"A.FNT", PL_FONT_A, 9, 5},
    {"B.FNT", PL_FONT_B, 11, 7},
    {"D.FNT", PL_FONT_D, 18, 10},
    {"E8.FNT", PL_FONT_OCR_B, 28, 15},
    {"F.FNT", PL_FONT_F, 26, 13},
    {"G.FNT", PL_FONT_G, 60, 40},
    {"H8.FNT", PL_FONT_OCR_A, 21, 13},
    {"GS.FNT", PL_FONT_SYMBOLS, 24, 24},
};

// 1.EFT to 5.EFT are fonts of EPL2, whose cells depend on the density.
static bool find_epl_font(const struct tspl *t, struct pl_slice name, int32_t cell[2], uint8_t *resident)
{
    static const uint8_t CELLS_203[5][2] = {{12, 8}, {16, 10}, {20, 12}, {24, 14}, {48, 32}};
    static const uint8_t CELLS_300[5][2] = {{20, 12}, {28, 16}, {36, 20}, {44, 24}, {80, 48}};
    if (name.len != 5 || name.ptr[0] < '1' || name.ptr[0] > '5' ||
        !pl_slice_eq_nocase(pl_slice_sub(name, 1, 4), pl_slice_cstr(".EFT")))
        return false;
    uint32_t i = (uint32_t)(name.ptr[0] - '1');
    const uint8_t *found = pl_whole_dpmm(t->options->dpmm) == 12 ? CELLS_300[i] : CELLS_203[i];
    *resident = (uint8_t)(PL_FONT_EPL_1 + i);
    cell[0] = found[0];
    cell[1] = found[1];
    return true;
}

struct pl_font_ref tspl_caption_font(int32_t module)
{
    return module < 2 ? (struct pl_font_ref){.resident = PL_FONT_TSPL_1, .height = 12, .width = 8}
                      : (struct pl_font_ref){.resident = PL_FONT_TSPL_2, .height = 20, .width = 12};
}

static int32_t whole(double value)
{
    return value >= 10 ? 10 : value >= 1 ? (int32_t)value : 1;
}

static enum pl_errc enlarge(struct tspl *t, const struct tspl_args *a, const int32_t cell[2], double mx, double my,
                            struct pl_font_ref *out)
{
    if (mx < 1 || mx > 10 || my < 1 || my > 10)
        tspl_note(t, a, PL_DIAG_PARAMETER_RANGE, 0, "%s: this font is enlarged 1 to 10 times; the nearest was used.",
                  a->source.command);
    out->height = cell[0] * whole(my);
    out->width = cell[1] * whole(mx);
    return PL_OK;
}

// A size in points as dots.
static int32_t points(const struct tspl *t, double size)
{
    return (int32_t)fmax(1, fmin(10000, size * tspl_dpi(t) / 72 + 0.5));
}

static enum pl_errc stored_font(struct tspl *t, struct pl_slice name, const struct pl_font_file **out)
{
    struct pl_object_name object_name;
    *out = NULL;
    pl_object_name_parse(name, "", "TTF", &object_name);
    const struct pl_object *object = pl_store_lookup(t->store, &object_name);
    if (!object || object->kind != PL_OBJECT_FONT)
        return PL_OK;
    struct pl_font_file *file = PL_ARENA_NEW(t->arena, struct pl_font_file);
    char text[PL_OBJECT_NAME_TEXT_MAX];
    size_t len = pl_object_name_format(&object->name, text);
    char *copy = pl_arena_copy(t->arena, text, len + 1);
    if (!file || !copy)
        return pl_fail_memory(t->err);
    *file = (struct pl_font_file){.kind = object->bitmap_font ? PL_FONT_FILE_BITMAP : PL_FONT_FILE_OUTLINE,
                                  .id = object->id,
                                  .name = pl_slice_make(copy, len),
                                  .bytes = object->bytes};
    *out = file;
    return PL_OK;
}

enum pl_errc tspl_font(struct tspl *t, const struct tspl_args *a, struct pl_slice name, double mx, double my,
                       struct pl_font_ref *out)
{
    name = pl_slice_trim(name);
    *out = (struct pl_font_ref){.resident = PL_FONT_SCALABLE};
    for (size_t i = 0; i < PL_COUNTOF(CELLS); i++) {
        if (!pl_slice_eq_nocase(name, pl_slice_cstr(CELLS[i].name)))
            continue;
        out->resident = CELLS[i].resident;
        return enlarge(t, a, (int32_t[]){CELLS[i].height, CELLS[i].width}, mx, my, out);
    }
    int32_t cell[2];
    if (find_epl_font(t, name, cell, &out->resident))
        return enlarge(t, a, cell, mx, my, out);
    // Font 0 has a width of its own; outlines of files follow their height.
    bool zero = pl_slice_eq_cstr(name, "0");
    out->height = points(t, my);
    out->width = zero ? points(t, mx) : out->height;
    if (zero || pl_slice_eq_nocase(name, pl_slice_cstr("ROMAN.TTF")))
        return PL_OK;
    PL_TRY(stored_font(t, name, &out->file));
    if (!out->file)
        tspl_note(t, a, PL_DIAG_FONT_NOT_FOUND, 3, "%s: there is no font %.*s; font 0 was used.", a->source.command,
                  (int)PL_MIN(name.len, (size_t)40), (const char *)name.ptr);
    return PL_OK;
}

// The set of a font with Chinese or Korean characters, which rules unless CODEPAGE names one of two bytes, or UTF-8.
static const struct pl_charset *page_of_font(struct pl_slice font)
{
    const char *page = pl_slice_eq_nocase(pl_slice_sub(font, 0, 3), pl_slice_cstr("TSS"))   ? "936"
                       : pl_slice_eq_nocase(pl_slice_sub(font, 0, 3), pl_slice_cstr("TST")) ? "950"
                       : pl_slice_eq_nocase(font, pl_slice_cstr("K"))                       ? "949"
                                                                                            : NULL;
    return page ? tspl_codepage_find(pl_slice_cstr(page)) : NULL;
}

// The page that the text is read by. Programs often send UTF-8 without saying so.
static const struct pl_charset *find_page(struct tspl *t, const struct tspl_args *a, struct pl_slice font,
                                          struct pl_slice bytes)
{
    const struct pl_charset *own = page_of_font(font);
    if (t->printer.page && (!own || t->printer.page->utf8 || t->printer.page->pairs))
        return t->printer.page;
    if (pl_is_ascii(bytes) || t->printer.page || !pl_utf8_valid(bytes))
        return own ? own : tspl_codepage_find(pl_slice_cstr("437"));
    if (!t->utf8_reported)
        tspl_note(t, a, PL_DIAG_CHARSET_SUSPECT, 0,
                  "The text is UTF-8, but there is no CODEPAGE UTF-8: a printer prints other letters. It is shown as "
                  "UTF-8.");
    t->utf8_reported = true;
    return tspl_codepage_find(pl_slice_cstr("UTF-8"));
}

enum pl_errc tspl_chars(struct tspl *t, const struct tspl_args *a, struct pl_slice font, struct pl_slice bytes,
                        bool breaks, struct pl_text *out)
{
    uint32_t *chars = PL_ARENA_ARRAY(t->arena, uint32_t, bytes.len + 1), bad;
    if (!chars)
        return pl_fail_memory(t->err);
    const struct pl_charset *page = find_page(t, a, pl_slice_trim(font), bytes);
    uint32_t length = pl_charset_decode(page, bytes, chars, &bad), n = 0;
    if (bad)
        tspl_note(t, a, PL_DIAG_CHARSET_INVALID, 0, "%s: %u byte%s mean%s nothing in code page %s.", a->source.command,
                  bad, bad == 1 ? "" : "s", bad == 1 ? "s" : "", page->name);
    for (uint32_t i = 0; i < length; i++) {
        uint32_t c = chars[i];
        if (c == '\r' && i + 1 < length && chars[i + 1] == '\n')
            continue; // one line end
        if ((c == '\r' || c == '\n') && breaks)
            chars[n++] = '\n';
        else if (c >= 0x20 && c != 0x7F && c != 0xAD && c != 0x200B) // the last two mean something in blocks
            chars[n++] = c;
    }
    out->chars = chars;
    out->length = n;
    return PL_OK;
}
