// The PDF writer: PDF 1.4 with a classic cross-reference table. Pictures take over a PNG's compressed rows as they are
// (Predictor 15), so nothing is compressed twice; contents are compressed here. The invisible text uses Type 3 fonts
// whose single glyph draws nothing; codes are handed out as characters occur, 255 a font, and /ToUnicode says what they
// mean.
#include "enc/pdf.h"

#include <stddef.h>
#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "enc/enc_deflate.h"

#define CODES_PER_FONT 255 // codes 1 to 255: 0 stays unused for the sake of readers that end strings there
#define FONTS_MAX 64       // characters beyond are left out of the text layer
#define LETTER 0.7
#define SLIM 4.0 // times its width that a letter is high at most
#define EDGE_PT 0.0018
#define SLOTS 32768 // hash table over the characters used
#define STREAM_BYTES ((size_t)256 << 20)

struct content {
    uint32_t object;
    uint32_t image;
    double width_pt, height_pt;
};

struct image {
    uint32_t object, width, height;
};

// Object numbers: 1 catalogue, 2 page tree, 3 information, then as they come.
struct pl_pdf {
    struct pl_arena *arena;
    struct pl_buf *out;
    const char *title;
    size_t start; // where the document begins in `out`
    size_t *offsets;
    uint32_t object_count, object_capacity; // objects 1..count; offsets[i] of object i + 1
    struct content *contents;
    uint32_t content_count, content_capacity;
    struct image *images;
    uint32_t image_count, image_capacity;
    uint32_t *pages; // content of each page
    uint32_t page_count, page_capacity;
    uint32_t *slot_chars; // character + 1, or 0
    uint16_t *slot_codes; // running number of the character
    uint32_t *chars;      // by running number
    uint32_t char_count;
    uint32_t font_objects[FONTS_MAX];
    // How the rows of pictures of one kind are to be read: most documents need one of these.
    struct parameters {
        uint32_t object, width, bits;
    } parameters;
    struct pl_buf text, packed; // of the stream that is being written, plain and compressed
    struct pl_deflater *deflater;
};

// Doubles the room of an array when it is full.
static bool grow(struct pl_arena *arena, void **items, uint32_t count, uint32_t *capacity, size_t size)
{
    if (count < *capacity)
        return true;
    uint32_t wanted = *capacity ? *capacity * 2 : 32;
    void *bigger = pl_arena_array(arena, wanted, size, _Alignof(max_align_t));
    if (!bigger)
        return false;
    if (count > 0)
        memcpy(bigger, *items, count * size);
    *items = bigger;
    *capacity = wanted;
    return true;
}
#define GROW(pdf, field, count, capacity)                                                                              \
    grow((pdf)->arena, (void **)&(pdf)->field, (pdf)->count, &(pdf)->capacity, sizeof(pdf)->field[0])

static bool new_object(struct pl_pdf *pdf, uint32_t *number)
{
    if (!GROW(pdf, offsets, object_count, object_capacity))
        return false;
    pdf->offsets[pdf->object_count++] = 0;
    *number = pdf->object_count;
    return true;
}

static void begin_object(struct pl_pdf *pdf, uint32_t number)
{
    pdf->offsets[number - 1] = pdf->out->len - pdf->start;
    pl_buf_append_u64(pdf->out, number);
    pl_buf_append_cstr(pdf->out, " 0 obj\n");
}

static void end_object(struct pl_pdf *pdf)
{
    pl_buf_append_cstr(pdf->out, "\nendobj\n");
}

static void put_number(struct pl_buf *out, double value)
{
    char text[PL_FMT_DOUBLE_MAX];
    size_t n = pl_format_fixed(value, 4, text);
    while (n > 1 && text[n - 1] == '0')
        n--;
    if (text[n - 1] == '.')
        n--;
    pl_buf_append(out, text, n);
}

