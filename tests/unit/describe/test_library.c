// libplaten.so as other programs have it: descriptions, options of older and newer programs, cancellation, fonts of the
// caller.
#include <platen/platen.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "engine_fixture.h"

#define FONT "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf" // the build embeds it, so it is there
#define OMEGA "\xCE\xA9"                                           // in the program's bold face, not in font 0
#define CHINESE "\xE4\xB8\xAD"                                     // no font of the program has it

static struct platen_document *parse(const char *zpl, const struct platen_options *options)
{
    struct platen_document *document;
    struct platen_error err;
    if (platen_parse(worker, zpl, strlen(zpl), options, &document, &err) != PLATEN_OK)
        fail_msg("%s", err.message);
    return document;
}

static bool has(const struct platen_buffer *json, const char *part)
{
    return strstr((const char *)json->data, part) != NULL;
}

// ---- descriptions

static const char TWO_LABELS[] = "^XA^FO10,20^A0N,30^FDHi \"you\"^FS^PQ2^XZ\n^XA^FO5,5^BY2^BCN,40,N^FD12^FS^QQ^XZ";

static void a_document_is_described_with_all_pages_elements_and_warnings(void **state)
{
    (void)state;
    const struct platen_options options = PLATEN_OPTIONS(.width_mm = 50.8, .height_mm = 25.4, .want_elements = true);
    const struct platen_describe_options plain = PLATEN_DESCRIBE_OPTIONS(.no_png = true);
    struct platen_document *document = parse(TWO_LABELS, &options);
    struct platen_buffer json = {0};
    assert_int_equal(platen_describe(worker, document, &plain, &json, NULL), PLATEN_OK);
    assert_int_equal(strlen((const char *)json.data), json.size);
    assert_true(has(&json,
                    "{\"ok\":true,\"format\":\"json\",\"language\":\"zpl\",\"widthMm\":50.8,\"heightMm\":25.4,\"dpmm\":"
                    "8,\"widthPx\":406,"
                    "\"heightPx\":203,\"rotation\":0,\"quality\":\"bitonal\",\"count\":3,\"labels\":[{\"index\":0,"
                    "\"copies\":1,\"elements\":[{\"type\":\"text\",\"command\":\"^A0\","));
    assert_true(has(&json, "\"data\":\"Hi \\\"you\\\"\""));
    assert_true(has(&json, "{\"index\":2,\"copies\":1,\"elements\":[{\"type\":\"barcode\""));
    assert_true(has(&json, "\"symbology\":\"code128\",\"moduleDots\":2,\"moduleMm\":0.25,"));
    // Once with its label, once with all.
    const char *first = strstr((const char *)json.data, "\"code\":\"unknown_command\"");
    assert_non_null(first);
    assert_non_null(strstr(first + 1, "\"code\":\"unknown_command\""));
    assert_false(has(&json, "moduleOk"));
    assert_false(has(&json, "iVBOR"));

    platen_document_free(document);
    const struct platen_options narrow = PLATEN_OPTIONS(.want_elements = true, .min_module_mm = 0.3);
    document = parse(TWO_LABELS, &narrow);
    assert_int_equal(platen_describe(worker, document, NULL, &json, NULL), PLATEN_OK);
    assert_true(has(&json, "\"moduleOk\":false"));
    assert_true(
        has(&json, "\"code\":\"module_below_minimum\",\"severity\":\"warning\",\"command\":\"^BC\",\"offset\":"));
    assert_true(has(&json, "\"line\":2,"));
    assert_true(has(&json, "\"mimeType\":\"image/png\",\"encoding\":\"base64\",\"data\":\"iVBOR"));
    platen_document_free(document);
    platen_buffer_free(&json);
}

static void a_page_is_described_as_the_document_has_it(void **state)
{
    (void)state;
    const struct platen_options options = PLATEN_OPTIONS(.want_elements = true, .collapse_copies = true);
    struct platen_document *document = parse(TWO_LABELS, &options);
    struct platen_buffer whole = {0}, one = {0};
    const struct platen_page *page;
    assert_int_equal(platen_describe(worker, document, NULL, &whole, NULL), PLATEN_OK);
    for (uint32_t label = 0; label < 2; label++) {
        assert_int_equal(platen_draw(worker, document, label, &page, NULL), PLATEN_OK);
        assert_int_equal(platen_describe_page(worker, document, page, NULL, &one, NULL), PLATEN_OK);
        assert_true(has(&whole, (const char *)one.data));
        assert_int_equal(one.data[0], '{');
        assert_int_equal(one.data[one.size - 1], '}');
    }
    assert_true(has(&whole, "\"count\":2,\"labels\":[{\"index\":0,\"copies\":2,"));
    platen_document_free(document);
    platen_buffer_free(&whole);
    platen_buffer_free(&one);
}

