// The choices of a profile: each is asked, and each can be the other one.
#include <stdio.h>
#include <string.h>

#include "draw/page.h"
#include "font/draw/text.h"
#include "lang/zpl/zpl.h"
#include "unit.h"

static struct pl_fonts *fonts;
static struct pl_writer *writer;

static int start(void **state)
{
    (void)state;
    struct pl_error err;
    return pl_fonts_new(NULL, &fonts, &err) == PL_OK && pl_writer_new(fonts, 1 << 20, NULL, &writer, &err) == PL_OK
               ? 0
               : -1;
}

static int end(void **state)
{
    (void)state;
    pl_writer_free(writer);
    pl_fonts_free(fonts);
    return 0;
}

// A square label by a profile, with a report. It lives in `arena`.
static struct pl_drawn_page draw_page_of(const struct pl_profile *profile, const char *zpl, uint32_t size,
                                         struct pl_arena *arena)
{
    struct pl_arena scratch;
    pl_arena_init(&scratch, 16 << 20);
    struct pl_store store;
    struct pl_diags diags;
    struct pl_scene scene;
    struct pl_error err;
    pl_store_init(&store, arena, NULL, 1 << 20);
    pl_diags_init(&diags, arena, 100);
    struct pl_lang_options options = {
        .profile = profile, .dpmm = 8, .width = size, .height = size, .limits = PL_LIMITS_DEFAULT};
    assert_int_equal(pl_zpl_interpret(pl_slice_cstr(zpl), &options, &store, arena, &diags, NULL, &scene, &err), PL_OK);
    assert_ptr_equal(scene.profile, profile);
    struct pl_drawn_page page = {.is_grey = false};
    if (scene.label_count == 0) {
        assert_int_equal(pl_bitmap_new(arena, size, size, &page.bits, &err), PL_OK);
    } else {
        struct pl_page_options page_options = {.width = size, .height = size, .dpmm = 8, .want_report = true};
        struct pl_page_tools tools = {.writer = writer, .arena = arena, .scratch = &scratch, .diags = &diags};
        assert_int_equal(pl_page_draw(&scene, &scene.labels[0], &page_options, &tools, &page, &err), PL_OK);
    }
    pl_arena_fini(&scratch);
    return page;
}

static struct pl_drawn_page draw_page(const struct pl_profile *profile, const char *zpl, struct pl_arena *arena)
{
    return draw_page_of(profile, zpl, 200, arena);
}

static struct pl_bitmap draw(const struct pl_profile *profile, const char *zpl, struct pl_arena *arena)
{
    return draw_page(profile, zpl, arena).bits;
}

#define OTHER(id, field, value)                                                                                        \
    static void id(struct pl_profile *p)                                                                               \
    {                                                                                                                  \
        p->field = value;                                                                                              \
    }
