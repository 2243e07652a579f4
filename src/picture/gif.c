// GIF: the first picture of the file, on its screen.
#include "picture/decoders.h"

#define CODES 4096

struct gif {
    struct pl_slice file;
    size_t at;
    const uint8_t *colours; // of the palette that holds
    uint32_t colour_count;
    int transparent; // -1: none
    // The picture.
    uint32_t left, top, width, height;
    bool interlaced;
    // Bits of its data.
    uint32_t bits, bit_count;
    uint32_t block_left; // bytes of the sub-block
    // The codes.
    uint16_t prefix[CODES];
    uint8_t suffix[CODES], first[CODES];
    uint8_t stack[CODES + 1];
};

static bool has(const struct gif *g, size_t bytes)
{
    return g->file.len - g->at >= bytes;
}

static bool take_palette(struct gif *g, uint8_t flags)
{
    if (!(flags & 0x80))
        return true;
    uint32_t count = 2u << (flags & 7);
    if (!has(g, (size_t)count * 3))
        return false;
    g->colours = g->file.ptr + g->at;
    g->colour_count = count;
    g->at += (size_t)count * 3;
    return true;
}

static bool skip_blocks(struct gif *g)
{
    while (has(g, 1)) {
        size_t n = g->file.ptr[g->at++];
        if (n == 0)
            return true;
        if (!has(g, n))
            return false;
        g->at += n;
    }
    return false;
}

// Up to the first picture. False: there is none.
static bool find_picture(struct gif *g)
{
    while (has(g, 1)) {
        uint8_t kind = g->file.ptr[g->at++];
        if (kind == 0x2C) {
            if (!has(g, 10))
                return false;
            const uint8_t *p = g->file.ptr + g->at;
            g->left = pl_img_le16(p);
            g->top = pl_img_le16(p + 2);
            g->width = pl_img_le16(p + 4);
            g->height = pl_img_le16(p + 6);
            g->interlaced = p[8] & 0x40;
            g->at += 9;
            return take_palette(g, p[8]);
        }
        if (kind != 0x21 || !has(g, 2))
            return false;
        uint8_t label = g->file.ptr[g->at++];
        const uint8_t *p = g->file.ptr + g->at;
        if (label == 0xF9 && has(g, 6) && p[0] == 4)
            g->transparent = p[1] & 1 ? p[4] : -1;
        if (!skip_blocks(g))
            return false;
    }
    return false;
}

// -1: the data is over.
static int next_code(struct gif *g, uint32_t size)
{
    while (g->bit_count < size) {
        if (g->block_left == 0) {
            if (!has(g, 1) || g->file.ptr[g->at] == 0)
                return -1;
            g->block_left = g->file.ptr[g->at++];
        }
        if (!has(g, 1))
            return -1;
        g->bits |= (uint32_t)g->file.ptr[g->at++] << g->bit_count;
        g->bit_count += 8;
        g->block_left--;
    }
    int code = (int)(g->bits & ((1u << size) - 1));
    g->bits >>= size;
    g->bit_count -= size;
    return code;
}

static uint32_t row_of(const struct gif *g, uint32_t n)
{
    if (!g->interlaced)
        return n;
    static const uint8_t START[] = {0, 4, 2, 1}, STEP[] = {8, 8, 4, 2};
    for (int pass = 0; pass < 4; pass++) {
        uint32_t rows = g->height > START[pass] ? (g->height - START[pass] + STEP[pass] - 1u) / STEP[pass] : 0;
        if (n < rows)
            return START[pass] + n * STEP[pass];
        n -= rows;
    }
    return 0;
}

static void put_dot(const struct gif *g, struct pl_img_shades *out, size_t index, uint8_t colour)
{
    uint32_t x = g->left + (uint32_t)(index % g->width), y = g->top + row_of(g, (uint32_t)(index / g->width));
    if (colour == g->transparent || colour >= g->colour_count || x >= out->width || y >= out->height)
        return;
    const uint8_t *p = g->colours + (size_t)colour * 3;
    out->bytes[(size_t)y * out->width + x] = (uint8_t)pl_img_luma(p[0], p[1], p[2]);
}

static void add_code(struct gif *g, uint32_t code, int before, uint8_t last)
{
    g->prefix[code] = (uint16_t)before;
    g->suffix[code] = last;
    g->first[code] = g->first[before];
}

// The colours of a code on the stack, the last one first; *first is the first one. Returns how many.
static size_t unpack(struct gif *g, uint32_t code, uint32_t clear, uint32_t next, int before, uint8_t *first)
{
    size_t depth = 0;
    // The code that is just being made is the one before with its own first colour behind it.
    if (code == next) {
        g->stack[depth++] = g->first[before];
        code = (uint32_t)before;
    }
    *first = g->first[code];
    for (; code >= clear && depth < CODES; code = g->prefix[code])
        g->stack[depth++] = g->suffix[code];
    g->stack[depth++] = g->suffix[code];
    return depth;
}

static enum pl_errc draw(struct pl_img_env *env, struct gif *g, struct pl_img_shades *out, const char **why,
                         struct pl_error *err)
{
    uint32_t least = has(g, 1) ? g->file.ptr[g->at++] : 0;
    *why = "it is a damaged GIF";
    if (least < 2 || least > 8)
        return PL_OK;
    uint32_t clear = 1u << least, size = least + 1, next = clear + 2;
    int before = -1;
    size_t index = 0, total = (size_t)g->width * g->height;
    unsigned codes = 0;
    for (uint32_t i = 0; i < clear; i++)
        g->suffix[i] = g->first[i] = (uint8_t)i;
    while (index < total) {
        int code = next_code(g, size);
        if (++codes % 256 == 0) // each can stand for 4096 dots
            PL_TRY(pl_job_check(env->job, err));
        if (code < 0 || code == (int)clear + 1)
            break;
        if (code == (int)clear) {
            size = least + 1;
            next = clear + 2;
            before = -1;
            continue;
        }
        if ((uint32_t)code > next || (before < 0 && (uint32_t)code >= clear))
            return PL_OK;
        uint8_t first;
        size_t depth = unpack(g, (uint32_t)code, clear, next, before, &first);
        if (before >= 0 && next < CODES) {
            add_code(g, next++, before, first);
            size += next == (1u << size) && size < 12;
        }
        before = code;
        while (depth > 0 && index < total)
            put_dot(g, out, index++, g->stack[--depth]);
    }
    if (index == total)
        *why = NULL;
    else if (index > 0)
        *why = "it breaks off";
    return PL_OK;
}

enum pl_errc pl_picture_gif(struct pl_img_env *env, struct pl_slice file, struct pl_img_shades *out, const char **why,
                            struct pl_error *err)
{
    struct gif *g = PL_ARENA_NEW(env->arena, struct gif);
    if (!g)
        return pl_fail_memory(err);
    g->file = file;
    g->transparent = -1;
    g->at = 13;
    *why = "it is a damaged GIF";
    if (file.len < 13)
        return PL_OK;
    uint32_t width = pl_img_le16(file.ptr + 6), height = pl_img_le16(file.ptr + 8);
    if (!take_palette(g, file.ptr[10]) || !find_picture(g) || !g->colours || g->width == 0 || g->height == 0)
        return PL_OK;
    width = width > 0 ? width : g->left + g->width;
    height = height > 0 ? height : g->top + g->height;
    // The picture may be larger than its screen: its dots cost time even where nobody sees them.
    PL_TRY(pl_img_charge(env, (uint64_t)g->width * g->height, err));
    env->used = 0;
    PL_TRY(pl_img_shades_new(env, width, height, out, err));
    return draw(env, g, out, why, err);
}
