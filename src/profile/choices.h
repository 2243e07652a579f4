// The choices of all profiles, a row each: GROUP(who asks), CHOICE(type, name, what the reference has, a printer, and
// languages that nobody measured: everything is where its coordinates say, and as it was asked for), END(who asks).
// The reference's are from its pictures, a printer's from the hashes of its own; where none decides, the reference's
// choice stands.
// clang-format off

GROUP(zpl)
CHOICE(char, font, 'A', 'A', 0) // of ^CF after power-on
CHOICE(uint8_t, module, 2, 2, 0) // of ^BY after power-on
CHOICE(uint8_t, ratio_tenths, 30, 30, 0) // of ^BY after power-on
CHOICE(uint16_t, bar_height, 10, 10, 0) // of ^BY after power-on, in dots
// ^FO or ^FT between ^FD and ^FS moves the field; otherwise the field ends there
CHOICE(bool, place_moves_open_field, true, true, false)
CHOICE(bool, data_replaces_serial, true, true, false) // ^FD behind ^SN takes its place; otherwise it is left out
CHOICE(bool, fw_turns_open_text, true, true, false) // ^FW behind ^A turns the field's text as well
CHOICE(bool, graphic_replaces_data, true, true, false) // ^G… behind ^FD takes its place; otherwise both are drawn
// text behind a graphic of its field stands at the label home
CHOICE(bool, graphic_takes_place_along, true, true, false)
// where nothing can be negative -5 is 5; otherwise the least allowed value
CHOICE(bool, minus_is_rubbish, true, false, false)
// ^FB without a width draws nothing; otherwise a character in each line
CHOICE(bool, block_needs_width, true, false, false)
// ^PA turns the shaping of letters off; otherwise it changes nothing
CHOICE(bool, shaping_can_be_off, true, false, false)
CHOICE(bool, backslash_is_cent, false, true, false) // in text of ^CI28 a backslash is the cent sign
// in text of ^CI13 zeros of font A have no stroke; serial numbers keep it
CHOICE(bool, zero_of_ci13_is_plain, false, true, false)
END(zpl)

GROUP(draw)
CHOICE(int8_t, graphic_ft_drop, 0, 1, 0) // rows by which graphics at ^FT reach below y
CHOICE(uint8_t, curve_least_border, 1, 2, 1) // dots of ^GC, ^GE and rounded ^GB
// ^FT without coordinates goes on at the last shape's corner, not only at text
CHOICE(bool, shape_moves_pen, true, true, false)
// ^PW less than the page: printed in its middle; otherwise at its left
CHOICE(bool, narrow_print_is_centred, true, false, false)
// round shapes and diagonals by the firmware's steps; otherwise as geometry has them
CHOICE(bool, curves_by_recurrence, false, true, false)
// one that begins left of the label or above it is moved to its edge; otherwise cut
CHOICE(bool, graphic_stays_on_label, false, true, false)
// and a picture at ^FO is moved before it is justified; otherwise after
CHOICE(bool, picture_moves_first, false, true, false)
// dots by which linear bars at ^FT reach below y, unturned or read from bottom to top
CHOICE(int8_t, bars_ft_drop, 0, 1, 0)
// linear bars that begin left of the label or above it are moved to its edge
CHOICE(bool, bars_stay_on_label, false, true, false)
// those at its left edge (R) or upper edge (I) are a dot less high at the other end
CHOICE(bool, edge_takes_bar_dot, false, true, false)
// captions in cells, turned by I or B, begin a dot before their place
CHOICE(bool, caption_starts_early, false, true, false)
// reversed text covers all dots that its outlines touch; otherwise as black text
CHOICE(bool, reverse_adds_touched, true, false, false)
// where bars and caption of a reversed barcode overlap the label is as it was
CHOICE(bool, reverse_by_component, false, true, false)
END(draw)