OTHER(font_b, zpl.font, 'B')
OTHER(module_3, zpl.module, 3)
OTHER(ratio_2, zpl.ratio_tenths, 20)
OTHER(bar_height_30, zpl.bar_height, 30)
OTHER(place_ends_field, zpl.place_moves_open_field, false)
OTHER(serial_stays, zpl.data_replaces_serial, false)
OTHER(fw_leaves_text, zpl.fw_turns_open_text, false)
OTHER(graphic_and_data, zpl.graphic_replaces_data, false)
OTHER(place_stays, zpl.graphic_takes_place_along, false)
OTHER(minus_counts, zpl.minus_is_rubbish, false)
OTHER(block_of_letters, zpl.block_needs_width, false)
OTHER(ft_drop_1, draw.graphic_ft_drop, 1)
OTHER(border_2, draw.curve_least_border, 2)
OTHER(pen_of_text_only, draw.shape_moves_pen, false)
OTHER(qr_higher, bar.qr_corner_drop, -1)
OTHER(qr_lower, bar.qr_baseline_drop, 1)
OTHER(qr_as_drawn, bar.qr_baseline_as_declared, false)
OTHER(caption_whole, bar.caption_splits_half_dot, false)
OTHER(caption_middle, bar.upc_caption_less_a_module, false)
OTHER(all_on_whole_dots, font.largest_on_whole_dots, 60000)
OTHER(symbols_apart, font.symbols_share_a_place, false)
OTHER(print_at_left, draw.narrow_print_is_centred, false)
OTHER(curves, draw.curves_by_recurrence, true)
OTHER(graphic_moved, draw.graphic_stays_on_label, true)
OTHER(bars_lower, draw.bars_ft_drop, 1)
OTHER(qr_level, bar.qr_keeps_level, true)
OTHER(qr_bits, bar.qr_joins_by_bits, true)
OTHER(qr_masks, bar.qr_mask_as_printed, true)
OTHER(pdf_digits, bar.pdf417_least_digits, 14)
OTHER(pdf_latches, bar.pdf417_latch_run, 4)
OTHER(datamatrix_tail, bar.datamatrix_tail_in_ascii, true)
OTHER(maxicode_latch, bar.maxicode_as_printed, true)
OTHER(maxicode_dots, bar.maxicode_on_whole_dots, true)
OTHER(maxicode_nul, bar.maxicode_nul_ends_data, true)
OTHER(maxicode_length, bar.maxicode_least_length, 6)
OTHER(batch_general, bar.composite_batch_is_general, true)
OTHER(micropdf_pads, bar.micropdf417_pads_in_turn, true)
OTHER(qr_modes, bar.qr_keeps_modes, true)
OTHER(micropdf_narrow, bar.micropdf417_series_is_narrow, true)
OTHER(databar_solid, bar.databar_separator_by_wide_bar, true)
OTHER(tlc39_flag, bar.tlc39_flag_is_longer, true)
OTHER(always_shaped, zpl.shaping_can_be_off, false)
OTHER(cents, zpl.backslash_is_cent, true)
OTHER(plain_zero, zpl.zero_of_ci13_is_plain, true)
OTHER(bars_moved, draw.bars_stay_on_label, true)
OTHER(bars_shorter, draw.edge_takes_bar_dot, true)
OTHER(caption_early, draw.caption_starts_early, true)
OTHER(reverse_as_black, draw.reverse_adds_touched, false)
OTHER(upc_thirds, bar.upc_digits_by_thirds, true)
OTHER(turned_whole, font.turned_text_less_a_dot, false)
OTHER(whole_advances, font.whole_advances, true)
OTHER(cells_lower, font.cells_cover_anchor, true)
OTHER(inverted_right, font.inverted_right_by_gap, true)
OTHER(inverted_block, font.inverted_block_by_a_dot, true)
OTHER(glyphs_moved, font.glyphs_stay_on_label, true)
OTHER(hyphens, font.blocks_hyphenate, true)
OTHER(blank_lines, font.wide_gaps_take_lines, true)
OTHER(narrow_left, font.narrow_block_is_left, true)
OTHER(plain_spaces, font.block_spaces_take_gap, false)
OTHER(short_lines, font.short_lines_of_s, true)
OTHER(row_lost, font.box_right_less_a_row, true)
OTHER(missing_blank, font.missing_is_blank, true)

