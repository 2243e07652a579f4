// Reads a QR Code from its modules: everything is checked, nothing corrected.
#include <string.h>

#include "bar/encode/qr.h"
#include "decode.h"

struct reader {
    const struct pl_bitmap *modules;
    uint32_t size, version, mask;
    bool model1;
    enum pl_qr_level level;
    bool fixed[PL_QR_SIZE_MAX][PL_QR_SIZE_MAX];
};

static bool dark(const struct reader *r, uint32_t x, uint32_t y)
{
    return pl_bitmap_get(r->modules, x, y);
}

static bool check_square(struct reader *r, int32_t cx, int32_t cy, int32_t reach, const char *rings)
{
    for (int32_t y = cy - reach; y <= cy + reach; y++)
        for (int32_t x = cx - reach; x <= cx + reach; x++) {
            if (x < 0 || y < 0 || x >= (int32_t)r->size || y >= (int32_t)r->size)
                continue;
            int32_t dx = x < cx ? cx - x : x - cx, dy = y < cy ? cy - y : y - cy, ring = dx > dy ? dx : dy;
            r->fixed[y][x] = true;
            if (dark(r, (uint32_t)x, (uint32_t)y) != (rings[ring] == '1'))
                return false;
        }
    return true;
}

// Centres of the alignment patterns (annex E), from the distances between them.
static uint32_t alignments(uint32_t version, uint32_t at[7])
{
    if (version == 1)
        return 0;
    uint32_t n = version / 7 + 2, last = version * 4 + 10;
    static const uint8_t step_of[41] = {0,  0,  12, 16, 20, 24, 28, 16, 18, 20, 22, 24, 26, 28,
                                        20, 22, 24, 24, 26, 28, 28, 22, 24, 24, 26, 26, 28, 28,
                                        24, 24, 26, 26, 26, 28, 28, 24, 26, 26, 26, 28, 28};
    at[0] = 6;
    for (uint32_t i = n - 1; i > 0; i--)
        at[i] = last - (n - 1 - i) * step_of[version];
    return n;
}

static bool check_functions(struct reader *r)
{
    int32_t n = (int32_t)r->size;
    for (uint32_t i = 8; i + 8 < r->size; i++) {
        r->fixed[6][i] = r->fixed[i][6] = true;
        if (dark(r, i, 6) != (i % 2 == 0) || dark(r, 6, i) != (i % 2 == 0))
            return false;
    }
    if (!check_square(r, 3, 3, 4, "11010") || !check_square(r, n - 4, 3, 4, "11010") ||
        !check_square(r, 3, n - 4, 4, "11010"))
        return false;
    uint32_t at[7], count = r->model1 ? 0 : alignments(r->version, at);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < count; j++) {
            if ((i == 0 && j == 0) || (i == 0 && j == count - 1) || (i == count - 1 && j == 0))
                continue;
            if (!check_square(r, (int32_t)at[i], (int32_t)at[j], 2, "101"))
                return false;
        }
    for (uint32_t i = 0; i < 9; i++)
        r->fixed[8][i] = r->fixed[i][8] = true;
    for (uint32_t i = 0; i < 8; i++)
        r->fixed[8][r->size - 1 - i] = r->fixed[r->size - 1 - i][8] = true;
    if (r->version >= 7 && !r->model1)
        for (uint32_t i = 0; i < 18; i++)
            r->fixed[i / 3][r->size - 11 + i % 3] = r->fixed[r->size - 11 + i % 3][i / 3] = true;
    return dark(r, 8, r->size - 8);
}

// Remainder of a word by a generator: 0 for a whole codeword.
static uint32_t remainder_of(uint32_t word, uint32_t bits, uint32_t generator, uint32_t degree)
{
    for (uint32_t i = bits; i-- > degree;)
        if (word >> i & 1)
            word ^= generator << (i - degree);
    return word;
}

