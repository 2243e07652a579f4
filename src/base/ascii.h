// Classes of ASCII characters, which no locale changes.
#ifndef PL_BASE_ASCII_H
#define PL_BASE_ASCII_H

#include <stdbool.h>
#include <stdint.h>

static inline bool pl_is_digit(uint32_t c)
{
    return c >= '0' && c <= '9';
}

static inline bool pl_is_upper(uint32_t c)
{
    return c >= 'A' && c <= 'Z';
}

static inline bool pl_is_lower(uint32_t c)
{
    return c >= 'a' && c <= 'z';
}

static inline bool pl_is_letter(uint32_t c)
{
    return pl_is_upper(c) || pl_is_lower(c);
}

static inline uint8_t pl_upper(uint8_t c)
{
    return pl_is_lower(c) ? (uint8_t)(c - 32) : c;
}

static inline uint8_t pl_lower(uint8_t c)
{
    return pl_is_upper(c) ? (uint8_t)(c + 32) : c;
}

// Between the commands of label languages: blanks, line ends, and the NUL bytes with which drivers pad.
static inline bool pl_is_gap(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == 0;
}

#endif
