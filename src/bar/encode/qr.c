// QR Code: version and level, the codewords of all segments, Reed-Solomon blocks.
#include "bar/encode/qr.h"

#include "bar/encode/qr_parts.h"

#include <assert.h>

#include "bar/encode/reed_solomon.h"
#include "base/ckd.h"

// Per level and version (ISO/IEC 18004 table 9): error correction codewords of a block, and blocks.
static const uint8_t ecc_per_block[4][PL_QR_VERSIONS] = {
    {7,  10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28,
     28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30},
    {10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26,
     26, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28},
    {13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30,
     28, 30, 30, 30, 30, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30},
    {17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28,
     30, 24, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30}};
static const uint8_t blocks_of[4][PL_QR_VERSIONS] = {
    {1, 1, 1, 1,  1,  2,  2,  2,  2,  4,  4,  4,  4,  4,  6,  6,  6,  6,  7,  8,
     8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25},
    {1,  1,  1,  2,  2,  4,  4,  4,  5,  5,  5,  8,  9,  9,  10, 10, 11, 13, 14, 16,
     17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49},
    {1,  1,  2,  2,  4,  4,  6,  6,  8,  8,  8,  10, 12, 16, 12, 17, 16, 18, 21, 20,
     23, 23, 25, 27, 29, 34, 34, 35, 38, 40, 43, 45, 48, 51, 53, 56, 59, 62, 65, 68},
    {1,  1,  2,  4,  4,  4,  5,  6,  8,  8,  11, 11, 16, 16, 18, 16, 19, 21, 25, 25,
     25, 34, 30, 32, 35, 37, 40, 42, 45, 48, 51, 54, 57, 60, 63, 66, 70, 74, 77, 81}};

static uint32_t range_of(uint32_t version)
{
    return version < 10 ? 0 : version < 27 ? 1 : 2;
}

uint32_t pl_qr_blocks(uint32_t version, enum pl_qr_level level, uint32_t *ecc_words)
{
    assert(version >= 1 && version <= 40);
    *ecc_words = ecc_per_block[level][version - 1];
    return blocks_of[level][version - 1];
}

static uint32_t data_codewords(uint32_t version, enum pl_qr_level level)
{
    return pl_qr_data_modules(version) / 8 -
           (uint32_t)ecc_per_block[level][version - 1] * blocks_of[level][version - 1];
}

static uint32_t data_bits(uint32_t version, enum pl_qr_level level, bool model1)
{
    return model1 ? pl_qr_model1_data_bits(version, level) : data_codewords(version, level) * 8;
}

// Data codewords and their error correction in the order of the symbol.
static enum pl_errc interleave(const uint8_t *data, uint32_t version, enum pl_qr_level level, struct pl_arena *arena,
                               uint8_t **out, uint32_t *out_count, struct pl_error *err)
{
    uint32_t total = pl_qr_data_modules(version) / 8, blocks = blocks_of[level][version - 1];
    uint32_t degree = ecc_per_block[level][version - 1], words = total - degree * blocks;
    uint32_t short_length = words / blocks, long_blocks = words % blocks, short_blocks = blocks - long_blocks;
    uint8_t *result = PL_ARENA_ARRAY(arena, uint8_t, total);
    const struct pl_rs *rs = pl_rs_new(arena, PL_QR_FIELD, degree);
    if (!result || !rs)
        return pl_fail_memory(err);
    const uint8_t *block = data;
    for (uint32_t i = 0; i < blocks; i++) {
        uint32_t length = short_length + (i >= short_blocks);
        for (uint32_t j = 0; j < short_length; j++)
            result[j * blocks + i] = block[j];
        if (length > short_length)
            result[short_length * blocks + i - short_blocks] = block[short_length];
        pl_rs_encode_bytes(rs, block, 1, length, result + words + i, blocks);
        block += length;
    }
    *out = result;
    *out_count = total;
    return PL_OK;
}

// Segments with the automatic ones split for one range of versions.
struct plan {
    struct pl_qr_segment *parts;
    uint32_t count;
    uint32_t bits; // all segments, without what stands before them
};

static bool is_split(const struct pl_qr_segment *segment, const struct pl_qr_options *options)
{
    return segment->automatic && !(segment->declared && options->keep_modes);
}

static enum pl_errc make_plan(const struct pl_qr_segment *segments, uint32_t count, uint32_t range,
                              const struct pl_qr_options *options, struct pl_arena *arena, struct plan *out,
                              struct pl_error *err)
{
    size_t length = 0, longest = 0;
    for (uint32_t i = 0; i < count; i++) {
        length += segments[i].data.len;
        longest = PL_MAX(longest, segments[i].data.len);
    }
    out->parts = PL_ARENA_ARRAY(arena, struct pl_qr_segment, length + count + 1);
    struct pl_qr_run *runs = PL_ARENA_ARRAY(arena, struct pl_qr_run, longest + 1);
    if (!out->parts || !runs)
        return pl_fail_memory(err);
    out->count = 0;
    out->bits = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_split(&segments[i], options)) {
            out->parts[out->count++] = segments[i];
            continue;
        }
        uint32_t n = pl_qr_split(segments[i].data, range, options->split_by_bits, runs);
        for (uint32_t k = 0; k < n; k++)
            out->parts[out->count++] = (struct pl_qr_segment){
                .mode = runs[k].mode, .data = pl_slice_sub(segments[i].data, runs[k].start, runs[k].length)};
    }
    for (uint32_t i = 0; i < out->count; i++)
        out->bits += pl_qr_segment_bits(out->parts[i].mode, out->parts[i].data.len, range);
    return PL_OK;
}

