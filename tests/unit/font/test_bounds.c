// What fonts and text may cost: composites, lookups, outlines, long runs, memory.
#include "sheet.h"

#include <stdio.h>
#include <string.h>

#include "font/draw/writer.h"
#include "font/face/bitmap_font.h"
#include "font/face/sfnt.h"
#include "font/line/layout.h"

// A font file that is written table by table.
struct file {
    uint8_t bytes[1 << 20];
    size_t length;
    uint32_t tables;
};

static void put16(struct file *f, uint32_t value)
{
    assert_true(f->length + 2 <= sizeof f->bytes);
    f->bytes[f->length++] = (uint8_t)(value >> 8);
    f->bytes[f->length++] = (uint8_t)value;
}

static void set32(struct file *f, size_t at, size_t value)
{
    for (int i = 0; i < 4; i++)
        f->bytes[at + (size_t)i] = (uint8_t)(value >> (24 - 8 * i));
}

#define MOST_TABLES 8
#define ENTRIES_END (12 + MOST_TABLES * 16)

static void begin_file(struct file *f)
{
    memset(f->bytes, 0, ENTRIES_END);
    *(f->bytes + 1) = 1;
    f->length = ENTRIES_END;
    f->tables = 0;
}

static void begin_table(struct file *f, const char *tag)
{
    size_t entry = 12 + (size_t)f->tables++ * 16;
    assert_true(f->tables <= MOST_TABLES);
    memcpy(f->bytes + entry, tag, 4);
    set32(f, entry + 8, f->length);
    f->bytes[5] = (uint8_t)f->tables;
}

static void end_table(struct file *f)
{
    size_t entry = 12 + (size_t)(f->tables - 1) * 16;
    size_t begin = (size_t)f->bytes[entry + 8] << 24 | (size_t)f->bytes[entry + 9] << 16 |
                   (size_t)f->bytes[entry + 10] << 8 | f->bytes[entry + 11];
    set32(f, entry + 12, f->length - begin);
}

static struct pl_slice bytes_of(const struct file *f)
{
    return pl_slice_make(f->bytes, f->length);
}

#define LEVELS 200

// Glyph i has `parts` parts that are glyph i + 1; the last one has `points` points, or nothing.
static struct pl_glyf tower(struct file *f, uint32_t levels, uint32_t parts, uint32_t points, uint32_t flags)
{
    static uint32_t offsets[LEVELS + 2];
    begin_file(f);
    begin_table(f, "head");
    for (int i = 0; i < 25; i++)
        put16(f, 0);
    put16(f, 1); // long offsets
    put16(f, 0);
    end_table(f);
    begin_table(f, "glyf");
    size_t begin = f->length;
    for (uint32_t i = 0; i < levels; i++) {
        offsets[i] = (uint32_t)(f->length - begin);
        put16(f, 0xFFFF);
        for (int k = 0; k < 4; k++)
            put16(f, 0);
        for (uint32_t k = 0; k < parts; k++) {
            put16(f, flags | (k + 1 < parts ? 0x20 : 0));
            put16(f, i + 1);
            put16(f, 0); // two bytes of distances
        }
    }
    offsets[levels] = (uint32_t)(f->length - begin);
    for (int k = 0; points && k < 5; k++)
        put16(f, k == 0); // one contour
    if (points)
        put16(f, points - 1);
    offsets[levels + 1] = (uint32_t)(f->length - begin);
    end_table(f);
    begin_table(f, "loca");
    for (uint32_t i = 0; i < levels + 2; i++) {
        put16(f, offsets[i] >> 16);
        put16(f, offsets[i]);
    }
    end_table(f);
    return pl_glyf_find(bytes_of(f));
}

static struct file file;

static void composites_of_usual_depth_are_followed(void **state)
{
    (void)state;
    struct pl_glyf font = tower(&file, 3, 2, 100, 0);
    for (uint32_t glyph = 0; glyph <= 3; glyph++)
        assert_int_equal(pl_glyf_judge(&font, glyph), PL_GLYF_PLAIN);
    assert_int_equal(pl_glyf_judge(&font, 70000), PL_GLYF_PLAIN); // there is none
    font = tower(&file, 1, 2, 100, 0x0200);
    assert_int_equal(pl_glyf_judge(&font, 0), PL_GLYF_PARTS);
    assert_int_equal(pl_glyf_judge(&font, 1), PL_GLYF_PLAIN);
    font = pl_glyf_find(pl_slice_cstr("OTTO"));
    assert_int_equal(pl_glyf_judge(&font, 1), PL_GLYF_PLAIN);
}

