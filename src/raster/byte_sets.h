// Sets of 64 bytes: a bit for each, the first byte's is the top one.
#ifndef PL_RASTER_BYTE_SETS_H
#define PL_RASTER_BYTE_SETS_H

#include "raster/bits.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

// Which bytes of a word are not 0: a bit for each.
static inline uint64_t pl_word_marks(uint64_t word)
{
    const uint64_t low = UINT64_C(0x7F7F7F7F7F7F7F7F);
    uint64_t marks = (((word & low) + low) | word) & ~low;
    return (marks >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

// The functions below by words, for machines without an instruction that gathers the top bits of bytes.
static inline uint64_t pl_bytes_differ_by_words(const uint8_t *a, const uint8_t *b)
{
    uint64_t set = 0;
    for (unsigned i = 0; i < 64; i += 8)
        set = set << 8 | pl_word_marks(pl_load_be64(a + i) ^ pl_load_be64(b + i));
    return set;
}

static inline uint64_t pl_bytes_repeat_by_words(const uint8_t *bytes, uint8_t before)
{
    uint64_t set = 0;
    for (unsigned i = 0; i < 64; i += 8) {
        uint64_t word = pl_load_be64(bytes + i);
        set = set << 8 | pl_word_marks(word ^ (word >> 8 | (uint64_t)before << 56));
        before = (uint8_t)word;
    }
    return ~set;
}

// `limit` is at most 127.
static inline uint64_t pl_bytes_above_by_words(const uint8_t *bytes, uint8_t limit)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), low = 127 * ones;
    uint64_t set = 0;
    for (unsigned i = 0; i < 64; i += 8) {
        uint64_t word = pl_load_be64(bytes + i);
        uint64_t above = (((word & low) + ones * (127u - limit)) | word) & ~low;
        set = set << 8 | ((above >> 7) * UINT64_C(0x0102040810204080) >> 56);
    }
    return set;
}

// Which of 64 bytes are not the same in both.
static inline uint64_t pl_bytes_differ(const uint8_t *a, const uint8_t *b)
{
#ifdef __SSE2__
    uint64_t same = 0;
    for (unsigned i = 0; i < 4; i++) {
        __m128i x = _mm_loadu_si128((const __m128i *)a + i), y = _mm_loadu_si128((const __m128i *)b + i);
        same |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(x, y)) << (16 * i);
    }
    return same == UINT64_MAX ? 0 : ~pl_reverse_bits64(same);
#else
    return pl_bytes_differ_by_words(a, b);
#endif
}

// Which of 64 bytes are as the byte before them; `before` stands before the first.
static inline uint64_t pl_bytes_repeat(const uint8_t *bytes, uint8_t before)
{
#ifdef __SSE2__
    uint64_t same = 0;
    __m128i carried = _mm_cvtsi32_si128(before);
    for (unsigned i = 0; i < 4; i++) {
        __m128i x = _mm_loadu_si128((const __m128i *)bytes + i);
        __m128i moved = _mm_or_si128(_mm_slli_si128(x, 1), carried);
        same |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(x, moved)) << (16 * i);
        carried = _mm_srli_si128(x, 15);
    }
    return pl_reverse_bits64(same);
#else
    return pl_bytes_repeat_by_words(bytes, before);
#endif
}

// Which of 64 bytes are larger than `limit`, which is at most 127.
static inline uint64_t pl_bytes_above(const uint8_t *bytes, uint8_t limit)
{
#ifdef __SSE2__
    uint64_t above = 0;
    const __m128i least = _mm_set1_epi8((char)(limit + 1));
    for (unsigned i = 0; i < 4; i++) {
        __m128i x = _mm_loadu_si128((const __m128i *)bytes + i);
        above |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(x, least), x)) << (16 * i);
    }
    return pl_reverse_bits64(above);
#else
    return pl_bytes_above_by_words(bytes, limit);
#endif
}

#endif
