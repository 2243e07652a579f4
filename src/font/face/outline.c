// Outlines: scales and boxes.
#include "font/face/outline.h"

int64_t pl_outline_scale(int64_t numerator, int64_t denominator)
{
    if (denominator <= 0)
        return 0;
    // 2^38 times the quotient: 2^32 per unit, 64 per dot. The whole and the rest apart, so that nothing overflows.
    int64_t whole = numerator / denominator, rest = numerator % denominator;
    if (whole < 0 || rest < 0 || denominator >= INT64_C(1) << 28)
        return 0;
    if (whole >= INT64_C(1) << 9)
        return INT64_C(1) << 47;
    return (whole << 38) + (((rest << 34) / denominator) << 4);
}

int64_t pl_outline_shift(int64_t numerator, int64_t denominator)
{
    return numerator < 0 ? -pl_outline_scale(-numerator, denominator) : pl_outline_scale(numerator, denominator);
}

struct pl_outline_box pl_outline_control_box(const struct pl_outline *outline)
{
    struct pl_outline_box box = {0, 0, 0, 0};
    for (uint32_t i = 0; i < outline->point_count; i++) {
        int32_t x = outline->xy[i * 2], y = outline->xy[i * 2 + 1];
        if (i == 0)
            box = (struct pl_outline_box){x, y, x, y};
        if (x < box.x0)
            box.x0 = x;
        if (x > box.x1)
            box.x1 = x;
        if (y < box.y0)
            box.y0 = y;
        if (y > box.y1)
            box.y1 = y;
    }
    return box;
}