// What the other choice draws is written with other commands, or drawn by the reference's choice at another place.
static const struct {
    const char *name;
    void (*change)(struct pl_profile *p);
    const char *zpl;
    const char *same; // the reference draws this as the other profile draws `zpl`; NULL: it cannot
} CASES[] = {
    {"font", font_b, "^XA^FO5,5^FDAB^FS^XZ", "^XA^FO5,5^AB^FDAB^FS^XZ"},
    {"module", module_3, "^XA^FO5,5^BCN,20,N^FD1^FS^XZ", "^XA^BY3^FO5,5^BCN,20,N^FD1^FS^XZ"},
    {"ratio", ratio_2, "^XA^FO5,5^B3N,N,20,N^FD1^FS^XZ", "^XA^BY,2^FO5,5^B3N,N,20,N^FD1^FS^XZ"},
    {"bar height", bar_height_30, "^XA^FO5,5^BCN,,N^FD1^FS^XZ", "^XA^BY,,30^FO5,5^BCN,,N^FD1^FS^XZ"},
    {"^FO in a field", place_ends_field, "^XA^FO5,5^FDA^FO5,50^FDB^FS^XZ", "^XA^FO5,5^FDA^FS^FO5,50^FDB^FS^XZ"},
    {"^FD behind ^SN", serial_stays, "^XA^FO5,5^SN7,1^FD8^FS^XZ", "^XA^FO5,5^SN7,1^FS^XZ"},
    {"^FW behind ^A", fw_leaves_text, "^XA^FO50,50^A0N,30^FWR^FDAB^FS^XZ", "^XA^FO50,50^A0N,30^FDAB^FS^XZ"},
    {"^GB behind ^FD", graphic_and_data, "^XA^FO5,5^FDA^GB50,50,2^FS^XZ", "^XA^FO5,5^GB50,50,2^FS^FO0,0^FDA^FS^XZ"},
    {"^FD behind ^GB", place_stays, "^XA^FO5,5^GB50,50,2^FDA^FS^XZ", "^XA^FO5,5^GB50,50,2^FS^FO5,5^FDA^FS^XZ"},
    {"^GB-50", minus_counts, "^XA^FO5,5^GB-50,9,2^FS^XZ", "^XA^FO5,5^GB0,9,2^FS^XZ"},
    {"^FB0", block_of_letters, "^XA^FO5,5^FB0,2^FDAB^FS^XZ", "^XA^FO5,5^FB1,2^FDAB^FS^XZ"},
    {"^FT of a box", ft_drop_1, "^XA^FT5,50^GB9,9,2^FS^XZ", "^XA^FT5,51^GB9,9,2^FS^XZ"},
    {"^FT of a picture", ft_drop_1, "^XA^FT5,50^GFA,2,2,1,F0F0^FS^XZ", "^XA^FT5,51^GFA,2,2,1,F0F0^FS^XZ"},
    {"^GC with 1 dot", border_2, "^XA^FO5,5^GC40,1^FS^XZ", "^XA^FO5,5^GC40,2^FS^XZ"},
    {"^GE with 1 dot", border_2, "^XA^FO5,5^GE40,30,1^FS^XZ", "^XA^FO5,5^GE40,30,2^FS^XZ"},
    {"round ^GB with 1 dot", border_2, "^XA^FO5,5^GB40,30,1,B,4^FS^XZ", "^XA^FO5,5^GB40,30,2,B,4^FS^XZ"},
    {"^FT behind a box", pen_of_text_only, "^XA^FO50,50^GB9,9,2^FS^FT^FDA^FS^XZ",
     "^XA^FO50,50^GB9,9,2^FS^FT0,0^FDA^FS^XZ"},
    {"^FO of QR", qr_higher, "^XA^FO5,5^BQN,2,3^FDQA,1^FS^XZ", "^XA^FO5,4^BQN,2,3^FDQA,1^FS^XZ"},
    {"^FT of QR", qr_lower, "^XA^FT5,150^BQN,2,3^FDQA,1^FS^XZ", "^XA^FT5,151^BQN,2,3^FDQA,1^FS^XZ"},
    {"^FT of QR in bytes", qr_as_drawn, "^XA^FT5,190^BQN,2,3^FDHM,B0030000000000000000000000000000^FS^XZ", NULL},
    {"caption", caption_whole, "^XA^BY1^FO50,5^B3N,N,20,Y^FD12^FS^XZ", NULL},
    {"caption over UPC-A", caption_middle, "^XA^FO5,50^BUN,20,Y,Y^FD1^FS^XZ", NULL},
    {"^GC", curves, "^XA^FO5,5^GC40,3^FS^XZ", NULL},
    {"round ^GB", curves, "^XA^FO5,5^GB40,30,3,B,4^FS^XZ", NULL},
    {"^GD", curves, "^XA^FO5,5^GD101,61,3,B,L^FS^XZ", NULL},
    {"a box left of the label", graphic_moved, "^XA^LS20^FO5,5^GB30,9,2^FS^XZ", "^XA^FO0,5^GB30,9,2^FS^XZ"},
    {"a box above the label", graphic_moved, "^XA^FT5,4^GB30,9,2^FS^XZ", "^XA^FO5,0^GB30,9,2^FS^XZ"},
    {"a picture left of the label", graphic_moved, "^XA^LS20^FO5,5^GFA,2,2,1,F0F0^FS^XZ",
     "^XA^FO0,5^GFA,2,2,1,F0F0^FS^XZ"},
    {"^FT of bars", bars_lower, "^XA^FT5,50^BCN,20,N^FD1^FS^XZ", "^XA^FT5,51^BCN,20,N^FD1^FS^XZ"},
    {"^FT of bars, upwards", bars_lower, "^XA^FT50,190^BCB,20,N^FD1^FS^XZ", "^XA^FT51,190^BCB,20,N^FD1^FS^XZ"},
    {"level of QR", qr_level, "^XA^FO5,5^BQN,2,3^FDLA,1^FS^XZ", NULL},
    {"modes of QR", qr_bits, "^XA^FO5,5^BQN,2,3^FDLA,A123456^FS^XZ", NULL},
    {"mask of QR", qr_masks,
     "^XA^FO5,5^BQN,2,1^FDHA,HELLO1^FS^FO35,5^BQN,2,1^FDHA,A^FS^FO65,5^BQN,2,1^FDHA,12^FS^FO95,5^BQN,2,1^FDHA,ab^FS"
     "^FO5,65^BQN,2,1^FDHA,Q7^FS^FO35,65^BQN,2,1^FDHA,901^FS^FO65,65^BQN,2,1^FDHA,xyz^FS^FO95,65^BQN,2,1^FDHA,M^FS^XZ",
     NULL},
    {"digits of PDF417", pdf_digits, "^XA^FO5,5^B7N,3,0,2^FDfox 0123456789^FS^XZ", NULL},
    {"capitals of PDF417", pdf_latches, "^XA^FO5,5^B7N,3,0,2^FDaPDF417^FS^XZ", NULL},
    {"end of Data Matrix", datamatrix_tail, "^XA^FO5,5^BXN,4,200^FDHello Data Matrix^FS^XZ", NULL},
    {"codewords of MaxiCode", maxicode_latch, "^XA^FO5,5^BD4^FDABCDEF^FS^XZ", NULL},
    {"dots of MaxiCode", maxicode_dots, "^XA^FO5,5^BD4^FDABCDEF^FS^XZ", NULL},
    {"NUL in MaxiCode", maxicode_nul, "^XA^FO5,5^BD4^FH^FDABCDEF_00G^FS^XZ", "^XA^FO5,5^BD4^FDABCDEF^FS^XZ"},
    {"short MaxiCode", maxicode_length, "^XA^FO5,5^BD6^FDABCDE^FS^XZ", "^XA^FO5,5^FS^XZ"},
    {"batch number of a composite", batch_general, "^XA^FO5,5^BRN,11,1,1,20^FD0103212345678906|10ABC^FS^XZ", NULL},
    {"pads of MicroPDF417", micropdf_pads, "^XA^FO5,5^BFN,4,0^FDA^FS^XZ", NULL},
    {"pads of a row of MicroPDF417", micropdf_pads, "^XA^FM5,5^BFN,4,10^FDA^FS^XZ", NULL},
    {"a row of MicroPDF417, upwards", micropdf_narrow, "^XA^FM5,50^BFB,2,10^FDA^FS^XZ",
     "^XA^FM5,10^BFB,2,10^FDA^FS^XZ"},
    {"a row of MicroPDF417 of four columns, inverted", micropdf_narrow, "^XA^BY1^FM50,50^BFI,2,26^FDA^FS^XZ",
     "^XA^BY1^FM20,50^BFI,2,26^FDA^FS^XZ"},
    {"modes of QR that the data names", qr_modes, "^XA^FO5,5^BQN,2,3^FDHM,B0009123456789^FS^XZ", NULL},
    {"^FT of UPC-A", bars_lower, "^XA^FT5,50^BUN,20,N^FD1^FS^XZ", "^XA^FT5,51^BUN,20,N^FD1^FS^XZ"},
    {"^FT of EAN-8, upwards", bars_lower, "^XA^FT50,190^B8B,20,N^FD1^FS^XZ", "^XA^FT51,190^B8B,20,N^FD1^FS^XZ"},
    // Three dots over the second row, where the reference alternates.
    {"separators of DataBar", databar_solid, "^XA^FO5,5^BRN,6,1,1,20,4^FD01900123456789083922795^FS^XZ",
     "^XA^FO5,5^BRN,6,1,1,20,4^FD01900123456789083922795^FS^FO58,41^GB4,1,1^FS^XZ"},
    // A bar of four modules is beside the first finder of each row.
    {"separators of DataBar beside wide bars", databar_solid, "^XA^FO5,5^BRN,6,1,1,20,4^FD0100012345678905^FS^XZ",
     "^XA^FO5,5^BRN,6,1,1,20,4^FD0100012345678905^FS^FO24,39^GB1,1,1,W^FS^FO30,39^GB1,1,1^FS^FO33,39^GB4,1,1^FS"
     "^FO34,41^GB4,1,1^FS^XZ"},
    {"link flag of TLC39", tlc39_flag, "^XA^FO0,5^BTN,1,2,100,1,4^FD123456,A^FS^XZ", NULL},
    {"large text", all_on_whole_dots, "^XA^FO5,5^A0N,101,90^FDAi^FS^XZ", NULL},
    {"^GS", symbols_apart, "^XA^FO5,5^GSN,24,24^FDAB^FS^XZ", "^XA^FO5,5^GSN,24,24^FDA^FS^FO31,5^GSN,24,24^FDB^FS^XZ"},
    {"^PA", always_shaped, "^XA^CI28^PA0,0,0^FO5,5^A0N,40^FD\xD9\x84\xD9\x85^FS^XZ",
     "^XA^CI28^PA0,0,1^FO5,5^A0N,40^FD\xD9\x84\xD9\x85^FS^XZ"},
    {"a backslash", cents, "^XA^CI28^FO5,5^A0N,40^FDa\\^FS^XZ", "^XA^CI28^FO5,5^A0N,40^FDa\xC2\xA2^FS^XZ"},
    {"a zero of ^CI13", plain_zero, "^XA^CI13^FO5,5^AAN,36,20^FD105^FS^XZ", "^XA^FO5,5^AAN,36,20^FD1O5^FS^XZ"},
    {"bars left of the label", bars_moved, "^XA^LS20^FO5,5^BCN,20,N^FD1^FS^XZ", "^XA^FO0,5^BCN,20,N^FD1^FS^XZ"},
    {"bars at the edge", bars_shorter, "^XA^FO0,5^BCR,20,N^FD1^FS^XZ", "^XA^FO0,5^BCR,19,N^FD1^FS^XZ"},
    {"caption, inverted", caption_early, "^XA^FO50,50^BCI,20,Y^FD1^FS^XZ", NULL},
    {"^FR of text", reverse_as_black, "^XA^FO5,5^FR^A0N,40^FDgo^FS^XZ", "^XA^FO5,5^A0N,40^FDgo^FS^XZ"},
    {"digits of UPC-A", upc_thirds, "^XA^BY1^BY6^FO50,5^BUN,20,Y^FD1^FS^XZ", NULL},
    {"^FO, inverted", turned_whole, "^XA^FO5,5^AAI^FDA^FS^XZ", "^XA^FO6,5^AAI^FDA^FS^XZ"},
    {"advances", whole_advances, "^XA^FO5,5^A0N,17^FDiiiiiiiiii^FS^XZ", NULL},
    {"^FT of cells", cells_lower, "^XA^FT5,50^AA^FDA^FS^XZ", "^XA^FT5,51^AA^FDA^FS^XZ"},
    {"^FO,1, inverted", inverted_right, "^XA^FO99,5,1^AAI^FDA^FS^XZ", "^XA^FO96,5,1^AAI^FDA^FS^XZ"},
    {"^FO,1 of a block", inverted_block, "^XA^FO99,5,1^AAI^FB50^FDA^FS^XZ", "^XA^FO100,5,1^AAI^FB50^FDA^FS^XZ"},
    {"text above the label", glyphs_moved, "^XA^FT5,1^AB^FDH^FS^XZ", "^XA^FT5,11^AB^FDH^FS^XZ"},
    {"long words", hyphens, "^XA^FO5,5^AB^FB40,3^FDHHHHHH^FS^XZ", "^XA^FO5,5^AB^FB40,3^FDHHH-\\&HHH^FS^XZ"},
    {"wide gaps", blank_lines, "^XA^FO5,5^AB^FB9,3^FDH I^FS^XZ", "^XA^FO5,5^AB^FB9,3^FDH\\&\\&I^FS^XZ"},
    {"narrow blocks", narrow_left, "^XA^FO50,5^AB^FB1,3,0,R^FDHI^FS^XZ", "^XA^FO50,5^AB^FB1,3,0,L^FDHI^FS^XZ"},
    {"^FP of spaces", plain_spaces, "^XA^FO5,5^FPH,9^AB^FB99^FDH I^FS^XZ", NULL},
    {"lines of S", short_lines, "^XA^FO5,15^AS^FB99,1^FDH^FS^XZ", "^XA^FO5,10^AS^FB99,1^FDH^FS^XZ"},
    {"^TB read downwards", row_lost, "^XA^FO5,5^AB^TBR,99,1^FDHH^FS^XZ", "^XA^FO5,5^FS^XZ"},
    {"missing characters", missing_blank, "^XA^CI28^FO5,5^A0N,40^FD\xCD\xB8^FS^XZ", "^XA^FO5,5^FS^XZ"},
    {"^PW", print_at_left, "^XA^PW100^FO5,5^GB9,9,2^FS^XZ", "^XA^FO5,5^GB9,9,2^FS^XZ"},
};

