// Values that are filled in reach the label as they are, whatever the field makes of escapes; and filling in ends in
// time.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/job.h"
#include "engine_fixture.h"
#include "platen/platen.h"

// Fills the value of `v` in, and compares what the one field of the label holds, or what is read back from it.
static void assert_arrives(const char *zpl, const char *json, const char *expected, bool is_read)
{
    struct platen_rewritten *r;
    struct platen_document *document;
    struct platen_element e;
    struct platen_error err;
    const struct platen_page *page;
    const struct platen_rewrite_options options = PLATEN_REWRITE_OPTIONS(.rows = json, .rows_size = strlen(json));
    const struct platen_options drawing = PLATEN_OPTIONS(.want_elements = true, .verify = true);
    size_t size;
    if (platen_rewrite(worker, zpl, strlen(zpl), &options, &r, &err) != PLATEN_OK)
        fail_msg("%s: %s", zpl, err.message);
    const char *code = platen_rewritten_code(r, &size);
    assert_int_equal(platen_parse(worker, code, size, &drawing, &document, NULL), PLATEN_OK);
    assert_int_equal(platen_draw(worker, document, 0, &page, NULL), PLATEN_OK);
    assert_true(platen_page_element_at(page, 0, &e));
    const char *got = is_read ? e.decoded_data : e.data;
    size_t got_size = is_read ? e.decoded_size : e.data_size;
    if (got_size != strlen(expected) || memcmp(got, expected, got_size) != 0)
        fail_msg("%.*s became '%.*s'", (int)size, code, (int)got_size, got);
    platen_document_free(document);
    platen_rewritten_free(r);
}

// The field's commands in three kinds of code.
static void assert_arrives_everywhere(const char *field, const char *json, const char *expected, bool is_read)
{
    char zpl[300];
    snprintf(zpl, sizeof zpl, "^XA^FO20,20%s^FD{{v}}^FS^XZ", field);
    assert_arrives(zpl, json, expected, is_read);
    snprintf(zpl, sizeof zpl, "^XA^FO20,20%s^FN1\"v\"^FS^XZ", field);
    assert_arrives(zpl, json, expected, is_read);
    snprintf(zpl, sizeof zpl, "^XA^DFR:A.ZPL^FO20,20%s^FN1\"v\"^FS^XZ", field);
    assert_arrives(zpl, json, expected, is_read);
}

// The backslash and the character behind it were gone.
static void backslashes_in_values_of_blocks_stay(void **state)
{
    (void)state;
    assert_arrives_everywhere("^CI28^A0N,30^FB600,3", "{\"v\":\"C:\\\\temp\\\\new\\\\\"}", "C:\\temp\\new\\", false);
    assert_arrives_everywhere("^CI28^A0N,30^FB600,3", "{\"v\":\"one\\ntwo\\\\&three\"}", "one\ntwo\nthree", false);
}

// \& was drawn, and what is between < and > was not.
static void values_of_text_blocks_stay(void **state)
{
    (void)state;
    assert_arrives_everywhere("^CI28^A0N,30^TBN,600,200", "{\"v\":\"a <b> < c\\nd\"}", "a <b> < c\nd", false);
}

// ~JA was a line feed in the symbol.
static void escape_characters_in_values_of_data_matrix_stay(void **state)
{
    (void)state;
    assert_arrives_everywhere("^BXN,5,200", "{\"v\":\"~JA~1~~_@\"}", "~JA~1~~_@", true);
    assert_arrives_everywhere("^BXN,5,200,,,,_", "{\"v\":\"_JA_1~d065\"}", "_JA_1~d065", true);
    assert_arrives_everywhere("^BON,5,Y", "{\"v\":\"a\\\\000026b\\\\\\\\\"}", "a\\000026b\\\\", true);
    assert_arrives_everywhere("^B7N,8,2", "{\"v\":\"a\\\\&b\\\\\\\\c\"}", "a\\&b\\\\c", true);
}

// A vCard's line ends were blanks.
static void line_ends_in_values_of_matrix_codes_stay(void **state)
{
    (void)state;
    const char *json = "{\"v\":\"MA,BEGIN:VCARD\\r\\nN:Doe;Jane\\r\\nEND:VCARD\\r\\n\"}";
    assert_arrives_everywhere("^BQN,2,4", json, "BEGIN:VCARD\r\nN:Doe;Jane\r\nEND:VCARD\r\n", true);
    json = "{\"v\":\"one\\ntwo\\r\\nthree\"}";
    assert_arrives_everywhere("^BXN,5,200", json, "one\ntwo\r\nthree", true);
    assert_arrives_everywhere("^BON,5", json, "one\ntwo\r\nthree", true);
    assert_arrives_everywhere("^B7N,8,2", json, "one\ntwo\r\nthree", true);
}

