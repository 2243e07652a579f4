// Text by the printer's profile: each fact that was measured on a printer, by the name of its paragraph, as the pens of
// its glyphs ("A10,21" is an A whose pen is at 10,21) or as the box of its ink.
#include <stdio.h>
#include <string.h>

#include "draw/page.h"
#include "font/draw/text.h"
#include "lang/zpl/zpl.h"
#include "unit.h"

static struct pl_fonts *fonts;
static struct pl_writer *writer;

static int start(void **state)
{
    (void)state;
    struct pl_error err;
    return pl_fonts_new(NULL, &fonts, &err) == PL_OK && pl_writer_new(fonts, 1 << 20, NULL, &writer, &err) == PL_OK
               ? 0
               : -1;
}

static int end(void **state)
{
    (void)state;
    pl_writer_free(writer);
    pl_fonts_free(fonts);
    return 0;
}

struct label {
    struct pl_arena arena, scratch;
    struct pl_diags diags;
    struct pl_scene scene;
};

static void read_label(struct label *l, const char *zpl)
{
    struct pl_store store;
    struct pl_error err;
    pl_arena_init(&l->arena, 16 << 20);
    pl_arena_init(&l->scratch, 16 << 20);
    pl_store_init(&store, &l->arena, NULL, 1 << 20);
    pl_diags_init(&l->diags, &l->arena, 100);
    struct pl_lang_options options = {
        .profile = &pl_profile_printer, .dpmm = 8, .width = 600, .height = 600, .limits = PL_LIMITS_DEFAULT};
    assert_int_equal(
        pl_zpl_interpret(pl_slice_cstr(zpl), &options, &store, &l->arena, &l->diags, NULL, &l->scene, &err), PL_OK);
    assert_int_equal(l->scene.label_count, 1);
}

static void forget_label(struct label *l)
{
    pl_arena_fini(&l->scratch);
    pl_arena_fini(&l->arena);
}

struct pens {
    char text[2048];
    size_t length;
};

static void note(void *user, uint32_t character, int32_t x, int32_t y, enum pl_rotation rotation)
{
    (void)rotation;
    struct pens *pens = user;
    int n = snprintf(pens->text + pens->length, sizeof pens->text - pens->length, "%s%c%d,%d", pens->length ? " " : "",
                     character < 0x7F ? (char)character : '?', x, y);
    assert_true(n > 0 && (size_t)n < sizeof pens->text - pens->length);
    pens->length += (size_t)n;
}

// Draws all text of a label; returns the box of its ink.
static struct pl_box write_text(struct label *l, const char *zpl, struct pens *pens)
{
    struct pl_bitmap canvas;
    struct pl_pen pen = {0};
    struct pl_box ink = {0, 0, 0, 0};
    *pens = (struct pens){.length = 0};
    read_label(l, zpl);
    assert_int_equal(pl_bitmap_new(&l->arena, 600, 600, &canvas, NULL), PL_OK);
    struct pl_glyph_watch watch = {note, pens};
    struct pl_text_target target = {.profile = &l->scene.profile->font,
                                    .canvas = &canvas,
                                    .ink = PL_INK_BLACK,
                                    .scale = 1,
                                    .dpmm = 8,
                                    .arena = &l->scratch,
                                    .diags = &l->diags,
                                    .watch = &watch};
    for (uint32_t i = 0; i < l->scene.labels[0].element_count; i++) {
        const struct pl_element *element = l->scene.labels[0].elements[i];
        struct pl_text_result result;
        if (element->kind != PL_ELEMENT_TEXT)
            continue;
        assert_int_equal(pl_text_draw(writer, &target, element, &pen, &result, NULL), PL_OK);
        ink = pl_box_union(ink, result.ink);
    }
    return ink;
}

