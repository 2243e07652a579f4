// Every label of tests/golden/pixels against the picture beside it, dot by dot. To make the pictures anew:
// PLATEN_GOLDEN_WRITE=1 build/tests/unit/test_pixel_golden, then look at what changed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <png.h>

#include "engine_fixture.h"
#include "unit.h"

#define FOLDER "tests/golden/pixels"

static void compare(const char *name, const uint8_t *png, size_t size, const struct platen_bitmap *b)
{
    char path[512];
    snprintf(path, sizeof path, FOLDER "/%s.png", name);
    if (getenv("PLATEN_GOLDEN_WRITE")) {
        FILE *f = fopen(path, "wb");
        assert_non_null(f);
        assert_int_equal(fwrite(png, 1, size, f), size);
        assert_int_equal(fclose(f), 0);
        return;
    }
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path))
        fail_msg("%s: %s", path, image.message);
    image.format = PNG_FORMAT_GRAY;
    uint8_t *dots = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(dots);
    assert_true(png_image_finish_read(&image, NULL, dots, 0, NULL));
    assert_int_equal(image.width, b->width);
    assert_int_equal(image.height, b->height);
    size_t wrong = 0;
    for (size_t y = 0; y < b->height; y++)
        for (size_t x = 0; x < b->width; x++)
            wrong += (dots[y * b->width + x] == 0) != ((b->words[y * b->words_per_row + x / 64] >> (63 - x % 64)) & 1);
    free(dots);
    if (wrong)
        fail_msg("%s: %zu dots differ", name, wrong);
}

static void check_file(const char *file)
{
    static uint8_t zpl[1 << 16];
    char path[512], name[256];
    snprintf(path, sizeof path, FOLDER "/%s", file);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t size = fread(zpl, 1, sizeof zpl, f);
    fclose(f);
    snprintf(name, sizeof name, "%.*s", (int)(strlen(file) - 4), file);
    struct platen_options options = PLATEN_OPTIONS(.width_mm = 50, .height_mm = 40, .has_time = true);
    struct platen_document *document;
    struct platen_error err;
    struct platen_buffer bytes = {0};
    const struct platen_page *page;
    if (platen_parse(worker, zpl, size, &options, &document, &err) != PLATEN_OK)
        fail_msg("%s: %s", file, err.message);
    uint32_t last = platen_label_count(document) - 1; // the last label shows what the others prepared
    if (platen_draw(worker, document, last, &page, &err) != PLATEN_OK ||
        platen_encode(worker, page, PLATEN_PNG, NULL, &bytes, &err) != PLATEN_OK)
        fail_msg("%s: %s", file, err.message);
    struct platen_bitmap b;
    platen_page_bitmap(page, &b);
    compare(name, bytes.data, bytes.size, &b);
    platen_buffer_free(&bytes);
    platen_document_free(document);
}

static void all_labels_look_as_they_did(void **state)
{
    (void)state;
    DIR *dir = opendir(FOLDER);
    assert_non_null(dir);
    int seen = 0;
    for (struct dirent *e; (e = readdir(dir));) {
        size_t length = strlen(e->d_name);
        if (length > 4 && strcmp(e->d_name + length - 4, ".zpl") == 0) {
            check_file(e->d_name);
            seen++;
        }
    }
    closedir(dir);
    assert_true(seen >= 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_labels_look_as_they_did)};
    return cmocka_run_group_tests_name("pixel_golden", tests, engine_set_up, engine_tear_down);
}
