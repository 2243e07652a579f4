// Huffman code lengths by merging in place (Moffat and Katajainen's layout), cut to the limit by Kraft's sum.
#include "enc/huffman.h"

#include <assert.h>

struct leaf {
    uint32_t count;
    uint16_t symbol;
};

// By count; those of the same count stay in the order of their symbols. Byte by byte from the lowest: few counts have
// more than two.
static void sort_leaves(struct leaf *leaves, unsigned n)
{
    struct leaf room[PL_HUFFMAN_MAX_SYMBOLS];
    struct leaf *from = leaves, *to = room;
    uint32_t most = 0;
    for (unsigned i = 0; i < n; i++)
        most |= leaves[i].count;
    for (unsigned shift = 0; shift < 32 && most >> shift != 0; shift += 8) {
        uint16_t places[256] = {0};
        for (unsigned i = 0; i < n; i++)
            places[from[i].count >> shift & 0xFF]++;
        for (unsigned value = 0, place = 0; value < 256; value++) {
            unsigned count = places[value];
            places[value] = (uint16_t)place;
            place += count;
        }
        for (unsigned i = 0; i < n; i++)
            to[places[from[i].count >> shift & 0xFF]++] = from[i];
        struct leaf *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != leaves)
        memcpy(leaves, from, n * sizeof *leaves);
}

// Depths of a Huffman tree over sorted counts; `depth[i]` belongs to the i-th smallest.
static void tree_depths(const struct leaf *leaves, unsigned n, uint8_t *depth)
{
    uint64_t weight[2 * PL_HUFFMAN_MAX_SYMBOLS];
    uint16_t parent[2 * PL_HUFFMAN_MAX_SYMBOLS];
    uint16_t level[2 * PL_HUFFMAN_MAX_SYMBOLS];
    for (unsigned i = 0; i < n; i++)
        weight[i] = leaves[i].count;
    unsigned leaf = 0, node = n;
    for (unsigned next = n; next < 2 * n - 1; next++) {
        uint64_t sum = 0;
        for (int side = 0; side < 2; side++) {
            unsigned take = leaf < n && (node >= next || weight[leaf] <= weight[node]) ? leaf++ : node++;
            sum += weight[take];
            parent[take] = (uint16_t)next;
        }
        weight[next] = sum;
    }
    level[2 * n - 2] = 0;
    for (unsigned i = 2 * n - 2; i-- > 0;) {
        level[i] = (uint16_t)(level[parent[i]] + 1);
        if (i < n)
            depth[i] = (uint8_t)(level[i] > 63 ? 63 : level[i]);
    }
}

void pl_huffman_lengths(const uint32_t *counts, unsigned n, unsigned max_bits, uint8_t *lengths)
{
    struct leaf leaves[PL_HUFFMAN_MAX_SYMBOLS];
    uint8_t depth[PL_HUFFMAN_MAX_SYMBOLS];
    unsigned used = 0;
    assert(n <= PL_HUFFMAN_MAX_SYMBOLS && max_bits < 16 && n <= 1u << max_bits);
    memset(lengths, 0, n);
    for (unsigned i = 0; i < n; i++) {
        if (counts[i] != 0)
            leaves[used++] = (struct leaf){counts[i], (uint16_t)i};
    }
    if (used == 0)
        return;
    if (used == 1) {
        lengths[leaves[0].symbol] = 1;
        return;
    }
    sort_leaves(leaves, used);
    tree_depths(leaves, used, depth);
    // Cut what is too long, then lengthen the rarest codes that have room until Kraft's sum fits again.
    uint32_t kraft = 0, full = 1u << max_bits;
    for (unsigned i = 0; i < used; i++) {
        if (depth[i] > max_bits)
            depth[i] = (uint8_t)max_bits;
        kraft += full >> depth[i];
    }
    for (unsigned i = 0; kraft > full && i < used; i++) {
        while (kraft > full && depth[i] < max_bits) {
            kraft -= full >> (depth[i] + 1u);
            depth[i]++;
        }
    }
    // And shorten the most frequent ones where that leaves room.
    for (unsigned i = used; i-- > 0;) {
        while (depth[i] > 1 && kraft + (full >> depth[i]) <= full) {
            kraft += full >> depth[i];
            depth[i]--;
        }
    }
    assert(kraft <= full); // a code that can be read
    for (unsigned i = 0; i < used; i++)
        lengths[leaves[i].symbol] = depth[i];
}

void pl_huffman_codes(const uint8_t *lengths, unsigned n, uint16_t *codes)
{
    unsigned count[16] = {0};
    unsigned next[16] = {0};
    for (unsigned i = 0; i < n; i++)
        count[lengths[i]]++;
    count[0] = 0;
    for (unsigned bits = 1, code = 0; bits < 16; bits++) {
        code = (code + count[bits - 1]) << 1;
        next[bits] = code;
    }
    for (unsigned i = 0; i < n; i++) {
        unsigned code = lengths[i] ? next[lengths[i]]++ : 0;
        unsigned reversed = 0;
        for (unsigned b = 0; b < lengths[i]; b++)
            reversed |= (code >> b & 1) << (lengths[i] - 1u - b);
        codes[i] = (uint16_t)reversed;
    }
}

uint8_t *pl_bits_finish(struct pl_bit_writer *w)
{
    w->count = (w->count + 7) / 8 * 8;
    pl_bits_flush(w);
    return w->out;
}
