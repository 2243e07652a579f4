// From spec to layout: sizes and places of symbols, and what their options may be.
#include "layout_fixture.h"

#include "bar/encode/bar_zint.h"
#include "bar/encode/gs1.h"

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
        cmocka_unit_test_setup_teardown(a_wrong_check_digit_is_said_in_every_retail_code, set_up, tear_down),
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
