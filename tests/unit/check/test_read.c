// Reading from dots: crops, rotations, damage, limits. The round trip of every symbology is tests/checks.
#include <string.h>

#include "arena_fixture.h"
#include "check/read.h"
#include "check/read_zxing.h"
#include "unit.h"

// Code 11 of "123-": narrow 1, wide 2, without check digits.
static const char *const CODE11 = "001100 100010 010010 110000 001000 00110";

enum { MODULE = 3, HEIGHT = 40, X = 50, Y = 70 };

// Paints the symbol upright into a bitmap of its own.
static void paint(struct pl_bitmap *out)
{
    struct pl_error err = {0};
    uint32_t width = 0, x = 0;
    bool dark = true;
    for (const char *c = CODE11; *c; c++)
        width += *c == ' ' ? 0 : (uint32_t)(*c - '0' + 1) * MODULE;
    assert_int_equal(pl_bitmap_new(&arena, width, HEIGHT, out, &err), PL_OK);
    for (const char *c = CODE11; *c; c++) {
        if (*c == ' ')
            continue;
        uint32_t w = (uint32_t)(*c - '0' + 1) * MODULE;
        if (dark)
            pl_bitmap_fill(out, (struct pl_box){(int32_t)x, 0, (int32_t)(x + w), HEIGHT}, PL_INK_BLACK);
        dark = !dark;
        x += w;
    }
}

// A page with the symbol turned, and the request for it.
static struct pl_read_request request_for(struct pl_bitmap *page, enum pl_rotation rotation)
{
    struct pl_error err = {0};
    struct pl_bitmap symbol, turned;
    paint(&symbol);
    assert_int_equal(pl_bitmap_turn(&arena, &symbol, rotation, &turned, &err), PL_OK);
    assert_int_equal(pl_bitmap_new(&arena, 400, 400, page, &err), PL_OK);
    pl_bitmap_blit(page, &turned, X, Y, PL_INK_BLACK);
    struct pl_box bars = {X, Y, X + (int32_t)turned.width, Y + (int32_t)turned.height}, area = bars;
    bool upright = rotation == PL_ROT_N || rotation == PL_ROT_I;
    area.x0 -= upright ? 30 : 0;
    area.x1 += upright ? 30 : 0;
    area.y0 -= upright ? 0 : 30;
    area.y1 += upright ? 0 : 30;
    return (struct pl_read_request){
        .page = page, .bars = bars, .area = area, .rotation = rotation, .module = MODULE, .symbology = PL_CHECK_CODE11};
}

static struct pl_read_result read_it(const struct pl_read_request *request)
{
    struct pl_read_result result;
    struct pl_error err = {0};
    assert_int_equal(pl_read_symbol(request, NULL, &arena, &result, &err), PL_OK);
    return result;
}

static void all_rotations_read_and_say_where(void **state)
{
    (void)state;
    for (int rotation = PL_ROT_N; rotation <= PL_ROT_B; rotation++) {
        struct pl_bitmap page;
        struct pl_read_request request = request_for(&page, (enum pl_rotation)rotation);
        struct pl_read_result r = read_it(&request);
        assert_int_equal(r.outcome, PL_READ_DECODED);
        assert_true(pl_slice_eq_cstr(r.data, "123-"));
        assert_int_equal(r.lines_read, r.lines_tried);
        assert_memory_equal(&r.place, &request.bars, sizeof r.place);
    }
}

static void ink_over_some_lines_is_counted(void **state)
{
    (void)state;
    struct pl_bitmap page;
    struct pl_read_request request = request_for(&page, PL_ROT_N);
    pl_bitmap_fill(&page, (struct pl_box){X, Y, X + 300, Y + HEIGHT / 2}, PL_INK_BLACK);
    struct pl_read_result r = read_it(&request);
    assert_int_equal(r.outcome, PL_READ_DECODED);
    assert_true(r.lines_read > 0 && r.lines_read < r.lines_tried);
    pl_bitmap_fill(&page, (struct pl_box){X, Y, X + 300, Y + HEIGHT}, PL_INK_BLACK);
    r = read_it(&request);
    assert_int_equal(r.outcome, PL_READ_UNREADABLE);
    assert_non_null(r.reason);
}

