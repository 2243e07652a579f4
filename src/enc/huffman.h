// Length-limited Huffman codes and a bit writer, least significant bit first: shared by deflate and VP8L.
#ifndef PL_ENC_HUFFMAN_H
#define PL_ENC_HUFFMAN_H

#include <stdint.h>
#include <string.h>

#define PL_HUFFMAN_MAX_SYMBOLS 288

// Code lengths for `n` symbols with the given counts; 0 for symbols that do not occur. No length is above `max_bits`
// (at most 15). A single symbol gets length 1.
void pl_huffman_lengths(const uint32_t *counts, unsigned n, unsigned max_bits, uint8_t *lengths);
// Canonical codes of those lengths, already bit-reversed for writing least significant bit first.
void pl_huffman_codes(const uint8_t *lengths, unsigned n, uint16_t *codes);

// Bits are gathered in a word and written eight bytes at a time: `out` must have room for 8 bytes more than the stream.
struct pl_bit_writer {
    uint8_t *out;
    uint64_t bits;
    unsigned count; // bits held, below 8 after pl_bits_flush
};

static inline void pl_bits_flush(struct pl_bit_writer *w)
{
    uint64_t little = w->bits;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    little = __builtin_bswap64(little);
#endif
    memcpy(w->out, &little, sizeof little);
    w->out += w->count / 8;
    w->bits >>= w->count / 8 * 8;
    w->count %= 8;
}

// `count` at most 56; the bits above are 0. Holds at most 7 + 56 bits between flushes: flush after each put or every
// few.
static inline void pl_bits_put(struct pl_bit_writer *w, uint64_t value, unsigned count)
{
    w->bits |= value << w->count;
    w->count += count;
}

// Bits to be written for a token, at most 48, and their number.
#define PL_BITS_ENTRY(bits, count) ((uint64_t)(bits) << 8 | (count))

// Tokens by a table of entries.
static inline void pl_bits_put_tokens(struct pl_bit_writer *writer, const uint16_t *tokens, size_t n,
                                      const uint64_t *entries)
{
    struct pl_bit_writer w = *writer;
    const uint16_t *end = tokens + n;
    while (tokens < end) {
        uint64_t entry = entries[*tokens++], bits = entry >> 8;
        unsigned count = (unsigned)entry & 0xFF;
        if (tokens < end) { // mostly there is room for two
            entry = entries[*tokens];
            unsigned both = count + ((unsigned)entry & 0xFF);
            if (both <= 56) {
                bits |= entry >> 8 << count;
                count = both;
                tokens++;
            }
        }
        pl_bits_put(&w, bits, count);
        pl_bits_flush(&w);
    }
    *writer = w;
}

// The last bits, padded with zeros to a whole byte. Returns the end of the stream.
uint8_t *pl_bits_finish(struct pl_bit_writer *w);

#endif