static void glyphs_stand_where_a_printer_puts_them(void **state)
{
    (void)state;
    static const struct {
        const char *fact, *zpl, *pens;
    } FACTS[] = {
        {"1.2 B: advance 9, baseline row 10", "^XA^FO10,10^AB^FDHH^FS^XZ", "H10,21 H19,21"},
        {"1.2 C is D: advance 12, baseline row 13", "^XA^FO10,10^AC^FDHH^FS^XZ", "H10,24 H22,24"},
        {"1.2 D", "^XA^FO10,10^AD^FDHH^FS^XZ", "H10,24 H22,24"},
        {"1.2 E: advance 20, baseline row 22", "^XA^FO10,10^AE^FDHH^FS^XZ", "H10,33 H30,33"},
        {"1.2 F: advance 16, baseline row 20", "^XA^FO10,10^AF^FDHH^FS^XZ", "H10,31 H26,31"},
        {"1.2 G: advance 48, baseline row 47", "^XA^FO10,10^AG^FDHH^FS^XZ", "H10,58 H58,58"},
        {"1.2 H: advance 19, baseline row 20; small letters are blank", "^XA^FO10,10^AH^FDHaH^FS^XZ",
         "H10,31 a29,31 H48,31"},
        {"1.2 ^GS: advance 26, baseline row 23", "^XA^FO10,10^GSN,24,24^FDAxB^FS^XZ", "A10,34 x36,34 B62,34"},
        {"1.2 P: baseline 15", "^XA^FO10,10^AP^FDH^FS^XZ", "H10,25"},
        {"1.2 Q: baseline 22", "^XA^FO10,10^AQ^FDH^FS^XZ", "H10,32"},
        {"1.2 R: baseline 28", "^XA^FO10,10^AR^FDH^FS^XZ", "H10,38"},
        {"1.2 S: baseline 30", "^XA^FO10,10^AS^FDH^FS^XZ", "H10,40"},
        {"1.2 T: baseline 36", "^XA^FO10,10^AT^FDH^FS^XZ", "H10,46"},
        {"1.2 U: baseline 46", "^XA^FO10,10^AU^FDH^FS^XZ", "H10,56"},
        {"1.2 V: baseline 62", "^XA^FO10,10^AV^FDH^FS^XZ", "H10,72"},
        {"1.2 S in ^FB: pitch 34, ascent 25", "^XA^FO10,10^AS^FB200,2^FDH\\&H^FS^XZ", "H10,35 H10,69"},
        {"1.2 S in ^FB at 80: pitch 67, ascent 50", "^XA^FO10,10^ASN,80,70^FB200,2^FDH\\&H^FS^XZ", "H10,60 H10,127"},
        {"1.0 bitmap fonts: the multiple is rounded", "^XA^FO10,10^ABN,27,11^FDHH^FS^FO10,100^ABN,28,10^FDHH^FS^XZ",
         "H10,32 H28,32 H10,133 H19,133"},
        {"1.2 the multiple is at most 10", "^XA^FO10,10^ABN,400,400^FDHH^FS^XZ", "H10,120 H100,120"},
        {"1.2 presets are not capped", "^XA^FO10,10^APN,240,18^FDH^FS^XZ", "H10,190"},
        {"1.2 ^CF of a bitmap font without a size: its own", "^XA^CF0,99,99^CFB^FO10,10^FDHH^FS^XZ", "H10,21 H19,21"},
        {"1.2 ^A of an unknown font: that of ^CF", "^XA^CFB^FO10,10^A7N,11,7^FDHH^FS^XZ", "H10,21 H19,21"},
        {"1.2 ^CF of an unknown font: A", "^XA^CF7,9,5^FO10,10^FDHH^FS^XZ", "H10,17 H16,17"},
        {"1.2 ^A cancels ^TB", "^XA^FO10,10^TBN,5,5^AB^FDHH^FS^XZ", "H10,21 H19,21"},
        {"1.2 ^FB behind ^GS: text", "^XA^CFB^FO10,10^GSN,11,7^FB100^FDHH^FS^XZ", "H10,21 H19,21"},
        {"1.3 font 0: baseline at three quarters, cut", "^XA^FO10,10^A0N,25,25^FDH^FS^FO10,100^A0N,10,10^FDH^FS^XZ",
         "H10,28 H10,107"},
        {"1.4 ^FO of font 0 in four directions",
         "^XA^FO100,100^A0N,40^FDH^FS^FO100,100^A0R,40^FDH^FS^FO100,100^A0I,40^FDH^FS^FO100,100^A0B,40^FDH^FS^XZ",
         "H100,130 H110,100 H124,110 H130,124"},
        {"1.4 ^FO of B in four directions",
         "^XA^FO100,100^ABN,22,14^FDHH^FS^FO100,100^ABR,22,14^FDHH^FS^FO100,100^ABI,22,14^FDHH^FS^FO100,100^ABB,22,14^"
         "FDHH^FS^XZ",
         "H100,122 H118,122 H100,100 H100,118 H136,100 H118,100 H122,136 H122,118"},
        {"1.4 ^FT of font 0 in four directions",
         "^XA^FT100,100^A0N,40^FDH^FS^FT100,100^A0R,40^FDH^FS^FT100,100^A0I,40^FDH^FS^FT100,100^A0B,40^FDH^FS^XZ",
         "H100,100 H100,100 H100,100 H100,100"},
        {"1.4 ^FT of cells: the row of the baseline is the anchor's",
         "^XA^FT100,100^ABN,22,14^FDH^FS^FT100,100^ABR,22,14^FDH^FS^FT100,100^ABI,22,14^FDH^FS^FT100,100^ABB,22,14^FDH^"
         "FS^XZ",
         "H100,101 H100,100 H101,100 H101,101"},
        {"1.4 ^FT of symbols, too", "^XA^FT100,100^GSN,24,24^FDA^FS^XZ", "A100,101"},
        {"1.4 justified to the right: less the width", "^XA^FO100,100,1^AB^FDHH^FS^FT100,200,1^AB^FDHH^FS^XZ",
         "H82,111 H91,111 H82,201 H91,201"},
        {"1.4 ^FO,1 of inverted cells: gap and two dots", "^XA^FO100,100,1^ABI^FDHH^FS^FO100,100,1^AEI^FDH^FS^XZ",
         "H96,100 H87,100 H92,105"},
        {"1.4 ^FO,1 of inverted font 0: a dot", "^XA^FO100,100,1^A0I,40^FDH^FS^XZ", "H101,110"},
        {"1.4 justification 2 is left for Latin", "^XA^FO100,100,2^AB^FDHH^FS^XZ", "H100,111 H109,111"},
        {"1.4 ^FO,1 of blocks in four directions",
         "^XA^FO100,100,1^ABN^FB40,3^FDH^FS^FO100,100,1^ABR^FB40,3^FDH^FS^FO100,100,1^ABI^FB40,3^FDH^FS^FO100,100,1^"
         "ABB^FB40,3^FDH^FS^XZ",
         "H60,111 H89,100 H101,122 H89,140"},
        {"1.4 ^FP V: by the height, without the gap", "^XA^FO10,10^FPV,8^ABN^FDHI^FS^XZ", "H10,21 I10,32"},
        {"1.4 ^FP H and R: with the gap", "^XA^FO10,10^FPH,8^ABN^FDHI^FS^FO10,50^FPR,8^ABN^FDHI^FS^XZ",
         "H10,21 I27,21 H27,61 I10,61"},
        {"1.4 ^FP R without ^PA", "^XA^PA0,0,0,0^FO10,10^FPR,0^ABN^FDHI^FS^XZ", "H19,21 I10,21"},
        {"1.4 ^FP in a block: not behind spaces", "^XA^FO10,10^FPH,8^ABN^FB200^FDH I^FS^XZ", "H10,21 I36,21"},
        {"1.5 the pitch is the height and the spacing, at least 0",
         "^XA^FO10,10^AB^FB99,3,4^FDH\\&I^FS^FO10,90^AB^FB99,3,-40^FDH\\&I^FS^XZ", "H10,21 I10,36 H10,101 I10,101"},
        {"1.5 words that are too wide get a hyphen", "^XA^FO10,10^AB^FB40,9^FDHHHHHHHH^FS^XZ",
         "H10,21 H19,21 H28,21 H37,21 H10,32 H19,32 H28,32 H37,32 H10,43 H19,43"},
        {"1.5 a hyphen that just fits cuts a letter earlier", "^XA^FO10,10^AB^FB36,9^FDHHHHH^FS^XZ",
         "H10,21 H19,21 H28,21 H10,32 H19,32 H28,32"},
        {"1.5 too narrow for a hyphen: a letter in each line", "^XA^FO10,10^AB^FB17,9^FDHIJ^FS^XZ",
         "H10,21 I10,32 J10,43"},
        {"1.5 a letter and its hyphen that fill the line", "^XA^FO10,10^AB^FB18,9^FDHIJ^FS^XZ",
         "H10,21 J19,21 I10,32 J19,32"},
        {"1.5 without a width: a letter in each line", "^XA^FO10,10^AB^FB,9^FDHI^FS^XZ", "H10,21 I10,32"},
        {"1.5 a space as wide as the block: a blank line", "^XA^FO10,10^AB^FB9,9^FDH I^FS^XZ", "H10,21 I10,43"},
        {"1.5 spaces wider than the next line: one blank line", "^XA^FO10,10^AB^FB40,9^FDHH          II^FS^XZ",
         "H10,21 H19,21 I10,43 I19,43"},
        {"1.5 hyphens of E are blank", "^XA^FO10,10^AE^FB70,9^FDHHHH^FS^XZ", "H10,33 H30,33 H10,61 H30,61"},
        {"1.5 lines beyond the last are printed over it", "^XA^FO10,10^AB^FB20,2^FDH I J K^FS^XZ",
         "H10,21 I10,32 J10,32 K10,32"},
        {"1.5 J: the earliest gaps get the remainder; the last line stays",
         "^XA^FO10,10^AB^FB61,2,0,J^FDHH I J KK^FS^XZ", "H10,21 H19,21 I41,21 J62,21 K10,32 K19,32"},
        {"1.5 C: a space less, cut to dots", "^XA^FO10,10^AB^FB60,2,0,C^FDHH II JJ^FS^XZ",
         "H13,21 H22,21 I40,21 I49,21 J26,32 J35,32"},
        {"1.5 a line wider than the block is not aligned",
         "^XA^FO10,10^AB^FB1,3,0,R^FDHI^FS^FO10,90^AB^FB1,3,0,C^FDHI^FS^XZ", "H10,21 I10,32 H10,101 I10,112"},
        {"1.5 the indent is for the second line and ends at \\\\&", "^XA^FO10,10^AB^FB40,9,0,L,5^FDHH II JJ\\&KK^FS^XZ",
         "H10,21 H19,21 I15,32 I24,32 J15,43 J24,43 K10,54 K19,54"},
        {"1.5 an indent wider than the block: the line behind it does not end",
         "^XA^FO10,10^AB^FB40,9,0,L,50^FDHH II JJ\\&KK^FS^XZ",
         "H10,21 H19,21 I60,32 I69,32 J87,32 J96,32 K10,43 K19,43"},
        {"1.5 leading spaces are left out, others kept", "^XA^FO10,10^AB^FB90,9^FD  H  I^FS^XZ", "H10,21 I37,21"},
        {"1.6 ^TB cuts words between letters, without a hyphen", "^XA^FO10,10^AB^TBN,20,30^FDHIJ^FS^XZ",
         "H0,11 I9,11 J0,22"},
        {"1.6 ^TB: rows that begin below it are left out", "^XA^FO10,10^AB^TBN,10,12^FDHIJ^FS^XZ", "H0,11 I0,22"},
        {"1.6 ^TB: <<> is a sign", "^XA^FO10,10^AB^TBN,90,11^FDH<<>I<x>J^FS^XZ", "H0,11 <9,11 I18,11 J27,11"},
        {"1.7 tabs go to stops of 80 dots", "^XA^FO10,10^AB^FH^FDH_09I^FS^XZ", "H10,21 I90,21"},
        {"1.8 ^CI28: a backslash is the cent sign", "^XA^CI28^FO10,10^AB^FDH\\^FS^XZ", "H10,21 ?19,21"},
        {"1.8 a character that no font has takes its room",
         "^XA^CI28^FO10,10^A0N,40,24^FDA\xCD"
         "\xB8"
         "B^FS^XZ",
         "A10,40 B30,40"},
        {"1.8 and is shown where ^PA asks for it",
         "^XA^CI28^PA1^FO10,10^A0N,40,24^FDA\xCD"
         "\xB8"
         "B^FS^XZ",
         "A10,40 ?23,40 B36,40"},
        {"1.2 ^GS is not justified to the right", "^XA^FO100,100,1^GSN,24,24^FDA^FS^XZ", "A100,124"},
        {"1.2 ^GS: the multiple is at most 10", "^XA^FO10,10^GSN,480,480^FDAB^FS^XZ", "A10,250 B270,250"},
        {"1.2 ^GS behind ^BC: symbols", "^XA^FO10,10^BCN,20^GSN,24,24^FDA^FS^XZ", "A10,34"},
        {"1.4 ^FP is of its field alone", "^XA^FO10,10^FPH,8^AB^FDHI^FS^FO10,50^AB^FDHI^FS^XZ",
         "H10,21 I27,21 H10,61 I19,61"},
        {"1.5 J: not where \\& ends the line", "^XA^FO10,10^AB^FB61,3,0,J^FDHH I\\&JJ^FS^XZ",
         "H10,21 H19,21 I37,21 J10,32 J19,32"},
        {"1.5 J: the last line, if it lacks a space at most", "^XA^FO10,10^AB^FB50,2,0,J^FDHH II^FS^XZ",
         "H10,21 H19,21 I42,21 I51,21"},
        {"1.5 J: the last line, if it lacks more", "^XA^FO10,10^AB^FB55,2,0,J^FDHH II^FS^XZ",
         "H10,21 H19,21 I37,21 I46,21"},
        {"1.5 J: not in rows that are printed over", "^XA^FO10,10^AB^FB61,1,0,J^FDHH I J KK^FS^XZ",
         "H10,21 H19,21 I37,21 J55,21 K10,21 K19,21"},
        {"1.5 two backslashes are one", "^XA^CI13^FO10,10^AB^FB90,2^FDH\\\\I^FS^XZ", "H10,21 \\19,21 I28,21"},
        {"1.5 two backslashes before &", "^XA^CI13^FO10,10^AB^FB90,2^FDH\\\\&I^FS^XZ", "H10,21 \\19,21 &28,21 I37,21"},
        {"1.5 ^CI28: a soft hyphen shows in a block", "^XA^CI28^FO10,10^AB^FB90,2^FDH\xC2\xADI^FS^XZ",
         "H10,21 -19,21 I28,21"},
        {"1.5 ^CI28: and not in a line", "^XA^CI28^FO10,10^AB^FDH\xC2\xADI^FS^XZ", "H10,21 I19,21"},
        {"1.5 ^CI28: a space without width is one in a block", "^XA^CI28^FO10,10^AB^FB90,2^FDH\xE2\x80\x8BI^FS^XZ",
         "H10,21 I28,21"},
        {"1.5 ^CI28: and nothing in a line", "^XA^CI28^FO10,10^AB^FDH\xE2\x80\x8BI^FS^XZ", "H10,21 I19,21"},
        {"1.5 ^CI28: letters and their accents are composed", "^XA^CI28^FO10,10^A0N,40^FDe\xCC\x81^FS^XZ", "?10,40"},
        {"1.6 ^TB keeps spaces", "^XA^FO10,10^AB^TBN,90,11^FDH  I^FS^XZ", "H0,11 I27,11"},
        {"1.6 ^TB ignores soft hyphens", "^XA^CI28^FO10,10^AB^TBN,90,11^FDH\xC2\xADI^FS^XZ", "H0,11 I9,11"},
        {"1.7 NUL ends text", "^XA^FO10,10^AB^FH^FDH_00I^FS^XZ", "H10,21"},
        {"1.7 NUL is left out of a block", "^XA^FO10,10^AB^FB90,2^FH^FDH_00I^FS^XZ", "H10,21 I19,21"},
        {"1.7 NUL ends ^TB", "^XA^FO10,10^AB^TBN,90,22^FH^FDH_00I^FS^XZ", "H0,11"},
        {"1.7 CR ends text", "^XA^FO10,10^AB^FH^FDH_0DI^FS^XZ", "H10,21"},
        {"1.7 LF ends text", "^XA^FO10,10^AB^FH^FDH_0AI^FS^XZ", "H10,21"},
        {"1.7 LF ends a block", "^XA^FO10,10^AB^FB90,2^FH^FDH_0AI^FS^XZ", "H10,21"},
        {"1.7 CR LF is one break in ^TB", "^XA^FO10,10^AB^TBN,90,33^FH^FDH_0D_0AI^FS^XZ", "H0,11 I0,22"},
        {"1.7 CR CR are two", "^XA^FO10,10^AB^TBN,90,33^FH^FDH_0D_0DI^FS^XZ", "H0,11 I0,33"},
        {"1.7 LF CR are two", "^XA^FO10,10^AB^TBN,90,33^FH^FDH_0A_0DI^FS^XZ", "H0,11 I0,33"},
        {"1.7 SOH is ignored", "^XA^FO10,10^AB^FH^FDH_01I^FS^XZ", "H10,21 I19,21"},
        {"1.7 SOH is a space in a block", "^XA^FO10,10^AB^FB90,2^FH^FDH_01I^FS^XZ", "H10,21 I28,21"},
        {"1.7 SOH is ignored in ^TB", "^XA^FO10,10^AB^TBN,90,22^FH^FDH_01I^FS^XZ", "H0,11 I9,11"},
        {"1.7 a tab in a block is as wide as a space", "^XA^FO10,10^AB^FB190,2^FH^FDH_09I^FS^XZ", "H10,21 I28,21"},
        {"1.7 a tab in ^TB goes to stops of 80 dots", "^XA^FO10,10^AB^TBN,190,11^FH^FDH_09I^FS^XZ", "H0,11 I80,11"},
        {"1.7 ^CI27: ESC is left out", "^XA^CI27^FO10,10^AB^FH^FDH_1BI^FS^XZ", "H10,21 I19,21"},
        {"1.7 ^CI27: DEL is left out", "^XA^CI27^FO10,10^AB^FH^FDH_7FI^FS^XZ", "H10,21 I19,21"},
        {"1.7 ^CI27: ESC in a block is as wide as a space", "^XA^CI27^FO10,10^AB^FB190,2^FH^FDH_1BI^FS^XZ",
         "H10,21 I28,21"},
        {"1.8 ^CI0: characters are re-mapped", "^XA^CI0,65,66^FO10,10^AB^FDBH^FS^XZ", "A10,21 H19,21"},
        {"1.8 ^CI0: the space, too", "^XA^CI0,65,32^FO10,10^AB^FDH H^FS^XZ", "H10,21 A19,21 H28,21"},
        {"1.8 ^CI27: they are not", "^XA^CI27,65,66^FO10,10^AB^FDBH^FS^XZ", "B10,21 H19,21"},
        {"1.9 ^FH belongs to its field: _1E without it is text", "^XA^FO10,10^AB^FD_1E^FS^XZ", "_10,21 119,21 E28,21"},
        {"1.9 ^SN begins with its number", "^XA^FO10,10^AB^SN07,1,Y^FS^XZ", "010,21 719,21"},
        {"1.9 ^SF does not change the first label", "^XA^FO10,10^AB^FD07^SFdd,1^FS^XZ", "010,21 719,21"},
        {"1.1 text left of the label begins at its edge", "^XA^LS50^FO10,10^AB^FDHI^FS^XZ", "H0,21 I9,21"},
        {"1.1 a minus is the edge", "^XA^FO-30,10^AB^FDHI^FS^XZ", "H0,21 I9,21"},
    };
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof FACTS / sizeof FACTS[0]; i++) {
        struct label l;
        struct pens pens;
        write_text(&l, FACTS[i].zpl, &pens);
        if (strcmp(pens.text, FACTS[i].pens) != 0) {
            print_error("%s: %s\n  wanted %s\n", FACTS[i].fact, pens.text, FACTS[i].pens);
            wrong++;
        }
        forget_label(&l);
    }
    assert_int_equal(wrong, 0);
}