enum pl_errc pl_pdf_new(struct pl_arena *arena, struct pl_buf *out, const char *title, struct pl_pdf **result,
                        struct pl_error *err)
{
    struct pl_pdf *pdf = PL_ARENA_NEW(arena, struct pl_pdf);
    *result = NULL;
    if (!pdf)
        return pl_fail_memory(err);
    pdf->arena = arena;
    pdf->out = out;
    pdf->title = title;
    pdf->start = out->len;
    *result = pdf;
    pl_buf_init(&pdf->text, STREAM_BYTES);
    pl_buf_init(&pdf->packed, STREAM_BYTES);
    pdf->deflater = pl_deflater_new();
    uint32_t number;
    for (int i = 0; i < 3; i++) {
        if (!new_object(pdf, &number))
            return pl_fail_memory(err);
    }
    pdf->slot_chars = pl_arena_zalloc(arena, SLOTS * sizeof pdf->slot_chars[0], 4);
    pdf->slot_codes = PL_ARENA_ARRAY(arena, uint16_t, SLOTS);
    pdf->chars = PL_ARENA_ARRAY(arena, uint32_t, FONTS_MAX * CODES_PER_FONT);
    if (!pdf->slot_chars || !pdf->slot_codes || !pdf->chars || !pdf->deflater)
        return pl_fail_memory(err);
    // The comment of high bytes tells programs that transfer files that this one is binary.
    pl_buf_append_cstr(out, "%PDF-1.4\n%\xE2\xE3\xCF\xD3\n");
    return PL_OK;
}

void pl_pdf_free(struct pl_pdf *pdf)
{
    if (!pdf)
        return;
    pl_buf_fini(&pdf->text);
    pl_buf_fini(&pdf->packed);
    pl_deflater_free(pdf->deflater);
    pdf->deflater = NULL;
}

// An object that is a stream: what pdf->text holds, which is empty afterwards.
static enum pl_errc put_stream(struct pl_pdf *pdf, uint32_t object, struct pl_error *err)
{
    pl_buf_clear(&pdf->packed);
    pl_deflate_text(pdf->deflater, pl_buf_slice(&pdf->text), &pdf->packed);
    PL_TRY(pl_buf_check(&pdf->text, err));
    PL_TRY(pl_buf_check(&pdf->packed, err));
    begin_object(pdf, object);
    pl_buf_printf(pdf->out, "<</Filter/FlateDecode/Length %zu>>\nstream\n", pdf->packed.len);
    pl_buf_append_slice(pdf->out, pl_buf_slice(&pdf->packed));
    pl_buf_append_cstr(pdf->out, "\nendstream");
    end_object(pdf);
    pl_buf_clear(&pdf->text);
    return pl_buf_check(pdf->out, err);
}

enum pl_errc pl_pdf_add_image(struct pl_pdf *pdf, struct pl_slice zlib, uint32_t width, uint32_t height, unsigned bits,
                              uint32_t *image, struct pl_error *err)
{
    uint32_t object;
    struct parameters *p = &pdf->parameters;
    if (!new_object(pdf, &object) || !GROW(pdf, images, image_count, image_capacity))
        return pl_fail_memory(err);
    if (p->object == 0 || p->width != width || p->bits != bits) {
        *p = (struct parameters){.width = width, .bits = bits};
        if (!new_object(pdf, &p->object))
            return pl_fail_memory(err);
        begin_object(pdf, p->object);
        pl_buf_printf(pdf->out, "<</Predictor 15/Colors 1/BitsPerComponent %u/Columns %u>>", bits, width);
        end_object(pdf);
    }
    begin_object(pdf, object);
    pl_buf_printf(pdf->out,
                  "<</Subtype/Image/Width %u/Height %u/ColorSpace/DeviceGray/BitsPerComponent %u/Filter/FlateDecode"
                  "/DecodeParms %u 0 R/Length %zu>>\nstream\n",
                  width, height, bits, p->object, zlib.len);
    pl_buf_append_slice(pdf->out, zlib);
    pl_buf_append_cstr(pdf->out, "\nendstream");
    end_object(pdf);
    *image = pdf->image_count;
    pdf->images[pdf->image_count++] = (struct image){object, width, height};
    return pl_buf_check(pdf->out, err);
}

