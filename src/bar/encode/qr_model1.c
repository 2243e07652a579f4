// QR Code model 1 (ISO/IEC 18004:2000, annex M): its blocks, and its codewords in their order.
#include "bar/encode/qr_parts.h"

#include "bar/encode/reed_solomon.h"

struct blocks {
    uint8_t count, data, checks; // blocks of a symbol, data and error correction codewords of each
};

// By version and level. The standard ends with version 14; printers go on to 40 (measured), readers do not.
// clang-format off
static const struct blocks BLOCKS[PL_QR_VERSIONS][4] = {
    {{1, 19, 7}, {1, 16, 10}, {1, 13, 13}, {1, 9, 17}},
    {{1, 36, 10}, {1, 30, 16}, {1, 24, 22}, {1, 16, 30}},
    {{1, 57, 15}, {1, 44, 28}, {1, 36, 36}, {1, 24, 48}},
    {{1, 80, 20}, {1, 60, 40}, {1, 50, 50}, {1, 34, 66}},
    {{1, 108, 26}, {1, 82, 52}, {1, 68, 66}, {2, 23, 44}},
    {{1, 136, 34}, {2, 53, 32}, {2, 43, 42}, {2, 29, 56}},
    {{1, 170, 42}, {2, 66, 40}, {2, 54, 52}, {3, 24, 46}},
    {{2, 104, 24}, {2, 80, 48}, {2, 64, 64}, {3, 29, 56}},
    {{2, 123, 30}, {2, 93, 60}, {3, 52, 50}, {3, 34, 68}},
    {{2, 145, 34}, {2, 111, 68}, {3, 61, 58}, {4, 31, 58}},
    {{2, 168, 40}, {4, 64, 40}, {4, 52, 52}, {5, 29, 54}},
    {{2, 192, 46}, {4, 73, 46}, {4, 61, 58}, {5, 33, 62}},
    {{3, 144, 36}, {4, 83, 52}, {4, 69, 66}, {6, 32, 58}},
    {{3, 163, 40}, {4, 92, 60}, {5, 62, 60}, {6, 35, 66}},
    {{3, 184, 44}, {4, 103, 68}, {6, 58, 56}, {7, 33, 64}},
    {{3, 203, 50}, {5, 92, 60}, {6, 64, 62}, {8, 33, 62}},
    {{4, 168, 42}, {5, 102, 66}, {7, 60, 60}, {9, 33, 60}},
    {{4, 185, 46}, {6, 94, 60}, {8, 59, 56}, {10, 32, 60}},
    {{4, 204, 50}, {6, 103, 66}, {10, 51, 50}, {11, 32, 60}},
    {{5, 177, 44}, {7, 96, 62}, {11, 50, 50}, {12, 32, 60}},
    {{5, 193, 48}, {7, 104, 68}, {12, 50, 50}, {12, 34, 66}},
    {{6, 175, 42}, {8, 99, 64}, {13, 50, 50}, {13, 34, 66}},
    {{6, 189, 46}, {9, 96, 60}, {13, 54, 54}, {15, 32, 62}},
    {{6, 203, 50}, {10, 92, 60}, {15, 51, 50}, {15, 35, 66}},
    {{7, 187, 46}, {10, 99, 64}, {16, 52, 50}, {16, 34, 68}},
    {{7, 200, 50}, {11, 99, 60}, {18, 49, 48}, {18, 33, 64}},
    {{8, 188, 46}, {11, 102, 68}, {18, 52, 52}, {18, 36, 68}},
    {{8, 201, 48}, {12, 102, 64}, {19, 53, 52}, {21, 33, 62}},
    {{9, 190, 46}, {13, 99, 64}, {20, 54, 52}, {21, 35, 66}},
    {{9, 200, 50}, {14, 97, 64}, {23, 50, 48}, {23, 34, 64}},
    {{10, 193, 46}, {14, 103, 68}, {23, 52, 52}, {23, 36, 68}},
    {{10, 203, 50}, {16, 98, 60}, {23, 56, 54}, {32, 27, 52}},
    {{12, 179, 44}, {18, 93, 56}, {25, 55, 52}, {26, 35, 68}},
    {{14, 162, 40}, {18, 97, 60}, {28, 51, 50}, {28, 35, 66}},
    {{12, 200, 48}, {19, 97, 60}, {31, 48, 48}, {31, 32, 64}},
    {{13, 193, 48}, {20, 97, 60}, {32, 50, 48}, {32, 34, 64}},
    {{13, 204, 50}, {21, 97, 60}, {33, 50, 50}, {33, 34, 66}},
    {{14, 199, 48}, {21, 101, 64}, {33, 53, 52}, {35, 33, 66}},
    {{15, 194, 48}, {23, 98, 60}, {36, 51, 50}, {36, 35, 66}},
    {{16, 192, 46}, {25, 92, 60}, {38, 50, 50}, {38, 34, 66}},
};
// clang-format on

uint32_t pl_qr_model1_blocks(uint32_t version, enum pl_qr_level level, uint32_t *ecc_words)
{
    *ecc_words = BLOCKS[version - 1][level].checks;
    return BLOCKS[version - 1][level].count;
}

uint32_t pl_qr_model1_data_bits(uint32_t version, enum pl_qr_level level)
{
    const struct blocks *b = &BLOCKS[version - 1][level];
    // The first codeword has four bits: the other half of its place is the symbol's corner.
    return (uint32_t)b->count * b->data * 8 - 4;
}

// Places for codewords: edges are shared with the extension patterns.
static uint32_t places(uint32_t version)
{
    return 2 * version * version + 16 * version + 8 - version / 2 * 2;
}

// Blocks are not interleaved: all data, then the error correction of one block after the other.
enum pl_errc pl_qr_model1_codewords(const uint8_t *data, uint32_t version, enum pl_qr_level level,
                                    struct pl_arena *arena, uint8_t **out, uint32_t *out_count, struct pl_error *err)
{
    const struct blocks *b = &BLOCKS[version - 1][level];
    uint32_t total = places(version), words = (uint32_t)b->count * b->data, at = words;
    uint8_t *result = PL_ARENA_ARRAY(arena, uint8_t, total);
    const struct pl_rs *rs = pl_rs_new(arena, PL_QR_FIELD, b->checks);
    if (!result || !rs)
        return pl_fail_memory(err);
    memcpy(result, data, words);
    for (uint32_t i = 0; i < b->count; i++, at += b->checks)
        pl_rs_encode_bytes(rs, data + i * b->data, 1, b->data, result + at, 1);
    for (uint32_t pad = 0; at < total; pad++)
        result[at++] = pad % 2 ? 0x11 : 0xEC;
    *out = result;
    *out_count = total;
    return PL_OK;
}
