// Text drawn and compared dot by dot with pictures that were looked at (tests/golden/text). To make them anew:
// PLATEN_GOLDEN_WRITE=1 build/tests/unit/test_font_golden, then look at what changed.
#include "sheet.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "font/draw/writer.h"

#define FOLDER "tests/golden/text/"

static const enum pl_rotation turns[4] = {PL_ROT_N, PL_ROT_R, PL_ROT_I, PL_ROT_B};

static void write_golden(const char *path, const struct pl_bitmap *bits)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, file);
    png_set_IHDR(png, info, bits->width, bits->height, 1, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, 0, 0);
    png_set_compression_level(png, 9);
    png_write_info(png, info);
    uint8_t *row = malloc(bits->width / 8 + 1);
    for (uint32_t y = 0; y < bits->height; y++) {
        memset(row, 0xFF, bits->width / 8 + 1);
        for (uint32_t x = 0; x < bits->width; x++)
            if (pl_bitmap_get(bits, x, y))
                row[x / 8] &= (uint8_t) ~(0x80 >> x % 8);
        png_write_row(png, row);
    }
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    free(row);
    fclose(file);
}

static void expect_golden(struct sheet *s, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, FOLDER "%s.png", name);
    if (getenv("PLATEN_GOLDEN_WRITE")) {
        write_golden(path, &s->canvas);
        return;
    }
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path))
        fail_msg("%s: %s", path, image.message);
    image.format = PNG_FORMAT_GRAY;
    uint8_t *dots = malloc(PNG_IMAGE_SIZE(image));
    assert_true(png_image_finish_read(&image, NULL, dots, 0, NULL));
    uint32_t wrong = 0;
    assert_int_equal(image.width, s->canvas.width);
    assert_int_equal(image.height, s->canvas.height);
    for (uint32_t y = 0; y < image.height; y++)
        for (uint32_t x = 0; x < image.width; x++)
            wrong += (dots[(size_t)y * image.width + x] < 128) != pl_bitmap_get(&s->canvas, x, y);
    free(dots);
    if (wrong > 0)
        fail_msg("%s: %u dots differ", path, wrong);
}

static void font_0_sizes_and_widths(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 760, 260);
    WRITE(&s, .x = 10, .y = 10, .height = 16, .text = "Sphinx of black quartz, judge my vow 0123456789");
    WRITE(&s, .x = 10, .y = 35, .height = 28, .text = "Sphinx of black quartz, judge my vow 0123456789");
    WRITE(&s, .x = 10, .y = 70, .height = 40, .width = 20, .text = "Sphinx of black quartz, judge my vow 0123456789");
    WRITE(&s, .x = 10, .y = 120, .height = 20, .width = 40, .text = "judge my vow 0123456789");
    WRITE(&s, .x = 10, .y = 150, .height = 100, .text = "Quartz: Vow!");
    expect_golden(&s, "font0_sizes");
    sheet_close(&s);
}

static void font_0_has_all_its_glyphs(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 800, 330);
    WRITE(&s, .x = 10, .y = 10, .height = 40, .text = " !\"#$%&'()*+,-./0123456789:;<=>?@[\\]^_`{|}~");
    WRITE(&s, .x = 10, .y = 60, .height = 40, .text = "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    WRITE(&s, .x = 10, .y = 110, .height = 40, .text = "abcdefghijklmnopqrstuvwxyz");
    WRITE(&s, .x = 10, .y = 160, .height = 40, .text = "¡¢£¤¥¦§¨©ª«¬®¯°±²³´µ¶·¸¹º»¼½¾¿×÷–—‘’‚“”„");
    WRITE(&s, .x = 10, .y = 210, .height = 40, .text = "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞß•…‰€™");
    WRITE(&s, .x = 10, .y = 270, .height = 40, .text = "àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿ");
    expect_golden(&s, "font0_glyphs");
    assert_int_equal(s.diags.count, 0);
    sheet_close(&s);
}