// The running number of a character, or -1 when all fonts are full.
static int32_t code_of(struct pl_pdf *pdf, uint32_t cp)
{
    uint32_t slot = cp * 2654435761u >> 17; // 15 bits
    while (pdf->slot_chars[slot] != 0 && pdf->slot_chars[slot] != cp + 1)
        slot = (slot + 1) % SLOTS;
    if (pdf->slot_chars[slot] == 0) {
        if (pdf->char_count == FONTS_MAX * CODES_PER_FONT)
            return -1;
        pdf->slot_chars[slot] = cp + 1;
        pdf->slot_codes[slot] = (uint16_t)pdf->char_count;
        pdf->chars[pdf->char_count++] = cp;
    }
    return pdf->slot_codes[slot];
}

static uint32_t count_chars(struct pl_slice line)
{
    uint32_t n = 0;
    for (size_t i = 0; i < line.len; n++)
        pl_utf8_next(line, &i);
    return n;
}

// One line of a text: every character takes the same share of the line's length.
static void put_line(struct pl_pdf *pdf, struct pl_slice line, const double m[6])
{
    static const char hex[] = "0123456789ABCDEF";
    for (int i = 0; i < 6; i++) {
        put_number(&pdf->text, m[i]);
        pl_buf_append_byte(&pdf->text, ' ');
    }
    pl_buf_append_cstr(&pdf->text, "Tm");
    int32_t font = -1;
    bool open = false;
    for (size_t i = 0; i < line.len;) {
        uint32_t cp = pl_utf8_next(line, &i);
        if (cp == PL_UTF8_BAD || cp < 0x20)
            cp = 0xFFFD;
        int32_t code = code_of(pdf, cp);
        if (code < 0)
            continue;
        if (code / CODES_PER_FONT != font) {
            font = code / CODES_PER_FONT;
            if (open)
                pl_buf_append_cstr(&pdf->text, ">Tj");
            pl_buf_printf(&pdf->text, "/F%d 1 Tf<", (int)font);
            open = true;
        }
        unsigned byte = (unsigned)(code % CODES_PER_FONT) + 1;
        pl_buf_append_byte(&pdf->text, (uint8_t)hex[byte >> 4]);
        pl_buf_append_byte(&pdf->text, (uint8_t)hex[byte & 15]);
    }
    pl_buf_append_cstr(&pdf->text, open ? ">Tj\n" : "\n");
}

// A text's lines share its box; the matrix maps one em to one character's share across and the line's height up.
static void put_text(struct pl_pdf *pdf, const struct pl_pdf_text *text, double sx, double sy, double height_pt)
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
            put_line(pdf, line, (double[6]){across, 0, 0, up, x0, y1 - (y1 - y0) * to + lift});
            break;
        case PL_ROT_R: // reads downwards
            put_line(pdf, line, (double[6]){0, -across, up, 0, x1 - (x1 - x0) * to + lift, y1});
            break;
        case PL_ROT_I:
            put_line(pdf, line, (double[6]){-across, 0, 0, -up, x1, y0 + (y1 - y0) * to - lift});
            break;
        case PL_ROT_B: // reads upwards
            put_line(pdf, line, (double[6]){0, across, -up, 0, x0 + (x1 - x0) * to - lift, y0});
            break;
        }
    }
}

enum pl_errc pl_pdf_add_content(struct pl_pdf *pdf, uint32_t image, double width_mm, double height_mm,
                                const struct pl_pdf_text *texts, uint32_t text_count, uint32_t *content,
                                struct pl_error *err)
{
    uint32_t object;
    if (!new_object(pdf, &object) || !GROW(pdf, contents, content_count, content_capacity))
        return pl_fail_memory(err);
    struct content *c = &pdf->contents[pdf->content_count];
    *c = (struct content){object, image, width_mm / 25.4 * 72, height_mm / 25.4 * 72};
    pl_buf_append_cstr(&pdf->text, "q ");
    // Some readers spread a picture that ends exactly between two of their dots over one dot more and blur it: it ends
    // a two-hundredth of a printer's dot before the page's edge.
    put_number(&pdf->text, c->width_pt - EDGE_PT);
    pl_buf_append_cstr(&pdf->text, " 0 0 ");
    put_number(&pdf->text, c->height_pt - EDGE_PT);
    pl_buf_append_cstr(&pdf->text, " 0 ");
    put_number(&pdf->text, EDGE_PT);
    pl_buf_printf(&pdf->text, " cm/I%u Do Q\n", image);
    if (text_count > 0)
        pl_buf_append_cstr(&pdf->text, "BT 3 Tr\n"); // rendering mode 3: neither filled nor stroked
    for (uint32_t i = 0; i < text_count; i++) {
        if (texts[i].text.len > 0 && !pl_box_is_empty(texts[i].box))
            put_text(pdf, &texts[i], c->width_pt / pdf->images[image].width, c->height_pt / pdf->images[image].height,
                     c->height_pt);
    }
    if (text_count > 0)
        pl_buf_append_cstr(&pdf->text, "ET\n");
    PL_TRY(put_stream(pdf, object, err));
    *content = pdf->content_count++;
    return PL_OK;
}

