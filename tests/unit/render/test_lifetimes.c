// Engines, documents and pages that the caller frees in any order. Under AddressSanitizer a use after free ends the
// test.
#include <string.h>

#include "platen/platen.h"
#include "unit.h"

static struct platen_document *parse_detached(struct platen_worker *worker, const char *zpl,
                                              const struct platen_document *after)
{
    struct platen_document *document = NULL;
    struct platen_options options = PLATEN_OPTIONS(.after = after, .want_elements = true);
    assert_int_equal(platen_parse(worker, zpl, strlen(zpl), &options, &document, NULL), PLATEN_OK);
    assert_int_equal(platen_document_detach(&document, NULL, NULL), PLATEN_OK);
    return document;
}

static struct platen_worker *new_worker(struct platen_engine **engine)
{
    struct platen_worker *worker;
    assert_int_equal(platen_engine_new(NULL, engine, NULL), PLATEN_OK);
    assert_int_equal(platen_worker_new(*engine, &worker, NULL), PLATEN_OK);
    return worker;
}

static void detached_documents_dangled_after_engine_free(void **state)
{
    (void)state;
    struct platen_engine *engine;
    struct platen_worker *worker = new_worker(&engine);
    struct platen_document *document = parse_detached(worker, "~DGR:A.GRF,1,1,FF", NULL);
    platen_worker_free(worker);
    platen_engine_free(engine);
    struct platen_stored stored;
    assert_true(platen_stored_at(document, 0, &stored));
    assert_string_equal(stored.name, "R:A.GRF");
    assert_false(stored.preloaded);
    platen_document_free(document);
}

static void documents_are_kept_by_those_after_them(void **state)
{
    (void)state;
    struct platen_engine *engine;
    struct platen_worker *worker = new_worker(&engine);
    platen_engine_free(engine); // the worker keeps it
    struct platen_document *last = parse_detached(worker, "~DGR:A.GRF,1,1,FF", NULL);
    for (int i = 0; i < 3; i++) {
        struct platen_document *next = parse_detached(worker, "^XA^FO9,9^XGR:A.GRF^FS^XZ", last);
        platen_document_free(last);
        last = next;
    }
    struct platen_document *own; // of the worker, which ends with it
    struct platen_options options = PLATEN_OPTIONS(.after = last);
    assert_int_equal(platen_parse(worker, "^XA^XZ", 6, &options, &own, NULL), PLATEN_OK);
    platen_document_free(last);
    struct platen_stored stored;
    assert_true(platen_stored_at(own, 0, &stored));
    assert_string_equal(stored.name, "R:A.GRF");
    platen_worker_free(worker);
}

static uint32_t ink_of(const struct platen_page *page)
{
    struct platen_bitmap bits;
    uint32_t ink = 0;
    platen_page_bitmap(page, &bits);
    for (uint32_t i = 0; i < bits.words_per_row * bits.height; i++)
        ink += (uint32_t)__builtin_popcountll(bits.words[i]);
    return ink;
}

static void pages_became_the_next_one(void **state)
{
    (void)state;
    struct platen_engine *engine;
    struct platen_worker *worker = new_worker(&engine);
    struct platen_document *document =
        parse_detached(worker, "^XA^FO9,9^GB20,10,10^FS^XZ^XA^FO9,9^GB30,10,10^FS^XZ", NULL);
    const struct platen_page *first, *second;
    assert_int_equal(platen_draw(worker, document, 0, &first, NULL), PLATEN_OK);
    assert_int_equal(platen_page_detach(worker, &first, NULL), PLATEN_OK);
    assert_int_equal(platen_page_detach(worker, &first, NULL), PLATEN_OK); // is already
    assert_int_equal(platen_draw(worker, document, 1, &second, NULL), PLATEN_OK);
    assert_int_equal(ink_of(second), 300);
    assert_int_equal(ink_of(first), 200);
    struct platen_buffer png = {0}, again = {0};
    assert_int_equal(platen_encode(worker, first, PLATEN_PNG, NULL, &png, NULL), PLATEN_OK);
    // The page alone is left.
    platen_worker_free(worker);
    platen_document_free(document);
    struct platen_element element;
    assert_true(platen_page_element_at(first, 0, &element));
    assert_string_equal(element.command, "^GB");
    assert_int_equal(platen_worker_new(engine, &worker, NULL), PLATEN_OK);
    platen_engine_free(engine);
    assert_int_equal(platen_encode(worker, first, PLATEN_PNG, NULL, &again, NULL), PLATEN_OK);
    assert_int_equal(png.size, again.size);
    assert_memory_equal(png.data, again.data, png.size);
    platen_worker_free(worker);
    platen_page_free(first);
    platen_page_free(NULL);
    platen_buffer_free(&png);
    platen_buffer_free(&again);
    platen_buffer_free(NULL);
}

