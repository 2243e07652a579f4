// The reference renderer's choices, from its pictures.
#include "profile/profile.h"

const struct pl_profile pl_profile_reference = {
    .name = "reference",
    .zpl = {.font = 'A',
            .module = 2,
            .ratio_tenths = 30,
            .bar_height = 10,
            .place_moves_open_field = true,
            .data_replaces_serial = true,
            .fw_turns_open_text = true,
            .graphic_replaces_data = true,
            .graphic_takes_place_along = true,
            .minus_is_rubbish = true,
            .block_needs_width = true},
    .draw = {.graphic_ft_drop = 0, .curve_least_border = 1, .shape_moves_pen = true, .narrow_print_is_centred = true},
    .bar = {.qr_corner_drop = 0,
            .qr_baseline_drop = 0,
            .qr_baseline_as_declared = true,
            .caption_splits_half_dot = true,
            .upc_caption_less_a_module = true},
    .font = {.largest_on_whole_dots = 100, .symbols_share_a_place = true},
};