static void font_0_requests_of_1_to_9_act_as_10(void **state)
{
    (void)state;
    static const char *const SAME[][2] = {{"^XA^FO10,10^A0N,1,1^FDWim^FS^XZ", "^XA^FO10,10^A0N,10,10^FDWim^FS^XZ"},
                                          {"^XA^FO10,10^A0N,40,3^FDWim^FS^XZ", "^XA^FO10,10^A0N,40,10^FDWim^FS^XZ"},
                                          {"^XA^FO10,10^A0N,0,30^FDWim^FS^XZ", "^XA^FO10,10^A0N,30,30^FDWim^FS^XZ"},
                                          {"^XA^FO10,10^A0N,30,0^FDWim^FS^XZ", "^XA^FO10,10^A0N,30,30^FDWim^FS^XZ"}};
    for (size_t i = 0; i < sizeof SAME / sizeof SAME[0]; i++) {
        struct label l[2];
        struct pens pens[2];
        for (int k = 0; k < 2; k++) {
            write_text(&l[k], SAME[i][k], &pens[k]);
            forget_label(&l[k]);
        }
        assert_string_equal(pens[0].text, pens[1].text);
    }
}

static void assert_box(struct pl_box box, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
    if (box.x0 != x0 || box.y0 != y0 || box.x1 != x1 || box.y1 != y1)
        fail_msg("ink at %d,%d to %d,%d", box.x0, box.y0, box.x1, box.y1);
}

