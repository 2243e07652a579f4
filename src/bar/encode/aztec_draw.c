// Aztec: finder, reference grid, mode message and layers on the module grid (ISO/IEC 24778, clause 7).
#include "bar/encode/aztec_parts.h"

#define MAX_SIDE 151

static uint32_t base_side(struct pl_aztec_shape shape)
{
    return (shape.compact ? 11 : 14) + 4 * shape.layers;
}

uint32_t pl_aztec_side(struct pl_aztec_shape shape)
{
    uint32_t base = base_side(shape);
    return shape.compact ? base : base + 1 + 2 * ((base / 2 - 1) / 15);
}

static void draw_core(struct pl_bitmap *modules, int centre, int radius)
{
    for (int ring = 0; ring < radius; ring += 2)
        for (int i = -ring; i <= ring; i++) {
            pl_bitmap_set(modules, (uint32_t)(centre + i), (uint32_t)(centre - ring));
            pl_bitmap_set(modules, (uint32_t)(centre + i), (uint32_t)(centre + ring));
            pl_bitmap_set(modules, (uint32_t)(centre - ring), (uint32_t)(centre + i));
            pl_bitmap_set(modules, (uint32_t)(centre + ring), (uint32_t)(centre + i));
        }
    // The corners of the ring outside the finder tell the orientation.
    uint32_t low = (uint32_t)(centre - radius), high = (uint32_t)(centre + radius);
    pl_bitmap_set(modules, low, low);
    pl_bitmap_set(modules, low + 1, low);
    pl_bitmap_set(modules, low, low + 1);
    pl_bitmap_set(modules, high, low);
    pl_bitmap_set(modules, high, low + 1);
    pl_bitmap_set(modules, high, high - 1);
}

// Clockwise from the top left round the core; in full symbols the grid's middle line is left out.
static void draw_mode(struct pl_bitmap *modules, int centre, bool compact, const struct pl_aztec_bits *mode)
{
    int length = compact ? 7 : 10, radius = compact ? 5 : 7;
    uint32_t low = (uint32_t)(centre - radius), high = (uint32_t)(centre + radius);
    for (int i = 0; i < length; i++) {
        int offset = compact ? i - 3 : i - 5 + i / 5;
        uint32_t forward = (uint32_t)(centre + offset), backward = (uint32_t)(centre - offset);
        if (pl_aztec_bit(mode, (uint32_t)i))
            pl_bitmap_set(modules, forward, low);
        if (pl_aztec_bit(mode, (uint32_t)(length + i)))
            pl_bitmap_set(modules, high, forward);
        if (pl_aztec_bit(mode, (uint32_t)(2 * length + i)))
            pl_bitmap_set(modules, backward, high);
        if (pl_aztec_bit(mode, (uint32_t)(3 * length + i)))
            pl_bitmap_set(modules, low, backward);
    }
}

static void draw_grid(struct pl_bitmap *modules, uint32_t side)
{
    uint32_t centre = side / 2;
    for (uint32_t line = centre % 16; line < side; line += 16)
        for (uint32_t i = centre % 2; i < side; i += 2) {
            pl_bitmap_set(modules, line, i);
            pl_bitmap_set(modules, i, line);
        }
}

// Layers from the outside in; each is four strips of dominoes, two modules across, anticlockwise from the top left.
static void draw_layers(struct pl_bitmap *modules, struct pl_aztec_shape shape, const uint8_t *map,
                        const struct pl_aztec_bits *data)
{
    uint32_t base = base_side(shape), start = 0;
    for (uint32_t layer = 0; layer < shape.layers; layer++) {
        uint32_t length = 4 * (shape.layers - layer) + (shape.compact ? 9 : 12);
        for (uint32_t i = 0; i < 2 * length; i++) {
            uint32_t along = 2 * layer + i / 2, across = 2 * layer + i % 2;
            uint32_t far_along = base - 1 - along, far_across = base - 1 - across;
            if (pl_aztec_bit(data, start + i))
                pl_bitmap_set(modules, map[across], map[along]);
            if (pl_aztec_bit(data, start + 2 * length + i))
                pl_bitmap_set(modules, map[along], map[far_across]);
            if (pl_aztec_bit(data, start + 4 * length + i))
                pl_bitmap_set(modules, map[far_across], map[far_along]);
            if (pl_aztec_bit(data, start + 6 * length + i))
                pl_bitmap_set(modules, map[far_along], map[across]);
        }
        start += 8 * length;
    }
}

void pl_aztec_draw(struct pl_aztec_shape shape, const struct pl_aztec_bits *mode, const struct pl_aztec_bits *data,
                   struct pl_bitmap *modules)
{
    uint8_t map[MAX_SIDE]; // positions without the reference grid to modules
    uint32_t base = base_side(shape), side = pl_aztec_side(shape), centre = side / 2;
    for (uint32_t i = 0; i < base; i++) {
        if (shape.compact) {
            map[i] = (uint8_t)i;
        } else if (i < base / 2) {
            uint32_t distance = base / 2 - 1 - i;
            map[i] = (uint8_t)(centre - 1 - distance - distance / 15);
        } else {
            uint32_t distance = i - base / 2;
            map[i] = (uint8_t)(centre + 1 + distance + distance / 15);
        }
    }
    if (!shape.compact)
        draw_grid(modules, side);
    draw_core(modules, (int)centre, shape.compact ? 5 : 7);
    draw_mode(modules, (int)centre, shape.compact, mode);
    if (data != NULL)
        draw_layers(modules, shape, map, data);
}
