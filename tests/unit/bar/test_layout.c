// From spec to layout: data rules, check digits, diagnostics, captions and geometry of the linear codes.
#include <stdio.h>
#include <string.h>

#include "bar/bar.h"
#include "bar/encode/bar_zint.h"
#include "bar/encode/checkdigit.h"
#include "bar/encode/gs1.h"
#include "unit.h"
#include "zpl_field.h"

static struct pl_arena arena;
static struct pl_diags diags;

static int set_up(void **state)
{
    (void)state;
    pl_arena_init(&arena, 64u << 20);
    pl_diags_init(&diags, &arena, 100);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    pl_arena_fini(&arena);
    return 0;
}

static struct pl_barcode spec_of(enum pl_symbology symbology, const char *data)
{
    struct zpl_barcode field;
    zpl_barcode_init(&field, symbology);
    struct pl_barcode spec = field.symbol;
    spec.data = pl_slice_cstr(data);
    spec.module = 2;
    spec.ratio_tenths = 30;
    spec.default_height = 10;
    spec.height = 100;
    spec.text = true;
    return spec;
}

static enum pl_errc layout_field(const struct zpl_barcode *field, struct pl_bar_context context,
                                 struct pl_bar_layout *layout, struct pl_error *err)
{
    struct pl_barcode read = field->symbol;
    PL_TRY(zpl_barcode_read(field, field->symbol.data, context.arena, &read, err));
    return pl_bar_layout(&read, &context, layout, err);
}

// The data of `spec` is a field's.
static struct pl_bar_layout build_field(const struct pl_barcode *spec, char mode, char escape, int32_t size)
{
    struct zpl_barcode field = {.symbol = *spec, .mode = mode, .escape = (uint8_t)escape, .size = size};
    struct pl_bar_layout layout;
    struct pl_error err = {0};
    if (layout_field(&field,
                     (struct pl_bar_context){
                         .profile = &pl_profile_reference.bar, .dpmm = 8, .scale = 1, .arena = &arena, .diags = &diags},
                     &layout, &err) != PL_OK)
        fail_msg("%s", err.message);
    return layout;
}

static struct pl_bar_layout build(const struct pl_barcode *spec)
{
    return build_field(spec, 0, 0, -1);
}

static struct pl_bar_layout build_data(enum pl_symbology symbology, const char *data)
{
    struct pl_barcode spec = spec_of(symbology, data);
    return build(&spec);
}

static void assert_text(const struct pl_bar_layout *layout, const char *text)
{
    char got[256];
    snprintf(got, sizeof got, "%.*s", (int)layout->text.len, (const char *)layout->text.ptr);
    assert_string_equal(got, text);
}

// The whole interpretation line, pieces in order.
static void assert_line(const struct pl_bar_layout *layout, const char *text)
{
    char got[256] = {0};
    size_t n = 0;
    for (uint32_t i = 0; i < layout->text_count; i++)
        for (uint32_t k = 0; k < layout->texts[i].length; k++)
            got[n++] = (char)layout->texts[i].chars[k];
    assert_string_equal(got, text);
}

static bool said(enum pl_diag_id id)
{
    for (uint32_t i = 0; i < diags.count; i++)
        if (diags.items[i].id == id)
            return true;
    return false;
}

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

// ---- Other geometry ----

static void qr_sinks_by_the_height_of_by_and_stands_over_the_baseline(void **state)
{
    (void)state;
    struct pl_barcode spec = spec_of(PL_SYM_QR, "MA,HELLO WORLD");
    spec.qr.magnification = 5;
    spec.default_height = 145;
    struct pl_bar_layout layout = build(&spec);
    assert_int_equal(layout.width, 105);
    assert_int_equal(layout.corner_dy, 145);
    assert_int_equal(layout.baseline_dy, -15);
    assert_true(layout.ignores_rotation);
    // Twenty digits declared as bytes: placed as version 3, drawn as version 2.
    spec = spec_of(PL_SYM_QR, "HM,B002012345678901234567890");
    spec.qr.magnification = 10;
    layout = build(&spec);
    assert_int_equal(layout.width, 250);
    assert_int_equal(layout.baseline_dy, -70);
}

