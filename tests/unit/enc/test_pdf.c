// Unit tests of the PDF writer: the document is checked by qpdf and read back by poppler's tools.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libdeflate.h>

#include "c_locale.h"
#include "enc/pdf.h"
#include "unit.h"

static struct pl_arena arena;
static struct pl_buf out;
static char path[] = "/tmp/platen-test-XXXXXX";

static int setup(void **state)
{
    (void)state;
    pl_arena_init(&arena, (size_t)64 << 20);
    pl_buf_init(&out, (size_t)64 << 20);
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int teardown(void **state)
{
    (void)state;
    pl_arena_fini(&arena);
    pl_buf_fini(&out);
    return unlink(path);
}

// Runs a command with the document's path in it and returns what it printed.
static char *run(const char *format)
{
    static char text[65536];
    char command[512];
    const char *hole = strstr(format, "%s");
    assert_non_null(hole);
    snprintf(command, sizeof command, "%.*s%s%s", (int)(hole - format), format, path, hole + 2);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t n = fread(text, 1, sizeof text - 1, pipe);
    text[n] = '\0';
    int status = pclose(pipe);
    if (status != 0)
        fail_msg("%s: status %d: %s", command, status, text);
    return text;
}

// A zlib stream of unfiltered PNG rows: the left half of the page is black.
static struct pl_slice half_black(uint32_t width, uint32_t height)
{
    static uint8_t rows[65536], packed[65536];
    size_t row = 1 + (width + 7) / 8;
    memset(rows, 0xFF, row * height);
    for (uint32_t y = 0; y < height; y++) {
        rows[y * row] = 0;
        memset(rows + y * row + 1, 0, width / 16);
    }
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(6);
    size_t n = libdeflate_zlib_compress(compressor, rows, row * height, packed, sizeof packed);
    libdeflate_free_compressor(compressor);
    assert_true(n > 0);
    return pl_slice_make(packed, n);
}

static void write_document(const struct pl_pdf_text *texts, uint32_t text_count, unsigned pages)
{
    struct pl_error err;
    struct pl_pdf *pdf = NULL;
    uint32_t image = 0, content = 0;
    pl_buf_clear(&out);
    assert_int_equal(pl_pdf_new(&arena, &out, "Labels \xC3\xA9", &pdf, &err), PL_OK);
    assert_int_equal(pl_pdf_add_image(pdf, half_black(160, 80), 160, 80, 1, &image, &err), PL_OK);
    assert_int_equal(pl_pdf_add_content(pdf, image, 20.32, 10.16, texts, text_count, &content, &err), PL_OK);
    for (unsigned i = 0; i < pages; i++)
        assert_int_equal(pl_pdf_add_page(pdf, content, &err), PL_OK);
    assert_int_equal(pl_pdf_finish(pdf, &err), PL_OK);
    pl_pdf_free(pdf);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(out.data, 1, out.len, file), out.len);
    assert_int_equal(fclose(file), 0);
}

static void strict_reader_finds_no_fault(void **state)
{
    (void)state;
    struct pl_pdf_text text = {pl_slice_cstr("Hello"), {10, 10, 100, 30}, PL_ROT_N};
    write_document(&text, 1, 3);
    char *output = run("qpdf --check %s 2>&1");
    assert_non_null(strstr(output, "No syntax or stream encoding errors found"));
    assert_non_null(strstr(run("pdfinfo %s"), "Pages:           3"));
    assert_non_null(strstr(run("pdfinfo %s"), "57.6 x 28.8 pts"));
    assert_non_null(strstr(run("pdfinfo %s"), "Labels \xC3\xA9"));
}

static void pages_share_picture_and_content(void **state)
{
    (void)state;
    write_document(NULL, 0, 1);
    size_t one = out.len;
    write_document(NULL, 0, 101);
    assert_true(out.len - one < 101 * 200);
}

static void picture_is_the_picture(void **state)
{
    (void)state;
    write_document(NULL, 0, 1);
    char *pgm = run("pdftoppm -r 200 -gray %s");
    int width, height, max, used;
    assert_int_equal(sscanf(pgm, "P5 %d %d %d%n", &width, &height, &max, &used), 3);
    assert_int_equal(width, 160);
    assert_int_equal(height, 80);
    const uint8_t *dots = (const uint8_t *)pgm + used + 1;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++)
            assert_int_equal(dots[y * width + x], x < 80 ? 0 : 255);
    }
}

