// Calls that a binding may get wrong: order, enums, reserved members, sizes. Each is refused, or changes nothing.
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "platen/platen.h"
#include "unit.h"

#include "engine_fixture.h"

static void versions_agree(void **state)
{
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", PLATEN_VERSION_MAJOR, PLATEN_VERSION_MINOR, PLATEN_VERSION_PATCH);
    assert_string_equal(text, PLATEN_VERSION);
    assert_string_equal(platen_version(), PLATEN_VERSION);
}

static void refused(struct platen_options options, const char *message)
{
    struct platen_document *document;
    struct platen_error err = {0};
    assert_int_equal(platen_parse(worker, "^XA^XZ", 6, &options, &document, &err), PLATEN_E_INVALID);
    assert_null(document);
    assert_string_equal(err.message, message);
}

static void options_are_named_as_in_the_header(void **state)
{
    (void)state;
    refused((struct platen_options)PLATEN_OPTIONS(.width_mm = -1), "'width_mm' must be a number above 0");
    refused((struct platen_options)PLATEN_OPTIONS(.height_mm = 0.01), "'height_mm' is less than one dot");
    refused((struct platen_options)PLATEN_OPTIONS(.min_module_mm = -1), "'min_module_mm' must be a number above 0");
    // What is missing to a width of 1e300 overflowed the numbers of descriptions and fixes.
    refused((struct platen_options)PLATEN_OPTIONS(.min_module_mm = 1e300), "'min_module_mm' must be at most 1000");
}

static void enums_out_of_range_were_accepted(void **state)
{
    (void)state;
    refused((struct platen_options)PLATEN_OPTIONS(.profile = (enum platen_profile)7),
            "'profile' must be PLATEN_REFERENCE or PLATEN_PRINTER");
    refused((struct platen_options)PLATEN_OPTIONS(.language = (enum platen_language)7),
            "'language' is none of enum platen_language");
    const char *name, *title;
    struct platen_options options = PLATEN_OPTIONS(.want_elements = true);
    struct platen_document *document;
    struct platen_buffer out = {0};
    assert_int_equal(platen_parse(worker, "^XA^FDx^FS^XZ", 13, &options, &document, NULL), PLATEN_OK);
    assert_int_equal(platen_extract(worker, document, (enum platen_table)9, &out, NULL), PLATEN_E_INVALID);
    assert_int_equal(platen_memory(worker, document, (enum platen_memory_part)9, &out, NULL), PLATEN_E_INVALID);
    platen_document_free(document);
    assert_int_equal(platen_explain(worker, "^XA", 3, 8, (enum platen_table)9, &out, NULL), PLATEN_E_INVALID);
    platen_buffer_free(&out);
    assert_false(platen_language_names(PLATEN_LANGUAGE_DETECT, &name, &title));
    assert_true(platen_language_names(PLATEN_LANGUAGE_ZPL, &name, &title));
    assert_string_equal(name, "zpl");
    assert_int_equal(platen_command_count(PLATEN_LANGUAGE_DETECT), 0);
    assert_true(platen_command_count(PLATEN_LANGUAGE_ZPL) > 200);
}

static void reserved_members_were_ignored(void **state)
{
    (void)state;
    struct platen_options with_reserved = PLATEN_OPTIONS(.dpmm = 8);
    with_reserved.reserved[sizeof with_reserved.reserved - 1] = 1;
    refused(with_reserved, "a reserved member of struct platen_options is not 0");
    struct platen_graphic *graphic;
    struct platen_graphic_options options = PLATEN_GRAPHIC_OPTIONS(.reserved = {1});
    assert_int_equal(platen_graphic_new(engine, "P1 1 1 1", 8, &options, &graphic, NULL), PLATEN_E_INVALID);
    struct platen_engine *other;
    struct platen_engine_options limits = PLATEN_ENGINE_OPTIONS(.reserved = 1);
    assert_int_equal(platen_engine_new(&limits, &other, NULL), PLATEN_E_INVALID);
}