static void what_lies_outside_the_page_is_paper(void **state)
{
    (void)state;
    struct pl_bitmap page;
    struct pl_read_request request = request_for(&page, PL_ROT_N);
    struct pl_box far[] = {
        {-5000, -5000, -4900, -4900}, {390, 390, 500, 500}, {-20, 10, 30, 20}, {0, 0, 0, 0}, {10, 10, 5, 5}};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        request.bars = request.area = far[i];
        assert_int_equal(read_it(&request).outcome, PL_READ_UNREADABLE);
    }
    request.bars = request.area = (struct pl_box){0, 0, 30000, 30000};
    assert_int_equal(read_it(&request).outcome, PL_READ_TOO_LARGE);
}

// The grid of modules was made for a box of negative width: the reader did not end.
static void bars_that_are_an_empty_box_are_unreadable(void **state)
{
    (void)state;
    struct pl_bitmap page;
    struct pl_read_request request = request_for(&page, PL_ROT_R);
    const char *reason;
    request.bars = (struct pl_box){4, 4, 1, 4};
    for (int s = 0; s < PL_CHECK_SYMBOLOGY_COUNT; s++) {
        request.symbology = (enum pl_check_symbology)s;
        if (pl_read_has_reader(request.symbology, &reason))
            assert_int_equal(read_it(&request).outcome, PL_READ_UNREADABLE);
    }
    request.bars = (struct pl_box){0, 0, 20000, 20000};
    for (int s = 0; s < PL_CHECK_SYMBOLOGY_COUNT; s++) {
        request.symbology = (enum pl_check_symbology)s;
        if (pl_read_has_reader(request.symbology, &reason))
            assert_int_equal(read_it(&request).outcome, PL_READ_TOO_LARGE);
    }
}

static void no_symbology_breaks_on_noise(void **state)
{
    (void)state;
    struct pl_bitmap page;
    struct pl_error err = {0};
    uint64_t seed = 88172645463325252u;
    assert_int_equal(pl_bitmap_new(&arena, 256, 192, &page, &err), PL_OK);
    for (uint32_t i = 0; i < page.stride * page.height; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        page.words[i] = seed;
    }
    for (int s = 0; s < PL_CHECK_SYMBOLOGY_COUNT; s++)
        for (uint32_t module = 0; module < 5; module++) {
            struct pl_read_request request = {.page = &page,
                                              .bars = {8, 8, 248, 184},
                                              .area = {0, 0, 256, 192},
                                              .rotation = (enum pl_rotation)(module % 4),
                                              .module = module,
                                              .symbology = (enum pl_check_symbology)s};
            const char *reason;
            struct pl_read_result r = read_it(&request);
            assert_int_equal(r.outcome == PL_READ_NO_READER, !pl_read_has_reader(request.symbology, &reason));
        }
}

// zxing tried all triples of finder patterns: half a million dots of them took minutes, whatever the deadline.
static void a_qr_code_among_thousands_of_finder_patterns_ends_in_time(void **state)
{
    (void)state;
    struct pl_bitmap page;
    struct pl_error err = {0};
    assert_int_equal(pl_bitmap_new(&arena, 800, 800, &page, &err), PL_OK);
    for (int32_t y = 0; y + 14 <= 800; y += 16)
        for (int32_t x = 0; x + 14 <= 800; x += 16)
            for (int32_t ring = 0; ring < 3; ring++)
                pl_bitmap_fill(&page, (struct pl_box){x + 2 * ring, y + 2 * ring, x + 14 - 2 * ring, y + 14 - 2 * ring},
                               PL_INK_XOR);
    for (int32_t side = 21 * 4; side <= 177 * 4; side += 4 * 4) {
        struct pl_read_request request = {.page = &page,
                                          .bars = {16, 16, 16 + side, 16 + side},
                                          .area = {0, 0, 32 + side, 32 + side},
                                          .module = 4,
                                          .symbology = PL_CHECK_QR};
        uint64_t begin = unit_processor_ms();
        if (pl_zxing_present())
            assert_int_equal(read_it(&request).outcome, PL_READ_UNREADABLE);
        assert_true(unit_processor_ms() - begin < 5000);
    }
}

