// Base64 after RFC 4648.
#include "base/base64.h"

static const char ALPHABET[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

size_t pl_base64_encode(struct pl_slice in, char *out)
{
    size_t i = 0, n = 0;
    for (; in.len - i >= 3; i += 3) {
        uint32_t v = (uint32_t)in.ptr[i] << 16 | (uint32_t)in.ptr[i + 1] << 8 | in.ptr[i + 2];
        out[n++] = ALPHABET[v >> 18];
        out[n++] = ALPHABET[v >> 12 & 63];
        out[n++] = ALPHABET[v >> 6 & 63];
        out[n++] = ALPHABET[v & 63];
    }
    if (in.len - i == 1) {
        uint32_t v = (uint32_t)in.ptr[i] << 16;
        out[n++] = ALPHABET[v >> 18];
        out[n++] = ALPHABET[v >> 12 & 63];
        out[n++] = '=';
        out[n++] = '=';
    } else if (in.len - i == 2) {
        uint32_t v = (uint32_t)in.ptr[i] << 16 | (uint32_t)in.ptr[i + 1] << 8;
        out[n++] = ALPHABET[v >> 18];
        out[n++] = ALPHABET[v >> 12 & 63];
        out[n++] = ALPHABET[v >> 6 & 63];
        out[n++] = '=';
    }
    return n;
}

// Value of each character from the space on, plus one; 0 for those that do not belong.
static const uint8_t VALUES[256 - 32] = {
    0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  63, 0,  0,  0,  64, 53, 54, 55, 56, 57, 58, 59, 60,
    61, 62, 0,  0,  0,  0,  0,  0,  0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 0,  0,  0,  0,  0,  0,  27, 28, 29, 30, 31, 32, 33,
    34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 0,  0,  0,  0,  0,
};

static int value_of(uint8_t c)
{
    return c < 32 ? -1 : VALUES[c - 32] - 1;
}

size_t pl_base64_decode(struct pl_slice in, uint8_t *out, size_t *used)
{
    size_t i = 0, n = 0;
    uint32_t bits = 0;
    unsigned count = 0; // sextets in `bits`
    for (; i < in.len; i++) {
        // Four good characters at once, the bulk of it.
        while (count == 0 && in.len - i >= 4) {
            int a = value_of(in.ptr[i]), b = value_of(in.ptr[i + 1]), c = value_of(in.ptr[i + 2]),
                d = value_of(in.ptr[i + 3]);
            if ((a | b | c | d) < 0)
                break;
            uint32_t four = (uint32_t)a << 18 | (uint32_t)b << 12 | (uint32_t)c << 6 | (uint32_t)d;
            out[n++] = (uint8_t)(four >> 16);
            out[n++] = (uint8_t)(four >> 8);
            out[n++] = (uint8_t)four;
            i += 4;
        }
        if (i == in.len)
            break;
        uint8_t c = in.ptr[i];
        if (c == ' ' || (c >= '\t' && c <= '\r'))
            continue;
        int v = value_of(c);
        if (v < 0)
            break;
        bits = bits << 6 | (uint32_t)v;
        if (++count == 4) {
            out[n++] = (uint8_t)(bits >> 16);
            out[n++] = (uint8_t)(bits >> 8);
            out[n++] = (uint8_t)bits;
            bits = 0;
            count = 0;
        }
    }
    if (count == 2) {
        out[n++] = (uint8_t)(bits >> 4);
    } else if (count == 3) {
        out[n++] = (uint8_t)(bits >> 10);
        out[n++] = (uint8_t)(bits >> 2);
    }
    // Padding belongs to what was read.
    while (i < in.len && (in.ptr[i] == '=' || in.ptr[i] == ' ' || (in.ptr[i] >= '\t' && in.ptr[i] <= '\r')))
        i++;
    if (used)
        *used = i;
    return n;
}