static bool same_bits(const struct pl_bitmap *a, const struct pl_bitmap *b)
{
    return a->stride == b->stride && a->height == b->height &&
           memcmp(a->words, b->words, (size_t)a->stride * a->height * sizeof(uint64_t)) == 0;
}

static void each_choice_can_be_the_other_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct pl_arena arena;
        pl_arena_init(&arena, 16 << 20);
        struct pl_profile changed = pl_profile_reference;
        CASES[i].change(&changed);
        struct pl_bitmap reference = draw(&pl_profile_reference, CASES[i].zpl, &arena);
        struct pl_bitmap other = draw(&changed, CASES[i].zpl, &arena);
        if (same_bits(&reference, &other))
            fail_msg("%s: nobody asks", CASES[i].name);
        if (CASES[i].same) {
            struct pl_bitmap wanted = draw(&pl_profile_reference, CASES[i].same, &arena);
            if (!same_bits(&wanted, &other))
                fail_msg("%s: the other choice draws something else", CASES[i].name);
        }
        pl_arena_fini(&arena);
    }
}

// It shows only where graphics stay on the label.
static void a_picture_may_be_moved_before_it_is_justified(void **state)
{
    (void)state;
    static const char zpl[] = "^XA^LS2^FO1,5,1^GFA,2,2,1,FFFF^FS^XZ";
    struct pl_arena arena;
    pl_arena_init(&arena, 16 << 20);
    struct pl_profile changed = pl_profile_reference;
    changed.draw.graphic_stays_on_label = true;
    struct pl_bitmap after = draw(&changed, zpl, &arena);
    changed.draw.picture_moves_first = true;
    struct pl_bitmap before = draw(&changed, zpl, &arena);
    assert_true(pl_bitmap_has_ink(&after, (struct pl_box){0, 5, 8, 7}));
    assert_false(pl_bitmap_has_ink(&before, (struct pl_box){0, 0, 200, 200}));
    pl_arena_fini(&arena);
}