static void a_composite_200_levels_deep_is_refused(void **state)
{
    (void)state;
    struct pl_glyf font = tower(&file, LEVELS, 1, 4, 0);
    assert_int_equal(pl_glyf_judge(&font, 0), PL_GLYF_TOO_COMPLEX);
    assert_int_equal(pl_glyf_judge(&font, LEVELS - 3), PL_GLYF_PLAIN);
}

static void a_composite_that_multiplies_is_refused(void **state)
{
    (void)state;
    struct pl_glyf font = tower(&file, 12, 3, 0, 0);
    assert_int_equal(pl_glyf_judge(&font, 0), PL_GLYF_TOO_COMPLEX);
    assert_int_equal(pl_glyf_judge(&font, 9), PL_GLYF_PLAIN);
    font = tower(&file, 2, 30, 1000, 0); // 900 times 1000 points
    assert_int_equal(pl_glyf_judge(&font, 0), PL_GLYF_TOO_COMPLEX);
    assert_int_equal(pl_glyf_judge(&font, 1), PL_GLYF_PLAIN);
}

static void a_composite_that_has_itself_as_a_part_is_refused(void **state)
{
    (void)state;
    struct pl_glyf font = tower(&file, 2, 1, 4, 0);
    // The second one's part becomes the first.
    uint8_t *part = (uint8_t *)(uintptr_t)font.glyf.ptr + 16 + 12;
    part[0] = part[1] = 0;
    assert_int_equal(pl_glyf_judge(&font, 0), PL_GLYF_TOO_COMPLEX);
}

static void a_table_of_lookups_is_bounded(void **state)
{
    (void)state;
    for (uint32_t lookups = 100; lookups <= 10000; lookups *= 10) {
        struct file *f = &file;
        begin_file(f);
        begin_table(f, "GSUB");
        put16(f, 1), put16(f, 0), put16(f, 10), put16(f, 10), put16(f, 10);
        put16(f, lookups);
        for (uint32_t i = 0; i < lookups; i++)
            put16(f, 2 + lookups * 2);          // all the same
        put16(f, 1), put16(f, 0), put16(f, 10); // of ten subtables
        end_table(f);
        assert_int_equal(pl_sfnt_can_shape(pl_sfnt_table(bytes_of(f), PL_SFNT_TAG('G', 'S', 'U', 'B')), false),
                         lookups == 100);
    }
    assert_true(pl_sfnt_can_shape(pl_slice_make(NULL, 0), true));
}

// One lookup with a set of rules, all of them the same one that looks at 60 glyphs; kinds of lookups have different
// numbers.
static bool can_shape_by_rules(uint32_t type, bool positions, uint32_t rules, bool extended)
{
    struct file *f = &file;
    begin_file(f);
    begin_table(f, "GSUB");
    put16(f, 1), put16(f, 0), put16(f, 10), put16(f, 10), put16(f, 10);
    put16(f, 1), put16(f, 4); // one lookup
    put16(f, extended ? positions ? 9 : 7 : type), put16(f, 0), put16(f, 1), put16(f, 8);
    if (extended)
        put16(f, 1), put16(f, type), put16(f, 0), put16(f, 8);
    put16(f, 1), put16(f, 8), put16(f, 1), put16(f, 14); // by glyph: coverage, one set
    put16(f, 1), put16(f, 1), put16(f, 1);
    put16(f, rules);
    for (uint32_t i = 0; i < rules; i++)
        put16(f, 2 + rules * 2);
    bool chain = type == (positions ? 8 : 6), ligature = !positions && type == 4;
    if (chain || ligature)
        put16(f, 0);
    put16(f, 60);
    end_table(f);
    return pl_sfnt_can_shape(pl_sfnt_table(bytes_of(f), PL_SFNT_TAG('G', 'S', 'U', 'B')), positions);
}

