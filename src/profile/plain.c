// The choices for languages whose printers were not measured: nothing is moved, and options are obeyed.
#include "profile/profile.h"

const struct pl_profile pl_profile_plain = {
    .name = "plain",
    .draw = {.curve_least_border = 1},
    .bar = {.qr_keeps_level = true, .qr_keeps_modes = true, .maxicode_as_printed = true},
    .font = {.largest_on_whole_dots = UINT16_MAX, .whole_advances = true},
};
