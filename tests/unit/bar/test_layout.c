// From spec to layout: data rules, check digits, diagnostics and captions of the linear codes.
#include "layout_fixture.h"

#include "bar/encode/bar_zint.h"
#include "bar/encode/checkdigit.h"

// ---- Check digits (worked examples from the standards and makers' notes) ----

static void check_digits_equal_published_ones(void **state)
{
    (void)state;
    assert_int_equal(pl_check_mod10(pl_slice_cstr("590123412345")), '7');
    assert_int_equal(pl_check_mod43(pl_slice_cstr("CODE39")), 'W');
    assert_int_equal(pl_check_code11(pl_slice_cstr("123-45"), 10), '5');
    assert_int_equal(pl_check_msi_mod10(pl_slice_cstr("1234567")), 4);
    assert_int_equal(pl_check_msi_mod11(pl_slice_cstr("943457842")), 3);
}

// ---- Data ----

static void characters_outside_the_alphabet_are_left_out_and_said(void **state)
{
    (void)state;
    struct pl_bar_layout layout = build_data(PL_SYM_INTERLEAVED_2OF5, ">;90a3844");
    assert_text(&layout, "903844");
    assert_true(said(PL_DIAG_BARCODE_DATA));
}

static void lower_case_becomes_upper_case(void **state)
{
    (void)state;
    struct pl_bar_layout layout = build_data(PL_SYM_CODE39, "%s{0}");
    assert_text(&layout, "%S0");
    assert_line(&layout, "*%S0*");
}

static void an_odd_number_of_digits_gets_a_zero_before_it(void **state)
{
    (void)state;
    struct pl_bar_layout layout = build_data(PL_SYM_INTERLEAVED_2OF5, "123");
    assert_text(&layout, "0123");
    struct pl_barcode spec = spec_of(PL_SYM_INTERLEAVED_2OF5, "123");
    spec.check = true; // 3*3 + 2 + 3*1 = 14: check digit 6
    layout = build(&spec);
    assert_text(&layout, "1236");
}

static void data_of_unwanted_characters_only_draws_nothing(void **state)
{
    (void)state;
    struct pl_bar_layout layout = build_data(PL_SYM_MSI, "abc");
    assert_int_equal(layout.band_count, 0);
    assert_true(said(PL_DIAG_BARCODE_UNENCODABLE));
}

static void empty_data_draws_nothing_in_any_symbology(void **state)
{
    (void)state;
    for (int i = 0; i < PL_SYM_COUNT; i++) {
        struct pl_barcode spec = spec_of((enum pl_symbology)i, "");
        struct pl_bar_layout layout = build(&spec);
        // UPC and EAN print zeros, as a printer does.
        bool zeros = i == PL_SYM_UPCA || i == PL_SYM_UPCE || i == PL_SYM_EAN8 || i == PL_SYM_EAN13;
        assert_int_equal(layout.band_count > 0, zeros);
        assert_null(layout.picture);
    }
}

static void every_symbology_has_a_builder_and_a_name(void **state)
{
    (void)state;
    for (int i = 0; i < PL_SYM_COUNT; i++) {
        const char *data = i == PL_SYM_QR ? "QA,HELLO" : i == PL_SYM_MAXICODE ? "001840123456789[)>TEXT" : "123456";
        struct pl_bar_layout layout = build_data((enum pl_symbology)i, data);
        assert_non_null(layout.symbology);
        assert_true(layout.band_count > 0 || layout.picture);
        assert_true(layout.width > 0 && layout.height > 0);
        assert_true(layout.text.len > 0);
    }
}

// Every allocation refused in turn: an error, never a crash or half a symbol.
static void refused_memory_is_an_error_in_every_symbology(void **state)
{
    (void)state;
    for (int i = 0; i < PL_SYM_COUNT; i++) {
        const char *data = i == PL_SYM_QR ? "QA,HELLO" : i == PL_SYM_MAXICODE ? "001840123456789[)>TEXT" : "123456,x";
        struct pl_barcode spec = spec_of((enum pl_symbology)i, data);
        if (spec.symbology == PL_SYM_DATABAR)
            spec.databar.form = PL_DATABAR_OMNI;
        bool done = false;
        for (uint64_t n = 1; !done && n < 500; n++) {
            struct pl_arena own;
            pl_arena_init(&own, 64u << 20);
            own.fail_at = n;
            struct pl_bar_context context = {
                .profile = &pl_profile_reference.bar, .dpmm = 8, .scale = 1, .arena = &own, .diags = &diags};
            struct pl_bar_layout layout;
            struct pl_error err = {0};
            enum pl_errc code = layout_field(&(struct zpl_barcode){.symbol = spec, .size = -1}, context, &layout, &err);
            done = own.allocations < n;
            if (code != (done ? PL_OK : PL_E_MEMORY))
                fail_msg("symbology %d, allocation %u of %u: %s", i, (unsigned)n, (unsigned)own.allocations,
                         err.message);
            pl_arena_fini(&own);
        }
        assert_true(done);
    }
}