static void qr_header_faults_are_said(void **state)
{
    (void)state;
    struct pl_bar_layout layout = build_data(PL_SYM_QR, "EXAMPLE CODE");
    assert_text(&layout, "MPLE CODE");
    assert_true(said(PL_DIAG_BARCODE_DATA));
    layout = build_data(PL_SYM_QR, "MM,A3SPOST|25");
    assert_text(&layout, "3SPOST25");
}

// Rows of libzint's modules ten modules in, separators between them.
static void code49_shows_libzints_rows(void **state)
{
    (void)state;
    static const char *const texts[] = {"A", "12345", "MULTIPLE ROWS IN CODE 49", "lower case too",
                                        "1234567890123456789012"};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        struct pl_barcode spec = spec_of(PL_SYM_CODE49, texts[t]);
        spec.height = 9;
        struct pl_bar_layout layout = build(&spec);
        struct pl_zint_symbol *symbol = pl_arena_alloc(&arena, sizeof *symbol, 8);
        struct pl_zint_job job = {.symbology = (enum pl_zint_id)24, .data = pl_slice_cstr(texts[t])};
        assert_int_equal(pl_zint_encode(&job, &arena, symbol, NULL), PL_OK);
        assert_int_equal(layout.band_count, symbol->modules.height * 2 + 1);
        assert_int_equal(layout.width, 81 * 2);
        assert_int_equal(layout.height, (symbol->modules.height * 10 + 1) * 2);
        for (uint32_t row = 0; row < symbol->modules.height; row++) {
            const struct pl_bar_band *band = &layout.bands[row * 2 + 1];
            uint32_t run = 0;
            for (uint32_t x = 0; x < 70; x++) {
                while (run < band->run_count && band->runs[run].x + band->runs[run].width <= (10 + x) * 2)
                    run++;
                bool dark = run < band->run_count && band->runs[run].x <= (10 + x) * 2;
                assert_int_equal(dark, pl_bitmap_get(&symbol->modules, x, row));
            }
        }
    }
}

static void databar_rows_have_the_measured_heights(void **state)
{
    (void)state;
    static const uint32_t heights[] = {0, 66, 26, 28, 144, 20}, widths[] = {0, 192, 192, 100, 100, 148};
    for (int kind = 1; kind <= 5; kind++) {
        struct pl_barcode spec = spec_of(PL_SYM_DATABAR, "0112345678901");
        spec.databar.form = kind;
        spec.databar.magnification = 2;
        spec.databar.separator = 2;
        struct pl_bar_layout layout = build(&spec);
        assert_int_equal(layout.height, heights[kind]);
        assert_int_equal(layout.width, widths[kind]);
    }
}

