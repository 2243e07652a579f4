// Pictures to label code: those that break off, and those as large as the limits allow.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include "platen/platen.h"

#define DOTS_MOST ((size_t)1 << 20)

struct file {
    uint8_t *data;
    size_t size;
};

enum jpeg_kind { BASELINE, RESTARTS, PROGRESSIVE, BY_COMPONENT };

static struct file jpeg_of(enum jpeg_kind kind, uint32_t side)
{
    static const jpeg_scan_info SCANS[] = {{1, {0}, 0, 63, 0, 0}, {1, {1}, 0, 63, 0, 0}, {1, {2}, 0, 63, 0, 0}};
    struct jpeg_compress_struct info;
    struct jpeg_error_mgr errors;
    unsigned char *data = NULL;
    unsigned long size = 0;
    info.err = jpeg_std_error(&errors);
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, &data, &size);
    info.image_width = info.image_height = side;
    info.input_components = 3;
    info.in_color_space = JCS_RGB;
    jpeg_set_defaults(&info);
    if (kind == RESTARTS)
        info.restart_in_rows = 1;
    if (kind == PROGRESSIVE)
        jpeg_simple_progression(&info);
    if (kind == BY_COMPONENT) {
        info.scan_info = SCANS;
        info.num_scans = 3;
    }
    jpeg_start_compress(&info, TRUE);
    uint8_t *row = malloc((size_t)side * 3);
    for (uint32_t y = 0; y < side; y++) {
        for (uint32_t x = 0; x < side * 3; x++)
            row[x] = (uint8_t)((x * 7 + y * 13) % 251);
        JSAMPROW rows[1] = {row};
        jpeg_write_scanlines(&info, rows, 1);
    }
    free(row);
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    return (struct file){data, size};
}

static enum platen_status convert_by(const struct platen_engine_options *options, const void *file, size_t size,
                                     struct platen_error *err)
{
    struct platen_engine *engine;
    struct platen_graphic *graphic;
    assert_int_equal(platen_engine_new(options, &engine, NULL), PLATEN_OK);
    enum platen_status status = platen_graphic_new(engine, file, size, NULL, &graphic, err);
    if (status == PLATEN_OK)
        platen_graphic_free(graphic);
    platen_engine_free(engine);
    return status;
}

static enum platen_status convert(const void *file, size_t size, struct platen_error *err)
{
    const struct platen_engine_options options = PLATEN_ENGINE_OPTIONS(.decoded_graphics = DOTS_MOST);
    return convert_by(&options, file, size, err);
}

// A baseline file that was cut in its last rows was taken, a progressive one without its end mark was not.
static void a_jpeg_may_lack_its_end_mark_and_nothing_else(void **state)
{
    (void)state;
    for (enum jpeg_kind kind = BASELINE; kind <= BY_COMPONENT; kind++) {
        struct file f = jpeg_of(kind, 60);
        struct platen_error err = {0};
        assert_int_equal(convert(f.data, f.size, &err), PLATEN_OK);
        assert_int_equal(convert(f.data, f.size - 1, &err), PLATEN_OK);
        assert_int_equal(convert(f.data, f.size - 2, &err), PLATEN_OK);
        for (size_t cut = 3; cut < f.size; cut += cut < 200 ? 1 : 37) {
            err.message[0] = '\0';
            if (convert(f.data, f.size - cut, &err) != PLATEN_E_INVALID)
                fail_msg("kind %d without its last %zu of %zu bytes: '%s'", kind, cut, f.size, err.message);
        }
        free(f.data);
    }
}

// It was told to be damaged.
static void a_progressive_jpeg_that_takes_too_much_memory_is_over_a_limit(void **state)
{
    (void)state;
    const struct platen_engine_options small =
        PLATEN_ENGINE_OPTIONS(.decoded_graphics = (size_t)64 << 20, .arena_bytes = (size_t)6 << 20);
    struct platen_error err = {0};
    struct file baseline = jpeg_of(BASELINE, 1500), progressive = jpeg_of(PROGRESSIVE, 1500);
    assert_int_equal(convert_by(&small, baseline.data, baseline.size, &err), PLATEN_OK);
    assert_int_equal(convert_by(&small, progressive.data, progressive.size, &err), PLATEN_E_LIMIT);
    assert_string_equal(err.message, "decoding a picture of 1500 x 1500 dots takes more memory than there is for it");
    free(baseline.data);
    free(progressive.data);
}

static void put_be32(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (24 - i * 8));
}

