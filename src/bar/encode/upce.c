// UPC-E (ISO/IEC 15420): digits without the zeros that its last digit tells, and modules.
#include "bar/encode/upce.h"

#include <string.h>

bool pl_upce_shorten(const uint8_t ten[10], uint8_t six[6])
{
    const uint8_t *m = ten, *p = ten + 5;
    if (m[3] == '0' && m[4] == '0' && m[2] <= '2' && p[0] == '0' && p[1] == '0') {
        uint8_t out[6] = {m[0], m[1], p[2], p[3], p[4], m[2]};
        memcpy(six, out, 6);
    } else if (m[3] == '0' && m[4] == '0' && p[0] == '0' && p[1] == '0' && p[2] == '0') {
        uint8_t out[6] = {m[0], m[1], m[2], p[3], p[4], '3'};
        memcpy(six, out, 6);
    } else if (m[4] == '0' && memcmp(p, "0000", 4) == 0) {
        uint8_t out[6] = {m[0], m[1], m[2], m[3], p[4], '4'};
        memcpy(six, out, 6);
    } else if (memcmp(p, "0000", 4) == 0 && p[4] >= '5') {
        uint8_t out[6] = {m[0], m[1], m[2], m[3], m[4], p[4]};
        memcpy(six, out, 6);
    } else {
        return false;
    }
    return true;
}

void pl_upce_expand(const uint8_t seven[7], uint8_t eleven[11])
{
    const uint8_t *d = seven + 1;
    memset(eleven, '0', 11);
    eleven[0] = seven[0];
    memcpy(eleven + 1, d, 5);
    if (d[5] <= '2') {
        eleven[3] = d[5];
        eleven[4] = eleven[5] = '0';
        memcpy(eleven + 8, d + 2, 3);
    } else if (d[5] == '3') {
        eleven[4] = eleven[5] = '0';
        memcpy(eleven + 9, d + 3, 2);
    } else if (d[5] == '4') {
        eleven[5] = '0';
        eleven[10] = d[4];
    } else {
        eleven[10] = d[5];
    }
}

// UPC-E by hand: libzint refuses numbers that have a shorter way to be compressed, which printers print all the same.
enum pl_errc pl_upce_modules(const uint8_t digits[8], struct pl_arena *arena, struct pl_bitmap *modules,
                             struct pl_error *err)
{
    static const uint8_t odd[10] = {0x0D, 0x19, 0x13, 0x3D, 0x23, 0x31, 0x2F, 0x3B, 0x37, 0x0B};
    static const uint8_t even[10] = {0x27, 0x33, 0x1B, 0x21, 0x1D, 0x39, 0x05, 0x11, 0x09, 0x17};
    // Which digits are even, by check digit, for number system 0; the first digit in the highest bit.
    static const uint8_t parity[10] = {0x38, 0x34, 0x32, 0x31, 0x2C, 0x26, 0x23, 0x2A, 0x29, 0x25};
    uint64_t bits = 5; // guard 101
    uint32_t evens = parity[digits[7] - '0'] ^ (digits[0] == '1' ? 0x3F : 0);
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t digit = (uint32_t)(digits[i + 1] - '0');
        bits = bits << 7 | (evens >> (5 - i) & 1 ? even[digit] : odd[digit]);
    }
    bits = bits << 6 | 0x15; // 010101
    PL_TRY(pl_bitmap_new(arena, 51, 1, modules, err));
    modules->words[0] = bits << 13;
    return PL_OK;
}