GROUP(bar)
// dots by which a QR code at a corner stands lower than its default height says
CHOICE(int8_t, qr_corner_drop, 0, -1, 0)
CHOICE(int8_t, qr_baseline_drop, 0, 1, 0) // dots by which one at a baseline stands lower than three modules above it
// and there has the size of the mode that was declared, whatever was drawn
CHOICE(bool, qr_baseline_as_declared, true, false, false)
// a printer's choice of the mask (pl_qr_choose_mask); otherwise the standard's
CHOICE(bool, qr_mask_as_printed, false, true, false)
// the level that was asked for; otherwise the highest that the version has room for
CHOICE(bool, qr_keeps_level, false, true, true)
// a segment whose mode the data names has that mode; otherwise it is split as any
CHOICE(bool, qr_keeps_modes, false, true, true)
// modes change where that saves bits; otherwise by lengths from a table
CHOICE(bool, qr_joins_by_bits, false, true, false)
// digits beside other characters that are worth numeric mode; 0: by neighbours
CHOICE(uint8_t, pdf417_least_digits, 0, 14, 0)
CHOICE(uint8_t, pdf417_latch_run, 0, 4, 0) // capitals or signs in a row that are worth a latch; 0: two
// two last values of C40 or Text that do not fill the symbol leave for ASCII
CHOICE(bool, datamatrix_tail_in_ascii, false, true, false)
// free codewords are filled with a series of eight; otherwise with one
CHOICE(bool, micropdf417_pads_in_turn, false, true, false)
// ^FM: turned by I or B it is placed without the width of its row addresses
CHOICE(bool, micropdf417_series_is_narrow, false, true, false)
// the own encoder's codewords, with a latch behind the data; otherwise libzint's
CHOICE(bool, maxicode_as_printed, false, true, true)
// equal hexagons on a grid of dots; otherwise corners as geometry has them
CHOICE(bool, maxicode_on_whole_dots, false, true, false)
CHOICE(bool, maxicode_nul_ends_data, false, true, false) // what stands behind a NUL is left out
CHOICE(uint8_t, maxicode_least_length, 0, 6, 0) // bytes of modes 4 and 6; shorter data draws nothing
// a level in percent, to whole words; otherwise down, and three words at least
CHOICE(bool, aztec_percent_rounds_up, false, true, false)
// a batch number that begins a 2D part has the general method; otherwise its own
CHOICE(bool, composite_batch_is_general, false, true, false)
// Expanded: it changes at finders beside a bar of four modules (databar.c)
CHOICE(bool, databar_separator_by_wide_bar, false, true, false)
// the link flag reaches beyond the bars for slanted scans; otherwise it is as high
CHOICE(bool, tlc39_flag_is_longer, false, true, false)
// a middle between two dots: the first half goes right; otherwise all goes left
CHOICE(bool, caption_splits_half_dot, true, false, false)
// a plain caption of UPC and EAN has its middle half a module further left
CHOICE(bool, upc_caption_less_a_module, true, false, false)
// digits of UPC and EAN grow with each third module; otherwise once, from 8 on
CHOICE(bool, upc_digits_by_thirds, false, true, false)
END(bar)

GROUP(font)
// dots: glyphs of higher text stand where the pen is, between dots
CHOICE(uint16_t, largest_on_whole_dots, 100, UINT16_MAX, UINT16_MAX)
// symbols of ^GS without a blank between them stand on each other
CHOICE(bool, symbols_share_a_place, true, false, false)
// text at ^FO, turned by I or B, begins a dot before the end of its width
CHOICE(bool, turned_text_less_a_dot, true, false, false)
// each glyph of an outline font advances by whole dots, of 204/203 its width
CHOICE(bool, whole_advances, false, true, true)
// ^FT of cells: the anchor is a dot of the baseline's row and of the first column
CHOICE(bool, cells_cover_anchor, false, true, false)
// ^FO,1 of text turned by I: cells end a gap before x, outlines a dot behind it
CHOICE(bool, inverted_right_by_gap, false, true, false)
// ^FO,1 of blocks: by I a dot further right, by B up to the first line alone
CHOICE(bool, inverted_block_by_a_dot, false, true, false)
// a glyph left of the label or above it is moved to its edge; otherwise cut
CHOICE(bool, glyphs_stay_on_label, false, true, false)
CHOICE(bool, blocks_hyphenate, false, true, false) // ^FB cuts words that are wider than the block with a hyphen
CHOICE(bool, wide_gaps_take_lines, false, true, false) // spaces of ^FB as wide as the next line are a blank line
// a line of ^FB that is wider than its block begins at the left; otherwise aligned
CHOICE(bool, narrow_block_is_left, false, true, false)
CHOICE(bool, block_spaces_take_gap, true, false, false) // ^FP's gap stands behind spaces of blocks too
CHOICE(bool, short_lines_of_s, false, true, false) // lines of font S in ^FB have their own height and baseline
// the first row of ^TB is cut off where it reads from top to bottom
CHOICE(bool, box_right_less_a_row, false, true, false)
// a character that no font has takes room, but shows only where ^PA asks for it
CHOICE(bool, missing_is_blank, false, true, false)
END(font)
