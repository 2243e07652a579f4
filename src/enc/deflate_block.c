// Writing a block of deflate: its Huffman codes, the header that tells them, and the tokens.
#include "enc/deflate_block.h"

#include "base/ckd.h"
#include "base/machine.h"

#define LITERALS 286u
#define DISTANCES 30u
#define END_OF_BLOCK 256u
#define LENGTH_CODES 29u
#define TOKENS PL_TOKENS(PL_DEFLATE_MAX_MATCH)
#define END 256u // a copy of no byte: the place in tables that no token has

static const uint16_t LENGTH_BASE[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                         31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
static const uint8_t LENGTH_EXTRA[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                         2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};

// The lengths of a code end before this one. 258, the longest, has a code of its own.
static uint32_t length_end(unsigned code)
{
    return code + 2 < LENGTH_CODES ? LENGTH_BASE[code + 1] : code + 1 < LENGTH_CODES ? 258 : 259;
}

static unsigned distance_code(uint32_t distance)
{
    if (distance <= 4)
        return distance - 1;
    uint32_t v = distance - 1;
    unsigned log = 31 - (unsigned)__builtin_clz(v);
    return 2 * log + ((v >> (log - 1)) & 1);
}

static const uint8_t LENGTH_ORDER[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

// Code lengths as deflate sends them: runs of zeros and repeats are shortened (symbols 16 to 18, with extra bits).
struct length_symbol {
    uint8_t symbol, extra;
};

static unsigned pack_lengths(const uint8_t *lengths, unsigned n, struct length_symbol *out)
{
    unsigned count = 0;
    for (unsigned i = 0; i < n;) {
        unsigned run = 1;
        while (i + run < n && lengths[i + run] == lengths[i])
            run++;
        if (lengths[i] == 0 && run >= 3) {
            unsigned take = PL_MIN(run, 138u);
            out[count++] = take < 11 ? (struct length_symbol){17, (uint8_t)(take - 3)}
                                     : (struct length_symbol){18, (uint8_t)(take - 11)};
            i += take;
        } else if (run >= 4) {
            unsigned take = PL_MIN(run - 1, 6u);
            out[count++] = (struct length_symbol){lengths[i], 0};
            out[count++] = (struct length_symbol){16, (uint8_t)(take - 3)};
            i += take + 1;
        } else {
            out[count++] = (struct length_symbol){lengths[i], 0};
            i++;
        }
    }
    return count;
}

static void write_header(struct pl_bit_writer *w, const uint8_t *lengths, unsigned literals, unsigned distances)
{
    struct length_symbol symbols[LITERALS + DISTANCES];
    uint32_t counts[19] = {0};
    uint8_t code_lengths[19];
    uint16_t codes[19];
    unsigned n = pack_lengths(lengths, literals + distances, symbols);
    for (unsigned i = 0; i < n; i++)
        counts[symbols[i].symbol]++;
    pl_huffman_lengths(counts, 19, 7, code_lengths);
    pl_huffman_codes(code_lengths, 19, codes);
    unsigned sent = 19;
    while (sent > 4 && code_lengths[LENGTH_ORDER[sent - 1]] == 0)
        sent--;
    pl_bits_put(w, literals - 257, 5);
    pl_bits_put(w, distances - 1, 5);
    pl_bits_put(w, sent - 4, 4);
    pl_bits_flush(w);
    for (unsigned i = 0; i < sent; i++) {
        pl_bits_put(w, code_lengths[LENGTH_ORDER[i]], 3);
        pl_bits_flush(w);
    }
    for (unsigned i = 0; i < n; i++) {
        unsigned symbol = symbols[i].symbol;
        pl_bits_put(w, codes[symbol], code_lengths[symbol]);
        if (symbol >= 16)
            pl_bits_put(w, symbols[i].extra, symbol == 16 ? 2 : symbol == 17 ? 3 : 7);
        pl_bits_flush(w);
    }
}

// What a token is written as; see pl_bits_put_tokens.
static void make_entries(const uint8_t *lengths, uint64_t row_bits, unsigned row_count, uint64_t entries[TOKENS])
{
    uint16_t codes[LITERALS];
    pl_huffman_codes(lengths, LITERALS, codes);
    for (unsigned i = 0; i < 256; i++)
        entries[i] = PL_BITS_ENTRY(codes[i], lengths[i]);
    uint64_t *run = entries + PL_TOKEN_COPY(PL_DEFLATE_MAX_MATCH, true, 0);
    uint64_t *above = entries + PL_TOKEN_COPY(PL_DEFLATE_MAX_MATCH, false, 0);
    for (unsigned code = 0; code < LENGTH_CODES; code++) {
        unsigned symbol = END_OF_BLOCK + 1 + code, length = lengths[symbol], used = length + LENGTH_EXTRA[code];
        if (length == 0)
            continue; // no token has it
        for (uint32_t k = LENGTH_BASE[code]; k < length_end(code); k++) {
            uint64_t bits = codes[symbol] | (uint64_t)(k - LENGTH_BASE[code]) << length;
            run[k] = PL_BITS_ENTRY(bits, used + 1);
            above[k] = PL_BITS_ENTRY(bits | row_bits << used, used + row_count);
        }
    }
    entries[END] = PL_BITS_ENTRY(codes[END_OF_BLOCK], lengths[END_OF_BLOCK]);
}

PL_BY_MACHINE bool pl_deflate_block(const uint16_t *tokens, size_t count, uint32_t row_distance, bool final,
                                    struct pl_bit_writer *writer, struct pl_buf *out)
{
    uint8_t lengths[LITERALS + DISTANCES] = {0};
    uint32_t token_counts[TOKENS] = {0}, counts[LITERALS];
    uint64_t entries[TOKENS];
    for (size_t i = 0; i < count; i++)
        token_counts[tokens[i]]++;
    memcpy(counts, token_counts, 256 * sizeof counts[0]);
    memset(counts + 256, 0, sizeof counts - 256 * sizeof counts[0]);
    counts[END_OF_BLOCK] = 1;
    for (unsigned code = 0; code < LENGTH_CODES; code++) {
        for (uint32_t k = LENGTH_BASE[code]; k < length_end(code); k++)
            counts[END_OF_BLOCK + 1 + code] += token_counts[PL_TOKEN_COPY(PL_DEFLATE_MAX_MATCH, true, k)] +
                                               token_counts[PL_TOKEN_COPY(PL_DEFLATE_MAX_MATCH, false, k)];
    }
    pl_huffman_lengths(counts, LITERALS, 15, lengths);

    // Two distances, so one bit tells them apart: canonical order gives 0 to the lower code, which is the byte before.
    unsigned row_code = row_distance ? distance_code(row_distance) : 1;
    unsigned row_extra = row_code < 4 ? 0 : row_code / 2 - 1;
    uint64_t row_bits = 1 | (uint64_t)((row_distance ? row_distance - 1 : 0) & ((1u << row_extra) - 1)) << 1;
    make_entries(lengths, row_bits, 1 + row_extra, entries);
    unsigned literals = LITERALS;
    while (literals > 257 && lengths[literals - 1] == 0)
        literals--;

    // 6 bytes hold the longest token (15 + 5 + 1 + 13 bits), and the header is far below 1 KiB.
    size_t held = (writer->count + 7) / 8;
    uint8_t *room = pl_buf_reserve(out, held + count * 6 + 1024);
    if (!room)
        return false;
    struct pl_bit_writer w = *writer;
    w.out = room;
    pl_bits_put(&w, final ? 5 : 4, 3); // last block or not; dynamic codes
    pl_bits_flush(&w);
    lengths[literals] = 1; // the distances' lengths follow those of the literals
    memset(lengths + literals + 1, 0, DISTANCES - 1);
    lengths[literals + row_code] = 1;
    write_header(&w, lengths, literals, row_code + 1);
    pl_bits_put_tokens(&w, tokens, count, entries);
    pl_bits_put_tokens(&w, &(const uint16_t){END}, 1, entries);
    out->len += (size_t)(w.out - room);
    *writer = w;
    return true;
}
