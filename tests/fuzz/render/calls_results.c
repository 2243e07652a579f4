// Every question that the public header answers, for fuzz_calls.c. What an answer points to is read to its end.
#include <stdlib.h>
#include <string.h>

#include "calls_choice.h"

static volatile size_t seen; // so that nothing is left out

static void read_bytes(const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        seen += ((const uint8_t *)bytes)[i];
}

static void read_text(const char *text)
{
    seen += text ? strlen(text) : 0;
}

// The index of a question: mostly one that there is.
static uint32_t index_of(uint32_t count)
{
    return chance(5) ? (uint32_t)number() : count ? pick(count < 200 ? count : 200) : 0;
}

// Asks by `function`, with a size that may be any; `use` is done with a whole answer.
#define ASK(type, object, function, index, use)                                                                        \
    do {                                                                                                               \
        size_t size;                                                                                                   \
        struct type *out = result_of(sizeof(struct type), &size);                                                      \
        if ((function)(object, index, out, size) && size >= sizeof(struct type)) {                                     \
            use;                                                                                                       \
        }                                                                                                              \
        free(out);                                                                                                     \
    } while (0)
#define ASK_ALL(type, object, function)                                                                                \
    do {                                                                                                               \
        size_t size;                                                                                                   \
        struct type *out = result_of(sizeof(struct type), &size);                                                      \
        (function)(object, out, size);                                                                                 \
        free(out);                                                                                                     \
    } while (0)

#define READ_FINDING (read_text(out->code), read_text(out->message), read_text(out->command))

void look_at_document(const struct platen_document *document)
{
    double width_mm, height_mm;
    uint32_t width, height, label;
    ASK(platen_label, document, platen_label_at, index_of(platen_label_count(document)), seen += out->copies);
    ASK(platen_diagnostic, document, platen_diagnostic_at, index_of(platen_diagnostic_count(document)), READ_FINDING);
    ASK(platen_stored, document, platen_stored_at, index_of(9), (read_text(out->name), read_text(out->kind)));
    ASK(platen_reply, document, platen_reply_at, index_of(3), read_bytes(out->data, out->size));
    ASK_ALL(platen_settings, document, platen_document_settings);
    platen_document_size(document, chance(3) ? NULL : &width_mm, &height_mm, chance(3) ? NULL : &width, &height);
    platen_label_of_page(document, index_of(platen_page_count(document)), chance(9) ? NULL : &label);
    seen += platen_diagnostics_dropped(document) + platen_memory_changed(document) +
            (size_t)platen_document_language(document);
}

static void read_element(const struct platen_element *e)
{
    const char *const TEXTS[] = {e->type_name, e->command, e->symbology, e->no_reader_reason, e->margin};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++)
        read_text(TEXTS[i]);
    read_bytes(e->data, e->data_size);
    read_bytes(e->text, e->text_size);
    read_bytes(e->decoded_data, e->decoded_size);
    read_bytes(e->overlaps, e->overlaps ? e->overlap_count * sizeof *e->overlaps : 0);
}

static void read_dots(const struct platen_page *page)
{
    struct platen_bitmap b = {0};
    platen_page_bitmap(page, &b);
    if (b.words)
        read_bytes(b.words, (size_t)b.words_per_row * b.height * sizeof *b.words);
    if (b.bytes)
        read_bytes(b.bytes, (size_t)b.width * b.height);
}

void look_at_page(const struct platen_page *page)
{
    int32_t x, y;
    uint32_t index = index_of(platen_page_element_count(page));
    ASK(platen_element, page, platen_page_element_at, index, read_element(out));
    ASK(platen_place_source, page, platen_page_place_source_at, index, read_text(out->command));
    ASK(platen_diagnostic, page, platen_page_diagnostic_at, index_of(platen_page_diagnostic_count(page)), READ_FINDING);
    ASK_ALL(platen_bitmap, page, platen_page_bitmap);
    platen_page_place_at(page, index, chance(9) ? NULL : &x, &y);
    read_dots(page);
}

void look_at_comparison(const struct platen_comparison *comparison)
{
    ASK_ALL(platen_ink, comparison, platen_comparison_ink);
    ASK(platen_area, comparison, platen_comparison_area_at, index_of(platen_comparison_area_count(comparison)),
        seen += out->dots);
    ASK(platen_element_change, comparison, platen_comparison_change_at,
        index_of(platen_comparison_change_count(comparison)), {
            read_text(out->change_name);
            if (out->a)
                read_element(out->a);
            if (out->b)
                read_element(out->b);
        });
    seen += (size_t)platen_comparison_is_same(comparison) + platen_comparison_has_elements(comparison);
}

void look_at_tables(void)
{
    enum platen_language language = (enum platen_language)small(4);
    enum platen_severity severity;
    enum platen_format format;
    const char *a, *b;
    size_t length = 0;
    uint32_t command = index_of(platen_command_count(language));
    struct platen_error e;
    struct platen_font font = {.data = word(), .size = 0, .name = word()};
    ASK(platen_command, language, platen_command_at, command,
        (read_text(out->name), read_text(out->summary), read_text(out->note)));
    size_t size;
    struct platen_command_parameter *p = result_of(sizeof *p, &size);
    if ((platen_command_parameter_at)(language, command, index_of(5), p, size) && size >= sizeof *p) {
        read_text(p->about);
        read_text(p->values);
    }
    free(p);
    a = platen_command_value_about(language, command, index_of(5), (char)number(), chance(9) ? NULL : &length);
    read_bytes(a, length);
    struct platen_printer_model *model = result_of(sizeof *model, &size);
    (platen_printer_model_at)(index_of(18), model, size);
    free(model);
    if (platen_rule_set_at(index_of(20), &a, &b) || platen_language_names(language, &a, &b) ||
        platen_diagnostic_kind_at(index_of(platen_diagnostic_kind_count()), &a, &severity, &b))
        read_text(a), read_text(b);
    platen_format_by_name(chance(9) ? NULL : word(), &format);
    read_text(platen_format_name((enum platen_format)number()));
    read_text(platen_format_mime((enum platen_format)number()));
    read_text(platen_status_name((enum platen_status)number()));
    read_text(platen_severity_name((enum platen_severity)number()));
    read_text(platen_graphic_coding_name((enum platen_graphic_coding)number()));
    font.size = strlen(font.data);
    platen_font_check(chance(9) ? NULL : &font, &e);
}
