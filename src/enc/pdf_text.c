// The invisible text over the pictures of a PDF: where its letters stand, and the fonts that give them codes.
#include "enc/pdf_text.h"

#include <string.h>

#include "base/ckd.h"
#include "base/utf8.h"

#define CODES_PER_FONT 255 // codes 1 to 255: 0 stays unused for the sake of readers that end strings there
#define LETTER 0.7
#define SLIM 4.0 // times its width that a letter is high at most
#define SLOTS 32768

bool pl_pdf_layer_init(struct pl_pdf_layer *layer, struct pl_arena *arena)
{
    *layer = (struct pl_pdf_layer){
        .slot_chars = pl_arena_zalloc(arena, SLOTS * sizeof layer->slot_chars[0], 4),
        .slot_codes = PL_ARENA_ARRAY(arena, uint16_t, SLOTS),
        .chars = PL_ARENA_ARRAY(arena, uint32_t, PL_PDF_FONTS_MAX * CODES_PER_FONT),
    };
    return layer->slot_chars && layer->slot_codes && layer->chars;
}

// The running number of a character, or -1 when all fonts are full.
static int32_t code_of(struct pl_pdf_layer *layer, uint32_t cp)
{
    uint32_t slot = cp * 2654435761u >> 17; // 15 bits
    while (layer->slot_chars[slot] != 0 && layer->slot_chars[slot] != cp + 1)
        slot = (slot + 1) % SLOTS;
    if (layer->slot_chars[slot] == 0) {
        if (layer->char_count == PL_PDF_FONTS_MAX * CODES_PER_FONT)
            return -1;
        layer->slot_chars[slot] = cp + 1;
        layer->slot_codes[slot] = (uint16_t)layer->char_count;
        layer->chars[layer->char_count++] = cp;
    }
    return layer->slot_codes[slot];
}

static uint32_t count_chars(struct pl_slice line)
{
    uint32_t n = 0;
    for (size_t i = 0; i < line.len; n++)
        pl_utf8_next(line, &i);
    return n;
}

// One line of a text: every character takes the same share of the line's length.
static void put_line(struct pl_pdf_layer *layer, struct pl_buf *out, struct pl_slice line, const double m[6])
{
    static const char hex[] = "0123456789ABCDEF";
    for (int i = 0; i < 6; i++) {
        pl_pdf_put_number(out, m[i]);
        pl_buf_append_byte(out, ' ');
    }
    pl_buf_append_cstr(out, "Tm");
    int32_t font = -1;
    bool open = false;
    for (size_t i = 0; i < line.len;) {
        uint32_t cp = pl_utf8_next(line, &i);
        if (cp == PL_UTF8_BAD || cp < 0x20)
            cp = 0xFFFD;
        int32_t code = code_of(layer, cp);
        if (code < 0)
            continue;
        if (code / CODES_PER_FONT != font) {
            font = code / CODES_PER_FONT;
            if (open)
                pl_buf_append_cstr(out, ">Tj");
            pl_buf_printf(out, "/F%d 1 Tf<", (int)font);
            open = true;
        }
        unsigned byte = (unsigned)(code % CODES_PER_FONT) + 1;
        pl_buf_append_byte(out, (uint8_t)hex[byte >> 4]);
        pl_buf_append_byte(out, (uint8_t)hex[byte & 15]);
    }
    pl_buf_append_cstr(out, open ? ">Tj\n" : "\n");
}

// A text's lines share its box; the matrix maps one em to one character's share across and the line's height up.
void pl_pdf_layer_put(struct pl_pdf_layer *layer, struct pl_buf *out, const struct pl_pdf_text *text, double sx,
                      double sy, double height_pt)
{
    double x0 = text->box.x0 * sx, x1 = text->box.x1 * sx;
    double y0 = height_pt - text->box.y1 * sy, y1 = height_pt - text->box.y0 * sy; // PDF counts upwards
    uint32_t lines = 1;
    for (size_t i = 0; i < text->text.len; i++)
        lines += text->text.ptr[i] == '\n';
    struct pl_slice rest = text->text;
    for (uint32_t k = 0; k < lines; k++) {
        const uint8_t *end = rest.len ? memchr(rest.ptr, '\n', rest.len) : NULL;
        struct pl_slice line = pl_slice_sub(rest, 0, end ? (size_t)(end - rest.ptr) : rest.len);
        rest = pl_slice_sub(rest, line.len + 1, rest.len);
        uint32_t n = count_chars(line);
        if (n == 0)
            continue;
        double to = (k + 1 - (1 - LETTER) / 2) / lines; // where this line's letters stand, as a share of the box
        // Lines that touch would be taken for one: a letter is as high as 0.7 of its line.
        bool turned = text->rotation == PL_ROT_R || text->rotation == PL_ROT_B;
        double across = (turned ? y1 - y0 : x1 - x0) / n, room = (turned ? x1 - x0 : y1 - y0) / lines * LETTER;
        // Letters far higher than wide, as a long text in a QR code would have, lie so close for their size that
        // readers take two equal ones in a row for one.
        double up = PL_MIN(room, across * SLIM), lift = (room - up) / 2;
        switch (text->rotation) {
        case PL_ROT_N:
            put_line(layer, out, line, (double[6]){across, 0, 0, up, x0, y1 - (y1 - y0) * to + lift});
            break;
        case PL_ROT_R: // reads downwards
            put_line(layer, out, line, (double[6]){0, -across, up, 0, x1 - (x1 - x0) * to + lift, y1});
            break;
        case PL_ROT_I:
            put_line(layer, out, line, (double[6]){-across, 0, 0, -up, x1, y0 + (y1 - y0) * to - lift});
            break;
        case PL_ROT_B: // reads upwards
            put_line(layer, out, line, (double[6]){0, across, -up, 0, x0 + (x1 - x0) * to - lift, y0});
            break;
        }
    }
}

