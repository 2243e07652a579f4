// Pictures to label code and back: dot for dot, in every coding; damaged files; fonts.
#include "unit.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platen/platen.h"

static struct platen_engine *engine;
static struct platen_worker *worker;

static int set_up(void **state)
{
    (void)state;
    const struct platen_engine_options options = PLATEN_ENGINE_OPTIONS(.decoded_graphics = 4 << 20);
    return platen_engine_new(&options, &engine, NULL) != PLATEN_OK ||
           platen_worker_new(engine, &worker, NULL) != PLATEN_OK;
}

static int tear_down(void **state)
{
    (void)state;
    platen_worker_free(worker);
    platen_engine_free(engine);
    return 0;
}

static uint32_t random_state = 12345;
static uint32_t random_number(uint32_t below)
{
    random_state = random_state * 1664525 + 1013904223;
    return (random_state >> 8) % below;
}

struct file {
    uint8_t *data;
    size_t size;
};

// Shades of runs and noise, as a PGM.
static struct file random_picture(uint32_t *width, uint32_t *height)
{
    *width = 1 + random_number(random_number(4) ? 70 : 900);
    *height = 1 + random_number(40);
    struct file f = {malloc((size_t)*width * *height + 64), 0};
    f.size = (size_t)sprintf((char *)f.data, "P5 %u %u 255\n", *width, *height);
    uint32_t kind = random_number(4);
    for (uint32_t i = 0; i < *width * *height; i++) {
        uint8_t last = f.data[f.size - 1], flip = (uint8_t)(random_number(2) * 255);
        uint8_t shade = kind == 0 ? (uint8_t)random_number(256) : kind == 1 ? 255 : flip;
        f.data[f.size++] = kind == 2 && random_number(30) ? last : shade;
    }
    return f;
}

static const struct platen_page *draw(const char *code, size_t size, uint32_t width, uint32_t height,
                                      struct platen_document **document)
{
    const struct platen_options options = PLATEN_OPTIONS(.width_mm = width, .height_mm = height, .dpmm = 1);
    const struct platen_page *page = NULL;
    assert_int_equal(platen_parse(worker, code, size, &options, document, NULL), PLATEN_OK);
    if (platen_label_count(*document) > 0)
        assert_int_equal(platen_draw(worker, *document, 0, &page, NULL), PLATEN_OK);
    return page;
}

static bool dot(const struct platen_page *page, uint32_t x, uint32_t y)
{
    struct platen_bitmap b;
    if (!page)
        return false;
    platen_page_bitmap(page, &b);
    return b.words[(size_t)y * b.words_per_row + x / 64] >> (63 - x % 64) & 1;
}

static void random_pictures_come_back_dot_for_dot(void **state)
{
    (void)state;
    for (int n = 0; n < 500; n++) {
        uint32_t width, height;
        struct file f = random_picture(&width, &height);
        const uint8_t *shades = f.data + f.size - (size_t)width * height;
        for (int coding = PLATEN_GRAPHIC_ACS; coding <= PLATEN_GRAPHIC_SMALLEST; coding++) {
            struct platen_graphic_options options = PLATEN_GRAPHIC_OPTIONS(.stored = n % 2);
            options.coding = (enum platen_graphic_coding)coding;
            struct platen_graphic *graphic;
            struct platen_document *document;
            size_t size;
            assert_int_equal(platen_graphic_new(engine, f.data, f.size, &options, &graphic, NULL), PLATEN_OK);
            const char *data = platen_graphic_data(graphic, &size);
            assert_int_equal(strlen(data), size);
            const char *code = platen_graphic_code(graphic, &size);
            assert_int_equal(strlen(code), size);
            const struct platen_page *page = draw(code, size, width, height, &document);
            for (uint32_t i = 0; i < width * height; i++) {
                bool ink = shades[i] < 128;
                if (dot(page, i % width, i / width) != ink || platen_graphic_ink(graphic, i % width, i / width) != ink)
                    fail_msg("picture %d, coding %d: dot %u,%u differs", n, coding, i % width, i / width);
            }
            platen_document_free(document);
            platen_graphic_free(graphic);
        }
        free(f.data);
    }
}

static struct file read_all(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    struct file f = {malloc(4 << 20), 0};
    f.size = fread(f.data, 1, 4 << 20, file);
    fclose(file);
    return f;
}

