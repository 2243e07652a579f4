// QR Code: function patterns, placement of the codewords.
#include <string.h>

#include "bar/encode/qr_parts.h"
#include "base/ckd.h"

static void set(struct pl_qr_canvas *c, uint32_t x, uint32_t y, bool dark)
{
    uint64_t bit = UINT64_C(1) << (63 - x % 64);
    c->fixed.rows[y][x / 64] |= bit;
    if (dark)
        c->dark.rows[y][x / 64] |= bit;
    else
        c->dark.rows[y][x / 64] &= ~bit;
}

static uint32_t alignment_positions(uint32_t version, uint32_t positions[7])
{
    if (version == 1)
        return 0;
    uint32_t n = version / 7 + 2;
    uint32_t step = version == 32 ? 26 : (version * 4 + n * 2 + 1) / (n * 2 - 2) * 2;
    positions[0] = 6;
    for (uint32_t i = 1; i < n; i++)
        positions[i] = version * 4 + 10 - step * (n - 1 - i);
    return n;
}

uint32_t pl_qr_data_modules(uint32_t version)
{
    uint32_t modules = (16 * version + 128) * version + 64;
    if (version >= 2) {
        uint32_t n = version / 7 + 2;
        modules -= (25 * n - 10) * n - 55;
    }
    return modules - (version >= 7 ? 36 : 0);
}

static void draw_finder(struct pl_qr_canvas *c, int32_t cx, int32_t cy)
{
    for (int32_t dy = -4; dy <= 4; dy++)
        for (int32_t dx = -4; dx <= 4; dx++) {
            int32_t x = cx + dx, y = cy + dy, far = PL_MAX(dx < 0 ? -dx : dx, dy < 0 ? -dy : dy);
            if (x >= 0 && y >= 0 && x < (int32_t)c->size && y < (int32_t)c->size)
                set(c, (uint32_t)x, (uint32_t)y, far != 2 && far != 4);
        }
}

static void draw_alignments(struct pl_qr_canvas *c, uint32_t version)
{
    uint32_t at[7], n = alignment_positions(version, at);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            if ((i == 0 && j == 0) || (i == 0 && j == n - 1) || (i == n - 1 && j == 0))
                continue; // finders are there
            for (uint32_t dy = 0; dy < 5; dy++)
                for (uint32_t dx = 0; dx < 5; dx++) {
                    bool ring = dx == 0 || dx == 4 || dy == 0 || dy == 4;
                    set(c, at[i] + dx - 2, at[j] + dy - 2, ring || (dx == 2 && dy == 2));
                }
        }
}

// Takes their place, and that of the module that is always dark.
static void reserve_format(struct pl_qr_canvas *c)
{
    pl_qr_draw_format(&c->fixed, c->size, 0x7FFF, false);
    set(c, 8, c->size - 8, true);
}

static void draw_version(struct pl_qr_canvas *c, uint32_t version)
{
    if (version < 7)
        return;
    uint32_t rest = version;
    for (int i = 0; i < 12; i++)
        rest = rest << 1 ^ (rest >> 11 & 1 ? 0x1F25 : 0);
    uint32_t bits = version << 12 | rest;
    for (uint32_t i = 0; i < 18; i++) {
        uint32_t a = c->size - 11 + i % 3, b = i / 3;
        set(c, a, b, bits >> i & 1);
        set(c, b, a, bits >> i & 1);
    }
}

// Model 1: instead of alignment patterns a dark corner, and along the right and the lower edge every other place for a
// codeword is a light and a dark line of four modules.
static void draw_extensions(struct pl_qr_canvas *c, uint32_t version)
{
    uint32_t n = c->size;
    for (uint32_t i = 0; i < 4; i++)
        set(c, n - 2 + i % 2, n - 2 + i / 2, i == 3);
    for (uint32_t from = version % 2 ? 17 : 13; from < n - 5; from += 8)
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t along = from + i / 2, across = n - 2 + i % 2;
            set(c, across, along, i % 2);
            set(c, along, across, i % 2);
        }
}

static void draw_function_patterns(struct pl_qr_canvas *c, uint32_t version)
{
    int32_t n = (int32_t)c->size;
    for (uint32_t i = 0; i < c->size; i++) {
        set(c, 6, i, i % 2 == 0);
        set(c, i, 6, i % 2 == 0);
    }
    draw_finder(c, 3, 3);
    draw_finder(c, n - 4, 3);
    draw_finder(c, 3, n - 4);
    reserve_format(c);
    if (c->model1) {
        draw_extensions(c, version);
    } else {
        draw_alignments(c, version);
        draw_version(c, version);
    }
}

