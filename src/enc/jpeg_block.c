// Blocks of 8 x 8 dots to bits: the tables, the transform, the codes, and the bytes they are put into.
#include "enc/jpeg_block.h"

#include "base/ckd.h"
#include "base/machine.h"
#include "enc/jpeg_codes.h"

// cos(i * pi / 16) / 2 for i from 0 to 7: the orthonormal transform needs no other numbers.
static const int32_t COSINES[8] = {16384, 16069, 15137, 13623, 11585, 9102, 6270, 3196};

// Basis function u at place x.
static int32_t basis(unsigned u, unsigned x)
{
    if (u == 0)
        return COSINES[4];                 // 1 / sqrt(8)
    unsigned angle = (2 * x + 1) * u % 32; // in sixteenths of pi
    if (angle > 16)
        angle = 32 - angle;
    return angle == 8 ? 0 : angle < 8 ? COSINES[angle] : -COSINES[16 - angle];
}

// The example table for luminance of T.81, annex K, by rows.
static const uint8_t LUMINANCE[64] = {16, 11, 10, 16, 24,  40,  51,  61,  12, 12, 14, 19, 26,  58,  60,  55,
                                      14, 13, 16, 24, 40,  57,  69,  56,  14, 17, 22, 29, 51,  87,  80,  62,
                                      18, 22, 37, 56, 68,  109, 103, 77,  24, 35, 55, 64, 81,  104, 113, 92,
                                      49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99};

// ---- bits

static void make_room(struct pl_jpeg *j)
{
    if (j->end - j->at >= PL_JPEG_ROOM)
        return;
    if (!j->out->failed)
        j->out->len = (size_t)(j->at - j->out->data);
    uint8_t *room = pl_buf_reserve(j->out, PL_JPEG_ROOM);
    j->at = room ? room : j->waste;
    j->end = room ? j->out->data + j->out->cap : j->waste + sizeof j->waste;
}

static void put_byte(struct pl_jpeg *j, uint8_t byte)
{
    *j->at++ = byte;
    if (byte == 0xFF) // not to be taken for a marker
        *j->at++ = 0;
}

// At most 32 bits; those above are 0.
static inline void put(struct pl_jpeg *j, uint32_t value, unsigned count)
{
    j->bits = j->bits << count | value;
    j->held += count;
    if (j->held < 32)
        return;
    j->held -= 32;
    uint32_t word = (uint32_t)(j->bits >> j->held);
    // Has any byte all bits set?
    if ((word & ~(word + 0x01010101u) & 0x80808080u) == 0) {
        uint8_t bytes[4] = {(uint8_t)(word >> 24), (uint8_t)(word >> 16), (uint8_t)(word >> 8), (uint8_t)word};
        memcpy(j->at, bytes, 4);
        j->at += 4;
        return;
    }
    for (int shift = 24; shift >= 0; shift -= 8)
        put_byte(j, (uint8_t)(word >> shift));
}

static void put_code(struct pl_jpeg *j, struct pl_jpeg_code code)
{
    put(j, code.bits, code.length);
}

void pl_jpeg_finish_bits(struct pl_jpeg *j)
{
    make_room(j);
    if (j->held % 8)
        put(j, (1u << (8 - j->held % 8)) - 1, 8 - j->held % 8);
    for (; j->held > 0; j->held -= 8)
        put_byte(j, (uint8_t)(j->bits >> (j->held - 8)));
    if (!j->out->failed)
        j->out->len = (size_t)(j->at - j->out->data);
}

// The size class of a coefficient, and its low bits: negative ones count from the bottom of their class.
static inline unsigned size_of(int32_t value)
{
    uint32_t magnitude = (uint32_t)(value < 0 ? -value : value);
    return magnitude ? 32 - (unsigned)__builtin_clz(magnitude) : 0;
}

static inline uint32_t low_bits(int32_t value, unsigned size)
{
    return (uint32_t)(value < 0 ? value - 1 : value) & ((1u << size) - 1);
}

PL_BY_MACHINE static void put_dc(struct pl_jpeg *j, int32_t dc)
{
    int32_t difference = dc - j->dc;
    unsigned size = size_of(difference);
    put_code(j, j->dc_codes[size]);
    put(j, low_bits(difference, size), size);
    j->dc = dc;
}