static void a_page_has_its_number_in_the_document(void **state)
{
    (void)state;
    struct platen_document *document = parse(TWO_LABELS, NULL); // two copies of the first label
    struct platen_buffer one = {0};
    const struct platen_page *page;
    assert_int_equal(platen_draw(worker, document, 1, &page, NULL), PLATEN_OK);
    assert_int_equal(platen_describe_page(worker, document, page, NULL, &one, NULL), PLATEN_OK);
    assert_memory_equal(one.data, "{\"index\":2,", 11);
    platen_document_free(document);
    platen_buffer_free(&one);
}

static void a_document_without_labels_is_described(void **state)
{
    (void)state;
    struct platen_document *document = parse("^XA^XZ", NULL);
    struct platen_buffer json = {0};
    assert_int_equal(platen_describe(worker, document, NULL, &json, NULL), PLATEN_OK);
    assert_true(has(&json, "\"count\":0,\"labels\":[],\"warnings\":["));
    platen_document_free(document);
    platen_buffer_free(&json);
}

static void a_description_is_bounded(void **state)
{
    (void)state;
    const struct platen_engine_options options = PLATEN_ENGINE_OPTIONS(.arena_bytes = 8 << 20);
    struct platen_engine *small;
    struct platen_worker *own;
    struct platen_document *document;
    struct platen_buffer json = {0};
    char zpl[120000];
    int length = snprintf(zpl, sizeof zpl, "^XA^FO5,5^BQN,2,2^FDQA,");
    for (int i = 0; i < 1000; i++)
        length += snprintf(zpl + length, sizeof zpl - (size_t)length, "%d", i);
    length += snprintf(zpl + length, sizeof zpl - (size_t)length, "^FS");
    for (int i = 0; i < 300; i++)
        length += snprintf(zpl + length, sizeof zpl - (size_t)length, "^FO9,9^A0N,9^FDtext %d of many^FS", i);
    length += snprintf(zpl + length, sizeof zpl - (size_t)length, "^PQ500^XZ");
    assert_int_equal(platen_engine_new(&options, &small, NULL), PLATEN_OK);
    assert_int_equal(platen_worker_new(small, &own, NULL), PLATEN_OK);
    const struct platen_options label = PLATEN_OPTIONS(.want_elements = true);
    assert_int_equal(platen_parse(own, zpl, (size_t)length, &label, &document, NULL), PLATEN_OK);
    assert_int_equal(platen_describe(own, document, NULL, &json, NULL), PLATEN_E_LIMIT);
    assert_int_equal(json.size, 0);
    platen_document_free(document);
    platen_buffer_free(&json);
    platen_worker_free(own);
    platen_engine_free(small);
}

static void a_description_obeys_the_deadline_and_leaves_an_empty_buffer(void **state)
{
    (void)state;
    struct platen_document *document = parse(TWO_LABELS, NULL);
    struct platen_buffer json = {0};
    assert_int_equal(platen_describe(worker, document, NULL, &json, NULL), PLATEN_OK);
    platen_document_set_deadline(document, 1);
    assert_int_equal(platen_describe(worker, document, NULL, &json, NULL), PLATEN_E_DEADLINE);
    assert_int_equal(json.size, 0);
    platen_document_free(document);
    platen_buffer_free(&json);
}

// ---- options that start with their size

// The options of a program that was built when they ended after dpmm.
struct older_options {
    size_t size;
    double width_mm, height_mm, dpmm;
};

// And of one that knows an option more.
struct newer_options {
    struct platen_options known;
    uint64_t later;
};