static void results_are_as_large_as_the_caller_says(void **state)
{
    (void)state;
    struct platen_document *document;
    assert_int_equal(platen_parse(worker, "^XA^FDx^FS^XZ", 13, NULL, &document, NULL), PLATEN_OK);
    struct {
        struct platen_label label;
        uint32_t later[2];
    } larger;
    memset(&larger, 0xFF, sizeof larger);
    assert_true((platen_label_at)(document, 0, &larger.label, sizeof larger));
    assert_int_equal(larger.label.length, 13);
    assert_int_equal(larger.later[0] | larger.later[1], 0);
    struct platen_label label = {.length = 77};
    assert_true((platen_label_at)(document, 0, &label, offsetof(struct platen_label, length)));
    assert_int_equal(label.copies, 1);
    assert_int_equal(label.length, 77); // an older caller has no such member
    platen_document_free(document);
}

static void the_pdf_writer_took_calls_in_any_order(void **state)
{
    (void)state;
    struct platen_document *document;
    const struct platen_page *page;
    struct platen_buffer part = {0}, out = {0};
    struct platen_pdf *pdf;
    assert_int_equal(platen_parse(worker, "^XA^FDx^FS^XZ", 13, NULL, &document, NULL), PLATEN_OK);
    assert_int_equal(platen_draw(worker, document, 0, &page, NULL), PLATEN_OK);
    assert_int_equal(platen_pdf_part(worker, page, &part, NULL), PLATEN_OK);
    assert_int_equal(platen_pdf_new(NULL, &out, &pdf, NULL), PLATEN_OK);
    assert_int_equal(platen_pdf_finish(pdf, NULL), PLATEN_E_INVALID);
    // Without copies a part is checked, and nothing is added.
    struct platen_buffer torn = {part.data, part.size - 1, part.capacity};
    size_t before = out.size;
    assert_int_equal(platen_pdf_add(pdf, &part, 0, NULL), PLATEN_OK);
    assert_int_equal(platen_pdf_add(pdf, &torn, 0, NULL), PLATEN_E_INVALID);
    assert_int_equal(platen_pdf_finish(pdf, NULL), PLATEN_E_INVALID);
    assert_int_equal(out.size, before);
    assert_int_equal(platen_pdf_add(pdf, &part, 1, NULL), PLATEN_OK);
    struct platen_pdf_layout layout = PLATEN_PDF_LAYOUT(.columns = 2);
    assert_int_equal(platen_pdf_set_layout(pdf, &layout, NULL), PLATEN_E_INVALID);
    assert_int_equal(platen_pdf_layout_check(&layout, 100, 50, NULL), PLATEN_OK);
    assert_int_equal(platen_pdf_layout_check(&layout, -1, 50, NULL), PLATEN_E_INVALID);
    assert_int_equal(platen_pdf_layout_check(&layout, 100, NAN, NULL), PLATEN_E_INVALID);
    assert_int_equal(platen_pdf_finish(pdf, NULL), PLATEN_OK);
    size_t size = out.size;
    assert_int_equal(platen_pdf_finish(pdf, NULL), PLATEN_E_INVALID);
    assert_int_equal(platen_pdf_add(pdf, &part, 1, NULL), PLATEN_E_INVALID);
    assert_int_equal(out.size, size);
    platen_pdf_free(pdf);
    platen_buffer_free(&part);
    platen_buffer_free(&out);
    platen_document_free(document);
}

static void copies_of_a_pdf_had_no_limit(void **state)
{
    (void)state;
    struct platen_document *document;
    const struct platen_page *page;
    struct platen_buffer part = {0}, out = {0};
    struct platen_pdf *pdf;
    assert_int_equal(platen_parse(worker, "^XA^FDx^FS^XZ", 13, NULL, &document, NULL), PLATEN_OK);
    assert_int_equal(platen_draw(worker, document, 0, &page, NULL), PLATEN_OK);
    assert_int_equal(platen_pdf_part(worker, page, &part, NULL), PLATEN_OK);
    assert_int_equal(platen_pdf_new("", &out, &pdf, NULL), PLATEN_OK);
    assert_int_equal(platen_pdf_add(pdf, &part, UINT32_MAX, NULL), PLATEN_E_LIMIT);
    assert_int_equal(platen_pdf_finish(pdf, NULL), PLATEN_E_INVALID); // it still has no page
    assert_int_equal(platen_pdf_add(pdf, &part, 2, NULL), PLATEN_OK);
    assert_int_equal(platen_pdf_add(pdf, &part, UINT32_MAX - 1, NULL), PLATEN_E_LIMIT);
    assert_int_equal(platen_pdf_finish(pdf, NULL), PLATEN_OK);
    platen_pdf_free(pdf);
    platen_buffer_free(&part);
    platen_buffer_free(&out);
    platen_document_free(document);
}