PL_BY_MACHINE void pl_jpeg_put_block(struct pl_jpeg *j, const struct pl_jpeg_block *block)
{
    make_room(j);
    put_dc(j, block->dc);
    uint32_t left = block->length;
    const uint64_t *word = block->words;
    for (; left >= 64; left -= 64, word++) {
        put(j, (uint32_t)(*word >> 32), 32);
        put(j, (uint32_t)*word, 32);
    }
    if (left >= 32)
        put(j, (uint32_t)(*word >> 32), 32);
    if (left % 32)
        put(j, (uint32_t)(*word >> (left >= 32 ? 0 : 32)) >> (32 - left % 32), left % 32);
}

PL_BY_MACHINE void pl_jpeg_put_flat(struct pl_jpeg *j, int32_t dc, uint32_t count)
{
    make_room(j);
    put_dc(j, dc);
    put_code(j, j->ac_codes[PL_JPEG_END_OF_BLOCK]);
    while (--count > 0) {
        make_room(j);
        put_code(j, j->again);
    }
}

// ---- blocks

// Eight numbers at once, by whatever the machine has for that.
typedef int32_t eight_numbers __attribute__((vector_size(32)));

PL_BY_MACHINE void pl_jpeg_transform(const struct pl_jpeg *j, const int32_t *const rows[8], int32_t out[64])
{
    eight_numbers sums[4], differences[4];
    for (unsigned y = 0; y < 4; y++) {
        eight_numbers upper, lower;
        memcpy(&upper, rows[y], sizeof upper);
        memcpy(&lower, rows[7 - y], sizeof lower);
        sums[y] = upper + lower;
        differences[y] = upper - lower;
    }
    // Even functions are the same from both ends, odd ones are opposite.
    for (unsigned u = 0; u < 8; u++) {
        const int32_t *factors = j->cosines[u];
        const eight_numbers *of = u % 2 ? differences : sums;
        eight_numbers sum = factors[0] * of[0] + factors[1] * of[1] + factors[2] * of[2] + factors[3] * of[3];
        memcpy(out + (size_t)u * 8, &sum, sizeof sum);
    }
}

// Bits gathered in words, the first one most significant.
struct word_writer {
    uint64_t *word;
    uint64_t bits; // what goes to *word when it is full
    unsigned room; // bits free in it, never 0
};

static inline void append(struct word_writer *w, uint32_t value, unsigned count)
{
    if (count < w->room) {
        w->room -= count;
        w->bits |= (uint64_t)value << w->room;
        return;
    }
    unsigned rest = count - w->room;
    *w->word++ = w->bits | (uint64_t)value >> rest;
    w->bits = rest ? (uint64_t)value << (64 - rest) : 0;
    w->room = 64 - rest;
}

static inline void append_level(const struct pl_jpeg *j, struct word_writer *w, unsigned zeros, int32_t level)
{
    for (; zeros >= 16; zeros -= 16)
        append(w, j->ac_codes[PL_JPEG_SIXTEEN_ZEROS].bits, j->ac_codes[PL_JPEG_SIXTEEN_ZEROS].length);
    struct pl_jpeg_code code;
    if ((uint32_t)(level + PL_JPEG_SMALL) < 2 * PL_JPEG_SMALL) {
        code = j->small[zeros][level + PL_JPEG_SMALL];
    } else {
        unsigned size = size_of(level);
        code = j->ac_codes[zeros << 4 | size];
        code.bits = code.bits << size | low_bits(level, size);
        code.length += size;
    }
    append(w, code.bits, code.length);
}

PL_BY_MACHINE void pl_jpeg_code_block(const struct pl_jpeg *j, const int32_t coefficients[64],
                                      struct pl_jpeg_block *block)
{
    int32_t levels[64];
    uint8_t flags[64];
    for (unsigned i = 0; i < 64; i++) {
        uint32_t magnitude = (uint32_t)(coefficients[i] < 0 ? -coefficients[i] : coefficients[i]);
        uint32_t level = (uint32_t)((uint64_t)((magnitude + j->halves[i]) >> 8) * j->inverses[i] >> 32);
        levels[i] = coefficients[i] < 0 ? -(int32_t)level : (int32_t)level;
        flags[i] = level != 0;
    }
    struct word_writer w = {block->words, 0, 64};
    block->dc = levels[0];
    uint64_t some = 0; // a bit for each level that is not 0, in their order
    for (unsigned y = 0; y < 8; y++) {
        uint64_t row;
        memcpy(&row, flags + y * 8, 8);
        // Gathers the lowest bits of the bytes in the topmost byte.
        some |= j->places[y][row * UINT64_C(0x0102040810204080) >> 56];
    }
    unsigned last = 0;
    for (some &= ~UINT64_C(1); some; some &= some - 1) {
        unsigned k = (unsigned)__builtin_ctzll(some);
        append_level(j, &w, k - last - 1, levels[j->order[k]]);
        last = k;
    }
    if (last < 63)
        append(&w, j->ac_codes[PL_JPEG_END_OF_BLOCK].bits, j->ac_codes[PL_JPEG_END_OF_BLOCK].length);
    *w.word = w.bits;
    block->length = (uint32_t)(w.word - block->words) * 64 + 64 - w.room;
}