static void anchors_in_all_rotations(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 640, 320);
    for (int i = 0; i < 4; i++) {
        WRITE(&s, .x = 20 + 80 * i, .y = 20, .height = 30, .rotation = turns[i], .text = "Fig");
        pl_bitmap_fill(&s.canvas, (struct pl_box){20 + 80 * i, 20, 21 + 80 * i, 21}, PL_INK_XOR);
        WRITE(&s, .x = 60 + 90 * i, .y = 120, .height = 30, .rotation = turns[i], .typeset = true, .text = "Fig");
        pl_bitmap_fill(&s.canvas, (struct pl_box){60 + 90 * i, 120, 61 + 90 * i, 121}, PL_INK_XOR);
        WRITE(&s, .x = 60 + 90 * i, .y = 230, .height = 30, .rotation = turns[i], .justify = PL_JUSTIFY_RIGHT,
              .text = "Fig");
        WRITE(&s, .x = 420 + 60 * i, .y = 230, .height = 30, .rotation = turns[i], .justify = PL_JUSTIFY_RIGHT,
              .typeset = true, .text = "Fig");
    }
    expect_golden(&s, "anchors");
    sheet_close(&s);
}

static void fields_go_on_where_the_last_one_ended(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 500, 400);
    static const int32_t at[4][2] = {{10, 60}, {440, 20}, {400, 300}, {60, 380}};
    for (int i = 0; i < 4; i++) {
        WRITE(&s, .x = at[i][0], .y = at[i][1], .height = 30, .width = 21, .rotation = turns[i], .typeset = true,
              .text = "Small ");
        WRITE(&s, .goes_on = true, .height = 60, .width = 37, .rotation = turns[i], .typeset = true, .text = "Large ");
        WRITE(&s, .goes_on = true, .letter = '$', .height = 24, .rotation = turns[i], .typeset = true, .text = "C");
        WRITE(&s, .goes_on = true, .letter = 'D', .height = 18, .rotation = turns[i], .typeset = true, .text = "cell");
    }
    expect_golden(&s, "goes_on");
    sheet_close(&s);
}

static void device_fonts(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 810, 700);
    static const char letters[] = "ABCDEFGH";
    int32_t y = 10;
    for (int i = 0; letters[i]; i++) {
        struct pl_box ink = WRITE(&s, .x = 10, .y = y, .letter = letters[i], .height = i == 6 ? 60 : 0,
                                  .text = i == 6 ? "Cell G:+-j8" : "Cell font: AEIMW acfjkt 0158 (+-) *49/7");
        y = ink.y1 + 12;
        if (i != 6) {
            ink = WRITE(&s, .x = 10, .y = y, .letter = letters[i], .height = 40, .width = 17, .text = "Wide jM:f17");
            y = ink.y1 + 12;
        }
    }
    expect_golden(&s, "device");
    sheet_close(&s);
}

static void device_fonts_turn(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 420, 300);
    for (int i = 0; i < 4; i++) {
        WRITE(&s, .x = 20 + 90 * i, .y = 20, .letter = 'D', .height = 36, .rotation = turns[i], .text = "Mp5");
        WRITE(&s, .x = 50 + 90 * i, .y = 220, .letter = 'A', .height = 27, .rotation = turns[i], .typeset = true,
              .text = "Mp5");
    }
    expect_golden(&s, "device_turns");
    sheet_close(&s);
}

static void preset_fonts(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 600, 380);
    int32_t y = 10;
    for (char letter = 'P'; letter <= 'V'; letter++)
        y = WRITE(&s, .x = 10, .y = y, .letter = letter, .text = "Preset size").y1 + 10;
    expect_golden(&s, "presets");
    sheet_close(&s);
}

static void symbols(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 520, 420);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 5; k++)
            WRITE(&s, .x = 10 + 100 * k, .y = 10 + 100 * i, .letter = '$', .height = 72, .rotation = turns[i],
                  .text = (char[]){(char)('A' + k), 0});
    expect_golden(&s, "symbols");
    sheet_close(&s);
}

static const char prose[] = "The quick brown fox jumps over the lazy dog and away";

