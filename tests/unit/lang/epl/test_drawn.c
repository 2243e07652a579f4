// EPL2 drawn: pivots of rotations, pitches of the fonts, graphics dot for dot, and every barcode read back.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../engine_fixture.h"
#include "../../unit.h"

struct drawn {
    struct platen_document *document;
    const struct platen_page *page;
};

static void draw(struct drawn *d, const void *epl, size_t size, double dpmm)
{
    struct platen_error err = {0};
    struct platen_options options =
        PLATEN_OPTIONS(.dpmm = dpmm, .width_mm = 101.6, .height_mm = 152.4, .want_elements = true, .verify = true);
    if (platen_parse(worker, epl, size, &options, &d->document, &err) != PLATEN_OK ||
        platen_draw(worker, d->document, 0, &d->page, &err) != PLATEN_OK)
        fail_msg("%s", err.message);
    assert_int_equal(platen_document_language(d->document), PLATEN_LANGUAGE_EPL);
}

static void draw_text(struct drawn *d, const char *epl)
{
    draw(d, epl, strlen(epl), 8);
}

static struct platen_element element_at(const struct drawn *d, uint32_t index)
{
    struct platen_element e = {0};
    assert_true(platen_page_element_at(d->page, index, &e));
    return e;
}

static bool has_ink(const struct platen_bitmap *dots, uint32_t x, uint32_t y)
{
    return dots->words[(size_t)y * dots->words_per_row + x / 64] >> (63 - x % 64) & 1;
}

static void is_box(const struct platen_element *e, int32_t x0, int32_t y0, int32_t x1, int32_t y1, int32_t tolerance)
{
    if (abs(e->x - x0) > tolerance || abs(e->y - y0) > tolerance || abs(e->x + (int32_t)e->width - x1) > tolerance ||
        abs(e->y + (int32_t)e->height - y1) > tolerance)
        fail_msg("%d,%d %dx%d is not %d,%d to %d,%d", e->x, e->y, e->width, e->height, x0, y0, x1, y1);
}

static void the_corner_rotates_with_the_element(void **state)
{
    (void)state;
    struct drawn d;
    draw_text(&d, "N\nB400,400,0,1B,1,2,35,N,\"W1A/1000260\"\nB400,400,1,1B,1,2,35,N,\"W1A/1000260\"\n"
                  "B400,400,2,1B,1,2,35,N,\"W1A/1000260\"\nB400,400,3,1B,1,2,35,N,\"W1A/1000260\"\nP1\n");
    struct platen_element e;
    // Subset B to the end: 156 dots, as measured on a printed label.
    e = element_at(&d, 0), is_box(&e, 400, 400, 556, 435, 0);
    e = element_at(&d, 1), is_box(&e, 365, 400, 400, 556, 0);
    e = element_at(&d, 2), is_box(&e, 244, 365, 400, 400, 0);
    e = element_at(&d, 3), is_box(&e, 400, 244, 435, 400, 0);
    platen_document_free(d.document);
    // Text: capitals are within two dots of the corner.
    draw_text(&d, "N\nA400,400,0,2,1,1,N,\"HHHH\"\nA400,400,1,2,1,1,N,\"HHHH\"\nA400,400,2,2,1,1,N,\"HHHH\"\n"
                  "A400,400,3,2,1,1,N,\"HHHH\"\nP1\n");
    e = element_at(&d, 0), is_box(&e, 401, 400, 445, 414, 1);
    e = element_at(&d, 1), is_box(&e, 386, 401, 400, 445, 1);
    e = element_at(&d, 2), is_box(&e, 355, 386, 399, 400, 1);
    e = element_at(&d, 3), is_box(&e, 400, 355, 414, 399, 1);
    platen_document_free(d.document);
}