int32_t pl_jpeg_flat_dc(const struct pl_jpeg *j, int32_t shade)
{
    int32_t step = j->steps[0], sum = (shade - PL_JPEG_MIDDLE) * 8;
    return (sum < 0 ? sum - step / 2 : sum + step / 2) / step;
}

// ---- tables

static void make_codes(const struct pl_jpeg_table *table, struct pl_jpeg_code *codes)
{
    uint32_t next = 0, at = 0;
    for (uint32_t length = 1; length <= 16; length++, next <<= 1) {
        for (unsigned i = 0; i < table->counts[length - 1]; i++)
            codes[table->symbols[at++]] = (struct pl_jpeg_code){next++, length};
    }
}

// The order from low frequencies to high ones: along the diagonals, up and down by turns.
static void make_zigzag(uint8_t zigzag[64])
{
    unsigned k = 0;
    for (unsigned sum = 0; sum < 15; sum++) {
        for (unsigned i = sum < 8 ? 0 : sum - 7; i <= PL_MIN(sum, 7u); i++) {
            unsigned row = sum % 2 ? i : sum - i;
            zigzag[k++] = (uint8_t)(row * 8 + sum - row);
        }
    }
}

static void make_places(struct pl_jpeg *j)
{
    uint8_t k_of[64];
    for (unsigned k = 0; k < 64; k++)
        k_of[j->order[k]] = (uint8_t)k;
    for (unsigned y = 0; y < 8; y++) {
        for (unsigned x = 0; x < 8; x++) {
            // Which bit of the gathered byte this flag becomes, on machines of either byte order.
            uint8_t flags[8] = {0};
            uint64_t row;
            flags[x] = 1;
            memcpy(&row, flags, 8);
            j->places[y][row * UINT64_C(0x0102040810204080) >> 56] = UINT64_C(1) << k_of[y * 8 + x];
        }
        for (unsigned bits = 1; bits < 256; bits++)
            j->places[y][bits] = j->places[y][bits & (bits - 1)] | j->places[y][bits & -bits];
    }
}

void pl_jpeg_make_tables(struct pl_jpeg *j, unsigned quality, bool turned)
{
    // The scale of qualities that all encoders share: 50 is the example table as it is.
    unsigned percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
    make_zigzag(j->zigzag);
    for (unsigned i = 0; i < 64; i++) {
        unsigned turn = i % 8 * 8 + i / 8, place = turned ? turn : i;
        uint32_t step = PL_MIN(PL_MAX((LUMINANCE[i] * percent + 50) / 100, 1u), 255u);
        j->steps[i] = (uint8_t)step;
        // A little more than half: black and white are cut off at both ends when the picture is decoded, so that too
        // much contrast costs less than too little.
        j->halves[place] = step * 17 << (PL_JPEG_SCALE_BITS + PL_JPEG_ROW_BITS - 5);
        j->inverses[place] = ((1u << 20) + step - 1) / step;
        j->order[i] = (uint8_t)(turned ? j->zigzag[i] % 8 * 8 + j->zigzag[i] / 8 : j->zigzag[i]);
        j->cosines[i / 8][i % 8] = basis(i / 8, i % 8);
    }
    make_places(j);
    make_codes(&pl_jpeg_dc, j->dc_codes);
    make_codes(&pl_jpeg_ac, j->ac_codes);
    for (unsigned zeros = 0; zeros < 16; zeros++) {
        for (int32_t level = -PL_JPEG_SMALL; level < PL_JPEG_SMALL; level++) {
            unsigned size = size_of(level);
            struct pl_jpeg_code code = j->ac_codes[zeros << 4 | size];
            j->small[zeros][level + PL_JPEG_SMALL] =
                (struct pl_jpeg_code){code.bits << size | low_bits(level, size), code.length + size};
        }
    }
    struct pl_jpeg_code same = j->dc_codes[0], end = j->ac_codes[PL_JPEG_END_OF_BLOCK];
    j->again = (struct pl_jpeg_code){same.bits << end.length | end.bits, same.length + end.length};
}