// A part of a page of so many millimetres.
static struct platen_buffer part_of(double width_mm, double height_mm)
{
    struct platen_options options = PLATEN_OPTIONS(.width_mm = width_mm, .height_mm = height_mm);
    struct platen_document *document;
    const struct platen_page *page;
    struct platen_buffer part = {0};
    assert_int_equal(platen_parse(worker, "^XA^FDx^FS^XZ", 13, &options, &document, NULL), PLATEN_OK);
    assert_int_equal(platen_draw(worker, document, 0, &page, NULL), PLATEN_OK);
    assert_int_equal(platen_pdf_part(worker, page, &part, NULL), PLATEN_OK);
    platen_document_free(document);
    return part;
}

static void a_pdf_went_on_after_a_failure(void **state)
{
    (void)state;
    struct platen_cancel cancel = {0};
    struct platen_buffer part = part_of(100, 50), out = {0};
    struct platen_pdf *pdf;
    assert_int_equal(platen_pdf_new("", &out, &pdf, NULL), PLATEN_OK);
    platen_pdf_set_cancel(pdf, &cancel, 0);
    platen_cancel_set(&cancel);
    assert_int_equal(platen_pdf_add(pdf, &part, 2, NULL), PLATEN_E_CANCELLED);
    platen_cancel_clear(&cancel);
    assert_int_equal(platen_pdf_finish(pdf, NULL), PLATEN_E_INVALID); // it was PLATEN_E_BUG
    assert_int_equal(platen_pdf_add(pdf, &part, 1, NULL), PLATEN_E_INVALID);
    platen_pdf_free(pdf);
    // A page that is too large for the layout had left its picture in the file.
    struct platen_pdf_layout layout = PLATEN_PDF_LAYOUT(.page_width_mm = 105, .page_height_mm = 60);
    struct platen_buffer large = part_of(120, 50);
    assert_int_equal(platen_pdf_new("", &out, &pdf, NULL), PLATEN_OK);
    assert_int_equal(platen_pdf_set_layout(pdf, &layout, NULL), PLATEN_OK);
    size_t before = out.size;
    for (uint32_t copies = 0; copies < 2; copies++)
        assert_int_equal(platen_pdf_add(pdf, &large, copies, NULL), PLATEN_E_INVALID);
    assert_int_equal(out.size, before);
    assert_int_equal(platen_pdf_add(pdf, &part, 1, NULL), PLATEN_OK);
    assert_int_equal(platen_pdf_finish(pdf, NULL), PLATEN_OK);
    platen_pdf_free(pdf);
    platen_buffer_free(&large);
    platen_buffer_free(&part);
    platen_buffer_free(&out);
}