// From the first character to the eleventh there are ten pitches.
static void pitches_are_exact(void **state)
{
    (void)state;
    static const int32_t PITCHES[2][5] = {{10, 12, 14, 16, 36}, {12, 16, 20, 24, 48}};
    for (int density = 0; density < 2; density++)
        for (int font = 0; font < 5; font++)
            for (int across = 1; across <= 2; across++) {
                char one[80], eleven[80];
                struct drawn d;
                snprintf(one, sizeof one, "N\nA0,0,0,%d,%d,1,N,\"I\"\nP1\n", font + 1, across);
                snprintf(eleven, sizeof eleven, "N\nA0,0,0,%d,%d,1,N,\"I         I\"\nP1\n", font + 1, across);
                draw(&d, one, strlen(one), density ? 12 : 8);
                struct platen_element a = element_at(&d, 0);
                platen_document_free(d.document);
                draw(&d, eleven, strlen(eleven), density ? 12 : 8);
                struct platen_element b = element_at(&d, 0);
                platen_document_free(d.document);
                assert_int_equal(b.width - a.width, 10 * PITCHES[density][font] * across);
            }
}

static void reversed_text_has_its_box(void **state)
{
    (void)state;
    struct drawn d;
    struct platen_bitmap dots = {0};
    draw_text(&d, "N\nA375,38,0,4,1,1,R,\"O/S\"\nP1\n");
    struct platen_element e = element_at(&d, 0);
    is_box(&e, 373, 36, 373 + 48, 36 + 28, 0);
    platen_page_bitmap(d.page, &dots);
    uint32_t ink = 0;
    for (uint32_t y = 36; y < 64; y++)
        for (uint32_t x = 373; x < 421; x++)
            ink += has_ink(&dots, x, y);
    assert_true(ink > 48 * 28 / 2 && ink < 48 * 28 - 100);
    platen_document_free(d.document);
}

// Every dot of a graphic by GW, and of the same by ^GF.
static void a_graphic_is_the_same_in_both_languages(void **state)
{
    (void)state;
    char epl[700] = "N\nGW8,16,8,32,";
    char zpl[900] = "^XA^FO8,16^GFA,256,256,8,";
    size_t n = strlen(epl), z = strlen(zpl);
    uint32_t seed = 7;
    for (int i = 0; i < 256; i++) {
        seed = seed * 1103515245u + 12345u;
        uint8_t byte = (uint8_t)(seed >> 16);
        epl[n++] = (char)~byte;
        z += (size_t)snprintf(zpl + z, sizeof zpl - z, "%02X", byte);
    }
    memcpy(epl + n, "\nP1\n", 4);
    snprintf(zpl + z, sizeof zpl - z, "^FS^XZ");
    static uint8_t kept[256 * 1024];
    struct drawn d;
    struct platen_bitmap dots = {0};
    draw(&d, epl, n + 4, 8);
    platen_page_bitmap(d.page, &dots);
    size_t size = (size_t)dots.words_per_row * dots.height * 8;
    assert_true(size <= sizeof kept);
    memcpy(kept, dots.words, size);
    platen_document_free(d.document);
    struct platen_options options = PLATEN_OPTIONS(.width_mm = 101.6, .height_mm = 152.4);
    assert_int_equal(platen_parse(worker, zpl, strlen(zpl), &options, &d.document, NULL), PLATEN_OK);
    assert_int_equal(platen_draw(worker, d.document, 0, &d.page, NULL), PLATEN_OK);
    platen_page_bitmap(d.page, &dots);
    assert_memory_equal(kept, dots.words, size);
    platen_document_free(d.document);
}

// There is no reader for them: the modules are those of libzint.
static bool may_lack_a_reader(const char *code)
{
    return strstr(code, ",RS,") || strstr(code, ",m1s4");
}