// Pictures of the documentation against what `platen diff` reads of them.
static void real_pictures_come_back_dot_for_dot(void **state)
{
    (void)state;
    DIR *dir = opendir("docs/barcodes");
    size_t count = 0;
    struct dirent *entry;
    assert_non_null(dir);
    while ((entry = readdir(dir))) {
        if (!strstr(entry->d_name, ".png"))
            continue;
        char path[512];
        snprintf(path, sizeof path, "docs/barcodes/%s", entry->d_name);
        struct file f = read_all(path);
        for (int coding = PLATEN_GRAPHIC_ACS; coding <= PLATEN_GRAPHIC_SMALLEST; coding++) {
            struct platen_graphic_options options = PLATEN_GRAPHIC_OPTIONS();
            options.coding = (enum platen_graphic_coding)coding;
            struct platen_graphic *graphic;
            struct platen_graphic_info info;
            struct platen_document *document;
            struct platen_snapshot *from, *to;
            struct platen_comparison *same;
            size_t size;
            assert_int_equal(platen_graphic_new(engine, f.data, f.size, &options, &graphic, NULL), PLATEN_OK);
            platen_graphic_info(graphic, &info);
            const char *code = platen_graphic_code(graphic, &size);
            const struct platen_page *page = draw(code, size, info.width, info.height, &document);
            assert_int_equal(platen_snapshot_of_picture(engine, f.data, f.size, &from, NULL), PLATEN_OK);
            assert_int_equal(platen_snapshot_new(page, &to, NULL), PLATEN_OK);
            assert_int_equal(platen_compare(from, to, NULL, &same, NULL), PLATEN_OK);
            assert_true(platen_comparison_is_same(same));
            platen_comparison_free(same);
            platen_snapshot_free(from);
            platen_snapshot_free(to);
            platen_document_free(document);
            platen_graphic_free(graphic);
        }
        free(f.data);
        count++;
    }
    closedir(dir);
    assert_true(count >= 20);
}

static char *code_of(const void *file, size_t size, struct platen_graphic_options options)
{
    struct platen_graphic *graphic;
    struct platen_error err;
    size_t n;
    if (platen_graphic_new(engine, file, size, &options, &graphic, &err) != PLATEN_OK)
        fail_msg("%s", err.message);
    const char *code = platen_graphic_code(graphic, &n);
    char *copy = strndup(code, n);
    platen_graphic_free(graphic);
    return copy;
}

#define assert_code(file, expected, ...)                                                                               \
    do {                                                                                                               \
        char *got_ =                                                                                                   \
            code_of(file, sizeof(file) - 1, (struct platen_graphic_options)PLATEN_GRAPHIC_OPTIONS(__VA_ARGS__));       \
        assert_string_equal(got_, expected);                                                                           \
        free(got_);                                                                                                    \
    } while (0)

#define CORNER "P1 3 2 100 000" // one dot of ink, top left

static void options_do_what_they_say(void **state)
{
    (void)state;
    assert_code(CORNER, "^XA^FO0,0^GFA,2,2,1,8,,^FS^XZ", .x = 0);
    assert_code(CORNER, "^XA^FO5,6^GFA,2,2,1,8000^FS^XZ", .coding = PLATEN_GRAPHIC_HEX, .x = 5, .y = 6);
    assert_code(CORNER, "^FO0,0^GFA,3,3,1,400000^FS", .coding = PLATEN_GRAPHIC_HEX, .rotation = 90, .bare = true);
    assert_code(CORNER, "^FO0,0^GFA,2,2,1,0020^FS", .coding = PLATEN_GRAPHIC_HEX, .rotation = 180, .bare = true);
    assert_code(CORNER, "^FO0,0^GFA,2,2,1,60E0^FS", .coding = PLATEN_GRAPHIC_HEX, .invert = true, .bare = true);
    assert_code(CORNER, "^FO0,0^GFA,1,1,1,80^FS", .coding = PLATEN_GRAPHIC_HEX, .trim = true, .bare = true);
    assert_code(CORNER, "~DGE:L.GRF,2,1,8000\n^FO0,0^XGE:L.GRF,1,1^FS", .coding = PLATEN_GRAPHIC_HEX, .stored = true,
                .name = "E:L.GRF", .bare = true);
    // 1 mm at 8 dpmm has room for 3 dots twice, not for 8 / 3 of them.
    assert_code(CORNER, "^FO0,0^GFA,4,4,1,C0C00000^FS", .coding = PLATEN_GRAPHIC_HEX, .width_mm = 1, .bare = true);
    assert_code("P2 2 1 100 60 40", "^FO0,0^GFA,1,1,1,C0^FS", .coding = PLATEN_GRAPHIC_HEX, .threshold = 70,
                .bare = true);
}

