// Double-byte character sets, by tables that the build makes (tools/charsets): the same on every machine.
#ifndef PL_LANG_DOUBLE_BYTE_H
#define PL_LANG_DOUBLE_BYTE_H

#include <stddef.h>
#include <stdint.h>

#define PL_NO_CHARACTER 0xFFFF
// Entries from here to 0xDFFF, where no character is, point into `extra`.
#define PL_EXTRA_CHARACTER 0xD800

// Sequences of four bytes in their order, by the number of the first one.
struct pl_four_run {
    uint32_t from, count, character;
};

struct pl_double_byte {
    const uint16_t *singles; // 256 entries; NULL: the building machine did not know the set
    const uint16_t *pairs;   // a row for each first byte
    uint8_t lead_low, lead_high, trail_low, trail_high;
    uint8_t triple_lead; // 0: no sequences of three bytes
    const uint16_t *triples;
    uint8_t triple_low, triple_high;     // of the second and the third byte
    const uint32_t (*extra)[2];          // a character beyond 16 bits, or two characters
    const struct pl_four_run *four_runs; // by `from`
    uint32_t four_run_count;
};

extern const struct pl_double_byte pl_gb18030, pl_cp932, pl_euc_jp, pl_cp949, pl_johab, pl_big5, pl_big5_hkscs;

// Decodes a text. Returns the characters written (at most `size`); *bad grows by the bytes that mean nothing.
// SIZE_MAX: there is no table.
size_t pl_double_byte_decode(const struct pl_double_byte *set, const uint8_t *in, size_t size, uint32_t *out,
                             size_t *bad);

#endif