// 1.1: each glyph by its own ink, so that inverted text piles up at the edge.
static void glyphs_left_of_the_label_or_above_it_are_moved_to_its_edge(void **state)
{
    (void)state;
    struct label l;
    struct pens pens;
    struct pl_box ink = write_text(&l, "^XA^FT10,3^ABN,22,14^FDHH^FS^XZ", &pens);
    assert_int_equal(ink.y0, 0);
    assert_int_equal(ink.y1, 22);
    forget_label(&l);
    ink = write_text(&l, "^XA^FT5,50^ABI,11,7^FDHHH^FS^XZ", &pens);
    assert_string_equal(pens.text, "H6,50 H-3,50 H-12,50");
    assert_box(ink, 0, 50, 7, 61);
    forget_label(&l);
}

static struct pl_bitmap draw_page(struct label *l, const char *zpl, struct pl_drawn *drawn)
{
    read_label(l, zpl);
    struct pl_page_options options = {.width = 600, .height = 600, .dpmm = 8, .want_report = true};
    struct pl_page_tools tools = {.writer = writer, .arena = &l->arena, .scratch = &l->scratch, .diags = &l->diags};
    struct pl_drawn_page page;
    assert_int_equal(pl_page_draw(&l->scene, &l->scene.labels[0], &options, &tools, &page, NULL), PL_OK);
    *drawn = page.reports[0].drawn;
    return page.bits;
}