// Glyphs that are moved to the edge of the label stand on each other; reversed they cover the same dots. Bars that a
// caption meets are an element of their own.
static void a_reversed_caption_covers_the_dots_of_a_black_one(void **state)
{
    (void)state;
    struct pl_arena arena;
    pl_arena_init(&arena, 16 << 20);
    struct pl_bitmap black = draw(&pl_profile_printer, "^XA^FO0,30^BY1^A0N,40,40^BCN,20,Y^FD1234567890^FS^XZ", &arena);
    struct pl_bitmap reversed =
        draw(&pl_profile_printer, "^XA^FO0,30^BY1^FR^A0N,40,40^BCN,20,Y^FD1234567890^FS^XZ", &arena);
    assert_true(same_bits(&black, &reversed));
    // Read downwards at the left edge a high caption is moved onto its bars.
    static const char onto_bars[] = "^XA^FO20,30^BY2%s^A0N,60,60^BCR,40,Y^FD1^FS^XZ";
    char zpl[100];
    snprintf(zpl, sizeof zpl, onto_bars, "");
    struct pl_drawn_page page = draw_page(&pl_profile_printer, zpl, &arena);
    struct pl_box both = pl_box_intersect(page.reports[0].drawn.symbol, page.reports[0].drawn.caption);
    assert_false(pl_box_is_empty(both));
    snprintf(zpl, sizeof zpl, onto_bars, "^FR");
    reversed = draw(&pl_profile_printer, zpl, &arena);
    assert_false(same_bits(&page.bits, &reversed));
    pl_bitmap_fill(&page.bits, both, PL_INK_WHITE);
    pl_bitmap_fill(&reversed, both, PL_INK_WHITE);
    assert_true(same_bits(&page.bits, &reversed));
    pl_arena_fini(&arena);
}

