// NULL where a call needs an object, as a binding may give it: refused by name, never a crash.
#include <string.h>

#include "platen/platen.h"
#include "unit.h"

#include "engine_fixture.h"

static struct platen_document *document;
static const struct platen_page *page;
static struct platen_snapshot *snapshot;
static struct platen_comparison *comparison;

static const char LABEL[] = "^XA^FO10,10^A0N,30^FDx^FS^XZ";

static int set_up(void **state)
{
    struct platen_options options = PLATEN_OPTIONS(.want_elements = true);
    return engine_set_up(state) != 0 ||
           platen_parse(worker, LABEL, strlen(LABEL), &options, &document, NULL) != PLATEN_OK ||
           platen_draw(worker, document, 0, &page, NULL) != PLATEN_OK ||
           platen_snapshot_new(page, &snapshot, NULL) != PLATEN_OK ||
           platen_compare(snapshot, snapshot, NULL, &comparison, NULL) != PLATEN_OK;
}

static int tear_down(void **state)
{
    platen_comparison_free(comparison);
    platen_snapshot_free(snapshot);
    platen_document_free(document);
    return engine_tear_down(state);
}

#define REFUSED(function, ...)                                                                                         \
    do {                                                                                                               \
        struct platen_error err = {0};                                                                                 \
        assert_int_equal(function(__VA_ARGS__, &err), PLATEN_E_INVALID);                                               \
        assert_int_equal(err.status, PLATEN_E_INVALID);                                                                \
        assert_non_null(strstr(err.message, #function " was given NULL"));                                             \
        assert_int_equal(function(__VA_ARGS__, NULL), PLATEN_E_INVALID);                                               \
    } while (0)

static void calls_on_null_crashed_while_rendering(void **state)
{
    (void)state;
    struct platen_document *no_document = document, *none = NULL;
    const struct platen_page *no_page = NULL;
    struct platen_worker *no_worker = NULL;
    struct platen_buffer buffer = {0};
    uint32_t w, h;
    REFUSED(platen_engine_new, NULL, NULL);
    REFUSED(platen_worker_new, NULL, &no_worker);
    REFUSED(platen_worker_new, engine, NULL);
    REFUSED(platen_font_check, NULL);
    REFUSED(platen_size_in_dots, NULL, NULL, &w, &h);
    REFUSED(platen_size_in_dots, engine, NULL, NULL, &h);
    REFUSED(platen_size_in_dots, engine, NULL, &w, NULL);
    REFUSED(platen_parse, NULL, "", 0, NULL, &no_document);
    assert_null(no_document);
    REFUSED(platen_parse, worker, NULL, 5, NULL, &no_document);
    REFUSED(platen_parse, worker, "", 0, NULL, NULL);
    REFUSED(platen_document_detach, NULL, NULL);
    REFUSED(platen_document_detach, &none, NULL);
    REFUSED(platen_draw, NULL, document, 0, &no_page);
    REFUSED(platen_draw, worker, NULL, 0, &no_page);
    REFUSED(platen_draw, worker, document, 0, NULL);
    REFUSED(platen_page_detach, NULL, &page);
    REFUSED(platen_page_detach, worker, NULL);
    REFUSED(platen_page_detach, worker, &no_page);
    REFUSED(platen_encode, NULL, page, PLATEN_PNG, NULL, &buffer);
    REFUSED(platen_encode, worker, NULL, PLATEN_PNG, NULL, &buffer);
    REFUSED(platen_encode, worker, page, PLATEN_PNG, NULL, NULL);
    REFUSED(platen_describe, NULL, document, NULL, &buffer);
    REFUSED(platen_describe, worker, NULL, NULL, &buffer);
    REFUSED(platen_describe, worker, document, NULL, NULL);
    REFUSED(platen_describe_page, NULL, document, page, NULL, &buffer);
    REFUSED(platen_describe_page, worker, NULL, page, NULL, &buffer);
    REFUSED(platen_describe_page, worker, document, NULL, NULL, &buffer);
    REFUSED(platen_describe_page, worker, document, page, NULL, NULL);
    REFUSED(platen_memory, NULL, document, PLATEN_MEMORY_LASTING, &buffer);
    REFUSED(platen_memory, worker, NULL, PLATEN_MEMORY_LASTING, &buffer);
    REFUSED(platen_memory, worker, document, PLATEN_MEMORY_LASTING, NULL);
    REFUSED(platen_dump_scene, NULL, &buffer);
    REFUSED(platen_dump_scene, document, NULL);
    assert_null(no_worker);
}

static void calls_on_null_crashed_in_conversions(void **state)
{
    (void)state;
    struct platen_snapshot *no_snapshot;
    struct platen_comparison *no_comparison;
    struct platen_rewritten *no_rewritten;
    struct platen_graphic *no_graphic;
    struct platen_pdf *no_pdf;
    struct platen_buffer buffer = {0};
    REFUSED(platen_snapshot_new, NULL, &no_snapshot);
    REFUSED(platen_snapshot_new, page, NULL);
    REFUSED(platen_snapshot_of_picture, NULL, "", 0, &no_snapshot);
    REFUSED(platen_snapshot_of_picture, engine, NULL, 1, &no_snapshot);
    REFUSED(platen_snapshot_of_picture, engine, "", 0, NULL);
    REFUSED(platen_compare, NULL, snapshot, NULL, &no_comparison);
    REFUSED(platen_compare, snapshot, NULL, NULL, &no_comparison);
    REFUSED(platen_compare, snapshot, snapshot, NULL, NULL);
    REFUSED(platen_comparison_picture, NULL, &buffer);
    REFUSED(platen_comparison_picture, comparison, NULL);
    REFUSED(platen_pdf_part, NULL, page, &buffer);
    REFUSED(platen_pdf_part, worker, NULL, &buffer);
    REFUSED(platen_pdf_part, worker, page, NULL);
    REFUSED(platen_pdf_new, NULL, NULL, &no_pdf);
    REFUSED(platen_pdf_new, NULL, &buffer, NULL);
    REFUSED(platen_pdf_set_layout, NULL, NULL);
    REFUSED(platen_pdf_add, NULL, &buffer, 1);
    REFUSED(platen_pdf_finish, NULL);
    REFUSED(platen_rewrite, NULL, "", 0, NULL, &no_rewritten);
    REFUSED(platen_rewrite, worker, NULL, 1, NULL, &no_rewritten);
    REFUSED(platen_rewrite, worker, "", 0, NULL, NULL);
    REFUSED(platen_explain, NULL, "", 0, 8, PLATEN_TABLE_TEXT, &buffer);
    REFUSED(platen_explain, worker, NULL, 1, 8, PLATEN_TABLE_TEXT, &buffer);
    REFUSED(platen_explain, worker, "", 0, 8, PLATEN_TABLE_TEXT, NULL);
    REFUSED(platen_extract, NULL, document, PLATEN_TABLE_CSV, &buffer);
    REFUSED(platen_extract, worker, NULL, PLATEN_TABLE_CSV, &buffer);
    REFUSED(platen_extract, worker, document, PLATEN_TABLE_CSV, NULL);
    REFUSED(platen_graphic_new, NULL, "", 0, NULL, &no_graphic);
    REFUSED(platen_graphic_new, engine, NULL, 1, NULL, &no_graphic);
    REFUSED(platen_graphic_new, engine, "", 0, NULL, NULL);
    REFUSED(platen_font_code, NULL, "", 0, NULL, &buffer);
    REFUSED(platen_font_code, engine, NULL, 1, NULL, &buffer);
    REFUSED(platen_font_code, engine, "", 0, NULL, NULL);
}

static void questions_about_null_crashed(void **state)
{
    (void)state;
    size_t size = 7;
    uint32_t number;
    int32_t x, y;
    const char *a, *b;
    enum platen_severity severity;
    enum platen_format format;
    assert_int_equal(platen_engine_object_count(NULL), 0);
    assert_int_equal(platen_label_count(NULL), 0);
    assert_int_equal(platen_page_count(NULL), 0);
    assert_false(platen_label_of_page(NULL, 0, &number));
    assert_false(platen_label_of_page(document, 0, NULL));
    assert_int_equal(platen_document_language(NULL), PLATEN_LANGUAGE_DETECT);
    assert_int_equal(platen_diagnostic_count(NULL) + platen_diagnostics_dropped(NULL), 0);
    assert_int_equal(platen_page_diagnostic_count(NULL) + platen_page_element_count(NULL), 0);
    assert_false(platen_page_place_at(NULL, 0, &x, &y));
    assert_false(platen_page_place_at(page, 0, NULL, &y));
    assert_false(platen_worker_searched_at(NULL, 0, &number));
    assert_int_equal(platen_memory_changed(NULL), 0);
    assert_false(platen_format_by_name(NULL, &format));
    assert_false(platen_format_by_name("png", NULL));
    assert_false(platen_comparison_is_same(NULL));
    assert_false(platen_comparison_has_elements(NULL));
    assert_int_equal(platen_comparison_area_count(NULL) + platen_comparison_change_count(NULL), 0);
    assert_string_equal(platen_rewritten_code(NULL, &size), "");
    assert_int_equal(size, 0);
    assert_int_equal(platen_rewritten_note_count(NULL), 0);
    assert_string_equal(platen_graphic_code(NULL, NULL), "");
    assert_string_equal(platen_graphic_data(NULL, NULL), "");
    assert_int_equal(platen_graphic_coded_size(NULL, PLATEN_GRAPHIC_Z64), 0);
    assert_false(platen_graphic_ink(NULL, 0, 0));
    assert_false(platen_rule_set_at(0, NULL, &b));
    assert_false((platen_printer_model_at)(0, NULL, 0));
    assert_false(platen_language_names(PLATEN_LANGUAGE_ZPL, NULL, &b));
    assert_false(platen_language_names(PLATEN_LANGUAGE_ZPL, &a, NULL));
    assert_false(platen_diagnostic_kind_at(0, NULL, &severity, &b));
    assert_string_equal(platen_command_value_about(PLATEN_LANGUAGE_ZPL, 0, 0, 'N', NULL), "");
    assert_false(platen_cancel_is_set(NULL));
}

static void results_for_null_crashed(void **state)
{
    (void)state;
    // The functions themselves: the macros of the header take the size of what NULL points to.
    struct platen_label label;
    struct platen_element element;
    struct platen_diagnostic diagnostic;
    assert_false((platen_label_at)(NULL, 0, &label, sizeof label));
    assert_false((platen_label_at)(document, 0, NULL, sizeof label));
    assert_false((platen_diagnostic_at)(NULL, 0, &diagnostic, sizeof diagnostic));
    assert_false((platen_page_diagnostic_at)(NULL, 0, &diagnostic, sizeof diagnostic));
    assert_false((platen_rewritten_note_at)(NULL, 0, &diagnostic, sizeof diagnostic));
    assert_false((platen_page_element_at)(NULL, 0, &element, sizeof element));
    assert_false((platen_page_element_at)(page, 0, NULL, sizeof element));
    assert_false((platen_page_place_source_at)(page, 0, NULL, 1));
    assert_false((platen_stored_at)(NULL, 0, NULL, 1));
    assert_false((platen_reply_at)(NULL, 0, NULL, 1));
    assert_false((platen_comparison_area_at)(NULL, 0, NULL, 1));
    assert_false((platen_comparison_change_at)(NULL, 0, NULL, 1));
    assert_false((platen_command_at)(PLATEN_LANGUAGE_ZPL, 0, NULL, 1));
    assert_false((platen_command_parameter_at)(PLATEN_LANGUAGE_ZPL, 0, 0, NULL, 1));
    (platen_engine_limits)(NULL, NULL, 1);
    (platen_page_bitmap)(NULL, NULL, 1);
    (platen_document_settings)(NULL, NULL, 1);
    (platen_comparison_ink)(NULL, NULL, 1);
    (platen_graphic_info)(NULL, NULL, 1);
}

static void ends_of_null_crashed(void **state)
{
    (void)state;
    platen_engine_free(NULL);
    platen_worker_free(NULL);
    platen_worker_trim(NULL);
    platen_worker_wipe(NULL);
    platen_worker_forget_searched(NULL);
    platen_worker_set_cancel(NULL, NULL, 0);
    platen_document_free(NULL);
    platen_document_set_deadline(NULL, 1);
    platen_document_size(NULL, NULL, NULL, NULL, NULL);
    platen_page_free(NULL);
    platen_buffer_free(NULL);
    platen_snapshot_free(NULL);
    platen_comparison_free(NULL);
    platen_pdf_take(NULL);
    platen_pdf_set_cancel(NULL, NULL, 0);
    platen_pdf_free(NULL);
    platen_rewritten_free(NULL);
    platen_graphic_free(NULL);
    platen_cancel_set(NULL);
    platen_cancel_clear(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_on_null_crashed_while_rendering), cmocka_unit_test(calls_on_null_crashed_in_conversions),
        cmocka_unit_test(questions_about_null_crashed), cmocka_unit_test(results_for_null_crashed),
        cmocka_unit_test(ends_of_null_crashed)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