static void options_of_an_older_program_get_the_defaults_for_the_rest(void **state)
{
    (void)state;
    // What lies behind them belongs to something else.
    struct {
        struct older_options options;
        unsigned char other[sizeof(struct platen_options)];
    } older = {.options = {.size = sizeof(struct older_options), .width_mm = 25.4, .dpmm = 12}};
    memset(older.other, 0xFF, sizeof older.other);
    struct platen_document *document = parse("^XA^FO0,0^GB9,9^FS^XZ", (const struct platen_options *)&older.options);
    const struct platen_page *page;
    struct platen_bitmap bitmap;
    assert_int_equal(platen_draw(worker, document, 0, &page, NULL), PLATEN_OK);
    platen_page_bitmap(page, &bitmap);
    assert_int_equal(bitmap.width, 304);
    assert_int_equal(bitmap.height, 1824);
    assert_false(bitmap.grey);
    platen_document_free(document);
}

static void options_of_a_newer_program_serve_unless_it_uses_what_is_new(void **state)
{
    (void)state;
    struct newer_options newer = {.known = {.size = sizeof newer, .dpmm = 6}};
    struct platen_document *document;
    struct platen_error err = {0};
    assert_int_equal(platen_parse(worker, "", 0, &newer.known, &document, &err), PLATEN_OK);
    platen_document_free(document);
    newer.later = 1;
    assert_int_equal(platen_parse(worker, "", 0, &newer.known, &document, &err), PLATEN_E_INVALID);
    assert_non_null(strstr(err.message, "struct platen_options has an option that libplaten "));
}

static void options_without_a_size_are_refused(void **state)
{
    (void)state;
    struct platen_error err = {0};
    struct platen_document *document;
    struct platen_engine *other;
    struct platen_buffer out = {0};
    const struct platen_page *page;
    const struct platen_options options = {.dpmm = 8};
    const struct platen_engine_options engine_options = {.labels = 8};
    const struct platen_encode_options encode_options = {.jpeg_quality = 8};
    const struct platen_describe_options describe_options = {.no_png = true};
    assert_int_equal(platen_parse(worker, "", 0, &options, &document, &err), PLATEN_E_INVALID);
    assert_string_equal(err.message, "the size of struct platen_options is not set");
    const struct platen_options rubbish = {.size = SIZE_MAX / 2, .dpmm = 8};
    assert_int_equal(platen_parse(worker, "", 0, &rubbish, &document, &err), PLATEN_E_INVALID);
    assert_string_equal(err.message, "the size of struct platen_options is not set");
    assert_int_equal(platen_engine_new(&engine_options, &other, &err), PLATEN_E_INVALID);
    assert_null(other);
    document = parse("^XA^FO0,0^GB9,9^FS^XZ", NULL);
    assert_int_equal(platen_draw(worker, document, 0, &page, &err), PLATEN_OK);
    assert_int_equal(platen_encode(worker, page, PLATEN_JPEG, &encode_options, &out, &err), PLATEN_E_INVALID);
    assert_int_equal(platen_describe(worker, document, &describe_options, &out, &err), PLATEN_E_INVALID);
    assert_int_equal(platen_describe_page(worker, document, page, &describe_options, &out, &err), PLATEN_E_INVALID);
    platen_document_free(document);
    platen_buffer_free(&out);
}

static void a_request_to_stop_can_be_made_and_taken_back(void **state)
{
    (void)state;
    struct platen_cancel cancel = {0};
    const struct platen_options options = PLATEN_OPTIONS(.cancel = &cancel);
    struct platen_document *document = parse("^XA^FO50,50^A0N,80^FDHello^FS^XZ", &options);
    const struct platen_page *page;
    platen_cancel_set(&cancel);
    assert_true(platen_cancel_is_set(&cancel));
    assert_int_equal(platen_draw(worker, document, 0, &page, NULL), PLATEN_E_CANCELLED);
    platen_cancel_clear(&cancel);
    assert_false(platen_cancel_is_set(&cancel));
    assert_int_equal(platen_draw(worker, document, 0, &page, NULL), PLATEN_OK);
    platen_document_free(document);
}

// ---- fonts of the caller

struct fonts {
    uint32_t count, asked;
    void *data;
    size_t size;
    uint32_t height_1000;
};

static bool font_at(void *context, uint32_t index, struct platen_font *out)
{
    struct fonts *fonts = context;
    fonts->asked++;
    if (index >= fonts->count)
        return false;
    assert_null(out->data);
    *out = (struct platen_font){
        .name = "DejaVuSansMono.ttf", .data = fonts->data, .size = fonts->size, .height_1000 = fonts->height_1000};
    return true;
}