static void dithering_keeps_the_light(void **state)
{
    (void)state;
    enum { SIDE = 64, SHADE = 128 };
    char file[SIDE * SIDE + 20];
    int head = sprintf(file, "P5 %d %d 255\n", SIDE, SIDE);
    memset(file + head, SHADE, SIDE * SIDE);
    // A shade of 128 reflects 21.6 percent of the light.
    for (int dither = PLATEN_DITHER_AUTO; dither <= PLATEN_DITHER_ORDERED; dither++) {
        struct platen_graphic_options options = PLATEN_GRAPHIC_OPTIONS();
        options.dither = (enum platen_dither)dither;
        struct platen_graphic *graphic;
        uint32_t ink = 0;
        assert_int_equal(platen_graphic_new(engine, file, (size_t)head + SIDE * SIDE, &options, &graphic, NULL),
                         PLATEN_OK);
        for (uint32_t i = 0; i < SIDE * SIDE; i++)
            ink += platen_graphic_ink(graphic, i % SIDE, i / SIDE);
        double paper = 1 - (double)ink / (SIDE * SIDE);
        assert_true(dither == PLATEN_DITHER_ATKINSON ? paper > 0.10 && paper < 0.25 : paper > 0.19 && paper < 0.24);
        platen_graphic_free(graphic);
    }
}

// GIF of 4 x 2 dots, transparent where its colour is 2: codes without compression.
static void a_gif_is_read_over_white_paper(void **state)
{
    (void)state;
    static const char GIF[] = "GIF89a\x04\0\x02\0\x91\0\0\0\0\0\xFF\xFF\xFF\0\0\0\x50\x50\x50"
                              "!\xF9\x04\x01\0\0\x02\0,\0\0\0\0\x04\0\x02\0\0\x02\x05\x84\x2E\x90\x31\x05\0;";
    struct platen_graphic *graphic;
    struct platen_graphic_info info;
    struct platen_error err = {0};
    if (platen_graphic_new(engine, GIF, sizeof GIF - 1, NULL, &graphic, &err) != PLATEN_OK)
        fail_msg("%s", err.message);
    platen_graphic_info(graphic, &info);
    assert_int_equal(info.width, 4);
    assert_int_equal(info.height, 2);
    assert_true(platen_graphic_ink(graphic, 0, 0));
    assert_false(platen_graphic_ink(graphic, 1, 0) && platen_graphic_ink(graphic, 2, 0));
    platen_graphic_free(graphic);
}

static void what_cannot_be_read_is_told_and_what_is_too_large_is_not_decoded(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        size_t size;
        enum platen_status status;
    } BAD[] = {
        {"", 0, PLATEN_E_INVALID},
        {"hello", 5, PLATEN_E_INVALID},
        {"P5 10 10 255\nabc", 16, PLATEN_E_INVALID},
        {"P1 0 5 ", 7, PLATEN_E_INVALID},
        {"\xFF\xD8\xFF\xE0 no JPEG", 13, PLATEN_E_INVALID},
        {"GIF89a", 6, PLATEN_E_INVALID},
        {"RIFF\x10\0\0\0WEBPVP8 ", 16, PLATEN_E_INVALID},
        {"\x89PNG\r\n\x1A\n", 8, PLATEN_E_INVALID},
        {"P4 65000 65000 ", 15, PLATEN_E_LIMIT},
    };
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        struct platen_graphic *graphic;
        struct platen_error err = {0};
        assert_int_equal(platen_graphic_new(engine, BAD[i].file, BAD[i].size, NULL, &graphic, &err), BAD[i].status);
        assert_null(graphic);
        assert_true(strlen(err.message) > 10);
    }
}

// ---- what was found in pictures that nobody expects

static enum platen_status convert(const void *file, size_t size, struct platen_graphic_info *info,
                                  struct platen_error *err)
{
    struct platen_graphic *graphic;
    enum platen_status status = platen_graphic_new(engine, file, size, NULL, &graphic, err);
    if (status == PLATEN_OK) {
        platen_graphic_info(graphic, info);
        platen_graphic_free(graphic);
    }
    return status;
}

// 65535 x 65535 dots on a screen of one: they were all decoded, for more than a minute.
static void a_gif_larger_than_its_screen_is_not_decoded(void **state)
{
    (void)state;
    static const char GIF[] =
        "GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xFF\xFF\xFF,\0\0\0\0\xFF\xFF\xFF\xFF\0\x02\x02\x44\x01\0;";
    struct platen_graphic_info info;
    struct platen_error err = {0};
    assert_int_equal(convert(GIF, sizeof GIF - 1, &info, &err), PLATEN_E_LIMIT);
}