// 1.8: of font A alone, and serial numbers keep the stroke.
static void zeros_of_ci13_have_no_stroke(void **state)
{
    (void)state;
    static const char *const SAME[][2] = {
        {"^XA^CI13^FO10,10^AAN,36,20^FD10^FS^XZ", "^XA^CI0^FO10,10^AAN,36,20^FD1O^FS^XZ"},
        {"^XA^CI13^FO10,10^AAN,36,20^SN10,1^FS^XZ", "^XA^CI0^FO10,10^AAN,36,20^FD10^FS^XZ"},
        {"^XA^CI13^FO10,10^ADN,36,20^FD10^FS^XZ", "^XA^CI0^FO10,10^ADN,36,20^FD10^FS^XZ"}};
    for (size_t i = 0; i < sizeof SAME / sizeof SAME[0]; i++) {
        struct label l[2];
        struct pl_drawn drawn;
        struct pl_bitmap a = draw_page(&l[0], SAME[i][0], &drawn), b = draw_page(&l[1], SAME[i][1], &drawn);
        assert_memory_equal(a.words, b.words, (size_t)a.stride * a.height * sizeof(uint64_t));
        forget_label(&l[0]);
        forget_label(&l[1]);
    }
    struct pens pens;
    struct label l;
    write_text(&l, "^XA^CI13^FO10,10^AA^FD10^FS^XZ", &pens);
    assert_string_equal(pens.text, "110,17 016,17"); // the field still has a zero
    forget_label(&l);
}