static void retail_data_is_bent_as_a_printer_bends_it(void **state)
{
    (void)state;
    static const struct {
        enum pl_symbology symbology;
        const char *data, *text;
    } cases[] = {
        {PL_SYM_EAN13, "123456789012", "1234567890128"},
        {PL_SYM_EAN13, "5901234123457", "5901234123457"},
        {PL_SYM_EAN13, "5901234123450", "5901234123457"},    // wrong check digit
        {PL_SYM_EAN13, "12", "0000000000123"},               // zeros before it; 12 -> check 3
        {PL_SYM_EAN13, "9876543210123456", "9432101234564"}, // the first digit and the last eleven
        {PL_SYM_EAN13, "59012341234x", "5901234123402"},     // not a digit: 0
        {PL_SYM_UPCA, "1234567890123", "345678901236"},      // the last eleven
        {PL_SYM_UPCA, "72527273070", "725272730706"},
        {PL_SYM_EAN8, "9638507", "96385074"},
        {PL_SYM_UPCE, "0012345", "00123457"},
        {PL_SYM_UPCE, "123456", "01234565"},
        {PL_SYM_UPCE, "01234567", "01234565"},   // wrong check digit
        {PL_SYM_UPCE, "1234000006", "01234640"}, // 12340 00006: four digits of the maker, the product, a 4
        {PL_SYM_UPC_EAN_EXTENSION, "7", "07"},
        {PL_SYM_UPC_EAN_EXTENSION, "123", "00123"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pl_bar_layout layout = build_data(cases[i].symbology, cases[i].data);
        char got[32];
        snprintf(got, sizeof got, "%.*s", (int)layout.text.len, (const char *)layout.text.ptr);
        if (strcmp(got, cases[i].text) != 0)
            fail_msg("%s gave %s, not %s", cases[i].data, got, cases[i].text);
    }
}

static void codabar_takes_start_and_stop_from_the_data_or_the_command(void **state)
{
    (void)state;
    struct pl_bar_layout layout = build_data(PL_SYM_CODABAR, "A12345A");
    assert_text(&layout, "A12345A");
    layout = build_data(PL_SYM_CODABAR, "12345");
    assert_text(&layout, "A12345A");
    struct pl_barcode spec = spec_of(PL_SYM_CODABAR, "12345");
    spec.codabar.start = 'B';
    spec.codabar.stop = 'C';
    layout = build(&spec);
    assert_text(&layout, "B12345C");
}

static void msi_check_modes(void **state)
{
    (void)state;
    static const struct {
        enum pl_msi_checks checks;
        const char *text;
    } cases[] = {
        {PL_MSI_NONE, "2345"}, {PL_MSI_MOD10, "23457"}, {PL_MSI_MOD10_TWICE, "234575"}, {PL_MSI_MOD11_MOD10, "234500"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pl_barcode spec = spec_of(PL_SYM_MSI, "2345");
        spec.msi.checks = cases[i].checks;
        spec.msi.check_in_text = true;
        struct pl_bar_layout layout = build(&spec);
        assert_text(&layout, cases[i].text);
        spec.msi.check_in_text = false;
        layout = build(&spec);
        assert_text(&layout, "2345");
    }
}

static void code11_has_two_checks_or_one(void **state)
{
    (void)state;
    struct pl_barcode spec = spec_of(PL_SYM_CODE11, "12345");
    struct pl_bar_layout two = build(&spec);
    assert_text(&two, "1234528");
    spec.check = true;
    struct pl_bar_layout one = build(&spec);
    assert_text(&one, "123452");
    assert_true(one.width < two.width);
}

static void code11_widens_the_lone_wide_element(void **state)
{
    (void)state;
    // A printer makes the one wide element of 0, 9 and dash 5/3 times as wide: 3 x 2.8 x 5 / 3 = 14.
    struct pl_barcode spec = spec_of(PL_SYM_CODE11, "9");
    spec.module = 3;
    spec.ratio_tenths = 28;
    struct pl_bar_layout layout = build(&spec);
    const struct pl_bar_run *nine = &layout.bands[0].runs[3]; // start has three bars
    assert_int_equal(nine->width, 14);
}

static void wide_elements_are_the_floor_of_the_ratio(void **state)
{
    (void)state;
    for (uint32_t m = 1; m <= 10; m++)
        for (uint32_t ratio = 20; ratio <= 30; ratio++) {
            struct pl_barcode spec = spec_of(PL_SYM_CODE39, "A");
            spec.module = m;
            spec.ratio_tenths = ratio;
            struct pl_bar_layout layout = build(&spec);
            uint32_t widest = 0;
            for (uint32_t i = 0; i < layout.bands[0].run_count; i++)
                widest = layout.bands[0].runs[i].width > widest ? layout.bands[0].runs[i].width : widest;
            assert_int_equal(widest, m * ratio / 10);
        }
}

static void plessey_ends_with_a_grown_bar(void **state)
{
    (void)state;
    struct pl_barcode spec = spec_of(PL_SYM_PLESSEY, "12345678");
    spec.ratio_tenths = 20;
    struct pl_bar_layout layout = build(&spec);
    const struct pl_bar_band *band = &layout.bands[0];
    assert_int_equal(band->runs[band->run_count - 5].width, 6);
    assert_int_equal(layout.width, 294);
}

// The remainder in the caption is the one in the bars.
static void plessey_check_is_the_one_libzint_draws(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 200; i++) {
        char data[12], longer[16], check[2];
        snprintf(data, sizeof data, "%X", i * 7919u + 1);
        pl_check_plessey(pl_slice_cstr(data), check);
        struct pl_zint_symbol *symbol = pl_arena_alloc(&arena, sizeof *symbol, 8);
        struct pl_zint_job job = {.symbology = PL_ZINT_PLESSEY, .data = pl_slice_cstr(data)};
        assert_int_equal(pl_zint_encode(&job, &arena, symbol, NULL), PL_OK);
        // The two digits before the stop, of sixteen modules each: narrow bars are 0, wide ones 1, the lowest bit
        // first.
        uint32_t x = 16 + (uint32_t)strlen(data) * 16, value[2] = {0, 0};
        for (uint32_t k = 0; k < 8; k++)
            value[k / 4] |= (uint32_t)pl_bitmap_get(&symbol->modules, x + k * 4 + 2, 0) << k % 4;
        snprintf(longer, sizeof longer, "%X%X", value[0], value[1]);
        assert_memory_equal(longer, check, 2);
    }
}

static void postal_bars_have_two_heights_and_a_fixed_pitch(void **state)
{
    (void)state;
    struct pl_bar_layout layout = build_data(PL_SYM_POSTAL, "12345");
    assert_int_equal(layout.width, 157);
    assert_int_equal(layout.band_count, 2);
    assert_int_equal(layout.bands[0].height, 60);
    assert_int_equal(layout.bands[1].run_count, 32);
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(layout.bands[1].runs[i].x, 5 * i);
        assert_int_equal(layout.bands[1].runs[i].width, 2);
    }
    assert_text(&layout, "123455");
    layout = build_data(PL_SYM_PLANET, "12345678901");
    assert_int_equal(layout.width, 307);
    assert_string_equal(layout.symbology, "planet");
    layout = build_data(PL_SYM_POSTAL, "12340");
    assert_text(&layout, "123400"); // the digits add up to ten already
    // Other lengths are drawn, with a word on them.
    static const struct {
        enum pl_symbology code;
        const char *data;
        bool usual;
    } LENGTHS[] = {{PL_SYM_POSTAL, "12345", true},        {PL_SYM_POSTAL, "123456", false},
                   {PL_SYM_POSTAL, "123456789", true},    {PL_SYM_POSTAL, "12345678901", true},
                   {PL_SYM_PLANET, "12345678901", true},  {PL_SYM_PLANET, "1234567890123", true},
                   {PL_SYM_PLANET, "123456789012", false}};
    for (size_t i = 0; i < sizeof LENGTHS / sizeof *LENGTHS; i++) {
        uint32_t before = diags.count;
        layout = build_data(LENGTHS[i].code, LENGTHS[i].data);
        assert_true(layout.band_count > 0);
        assert_int_equal(diags.count - before, LENGTHS[i].usual ? 0 : 1);
    }
}