// The codes of all notes, with commas.
static void assert_notes(const char *zpl, const char *rows, const char *expected)
{
    struct platen_rewritten *r;
    struct platen_diagnostic note;
    struct platen_error err;
    char codes[500] = "", all[2000] = "";
    const struct platen_rewrite_options options = PLATEN_REWRITE_OPTIONS(.rows = rows, .rows_size = strlen(rows));
    if (platen_rewrite(worker, zpl, strlen(zpl), &options, &r, &err) != PLATEN_OK)
        fail_msg("%s: %s", zpl, err.message);
    for (uint32_t i = 0; platen_rewritten_note_at(r, i, &note); i++) {
        snprintf(codes + strlen(codes), sizeof codes - strlen(codes), "%s%s", i ? "," : "", note.code);
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s\n", note.message);
    }
    if (strcmp(codes, expected) != 0)
        fail_msg("%s with %s: %s, expected %s\n%s", zpl, rows, codes, expected, all);
    platen_rewritten_free(r);
}

// Nothing was drawn: labels with values that do not fit were written without a word.
static void labels_with_values_are_verified(void **state)
{
    (void)state;
    assert_notes("^XA^FO20,20^A0N,30^FDa^FS^FO20,90^A0N,30^FD{{v}}^FS^FO9,200^BCN,50^FD{{v}}^FS^XZ", "v\n1\nxyz\n", "");
    assert_notes("^XA^DFR:A^FO20,20^A0N,30^FDa^FS^FO20,90^A0N,30^FN1^FS^XZ", "1\nx\nyy\n", "");
    assert_notes("^XA^FO700,20^A0N,30^FD{{v}}^FS^XZ", "v\nshort\nmuch too long for the label\n", "rewrite_outside");
    assert_notes("^XA^FO20,20^A0N,30^FB100,1^FD{{v}}^FS^XZ", "v\nshort\nmuch too long\n", "rewrite_outside");
    // Digits are all that the symbol has: letters became 0, and a longer number was cut.
    assert_notes("^XA^FO50,20^BEN,50^FD{{v}}^FS^XZ", "v\n123456789012\nABC\n", "rewrite");
    assert_notes("^XA^FO50,20^BEN,50^FN1^FS^XZ", "1\n1234567890123456\n", "rewrite");
    assert_notes("^XA^DFR:A^FO50,20^BEN,50^FN1^FS^XZ", "1\nABC\n", "rewrite");
    assert_notes("^XA^FO50,20^BQN,2,4^FD{{v}}^FS^XZ", "[{\"v\":\"QA,some text\"},{\"v\":\"HM,AAC-42\"}]", "");
    // The bars are under a box.
    assert_notes("^XA^FO50,20^BY2^BCN,50,N^FD{{v}}^FS^FO60,0^GB{{w}},100,100^FS^XZ", "v,w\n123,1\n123,200\n",
                 "rewrite_unreadable,rewrite_unreadable");
    // The second label's ^BY is in force in the next row's first one.
    assert_notes("^XA^FO50,20^BCN,50^FD12345^FS^FO9,200^A0N,30^FD{{v}}^FS^XZ^XA^BY5^FO9,9^A0N,30^FD{{v}}^FS^XZ",
                 "v\n1\n2\n", "rewrite_resized");
    // Serial numbers and text that continues another one differ from row to row.
    assert_notes("^XA^FO50,20^A0N,30^SN{{v}},1,Y^FS^FT9,200^A0N,30^FD{{v}}^FS^FT^A0N,30^FDx^FS^PQ3^XZ",
                 "v\n001\n12345\n", "");
}

static void assert_stops_in_time(const char *zpl, size_t size, const char *rows)
{
    struct platen_rewritten *r;
    const uint64_t now = pl_now_ns(), limit = UINT64_C(200000000);
    const struct platen_rewrite_options options =
        PLATEN_REWRITE_OPTIONS(.rows = rows, .rows_size = strlen(rows), .deadline_ns = now + limit);
    enum platen_status status = platen_rewrite(worker, zpl, size, &options, &r, NULL);
    if (status == PLATEN_OK)
        platen_rewritten_free(r);
    else
        assert_int_equal(status, PLATEN_E_DEADLINE);
    assert_true(pl_now_ns() - now < UINT64_C(60000000000)); // it took minutes
}

// Rows times commands without a field, and fields of a format without an end, were not counted as time.
static void filling_in_ends_at_its_deadline(void **state)
{
    (void)state;
    enum { COMMANDS = 100000, ROWS = 100000 };
    char *zpl = malloc(COMMANDS * 16), *rows = malloc(ROWS * 2 + 10), *to = zpl;
    strcpy(rows, "1\n");
    for (size_t i = 0; i < ROWS - 1; i++)
        memcpy(rows + 2 + 2 * i, "x\n", 3);
    to += sprintf(to, "^XA^DFR:A.ZPL");
    for (size_t i = 0; i < COMMANDS; i++)
        to += sprintf(to, "^LRN");
    assert_stops_in_time(zpl, (size_t)(to - zpl), rows);
    to = zpl + sprintf(zpl, "^XA^DFR:A.ZPL");
    for (size_t i = 0; i < COMMANDS; i++)
        to += sprintf(to, "^FN1");
    assert_stops_in_time(zpl, (size_t)(to - zpl), rows);
    free(zpl);
    free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backslashes_in_values_of_blocks_stay),
        cmocka_unit_test(values_of_text_blocks_stay),
        cmocka_unit_test(escape_characters_in_values_of_data_matrix_stay),
        cmocka_unit_test(line_ends_in_values_of_matrix_codes_stay),
        cmocka_unit_test(labels_with_values_are_verified),
        cmocka_unit_test(filling_in_ends_at_its_deadline),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