// Once the description showed a cent sign as the data of a field.
static void a_cent_sign_for_a_backslash_is_drawn_and_not_the_data(void **state)
{
    (void)state;
    struct label l;
    read_label(&l, "^XA^CI28^FO10,10^AB^FDH\\^FS^XZ");
    const struct pl_text *text = &l.scene.labels[0].elements[0]->text;
    assert_int_equal(text->length, 2);
    assert_int_equal(text->chars[1], '\\');
    forget_label(&l);
}

// 1.11: font A by the module, six dots below or eight above; a dot further back where it is read backwards.
static void captions_stand_where_a_printer_puts_them(void **state)
{
    (void)state;
    static const struct {
        const char *zpl;
        struct pl_box bars, caption;
    } FACTS[] = {
        {"^XA^BY2^FO100,100^B3N,N,40,Y^FDHH^FS^XZ", {100, 100, 226, 140}, {140, 146, 184, 160}},
        {"^XA^BY2^FO100,100^B3N,N,40,Y,Y^FDHH^FS^XZ", {100, 100, 226, 140}, {140, 74, 184, 88}},
        {"^XA^BY2^FO100,100^B3R,N,40,Y^FDHH^FS^XZ", {100, 100, 140, 226}, {80, 140, 94, 184}},
        {"^XA^BY2^FO100,100^B3I,N,40,Y^FDHH^FS^XZ", {100, 100, 226, 140}, {143, 80, 187, 94}},
        {"^XA^BY2^FO100,100^B3B,N,40,Y^FDHH^FS^XZ", {100, 100, 140, 226}, {146, 143, 160, 187}},
        // Code 39 with its check character: *HHY*, five cells of 12 dots; its first and last column are blank.
        {"^XA^BY1^FO100,100^B3N,Y,40,Y^FDHH^FS^XZ", {100, 100, 179, 140}, {125, 146, 152, 153}},
    };
    for (size_t i = 0; i < sizeof FACTS / sizeof FACTS[0]; i++) {
        struct label l;
        struct pl_drawn drawn;
        draw_page(&l, FACTS[i].zpl, &drawn);
        assert_box(drawn.symbol, FACTS[i].bars.x0, FACTS[i].bars.y0, FACTS[i].bars.x1, FACTS[i].bars.y1);
        assert_box(drawn.caption, FACTS[i].caption.x0, FACTS[i].caption.y0, FACTS[i].caption.x1, FACTS[i].caption.y1);
        forget_label(&l);
    }
}