static void box_is_ink(const struct pl_profile *profile, const char *zpl)
{
    struct pl_arena arena;
    pl_arena_init(&arena, 16 << 20);
    struct pl_drawn_page page = draw_page(profile, zpl, &arena);
    assert_int_equal(page.report_count, 1);
    struct pl_box box = page.reports[0].box, ink = pl_bitmap_ink_box(&page.bits);
    bool both_empty = pl_box_is_empty(box) && pl_box_is_empty(ink);
    if (!both_empty && memcmp(&box, &ink, sizeof box) != 0)
        fail_msg("%s, %s: box %d,%d to %d,%d, but ink %d,%d to %d,%d", profile->name, zpl, box.x0, box.y0, box.x1,
                 box.y1, ink.x0, ink.y0, ink.x1, ink.y1);
    assert_true(page.reports[0].inside_label);
    pl_arena_fini(&arena);
}

// Once a printer's diagonals and ellipses were reported where geometry has them.
static void the_box_of_a_shape_is_its_ink(void **state)
{
    (void)state;
    static const int SIZES[] = {1, 2, 3, 4, 5, 7, 8, 10, 11, 19, 30, 61, 100, 121};
    static const int BORDERS[] = {1, 2, 3, 5, 40};
    enum { N_SIZES = sizeof SIZES / sizeof SIZES[0], N_BORDERS = sizeof BORDERS / sizeof BORDERS[0] };
    static const struct pl_profile *const PROFILES[] = {&pl_profile_reference, &pl_profile_printer};
    for (int i = 0; i < 2 * N_SIZES * N_SIZES * N_BORDERS; i++) {
        const struct pl_profile *profile = PROFILES[i % 2];
        int w = SIZES[i / 2 % N_SIZES], h = SIZES[i / 2 / N_SIZES % N_SIZES], t = BORDERS[i / 2 / N_SIZES / N_SIZES];
        char zpl[100];
        for (int rounding = 0; rounding <= 8; rounding++) {
            snprintf(zpl, sizeof zpl, "^XA^FO20,30^GB%d,%d,%d,B,%d^FS^XZ", w, h, t, rounding);
            box_is_ink(profile, zpl);
        }
        snprintf(zpl, sizeof zpl, "^XA^FO20,30^GE%d,%d,%d^FS^XZ", w, h, t);
        box_is_ink(profile, zpl);
        snprintf(zpl, sizeof zpl, "^XA^FO20,30^GC%d,%d^FS^XZ", w, t);
        box_is_ink(profile, zpl);
        for (int lean = 0; lean < 2; lean++) {
            snprintf(zpl, sizeof zpl, "^XA^FO20,30^GD%d,%d,%d,B,%c^FS^XZ", w, h, t, "LR"[lean]);
            box_is_ink(profile, zpl);
        }
    }
}