static void pages_of_a_workers_document_cannot_outlive_it(void **state)
{
    (void)state;
    struct platen_engine *engine;
    struct platen_worker *worker = new_worker(&engine);
    struct platen_document *document;
    const struct platen_page *page;
    struct platen_error err;
    assert_int_equal(platen_parse(worker, "^XA^FDx^FS^XZ", 13, NULL, &document, NULL), PLATEN_OK);
    assert_int_equal(platen_draw(worker, document, 0, &page, NULL), PLATEN_OK);
    assert_int_equal(platen_page_detach(worker, &page, &err), PLATEN_E_INVALID);
    assert_string_equal(err.message, "the page's document is not detached");
    platen_page_free(page); // no effect
    platen_worker_free(worker);
    platen_engine_free(engine);
}

static void a_page_drawn_before_its_document_was_detached_could_not_be(void **state)
{
    (void)state;
    struct platen_engine *engine;
    struct platen_worker *worker = new_worker(&engine);
    struct platen_document *document;
    const struct platen_page *page;
    struct platen_options options = PLATEN_OPTIONS(.copy_input = true, .want_elements = true);
    assert_int_equal(platen_parse(worker, "^XA^FO9,9^GB20,10,10^FS^XZ", 26, &options, &document, NULL), PLATEN_OK);
    assert_int_equal(platen_draw(worker, document, 0, &page, NULL), PLATEN_OK);
    assert_int_equal(platen_document_detach(&document, NULL, NULL), PLATEN_OK);
    assert_int_equal(platen_page_detach(worker, &page, NULL), PLATEN_OK);
    platen_document_free(document);
    platen_worker_free(worker);
    struct platen_element element;
    assert_int_equal(ink_of(page), 200);
    assert_true(platen_page_element_at(page, 0, &element));
    assert_string_equal(element.command, "^GB");
    platen_page_free(page);
    platen_engine_free(engine);
}

static void input_that_is_copied_may_change(void **state)
{
    (void)state;
    struct platen_engine *engine;
    struct platen_worker *worker = new_worker(&engine);
    char zpl[] = "^XA^FO9,9^BCN,50^FD>:ABC^FS^XZ";
    struct platen_document *document;
    struct platen_options options = PLATEN_OPTIONS(.copy_input = true, .want_elements = true);
    assert_int_equal(platen_parse(worker, zpl, strlen(zpl), &options, &document, NULL), PLATEN_OK);
    memset(zpl, '~', sizeof zpl);
    const struct platen_page *page;
    struct platen_element element;
    assert_int_equal(platen_draw(worker, document, 0, &page, NULL), PLATEN_OK);
    assert_true(platen_page_element_at(page, 0, &element));
    assert_int_equal(element.text_size, 3);
    assert_memory_equal(element.text, "ABC", 3);
    platen_worker_free(worker);
    platen_engine_free(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(detached_documents_dangled_after_engine_free),
                                       cmocka_unit_test(documents_are_kept_by_those_after_them),
                                       cmocka_unit_test(pages_became_the_next_one),
                                       cmocka_unit_test(pages_of_a_workers_document_cannot_outlive_it),
                                       cmocka_unit_test(a_page_drawn_before_its_document_was_detached_could_not_be),
                                       cmocka_unit_test(input_that_is_copied_may_change)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