// 1.1: bars and glyphs of the caption each by themselves; R and I at the edge lose a dot of their height.
static void bars_left_of_the_label_or_above_it_are_moved_to_its_edge(void **state)
{
    (void)state;
    static const struct {
        const char *zpl;
        struct pl_box bars;
    } FACTS[] = {
        {"^XA^BY2^LS50^FO10,100^B3N,N,40,N^FDHH^FS^XZ", {0, 100, 126, 140}},
        {"^XA^BY2^FT10,20^B3N,N,40,N^FDHH^FS^XZ", {10, 0, 136, 40}},
        {"^XA^BY2^FO0,100^B3R,N,40,N^FDHH^FS^XZ", {0, 100, 39, 226}},
        {"^XA^BY2^FO1,100^B3R,N,40,N^FDHH^FS^XZ", {1, 100, 41, 226}},
        {"^XA^BY2^FO100,0^B3I,N,40,N^FDHH^FS^XZ", {100, 0, 226, 39}},
        {"^XA^BY2^FO0,0^B3N,N,40,N^FDHH^FS^XZ", {0, 0, 126, 40}},
    };
    for (size_t i = 0; i < sizeof FACTS / sizeof FACTS[0]; i++) {
        struct label l;
        struct pl_drawn drawn;
        draw_page(&l, FACTS[i].zpl, &drawn);
        assert_box(drawn.symbol, FACTS[i].bars.x0, FACTS[i].bars.y0, FACTS[i].bars.x1, FACTS[i].bars.y1);
        forget_label(&l);
    }
}

static uint64_t count_ink(const struct pl_bitmap *bits, struct pl_box box)
{
    uint64_t n = 0;
    for (int32_t y = box.y0; y < box.y1; y++)
        for (int32_t x = box.x0; x < box.x1; x++)
            n += pl_bitmap_get(bits, (uint32_t)x, (uint32_t)y);
    return n;
}

// 1.1: an overlap of bars and caption is inverted twice; reversed text on white equals plain text.
static void reversing_goes_by_component(void **state)
{
    (void)state;
    struct label l;
    struct pl_drawn drawn;
    // The caption above bars that are at the upper edge is moved into them.
    struct pl_bitmap bits = draw_page(&l, "^XA^BY2^FO100,0^FR^B3N,N,40,Y,Y^FDHH^FS^XZ", &drawn);
    uint64_t reversed = count_ink(&bits, (struct pl_box){100, 0, 224, 40});
    forget_label(&l);
    bits = draw_page(&l, "^XA^BY2^FO100,0^B3N,N,40,Y,Y^FDHH^FS^XZ", &drawn);
    assert_true(reversed < count_ink(&bits, (struct pl_box){100, 0, 224, 40}));
    forget_label(&l);
    bits = draw_page(&l, "^XA^FO10,10^FR^A0N,40^FDgood^FS^XZ", &drawn);
    reversed = count_ink(&bits, (struct pl_box){0, 0, 300, 100});
    forget_label(&l);
    bits = draw_page(&l, "^XA^FO10,10^A0N,40^FDgood^FS^XZ", &drawn);
    assert_int_equal(reversed, count_ink(&bits, (struct pl_box){0, 0, 300, 100}));
    forget_label(&l);
}

