// MaxiCode: what our encoder writes reads back, holds all that libzint's holds, and shows libzint's codewords in
// libzint's cells. Codewords and picture are a printer's.
#include <stdio.h>
#include <string.h>

#include "../../barcodes/decode.h"
#include "bar/encode/bar_zint.h"
#include "bar/encode/maxicode_parts.h"
#include "bar/layout/maxicode_dots.h"
#include "base/ckd.h"
#include "unit.h"

static uint32_t next(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

struct read {
    uint16_t chars[512];
    struct decoded text;
    struct decoded_maxicode more;
};

static void read_symbol(const struct pl_bitmap *cells, struct read *out)
{
    out->text = (struct decoded){.chars = out->chars, .cap = PL_COUNTOF(out->chars)};
    assert_true(decode_maxicode(cells, &out->text, &out->more));
}

static void assert_says(const struct read *r, struct pl_slice message)
{
    assert_int_equal(r->text.count, message.len);
    for (size_t i = 0; i < message.len; i++)
        assert_int_equal(r->chars[i], message.ptr[i]);
}

static void assert_same_cells(const struct pl_bitmap *a, const struct pl_bitmap *b)
{
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    for (uint32_t y = 0; y < a->height; y++)
        assert_int_equal(*pl_bitmap_row(a, y), *pl_bitmap_row(b, y));
}

// libzint's symbol of the same message; false: it does not take it.
static bool by_zint(struct pl_slice message, const struct pl_maxicode_options *options, struct pl_arena *arena,
                    struct pl_bitmap *cells)
{
    char address[32] = "";
    if (options->mode <= 3)
        snprintf(address, sizeof address, "%s%03u%03u", options->postcode, options->country, options->service);
    struct pl_zint_job job = {.symbology = PL_ZINT_MAXICODE,
                              .data = message,
                              .primary = options->mode <= 3 ? address : NULL,
                              .option_1 = (int)options->mode,
                              .append_index = options->append_index,
                              .append_count = options->append_count};
    struct pl_zint_symbol *symbol = PL_ARENA_NEW(arena, struct pl_zint_symbol);
    struct pl_error err = {0};
    enum pl_errc code = pl_zint_encode(&job, arena, symbol, &err);
    if (code != PL_OK) {
        assert_int_equal(code, PL_E_INVALID);
        return false;
    }
    *cells = symbol->modules;
    return true;
}

struct counts {
    uint32_t both, ours_alone, neither, shorter, same_codewords;
};

// Our symbol against libzint's.
static void compare(struct pl_slice message, const struct pl_maxicode_options *options, struct counts *counts)
{
    struct pl_arena arena;
    struct pl_error err = {0};
    struct pl_bitmap ours, theirs, again;
    struct read our, their;
    pl_arena_init(&arena, 1u << 20);
    enum pl_errc code = pl_maxicode_encode(message, options, &arena, &ours, &err);
    bool theirs_fits = by_zint(message, options, &arena, &theirs);
    if (code != PL_OK) {
        assert_int_equal(code, PL_E_INVALID);
        assert_false(theirs_fits); // the shortest way is tried as well
        counts->neither++;
        pl_arena_fini(&arena);
        return;
    }
    read_symbol(&ours, &our);
    assert_says(&our, message);
    assert_int_equal(our.more.mode, options->mode);
    assert_int_equal(our.more.append_index, options->append_count > 1 ? options->append_index : 0);
    assert_int_equal(our.more.append_count, options->append_count > 1 ? options->append_count : 0);
    if (!theirs_fits) {
        counts->ours_alone++;
        pl_arena_fini(&arena);
        return;
    }
    read_symbol(&theirs, &their);
    assert_says(&their, message);
    assert_int_equal(their.more.append_index, our.more.append_index);
    assert_int_equal(their.more.append_count, our.more.append_count);
    if (options->mode <= 3)
        assert_memory_equal(our.more.codewords, their.more.codewords, 20);
    // The cells that libzint's own codewords have, and the check codewords.
    uint8_t codewords[PL_MAXICODE_CODEWORDS] = {0};
    uint32_t data = options->mode == 5 ? 68 : 84;
    memcpy(codewords, their.more.codewords, 10);
    memcpy(codewords + 20, their.more.codewords + 20, data);
    assert_int_equal(pl_maxicode_finish(codewords, options->mode, &arena, &again, &err), PL_OK);
    assert_same_cells(&again, &theirs);
    counts->both++;
    counts->shorter += our.more.used < their.more.used;
    if (memcmp(our.more.codewords, their.more.codewords, sizeof codewords) == 0) {
        counts->same_codewords++;
        assert_same_cells(&ours, &theirs);
    }
    pl_arena_fini(&arena);
}

static struct pl_maxicode_options plain(uint32_t mode)
{
    return (struct pl_maxicode_options){
        .mode = mode, .postcode = mode == 2 ? "152382802" : "AB1 2C", .country = 840, .service = 1};
}

static void every_byte_reads_back(void **state)
{
    (void)state;
    struct counts counts = {0};
    for (uint32_t mode = 2; mode <= 6; mode++)
        for (uint32_t c = 0; c < 256; c++) {
            struct pl_maxicode_options options = plain(mode);
            uint8_t text[] = {(uint8_t)c, (uint8_t)c, (uint8_t)c, (uint8_t)c, (uint8_t)c, (uint8_t)c};
            for (size_t length = 1; length <= sizeof text; length++)
                compare(pl_slice_make(text, length), &options, &counts);
            uint8_t between[] = {'A', (uint8_t)c, 'b', (uint8_t)c, 0xC4, (uint8_t)c, 0xE4, (uint8_t)c, 1, (uint8_t)c};
            compare(pl_slice_make(between, sizeof between), &options, &counts);
        }
    assert_int_equal(counts.both, 5 * 256 * 7);
}

// Runs of characters of one kind, as messages have them.
static size_t random_message(uint32_t *seed, uint32_t longest, uint8_t *out)
{
    static const char *const KINDS[] = {
        "ABCXYZ",   "abcxyz",       "0123456789",       "0123456789",       " ,./:",
        "!;<>?@[_", "\x1C\x1D\x1E", "\xC0\xDB\x80\xAA", "\xE0\xFB\x8A\xA1", "\x01\x04\x1B\x95\xA2\xAE",
        "Ab 9",     "#\"$%&()*+-"};
    size_t n = 0, length = 1 + next(seed, longest);
    uint32_t kinds = 1 + next(seed, PL_COUNTOF(KINDS)), anything = next(seed, 20) == 0;
    while (n < length) {
        const char *kind = KINDS[next(seed, kinds)];
        for (uint32_t run = 1 + next(seed, 14); run > 0 && n < length; run--)
            out[n++] = anything ? (uint8_t)next(seed, 256) : (uint8_t)kind[next(seed, (uint32_t)strlen(kind))];
    }
    return n;
}

static void random_messages_read_back_and_fit_where_libzints_do(void **state)
{
    (void)state;
    struct counts counts = {0};
    uint32_t seed = 16023;
    for (uint32_t i = 0; i < 20000; i++) {
        uint8_t text[160];
        char postcode[10] = "";
        struct pl_maxicode_options options = {.mode = 2 + i % 5, .postcode = postcode};
        size_t length = random_message(&seed, i % 4 == 0 ? 150 : 60, text);
        for (uint32_t k = 0; k < (options.mode == 2 ? 9u : 6u); k++)
            postcode[k] = options.mode == 2 ? (char)('0' + next(&seed, 10))
                                            : "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -/"[next(&seed, 39)];
        options.country = next(&seed, 1000);
        options.service = next(&seed, 1000);
        if (next(&seed, 4) == 0) {
            options.append_count = 2 + next(&seed, 7);
            options.append_index = 1 + next(&seed, options.append_count);
        }
        compare(pl_slice_make(text, length), &options, &counts);
    }
    assert_true(counts.both > 14000);
    assert_true(counts.neither > 500);
    assert_true(counts.shorter > 100);
}

static void addresses_read_back(void **state)
{
    (void)state;
    struct pl_arena arena;
    struct pl_error err;
    struct pl_bitmap cells;
    struct read r;
    pl_arena_init(&arena, 1u << 20);
    struct pl_maxicode_options options = {.mode = 2, .postcode = "999999999", .country = 999, .service = 998};
    assert_int_equal(pl_maxicode_encode(pl_slice_cstr("A"), &options, &arena, &cells, &err), PL_OK);
    read_symbol(&cells, &r);
    assert_string_equal(r.more.postcode, "999999999");
    assert_int_equal(r.more.country, 999);
    assert_int_equal(r.more.service, 998);
    // Blanks fill a short one; characters that set A does not have are refused.
    options = (struct pl_maxicode_options){.mode = 3, .postcode = "B 1", .country = 7, .service = 0};
    assert_int_equal(pl_maxicode_encode(pl_slice_cstr(""), &options, &arena, &cells, &err), PL_OK);
    read_symbol(&cells, &r);
    assert_string_equal(r.more.postcode, "B 1   ");
    options.postcode = "B_1;";
    assert_int_equal(pl_maxicode_encode(pl_slice_cstr(""), &options, &arena, &cells, &err), PL_E_INVALID);
    options.postcode = "B 1";
    assert_int_equal(r.more.country, 7);
    assert_int_equal(r.text.count, 0);
    pl_arena_fini(&arena);
}

// The codewords of a printer's own label, found by the hash of its picture.
static void codewords_are_a_printers(void **state)
{
    (void)state;
    static const uint8_t WANTED[] = {8, 63, 5, 12, 12, 15, 47, 59, 13, 1, 24, 9, 59, 3, 15, 4, 5, 63, 33, 33};
    struct pl_arena arena;
    struct pl_error err;
    struct pl_bitmap cells;
    struct read r;
    pl_arena_init(&arena, 1u << 20);
    struct pl_maxicode_options options = {.mode = 3, .postcode = "ABC123", .country = 826, .service = 1};
    assert_int_equal(pl_maxicode_encode(pl_slice_cstr("Hello MaxiCode"), &options, &arena, &cells, &err), PL_OK);
    read_symbol(&cells, &r);
    assert_memory_equal(r.more.codewords + 20, WANTED, sizeof WANTED);
    for (size_t i = 20 + sizeof WANTED; i < 104; i++)
        assert_int_equal(r.more.codewords[i], PL_MAXICODE_PAD);
    pl_arena_fini(&arena);
}

// Characters that the current set lacks are shifted one by one up to a run of three, those of B up to one; longer runs
// are latched. The cases with sets C, D and E have a printer's ink (see tests/printer/score.mjs).
static void runs_are_shifted_or_latched_by_their_length(void **state)
{
    (void)state;
    enum { TO_B = 63, TO_A = 63, TO_C = 60, TO_D, TO_E, ONE = 59, TWO = 56, THREE = 57 };
    enum { BLANK_B = 47, BLANK_A = 32, COMMA_A = 44, NUMBER = 31 };
    static const struct {
        const char *text;
        uint8_t length, codewords[20];
    } CASES[] = {
        {"Ab", 3, {1, ONE, 2}},
        {"abAB", 6, {TO_B, 1, 2, TWO, 1, 2}},
        {"abcAb", 7, {TO_B, 1, 2, 3, ONE, 1, 2}},
        {"abcABab", 9, {TO_B, 1, 2, 3, TWO, 1, 2, 1, 2}},
        {"abcABCab", 10, {TO_B, 1, 2, 3, THREE, 1, 2, 3, 1, 2}},
        {"abcABCD", 9, {TO_B, 1, 2, 3, TO_A, 1, 2, 3, 4}},
        {"abc A", 7, {TO_B, 1, 2, 3, BLANK_B, ONE, 1}}, // what the current set has stays in it
        {"AB abc", 7, {1, 2, BLANK_A, TO_B, 1, 2, 3}},
        {"a,b", 5, {ONE, 1, COMMA_A, ONE, 2}}, // and ends a run, although a latch were shorter
        {"ABC\xC0xyz", 9, {1, 2, 3, TO_C, 0, TO_B, 24, 25, 26}},
        {"ABC\xC0\xC1\xC2xyz", 13, {1, 2, 3, TO_C, 0, TO_C, 1, TO_C, 2, TO_B, 24, 25, 26}},
        {"ABC\xE0\xE1xyz", 11, {1, 2, 3, TO_D, 0, TO_D, 1, TO_B, 24, 25, 26}},
        {"ABC\xE0\xE1\xE2\xE3xyz", 13, {1, 2, 3, TO_D, TO_D, 0, 1, 2, 3, TO_B, 24, 25, 26}},
        {"ABC\1\2\3xyz", 13, {1, 2, 3, TO_E, 1, TO_E, 2, TO_E, 3, TO_B, 24, 25, 26}},
        {"ABC\1\2\3\4\5xyz", 14, {1, 2, 3, TO_E, TO_E, 1, 2, 3, 4, 5, TO_B, 24, 25, 26}},
        {"ab123456789ab", 11, {TO_B, 1, 2, NUMBER, 7, 22, 60, 52, 21, 1, 2}},
        {"1234567890", 7, {NUMBER, 7, 22, 60, 52, 21, 48}}, // the first nine digits
    };
    for (size_t i = 0; i < PL_COUNTOF(CASES); i++) {
        uint8_t codewords[93];
        uint32_t length = pl_maxicode_write(pl_slice_cstr(CASES[i].text), codewords, sizeof codewords);
        if (length != CASES[i].length || memcmp(codewords, CASES[i].codewords, length) != 0)
            fail_msg("%s: %u codewords, or others", CASES[i].text, length);
    }
}

// Nine digits take six codewords, anything else of set A takes one each.
static void a_symbol_is_filled_to_its_last_codeword(void **state)
{
    (void)state;
    static const uint32_t ROOM[] = {0, 0, 84, 84, 93, 77, 93};
    struct pl_arena arena;
    pl_arena_init(&arena, 1u << 20);
    for (uint32_t mode = 2; mode <= 6; mode++)
        for (uint32_t digits = 0; digits < 2; digits++)
            for (uint32_t append = 0; append <= 2; append += 2)
                for (size_t length = 1; length < 200; length++) {
                    struct pl_arena_mark mark = pl_arena_mark(&arena);
                    struct pl_error err;
                    struct pl_bitmap cells;
                    struct read r;
                    char text[200];
                    memset(text, digits ? '7' : 'Q', sizeof text);
                    struct pl_slice message = pl_slice_make(text, length);
                    struct pl_maxicode_options options = plain(mode);
                    options.append_index = options.append_count = append;
                    size_t needed = digits ? length / 9 * 6 + length % 9 : length;
                    bool fits = needed <= ROOM[mode] - append;
                    assert_int_equal(pl_maxicode_encode(message, &options, &arena, &cells, &err),
                                     fits ? PL_OK : PL_E_INVALID);
                    if (fits) {
                        read_symbol(&cells, &r);
                        assert_says(&r, message);
                        assert_int_equal(r.more.used, needed);
                    }
                    pl_arena_release(&arena, mark);
                }
    pl_arena_fini(&arena);
}

// ---- the picture

// A quarter of a printer's finder, from its centre to the right and down.
static const char FINDER[31][32] = {
    "....#####......#####......#####", "....#####......#####......#####", "...######......#####......#####",
    "..######.......#####......#####", "########......######......#####", "#######.......#####.......#####",
    "######........#####......#####.", "#####........######......#####.", "###..........#####.......#####.",
    "............######......######.", "...........######.......#####..", "..........######........#####..",
    ".........#######.......#####...", ".......########........#####...", "....##########........######...",
    "#############........######....", "###########.........######.....", "##########..........######.....",
    "########...........######......", "#####.............######.......", "................#######........",
    "...............#######.........", "..............#######..........", "............########...........",
    ".........##########............", "......############.............", "################...............",
    "###############................", "############...................", "##########.....................",
    "######.........................",
};

static struct pl_bitmap draw_cells(const struct pl_bitmap *cells, uint32_t dpmm, struct pl_arena *arena)
{
    struct pl_bitmap picture;
    struct pl_error err;
    assert_int_equal(pl_maxicode_draw_dots(cells, dpmm, arena, &picture, &err), PL_OK);
    return picture;
}

// Finder and fixed cells alone are what a printer's preview shows of mode 5.
static void the_finder_is_a_printers(void **state)
{
    (void)state;
    static const uint8_t FIXED[][2] = {{28, 0},  {29, 0},  {10, 9},  {11, 9},  {11, 10}, {7, 15}, {8, 16},
                                       {20, 16}, {20, 17}, {10, 22}, {17, 22}, {10, 23}, {17, 23}};
    struct pl_arena arena;
    struct pl_error err;
    struct pl_bitmap cells;
    pl_arena_init(&arena, 1u << 20);
    assert_int_equal(pl_bitmap_new(&arena, PL_MAXICODE_COLUMNS, PL_MAXICODE_ROWS, &cells, &err), PL_OK);
    uint32_t dark = 0, ink = 0;
    for (uint32_t y = 0; y < PL_MAXICODE_ROWS; y++)
        for (uint32_t x = 0; x < PL_MAXICODE_COLUMNS; x++)
            dark += pl_maxicode_bit_of_cell[y][x] == PL_MAXICODE_DARK;
    assert_int_equal(dark, PL_COUNTOF(FIXED));
    for (size_t i = 0; i < PL_COUNTOF(FIXED); i++) {
        assert_int_equal(pl_maxicode_bit_of_cell[FIXED[i][1]][FIXED[i][0]], PL_MAXICODE_DARK);
        pl_bitmap_set(&cells, FIXED[i][0], FIXED[i][1]);
    }
    struct pl_bitmap picture = draw_cells(&cells, 8, &arena);
    assert_int_equal(picture.width, 210);
    assert_int_equal(picture.height, 200);
    for (uint32_t y = 0; y < picture.height; y++)
        for (uint32_t x = 0; x < picture.width; x++)
            ink += pl_bitmap_get(&picture, x, y);
    assert_int_equal(ink, 2010);
    for (uint32_t v = 0; v < 31; v++)
        for (uint32_t u = 0; u < 31; u++) {
            bool wanted = FINDER[v][u] == '#';
            assert_int_equal(pl_bitmap_get(&picture, 102 + u, 101 + v), wanted);
            assert_int_equal(pl_bitmap_get(&picture, 101 - u, 101 + v), wanted);
            assert_int_equal(pl_bitmap_get(&picture, 102 + u, 100 - v), wanted);
            assert_int_equal(pl_bitmap_get(&picture, 101 - u, 100 - v), wanted);
        }
    pl_arena_fini(&arena);
}

// Each cell alone, so that no other and not the finder is in its way.
static void a_hexagon_has_thirty_dots(void **state)
{
    (void)state;
    static const char HEXAGON[7][7] = {"..##..", ".####.", "######", "######", "######", ".####.", "..##.."};
    struct pl_arena arena;
    struct pl_error err;
    pl_arena_init(&arena, 1u << 20);
    struct pl_bitmap cells;
    assert_int_equal(pl_bitmap_new(&arena, PL_MAXICODE_COLUMNS, PL_MAXICODE_ROWS, &cells, &err), PL_OK);
    struct pl_bitmap finder = draw_cells(&cells, 8, &arena);
    for (uint32_t row = 0; row < PL_MAXICODE_ROWS; row++)
        for (uint32_t column = 0; column < PL_MAXICODE_COLUMNS - row % 2; column++) {
            struct pl_arena_mark mark = pl_arena_mark(&arena);
            memset(cells.words, 0, cells.height * sizeof(uint64_t));
            pl_bitmap_set(&cells, column, row);
            struct pl_bitmap picture = draw_cells(&cells, 8, &arena);
            uint32_t x0 = 1 + 7 * column + 3 * (row % 2), y0 = 1 + 6 * row;
            for (uint32_t y = 0; y < picture.height; y++)
                for (uint32_t x = 0; x < picture.width; x++) {
                    bool inside = x >= x0 && x < x0 + 6 && y >= y0 && y < y0 + 7;
                    bool wanted = pl_bitmap_get(&finder, x, y) || (inside && HEXAGON[y - y0][x - x0] == '#');
                    if (pl_bitmap_get(&picture, x, y) != wanted)
                        fail_msg("cell %u, %u: dot %u, %u", column, row, x, y);
                }
            pl_arena_release(&arena, mark);
        }
    pl_arena_fini(&arena);
}

// At all densities hexagons fill the picture up to its last row and column; from 5 on they are apart from each other.
static void other_densities_have_the_same_geometry(void **state)
{
    (void)state;
    for (uint32_t dpmm = 1; dpmm <= 48; dpmm++) {
        struct pl_arena arena;
        struct pl_error err;
        struct pl_bitmap cells;
        pl_arena_init(&arena, 16u << 20);
        assert_int_equal(pl_bitmap_new(&arena, PL_MAXICODE_COLUMNS, PL_MAXICODE_ROWS, &cells, &err), PL_OK);
        for (uint32_t y = 0; y < PL_MAXICODE_ROWS; y++)
            for (uint32_t x = 0; x < PL_MAXICODE_COLUMNS - y % 2; x++)
                pl_bitmap_set(&cells, x, y);
        struct pl_bitmap picture = draw_cells(&cells, dpmm, &arena);
        struct pl_box ink = pl_bitmap_ink_box(&picture);
        assert_int_equal(ink.x0, (dpmm + 4) / 8);
        assert_int_equal(ink.y0, (dpmm + 4) / 8);
        assert_int_equal(ink.x1, picture.width);
        assert_int_equal(ink.y1, picture.height);
        assert_in_range(picture.width, 210 * dpmm / 8 - 1, 210 * dpmm / 8 + 1);
        assert_in_range(picture.height, 200 * dpmm / 8 - 1, 200 * dpmm / 8 + 1);
        uint32_t hexagons = 0, start, end, x = 0;
        while (pl_bitmap_next_run(&picture, (dpmm + 4) / 8 + dpmm * 3 / 8, x, &start, &end)) {
            hexagons++;
            x = end;
        }
        if (dpmm >= 5)
            assert_int_equal(hexagons, 30); // through the middle of the first row
        pl_arena_fini(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_reads_back),
        cmocka_unit_test(random_messages_read_back_and_fit_where_libzints_do),
        cmocka_unit_test(addresses_read_back),
        cmocka_unit_test(codewords_are_a_printers),
        cmocka_unit_test(runs_are_shifted_or_latched_by_their_length),
        cmocka_unit_test(a_symbol_is_filled_to_its_last_codeword),
        cmocka_unit_test(the_finder_is_a_printers),
        cmocka_unit_test(a_hexagon_has_thirty_dots),
        cmocka_unit_test(other_densities_have_the_same_geometry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