enum pl_errc pl_pdf_add_page(struct pl_pdf *pdf, uint32_t content, struct pl_error *err)
{
    if (!GROW(pdf, pages, page_count, page_capacity))
        return pl_fail_memory(err);
    pdf->pages[pdf->page_count++] = content;
    return PL_OK;
}

// A font for codes 1 to `count`: every code shows the same empty glyph, one em wide.
static enum pl_errc put_font(struct pl_pdf *pdf, uint32_t font, uint32_t glyph, struct pl_error *err)
{
    uint32_t first = font * CODES_PER_FONT;
    uint32_t count = PL_MIN(pdf->char_count - first, (uint32_t)CODES_PER_FONT);
    uint32_t object, to_unicode;
    if (!new_object(pdf, &object) || !new_object(pdf, &to_unicode))
        return pl_fail_memory(err);
    pdf->font_objects[font] = object;
    begin_object(pdf, object);
    pl_buf_printf(pdf->out,
                  "<</Type/Font/Subtype/Type3/Name/F%u/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]"
                  "/CharProcs<</e %u 0 R>>/Resources<<>>/Encoding<</Type/Encoding/Differences[1",
                  font, glyph);
    for (uint32_t i = 0; i < count; i++)
        pl_buf_append_cstr(pdf->out, "/e");
    pl_buf_printf(pdf->out, "]>>/FirstChar 1/LastChar %u/Widths[", count);
    for (uint32_t i = 0; i < count; i++)
        pl_buf_append_cstr(pdf->out, "1000 ");
    pl_buf_printf(pdf->out, "]/ToUnicode %u 0 R>>", to_unicode);
    end_object(pdf);

    pl_buf_append_cstr(&pdf->text, "/CIDInit/ProcSet findresource begin 12 dict begin begincmap\n"
                                   "/CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>>def\n"
                                   "/CMapName/Adobe-Identity-UCS def/CMapType 2 def\n"
                                   "1 begincodespacerange<00><FF>endcodespacerange\n");
    for (uint32_t i = 0; i < count; i++) {
        if (i % 100 == 0) // a block holds at most 100 rows
            pl_buf_printf(&pdf->text, "%u beginbfchar\n", PL_MIN(count - i, 100u));
        uint32_t cp = pdf->chars[first + i];
        if (cp >= 0x10000)
            pl_buf_printf(&pdf->text, "<%02X><%04X%04X>\n", i + 1, 0xD800 + ((cp - 0x10000) >> 10),
                          0xDC00 + (cp & 0x3FF));
        else
            pl_buf_printf(&pdf->text, "<%02X><%04X>\n", i + 1, cp);
        if (i % 100 == 99 || i + 1 == count)
            pl_buf_append_cstr(&pdf->text, "endbfchar\n");
    }
    pl_buf_append_cstr(&pdf->text, "endcmap CMapName currentdict/CMap defineresource pop end end\n");
    return put_stream(pdf, to_unicode, err);
}

// The fonts and the dictionary of them that all pages share.
static enum pl_errc put_fonts(struct pl_pdf *pdf, uint32_t *dictionary, struct pl_error *err)
{
    static const char nothing[] = "1000 0 d0";
    uint32_t glyph, fonts = (pdf->char_count + CODES_PER_FONT - 1) / CODES_PER_FONT;
    if (!new_object(pdf, &glyph) || !new_object(pdf, dictionary))
        return pl_fail_memory(err);
    begin_object(pdf, glyph);
    pl_buf_printf(pdf->out, "<</Length %zu>>\nstream\n%s\nendstream", sizeof nothing - 1, nothing);
    end_object(pdf);
    for (uint32_t i = 0; i < fonts; i++)
        PL_TRY(put_font(pdf, i, glyph, err));
    begin_object(pdf, *dictionary);
    pl_buf_append_cstr(pdf->out, "<<");
    for (uint32_t i = 0; i < fonts; i++)
        pl_buf_printf(pdf->out, "/F%u %u 0 R", i, pdf->font_objects[i]);
    pl_buf_append_cstr(pdf->out, ">>");
    end_object(pdf);
    return PL_OK;
}

