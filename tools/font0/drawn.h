// Outlines of font 0 that no open face comes near: corners measured on the reference, in 1/500 of the height, drawn
// here.
#ifndef PL_TOOLS_FONT0_DRAWN_H
#define PL_TOOLS_FONT0_DRAWN_H

#include <stdint.h>

struct drawn_contour {
    uint32_t codepoint;
    int count;
    int16_t xy[56];
};

static const struct drawn_contour drawn[] = {
    {0x005E, 26, {144, 374, 148, 366, 160, 343, 178, 320, 195, 300, 220, 275, 230, 260, 229, 244, 215, 243,
                  200, 250, 182, 261, 163, 274, 142, 293, 126, 303, 108, 290, 85,  272, 60,  258, 42,  247,
                  28,  245, 28,  268, 50,  282, 68,  300, 85,  320, 100, 345, 110, 365, 112, 374}},
};

#endif