// A font for codes 1 to `count`: every code shows the same empty glyph, one em wide.
static enum pl_errc put_font(struct pl_pdf_layer *layer, struct pl_pdf_objects *objects, uint32_t font, uint32_t glyph,
                             struct pl_error *err)
{
    uint32_t first = font * CODES_PER_FONT;
    uint32_t count = PL_MIN(layer->char_count - first, (uint32_t)CODES_PER_FONT);
    uint32_t object, to_unicode;
    if (!pl_pdf_object_new(objects, &object) || !pl_pdf_object_new(objects, &to_unicode))
        return pl_fail_memory(err);
    layer->font_objects[font] = object;
    pl_pdf_object_begin(objects, object);
    pl_buf_printf(objects->out,
                  "<</Type/Font/Subtype/Type3/Name/F%u/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]"
                  "/CharProcs<</e %u 0 R>>/Resources<<>>/Encoding<</Type/Encoding/Differences[1",
                  font, glyph);
    for (uint32_t i = 0; i < count; i++)
        pl_buf_append_cstr(objects->out, "/e");
    pl_buf_printf(objects->out, "]>>/FirstChar 1/LastChar %u/Widths[", count);
    for (uint32_t i = 0; i < count; i++)
        pl_buf_append_cstr(objects->out, "1000 ");
    pl_buf_printf(objects->out, "]/ToUnicode %u 0 R>>", to_unicode);
    pl_pdf_object_end(objects);

    pl_buf_append_cstr(&objects->text, "/CIDInit/ProcSet findresource begin 12 dict begin begincmap\n"
                                       "/CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>>def\n"
                                       "/CMapName/Adobe-Identity-UCS def/CMapType 2 def\n"
                                       "1 begincodespacerange<00><FF>endcodespacerange\n");
    for (uint32_t i = 0; i < count; i++) {
        if (i % 100 == 0) // a block holds at most 100 rows
            pl_buf_printf(&objects->text, "%u beginbfchar\n", PL_MIN(count - i, 100u));
        uint32_t cp = layer->chars[first + i];
        if (cp >= 0x10000)
            pl_buf_printf(&objects->text, "<%02X><%04X%04X>\n", i + 1, 0xD800 + ((cp - 0x10000) >> 10),
                          0xDC00 + (cp & 0x3FF));
        else
            pl_buf_printf(&objects->text, "<%02X><%04X>\n", i + 1, cp);
        if (i % 100 == 99 || i + 1 == count)
            pl_buf_append_cstr(&objects->text, "endbfchar\n");
    }
    pl_buf_append_cstr(&objects->text, "endcmap CMapName currentdict/CMap defineresource pop end end\n");
    return pl_pdf_object_stream(objects, to_unicode, "", err);
}

enum pl_errc pl_pdf_layer_fonts(struct pl_pdf_layer *layer, struct pl_pdf_objects *objects, uint32_t *dictionary,
                                struct pl_error *err)
{
    static const char nothing[] = "1000 0 d0";
    uint32_t glyph, fonts = (layer->char_count + CODES_PER_FONT - 1) / CODES_PER_FONT;
    if (!pl_pdf_object_new(objects, &glyph) || (*dictionary == 0 && !pl_pdf_object_new(objects, dictionary)))
        return pl_fail_memory(err);
    pl_pdf_object_begin(objects, glyph);
    pl_buf_printf(objects->out, "<</Length %zu>>\nstream\n%s\nendstream", sizeof nothing - 1, nothing);
    pl_pdf_object_end(objects);
    for (uint32_t i = 0; i < fonts; i++)
        PL_TRY(put_font(layer, objects, i, glyph, err));
    pl_pdf_object_begin(objects, *dictionary);
    pl_buf_append_cstr(objects->out, "<<");
    for (uint32_t i = 0; i < fonts; i++)
        pl_buf_printf(objects->out, "/F%u %u 0 R", i, layer->font_objects[i]);
    pl_buf_append_cstr(objects->out, ">>");
    pl_pdf_object_end(objects);
    return PL_OK;
}