// A text string in the document's information: UTF-16 with a byte order mark, in hexadecimal.
static void put_text_string(struct pl_buf *out, const char *text)
{
    struct pl_slice s = pl_slice_cstr(text);
    pl_buf_append_cstr(out, "<FEFF");
    for (size_t i = 0; i < s.len;) {
        uint32_t cp = pl_utf8_next(s, &i);
        if (cp == PL_UTF8_BAD)
            cp = 0xFFFD;
        if (cp >= 0x10000)
            pl_buf_printf(out, "%04X%04X", 0xD800 + ((cp - 0x10000) >> 10), 0xDC00 + (cp & 0x3FF));
        else
            pl_buf_printf(out, "%04X", cp);
    }
    pl_buf_append_byte(out, '>');
}

static enum pl_errc put_pages(struct pl_pdf *pdf, uint32_t fonts, struct pl_error *err)
{
    uint32_t first = pdf->object_count + 1;
    for (uint32_t i = 0; i < pdf->page_count; i++) {
        const struct content *c = &pdf->contents[pdf->pages[i]];
        uint32_t object;
        if (!new_object(pdf, &object))
            return pl_fail_memory(err);
        begin_object(pdf, object);
        pl_buf_append_cstr(pdf->out, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 ");
        put_number(pdf->out, c->width_pt);
        pl_buf_append_byte(pdf->out, ' ');
        put_number(pdf->out, c->height_pt);
        pl_buf_printf(pdf->out, "]/Contents %u 0 R/Resources<</XObject<</I%u %u 0 R>>/Font %u 0 R>>>>", c->object,
                      c->image, pdf->images[c->image].object, fonts);
        end_object(pdf);
    }
    begin_object(pdf, 2);
    pl_buf_append_cstr(pdf->out, "<</Type/Pages/Kids[");
    for (uint32_t i = 0; i < pdf->page_count; i++)
        pl_buf_printf(pdf->out, i % 16 == 15 ? "%u 0 R\n" : "%u 0 R ", first + i);
    pl_buf_printf(pdf->out, "]/Count %u>>", pdf->page_count);
    end_object(pdf);
    return PL_OK;
}

enum pl_errc pl_pdf_finish(struct pl_pdf *pdf, struct pl_error *err)
{
    if (pdf->page_count == 0)
        return pl_fail(err, PL_E_BUG, "a PDF without pages");
    uint32_t fonts = 0;
    PL_TRY(put_fonts(pdf, &fonts, err));
    PL_TRY(put_pages(pdf, fonts, err));
    begin_object(pdf, 1);
    pl_buf_append_cstr(pdf->out, "<</Type/Catalog/Pages 2 0 R/ViewerPreferences<</DisplayDocTitle true>>>>");
    end_object(pdf);
    begin_object(pdf, 3);
    pl_buf_append_cstr(pdf->out, "<</Title");
    put_text_string(pdf->out, pdf->title);
    pl_buf_append_cstr(pdf->out, "/Producer(Platen)/Creator(Platen)>>");
    end_object(pdf);
    size_t table = pdf->out->len - pdf->start;
    // Each entry is exactly 20 bytes.
    pl_buf_printf(pdf->out, "xref\n0 %u\n0000000000 65535 f \n", pdf->object_count + 1);
    for (uint32_t i = 0; i < pdf->object_count; i++)
        pl_buf_printf(pdf->out, "%010zu 00000 n \n", pdf->offsets[i]);
    pl_buf_printf(pdf->out, "trailer\n<</Size %u/Root 1 0 R/Info 3 0 R>>\nstartxref\n%zu\n%%%%EOF\n",
                  pdf->object_count + 1, table);
    return pl_buf_check(pdf->out, err);
}