static void a_lookup_with_thousands_of_rules_for_a_glyph_is_refused(void **state)
{
    (void)state;
    static const uint32_t types[5][2] = {{4, 0}, {5, 0}, {6, 0}, {7, 1}, {8, 1}};
    for (int i = 0; i < 5; i++)
        for (int extended = 0; extended < 2; extended++) {
            assert_true(can_shape_by_rules(types[i][0], types[i][1], 500, extended));
            assert_false(can_shape_by_rules(types[i][0], types[i][1], 1000, extended));
        }
    assert_true(can_shape_by_rules(2, false, 1000, false)); // no rules at all
}

// Three lookups of which each carries out the next `records` times; the last one carries out `last`.
static bool can_shape_nested(uint32_t records, uint32_t last)
{
    struct file *f = &file;
    begin_file(f);
    begin_table(f, "GSUB");
    put16(f, 1), put16(f, 0), put16(f, 10), put16(f, 10), put16(f, 10);
    uint32_t size = 8 + 18 + 4 + records * 4;
    put16(f, 3), put16(f, 8), put16(f, 8 + size), put16(f, 8 + size * 2);
    for (uint32_t i = 0; i < 3; i++) {
        put16(f, 5), put16(f, 0), put16(f, 1), put16(f, 8);
        put16(f, 1), put16(f, 8), put16(f, 1), put16(f, 14);
        put16(f, 1), put16(f, 1), put16(f, 1);
        put16(f, 1), put16(f, 4); // a set of one rule
        put16(f, 1), put16(f, records);
        for (uint32_t k = 0; k < records; k++)
            put16(f, 0), put16(f, i < 2 ? i + 1 : last);
    }
    end_table(f);
    return pl_sfnt_can_shape(pl_sfnt_table(bytes_of(f), PL_SFNT_TAG('G', 'S', 'U', 'B')), false);
}

static void lookups_that_carry_out_others_multiply_and_are_bounded(void **state)
{
    (void)state;
    assert_true(can_shape_nested(10, 3));   // there is no such lookup
    assert_false(can_shape_nested(200, 3)); // 200 times 200 and more
    assert_false(can_shape_nested(2, 0));   // a circle
}

static void a_zigzag_of_32000_points_is_left_out(void **state)
{
    (void)state;
    static int16_t xy[64000];
    static uint8_t tags[32000];
    for (int i = 0; i < 32000; i++) {
        xy[i * 2] = (int16_t)(i / 32);
        xy[i * 2 + 1] = i % 2 ? 1000 : 0;
        tags[i] = PL_POINT_ON;
    }
    uint16_t end = 31999;
    struct pl_outline outline = {xy, tags, &end, 32000, 1, false};
    struct pl_outline_map map = {pl_outline_scale(1, 1), pl_outline_scale(1, 1), 0, 0};
    struct pl_box window = {0, -1000, 1000, 0};
    struct pl_arena arena;
    pl_arena_init(&arena, (size_t)16 << 20);
    struct pl_ft *ft;
    struct pl_bitmap bits;
    assert_int_equal(pl_ft_new(NULL, &ft, NULL), PL_OK);
    assert_int_equal(pl_bitmap_new(&arena, 1000, 1000, &bits, NULL), PL_OK);
    bool drawn = true;
    assert_int_equal(pl_ft_rasterise(ft, NULL, &outline, &map, window, false, &bits, &drawn, NULL), PL_OK);
    assert_false(drawn);
    assert_int_equal(pl_ft_refused(ft), 1);
    // A tenth of it is drawn, as long as there is time.
    outline.point_count = 3200;
    end = 3199;
    struct pl_job late = {.deadline_ns = 1};
    assert_int_equal(pl_ft_rasterise(ft, &late, &outline, &map, window, false, &bits, &drawn, NULL), PL_E_DEADLINE);
    pl_ft_free(ft);
    pl_arena_fini(&arena);
}