static void a_second_layout_was_mixed_with_the_first(void **state)
{
    (void)state;
    struct platen_buffer out = {0};
    struct platen_pdf *pdf;
    struct platen_pdf_layout sheet = PLATEN_PDF_LAYOUT(.columns = 2), archive = PLATEN_PDF_LAYOUT(.archive = true);
    assert_int_equal(platen_pdf_new("", &out, &pdf, NULL), PLATEN_OK);
    assert_int_equal(platen_pdf_set_layout(pdf, &archive, NULL), PLATEN_OK);
    assert_int_equal(platen_pdf_set_layout(pdf, &sheet, NULL), PLATEN_E_INVALID);
    platen_pdf_free(pdf);
    // An empty place on a page of one label was refused by the check alone.
    struct platen_pdf_layout first = PLATEN_PDF_LAYOUT(.first = 3);
    struct platen_buffer part = part_of(100, 50);
    assert_int_equal(platen_pdf_new("", &out, &pdf, NULL), PLATEN_OK);
    assert_int_equal(platen_pdf_set_layout(pdf, &first, NULL), PLATEN_OK);
    assert_int_equal(platen_pdf_add(pdf, &part, 0, NULL), platen_pdf_layout_check(&first, 100, 50, NULL));
    assert_int_equal(platen_pdf_add(pdf, &part, 0, NULL), PLATEN_E_INVALID);
    platen_pdf_free(pdf);
    platen_buffer_free(&part);
    platen_buffer_free(&out);
}

static void a_buffer_freed_after_it_was_taken_was_used(void **state)
{
    (void)state;
    struct platen_buffer part = part_of(100, 50), out = {0};
    struct platen_pdf *pdf;
    assert_int_equal(platen_pdf_new("", &out, &pdf, NULL), PLATEN_OK);
    assert_int_equal(platen_pdf_add(pdf, &part, 1, NULL), PLATEN_OK);
    platen_pdf_take(pdf);
    platen_buffer_free(&out);
    assert_int_equal(platen_pdf_add(pdf, &part, 1, NULL), PLATEN_OK);
    assert_non_null(out.data);
    // Bytes that nobody took are missed.
    platen_buffer_free(&out);
    assert_int_equal(platen_pdf_add(pdf, &part, 1, NULL), PLATEN_E_INVALID);
    assert_int_equal(platen_pdf_finish(pdf, NULL), PLATEN_E_INVALID);
    platen_pdf_free(pdf);
    platen_buffer_free(&part);
}

static void a_page_detached_twice_crashed(void **state)
{
    (void)state;
    struct platen_document *document;
    const struct platen_page *page, *own;
    struct platen_buffer out = {0};
    struct platen_snapshot *snapshot;
    assert_int_equal(platen_parse(worker, "^XA^FDx^FS^XZ", 13, NULL, &document, NULL), PLATEN_OK);
    assert_int_equal(platen_document_detach(&document, NULL, NULL), PLATEN_OK);
    assert_int_equal(platen_draw(worker, document, 0, &page, NULL), PLATEN_OK);
    own = page;
    assert_int_equal(platen_page_detach(worker, &own, NULL), PLATEN_OK);
    struct platen_error err;
    assert_int_equal(platen_page_detach(worker, &page, &err), PLATEN_E_INVALID);
    assert_string_equal(err.message, "the page is gone: its worker was trimmed, drew again or detached it");
    // Most of these gave PLATEN_OK, and files without a dot.
    assert_int_equal(platen_encode(worker, page, PLATEN_JPEG, NULL, &out, NULL), PLATEN_E_INVALID);
    assert_int_equal(platen_pdf_part(worker, page, &out, NULL), PLATEN_E_INVALID);
    assert_int_equal(platen_snapshot_new(page, &snapshot, NULL), PLATEN_E_INVALID);
    assert_int_equal(platen_describe_page(worker, document, page, NULL, &out, &err), PLATEN_E_INVALID);
    assert_memory_equal(err.message, "the page is gone", 16);
    assert_int_equal(platen_page_detach(worker, &own, NULL), PLATEN_OK);
    platen_page_free(own);
    platen_document_free(document);
    platen_buffer_free(&out);
}

static void a_page_was_described_as_one_of_another_document(void **state)
{
    (void)state;
    struct platen_worker *other;
    struct platen_document *one, *two;
    const struct platen_page *page;
    struct platen_buffer out = {0};
    struct platen_error err;
    assert_int_equal(platen_worker_new(engine, &other, NULL), PLATEN_OK);
    assert_int_equal(platen_parse(worker, "^XA^FDx^FS^XZ^XA^FDx^FS^XZ", 26, NULL, &one, NULL), PLATEN_OK);
    assert_int_equal(platen_parse(other, "^XA^FDx^FS^XZ", 13, NULL, &two, NULL), PLATEN_OK);
    assert_int_equal(platen_draw(worker, one, 1, &page, NULL), PLATEN_OK);
    // It has no second label: what lay behind the numbers of its labels was read.
    assert_int_equal(platen_describe_page(other, two, page, NULL, &out, &err), PLATEN_E_INVALID);
    assert_string_equal(err.message, "the page is of another document");
    assert_int_equal(platen_describe_page(other, one, page, NULL, &out, NULL), PLATEN_OK);
    platen_buffer_free(&out);
    platen_worker_free(other);
    platen_document_free(one);
}