// A flat diagonal ends where its dots do, which is beyond this label by one profile alone.
static void a_shape_outside_of_the_label_is_reported_by_its_ink(void **state)
{
    (void)state;
    static const char zpl[] = "^XA^FO85,10^GD110,5,10,B,L^FS^XZ";
    struct pl_arena arena;
    pl_arena_init(&arena, 16 << 20);
    assert_true(draw_page(&pl_profile_reference, zpl, &arena).reports[0].inside_label);
    struct pl_drawn_page page = draw_page(&pl_profile_printer, zpl, &arena);
    assert_false(page.reports[0].inside_label);
    assert_int_equal(page.reports[0].box.x0, 107);
    assert_int_equal(page.reports[0].box.x1, 205);
    pl_arena_fini(&arena);
}

// The block begins a dot before the ink; at ^FT the last row is the baseline's. Rotation changes nothing.
static void a_maxicode_stands_where_a_printer_puts_it(void **state)
{
    (void)state;
    static const struct {
        const char *place;
        int32_t x, y;
    } PLACES[] = {{"^FO10,20", 11, 21},    {"^FT10,230", 11, 32},       {"^FWR^FO10,20", 11, 21}, {"^FO0,0", 1, 1},
                  {"^FO230,20,1", 21, 21}, {"^LH10,10^FO0,10", 11, 21}, {"^FWB^FT10,230", 11, 32}};
    struct pl_arena arena;
    pl_arena_init(&arena, 16 << 20);
    for (size_t i = 0; i < sizeof PLACES / sizeof PLACES[0]; i++) {
        char zpl[100];
        snprintf(zpl, sizeof zpl, "^XA%s^BD4^FDHELLO MAXICODE^FS^XZ", PLACES[i].place);
        struct pl_drawn_page page = draw_page_of(&pl_profile_printer, zpl, 240, &arena);
        struct pl_box box = page.reports[0].box, ink = pl_bitmap_ink_box(&page.bits);
        assert_memory_equal(&box, &ink, sizeof box);
        assert_int_equal(ink.x0, PLACES[i].x);
        assert_int_equal(ink.y0, PLACES[i].y);
        assert_int_equal(ink.x1 - ink.x0, 209);
        assert_int_equal(ink.y1 - ink.y0, 199);
    }
    pl_arena_fini(&arena);
}