static bool read_format(struct reader *r)
{
    uint32_t first = 0, second = 0, n = r->size;
    for (uint32_t i = 0; i < 15; i++) {
        uint32_t y = i < 6 ? i : i < 8 ? i + 1 : i == 8 ? 8 : 8, x = i < 8 ? 8 : i == 8 ? 7 : 14 - i;
        first |= (uint32_t)dark(r, x, y) << i;
        second |= (uint32_t)(i < 8 ? dark(r, n - 1 - i, 8) : dark(r, 8, n - 15 + i)) << i;
    }
    uint32_t plain = first ^ (r->model1 ? 0x2825 : 0x5412);
    if (first != second || remainder_of(plain, 15, 0x537, 10) != 0)
        return false;
    static const enum pl_qr_level levels[] = {PL_QR_M, PL_QR_L, PL_QR_H, PL_QR_Q};
    r->level = levels[plain >> 13];
    r->mask = (plain >> 10) & 7;
    if (r->version < 7 || r->model1)
        return true;
    uint32_t a = 0, b = 0;
    for (uint32_t i = 0; i < 18; i++) {
        a |= (uint32_t)dark(r, n - 11 + i % 3, i / 3) << i;
        b |= (uint32_t)dark(r, i / 3, n - 11 + i % 3) << i;
    }
    return a == b && a >> 12 == r->version && remainder_of(a, 18, 0x1F25, 12) == 0;
}

static bool masked(uint32_t mask, uint32_t i, uint32_t j) // row, column
{
    switch (mask) {
    case 0:
        return (i + j) % 2 == 0;
    case 1:
        return i % 2 == 0;
    case 2:
        return j % 3 == 0;
    case 3:
        return (i + j) % 3 == 0;
    case 4:
        return (i / 2 + j / 3) % 2 == 0;
    case 5:
        return i * j % 2 + i * j % 3 == 0;
    case 6:
        return (i * j % 2 + i * j % 3) % 2 == 0;
    default:
        return ((i + j) % 2 + i * j % 3) % 2 == 0;
    }
}

static uint32_t read_codewords(const struct reader *r, uint8_t *words)
{
    uint32_t bits = 0;
    for (int32_t right = (int32_t)r->size - 1, column = 0; right > 0; right -= 2, column++) {
        if (right == 6)
            right--;
        for (uint32_t i = 0; i < r->size; i++) {
            uint32_t y = column % 2 ? i : r->size - 1 - i;
            for (uint32_t k = 0; k < 2; k++) {
                uint32_t x = (uint32_t)right - k;
                if (r->fixed[y][x])
                    continue;
                if (bits % 8 == 0)
                    words[bits / 8] = 0;
                words[bits / 8] |= (uint8_t)((dark(r, x, y) != masked(r->mask, y, x)) << (7 - bits % 8));
                bits++;
            }
        }
    }
    return bits;
}

static uint8_t times(uint32_t a, uint32_t b)
{
    uint32_t product = 0;
    for (; b; b >>= 1, a = a << 1 ^ (a & 0x80 ? 0x11D : 0))
        product ^= b & 1 ? a : 0;
    return (uint8_t)product;
}

// All syndromes of a block are zero.
static bool is_codeword(const uint8_t *block, uint32_t length, uint32_t ecc)
{
    uint8_t root = 1;
    for (uint32_t i = 0; i < ecc; i++, root = times(root, 2)) {
        uint8_t value = 0;
        for (uint32_t k = 0; k < length; k++)
            value = (uint8_t)(times(value, root) ^ block[k]);
        if (value)
            return false;
    }
    return true;
}

struct bits {
    const uint8_t *bytes;
    uint32_t at, count;
    bool short_of;
};

static uint32_t take(struct bits *b, uint32_t n)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < n; i++, b->at++) {
        b->short_of |= b->at >= b->count;
        value = value << 1 | (b->at < b->count ? b->bytes[b->at / 8] >> (7 - b->at % 8) & 1 : 0);
    }
    return value;
}

static void put(struct decoded *out, uint32_t c)
{
    if (out->count < out->cap)
        out->chars[out->count++] = (uint16_t)c;
}

