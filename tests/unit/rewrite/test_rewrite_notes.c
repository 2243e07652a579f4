// Label code to label code: what is drawn after a change of density, and what is told of that which cannot be kept.
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/job.h"
#include "engine_fixture.h"
#include "platen/platen.h"
#include "render/render.h"

struct result {
    char *code;
    char notes[4096]; // "offset message\n" of each
};

static struct result rewritten(const char *zpl, const struct platen_rewrite_options *options)
{
    struct platen_rewritten *r;
    struct platen_error err;
    if (platen_rewrite(worker, zpl, strlen(zpl), options, &r, &err) != PLATEN_OK)
        fail_msg("%s", err.message);
    size_t size;
    const char *code = platen_rewritten_code(r, &size);
    struct result out = {.code = malloc(size + 1)};
    memcpy(out.code, code, size);
    out.code[size] = '\0';
    struct platen_diagnostic note;
    size_t used = 0;
    for (uint32_t i = 0; platen_rewritten_note_at(r, i, &note) && used < sizeof out.notes; i++)
        used += (size_t)snprintf(out.notes + used, sizeof out.notes - used, "%u %s\n", note.offset, note.message);
    platen_rewritten_free(r);
    return out;
}

struct boxes {
    struct {
        double x, y, width, height;
        bool text;
    } items[64];
    uint32_t count;
};

static struct boxes boxes_of(const char *zpl, double dpmm)
{
    struct boxes out = {0};
    struct platen_document *document;
    const struct platen_options options =
        PLATEN_OPTIONS(.width_mm = 300, .height_mm = 300, .dpmm = dpmm, .has_time = true, .want_elements = true);
    assert_int_equal(platen_parse(worker, zpl, strlen(zpl), &options, &document, NULL), PLATEN_OK);
    for (uint32_t i = 0; i < platen_label_count(document); i++) {
        const struct platen_page *page;
        assert_int_equal(platen_draw(worker, document, i, &page, NULL), PLATEN_OK);
        for (uint32_t k = 0; k < page->element_count && out.count < 64; k++) {
            const struct platen_element *e = &page->elements[k];
            out.items[out.count].x = e->x;
            out.items[out.count].y = e->y;
            out.items[out.count].width = e->width;
            out.items[out.count].height = e->height;
            out.items[out.count++].text = e->type == PLATEN_TEXT;
        }
    }
    platen_document_free(document);
    return out;
}

// Every field of the label at another density is as large as before. Letters are other dots at another size: they may
// differ by `slack` dots of the old density.
static void assert_same_size(const char *zpl, double from, double to, double slack)
{
    const struct platen_rewrite_options options = PLATEN_REWRITE_OPTIONS(.dpmm = from, .target_dpmm = to);
    struct result r = rewritten(zpl, &options);
    struct boxes a = boxes_of(zpl, from), b = boxes_of(r.code, to);
    double ratio = to / from;
    assert_true(a.count > 0);
    assert_int_equal(a.count, b.count);
    for (uint32_t i = 0; i < a.count; i++) {
        double allowed = a.items[i].text ? slack * ratio : 0.5;
        if (fabs(a.items[i].x * ratio - b.items[i].x) > allowed ||
            fabs(a.items[i].y * ratio - b.items[i].y) > allowed ||
            fabs(a.items[i].width * ratio - b.items[i].width) > allowed ||
            fabs(a.items[i].height * ratio - b.items[i].height) > allowed)
            fail_msg("%s: field %u is %g,%g %gx%g, not %g times %g,%g %gx%g", r.code, i, b.items[i].x, b.items[i].y,
                     b.items[i].width, b.items[i].height, ratio, a.items[i].x, a.items[i].y, a.items[i].width,
                     a.items[i].height);
    }
    free(r.code);
}