// Two columns at a time from the right, up and down in turn, past what is fixed.
static void place(struct pl_qr_canvas *c, const uint8_t *codewords, uint32_t count)
{
    uint32_t at = 0, end = count * 8;
    bool up = true;
    for (uint32_t right = c->size - 1; right >= 1 && right < c->size; right -= 2) {
        if (right == 6)
            right = 5;
        for (uint32_t i = 0; i < c->size; i++) {
            uint32_t y = up ? c->size - 1 - i : i;
            for (uint32_t x = right + 1; x-- > right - 1;) {
                uint64_t bit = UINT64_C(1) << (63 - x % 64);
                if (c->fixed.rows[y][x / 64] & bit || at == end)
                    continue;
                if (codewords[at / 8] >> (7 - at % 8) & 1)
                    c->dark.rows[y][x / 64] |= bit;
                at++;
            }
        }
        up = !up;
    }
}

// Model 1: codewords are blocks of modules, their highest bit on the lower right.
struct blocks {
    struct pl_qr_canvas *canvas;
    const uint8_t *codewords;
    uint32_t at, count;
};

// The next codeword at (x, y), if nothing else is there. A smaller block holds the lower bits.
static void put_block(struct blocks *b, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
    struct pl_qr_canvas *c = b->canvas;
    for (uint32_t i = 0; i < width * height; i++) {
        uint32_t u = x + i % width, v = y + i / width;
        if (c->fixed.rows[v][u / 64] >> (63 - u % 64) & 1)
            return;
    }
    if (b->at == b->count)
        return;
    uint8_t word = b->codewords[b->at++];
    for (uint32_t i = 0; i < width * height; i++) {
        uint32_t u = x + i % width, v = y + i / width;
        c->dark.rows[v][u / 64] |= (uint64_t)(word >> i & 1) << (63 - u % 64);
    }
}

// From below: two upright columns at the right edge, lying blocks in the middle, upright columns again at the left.
static void place_blocks(struct pl_qr_canvas *c, const uint8_t *codewords, uint32_t count)
{
    struct blocks b = {c, codewords, 0, count};
    uint32_t n = c->size;
    put_block(&b, n - 2, n - 4, 2, 2);
    for (uint32_t y = n - 8; y >= 9; y -= 4)
        put_block(&b, n - 2, y, 2, 4);
    for (uint32_t y = n - 4; y >= 9; y -= 4)
        put_block(&b, n - 4, y, 2, 4);
    for (uint32_t x = n - 8; x >= 9; x -= 4) {
        for (uint32_t y = n - 2; y >= 7; y -= 2)
            put_block(&b, x, y, 4, 2);
        for (uint32_t i = 0; i < 3; i++) // above the timing pattern
            put_block(&b, x, 4 - i * 2, 4, 2);
    }
    static const uint8_t last[] = {7, 4, 2, 0};
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t y = n - 12; y >= 9; y -= 4)
            put_block(&b, last[i], y, 2, 4);
}

enum pl_errc pl_qr_draw(const uint8_t *codewords, uint32_t count, const struct pl_qr_options *options,
                        struct pl_arena *arena, struct pl_qr_symbol *symbol, struct pl_error *err)
{
    struct pl_qr_canvas *c = PL_ARENA_NEW(arena, struct pl_qr_canvas);
    if (!c)
        return pl_fail_memory(err);
    c->size = symbol->version * 4 + 17;
    c->model1 = options->model1;
    draw_function_patterns(c, symbol->version);
    if (c->model1)
        place_blocks(c, codewords, count);
    else
        place(c, codewords, count);
    if (options->mask >= 0 && options->mask < 8)
        symbol->mask = (uint32_t)options->mask;
    else
        PL_TRY(pl_qr_choose_mask(c, symbol->level, options->mask_as_printed, arena, &symbol->mask, err));
    pl_qr_draw_format(&c->dark, c->size, pl_qr_format_bits(symbol->level, symbol->mask, c->model1), false);
    pl_qr_apply_mask(c, symbol->mask);
    struct pl_bitmap *modules = &symbol->modules;
    PL_TRY(pl_bitmap_new(arena, c->size, c->size, modules, err));
    for (uint32_t y = 0; y < c->size; y++)
        memcpy(pl_bitmap_row(modules, y), c->dark.rows[y], modules->stride * sizeof(uint64_t));
    return PL_OK;
}