static bool read_segment(struct bits *b, uint32_t mode, uint32_t range, struct decoded *out)
{
    static const char order[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
    static const uint8_t lengths[9][3] = {[1] = {10, 12, 14}, [2] = {9, 11, 13}, [4] = {8, 16, 16}, [8] = {8, 10, 12}};
    uint32_t n = take(b, lengths[mode][range]);
    for (; n && !b->short_of;) {
        if (mode == 1) {
            uint32_t k = n < 3 ? n : 3, value = take(b, k == 3 ? 10 : k == 2 ? 7 : 4);
            if (value >= (k == 3 ? 1000u : k == 2 ? 100u : 10u))
                return false;
            for (uint32_t unit = k == 3 ? 100 : k == 2 ? 10 : 1; unit; unit /= 10)
                put(out, '0' + value / unit % 10);
            n -= k;
        } else if (mode == 2) {
            uint32_t k = n < 2 ? n : 2, value = take(b, k == 2 ? 11 : 6);
            if (value >= (k == 2 ? 45u * 45u : 45u))
                return false;
            if (k == 2)
                put(out, (uint8_t)order[value / 45]);
            put(out, (uint8_t)order[value % 45]);
            n -= k;
        } else if (mode == 4) {
            put(out, take(b, 8));
            n--;
        } else {
            uint32_t value = take(b, 13), code = value / 0xC0 << 8 | value % 0xC0;
            code += code < 0x1F00 ? 0x8140 : 0xC140;
            put(out, code >> 8);
            put(out, code & 0xFF);
            n--;
        }
    }
    return !b->short_of;
}

static bool read_stream(struct bits *b, uint32_t version, struct decoded *out)
{
    uint32_t range = version < 10 ? 0 : version < 27 ? 1 : 2;
    while (b->count - b->at >= 4) {
        uint32_t mode = take(b, 4);
        if (mode == 0)
            break;
        if (mode == 3) {
            take(b, 16); // structured append: number, total, parity
        } else if (mode == 7) {
            take(b, take(b, 1) ? 15 : 7); // ECI of one or two bytes
        } else if (mode == 1 || mode == 2 || mode == 4 || mode == 8) {
            if (!read_segment(b, mode, range, out))
                return false;
        } else {
            return false;
        }
    }
    while (b->at % 8 && b->at < b->count)
        if (take(b, 1))
            return false;
    for (uint32_t i = 0; b->at < b->count; i++)
        if (take(b, 8) != (i % 2 ? 0x11u : 0xECu))
            return false;
    return !b->short_of;
}

static _Thread_local struct reader reader;
static _Thread_local uint8_t words[4000], data[4000], block[256];

// The reader with its version, level and mask read, or NULL.
static struct reader *open_symbol(const struct pl_bitmap *modules, bool model1, struct decoded *out, uint32_t *mask)
{
    struct reader *r = &reader;
    memset(r, 0, sizeof *r);
    out->count = 0;
    r->modules = modules;
    r->model1 = model1;
    r->size = modules->width;
    if (modules->height != r->size || r->size < 21 || r->size > 177 || r->size % 4 != 1)
        return NULL;
    r->version = (r->size - 17) / 4;
    if (!check_functions(r) || !read_format(r))
        return NULL;
    *mask = r->mask;
    return r;
}

// A codeword of model 1: its lowest bit on the upper left, its highest on the lower right of (x, y).
static uint8_t read_block(const struct reader *r, uint32_t x, uint32_t y, uint32_t width)
{
    uint8_t word = 0;
    for (uint32_t b = 0; b < 8; b++) {
        uint32_t u = x - b % width, v = y - b / width;
        word = (uint8_t)(word << 1 | (dark(r, u, v) != masked(r->mask, v, u)));
    }
    return word;
}

// A light and a dark line of four modules, the dark one on the symbol's edge.
static bool is_extension(const struct reader *r, uint32_t x, uint32_t y, bool upright)
{
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t outer = r->size - 1;
        bool good = upright ? dark(r, outer, y - i) && !dark(r, outer - 1, y - i)
                            : dark(r, x - i, outer) && !dark(r, x - i, outer - 1);
        if (!good)
            return false;
    }
    return true;
}