static struct file picture_of(const char *zpl, enum platen_format format)
{
    const struct platen_options options = PLATEN_OPTIONS(.width_mm = 12, .height_mm = 8);
    const struct platen_page *page;
    struct platen_document *document;
    struct platen_buffer out = {0};
    assert_int_equal(platen_parse(worker, zpl, strlen(zpl), &options, &document, NULL), PLATEN_OK);
    assert_int_equal(platen_draw(worker, document, 0, &page, NULL), PLATEN_OK);
    assert_int_equal(platen_encode(worker, page, format, NULL, &out, NULL), PLATEN_OK);
    platen_document_free(document);
    struct file f = {malloc(out.size), out.size};
    memcpy(f.data, out.data, out.size);
    platen_buffer_free(&out);
    return f;
}

#define LABEL "^XA^FO8,8^GB30,20,3^FS^FO40,16^A0N,40^FDqB^FS^XZ"

// They became labels that are grey or white from there on.
static void pictures_that_break_off_are_refused(void **state)
{
    (void)state;
    static const enum platen_format FORMATS[] = {PLATEN_JPEG, PLATEN_PNG, PLATEN_WEBP};
    struct platen_graphic_info info;
    struct platen_error err = {0};
    for (size_t i = 0; i < sizeof FORMATS / sizeof FORMATS[0]; i++) {
        struct file f = picture_of(LABEL, FORMATS[i]);
        assert_int_equal(convert(f.data, f.size, &info, &err), PLATEN_OK);
        assert_int_equal(convert(f.data, f.size * 2 / 3, &info, &err), PLATEN_E_INVALID);
        free(f.data);
    }
    static const char GIF[] = "GIF89a\x04\0\x02\0\x91\0\0\0\0\0\xFF\xFF\xFF\0\0\0\x50\x50\x50"
                              "!\xF9\x04\x01\0\0\x02\0,\0\0\0\0\x04\0\x02\0\0\x02\x05\x84\x2E\x90\x31\x05\0;";
    assert_int_equal(convert(GIF, sizeof GIF - 1, &info, &err), PLATEN_OK);
    assert_int_equal(convert(GIF, sizeof GIF - 7, &info, &err), PLATEN_E_INVALID);
    assert_non_null(strstr(err.message, "it breaks off"));
    char pcx[200] = {10, 5, 1, 8, 0, 0, 0, 0, 3, 0, 3, 0};
    pcx[65] = 1;
    pcx[66] = 4;
    assert_int_equal(convert(pcx, 128 + 16, &info, &err), PLATEN_OK);
    assert_int_equal(convert(pcx, 128 + 15, &info, &err), PLATEN_E_INVALID);
}

// A file with a segment behind its first two bytes that says how it must be turned.
static struct file turned_jpeg(struct file f, uint8_t orientation)
{
    const uint8_t exif[] = {0xFF, 0xE1, 0,    34,   'E', 'x', 'i', 'f', 0, 0, 'M', 'M',         0, '*', 0, 0, 0, 8,
                            0,    1,    0x01, 0x12, 0,   3,   0,   0,   0, 1, 0,   orientation, 0, 0,   0, 0, 0, 0};
    struct file out = {malloc(f.size + sizeof exif), f.size + sizeof exif};
    memcpy(out.data, f.data, 2);
    memcpy(out.data + 2, exif, sizeof exif);
    memcpy(out.data + 2 + sizeof exif, f.data + 2, f.size - 2);
    return out;
}

static void cameras_say_how_a_picture_stands_upright(void **state)
{
    (void)state;
    struct file plain = picture_of(LABEL, PLATEN_JPEG);
    struct platen_graphic *from, *to;
    struct platen_graphic_info a, b;
    assert_int_equal(platen_graphic_new(engine, plain.data, plain.size, NULL, &from, NULL), PLATEN_OK);
    platen_graphic_info(from, &a);
    for (uint8_t way = 0; way <= 9; way++) {
        struct file f = turned_jpeg(plain, way);
        assert_int_equal(platen_graphic_new(engine, f.data, f.size, NULL, &to, NULL), PLATEN_OK);
        platen_graphic_info(to, &b);
        assert_int_equal(b.width, way >= 5 && way <= 8 ? a.height : a.width);
        for (uint32_t y = 0; y < a.height; y++) {
            for (uint32_t x = 0; x < a.width; x++) {
                // Where the dot x, y of the file belongs.
                uint32_t right = a.width - 1 - x, down = a.height - 1 - y;
                const uint32_t places[10][2] = {{x, y}, {x, y},    {right, y},    {right, down}, {x, down},
                                                {y, x}, {down, x}, {down, right}, {y, right},    {x, y}};
                assert_int_equal(platen_graphic_ink(to, places[way][0], places[way][1]),
                                 platen_graphic_ink(from, x, y));
            }
        }
        platen_graphic_free(to);
        free(f.data);
    }
    platen_graphic_free(from);
    free(plain.data);
}