static void intelligent_mail_has_sixty_five_bars(void **state)
{
    (void)state;
    struct pl_barcode spec = spec_of(PL_SYM_POSTAL, "01234567094987654321");
    struct pl_bar_layout layout = build_field(&spec, '3', 0, -1);
    assert_int_equal(layout.bands[1].run_count, 65);
    spec.data = pl_slice_cstr("012345670949876543210123");
    layout = build_field(&spec, '3', 0, -1);
    assert_int_equal(layout.band_count, 0); // no such length of routing code
}

// ---- Captions ----

static void captions_stand_under_or_over_the_bars(void **state)
{
    (void)state;
    struct pl_barcode spec = spec_of(PL_SYM_CODE128, "123456");
    struct pl_bar_layout layout = build(&spec); // 202 dots wide
    assert_int_equal(layout.width, 202);
    assert_int_equal(layout.text_count, 1);
    assert_int_equal(layout.texts[0].u, (202 - 6 * 12) / 2);
    assert_int_equal(layout.texts[0].v, 100 + 6 + 14);
    spec.text_above = true;
    layout = build(&spec);
    assert_int_equal(layout.texts[0].v, -12);
    spec.text = false;
    layout = build(&spec);
    assert_int_equal(layout.text_count, 0);
}

static void half_a_dot_is_rounded_up_in_the_first_half_of_the_line(void **state)
{
    (void)state;
    struct pl_barcode spec = spec_of(PL_SYM_CODE128, "12345678");
    spec.module = 5; // 615 dots; 8 x 30 = 240: 187.5 on each side
    struct pl_bar_layout layout = build(&spec);
    assert_int_equal(layout.text_count, 2);
    assert_int_equal(layout.texts[0].u, 188);
    assert_int_equal(layout.texts[0].length, 5);
    assert_int_equal(layout.texts[1].u, 187 + 5 * 30);
    assert_line(&layout, "12345678");
}