// Columns of codewords from the right, each from below; (x, y) is the lower right module of a place.
static bool read_model1_codewords(const struct reader *r, uint32_t *count)
{
    uint32_t n = r->size, upright = (n - 8) / 4;
    *count = 0;
    for (uint32_t i = 0; i < upright; i++) {
        if (i > 0 && i % 2 == 0 && i + 1 < upright) {
            if (!is_extension(r, 0, n - 1 - i * 4, true))
                return false;
            continue;
        }
        words[(*count)++] = read_block(r, n - 1, n - 1 - i * 4, 2);
    }
    for (uint32_t i = 0; i < upright; i++)
        words[(*count)++] = read_block(r, n - 3, n - 1 - i * 4, 2);
    uint32_t lying = (n - 17) / 4 + 1; // columns between the finders and one beside the right one
    for (uint32_t j = 0; j < lying; j++) {
        uint32_t x = n - 5 - j * 4;
        for (uint32_t i = 0; i < (n - 7) / 2; i++) {
            if (i == 0 && j % 2 == 1 && j + 1 < lying) {
                if (!is_extension(r, x, 0, false))
                    return false;
                continue;
            }
            if (j > 0 || i < (n - 9) / 2) // the finder's frame
                words[(*count)++] = read_block(r, x, n - 1 - i * 2, 4);
        }
        for (uint32_t i = 0; j > 0 && i < 3; i++)
            words[(*count)++] = read_block(r, x, 5 - i * 2, 4);
    }
    static const uint8_t left[] = {8, 5, 3, 1};
    for (uint32_t k = 0; k < 4; k++)
        for (uint32_t y = n - 9; y > 8; y -= 4)
            words[(*count)++] = read_block(r, left[k], y, 2);
    bool corner = dark(r, n - 1, n - 1) && !dark(r, n - 2, n - 1) && !dark(r, n - 1, n - 2) && !dark(r, n - 2, n - 2);
    words[0] &= 0x0F;
    return corner;
}

bool decode_qr_model1(const struct pl_bitmap *modules, uint32_t blocks, uint32_t checks, struct decoded *out,
                      uint32_t *mask)
{
    struct reader *r = open_symbol(modules, true, out, mask);
    uint32_t total;
    if (!r || !read_model1_codewords(r, &total))
        return false;
    uint32_t length = total / blocks - checks, count = length * blocks;
    for (uint32_t i = 0; i < blocks; i++) {
        memcpy(block, words + i * length, length);
        memcpy(block + length, words + count + i * checks, checks);
        if (!is_codeword(block, length + checks, checks))
            return false;
    }
    for (uint32_t i = count + blocks * checks, pad = 0; i < total; i++, pad++)
        if (words[i] != (pad % 2 ? 0x11 : 0xEC))
            return false;
    struct bits bits = {words, 4, count * 8, false};
    return read_stream(&bits, r->version, out);
}

bool decode_qr(const struct pl_bitmap *modules, struct decoded *out, uint32_t *mask)
{
    struct reader *r = open_symbol(modules, false, out, mask);
    if (!r)
        return false;
    uint32_t total = read_codewords(r, words) / 8, ecc, blocks = pl_qr_blocks(r->version, r->level, &ecc), n = 0;
    uint32_t count = total - ecc * blocks, small = count / blocks, large = count % blocks;
    for (uint32_t i = 0; i < blocks; i++) {
        bool longer = i >= blocks - large;
        uint32_t length = small + longer;
        for (uint32_t k = 0; k < small; k++)
            block[k] = words[k * blocks + i];
        if (longer)
            block[small] = words[small * blocks + i - (blocks - large)];
        memcpy(data + n, block, length);
        n += length;
        for (uint32_t k = 0; k < ecc; k++)
            block[length + k] = words[count + k * blocks + i];
        if (!is_codeword(block, length + ecc, ecc))
            return false;
    }
    struct bits bits = {data, 0, count * 8, false};
    return read_stream(&bits, r->version, out);
}
