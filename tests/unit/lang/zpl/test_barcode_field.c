// What the data of a barcode field means: escapes, headers and separators to plain content, and what is said about
// them.
#include <string.h>

#include "../../bar/zpl_field.h"
#include "arena_fixture.h"

static struct pl_barcode read_data(enum pl_symbology symbology, const char *data, char mode)
{
    return field_of(symbology, data, mode, 0, &arena);
}

static void assert_bytes(struct pl_slice got, const char *want)
{
    assert_int_equal(got.len, strlen(want));
    assert_memory_equal(got.ptr, want, got.len);
}

static void assert_codes(const struct pl_barcode *b, const uint32_t *want, size_t count)
{
    assert_non_null(b->content.codes);
    assert_int_equal(b->content.count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(b->content.codes[i], want[i]);
}

static void data_without_escapes_is_the_content(void **state)
{
    (void)state;
    for (int i = 0; i < PL_SYM_COUNT; i++) {
        if (i == PL_SYM_QR || i == PL_SYM_MAXICODE || i == PL_SYM_CODE128 || i == PL_SYM_TLC39)
            continue;
        struct pl_barcode b = read_data((enum pl_symbology)i, "12345678", 0);
        assert_bytes(b.data, "12345678");
        assert_ptr_equal(b.content.bytes.ptr, b.data.ptr);
        assert_int_equal(b.content.bytes.len, b.data.len);
        assert_null(b.content.codes);
        assert_int_equal(b.finding_count, 0);
    }
}

static void the_data_stays_as_written_beside_the_content(void **state)
{
    (void)state;
    static const struct {
        enum pl_symbology symbology;
        const char *data;
    } CASES[] = {{PL_SYM_CODE128, ">;1234"}, {PL_SYM_QR, "QA,x"},        {PL_SYM_DATAMATRIX, "~1x"},
                 {PL_SYM_PDF417, "a\\&b"},   {PL_SYM_AZTEC, "\\000026"}, {PL_SYM_DATABAR, "1|10A"},
                 {PL_SYM_TLC39, "123456,A"}, {PL_SYM_CODE93, "&A"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        assert_bytes(read_data(CASES[i].symbology, CASES[i].data, 0).data, CASES[i].data);
}

static void datamatrix_escapes_become_marks(void **state)
{
    (void)state;
    struct pl_barcode b = read_data(PL_SYM_DATAMATRIX, "~1a~2214001002~3~5026~d065~~~A~x", 0);
    static const uint32_t WANT[] = {
        PL_MARK_FNC1, 'a', PL_MARK_APPEND + (214 << 16 | 1 << 8 | 2), PL_MARK_READER, PL_MARK_ECI + 26, 'A', '~', 1,
        '~',          'x'};
    assert_codes(&b, WANT, 10);
    b = field_of(PL_SYM_DATAMATRIX, "_1~1", 0, '_', &arena);
    assert_codes(&b, (uint32_t[]){PL_MARK_FNC1, '~', '1'}, 3);
}

static void aztec_sizes_and_escapes(void **state)
{
    (void)state;
    struct pl_barcode b = read_data(PL_SYM_AZTEC, "a\\000026\\\\b", 0);
    assert_codes(&b, (uint32_t[]){'a', PL_MARK_ECI + 26, '\\', 'b'}, 4);
    static const struct {
        int32_t size;
        uint32_t percent, layers;
        bool compact, rune, said;
    } SIZES[] = {{-1, 0, 0, false, false, false},   {0, 0, 0, false, false, false},  {99, 99, 0, false, false, false},
                 {100, 0, 0, false, false, true},   {101, 0, 1, true, false, false}, {104, 0, 4, true, false, false},
                 {105, 0, 0, false, false, true},   {200, 0, 0, false, false, true}, {201, 0, 1, false, false, false},
                 {232, 0, 32, false, false, false}, {233, 0, 0, false, false, true}, {300, 0, 0, false, true, false}};
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        struct zpl_barcode field;
        zpl_barcode_init(&field, PL_SYM_AZTEC);
        field.size = SIZES[i].size;
        b = read_field(&field, pl_slice_cstr("\\000026"), &arena);
        assert_int_equal(b.aztec.percent, SIZES[i].percent);
        assert_int_equal(b.aztec.layers, SIZES[i].layers);
        assert_int_equal(b.aztec.compact, SIZES[i].compact);
        assert_int_equal(b.aztec.rune, SIZES[i].rune);
        assert_int_equal(b.finding_count, SIZES[i].said);
        if (SIZES[i].said)
            assert_int_equal(b.findings[0].id, PL_DIAG_BARCODE_OPTION);
        assert_null(b.content.codes); // escapes count only where the command asks for them
    }
}

static void qr_headers_and_segments(void **state)
{
    (void)state;
    struct pl_barcode b = read_data(PL_SYM_QR, "D0203a5,QM,N12x3,AB$,B0003a,b,K", 0);
    assert_int_equal(b.qr.append_index, 2);
    assert_int_equal(b.qr.append_count, 3);
    assert_int_equal(b.qr.append_parity, 0xA5);
    assert_int_equal(b.qr.error_level, 'Q');
    assert_int_equal(b.qr.segment_count, 3);
    assert_bytes(b.qr.segments[0].data, "123");
    assert_int_equal(b.qr.segments[1].mode, PL_QR_ALNUM);
    assert_bytes(b.qr.segments[1].data, "B$");
    assert_int_equal(b.qr.segments[2].mode, PL_QR_BYTE);
    assert_bytes(b.qr.segments[2].data, "a,b");
    assert_false(b.qr.segments[0].automatic || b.qr.mode_declared);
    assert_int_equal(b.finding_count, 1);
    b = read_data(PL_SYM_QR, "hA,Hello", 0);
    assert_int_equal(b.qr.error_level, 'H');
    assert_true(b.qr.segments[0].automatic);
    assert_bytes(b.qr.segments[0].data, "Hello");
    assert_int_equal(b.finding_count, 0);
    b = read_data(PL_SYM_QR, "QA,", 0);
    assert_int_equal(b.finding_count, 1);
    assert_null(b.findings[0].remark);
    assert_int_equal(b.findings[0].fault, PL_BAR_TOO_SHORT);
}

static void maxicode_addresses(void **state)
{
    (void)state;
    struct pl_barcode b = read_data(PL_SYM_MAXICODE, "999840123410000some data", '2');
    assert_string_equal(b.maxicode.address->service, "999");
    assert_string_equal(b.maxicode.address->country, "840");
    assert_string_equal(b.maxicode.address->postcode, "123410000");
    assert_bytes(b.content.bytes, "some data");
    b = read_data(PL_SYM_MAXICODE, "001066ab 1  x", '3');
    assert_string_equal(b.maxicode.address->postcode, "AB 1");
    assert_bytes(b.content.bytes, "x");
    b = read_data(PL_SYM_MAXICODE, "any text", '4');
    assert_null(b.maxicode.address);
    assert_bytes(b.content.bytes, "any text");
    assert_int_equal(b.maxicode.mode, 4);
    static const struct {
        const char *data;
        enum pl_bar_fault fault;
    } BAD[] = {{"99984012341000", PL_BAR_TOO_SHORT}, {"99x840123410000", PL_BAR_BAD_CHARACTER}};
    for (size_t i = 0; i < 2; i++) {
        b = read_data(PL_SYM_MAXICODE, BAD[i].data, '2');
        assert_int_equal(b.finding_count, 1);
        assert_int_equal(b.findings[0].fault, BAD[i].fault);
        assert_null(b.findings[0].remark);
    }
}

static void separators_of_composites(void **state)
{
    (void)state;
    struct zpl_barcode field;
    zpl_barcode_init(&field, PL_SYM_DATABAR);
    field.symbol.databar.form = PL_DATABAR_EXPANDED;
    struct pl_barcode b = read_field(&field, pl_slice_cstr("10A>821B|10C>821D"), &arena);
    assert_bytes(b.content.bytes, "10A\x1d"
                                  "21B");
    assert_bytes(b.databar.composite, "10C\x1d"
                                      "21D");
    // A form of digits has no element string, and >8 is data in it.
    field.symbol.databar.form = PL_DATABAR_OMNI;
    b = read_field(&field, pl_slice_cstr("12>83|"), &arena);
    assert_bytes(b.content.bytes, "12>83");
    assert_int_equal(b.databar.composite.len, 0);
    b = read_data(PL_SYM_TLC39, "123456,AB,C", 0);
    assert_bytes(b.content.bytes, "123456");
    assert_bytes(b.tlc39.second, "AB*C");
    b = read_data(PL_SYM_TLC39, "123456,", 0);
    assert_int_equal(b.tlc39.second.len, 0);
    assert_int_equal(b.finding_count, 1);
}

static void shifts_of_code93_and_code49(void **state)
{
    (void)state;
    struct pl_barcode b = read_data(PL_SYM_CODE93, "A&B)C", 0);
    assert_codes(&b, (uint32_t[]){'A', PL_MARK_SHIFT, 'B', PL_MARK_SHIFT + 3, 'C'}, 5);
    b = read_data(PL_SYM_CODE49, "A<B=", '0');
    assert_codes(&b, (uint32_t[]){'A', PL_MARK_SHIFT, 'B', PL_MARK_SHIFT + 5}, 4);
    assert_int_equal(b.code49.start_mode, 0);
    b = read_data(PL_SYM_CODE49, "A<B=", 'A');
    assert_null(b.content.codes);
    assert_int_equal(b.code49.start_mode, -1);
}

static void function_characters_of_codablock(void **state)
{
    (void)state;
    struct pl_barcode b = read_data(PL_SYM_CODABLOCK, "a\x80\x83\x84\x85", 0);
    assert_codes(&b, (uint32_t[]){'a', PL_MARK_FNC1, PL_MARK_FNC1 + 3, 0, 0x85}, 5);
    struct zpl_barcode field;
    zpl_barcode_init(&field, PL_SYM_CODABLOCK);
    field.symbol.codablock.variant = 'A';
    assert_null(read_field(&field, pl_slice_cstr("\x80"), &arena).content.codes);
}

static void every_copy_of_a_serial_number_has_its_own_content(void **state)
{
    (void)state;
    struct zpl_barcode field;
    zpl_barcode_init(&field, PL_SYM_DATAMATRIX); // without a quality
    struct pl_barcode out = field.symbol;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(zpl_barcode_read(&field, pl_slice_cstr("x"), &arena, &out, NULL), PL_OK);
        assert_int_equal(out.finding_count, 1);
        assert_int_equal(out.datamatrix.quality, 0);
    }
}

static void assert_content(const char *data, const char *content, const char *caption)
{
    struct pl_barcode b = read_data(PL_SYM_CODE128, data, 'D');
    assert_int_equal(b.content.count, strlen(content));
    for (size_t i = 0; i < b.content.count; i++)
        assert_int_equal(b.content.codes[i], content[i] == '|' ? PL_MARK_FNC1 : (uint32_t)content[i]);
    assert_bytes(b.caption, caption);
}

// The digit that holds the place of the check digit was encoded as it was written, and a missing one stayed missing.
static void check_digits_of_mode_d_are_computed(void **state)
{
    (void)state;
    assert_content("(00)10084423 7449200940", "00100844237449200941", "(00)10084423 7449200941");
    assert_content("(01)1234567890123(10)AB", "011234567890123110AB", "(01)12345678901231(10)AB");
    assert_content("(10)A>8(02)12345678901239", "10A|0212345678901231", "(10)A(02)12345678901231");
    assert_content("(01)123(11)261117", "0112311261117", "(01)123(11)261117");
    assert_content("(01)1234567890123A", "011234567890123A", "(01)1234567890123A");
    struct pl_barcode b = read_data(PL_SYM_CODE128, "(00)100844237449200940", 'D');
    assert_int_equal(b.finding_count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_without_escapes_is_the_content),
        cmocka_unit_test(the_data_stays_as_written_beside_the_content),
        cmocka_unit_test(datamatrix_escapes_become_marks),
        cmocka_unit_test(aztec_sizes_and_escapes),
        cmocka_unit_test(qr_headers_and_segments),
        cmocka_unit_test(maxicode_addresses),
        cmocka_unit_test(separators_of_composites),
        cmocka_unit_test(shifts_of_code93_and_code49),
        cmocka_unit_test(function_characters_of_codablock),
        cmocka_unit_test(every_copy_of_a_serial_number_has_its_own_content),
        cmocka_unit_test(check_digits_of_mode_d_are_computed),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
