// The prefix codes of VP8L: making them, and telling them.
#include "enc/vp8l_codes.h"

#include "base/ckd.h"

void pl_vp8l_put_simple_code(struct pl_bit_writer *w, unsigned count, unsigned first, unsigned second)
{
    pl_vp8l_put(w, 1, 1);
    pl_vp8l_put(w, count - 1, 1);
    pl_vp8l_put(w, 1, 1); // symbols take 8 bits
    pl_vp8l_put(w, first, 8);
    if (count == 2)
        pl_vp8l_put(w, second, 8);
}

// The code lengths themselves, coded with a code of their own; runs of zeros are shortened.
static void put_normal_code(struct pl_bit_writer *w, const uint8_t *lengths, unsigned n)
{
    static const uint8_t order[19] = {17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    struct {
        uint8_t symbol, extra;
    } runs[PL_VP8L_SYMBOLS];
    unsigned run_count = 0;
    uint32_t counts[19] = {0};
    for (unsigned i = 0; i < n;) {
        unsigned zeros = 0;
        while (i + zeros < n && lengths[i + zeros] == 0 && zeros < 138)
            zeros++;
        if (zeros >= 11) {
            runs[run_count].symbol = 18;
            runs[run_count].extra = (uint8_t)(zeros - 11);
            i += zeros;
        } else if (zeros >= 3) {
            runs[run_count].symbol = 17;
            runs[run_count].extra = (uint8_t)(zeros - 3);
            i += zeros;
        } else {
            runs[run_count].symbol = lengths[i];
            runs[run_count].extra = 0;
            i++;
        }
        counts[runs[run_count++].symbol]++;
    }
    uint8_t code_lengths[19];
    uint16_t codes[19];
    pl_huffman_lengths(counts, 19, 7, code_lengths);
    pl_huffman_codes(code_lengths, 19, codes);
    unsigned last = 19;
    while (last > 4 && code_lengths[order[last - 1]] == 0)
        last--;
    // A code with a single symbol takes no bits when read.
    unsigned used = 0;
    for (unsigned i = 0; i < 19; i++)
        used += code_lengths[i] != 0;
    pl_vp8l_put(w, 0, 1);
    pl_vp8l_put(w, last - 4, 4);
    for (unsigned i = 0; i < last; i++)
        pl_vp8l_put(w, code_lengths[order[i]], 3);
    pl_vp8l_put(w, 0, 1); // lengths for the whole alphabet follow
    for (unsigned i = 0; i < run_count; i++) {
        unsigned s = runs[i].symbol;
        if (used > 1)
            pl_vp8l_put(w, codes[s], code_lengths[s]);
        if (s == 18)
            pl_vp8l_put(w, runs[i].extra, 7);
        else if (s == 17)
            pl_vp8l_put(w, runs[i].extra, 3);
    }
}

void pl_vp8l_put_code(struct pl_bit_writer *w, const uint32_t *counts, unsigned n, uint8_t *lengths, uint16_t *codes)
{
    unsigned used = 0, first = 0;
    for (unsigned i = n; i-- > 0;) {
        if (counts[i] != 0) {
            used++;
            first = i;
        }
    }
    if (used <= 1 && first < 256) {
        pl_vp8l_put_simple_code(w, 1, first, 0);
        memset(lengths, 0, n);
        memset(codes, 0, n * sizeof codes[0]);
        return;
    }
    pl_huffman_lengths(counts, n, 15, lengths);
    pl_huffman_codes(lengths, n, codes);
    put_normal_code(w, lengths, n);
}
