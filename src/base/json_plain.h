// Bytes of JSON strings that stand for themselves.
#ifndef PL_BASE_JSON_PLAIN_H
#define PL_BASE_JSON_PLAIN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline bool pl_json_plain(uint8_t c)
{
    return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
}

// Eight of them. False may also be said of some that are.
static inline bool pl_json_plain8(const uint8_t *at)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), high = UINT64_C(0x8080808080808080);
    uint64_t w;
    memcpy(&w, at, sizeof w);
    uint64_t quote = w ^ (ones * '"'), slash = w ^ (ones * '\\');
    uint64_t odd = (w - ones * 0x20) | (w + ones) | (quote - ones) | (slash - ones) | w;
    return (odd & high) == 0;
}

#endif
