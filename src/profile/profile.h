// What is drawn in one way by the reference renderer and in another by a printer: one table of plain choices that the
// language, the drawing, the bars and the fonts ask. Nobody asks which profile it is.
#ifndef PL_PROFILE_PROFILE_H
#define PL_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

// A struct for each part that asks: struct pl_profile_zpl for lang/zpl, the others for draw/, bar/ and font/.
// clang-format off
#define GROUP(part) struct pl_profile_##part {
#define CHOICE(type, name, reference, printer, plain) type name;
#define END(part) };
// clang-format on
#include "profile/choices.h"
#undef GROUP
#undef CHOICE
#undef END

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
