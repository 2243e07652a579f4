// What is drawn in one way by the reference renderer and in another by a printer: one table of plain choices that the
// language, the drawing, the bars and the fonts ask. Nobody asks which profile it is.
#ifndef PL_PROFILE_PROFILE_H
#define PL_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

// Asked by lang/zpl.
struct pl_profile_zpl {
    char font;                      // of ^CF after power-on
    uint8_t module, ratio_tenths;   // of ^BY after power-on
    uint16_t bar_height;            // of ^BY after power-on, in dots
    bool place_moves_open_field;    // ^FO or ^FT between ^FD and ^FS moves the field; otherwise the field ends there
    bool data_replaces_serial;      // ^FD behind ^SN takes its place; otherwise it is left out
    bool fw_turns_open_text;        // ^FW behind ^A turns the field's text as well
    bool graphic_replaces_data;     // ^G… behind ^FD takes its place; otherwise both are drawn
    bool graphic_takes_place_along; // text behind a graphic of its field stands at the label home
    bool minus_is_rubbish;          // where nothing can be negative -5 is 5; otherwise the least allowed value
    bool block_needs_width;         // ^FB without a width draws nothing; otherwise a character in each line
    bool shaping_can_be_off;        // ^PA turns the shaping of letters off; otherwise it changes nothing
    bool backslash_is_cent;         // in text of ^CI28 a backslash is the cent sign
    bool zero_of_ci13_is_plain;     // in text of ^CI13 zeros of font A have no stroke; serial numbers keep it
};

// Asked by draw/.
struct pl_profile_draw {
    int8_t graphic_ft_drop;       // rows by which graphics at ^FT reach below y
    uint8_t curve_least_border;   // dots of ^GC, ^GE and rounded ^GB
    bool shape_moves_pen;         // ^FT without coordinates goes on at the last shape's corner, not only at text
    bool narrow_print_is_centred; // ^PW less than the page: printed in its middle; otherwise at its left
    bool curves_by_recurrence;    // round shapes and diagonals by the firmware's steps; otherwise as geometry has them
    bool graphic_stays_on_label;  // one that begins left of the label or above it is moved to its edge; otherwise cut
    bool picture_moves_first;     // and a picture at ^FO is moved before it is justified; otherwise after
    int8_t bars_ft_drop;          // dots by which linear bars at ^FT reach below y, unturned or read from bottom to top
    bool bars_stay_on_label;      // linear bars that begin left of the label or above it are moved to its edge
    bool edge_takes_bar_dot;      // those at its left edge (R) or upper edge (I) are a dot less high at the other end
    bool caption_starts_early;    // captions in cells, turned by I or B, begin a dot before their place
    bool reverse_adds_touched;    // reversed text covers all dots that its outlines touch; otherwise as black text
    bool reverse_by_component;    // where bars and caption of a reversed barcode overlap the label is as it was
};

// Asked by bar/.
struct pl_profile_bar {
    int8_t qr_corner_drop;         // dots by which a QR code at a corner stands lower than its default height says
    int8_t qr_baseline_drop;       // dots by which one at a baseline stands lower than three modules above it
    bool qr_baseline_as_declared;  // and there has the size of the mode that was declared, whatever was drawn
    bool qr_mask_as_printed;       // a printer's choice of the mask (qr_mask.h); otherwise the standard's
    bool qr_keeps_level;           // the level that was asked for; otherwise the highest that the version has room for
    bool qr_keeps_modes;           // a segment whose mode the data names has that mode; otherwise it is split as any
    bool qr_joins_by_bits;         // modes change where that saves bits; otherwise by lengths from a table
    uint8_t pdf417_least_digits;   // digits beside other characters that are worth numeric mode; 0: by neighbours
    uint8_t pdf417_latch_run;      // capitals or signs in a row that are worth a latch; 0: two
    bool datamatrix_tail_in_ascii; // two last values of C40 or Text that do not fill the symbol leave for ASCII
    bool micropdf417_pads_in_turn; // free codewords are filled with a series of eight; otherwise with one
    bool micropdf417_series_is_narrow; // ^FM: turned by I or B it is placed without the width of its row addresses
    bool maxicode_as_printed;          // the own encoder's codewords, with a latch behind the data; otherwise libzint's
    bool maxicode_on_whole_dots;       // equal hexagons on a grid of dots; otherwise corners as geometry has them
    bool maxicode_nul_ends_data;       // what stands behind a NUL is left out
    uint8_t maxicode_least_length;     // bytes of modes 4 and 6; shorter data draws nothing
    bool aztec_percent_rounds_up;      // a level in percent, to whole words; otherwise down, and three words at least
    bool composite_batch_is_general;   // a batch number that begins a 2D part has the general method; otherwise its own
    bool databar_separator_by_wide_bar; // Expanded: it changes at finders beside a bar of four modules (databar.c)
    bool tlc39_flag_is_longer;      // the link flag reaches beyond the bars for slanted scans; otherwise it is as high
    bool caption_splits_half_dot;   // a middle between two dots: the first half goes right; otherwise all goes left
    bool upc_caption_less_a_module; // a plain caption of UPC and EAN has its middle half a module further left
    bool upc_digits_by_thirds;      // digits of UPC and EAN grow with each third module; otherwise once, from 8 on
};

// Asked by font/.
struct pl_profile_font {
    uint16_t largest_on_whole_dots; // dots: glyphs of higher text stand where the pen is, between dots
    bool symbols_share_a_place;     // symbols of ^GS without a blank between them stand on each other
    bool turned_text_less_a_dot;    // text at ^FO, turned by I or B, begins a dot before the end of its width
    bool whole_advances;            // each glyph of an outline font advances by whole dots, of 204/203 its width
    bool cells_cover_anchor;        // ^FT of cells: the anchor is a dot of the baseline's row and of the first column
    bool inverted_right_by_gap;     // ^FO,1 of text turned by I: cells end a gap before x, outlines a dot behind it
    bool inverted_block_by_a_dot;   // ^FO,1 of blocks: by I a dot further right, by B up to the first line alone
    bool glyphs_stay_on_label;      // a glyph left of the label or above it is moved to its edge; otherwise cut
    bool blocks_hyphenate;          // ^FB cuts words that are wider than the block with a hyphen
    bool wide_gaps_take_lines;      // spaces of ^FB as wide as the next line are a blank line
    bool narrow_block_is_left;      // a line of ^FB that is wider than its block begins at the left; otherwise aligned
    bool block_spaces_take_gap;     // ^FP's gap stands behind spaces of blocks too
    bool short_lines_of_s;          // lines of font S in ^FB have their own height and baseline
    bool box_right_less_a_row;      // the first row of ^TB is cut off where it reads from top to bottom
    bool missing_is_blank;          // a character that no font has takes room, but shows only where ^PA asks for it
};

struct pl_profile {
    const char *name;
    struct pl_profile_zpl zpl;
    struct pl_profile_draw draw;
    struct pl_profile_bar bar;
    struct pl_profile_font font;
};

// The renderer that everybody compares with.
extern const struct pl_profile pl_profile_reference;
// For languages that nobody measured: everything is where its coordinates say, and as it was asked for.
extern const struct pl_profile pl_profile_plain;
// A printer with a head of 203 dpi, as its own preview shows its labels.
extern const struct pl_profile pl_profile_printer;

#endif