#define LARGEST_FILE ((size_t)4 << 20)
static void read_font(struct fonts *fonts)
{
    FILE *in = fopen(FONT, "rb");
    assert_non_null(in);
    fonts->data = malloc(LARGEST_FILE);
    assert_non_null(fonts->data);
    fonts->size = fread(fonts->data, 1, LARGEST_FILE, in);
    assert_true(fonts->size > 1000);
    fclose(in);
}

// Draws a character by an engine with these fonts: how many findings there are, and the dots that have ink.
static uint32_t draw_with(struct fonts *fonts, const char *text, uint32_t *ink)
{
    const struct platen_engine_options options = PLATEN_ENGINE_OPTIONS(.font_at = font_at, .font_context = fonts);
    struct platen_engine *own;
    struct platen_worker *drawer;
    struct platen_document *document;
    const struct platen_page *page;
    struct platen_bitmap bitmap;
    char zpl[128];
    int n = snprintf(zpl, sizeof zpl, "^XA^CI28^FO100,200^A0N,80^FD%s^FS^XZ", text);
    fonts->asked = 0;
    assert_int_equal(platen_engine_new(&options, &own, NULL), PLATEN_OK);
    assert_int_equal(fonts->asked, fonts->count + 1);
    assert_int_equal(platen_worker_new(own, &drawer, NULL), PLATEN_OK);
    assert_int_equal(platen_parse(drawer, zpl, (size_t)n, NULL, &document, NULL), PLATEN_OK);
    assert_int_equal(platen_draw(drawer, document, 0, &page, NULL), PLATEN_OK);
    platen_page_bitmap(page, &bitmap);
    *ink = 0;
    for (size_t i = 0; i < (size_t)bitmap.words_per_row * bitmap.height; i++)
        *ink += (uint32_t)__builtin_popcountll(bitmap.words[i]);
    uint32_t found = platen_page_diagnostic_count(page);
    struct platen_diagnostic d;
    if (platen_page_diagnostic_at(page, 0, &d)) {
        assert_string_equal(d.code, "glyph_missing");
        assert_null(strstr(d.message, "Install")); // the system's packages are of no help
    }
    platen_document_free(document);
    platen_worker_free(drawer);
    platen_engine_free(own);
    return found;
}

static void without_fonts_only_those_of_the_program_are_searched(void **state)
{
    (void)state;
    struct fonts none = {.count = 0};
    uint32_t ink;
    assert_int_equal(draw_with(&none, "A", &ink), 0); // font 0
    assert_true(ink > 0);
    assert_int_equal(draw_with(&none, OMEGA, &ink), 0);
    assert_int_equal(draw_with(&none, CHINESE, &ink), 1);
    assert_int_equal(draw_with(&none, "\xD7\x90", &ink), 1); // Alef
}

static void a_font_of_the_caller_is_searched_before_those_of_the_program(void **state)
{
    (void)state;
    struct fonts none = {.count = 0}, one = {.count = 1}, larger = {.count = 1, .height_1000 = 2000};
    uint32_t without, with, large;
    read_font(&one);
    larger.data = one.data;
    larger.size = one.size;
    // The caller's is lighter than the bold face.
    assert_int_equal(draw_with(&none, OMEGA, &without), 0);
    assert_int_equal(draw_with(&one, OMEGA, &with), 0);
    assert_int_equal(draw_with(&larger, OMEGA, &large), 0);
    assert_true(with < without);
    assert_true(large > 2 * with);
    free(one.data);
}

static void characters_that_the_labels_fonts_lack_are_told_for_the_last_document(void **state)
{
    (void)state;
    static const char ZPL[] =
        "^XA^CI28^FO1,1^A0N,40^FDa" CHINESE "b" OMEGA CHINESE "^FS^XZ^XA^FO1,1^A0N,40^FDplain^FS^XZ";
    struct platen_document *document;
    const struct platen_page *page;
    uint32_t found[4] = {0}, count = 0;
    assert_int_equal(platen_parse(worker, ZPL, sizeof ZPL - 1, NULL, &document, NULL), PLATEN_OK);
    assert_int_equal(platen_draw(worker, document, 0, &page, NULL), PLATEN_OK);
    while (count < 4 && platen_worker_searched_at(worker, count, &found[count]))
        count++;
    assert_int_equal(count, 2);
    assert_true(found[0] >= 0x3400 && found[1] == 0x3A9);
    platen_document_free(document);
    // The next document starts with none.
    assert_int_equal(platen_parse(worker, ZPL, sizeof ZPL - 1, NULL, &document, NULL), PLATEN_OK);
    assert_int_equal(platen_draw(worker, document, 1, &page, NULL), PLATEN_OK);
    assert_false(platen_worker_searched_at(worker, 0, &found[0]));
    platen_document_free(document);
}