static void every_barcode_is_read_back(void **state)
{
    (void)state;
    static const char *const CODES[] = {
        "B100,100,0,3,2,5,50,N,\"CODE 39\"",
        "B100,100,0,3,2,4,50,N,\"lower$%/+\"",
        "B100,100,0,3C,3,7,50,N,\"CHECK\"",
        "B100,100,0,9,2,4,50,B,\"Code 93!\"",
        "B100,100,0,0,2,4,50,N,\"12345678901234567\"",
        "B100,100,0,1,2,4,50,N,\"auto 123456\"",
        "B100,100,0,1A,2,4,50,N,\"ABC\"",
        "B100,100,0,1B,2,4,50,N,\"W1A/1000260\"",
        "B100,100,0,1C,2,4,50,N,\"12345678\"",
        "B100,100,0,1B,2,4,50,N,\"AB\\C1234\\AXY\"",
        "B100,100,0,1D,2,4,50,N,\"RR12345678DE\"",
        "B100,100,0,1E,2,4,50,N,\"0109501101530003\"",
        "B100,100,0,K,2,5,50,N,\"A1234B\"",
        "B100,100,0,E80,2,4,50,N,\"1234567\"",
        "B100,100,0,E30,2,4,50,B,\"123456789012\"",
        "B100,100,0,E32,2,4,50,B,\"12345678901212\"",
        "B100,100,0,UA5,2,4,50,B,\"1234567890112345\"",
        "B100,100,0,UA0,2,4,50,B,\"12345678901\"",
        "B100,100,0,UE0,2,4,50,B,\"123456\"",
        "B100,100,0,2,2,5,50,N,\"12345678\"",
        "B100,100,0,2C,2,5,50,N,\"1234567\"",
        "B100,100,0,2U,2,5,50,N,\"1234567890123\"",
        "B100,100,0,2G,2,5,50,N,\"1234567890123\"",
        "B100,100,0,L,2,4,50,N,\"12345\"",
        "B100,100,0,P,2,4,50,N,\"12345\"",
        "B100,100,0,PL,2,4,50,N,\"12345678901\"",
        "B100,100,0,R14,2,4,66,N,\"1234567890123\"",
        "B100,100,0,RL,2,4,50,N,\"1234567890123\"",
        "B100,100,0,RS,2,4,50,N,\"1234567890123\"",
        "B100,100,0,RT,2,4,50,N,\"1234567890123\"",
        "B300,300,1,1,2,4,50,B,\"rotated\"",
        "B300,300,2,3,2,5,50,B,\"ROTATED\"",
        "B300,300,3,2,2,5,50,B,\"123456\"",
        "b100,100,A,d4,\"Aztec\"",
        "b100,100,D,h5,\"Data Matrix\"",
        "b100,100,M,\"840,001,331225555,message\"",
        "b400,400,P,500,300,\"PDF417 around its middle\"",
        "b400,100,P,500,300,x3,y9,f0,o1,\"PDF417 rotated\"",
        "b100,100,Q,s4,\"QR code\"",
        "b100,100,Q,m1s4eH,\"MODEL 1\"",
    };
    for (size_t i = 0; i < sizeof CODES / sizeof *CODES; i++) {
        char epl[256];
        struct drawn d;
        snprintf(epl, sizeof epl, "N\n%s\nP1\n", CODES[i]);
        draw_text(&d, epl);
        struct platen_element e;
        uint32_t symbols = 0;
        for (uint32_t k = 0; platen_page_element_at(d.page, k, &e); k++, symbols++)
            if (e.decoded == 0 || e.matches == 0 || (e.decoded < 0 && !may_lack_a_reader(CODES[i])))
                fail_msg("%s is not read back: element %u: %s", CODES[i], k, e.no_reader_reason);
        assert_true(symbols > 0);
        struct platen_diagnostic f;
        for (uint32_t k = 0; platen_page_diagnostic_at(d.page, k, &f); k++)
            if (f.severity == PLATEN_ERROR)
                fail_msg("%s: %s", CODES[i], f.message);
        platen_document_free(d.document);
    }
}

static void a_pdf417_stands_around_its_middle(void **state)
{
    (void)state;
    for (int turn = 0; turn < 4; turn++) {
        char epl[100];
        struct drawn d;
        snprintf(epl, sizeof epl, "N\nb400,500,P,400,300,o%d,\"middle\"\nP1\n", turn);
        draw_text(&d, epl);
        struct platen_element e = element_at(&d, 0);
        assert_true(abs(e.x + (int32_t)e.width / 2 - 400) <= 1 && abs(e.y + (int32_t)e.height / 2 - 500) <= 1);
        assert_true((turn % 2 ? e.height : e.width) <= 400);
        platen_document_free(d.document);
    }
}

