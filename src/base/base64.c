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

static int value_of(uint8_t c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

size_t pl_base64_decode(struct pl_slice in, uint8_t *out, size_t *used)
{
    size_t i = 0, n = 0;
    uint32_t bits = 0;
    unsigned count = 0; // sextets in `bits`
    for (; i < in.len; i++) {
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