static void composites_stand_over_the_linear_part(void **state)
{
    (void)state;
    static const struct {
        int kind;
        const char *data;
    } cases[] = {{1, "0112345678901|1012AB"}, {2, "0112345678901|1012AB"},     {3, "0112345678901|1012AB"},
                 {4, "0112345678901|1012AB"}, {5, "0112345678901|1012AB"},     {6, "0112345678901231|1012AB"},
                 {7, "12345678901|1012AB"},   {8, "01234500006|1012AB"},       {9, "123456789012|1012AB"},
                 {10, "1234567|1012AB"},      {11, "0112345678901231|1012AB"}, {12, "0112345678901231|1012ABCDEF"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pl_barcode spec = spec_of(PL_SYM_DATABAR, cases[i].data);
        spec.databar.form = cases[i].kind;
        struct pl_bar_layout whole = build(&spec);
        if (whole.band_count < 4)
            fail_msg("kind %d has no composite part", cases[i].kind);
        spec.data.len = strcspn(cases[i].data, "|");
        struct pl_bar_layout plain = build(&spec);
        assert_true(plain.band_count > 0 && plain.height < whole.height);
    }
}

static void element_strings_are_split_at_their_identifiers(void **state)
{
    (void)state;
    static const struct {
        const char *raw, *bracketed;
    } cases[] = {
        {"0112345678901231", "[01]12345678901231"},
        {"011234567890123110ABC", "[01]12345678901231[10]ABC"},
        {"10ABC>821X", "[10]ABC>821X"}, // an escape of ZPL is data here
        {"10ABC\x1d"
         "21X",
         "[10]ABC[21]X"},
        {"(01)12345678901231(3103)001750", "[01]12345678901231[3103]001750"},
        {"[10]ABC[21]X", "[10]ABC[21]X"},
        {"310300175015991231", "[3103]001750[15]991231"},
        {"10", ""},
        {"ABC", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t out[256] = {0};
        uint32_t dropped;
        size_t n = pl_gs1_bracket(pl_slice_cstr(cases[i].raw), out, &dropped);
        out[n] = 0;
        assert_string_equal((char *)out, cases[i].bracketed);
    }
}

static void maxicode_has_one_size_by_density(void **state)
{
    (void)state;
    static const uint32_t sizes[][3] = {{6, 150, 144}, {8, 200, 193}, {12, 300, 289}, {24, 600, 579}};
    struct pl_barcode spec = spec_of(PL_SYM_MAXICODE, "001840123456789[)>TEXT");
    for (size_t i = 0; i < 4; i++) {
        struct pl_bar_context context = {
            .profile = &pl_profile_reference.bar, .dpmm = sizes[i][0], .scale = 1, .arena = &arena, .diags = &diags};
        struct pl_bar_layout layout;
        assert_int_equal(layout_field(&(struct zpl_barcode){.symbol = spec, .size = -1}, context, &layout, NULL),
                         PL_OK);
        assert_int_equal(layout.width, sizes[i][1]);
        assert_int_equal(layout.height, sizes[i][2]);
        // The middle of the bullseye is light, the ring around it dark.
        uint32_t cx = 35760 * 34 * sizes[i][0] / 100000, cy = 35600 * 34 * sizes[i][0] / 100000;
        assert_false(pl_bitmap_get(layout.picture, cx, cy));
        assert_true(pl_bitmap_get(layout.picture, cx, cy + 2370 * 34 * sizes[i][0] / 100000));
    }
}

// Smooth output has the same whole dots, so the picture is not enlarged for it.
static void maxicode_of_a_printer_has_whole_dots_at_any_scale(void **state)
{
    (void)state;
    static const uint32_t sizes[][3] = {{6, 157, 150}, {8, 210, 200}, {12, 315, 300}, {24, 630, 600}};
    struct pl_barcode spec = spec_of(PL_SYM_MAXICODE, "001840123456789[)>TEXT");
    for (size_t i = 0; i < 8; i++) {
        const uint32_t *size = sizes[i / 2];
        struct pl_bar_context context = {.profile = &pl_profile_printer.bar,
                                         .dpmm = size[0],
                                         .scale = i % 2 ? 4 : 1,
                                         .arena = &arena,
                                         .diags = &diags};
        struct pl_bar_layout layout;
        assert_int_equal(layout_field(&(struct zpl_barcode){.symbol = spec, .size = -1}, context, &layout, NULL),
                         PL_OK);
        assert_int_equal(layout.picture_scale, 1);
        assert_int_equal(layout.width, size[1]);
        assert_int_equal(layout.height, size[2]);
        assert_int_equal(layout.picture->width, size[1]);
        assert_int_equal(layout.baseline_dy, 1);
    }
}

static void validation_prints_a_panel_instead_of_bad_data(void **state)
{
    (void)state;
    struct pl_barcode spec = spec_of(PL_SYM_EAN13, "12345678901x");
    spec.validate = true;
    struct pl_bar_layout layout = build(&spec);
    assert_true(layout.reversed_panel);
    assert_line(&layout, "INVALID - C");
    spec.data = pl_slice_cstr("5901234123450");
    layout = build(&spec);
    assert_line(&layout, "INVALID - E");
    spec.data = pl_slice_cstr("5901234123457");
    layout = build(&spec);
    assert_false(layout.reversed_panel);
    static const struct {
        const char *data, *line;
    } upce[] = {{"01234567", "INVALID - E"},
                {"012345000066", "INVALID - E"},
                {"12345", "INVALID - S"},
                {"123456789", "INVALID - S"},
                {"0123450000651", "INVALID - L"},
                {"01234x5", "INVALID - C"},
                {"01234565", NULL},
                {"012345000065", NULL}};
    spec = spec_of(PL_SYM_DATAMATRIX, "12345678901234567890");
    spec.validate = true;
    for (int legacy = 0; legacy < 2; legacy++) {
        spec.datamatrix.quality = legacy ? 0 : 200;
        spec.datamatrix.columns = spec.datamatrix.rows = legacy ? 9 : 10;
        layout = build(&spec);
        assert_line(&layout, legacy ? "INVALID - P" : "INVALID - L");
    }
    spec = spec_of(PL_SYM_UPCE, "");
    spec.validate = true;
    for (size_t i = 0; i < sizeof upce / sizeof *upce; i++) {
        spec.data = pl_slice_cstr(upce[i].data);
        layout = build(&spec);
        assert_int_equal(layout.reversed_panel, upce[i].line != NULL);
        if (upce[i].line)
            assert_line(&layout, upce[i].line);
    }
}

static void a_wrong_check_digit_is_said_in_every_retail_code(void **state)
{
    (void)state;
    static const struct {
        enum pl_symbology symbology;
        const char *right, *wrong;
    } cases[] = {
        {PL_SYM_EAN13, "5901234123457", "5901234123450"}, {PL_SYM_EAN8, "96385074", "96385070"},
        {PL_SYM_UPCA, "725272730706", "725272730700"},    {PL_SYM_UPCE, "01234565", "01234567"},
        {PL_SYM_UPCE, "012345000065", "012345000060"},    {PL_SYM_DATABAR, "00012345678905", "00012345678900"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t before = diags.count;
        build_data(cases[i].symbology, cases[i].right);
        assert_int_equal(diags.count, before);
        build_data(cases[i].symbology, cases[i].wrong);
        assert_int_equal(diags.count, before + 1);
    }
}

static void options_that_cannot_be_had_are_said(void **state)
{
    (void)state;
    static const struct {
        enum pl_symbology symbology;
        int32_t quality, columns, rows, size;
        bool said;
    } cases[] = {
        {PL_SYM_DATAMATRIX, 200, 18, 18, -1, false}, {PL_SYM_DATAMATRIX, 200, 18, -1, -1, false},
        {PL_SYM_DATAMATRIX, 200, 32, 8, -1, false},  {PL_SYM_DATAMATRIX, 200, 11, 11, -1, true},
        {PL_SYM_DATAMATRIX, 200, 8, 18, -1, true},   {PL_SYM_DATAMATRIX, 0, 49, 49, -1, false},
        {PL_SYM_DATAMATRIX, 0, 50, 50, -1, true},    {PL_SYM_AZTEC, -1, -1, -1, 23, false},
        {PL_SYM_AZTEC, -1, -1, -1, 100, true},       {PL_SYM_AZTEC, -1, -1, -1, 104, false},
        {PL_SYM_AZTEC, -1, -1, -1, 105, true},       {PL_SYM_AZTEC, -1, -1, -1, 233, true},
        {PL_SYM_AZTEC, -1, -1, -1, 300, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pl_barcode spec = spec_of(cases[i].symbology, "25");
        spec.datamatrix.quality = cases[i].quality;
        spec.datamatrix.columns = cases[i].columns;
        spec.datamatrix.rows = cases[i].rows;
        uint32_t before = diags.count;
        struct pl_bar_layout layout = build_field(&spec, 0, 0, cases[i].size);
        assert_true(layout.band_count > 0);
        if ((diags.count > before) != cases[i].said)
            fail_msg("case %zu: %u findings", i, diags.count - before);
    }
}

static void tlc39_stands_under_its_second_part(void **state)
{
    (void)state;
    struct pl_barcode spec = spec_of(PL_SYM_TLC39, "123456,ABC");
    spec.height = -1;
    struct pl_bar_layout layout = build(&spec);
    // A white dot, six rows of four dots, a module of two dots, bars of forty.
    assert_int_equal(layout.height, 1 + 6 * 4 + 2 + 40);
    assert_int_equal(layout.bands[0].y, 1);
    assert_int_equal(layout.bands[layout.band_count - 1].y, 1 + 6 * 4 + 2);
    uint32_t before = diags.count;
    spec.data = pl_slice_cstr("1234567"); // no comma: the six digits alone
    layout = build(&spec);
    assert_text(&layout, "123456");
    assert_int_equal(diags.count, before + 1);
}

// The line through two corners of the bars, at the far side of the flag: 85 * (20 + 24) / 206 and 85 * (20 + 30) / 254
// dots, cut.
static void the_link_flag_of_tlc39_reaches_beyond_the_bars_on_a_printer(void **state)
{
    (void)state;
    static const int32_t cases[][2] = {{20, 18}, {30, 16}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pl_barcode spec = spec_of(PL_SYM_TLC39, "239316,1");
        spec.height = 85;
        spec.tlc39.ratio_tenths = cases[i][0];
        struct pl_bar_context context = {
            .profile = &pl_profile_printer.bar, .dpmm = 8, .scale = 1, .arena = &arena, .diags = &diags};
        struct pl_bar_layout layout;
        assert_int_equal(layout_field(&(struct zpl_barcode){.symbol = spec, .size = -1}, context, &layout, NULL),
                         PL_OK);
        const struct pl_bar_band *bars = &layout.bands[layout.band_count - 2], *flag = bars + 1;
        assert_int_equal(bars->height, 85);
        assert_int_equal(bars->y - flag->y, cases[i][1]);
        assert_int_equal(flag->height, 85 + 2 * cases[i][1]);
    }
}

static void lengths_beyond_the_limit_are_refused_not_cut(void **state)
{
    (void)state;
    static char data[5000];
    memset(data, '1', sizeof data - 1);
    for (int i = 0; i < PL_SYM_COUNT; i++) {
        bool cuts = i == PL_SYM_UPCA || i == PL_SYM_UPCE || i == PL_SYM_EAN8 || i == PL_SYM_EAN13 ||
                    i == PL_SYM_UPC_EAN_EXTENSION || i == PL_SYM_DATABAR || i == PL_SYM_TLC39 || i == PL_SYM_QR ||
                    i == PL_SYM_CODABLOCK;
        struct pl_bar_layout layout = build_data((enum pl_symbology)i, data);
        if (!cuts && layout.band_count)
            fail_msg("%s holds 5000 digits", layout.symbology);
    }
}

static void quiet_zones_of_maxicode_and_of_linear_codes_in_br(void **state)
{
    (void)state;
    struct pl_barcode spec = spec_of(PL_SYM_MAXICODE, "999840123410000some data");
    struct pl_bar_layout layout = build_field(&spec, '2', 0, -1);
    assert_int_equal(layout.quiet_left, layout.module);
    assert_int_equal(layout.quiet_top, layout.module);
    static const struct {
        int32_t kind;
        const char *data;
        uint32_t left, right;
    } cases[] = {{1, "123", 0, 0},
                 {7, "12345678901", 9, 9},
                 {8, "01230000045", 9, 7},
                 {9, "123456789012", 11, 7},
                 {10, "1234567", 7, 7},
                 {11, "0112345678901231", 10, 10},
                 {12, "0112345678901231", 10, 10}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        spec = spec_of(PL_SYM_DATABAR, cases[i].data);
        spec.databar.form = cases[i].kind;
        spec.databar.magnification = 3;
        layout = build(&spec);
        assert_true(layout.band_count > 0);
        assert_int_equal(layout.quiet_left, 3 * cases[i].left);
        assert_int_equal(layout.quiet_right, 3 * cases[i].right);
    }
}

static void the_check_digit_of_upc_stands_two_modules_behind_the_bars(void **state)
{
    (void)state;
    static const enum pl_symbology CODES[] = {PL_SYM_UPCA, PL_SYM_UPCE};
    for (size_t i = 0; i < 2; i++)
        for (uint32_t module = 2; module <= 3; module++) {
            struct pl_barcode spec = spec_of(CODES[i], i == 0 ? "01234567890" : "123456");
            spec.check = true;
            spec.module = module;
            struct pl_bar_layout layout = build(&spec);
            const struct pl_bar_text *last = &layout.texts[layout.text_count - 1];
            assert_int_equal(last->u, layout.width + 2 * module);
        }
}

static void modules_of_matrix_codes_follow_the_density(void **state)
{
    (void)state;
    static const uint32_t DENSITIES[][2] = {{6, 1}, {8, 2}, {12, 3}, {24, 6}};
    for (size_t i = 0; i < 4; i++)
        for (int qr = 0; qr < 2; qr++) {
            struct pl_barcode spec = spec_of(qr ? PL_SYM_QR : PL_SYM_AZTEC, "QA,data");
            struct pl_bar_context context = {.profile = &pl_profile_reference.bar,
                                             .dpmm = DENSITIES[i][0],
                                             .scale = 1,
                                             .arena = &arena,
                                             .diags = &diags};
            struct pl_bar_layout layout;
            assert_int_equal(layout_field(&(struct zpl_barcode){.symbol = spec, .size = -1}, context, &layout, NULL),
                             PL_OK);
            assert_int_equal(layout.module, DENSITIES[i][1]);
            assert_int_equal(layout.width % DENSITIES[i][1], 0);
            assert_int_equal(layout.width / DENSITIES[i][1], qr ? 21 : 15);
        }
}

static void gs1_symbols_are_named(void **state)
{
    (void)state;
    assert_string_equal(build_data(PL_SYM_CODE128, ">;>80012345").symbology, "gs1-128");
    assert_string_equal(build_data(PL_SYM_CODE128, ">:AB>8C").symbology, "code128");
    assert_string_equal(build_data(PL_SYM_CODE128, "12345").symbology, "code128");
    struct pl_barcode spec = spec_of(PL_SYM_DATAMATRIX, "_10112345678901231");
    spec.datamatrix.quality = 200;
    assert_string_equal(build_field(&spec, 0, '_', -1).symbology, "gs1-datamatrix");
    assert_string_equal(build(&spec).symbology, "datamatrix");
}

static void identifiers_72xx_need_no_parentheses(void **state)
{
    (void)state;
    struct pl_barcode spec = spec_of(PL_SYM_DATABAR, "7230EM1234");
    spec.databar.form = 6;
    struct pl_bar_layout layout = build(&spec);
    assert_true(layout.band_count > 0);
    assert_int_equal(pl_gs1_identifier_length(pl_slice_cstr("7240X")), 4);
}

static void qr_tells_of_segments_beyond_200(void **state)
{
    (void)state;
    char data[16 + 220 * 3];
    size_t n = (size_t)snprintf(data, sizeof data, "D010100,LM,");
    for (int i = 0; i < 210; i++)
        n += (size_t)snprintf(data + n, sizeof data - n, "N%d,", i % 10);
    uint32_t before = diags.count;
    struct pl_bar_layout layout = build_data(PL_SYM_QR, data);
    assert_int_equal(layout.text.len, 200);
    assert_int_equal(diags.count, before + 1);
    assert_int_equal(diags.items[before].id, PL_DIAG_BARCODE_DATA);
}

static void the_level_of_a_qr_code_may_be_a_small_letter(void **state)
{
    (void)state;
    uint32_t before = diags.count;
    struct pl_bar_layout small = build_data(PL_SYM_QR, "hA,HELLO WORLD, HELLO"),
                         large = build_data(PL_SYM_QR, "HA,HELLO WORLD, HELLO");
    assert_int_equal(small.width, large.width);
    assert_int_equal(small.width, build_data(PL_SYM_QR, "HA,HELLO WORLD, HELLO").width);
    assert_int_equal(diags.count, before);
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
        cmocka_unit_test_setup_teardown(a_wrong_check_digit_is_said_in_every_retail_code, set_up, tear_down),
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
        cmocka_unit_test_setup_teardown(qr_sinks_by_the_height_of_by_and_stands_over_the_baseline, set_up, tear_down),
        cmocka_unit_test_setup_teardown(options_that_cannot_be_had_are_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tlc39_stands_under_its_second_part, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_link_flag_of_tlc39_reaches_beyond_the_bars_on_a_printer, set_up, tear_down),
        cmocka_unit_test_setup_teardown(qr_header_faults_are_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(code49_shows_libzints_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(databar_rows_have_the_measured_heights, set_up, tear_down),
        cmocka_unit_test_setup_teardown(composites_stand_over_the_linear_part, set_up, tear_down),
        cmocka_unit_test_setup_teardown(element_strings_are_split_at_their_identifiers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(maxicode_has_one_size_by_density, set_up, tear_down),
        cmocka_unit_test_setup_teardown(maxicode_of_a_printer_has_whole_dots_at_any_scale, set_up, tear_down),
        cmocka_unit_test_setup_teardown(validation_prints_a_panel_instead_of_bad_data, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lengths_beyond_the_limit_are_refused_not_cut, set_up, tear_down),
        cmocka_unit_test_setup_teardown(quiet_zones_of_maxicode_and_of_linear_codes_in_br, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_check_digit_of_upc_stands_two_modules_behind_the_bars, set_up, tear_down),
        cmocka_unit_test_setup_teardown(modules_of_matrix_codes_follow_the_density, set_up, tear_down),
        cmocka_unit_test_setup_teardown(gs1_symbols_are_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(identifiers_72xx_need_no_parentheses, set_up, tear_down),
        cmocka_unit_test_setup_teardown(qr_tells_of_segments_beyond_200, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_level_of_a_qr_code_may_be_a_small_letter, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
