// Label code that ends where readable memory ends, through libplaten: every golden label at every length, and the
// labels of the reference sets whole.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine_fixture.h"
#include "guard_page.h"
#include "unit.h"

static struct guard_page guard;
static uint32_t drawn;

static void render(const void *zpl, size_t size, bool draw)
{
    const uint8_t *at = guard_page_put(&guard, zpl, size);
    assert_non_null(at);
    struct platen_document *d;
    if (platen_parse(worker, at, size, NULL, &d, NULL) != PLATEN_OK)
        return;
    const struct platen_page *page;
    for (uint32_t i = 0; draw && i < platen_label_count(d) && i < 4; i++)
        drawn += platen_draw(worker, d, i, &page, NULL) == PLATEN_OK;
    platen_document_free(d);
}

static bool read_file(const char *folder, const char *name, uint8_t **data, size_t *size)
{
    char path[1024];
    size_t length = strlen(name);
    if (length < 4 || strcmp(name + length - 4, ".zpl") != 0)
        return false;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "rb");
    if (!f)
        return false;
    *data = malloc(8u << 20);
    assert_non_null(*data);
    *size = fread(*data, 1, 8u << 20, f);
    fclose(f);
    return true;
}

static uint32_t render_folder(const char *folder, bool every_length)
{
    DIR *dir = opendir(folder);
    uint32_t count = 0;
    if (!dir)
        return 0;
    for (struct dirent *entry; (entry = readdir(dir));) {
        uint8_t *data;
        size_t size;
        if (!read_file(folder, entry->d_name, &data, &size))
            continue;
        count++;
        render(data, size, true);
        // Of long ones the beginning, which has their commands.
        for (size_t n = 0; every_length && n < size && n < 400; n++)
            render(data, n, n % 8 == 0);
        free(data);
    }
    closedir(dir);
    return count;
}

static void golden_labels_that_end_at_a_guard_page(void **state)
{
    (void)state;
    assert_true(render_folder("tests/golden/scene", true) > 200);
    assert_true(drawn > 1000);
}

static void reference_labels_that_end_at_a_guard_page(void **state)
{
    (void)state;
    static const char *const FOLDERS[] = {"zpl/corpus",           "labelary/carrier",           "labelary/unit",
                                          "labelary/barcode",     "labelary/customttf",         "labelary/graphic",
                                          "labelary-more/zplkit", "labelary-more/labelize-fork"};
    const char *shared = getenv("PLATEN_SHARED");
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof FOLDERS / sizeof *FOLDERS; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", shared ? shared : "../shared", FOLDERS[i]);
        count += render_folder(path, false);
    }
    if (count == 0)
        skip();
}

// What once read on: blanks that one part saw and another did not.
static void odd_blanks_that_end_at_a_guard_page(void **state)
{
    (void)state;
    static const char *const INPUTS[] = {"^XA^A0\x0b", "^XA^A0N,\x0c", "^XA^CF\x0b", "^XA^CW\x0b", "^XA^B3N\x0b",
                                         "^XA^A@\x0b", "^XA^FN\x0b",   "~DG\x0b",    "^XA^GF\x0b", "^XA^FL\x0b"};
    for (size_t i = 0; i < sizeof INPUTS / sizeof *INPUTS; i++)
        render(INPUTS[i], strlen(INPUTS[i]), true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_labels_that_end_at_a_guard_page),
        cmocka_unit_test(reference_labels_that_end_at_a_guard_page),
        cmocka_unit_test(odd_blanks_that_end_at_a_guard_page),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