static void blocks_align_in_all_rotations(void **state)
{
    (void)state;
    static const char *const names[4] = {"block_left", "block_center", "block_right", "block_justify"};
    static const enum pl_block_align aligns[4] = {PL_ALIGN_LEFT, PL_ALIGN_CENTER, PL_ALIGN_RIGHT, PL_ALIGN_JUSTIFY};
    for (int a = 0; a < 4; a++) {
        struct sheet s;
        sheet_open(&s, 960, 480);
        for (int i = 0; i < 4; i++) {
            WRITE(&s, .x = 10 + 240 * i, .y = 10, .height = 26, .rotation = turns[i],
                  .block = fb(200, 4, 4, aligns[a], 20), .text = prose);
            static const int32_t anchor[4][2] = {{20, 440}, {320, 250}, {700, 350}, {900, 460}};
            WRITE(&s, .x = anchor[i][0], .y = anchor[i][1], .height = 22, .rotation = turns[i], .typeset = true,
                  .block = fb(200, 4, 0, aligns[a], 0), .text = "Typeset block:\nlast line at the anchor");
        }
        expect_golden(&s, names[a]);
        sheet_close(&s);
    }
}

static void block_options(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 800, 460);
    WRITE(&s, .x = 10, .y = 10, .height = 24, .block = fb(180, 9, 0, PL_ALIGN_LEFT, 0),
          .text = "Incomprehensibilities are longer than the line");
    WRITE(&s, .x = 210, .y = 10, .height = 24, .block = fb(180, 9, 0, PL_ALIGN_LEFT, 0),
          .text = "Soft hyphens: incompre\u00ADhensi\u00ADbilities may break");
    WRITE(&s, .x = 410, .y = 10, .height = 24, .block = fb(180, 9, -6, PL_ALIGN_LEFT, 0), .text = prose);
    WRITE(&s, .x = 610, .y = 10, .height = 24, .block = fb(180, 2, 0, PL_ALIGN_LEFT, 0), .text = prose);
    assert_true(s.result.clipped);
    WRITE(&s, .x = 10, .y = 200, .height = 24, .block = fb(180, 9, 0, PL_ALIGN_LEFT, 30),
          .text = "Hanging indent of all but the first\nand again after a break here");
    WRITE(&s, .x = 210, .y = 200, .height = 24, .block = fb(180, 9, 0, PL_ALIGN_CENTER, 0), .text = "One\n\nThree\n");
    WRITE(&s, .x = 410, .y = 200, .height = 24, .block = fb(10, 9, 0, PL_ALIGN_LEFT, 0), .text = "narrow");
    WRITE(&s, .x = 510, .y = 200, .letter = 'D', .height = 18, .block = fb(180, 9, 6, PL_ALIGN_CENTER, 0),
          .text = prose);
    WRITE(&s, .x = 10, .y = 380, .height = 24, .block = fb(200, 3, 0, PL_ALIGN_LEFT, 0), .direction = PL_DIR_REVERSE,
          .text = "from right to left");
    expect_golden(&s, "block_options");
    sheet_close(&s);
}

static void text_blocks_clip(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 860, 480);
    for (int i = 0; i < 4; i++) {
        WRITE(&s, .x = 10 + 210 * i, .y = 10, .height = 30, .rotation = turns[i], .block = tb(190, 100), .text = prose);
        assert_true(s.result.clipped);
        static const int32_t anchor[4][2] = {{10, 440}, {240, 230}, {640, 300}, {780, 460}};
        WRITE(&s, .x = anchor[i][0], .y = anchor[i][1], .letter = 'D', .height = 18, .rotation = turns[i],
              .typeset = true, .block = tb(190, 90), .text = prose);
    }
    expect_golden(&s, "text_block");
    sheet_close(&s);
}

static void field_directions(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 520, 330);
    for (int i = 0; i < 4; i++) {
        WRITE(&s, .x = 10 + 110 * i, .y = 10, .height = 30, .rotation = turns[i], .direction = PL_DIR_VERTICAL,
              .gap = 9, .text = "Down");
        WRITE(&s, .x = 10 + 120 * i, .y = 180, .height = 30, .rotation = turns[i], .direction = PL_DIR_REVERSE,
              .gap = 3, .text = "Rev");
    }
    WRITE(&s, .x = 10, .y = 280, .height = 30, .gap = 5, .text = "Gaps of 5");
    WRITE(&s, .x = 300, .y = 310, .height = 30, .typeset = true, .direction = PL_DIR_REVERSE, .text = "Anchored");
    expect_golden(&s, "directions");
    sheet_close(&s);
}