// ^CFA,9,5 was written for fields whose font had a size of its own: those of ^A0 became three fifths as large.
static void fonts_without_a_size_keep_theirs(void **state)
{
    (void)state;
    static const char *const LABELS[] = {
        "^XA^FO10,10^A0^FDSize^FS^XZ",
        "^XA^FO10,10^A0N^FDSize^FS^FO10,60^FDplain^FS^XZ",
        "^XA^FO10,10^AD^FDSize^FS^FO10,60^FDplain^FS^XZ",
        "^XA^FO10,10^AD^FDSize^FS^FO10,60^A0^FDSize^FS^FO10,90^AB^FDB^FS^XZ",
        "^XA^FO10,10^A@N,,,X.TTF^FDSize^FS^XZ",
        "^XA^FO10,10^GS^FDABC^FS^FO10,60^FDplain^FS^XZ",
        "^XA^FO10,10^A0N,30,30^FDa^FS^FO10,60^GS^FDABC^FS^XZ",
        "^XA^FO10,10^A0^FDa^FS^FO10,60^GS^FDABC^FS^XZ",
        "^XA^CFD^FO10,10^FDSize^FS^FO10,60^A0^FDSize^FS^CF0^FO10,90^FDSize^FS^XZ",
        "^XA^CF0,30^FO10,10^A0^FDSize^FS^FO10,60^AD^FDSize^FS^CF0^FO10,90^FDSize^FS^XZ",
        "^XA^CFD,40^FO10,10^FDSize^FS^FO10,90^A0^FDSize^FS^XZ",
        "^XA^FO10,10^A030,40^FDSize^FS^FO10,60^A0N30,40^FDSize^FS^FO10,110^A0R30^FDSize^FS^XZ",
        "^XA^FO10,10^A0N,0,0^FDSize^FS^FO10,60^A0N,,30^FDSize^FS^FO10,110^A0N,5^FDsmall^FS^XZ",
        "^XA^FO10,10^ADN,30,10^FDtwice as high^FS^XZ",
        "^XA^MUM^FO2,2^A0^FDSize^FS^FO2,8^AD^FDSize^FS^FO2,14^A0N,4,4^FDSize^FS^XZ",
        // What is in force is what the printer has when the format is recalled.
        "^XA^DFR:F.ZPL^FS^FO10,10^A0^FN1^FS^XZ^XA^CF0,50^XFR:F.ZPL^FS^FN1^FDSize^FS^XZ",
        "^XA^FO10,10^FDplain^FS^XZ~JR^XA^FO10,10^FDplain^FS^FO10,90^BCN,50,N^FD1^FS^XZ",
    };
    for (size_t i = 0; i < sizeof LABELS / sizeof LABELS[0]; i++)
        assert_same_size(LABELS[i], 8, 24, 1);
}

// Magnifications that follow the density do not always follow it by the ratio.
static void modules_without_a_size_keep_theirs(void **state)
{
    (void)state;
    static const char *const LABELS[] = {
        "^XA^FO10,10^BQN,2^FDMA,hello^FS^FO10,200^BCN,50,N^FD1^FS^XZ",
        "^XA^BY4^FO10,10^BQN,2^FDMA,hello^FS^FO10,200^BCN,50,N^FD1^FS^XZ",
        "^XA^FO10,10^BO^FDhello^FS^FO10,100^B0^FDhello^FS^XZ",
        "^XA^FO20,10^BR^FD0012345678905^FS^XZ",
        "^XA^FO10,10^GB100,0,0^FS^FO10,50^GE^FS^FO10,90^GC^FS^FO10,150^GB^FS^XZ",
        "^XA^MUM^FO2,2^GB10,10^FS^FO2,20^GC8^FS^XZ",
    };
    for (size_t i = 0; i < sizeof LABELS / sizeof LABELS[0]; i++) {
        assert_same_size(LABELS[i], 6, 12, 1);
        assert_same_size(LABELS[i], 8, 24, 1);
    }
}

static void assert_notes(const char *zpl, const struct platen_rewrite_options *options, const char *expected)
{
    struct result r = rewritten(zpl, options);
    assert_string_equal(r.notes, expected);
    free(r.code);
}