// An outline that is drawn in parts, with looks at the clock between them, is the same as one drawn at once.
static void parts_of_an_outline_make_the_whole(void **state)
{
    (void)state;
    static int16_t xy[800];
    static uint8_t tags[400];
    for (int i = 0; i < 400; i++) {
        xy[i * 2] = (int16_t)(i * 5 / 2);
        xy[i * 2 + 1] = (int16_t)(i % 2 ? 1000 - i : i);
        tags[i] = i % 5 ? PL_POINT_ON : PL_POINT_CONIC;
    }
    uint16_t end = 399;
    struct pl_outline outline = {xy, tags, &end, 400, 1, false};
    struct pl_arena arena;
    pl_arena_init(&arena, (size_t)16 << 20);
    struct pl_ft *ft;
    assert_int_equal(pl_ft_new(NULL, &ft, NULL), PL_OK);
    struct pl_outline_map map = {pl_outline_scale(1, 1), pl_outline_scale(1, 1), 0, 0};
    struct pl_bitmap whole, part;
    bool drawn;
    assert_int_equal(pl_bitmap_new(&arena, 1000, 1000, &whole, NULL), PL_OK);
    assert_int_equal(
        pl_ft_rasterise(ft, NULL, &outline, &map, (struct pl_box){0, -1000, 1000, 0}, false, &whole, &drawn, NULL),
        PL_OK);
    assert_true(drawn);
    for (int32_t top = 0; top < 1000; top += 50) {
        assert_int_equal(pl_bitmap_new(&arena, 1000, 50, &part, NULL), PL_OK);
        struct pl_box window = {0, top - 1000, 1000, top - 950};
        assert_int_equal(pl_ft_rasterise(ft, NULL, &outline, &map, window, false, &part, &drawn, NULL), PL_OK);
        assert_true(drawn);
        for (uint32_t row = 0; row < 50; row++)
            assert_memory_equal(pl_bitmap_row(&part, row), pl_bitmap_row(&whole, (uint32_t)top + row),
                                whole.stride * sizeof(uint64_t));
    }
    pl_ft_free(ft);
    pl_arena_fini(&arena);
}

static size_t scratch_for(const char *unit, uint32_t times)
{
    static char text[200000];
    struct sheet s;
    sheet_open(&s, 200, 100);
    text[0] = 0;
    char *end = text;
    for (uint32_t i = 0; i < times; i++)
        end = stpcpy(end, unit);
    WRITE(&s, .height = 20, .text = text);
    size_t reserved = s.scratch.reserved;
    sheet_close(&s);
    return reserved;
}

static void text_that_alternates_between_scripts_takes_memory_by_its_length(void **state)
{
    (void)state;
    size_t some = scratch_for("a\u05D0", 1000), many = scratch_for("a\u05D0", 10000);
    assert_true(many < some * 20);
    assert_true(many < (size_t)16 << 20);
}

static void long_runs_are_shaped_in_pieces_that_join(void **state)
{
    (void)state;
    // Arabic letters join across the cut: the width is that of as many joined letters.
    struct sheet s;
    sheet_open(&s, 200, 100);
    static char text[8192];
    int64_t widths[3];
    static const uint32_t lengths[3] = {1000, 2000, 4000};
    for (int k = 0; k < 3; k++) {
        char *end = text;
        for (uint32_t i = 0; i < lengths[k]; i++)
            end = stpcpy(end, "\u0628");
        uint32_t length;
        uint32_t *chars = sheet_chars(&s, text, &length);
        struct pl_text_metrics metrics;
        struct pl_text_target target = {
            .profile = &pl_profile_reference.font, .canvas = &s.canvas, .scale = 1, .dpmm = 8, .arena = &s.scratch};
        struct pl_font_ref font = {.resident = '0', .height = 30};
        assert_int_equal(pl_text_measure(s.writer, &target, &font, chars, length, &metrics, NULL), PL_OK);
        widths[k] = metrics.advance_2048;
    }
    // The first and last letter have forms of their own, all others the same one.
    int64_t inner = (widths[1] - widths[0]) / 1000;
    assert_int_equal(widths[1], widths[0] + inner * 1000);
    assert_int_equal(widths[2], widths[1] + inner * 2000);
    sheet_close(&s);
}

static void pieces_from_right_to_left_stand_in_reverse_order(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 200, 100);
    static char text[8192];
    char *end = stpcpy(text, "\u05D0");
    for (int i = 0; i < 3000; i++)
        end = stpcpy(end, "\u05D1");
    stpcpy(end, "\u05EA");
    uint32_t length;
    uint32_t *chars = sheet_chars(&s, text, &length);
    struct pl_text_font font;
    struct pl_font_ref ref = {.resident = '0', .height = 30};
    assert_int_equal(pl_text_font_resolve(&s.writer->faces, &ref, 8, &s.scratch, &font, NULL), PL_OK);
    struct pl_layout layout;
    struct pl_items items;
    assert_int_equal(pl_layout_init(&layout, &s.writer->faces, &font, &s.scratch, NULL, chars, length, false, NULL),
                     PL_OK);
    assert_int_equal(pl_layout_line(&layout, 0, layout.length, &items, NULL), PL_OK);
    assert_int_equal(items.count, length);
    for (uint32_t i = 0; i < items.count; i++)
        assert_int_equal(items.at[i].cluster, length - 1 - i);
    sheet_close(&s);
}

