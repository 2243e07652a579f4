// Turned coordinate systems.
#include "raster/geom.h"

#include "base/ckd.h"

static int32_t offset(int32_t base, int64_t by)
{
    return pl_clamp_i32((int64_t)base + by, INT32_MIN, INT32_MAX);
}

struct pl_box pl_frame_box(struct pl_frame f, struct pl_box c)
{
    switch (f.rotation) {
    case PL_ROT_R:
        return (struct pl_box){offset(f.x, -(int64_t)c.y1), offset(f.y, c.x0), offset(f.x, -(int64_t)c.y0),
                               offset(f.y, c.x1)};
    case PL_ROT_I:
        return (struct pl_box){offset(f.x, -(int64_t)c.x1), offset(f.y, -(int64_t)c.y1), offset(f.x, -(int64_t)c.x0),
                               offset(f.y, -(int64_t)c.y0)};
    case PL_ROT_B:
        return (struct pl_box){offset(f.x, c.y0), offset(f.y, -(int64_t)c.x1), offset(f.x, c.y1),
                               offset(f.y, -(int64_t)c.x0)};
    case PL_ROT_N:
    default:
        return (struct pl_box){offset(f.x, c.x0), offset(f.y, c.y0), offset(f.x, c.x1), offset(f.y, c.y1)};
    }
}