// A value beyond what the command takes was written all the same, and the printer took less.
static void what_no_command_allows_is_told(void **state)
{
    (void)state;
    const struct platen_rewrite_options to_24 = PLATEN_REWRITE_OPTIONS(.dpmm = 8, .target_dpmm = 24);
    const struct platen_rewrite_options to_8 = PLATEN_REWRITE_OPTIONS(.dpmm = 24, .target_dpmm = 8);
    const struct platen_rewrite_options to_12 = PLATEN_REWRITE_OPTIONS(.dpmm = 8, .target_dpmm = 12);
    assert_notes(
        "^XA^FO20,10^BRN,1,9,1,30^FD0012345678905^FS^XZ", &to_24,
        "11 ^BR: magnification of 9 dots at 8 dpmm is 27.00 dots at 24 dpmm; it became 10, the most allowed.\n");
    assert_notes(
        "^XA^FO1,1^GC2000,5^FS^XZ", &to_24,
        "9 ^GC: diameter of 2000 dots at 8 dpmm is 6000.00 dots at 24 dpmm; it became 4095, the most allowed.\n");
    assert_notes("^XA^FO3,3^GC6,3^FS^XZ", &to_8,
                 "9 ^GC: diameter of 6 dots at 24 dpmm is 2.00 dots at 8 dpmm; it became 3, the least allowed.\n");
    assert_notes(
        "^XA^FO2,2^AAN,9,5^FDa^FS^XZ", &to_12,
        "9 ^AA: letters of 9 x 5 dots at 8 dpmm are 13.5 x 7.5 dots at 12 dpmm; they became 9 x 5, the nearest "
        "size of this font.\n");
    // Exactly three times as large: nothing to tell.
    assert_notes("^XA^FO2,2^AAN,9,5^FDa^FS^XZ", &to_24, "");
    // The printer's own values.
    assert_notes("^XA^FO2,2^BQN,2^FDMA,a^FS^XZ", &to_12, "");
    const struct platen_rewrite_options up = PLATEN_REWRITE_OPTIONS(.dpmm = 6, .target_dpmm = 8);
    assert_notes("^XA^BY3,,30^FO3,3^BQN,2^FDMA,a^FS^XZ", &up,
                 "17 ^BQ: a module of 1 dots at 6 dpmm is 1.33 dots at 8 dpmm; it became 1.\n");
}

// Pictures and formats that the printer has, not the code, stayed as they were without a word.
static void what_is_recalled_from_elsewhere_is_told(void **state)
{
    (void)state;
    static const char OTHER[] = "^XA^XFR:F.ZPL^FS^FO1,1^XGR:A.GRF,1,1^FS^FO1,1^IMR:B.GRF^FS^ILR:C.GRF^FS^XZ";
    static const char OWN[] = "~DGR:A.GRF,1,1,80^XA^FO9,9^XGA,1,1^FS^FO9,9^IMR:A^FS^XZ"
                              "^XA^DFF^FS^FO9,9^GB9,9,3^FS^XZ^XA^XFR:F.ZPL^FS^XZ";
    const struct platen_rewrite_options scale = PLATEN_REWRITE_OPTIONS(.target_dpmm = 24);
    const struct platen_rewrite_options turn = PLATEN_REWRITE_OPTIONS(.rotation = 90);
    const char *told = "what it recalls is not in the code; it keeps its dots and is 0.33 times as large as before.\n";
    char expected[1024];
    snprintf(expected, sizeof expected, "3 ^XF: %s22 ^XG: %s45 ^IM: %s58 ^IL: %s", told, told, told, told);
    assert_notes(OTHER, &scale, expected);
    assert_notes(OTHER, &turn,
                 "3 ^XF: what it recalls is not in the code; it was not rotated.\n"
                 "22 ^XG: what it recalls is not in the code; it was not rotated.\n"
                 "45 ^IM: what it recalls is not in the code; it was not rotated.\n"
                 "58 ^IL cannot be rotated and was left as it is.\n");
    assert_notes(OWN, &scale, "");
    assert_notes(OWN, &turn, "");
}

#define ROWS(text) .rows = (text), .rows_size = sizeof(text) - 1