static uint32_t smallest_version(uint32_t bits, uint32_t range, enum pl_qr_level level, bool model1)
{
    static const uint8_t first[] = {1, 10, 27}, last[] = {9, 26, 40};
    for (uint32_t v = first[range]; v <= last[range]; v++)
        if (data_bits(v, level, model1) >= bits)
            return v;
    return 0;
}

uint32_t pl_qr_version_for(const struct pl_qr_segment *segments, uint32_t count, enum pl_qr_level level)
{
    for (uint32_t range = 0; range < 3; range++) {
        uint32_t bits = 0;
        for (uint32_t i = 0; i < count; i++) {
            if (segments[i].data.len > PL_QR_DATA_MAX)
                return 0;
            bits += pl_qr_segment_bits(segments[i].mode, segments[i].data.len, range);
        }
        uint32_t version = smallest_version(bits, range, level, false);
        if (version)
            return version;
    }
    return 0;
}

static enum pl_errc check_segments(const struct pl_qr_segment *segments, uint32_t count,
                                   const struct pl_qr_options *options, struct pl_error *err)
{
    size_t length = 0;
    for (uint32_t i = 0; i < count; i++) {
        length += segments[i].data.len;
        if (length > PL_QR_DATA_MAX)
            return pl_fail(err, PL_E_INVALID, "the data is longer than a QR Code can hold");
        if (!is_split(&segments[i], options) && !pl_qr_mode_holds(segments[i].mode, segments[i].data))
            return pl_fail(err, PL_E_INVALID, "the data has characters that its mode does not have");
    }
    return PL_OK;
}

// What comes before the segments.
static void put_head(struct pl_qr_bits *bits, const struct pl_qr_options *options)
{
    if (options->model1)
        pl_qr_put(bits, 0, 4);
    if (options->append_count) {
        pl_qr_put(bits, 3, 4);
        pl_qr_put(bits, options->append_index - 1, 4);
        pl_qr_put(bits, options->append_count - 1, 4);
        pl_qr_put(bits, options->append_parity, 8);
    }
    if (options->eci) {
        pl_qr_put(bits, 7, 4);
        pl_qr_put(bits, options->eci < 128 ? options->eci : 0x8000 | options->eci, options->eci < 128 ? 8 : 16);
    }
}

enum pl_errc pl_qr_encode(const struct pl_qr_segment *segments, uint32_t count, const struct pl_qr_options *options,
                          struct pl_arena *arena, struct pl_qr_symbol *out, struct pl_error *err)
{
    PL_TRY(check_segments(segments, count, options, err));
    uint32_t before = (options->append_count ? 20u : 0) + (options->eci ? options->eci < 128 ? 12u : 20u : 0);
    struct plan plan = {0};
    uint32_t version = 0, range = options->version ? range_of(options->version) : 0;
    for (; range < 3 && !version; range++) {
        PL_TRY(make_plan(segments, count, range, options, arena, &plan, err));
        version = smallest_version(plan.bits + before, range, options->level, options->model1);
    }
    if (!version)
        return pl_fail(err, PL_E_INVALID, "the data does not fit into the largest QR Code at this level");
    range--;
    if (options->version > version)
        version = options->version;
    enum pl_qr_level level = options->level;
    while (!options->model1 && !options->keep_level && level < PL_QR_H &&
           data_bits(version, level + 1, false) >= plan.bits + before)
        level++;

    // Whole codewords; the first of model 1 begins with its lower half.
    uint32_t words = (data_bits(version, level, options->model1) + 7) / 8;
    struct pl_qr_bits bits = {.bytes = pl_arena_zalloc(arena, words, 1), .cap = words * 8};
    if (!bits.bytes)
        return pl_fail_memory(err);
    put_head(&bits, options);
    for (uint32_t i = 0; i < plan.count; i++)
        pl_qr_put_segment(&bits, plan.parts[i].mode, plan.parts[i].data, range);
    pl_qr_put(&bits, 0, 4);
    bits.count = (bits.count + 7) / 8 * 8;
    for (uint32_t pad = 0; bits.count < bits.cap; pad++)
        pl_qr_put(&bits, pad % 2 ? 0x11 : 0xEC, 8);

    uint8_t *codewords = NULL;
    uint32_t total = 0;
    if (options->model1)
        PL_TRY(pl_qr_model1_codewords(bits.bytes, version, level, arena, &codewords, &total, err));
    else
        PL_TRY(interleave(bits.bytes, version, level, arena, &codewords, &total, err));
    out->version = version;
    out->level = level;
    return pl_qr_draw(codewords, total, options, arena, out, err);
}