static void put_chunk(struct file *f, const char *type, const uint8_t *body, size_t size)
{
    put_be32(f->data + f->size, (uint32_t)size);
    memcpy(f->data + f->size + 4, type, 4);
    if (size)
        memcpy(f->data + f->size + 8, body, size);
    f->size += 12 + size; // its checksum is not looked at
}

// Four bytes a dot, not compressed.
static struct file png_of(uint32_t width, uint32_t height)
{
    size_t row = 1 + (size_t)width * 4, plain = row * height, blocks = plain / 65535 + 1, at = 2;
    uint8_t *stream = calloc(1, plain + blocks * 5 + 6);
    struct file f = {calloc(1, plain + blocks * 5 + 200), 8};
    memcpy(f.data, "\x89PNG\r\n\x1A\n", 8);
    uint8_t header[13] = {0};
    put_be32(header, width);
    put_be32(header + 4, height);
    header[8] = 8;
    header[9] = 6;
    put_chunk(&f, "IHDR", header, 13);
    memcpy(stream, "\x78\x01", 2);
    for (size_t done = 0; done < plain;) {
        size_t n = plain - done < 65535 ? plain - done : 65535;
        stream[at] = done + n == plain;
        stream[at + 1] = (uint8_t)n;
        stream[at + 2] = (uint8_t)(n >> 8);
        stream[at + 3] = (uint8_t)~n;
        stream[at + 4] = (uint8_t)(~n >> 8);
        at += 5 + n;
        done += n;
    }
    put_be32(stream + at, (uint32_t)(plain % 65521) << 16 | 1); // the checksum of so many zeros
    put_chunk(&f, "IDAT", stream, at + 4);
    put_chunk(&f, "IEND", NULL, 0);
    free(stream);
    return f;
}

static struct file webp_of(double width, double height)
{
    static const char ZPL[] = "^XA^FO8,8^GB30,20,3^FS^XZ";
    struct platen_engine *engine;
    struct platen_worker *worker;
    struct platen_document *document;
    const struct platen_page *page;
    struct platen_buffer out = {0};
    const struct platen_options options = PLATEN_OPTIONS(.width_mm = width, .height_mm = height, .dpmm = 1);
    assert_int_equal(platen_engine_new(NULL, &engine, NULL), PLATEN_OK);
    assert_int_equal(platen_worker_new(engine, &worker, NULL), PLATEN_OK);
    assert_int_equal(platen_parse(worker, ZPL, sizeof ZPL - 1, &options, &document, NULL), PLATEN_OK);
    assert_int_equal(platen_draw(worker, document, 0, &page, NULL), PLATEN_OK);
    assert_int_equal(platen_encode(worker, page, PLATEN_WEBP, NULL, &out, NULL), PLATEN_OK);
    struct file f = {malloc(out.size), out.size};
    memcpy(f.data, out.data, out.size);
    platen_document_free(document);
    platen_buffer_free(&out);
    platen_worker_free(worker);
    platen_engine_free(engine);
    return f;
}

// The limit is a number of dots; those with four bytes a dot met it at a fifth.
static void pictures_of_all_dots_that_the_limit_allows_are_read(void **state)
{
    (void)state;
    struct platen_error err = {0};
    struct file files[] = {png_of(1024, 1024), webp_of(1024, 1024), png_of(1024, 1025), webp_of(1024, 1025)};
    for (size_t i = 0; i < 4; i++) {
        enum platen_status status = convert(files[i].data, files[i].size, &err);
        if (status != (i < 2 ? PLATEN_OK : PLATEN_E_LIMIT))
            fail_msg("%zu: %d %s", i, status, err.message);
        free(files[i].data);
    }
    assert_string_equal(err.message, "a picture of 1024 x 1025 dots is over the limit of 1048576 dots");
    // What decoding takes on the way is held by the memory of all of it.
    struct file files_of_4[] = {png_of(1000, 1000), webp_of(1000, 1000)};
    for (size_t i = 0; i < 2; i++) {
        const struct platen_engine_options small =
            PLATEN_ENGINE_OPTIONS(.decoded_graphics = DOTS_MOST, .arena_bytes = (size_t)(i == 0 ? 6 : 3) << 20);
        assert_int_equal(convert_by(&small, files_of_4[i].data, files_of_4[i].size, &err), PLATEN_E_LIMIT);
        assert_non_null(strstr(err.message, i == 0 ? "4001000 bytes" : "8000000 bytes"));
        free(files_of_4[i].data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_jpeg_may_lack_its_end_mark_and_nothing_else),
        cmocka_unit_test(a_progressive_jpeg_that_takes_too_much_memory_is_over_a_limit),
        cmocka_unit_test(pictures_of_all_dots_that_the_limit_allows_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