static void large_glyphs_off_the_label_are_measured_and_not_rasterised(void **state)
{
    (void)state;
    struct sheet s;
    sheet_open(&s, 200, 100);
    struct pl_cache_stats before, after;
    struct pl_box on = WRITE(&s, .x = 10, .y = 10, .height = 600, .text = "W");
    pl_cache_stats(s.writer->cache, &before);
    static const enum pl_rotation rotations[4] = {PL_ROT_N, PL_ROT_R, PL_ROT_I, PL_ROT_B};
    for (int i = 0; i < 4; i++) {
        struct pl_box off = WRITE(&s, .x = 5000, .y = 10, .height = 600, .rotation = rotations[i], .text = "W");
        int32_t wide = on.x1 - on.x0, high = on.y1 - on.y0;
        bool sideways = rotations[i] == PL_ROT_R || rotations[i] == PL_ROT_B;
        assert_in_range(off.x1 - off.x0, (sideways ? high : wide) - 2, (sideways ? high : wide) + 4);
        assert_in_range(off.y1 - off.y0, (sideways ? wide : high) - 2, (sideways ? wide : high) + 4);
        assert_true(off.x0 > 4000);
    }
    pl_cache_stats(s.writer->cache, &after);
    assert_true(after.bytes - before.bytes < 20000); // no picture is kept: it would have 45,000 bytes
    sheet_close(&s);
}

static void fonts_count_in_the_budget(void **state)
{
    (void)state;
    struct pl_budget budget = {.limit = (size_t)4 << 20};
    // Glyphs of 2000 x 2000 dots, all of which the digits behind the last would fill.
    static char payload[600000];
    char *end = stpcpy(payload, "N,100,100,80,10,64,(C),");
    for (int i = 0; i < 64; i++)
        end += sprintf(end, "#%04X.2000.2000.0.0.10.", 0x41 + (unsigned)i);
    memset(end, '0', 500000);
    struct pl_bitmap_font *font =
        pl_bitmap_font_parse(pl_slice_make(payload, (size_t)(end - payload) + 500000), &budget);
    assert_non_null(font);
    assert_true(budget.refused);
    assert_true(budget.used > 0 && budget.used <= budget.limit);
    pl_bitmap_font_free(font);
    assert_int_equal(budget.used, 0);
    budget = (struct pl_budget){.limit = (size_t)4 << 20};
    struct pl_ft *ft;
    assert_int_equal(pl_ft_new(&budget, &ft, NULL), PL_OK);
    assert_true(budget.used > 0);
    pl_ft_free(ft);
    assert_int_equal(budget.used, 0);
    budget = (struct pl_budget){.limit = 100};
    assert_int_equal(pl_ft_new(&budget, &ft, NULL), PL_E_MEMORY);
    assert_int_equal(budget.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(composites_of_usual_depth_are_followed),
        cmocka_unit_test(a_composite_200_levels_deep_is_refused),
        cmocka_unit_test(a_composite_that_multiplies_is_refused),
        cmocka_unit_test(a_composite_that_has_itself_as_a_part_is_refused),
        cmocka_unit_test(a_table_of_lookups_is_bounded),
        cmocka_unit_test(a_lookup_with_thousands_of_rules_for_a_glyph_is_refused),
        cmocka_unit_test(lookups_that_carry_out_others_multiply_and_are_bounded),
        cmocka_unit_test(a_zigzag_of_32000_points_is_left_out),
        cmocka_unit_test(parts_of_an_outline_make_the_whole),
        cmocka_unit_test(text_that_alternates_between_scripts_takes_memory_by_its_length),
        cmocka_unit_test(long_runs_are_shaped_in_pieces_that_join),
        cmocka_unit_test(pieces_from_right_to_left_stand_in_reverse_order),
        cmocka_unit_test(large_glyphs_off_the_label_are_measured_and_not_rasterised),
        cmocka_unit_test(fonts_count_in_the_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