// Offsets of notes were those of the code in between: filled, or written anew to be drawn.
static void notes_say_where_it_is_in_the_code_of_the_caller(void **state)
{
    (void)state;
    static const char ZPL[] = "^XA^FX a comment ^FS   ^FO9,9^FD{{name}} is long^FS\n\n^FO90,90^BQN,2,4^FDMA,a^FS^XZ";
    unsigned at = (unsigned)(strstr(ZPL, "^BQ") - ZPL);
    char expected[512];
    const struct platen_rewrite_options turn = PLATEN_REWRITE_OPTIONS(.rotation = 90, ROWS("name\nAnne-Marie\nBob\n"));
    snprintf(expected, sizeof expected,
             "%u ^BQ cannot be rotated; the symbol stays upright.\n%u ^BQ cannot be rotated; the symbol stays "
             "upright.\n",
             at, at);
    assert_notes(ZPL, &turn, expected);
    const struct platen_rewrite_options scale =
        PLATEN_REWRITE_OPTIONS(.dpmm = 8, .target_dpmm = 6, ROWS("1\nAnne-Marie\n"));
    struct result r = rewritten("^XA^DFF^FS^FO8,8^FN1^FS^XZ^XA^FO4,4^BY3,2,12^BCN^FDa^FS^XZ", &scale);
    assert_non_null(strstr(r.notes, "35 ^BY: a module of 3 dots"));
    free(r.code);
}

// A prefix that the code changes was in force for the next row, whose commands were then data.
static void each_row_begins_with_the_prefixes_of_the_start(void **state)
{
    (void)state;
    static const char *const LABELS[] = {
        "^XA^CC/ /FO10,10/GB20,20,2/FS/FO10,50/FD{{a}}/FS/XZ",
        "^XA^CD;^FO10;10^GB20;20;2^FS^FO10;50^FD{{a}}^FS^XZ",
        "^XA^CT+^FO10,10^GB20,20,2^FS^FO10,50^FD{{a}}^FS^XZ+JC",
        "^XA^CC/ /CT^/CD~/FO10~10/GB20~20~2/FS/FO10~50/FD{{a}}/FS/XZ",
        "^XA^CT!^CD~!CC,,FO10~10,GB20~20~2,FS,FO10~50,FD{{a}},FS,XZ",
    };
    const struct platen_rewrite_options one = PLATEN_REWRITE_OPTIONS(ROWS("a\nx^y~z\n"));
    const struct platen_rewrite_options three = PLATEN_REWRITE_OPTIONS(ROWS("a\nx^y~z\nx^y~z\nx^y~z\n"));
    for (size_t i = 0; i < sizeof LABELS / sizeof LABELS[0]; i++) {
        struct result a = rewritten(LABELS[i], &one), b = rewritten(LABELS[i], &three);
        struct boxes x = boxes_of(a.code, 8), y = boxes_of(b.code, 8);
        assert_int_equal(x.count, 2);
        assert_int_equal(y.count, 6);
        for (uint32_t k = 0; k < 6; k++)
            assert_memory_equal(&x.items[k % 2], &y.items[k], sizeof x.items[0]);
        free(a.code);
        free(b.code);
    }
}

// Calls of a stored format were written with the prefix that was in force where it was stored.
static void formats_are_called_with_the_prefix_of_the_end(void **state)
{
    (void)state;
    const struct platen_rewrite_options two = PLATEN_REWRITE_OPTIONS(ROWS("1\nx^y/z\nq\n"));
    struct result r = rewritten("^XA^DFF^FS^FO10,10^FN1^FS^XZ^XA^CC/ /XZ", &two);
    assert_string_equal(r.code,
                        "^XA\n^DFF^FS\n^FO10,10^FN1^FS\n^XZ\n^XA\n^CC/\n/XZ\n/XA\n/XFF/FS\n/FN1/FH_/FDx^y_2Fz/FS\n"
                        "/XZ\n/XA\n/XFF/FS\n/FN1/FDq/FS\n/XZ\n");
    assert_int_equal(boxes_of(r.code, 8).count, 2);
    free(r.code);
}

// What follows counted bytes that are missing stayed as it was without a word.
static void code_behind_missing_bytes_is_told(void **state)
{
    (void)state;
    const struct platen_rewrite_options scale = PLATEN_REWRITE_OPTIONS(.target_dpmm = 24);
    assert_notes("^XA^FO1,1^GFB,900,900,3,ab^FS^FO5,5^GB5,5,5^FS^XZ", &scale,
                 "9 Counted bytes of a graphic are missing: from here on the code was left as it is.\n");
}