// White where it was black, and the other way round.
static void a_maxicode_is_reversed(void **state)
{
    (void)state;
    struct pl_arena arena;
    pl_arena_init(&arena, 16 << 20);
    const struct pl_profile *printer = &pl_profile_printer;
    struct pl_bitmap black = draw_page_of(printer, "^XA^FO9,9^BD4^FDHELLO ALL^FS^XZ", 240, &arena).bits;
    static const char *const REVERSED[] = {"^XA^FO0,0^GB240,240,240^FS^FR^FO9,9^BD4^FDHELLO ALL^FS^XZ",
                                           "^XA^FO0,0^GB240,240,240^FS^LRY^FO9,9^BD4^FDHELLO ALL^FS^XZ"};
    for (size_t i = 0; i < 2; i++) {
        struct pl_bitmap white = draw_page_of(printer, REVERSED[i], 240, &arena).bits;
        for (uint32_t y = 0; y < 240; y++)
            for (uint32_t x = 0; x < 240; x++)
                assert_int_not_equal(pl_bitmap_get(&black, x, y), pl_bitmap_get(&white, x, y));
    }
    pl_arena_fini(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_reversed_caption_covers_the_dots_of_a_black_one),
                                       cmocka_unit_test(the_box_of_a_shape_is_its_ink),
                                       cmocka_unit_test(a_maxicode_stands_where_a_printer_puts_it),
                                       cmocka_unit_test(a_maxicode_is_reversed),
                                       cmocka_unit_test(a_shape_outside_of_the_label_is_reported_by_its_ink),
                                       cmocka_unit_test(each_choice_can_be_the_other_one),
                                       cmocka_unit_test(a_picture_may_be_moved_before_it_is_justified)};
    return cmocka_run_group_tests(tests, start, end);
}