static void directions_of_scripts(void **state)
{
    (void)state;
    static const char *const texts[] = {"مرحبا", "ที่อยู่น้ำ", "हिन्दी क्ष", "שָׁלוֹם (א)", "東京(都)"};
    struct sheet s;
    sheet_open(&s, 560, 320);
    for (int i = 0; i < 5; i++) {
        WRITE(&s, .x = 10 + 60 * i, .y = 10, .height = 36, .direction = PL_DIR_VERTICAL, .text = texts[i]);
        WRITE(&s, .x = 320, .y = 10 + 50 * i, .height = 36, .direction = PL_DIR_REVERSE, .text = texts[i]);
    }
    WRITE(&s, .x = 440, .y = 310, .height = 36, .typeset = true, .direction = PL_DIR_REVERSE, .text = texts[0]);
    expect_golden(&s, "directions_of_scripts");
    sheet_close(&s);
}

static void reverse_print_takes_every_touched_dot(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 300, 60);
    pl_bitmap_fill(&s.canvas, (struct pl_box){0, 0, 150, 60}, PL_INK_BLACK);
    WRITE(&s, .x = 20, .y = 15, .height = 36, .any_coverage = true, .ink = PL_INK_XOR, .text = "Reverse print");
    expect_golden(&s, "reverse");
    sheet_close(&s);
}

static void smooth_output_is_drawn_four_times_as_large(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 10, 10);
    sheet_blank(&s, 150, 50, 4);
    WRITE(&s, .x = 5, .y = 5, .height = 24, .text = "Smooth");
    WRITE(&s, .x = 80, .y = 5, .height = 24, .any_coverage = true, .text = "Dots");
    WRITE(&s, .x = 5, .y = 30, .letter = 'D', .height = 18, .text = "Cells");
    expect_golden(&s, "smooth");
    sheet_close(&s);
}

static void downloaded_fonts(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 500, 260);
    struct pl_font_file outline = {PL_FONT_FILE_OUTLINE, 7, pl_slice_cstr("E:MONO.TTF"), s.fonts->blobs[PL_BLOB_MONO]};
    struct pl_font_file bitmap = {
        PL_FONT_FILE_BITMAP, 8, pl_slice_cstr("R:CUSTOM.FNT"),
        pl_slice_cstr("N,8,6,7,4,2,(c) nobody,#0041.7.5.0.7.6.20508888F88888#0042.7.5.0.7.6.F08888F08888F0")};
    WRITE(&s, .x = 10, .y = 10, .height = 40, .width = 30, .file = &outline, .text = "Outline font");
    WRITE(&s, .x = 10, .y = 60, .height = 8, .file = &bitmap, .text = "AB BA");
    WRITE(&s, .x = 10, .y = 90, .height = 24, .width = 12, .file = &bitmap, .text = "AB BA");
    for (int i = 0; i < 4; i++)
        WRITE(&s, .x = 200 + 70 * i, .y = 80, .height = 24, .width = 12, .rotation = turns[i], .file = &bitmap,
              .text = "AB");
    struct pl_font_file broken = {PL_FONT_FILE_OUTLINE, 9, pl_slice_cstr("E:BROKEN.TTF"), pl_slice_cstr("not a font")};
    assert_int_equal(s.diags.count, 0);
    WRITE(&s, .x = 10, .y = 180, .height = 40, .file = &broken, .text = "Falls back");
    assert_int_equal(s.diags.count, 1);
    assert_int_equal(s.diags.items[0].id, PL_DIAG_FONT_NOT_FOUND);
    expect_golden(&s, "downloaded");
    sheet_close(&s);
}