static void a_size_that_cuts_a_pointer_crashed(void **state)
{
    (void)state;
    struct platen_options options = PLATEN_OPTIONS(.rules = "none", .printer_model = "none");
    struct platen_document *document;
    for (size_t cut = 1; cut < sizeof(void *); cut++) {
        options.size = sizeof options - cut;
        assert_int_equal(platen_parse(worker, "^XA^XZ", 6, &options, &document, NULL), PLATEN_E_INVALID);
        options.size = offsetof(struct platen_options, rules) + sizeof options.rules - cut;
        assert_int_equal(platen_parse(worker, "^XA^XZ", 6, &options, &document, NULL), PLATEN_E_INVALID);
    }
}

static void pdf_explain_and_compare_could_not_be_cancelled(void **state)
{
    (void)state;
    struct platen_cancel cancel = {0};
    struct platen_document *document;
    const struct platen_page *page;
    struct platen_snapshot *snapshot;
    struct platen_comparison *comparison;
    struct platen_buffer part = {0}, out = {0};
    struct platen_pdf *pdf;
    assert_int_equal(platen_parse(worker, "^XA^FDx^FS^XZ", 13, NULL, &document, NULL), PLATEN_OK);
    assert_int_equal(platen_draw(worker, document, 0, &page, NULL), PLATEN_OK);
    assert_int_equal(platen_pdf_part(worker, page, &part, NULL), PLATEN_OK);
    assert_int_equal(platen_snapshot_new(page, &snapshot, NULL), PLATEN_OK);

    assert_int_equal(platen_pdf_new("", &out, &pdf, NULL), PLATEN_OK);
    platen_pdf_set_cancel(pdf, &cancel, 0);
    assert_int_equal(platen_pdf_add(pdf, &part, 1, NULL), PLATEN_OK);
    struct platen_compare_options options = PLATEN_COMPARE_OPTIONS(.cancel = &cancel);
    assert_int_equal(platen_compare(snapshot, snapshot, &options, &comparison, NULL), PLATEN_OK);

    platen_cancel_set(&cancel);
    assert_int_equal(platen_pdf_finish(pdf, NULL), PLATEN_E_CANCELLED);
    platen_pdf_free(pdf);
    assert_int_equal(platen_comparison_picture(comparison, &out, NULL), PLATEN_E_CANCELLED);
    platen_comparison_free(comparison);
    assert_int_equal(platen_compare(snapshot, snapshot, &options, &comparison, NULL), PLATEN_E_CANCELLED);
    options = (struct platen_compare_options)PLATEN_COMPARE_OPTIONS(.deadline_ns = 1);
    assert_int_equal(platen_compare(snapshot, snapshot, &options, &comparison, NULL), PLATEN_E_DEADLINE);

    platen_worker_set_cancel(worker, &cancel, 0);
    assert_int_equal(platen_explain(worker, "^XA^XZ", 6, 8, PLATEN_TABLE_TEXT, &out, NULL), PLATEN_E_CANCELLED);
    platen_worker_set_cancel(worker, NULL, 1);
    assert_int_equal(platen_explain(worker, "^XA^XZ", 6, 8, PLATEN_TABLE_TEXT, &out, NULL), PLATEN_E_DEADLINE);
    platen_worker_set_cancel(worker, NULL, 0);
    assert_int_equal(platen_explain(worker, "^XA^XZ", 6, 8, PLATEN_TABLE_TEXT, &out, NULL), PLATEN_OK);
    platen_snapshot_free(snapshot);
    platen_buffer_free(&part);
    platen_buffer_free(&out);
    platen_document_free(document);
}

