// Label code to label code: what rotated and rescaled labels keep, and what is reported when they do not.
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "engine_fixture.h"
#include "platen/platen.h"

#define WIDTH_MM 100
#define HEIGHT_MM 60
#define DPMM 8

struct rewriting {
    char *code, codes[400]; // of the notes, with blanks behind them
};

static struct rewriting rewritten(const char *zpl, struct platen_rewrite_options options)
{
    struct platen_rewritten *r;
    struct platen_error err;
    struct platen_diagnostic note;
    struct rewriting out = {0};
    options.width_mm = WIDTH_MM;
    options.height_mm = HEIGHT_MM;
    if (platen_rewrite(worker, zpl, strlen(zpl), &options, &r, &err) != PLATEN_OK)
        fail_msg("%s", err.message);
    size_t size;
    const char *code = platen_rewritten_code(r, &size);
    out.code = malloc(size + 1);
    memcpy(out.code, code, size);
    out.code[size] = '\0';
    for (uint32_t i = 0; platen_rewritten_note_at(r, i, &note) && strlen(out.codes) < 300; i++)
        strcat(strcat(out.codes, note.code), " ");
    platen_rewritten_free(r);
    return out;
}

// Dots of all labels, a byte each; the first one is where the ink is counted from.
struct dots {
    uint8_t *items;
    size_t count, ink;
};

static struct dots drawn(const char *zpl, bool sideways, uint32_t rotation)
{
    struct dots out = {0};
    struct platen_document *document;
    const struct platen_options options =
        PLATEN_OPTIONS(.width_mm = sideways ? HEIGHT_MM : WIDTH_MM, .height_mm = sideways ? WIDTH_MM : HEIGHT_MM,
                       .dpmm = DPMM, .rotation = rotation, .has_time = true);
    assert_int_equal(platen_parse(worker, zpl, strlen(zpl), &options, &document, NULL), PLATEN_OK);
    for (uint32_t i = 0; i < platen_label_count(document); i++) {
        const struct platen_page *page;
        struct platen_bitmap bits;
        assert_int_equal(platen_draw(worker, document, i, &page, NULL), PLATEN_OK);
        platen_page_bitmap(page, &bits);
        out.items = realloc(out.items, out.count + (size_t)bits.width * bits.height);
        for (uint32_t y = 0; y < bits.height; y++) {
            for (uint32_t x = 0; x < bits.width; x++) {
                uint64_t word = bits.words[(size_t)y * bits.words_per_row + x / 64];
                out.items[out.count] = (uint8_t)(word >> (63 - x % 64) & 1);
                out.ink += out.items[out.count++];
            }
        }
    }
    platen_document_free(document);
    return out;
}

static void assert_same_dots(const char *turned, const char *zpl, uint32_t rotation)
{
    struct dots a = drawn(turned, rotation % 180 != 0, 0), b = drawn(zpl, false, rotation);
    assert_true(b.ink > 0);
    assert_int_equal(a.count, b.count);
    size_t different = 0;
    for (size_t i = 0; i < a.count; i++)
        different += a.items[i] != b.items[i];
    if (different > 0)
        fail_msg("%zu of %zu dots differ after rotation by %u:\n%s", different, b.ink, rotation, turned);
    free(a.items);
    free(b.items);
}

#define ROTATED(zpl, angle) rewritten(zpl, (struct platen_rewrite_options)PLATEN_REWRITE_OPTIONS(.rotation = angle))
#define FILLED(zpl, json)                                                                                              \
    rewritten(zpl, (struct platen_rewrite_options)PLATEN_REWRITE_OPTIONS(.rows = json, .rows_size = strlen(json)))
#define RESCALED(zpl, to) rewritten(zpl, (struct platen_rewrite_options)PLATEN_REWRITE_OPTIONS(.target_dpmm = to))

// ^LL became ^PW, which cuts: fields below ^LL were drawn before, and gone after a rotation by 90 or 270.
static void fields_below_the_length_stay_when_rotated(void **state)
{
    (void)state;
    const char *zpl = "^XA^PW800^LL100^FO20,150^A0N,40^FDbelow LL^FS^FO700,20^GB50,400,4^FS^XZ";
    for (uint32_t angle = 90; angle < 360; angle += 90) {
        struct rewriting r = ROTATED(zpl, angle);
        assert_same_dots(r.code, zpl, angle);
        assert_string_equal(r.codes, "");
        free(r.code);
    }
}

// ^FO without a coordinate is at 0; such fields were not moved.
static void fields_without_a_coordinate_are_moved_when_rotated(void **state)
{
    (void)state;
    const char *zpl = "^XA^FO,100^A0N,40^FDa^FS^FO50^GB70,20,4^FS^FO^A0N,30^FDc^FS^FOx,200^A0N,30^FDd^FS^XZ";
    for (uint32_t angle = 90; angle < 360; angle += 180) {
        struct rewriting r = ROTATED(zpl, angle);
        assert_same_dots(r.code, zpl, angle);
        assert_string_equal(r.codes, "");
        free(r.code);
    }
}