static void the_label_ends_at_q(void **state)
{
    (void)state;
    struct drawn d;
    struct platen_bitmap dots = {0};
    draw_text(&d, "N\nq430\nA400,10,0,4,1,1,N,\"CUT OFF\"\nP1\n");
    platen_page_bitmap(d.page, &dots);
    for (uint32_t y = 0; y < 60; y++)
        for (uint32_t x = 430; x < 600; x++)
            assert_false(has_ink(&dots, x, y));
    platen_document_free(d.document);
}

static void encode(const char *epl, enum platen_quality quality, struct platen_buffer *out)
{
    // More dots than smooth output draws at once: it does so in two bands.
    struct platen_options options = PLATEN_OPTIONS(.width_mm = 300, .height_mm = 300, .quality = quality);
    struct drawn d;
    assert_int_equal(platen_parse(worker, epl, strlen(epl), &options, &d.document, NULL), PLATEN_OK);
    assert_int_equal(platen_draw(worker, d.document, 0, &d.page, NULL), PLATEN_OK);
    assert_int_equal(platen_encode(worker, d.page, PLATEN_PNG, NULL, out, NULL), PLATEN_OK);
    platen_document_free(d.document);
}

// As on the photograph of a printed label: what a text or code lies on is gone, in its box and nowhere else. The last
// text has its ink in the first band, and a part of its cell in the second.
static void a_later_text_or_code_replaces_what_is_below(void **state)
{
    (void)state;
    static const struct {
        const char *upper, *box;
    } CASES[] = {
        {"A200,200,0,2,1,1,N,\"I I\"", "200,200,36,16"},
        {"A200,200,1,2,1,1,N,\"I I\"", "184,200,16,36"},
        {"A200,200,2,2,1,1,N,\"I I\"", "164,184,36,16"},
        {"A200,200,3,2,1,1,N,\"I I\"", "200,164,16,36"},
        {"A200,200,0,4,2,3,N,\"I\"", "200,200,32,72"},
        {"B200,200,0,1B,1,2,35,N,\"W1A/1000260\"", "200,200,156,35"},
        {"B200,200,1,1B,1,2,35,N,\"W1A/1000260\"", "165,200,35,156"},
        {"B200,200,0,1B,1,2,35,B,\"AB\"", "200,200,57,35\nLW218,237,20,12"},
        {"B200,200,1,1B,1,2,35,B,\"AB\"", "165,200,35,57\nLW151,218,12,20"},
        {"B200,200,0,E80,2,4,40,B,\"1234567\"", "200,200,134,53\nLW210,242,114,20"},
        {"b200,200,Q,\"QR\"", "200,200,63,63"},
        {"A200,1500,0,5,1,9,N,\"'\"", "200,1500,36,432"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        for (enum platen_quality quality = PLATEN_BITONAL; quality <= PLATEN_GRAYSCALE; quality++) {
            char epl[200];
            struct platen_buffer got = {0}, wanted = {0};
            snprintf(epl, sizeof epl, "N\nLO9,9,500,2200\n%s\nP1\n", CASES[i].upper);
            encode(epl, quality, &got);
            snprintf(epl, sizeof epl, "N\nLO9,9,500,2200\nLW%s\n%s\nP1\n", CASES[i].box, CASES[i].upper);
            encode(epl, quality, &wanted);
            if (got.size != wanted.size || memcmp(got.data, wanted.data, got.size) != 0)
                fail_msg("%s does not replace %s (quality %d)", CASES[i].upper, CASES[i].box, (int)quality);
            platen_buffer_free(&got);
            platen_buffer_free(&wanted);
        }
}

// The text of Code 39 is the data: no asterisks, and no pairs for small letters.
static void the_text_of_code_39_is_its_data(void **state)
{
    (void)state;
    static const char *const PAIRS[][2] = {
        {"B10,10,0,3,2,5,40,B,\"AB\"", "B10,10,0,3,2,5,40,N,\"AB\"\nA55,52,0,2,1,1,N,\"AB\""},
        {"B10,10,0,3,2,5,40,B,\"ab\"", "B10,10,0,3,2,5,40,N,\"ab\"\nA84,52,0,2,1,1,N,\"ab\""},
    };
    for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
        struct platen_buffer out[2] = {0};
        for (size_t k = 0; k < 2; k++) {
            char epl[200];
            snprintf(epl, sizeof epl, "N\n%s\nP1\n", PAIRS[i][k]);
            encode(epl, PLATEN_BITONAL, &out[k]);
        }
        assert_int_equal(out[0].size, out[1].size);
        assert_memory_equal(out[0].data, out[1].data, out[0].size);
        platen_buffer_free(&out[0]);
        platen_buffer_free(&out[1]);
    }
}

// Blanks have no ink, but erase.
static void bars_below_blanks_are_told(void **state)
{
    (void)state;
    struct drawn d;
    struct platen_diagnostic f = {0};
    draw_text(&d, "N\nB40,40,0,1,2,4,60,N,\"123456\"\nA60,50,0,4,1,1,N,\"   \"\nP1\n");
    bool told = false;
    for (uint32_t k = 0; platen_page_diagnostic_at(d.page, k, &f) && !told; k++)
        told = strcmp(f.code, "bars_overprinted") == 0 && strstr(f.message, "by the text at 60,50");
    assert_true(told);
    platen_document_free(d.document);
    draw_text(&d, "N\nA60,50,0,4,1,1,N,\"   \"\nB40,40,0,1,2,4,60,N,\"123456\"\nP1\n"); // they were there before
    for (uint32_t k = 0; platen_page_diagnostic_at(d.page, k, &f); k++)
        assert_string_not_equal(f.code, "bars_overprinted");
    platen_document_free(d.document);
}

static void an_input_may_follow_one_of_another_language(void **state)
{
    (void)state;
    static const char ZPL[] = "^XA^PW300^FO1,1^A0N,30^FDz^FS^XZ", EPL[] = "N\nA1,1,0,2,1,1,N,\"e\"\nP1\n";
    struct platen_document *before, *next;
    struct platen_options options = PLATEN_OPTIONS(.copy_input = true);
    assert_int_equal(platen_parse(worker, ZPL, strlen(ZPL), &options, &before, NULL), PLATEN_OK);
    assert_int_equal(platen_document_detach(&before, NULL, NULL), PLATEN_OK);
    options.after = before;
    assert_int_equal(platen_parse(worker, EPL, strlen(EPL), &options, &next, NULL), PLATEN_OK);
    assert_int_equal(platen_document_language(next), PLATEN_LANGUAGE_EPL);
    assert_int_equal(platen_document_detach(&next, NULL, NULL), PLATEN_OK);
    platen_document_free(before);
    options.after = next;
    assert_int_equal(platen_parse(worker, "^XA^FO1,1^A0N,30^FDz^FS^XZ", 26, &options, &before, NULL), PLATEN_OK);
    struct platen_settings settings;
    platen_document_settings(before, &settings);
    assert_int_equal(settings.print_width, 300); // ZPL's own, as its last job left it
    platen_document_free(before);
    platen_document_free(next);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_corner_rotates_with_the_element),
        cmocka_unit_test(pitches_are_exact),
        cmocka_unit_test(reversed_text_has_its_box),
        cmocka_unit_test(a_graphic_is_the_same_in_both_languages),
        cmocka_unit_test(every_barcode_is_read_back),
        cmocka_unit_test(a_pdf417_stands_around_its_middle),
        cmocka_unit_test(the_label_ends_at_q),
        cmocka_unit_test(a_later_text_or_code_replaces_what_is_below),
        cmocka_unit_test(the_text_of_code_39_is_its_data),
        cmocka_unit_test(bars_below_blanks_are_told),
        cmocka_unit_test(an_input_may_follow_one_of_another_language),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