static void colours_and_comments_of_plain_pictures(void **state)
{
    (void)state;
    assert_code("P3 2 1 255 255 0 0 0 255 255", "^FO0,0^GFA,1,1,1,80^FS", .coding = PLATEN_GRAPHIC_HEX, .bare = true);
    assert_code("P6 2 1 255\nAAA\377\377\377", "^FO0,0^GFA,1,1,1,80^FS", .coding = PLATEN_GRAPHIC_HEX, .bare = true);
    assert_code("P1 3 1\n1 # 111\n00", "^FO0,0^GFA,1,1,1,80^FS", .coding = PLATEN_GRAPHIC_HEX, .bare = true);
}

// Shades of PCX were black or white before a threshold or dithering saw them.
static void pcx_has_shades(void **state)
{
    (void)state;
    char pcx[130] = {10, 5, 1, 8, 0, 0, 0, 0, 1, 0, 0, 0};
    pcx[65] = 1;
    pcx[66] = 2;
    pcx[128] = 100;
    pcx[129] = (char)150;
    char *got = code_of(pcx, sizeof pcx,
                        (struct platen_graphic_options)PLATEN_GRAPHIC_OPTIONS(.coding = PLATEN_GRAPHIC_HEX,
                                                                              .threshold = 70, .bare = true));
    assert_string_equal(got, "^FO0,0^GFA,1,1,1,C0^FS");
    free(got);
}

static void a_font_and_a_part_of_it(void **state)
{
    (void)state;
    struct file f = read_all("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf");
    struct platen_buffer all = {0}, some = {0};
    const struct platen_font_options part =
        PLATEN_FONT_OPTIONS(.path = "E:D.TTF", .chars = "Hé", .unicodes = "0030-0039", .letter = 'I');
    assert_int_equal(platen_font_code(engine, f.data, f.size, NULL, &all, NULL), PLATEN_OK);
    assert_int_equal(platen_font_code(engine, f.data, f.size, &part, &some, NULL), PLATEN_OK);
    assert_true(all.size > f.size * 2 && some.size < 40000);
    assert_memory_equal(some.data, "^XA~DUE:D.TTF,", 14);
    assert_memory_equal(some.data + some.size - 15, "^CWI,E:D.TTF^XZ", 15);
    const struct platen_font_options file = PLATEN_FONT_OPTIONS(.path = "E:D.TTF", .chars = "H", .as_file = true);
    assert_int_equal(platen_font_code(engine, f.data, f.size, &file, &some, NULL), PLATEN_OK);
    assert_memory_equal(some.data, "^XA~DYE:D,A,T,", 14);
    const struct platen_font_options bad[] = {
        PLATEN_FONT_OPTIONS(.path = "Q:D.TTF"),    PLATEN_FONT_OPTIONS(.path = "E:D.DAT", .as_file = true),
        PLATEN_FONT_OPTIONS(.path = "E:D^FS.TTF"), PLATEN_FONT_OPTIONS(.unicodes = "30-"),
        PLATEN_FONT_OPTIONS(.chars = "\xFF"),      PLATEN_FONT_OPTIONS(.letter = '^')};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(platen_font_code(engine, f.data, f.size, &bad[i], &some, NULL), PLATEN_E_INVALID);
    assert_int_equal(platen_font_code(engine, "no font at all", 14, NULL, &some, NULL), PLATEN_E_INVALID);
    platen_buffer_free(&all);
    platen_buffer_free(&some);
    free(f.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_pictures_come_back_dot_for_dot),
        cmocka_unit_test(real_pictures_come_back_dot_for_dot),
        cmocka_unit_test(options_do_what_they_say),
        cmocka_unit_test(dithering_keeps_the_light),
        cmocka_unit_test(a_gif_is_read_over_white_paper),
        cmocka_unit_test(what_cannot_be_read_is_told_and_what_is_too_large_is_not_decoded),
        cmocka_unit_test(a_gif_larger_than_its_screen_is_not_decoded),
        cmocka_unit_test(pictures_that_break_off_are_refused),
        cmocka_unit_test(cameras_say_how_a_picture_stands_upright),
        cmocka_unit_test(colours_and_comments_of_plain_pictures),
        cmocka_unit_test(pcx_has_shades),
        cmocka_unit_test(a_font_and_a_part_of_it),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