static void symbologies_without_a_reader_say_why(void **state)
{
    (void)state;
    const char *reason;
    struct pl_bitmap page;
    struct pl_read_request request = request_for(&page, PL_ROT_N);
    request.symbology = PL_CHECK_DATAMATRIX_LEGACY;
    struct pl_read_result r = read_it(&request);
    assert_int_equal(r.outcome, PL_READ_NO_READER);
    assert_non_null(r.reason);
    assert_true(pl_read_has_reader(PL_CHECK_MSI, &reason));
    assert_null(reason);
    assert_false(pl_read_has_reader(PL_CHECK_SYMBOLOGY_COUNT, &reason));
    assert_int_equal(pl_read_has_reader(PL_CHECK_QR, &reason), pl_zxing_present());
    assert_int_equal(pl_zxing_version()[0] != '\0', pl_zxing_present());
}

static void a_deadline_and_missing_memory_are_errors(void **state)
{
    (void)state;
    struct pl_bitmap page;
    struct pl_read_request request = request_for(&page, PL_ROT_R);
    struct pl_read_result result;
    struct pl_error err = {0};
    struct pl_job job = {.deadline_ns = 1};
    assert_int_equal(pl_read_symbol(&request, &job, &arena, &result, &err), PL_E_DEADLINE);
    for (uint64_t at = 1;; at++) {
        struct pl_arena small;
        pl_arena_init(&small, 1 << 20);
        small.fail_at = at;
        enum pl_errc code = pl_read_symbol(&request, NULL, &small, &result, &err);
        pl_arena_fini(&small);
        if (code == PL_OK)
            break;
        assert_int_equal(code, PL_E_MEMORY);
        assert_true(at < 20);
    }
}

static void the_arena_gets_the_data_alone(void **state)
{
    (void)state;
    struct pl_bitmap page;
    struct pl_read_request request = request_for(&page, PL_ROT_N);
    struct pl_arena own;
    struct pl_read_result result;
    struct pl_error err = {0};
    pl_arena_init(&own, 1 << 20);
    assert_int_equal(pl_read_symbol(&request, NULL, &own, &result, &err), PL_OK);
    assert_true(own.used < 64);
    pl_arena_fini(&own);
}

static void zxing_is_given_no_more_than_it_may_have(void **state)
{
    (void)state;
    uint8_t room[4];
    uint64_t word = 0;
    struct pl_zxing_job job = {.words = &word, .stride = 1, .width = 64, .height = 1, .formats = PL_ZXING_QR};
    struct pl_zxing_result result = {.data = room, .capacity = sizeof room};
    if (!pl_zxing_present())
        skip();
    assert_int_equal(pl_zxing_read(&job, &result), PL_ZXING_NOT_FOUND);
    job.width = PL_ZXING_MAX_SIDE + 1;
    assert_int_equal(pl_zxing_read(&job, &result), PL_ZXING_TOO_LARGE);
    job.width = job.height = 16000;
    assert_int_equal(pl_zxing_read(&job, &result), PL_ZXING_TOO_LARGE);
    job.width = 0;
    assert_int_equal(pl_zxing_read(&job, &result), PL_ZXING_NOT_FOUND);
    job.width = 64;
    job.height = 1;
    job.formats = PL_ZXING_NONE;
    assert_int_equal(pl_zxing_read(&job, &result), PL_ZXING_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_rotations_read_and_say_where),
        cmocka_unit_test(ink_over_some_lines_is_counted),
        cmocka_unit_test(what_lies_outside_the_page_is_paper),
        cmocka_unit_test(bars_that_are_an_empty_box_are_unreadable),
        cmocka_unit_test(no_symbology_breaks_on_noise),
        cmocka_unit_test(a_qr_code_among_thousands_of_finder_patterns_ends_in_time),
        cmocka_unit_test(symbologies_without_a_reader_say_why),
        cmocka_unit_test(a_deadline_and_missing_memory_are_errors),
        cmocka_unit_test(the_arena_gets_the_data_alone),
        cmocka_unit_test(zxing_is_given_no_more_than_it_may_have),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