// Some parts of a field follow no parameter.
static void fields_of_another_size_are_told(void **state)
{
    (void)state;
    const struct platen_rewrite_options scale = PLATEN_REWRITE_OPTIONS(.target_dpmm = 24, ROWS("a\n1\n2\n"));
    static const char ZPL[] = "^XA^FX{{a}}^FS^BY2^FO60,20^BEN,40^FD400638133393^FS^FO60,200^BCN,40,N^FD{{a}}^FS^XZ";
    struct result r = rewritten(ZPL, &scale);
    unsigned offset = 0; // told once, however often it is drawn
    assert_int_equal(sscanf(r.notes, "%u The field should be", &offset), 1);
    assert_int_equal(offset, strstr(ZPL, "^FO60,20^") - ZPL);
    assert_string_equal(strchr(r.notes, '\n'), "\n");
    free(r.code);
}

// A deadline that passed while the label was drawn was told to be a limit.
static void what_stops_the_drawing_is_told_as_it_is(void **state)
{
    (void)state;
    struct platen_rewritten *r;
    struct platen_error err;
    const struct platen_rewrite_options late = PLATEN_REWRITE_OPTIONS(.rotation = 90, .deadline_ns = 1);
    const struct platen_rewrite_options large = PLATEN_REWRITE_OPTIONS(.rotation = 90, .width_mm = 1e6);
    static const char ZPL[] = "^XA^FO1,1^A0N,30^FDa^FS^XZ";
    assert_int_equal(platen_rewrite(worker, ZPL, sizeof ZPL - 1, &late, &r, &err), PLATEN_E_DEADLINE);
    assert_int_equal(platen_rewrite(worker, ZPL, sizeof ZPL - 1, &large, &r, &err), PLATEN_E_INVALID);
}

// Each command that was added moved all that followed: 100,000 fields took minutes.
static void many_fields_are_filled_in_time(void **state)
{
    (void)state;
    enum { FIELDS = 100000 };
    static const char FIELD[] = "^FO1,1^FN1^FS";
    size_t size = 3 + FIELDS * (sizeof FIELD - 1) + 3;
    char *zpl = malloc(size + 1), *to = zpl;
    to += sprintf(to, "^XA");
    for (int i = 0; i < FIELDS; i++)
        to += sprintf(to, "%s", FIELD);
    sprintf(to, "^XZ");
    struct platen_rewritten *r;
    const struct platen_rewrite_options options = PLATEN_REWRITE_OPTIONS(ROWS("1\nx^y\n"));
    clock_t began = clock(); // time of the processor: other programs do not count
    assert_int_equal(platen_rewrite(worker, zpl, size, &options, &r, NULL), PLATEN_OK);
    assert_true(clock() - began < 60 * CLOCKS_PER_SEC);
    platen_rewritten_free(r);
    free(zpl);
}

// Text behind counted bytes became part of the data that took their place.
static void graphics_in_letters_end_where_the_counted_bytes_did(void **state)
{
    (void)state;
    static const enum platen_graphic_coding CODINGS[] = {PLATEN_GRAPHIC_HEX, PLATEN_GRAPHIC_ACS, PLATEN_GRAPHIC_Z64};
    const char *zpl = "^XA^FO9,9^GFB,4,4,1,abcd rest F0F0\nF0^FS^FO99,9^GFB,4,4,1,abcd tail";
    for (size_t i = 0; i < 3; i++) {
        const struct platen_rewrite_options options = PLATEN_REWRITE_OPTIONS(.graphics = CODINGS[i]);
        struct result once = rewritten(zpl, &options), twice = rewritten(once.code, &options);
        assert_string_equal(once.code, twice.code);
        assert_null(strstr(once.code, "rest"));
        free(once.code);
        free(twice.code);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fonts_without_a_size_keep_theirs),
        cmocka_unit_test(modules_without_a_size_keep_theirs),
        cmocka_unit_test(what_no_command_allows_is_told),
        cmocka_unit_test(what_is_recalled_from_elsewhere_is_told),
        cmocka_unit_test(notes_say_where_it_is_in_the_code_of_the_caller),
        cmocka_unit_test(each_row_begins_with_the_prefixes_of_the_start),
        cmocka_unit_test(formats_are_called_with_the_prefix_of_the_end),
        cmocka_unit_test(code_behind_missing_bytes_is_told),
        cmocka_unit_test(fields_of_another_size_are_told),
        cmocka_unit_test(graphics_in_letters_end_where_the_counted_bytes_did),
        cmocka_unit_test(what_stops_the_drawing_is_told_as_it_is),
        cmocka_unit_test(many_fields_are_filled_in_time),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