static void extract_and_verify_without_elements_gave_nothing(void **state)
{
    (void)state;
    refused((struct platen_options)PLATEN_OPTIONS(.verify = true), "'verify' needs 'want_elements'");
    struct platen_document *document;
    struct platen_buffer out = {0};
    struct platen_error err = {0};
    assert_int_equal(platen_parse(worker, "^XA^FDx^FS^XZ", 13, NULL, &document, NULL), PLATEN_OK);
    assert_int_equal(platen_extract(worker, document, PLATEN_TABLE_CSV, &out, &err), PLATEN_E_INVALID);
    assert_string_equal(err.message, "the document was parsed without want_elements");
    platen_buffer_free(&out);
    platen_document_free(document);
}

static void rows_of_any_size_were_read(void **state)
{
    (void)state;
    struct platen_rewritten *rewritten;
    struct platen_rewrite_options options = PLATEN_REWRITE_OPTIONS(.rows = "a", .rows_size = SIZE_MAX);
    assert_int_equal(platen_rewrite(worker, "^XA^XZ", 6, &options, &rewritten, NULL), PLATEN_E_LIMIT);
}

static void errno_was_set_to_0(void **state)
{
    (void)state;
    struct platen_document *document;
    errno = EDOM;
    assert_int_equal(platen_parse(worker, "^XA^FDx^FS^XZ", 13, NULL, &document, NULL), PLATEN_OK);
    assert_int_equal(errno, EDOM);
    const struct platen_page *page;
    struct platen_buffer out = {0};
    assert_int_equal(platen_draw(worker, document, 0, &page, NULL), PLATEN_OK);
    assert_int_equal(errno, EDOM);
    for (unsigned format = PLATEN_PNG; format <= PLATEN_PDF; format++)
        assert_int_equal(platen_encode(worker, page, (enum platen_format)format, NULL, &out, NULL), PLATEN_OK);
    assert_int_equal(errno, EDOM);
    platen_document_free(document);
    struct platen_rewritten *rewritten;
    assert_int_equal(platen_rewrite(worker, "^XA^FO1,1^FDx^FS^XZ", 19, NULL, &rewritten, NULL), PLATEN_OK);
    platen_rewritten_free(rewritten);
    assert_int_equal(platen_explain(worker, "^XA^FO1,1^XZ", 12, 8, PLATEN_TABLE_TEXT, &out, NULL), PLATEN_OK);
    struct platen_graphic *graphic;
    assert_int_equal(platen_graphic_new(engine, "P1 1 1 1", 8, NULL, &graphic, NULL), PLATEN_OK);
    platen_graphic_free(graphic);
    assert_int_equal(errno, EDOM);
    platen_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(versions_agree),
                                       cmocka_unit_test(options_are_named_as_in_the_header),
                                       cmocka_unit_test(enums_out_of_range_were_accepted),
                                       cmocka_unit_test(reserved_members_were_ignored),
                                       cmocka_unit_test(results_are_as_large_as_the_caller_says),
                                       cmocka_unit_test(the_pdf_writer_took_calls_in_any_order),
                                       cmocka_unit_test(copies_of_a_pdf_had_no_limit),
                                       cmocka_unit_test(a_pdf_went_on_after_a_failure),
                                       cmocka_unit_test(a_second_layout_was_mixed_with_the_first),
                                       cmocka_unit_test(a_buffer_freed_after_it_was_taken_was_used),
                                       cmocka_unit_test(a_page_detached_twice_crashed),
                                       cmocka_unit_test(a_page_was_described_as_one_of_another_document),
                                       cmocka_unit_test(a_size_that_cuts_a_pointer_crashed),
                                       cmocka_unit_test(pdf_explain_and_compare_could_not_be_cancelled),
                                       cmocka_unit_test(extract_and_verify_without_elements_gave_nothing),
                                       cmocka_unit_test(rows_of_any_size_were_read),
                                       cmocka_unit_test(errno_was_set_to_0)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