static void scripts(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 800, 760);
    if (s.fonts->system_fonts_missing > 0) {
        sheet_close(&s);
        skip();
    }
    static const char *const lines[] = {
        "Zażółć gęślą jaźń, Příliš žluťoučký kůň, İĞŞ őű",
        "Chúc mừng năm mới, Tiếng Việt, e\u0301 o\u0308",
        "Съешь ещё этих мягких французских булок",
        "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία",
        "שלום עולם! 123 abc (סוף)",
        "مرحبا بالعالم ١٢٣ 456 (نص) abc",
        "สวัสดีชาวโลก น้ำผึ้ง ที่นี่",
        "नमस्ते दुनिया क्षत्रिय हिन्दी",
        "这是中文標籤、日本語のラベル、한국어",
        "Missing: \U00016A40 box, → ⅓ ⅔ ☎",
    };
    for (int i = 0; i < (int)(sizeof lines / sizeof *lines); i++)
        WRITE(&s, .x = 10, .y = 10 + 55 * i, .height = 44, .width = 40, .text = lines[i]);
    WRITE(&s, .x = 10, .y = 570, .letter = 'D', .height = 18, .text = "Device: Жук Ωmega שלום 中文 مرحبا");
    WRITE(&s, .x = 10, .y = 610, .height = 34, .block = fb(300, 4, 0, PL_ALIGN_RIGHT, 0),
          .text = "مرحبا بالعالم هذا نص طويل على أسطر");
    WRITE(&s, .x = 400, .y = 610, .height = 34, .block = fb(200, 4, 0, PL_ALIGN_LEFT, 0),
          .text = "这是一个很长的中文标签需要换行");
    expect_golden(&s, "scripts");
    assert_int_equal(s.diags.count, 1);
    assert_int_equal(s.diags.items[0].id, PL_DIAG_GLYPH_MISSING);
    sheet_close(&s);
}

// Lines of scripts without spaces between words, and of both directions.
static void blocks_of_scripts(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "本日は晴天なり。「テスト」を行います（株）山田商店、データベースのキャッシュを￥1,000で。ABC123製品！",
        "收货人：张三，地址：北京市朝阳区建国路88号。他说“你好”，然后走了……保质期（见包装）：12个月。",
        "서울특별시 강남구 테헤란로 152 (역삼동), 10층",
        "ผลิตภัณฑ์อาหารแช่แข็งสำเร็จรูปพร้อมรับประทานวันศุกร์ ต่ำกว่า -18 องศา",
        "निर्माताकापतामुंबईमहाराष्ट्रक्षत्रियज्ञान",
        "ສິນຄ້ານີ້ຜະລິດເພື່ອຈຳໜ່າຍ မြန်မာနိုင်ငံတွင်ထုတ်",
        "مرحبا (hello) بكم [12] في العالم: السعر 50%",
        "המחיר הוא (50 ש\"ח) ל-3 יח'\nPrice (USD): 12.50.\na(אב)ג \u202Eabc\u202C \u2067x!\u2069",
    };
    struct sheet s;
    sheet_open(&s, 840, 600);
    if (s.fonts->system_fonts_missing > 0) {
        sheet_close(&s);
        skip();
    }
    for (int i = 0; i < 8; i++) {
        struct pl_block block = i == 1 ? tb(190, 280) : fb(190, 9, 2, i < 6 ? PL_ALIGN_LEFT : PL_ALIGN_RIGHT, 0);
        WRITE(&s, .x = 10 + 210 * (i % 4), .y = 10 + 300 * (i / 4), .height = 28, .block = block, .text = texts[i]);
        assert_false(s.result.clipped);
    }
    expect_golden(&s, "block_scripts");
    sheet_close(&s);
}

static void scripts_turn(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 480, 260);
    if (s.fonts->system_fonts_missing > 0) {
        sheet_close(&s);
        skip();
    }
    for (int i = 0; i < 4; i++)
        WRITE(&s, .x = 10 + 120 * i, .y = 10, .height = 36, .rotation = turns[i], .text = "ที่ مرحبا 中");
    expect_golden(&s, "scripts_turn");
    sheet_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(font_0_sizes_and_widths),
        cmocka_unit_test(font_0_has_all_its_glyphs),
        cmocka_unit_test(anchors_in_all_rotations),
        cmocka_unit_test(fields_go_on_where_the_last_one_ended),
        cmocka_unit_test(device_fonts),
        cmocka_unit_test(device_fonts_turn),
        cmocka_unit_test(preset_fonts),
        cmocka_unit_test(symbols),
        cmocka_unit_test(blocks_align_in_all_rotations),
        cmocka_unit_test(block_options),
        cmocka_unit_test(text_blocks_clip),
        cmocka_unit_test(field_directions),
        cmocka_unit_test(directions_of_scripts),
        cmocka_unit_test(reverse_print_takes_every_touched_dot),
        cmocka_unit_test(smooth_output_is_drawn_four_times_as_large),
        cmocka_unit_test(downloaded_fonts),
        cmocka_unit_test(scripts),
        cmocka_unit_test(blocks_of_scripts),
        cmocka_unit_test(scripts_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