static void ean13_digits_stand_in_groups(void **state)
{
    (void)state;
    struct pl_bar_layout layout = build_data(PL_SYM_EAN13, "123456789012");
    assert_int_equal(layout.text_count, 13);
    assert_line(&layout, "1234567890128");
    assert_int_equal(layout.texts[0].u, -22);
    assert_int_equal(layout.texts[1].u, 10);
    assert_int_equal(layout.texts[6].u, 76);
    assert_int_equal(layout.texts[7].u, 102);
    assert_int_equal(layout.texts[12].u, 168);
    assert_int_equal(layout.texts[0].font.resident, 'A');
    struct pl_barcode spec = spec_of(PL_SYM_EAN13, "123456789012");
    spec.module = 3;
    layout = build(&spec);
    assert_int_equal(layout.texts[0].font.resident, 'E');
}

static void guards_reach_thirteen_dots_down_whatever_the_module(void **state)
{
    (void)state;
    for (uint32_t m = 1; m <= 10; m++) {
        struct pl_barcode spec = spec_of(PL_SYM_UPCA, "72527273070");
        spec.module = m;
        struct pl_bar_layout layout = build(&spec);
        assert_int_equal(layout.band_count, 2);
        assert_int_equal(layout.bands[1].y, 100);
        assert_int_equal(layout.bands[1].height, 13);
        assert_int_equal(layout.bands[1].run_count, 10); // 2 + 2 (first digit) + 2 + 2 (last digit) + 2
    }
}

static void upca_prints_its_check_digit_only_if_asked(void **state)
{
    (void)state;
    struct pl_barcode spec = spec_of(PL_SYM_UPCA, "72527273070");
    struct pl_bar_layout layout = build(&spec);
    assert_line(&layout, "72527273070");
    spec.check = true;
    layout = build(&spec);
    assert_line(&layout, "725272730706");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(check_digits_equal_published_ones, set_up, tear_down),
        cmocka_unit_test_setup_teardown(characters_outside_the_alphabet_are_left_out_and_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lower_case_becomes_upper_case, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_odd_number_of_digits_gets_a_zero_before_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(data_of_unwanted_characters_only_draws_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(empty_data_draws_nothing_in_any_symbology, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_symbology_has_a_builder_and_a_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refused_memory_is_an_error_in_every_symbology, set_up, tear_down),
        cmocka_unit_test_setup_teardown(retail_data_is_bent_as_a_printer_bends_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(codabar_takes_start_and_stop_from_the_data_or_the_command, set_up, tear_down),
        cmocka_unit_test_setup_teardown(msi_check_modes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(code11_has_two_checks_or_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(code11_widens_the_lone_wide_element, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wide_elements_are_the_floor_of_the_ratio, set_up, tear_down),
        cmocka_unit_test_setup_teardown(plessey_ends_with_a_grown_bar, set_up, tear_down),
        cmocka_unit_test_setup_teardown(plessey_check_is_the_one_libzint_draws, set_up, tear_down),
        cmocka_unit_test_setup_teardown(postal_bars_have_two_heights_and_a_fixed_pitch, set_up, tear_down),
        cmocka_unit_test_setup_teardown(intelligent_mail_has_sixty_five_bars, set_up, tear_down),
        cmocka_unit_test_setup_teardown(captions_stand_under_or_over_the_bars, set_up, tear_down),
        cmocka_unit_test_setup_teardown(half_a_dot_is_rounded_up_in_the_first_half_of_the_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ean13_digits_stand_in_groups, set_up, tear_down),
        cmocka_unit_test_setup_teardown(guards_reach_thirteen_dots_down_whatever_the_module, set_up, tear_down),
        cmocka_unit_test_setup_teardown(upca_prints_its_check_digit_only_if_asked, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