// Facts that say what is drawn alike, and what is not.
static void labels_are_alike_where_a_printer_draws_them_alike(void **state)
{
    (void)state;
    static const struct {
        const char *fact, *one, *other;
        bool alike;
    } FACTS[] = {
        {"1.2 B: small letters are capitals", "^XA^FO10,10^AB^FDhello^FS^XZ", "^XA^FO10,10^AB^FDHELLO^FS^XZ", true},
        {"1.2 C is D", "^XA^FO10,10^AC^FDHello!^FS^XZ", "^XA^FO10,10^AD^FDHello!^FS^XZ", true},
        {"1.2 H: small letters are blank", "^XA^FO10,10^AH^FDhello^FS^XZ", "^XA^FO10,10^AH^FD     ^FS^XZ", true},
        {"1.2 ^GS: other characters are blank", "^XA^FO10,10^GSN,24,24^FDAxB^FS^XZ",
         "^XA^FO10,10^GSN,24,24^FDA B^FS^XZ", true},
        {"1.2 ^BC behind ^GS: bars", "^XA^FO10,10^GSN,24,24^BCN,20^FDA^FS^XZ", "^XA^FO10,10^BCN,20^FDA^FS^XZ", true},
        {"1.6 ^TB cuts ink at its lower edge", "^XA^FO10,10^ABN,22,14^TBN,90,22^FDH^FS^XZ",
         "^XA^FO10,10^ABN,22,14^TBN,90,12^FDH^FS^XZ", false},
        {"1.8 ^CI0: the backslash is another sign", "^XA^CI0^FO10,10^AAN,27,15^FD\\^FS^XZ",
         "^XA^CI13^FO10,10^AAN,27,15^FD\\^FS^XZ", false},
        {"1.8 captions are re-mapped, bars are not", "^XA^CI0,65,66^FO10,10^BCN,20,N^FDB^FS^XZ",
         "^XA^FO10,10^BCN,20,N^FDB^FS^XZ", true},
        {"1.11 captions do not depend on ^CF", "^XA^CF0,60^FO10,10^B3N,N,20,Y^FDA^FS^XZ",
         "^XA^FO10,10^B3N,N,20,Y^FDA^FS^XZ", true},
        {"1.11 Code 39: small letters are capitals, others are left out", "^XA^FO10,10^B3N,N,20,Y^FD%s{0}^FS^XZ",
         "^XA^FO10,10^B3N,N,20,Y^FD%S0^FS^XZ", true},
        {"1.11 Code 93: small letters are capitals, others are left out", "^XA^BY1^FO10,10^BAN,20,N^FDHello93!^FS^XZ",
         "^XA^BY1^FO10,10^BAN,20,N^FDHELLO93^FS^XZ", true},
    };
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof FACTS / sizeof FACTS[0]; i++) {
        struct label l[2];
        struct pl_drawn drawn;
        struct pl_bitmap one = draw_page(&l[0], FACTS[i].one, &drawn), other = draw_page(&l[1], FACTS[i].other, &drawn);
        bool alike = memcmp(one.words, other.words, (size_t)one.stride * one.height * sizeof one.words[0]) == 0;
        if (alike != FACTS[i].alike) {
            print_error("%s: %s\n", FACTS[i].fact, alike ? "alike" : "not alike");
            wrong++;
        }
        forget_label(&l[0]);
        forget_label(&l[1]);
    }
    assert_int_equal(wrong, 0);
}

// 1.3: each glyph of font 0 advances by whole dots, so that equal letters are equally far apart.
static void letters_of_font_0_advance_by_whole_dots(void **state)
{
    (void)state;
    for (int height = 10; height < 60; height++) {
        char zpl[64];
        struct label l;
        struct pens pens;
        snprintf(zpl, sizeof zpl, "^XA^FO10,10^A0N,%d^FDeeee^FS^XZ", height);
        write_text(&l, zpl, &pens);
        int x[4];
        assert_int_equal(sscanf(pens.text, "e%d,%*d e%d,%*d e%d,%*d e%d,%*d", &x[0], &x[1], &x[2], &x[3]), 4);
        assert_int_equal(x[2] - x[1], x[1] - x[0]);
        assert_int_equal(x[3] - x[2], x[1] - x[0]);
        forget_label(&l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(glyphs_stand_where_a_printer_puts_them),
                                       cmocka_unit_test(font_0_requests_of_1_to_9_act_as_10),
                                       cmocka_unit_test(glyphs_left_of_the_label_or_above_it_are_moved_to_its_edge),
                                       cmocka_unit_test(zeros_of_ci13_have_no_stroke),
                                       cmocka_unit_test(a_cent_sign_for_a_backslash_is_drawn_and_not_the_data),
                                       cmocka_unit_test(captions_stand_where_a_printer_puts_them),
                                       cmocka_unit_test(bars_left_of_the_label_or_above_it_are_moved_to_its_edge),
                                       cmocka_unit_test(reversing_goes_by_component),
                                       cmocka_unit_test(labels_are_alike_where_a_printer_draws_them_alike),
                                       cmocka_unit_test(letters_of_font_0_advance_by_whole_dots)};
    return cmocka_run_group_tests(tests, start, end);
}