// The text of a barcode has the barcode's box, however many characters there are.
static void many_letters_in_a_square_stay_apart(void **state)
{
    (void)state;
    const char *data = "https://example.org/aabbccddeeff/00112233445566778899";
    for (int rotation = PL_ROT_N; rotation <= PL_ROT_B; rotation++) {
        struct pl_pdf_text text = {pl_slice_cstr(data), {10, 10, 70, 70}, (enum pl_rotation)rotation};
        write_document(&text, 1, 1);
        assert_non_null(strstr(run("pdftotext -raw %s -"), data));
    }
}

static void texts_are_found_where_they_stand(void **state)
{
    (void)state;
    static const struct pl_box box = {20, 10, 140, 70};
    // All four directions; the box of the word in points: x 7.2 to 50.4, y 3.6 to 25.2 from the top.
    for (int rotation = PL_ROT_N; rotation <= PL_ROT_B; rotation++) {
        struct pl_pdf_text text = {pl_slice_cstr("W\xC3\xB6rd\xE2\x82\xAC\xF0\x9F\x98\x80"), box,
                                   (enum pl_rotation)rotation};
        write_document(&text, 1, 1);
        char *output = run("pdftotext -bbox %s -");
        assert_non_null(strstr(output, "W\xC3\xB6rd\xE2\x82\xAC\xF0\x9F\x98\x80"));
        double x0, y0, x1, y1;
        char *word = strstr(output, "<word");
        assert_non_null(word);
        locale_t before = unit_c_locale();
        assert_int_equal(sscanf(word, "<word xMin=\"%lf\" yMin=\"%lf\" xMax=\"%lf\" yMax=\"%lf\"", &x0, &y0, &x1, &y1),
                         4);
        uselocale(before);
        if (rotation == PL_ROT_N || rotation == PL_ROT_I) {
            assert_true(x0 > 6.2 && x0 < 8.2 && x1 > 49.4 && x1 < 51.4);
        } else {
            assert_true(y0 > 2.6 && y0 < 4.6 && y1 > 24.2 && y1 < 26.2);
        }
    }
}

static void lines_of_a_block_are_lines(void **state)
{
    (void)state;
    struct pl_pdf_text text = {pl_slice_cstr("first line\nsecond line"), {10, 10, 140, 60}, PL_ROT_N};
    write_document(&text, 1, 1);
    char *output = run("pdftotext -layout %s -");
    char *first = strstr(output, "first line"), *second = strstr(output, "second line");
    assert_non_null(first);
    assert_non_null(second);
    assert_true(first < second);
    assert_non_null(memchr(first, '\n', (size_t)(second - first)));
}

static void more_characters_than_one_font_holds(void **state)
{
    (void)state;
    char text[2000];
    size_t n = 0;
    for (uint32_t cp = 0x4E00; cp < 0x4E00 + 600; cp++) { // UTF-8 of three bytes
        text[n++] = (char)(0xE0 | cp >> 12);
        text[n++] = (char)(0x80 | (cp >> 6 & 0x3F));
        text[n++] = (char)(0x80 | (cp & 0x3F));
    }
    struct pl_pdf_text all = {pl_slice_make(text, n), {0, 0, 160, 80}, PL_ROT_N};
    write_document(&all, 1, 1);
    assert_non_null(strstr(run("qpdf --check %s 2>&1"), "No syntax"));
    text[n] = '\0';
    char *output = run("pdftotext -raw %s -");
    for (size_t i = 0; i < n; i += 3) {
        char one[4] = {text[i], text[i + 1], text[i + 2], 0};
        assert_non_null(strstr(output, one));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strict_reader_finds_no_fault),
        cmocka_unit_test(pages_share_picture_and_content),
        cmocka_unit_test(picture_is_the_picture),
        cmocka_unit_test(texts_are_found_where_they_stand),
        cmocka_unit_test(many_letters_in_a_square_stay_apart),
        cmocka_unit_test(lines_of_a_block_are_lines),
        cmocka_unit_test(more_characters_than_one_font_holds),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