static void characters_that_a_page_lacks_are_told_for_it_alone(void **state)
{
    (void)state;
    static const char ZPL[] =
        "^XA^CI28^FO1,1^A0N,40^FD" OMEGA "^FS^XZ^XA^FO1,1^A0N,40^FDplain^FS^XZ^XA^CI28^FO1,1^A0N,40^FD" OMEGA "^FS^XZ";
    struct platen_document *document;
    const struct platen_page *page;
    uint32_t found;
    assert_int_equal(platen_parse(worker, ZPL, sizeof ZPL - 1, NULL, &document, NULL), PLATEN_OK);
    for (uint32_t i = 0; i < 3; i++) {
        platen_worker_forget_searched(worker);
        assert_int_equal(platen_draw(worker, document, i, &page, NULL), PLATEN_OK);
        assert_int_equal(platen_worker_searched_at(worker, 0, &found), i != 1);
    }
    platen_document_free(document);
}

static void a_font_file_is_checked(void **state)
{
    (void)state;
    struct fonts one = {.count = 1};
    read_font(&one);
    struct platen_font font = {.name = "a.ttf", .data = one.data, .size = one.size};
    assert_int_equal(platen_font_check(&font, NULL), PLATEN_OK);
    font.size /= 2;
    assert_int_equal(platen_font_check(&font, NULL), PLATEN_E_INVALID);
    font = (struct platen_font){.data = "<!doctype html>", .size = 15};
    assert_int_equal(platen_font_check(&font, NULL), PLATEN_E_INVALID);
    font.size = 0;
    assert_int_equal(platen_font_check(&font, NULL), PLATEN_E_INVALID);
    free(one.data);
}

static void more_fonts_than_can_be_searched_are_refused(void **state)
{
    (void)state;
    struct fonts many = {.count = UINT32_MAX, .data = (void *)(uintptr_t) "no font", .size = 7};
    const struct platen_engine_options options = PLATEN_ENGINE_OPTIONS(.font_at = font_at, .font_context = &many);
    struct platen_engine *own;
    struct platen_error err = {0};
    assert_int_equal(platen_engine_new(&options, &own, &err), PLATEN_E_LIMIT);
    assert_null(own);
    // Files that are no fonts are of no use, and do no harm.
    uint32_t ink;
    many.count = 3;
    assert_int_equal(draw_with(&many, CHINESE, &ink), 1);
    assert_true(ink > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_document_is_described_with_all_pages_elements_and_warnings),
        cmocka_unit_test(a_page_has_its_number_in_the_document),
        cmocka_unit_test(a_document_without_labels_is_described),
        cmocka_unit_test(a_description_is_bounded),
        cmocka_unit_test(a_page_is_described_as_the_document_has_it),
        cmocka_unit_test(a_description_obeys_the_deadline_and_leaves_an_empty_buffer),
        cmocka_unit_test(options_of_an_older_program_get_the_defaults_for_the_rest),
        cmocka_unit_test(options_of_a_newer_program_serve_unless_it_uses_what_is_new),
        cmocka_unit_test(options_without_a_size_are_refused),
        cmocka_unit_test(a_request_to_stop_can_be_made_and_taken_back),
        cmocka_unit_test(without_fonts_only_those_of_the_program_are_searched),
        cmocka_unit_test(a_font_of_the_caller_is_searched_before_those_of_the_program),
        cmocka_unit_test(characters_that_the_labels_fonts_lack_are_told_for_the_last_document),
        cmocka_unit_test(characters_that_a_page_lacks_are_told_for_it_alone),
        cmocka_unit_test(a_font_file_is_checked),
        cmocka_unit_test(more_fonts_than_can_be_searched_are_refused),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