// What ^PW cuts off is not cut off by ^LL.
static void what_the_print_width_cut_off_is_reported_when_rotated(void **state)
{
    (void)state;
    struct rewriting r = ROTATED("^XA^PW400^FO20,20^GB700,20,4^FS^XZ", 90);
    assert_string_equal(r.codes, "rewrite ");
    free(r.code);
}

// Fields were placed by the length of the first value, or not at all where no label gave one.
static void fields_begin_where_they_should_for_any_value_when_rotated(void **state)
{
    (void)state;
    static const char *const CODES[] = {
        "^XA^FO60,30^A0N,30^FD{{v}}^FS^FO600,40^A0R,30^FD{{v}}^FS^FO60,100^BY2^BCN,60^FD{{v}}^FS^XZ",
        "^XA^FO60,30^A0N,30^FN1\"v\"^FS^FT300,80^A0N,30^FN1\"v\"^FS^FO60,100^BY2^B3N,N,60^FN1\"v\"^FS^XZ",
        "^XA^DFR:A.ZPL^FO60,30^A0N,30^FN1\"v\"^FS^FO60,100^BY2^BCN,60,N^FN1\"v\"^FS^FO500,40^A0R,30^FN1\"v\"^FS^XZ",
    };
    const char *rows = "[{\"v\":\"1\"},{\"v\":\"1234567\"},{\"v\":\"AWXY 12\"}]";
    for (size_t i = 0; i < sizeof CODES / sizeof CODES[0]; i++) {
        for (uint32_t angle = 90; angle < 360; angle += 90) {
            struct rewriting turned = ROTATED(CODES[i], angle);
            struct rewriting then_filled = FILLED(turned.code, rows), filled = FILLED(CODES[i], rows);
            assert_same_dots(then_filled.code, filled.code, angle);
            assert_string_equal(turned.codes, "");
            free(turned.code);
            free(then_filled.code);
            free(filled.code);
        }
    }
}

static void serials_that_grow_begin_where_they_should_when_rotated(void **state)
{
    (void)state;
    const char *zpl = "^XA^FO60,30^A0N,40^FDHH^SFAA,B^FS^FO60,100^BY2^BCN,60^SN9,1^FS^PQ4^XZ";
    for (uint32_t angle = 90; angle < 360; angle += 90) {
        struct rewriting r = ROTATED(zpl, angle);
        assert_same_dots(r.code, zpl, angle);
        free(r.code);
    }
}

// Text behind ^GF without ^FS stayed where it was.
static void text_behind_an_open_graphic_is_moved_when_rotated(void **state)
{
    (void)state;
    const char *zpl = "^XA^FO50,50^GFA,8,8,1,FF818181818181FF^FO100,100^A0N,30^FDtext^FS^XZ";
    struct rewriting r = ROTATED(zpl, 90);
    assert_same_dots(r.code, zpl, 90);
    assert_string_equal(r.codes, "");
    free(r.code);
}

// 4.5 dots became 5: symbols of carriers were 11 % too wide and no longer read beside their neighbours.
static void a_module_between_two_sizes_becomes_the_smaller(void **state)
{
    (void)state;
    struct rewriting r = RESCALED("^XA^BY3,3,50^FO20,20^BCN^FD12345678^FS^FO420,20^BCN^FD12345678^FS"
                                  "^FO20,200^ADN,18,10^FDtext^FS^XZ",
                                  12);
    assert_non_null(strstr(r.code, "^BY4,"));
    assert_non_null(strstr(r.code, "^ADN,18,10"));
    assert_null(strstr(r.codes, "rewrite_unreadable"));
    free(r.code);
}

static void a_barcode_that_no_longer_reads_is_reported(void **state)
{
    (void)state;
    struct rewriting r =
        RESCALED("^XA^BY1,3,80^FO20,20^BCN^FD12345678^FS^FO150,20^GB400,80,80^FS^FO740,300^BCN^FD1^FS^XZ", 4);
    assert_non_null(strstr(r.codes, "rewrite_unreadable"));
    assert_non_null(strstr(r.codes, "rewrite_outside"));
    free(r.code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_below_the_length_stay_when_rotated),
        cmocka_unit_test(fields_without_a_coordinate_are_moved_when_rotated),
        cmocka_unit_test(what_the_print_width_cut_off_is_reported_when_rotated),
        cmocka_unit_test(fields_begin_where_they_should_for_any_value_when_rotated),
        cmocka_unit_test(serials_that_grow_begin_where_they_should_when_rotated),
        cmocka_unit_test(text_behind_an_open_graphic_is_moved_when_rotated),
        cmocka_unit_test(a_module_between_two_sizes_becomes_the_smaller),
        cmocka_unit_test(a_barcode_that_no_longer_reads_is_reported),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
