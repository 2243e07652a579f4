// Check digits that several symbologies share.
#include "bar/encode/checkdigit.h"

char pl_check_mod10(struct pl_slice digits)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < digits.len; i++)
        sum += (uint32_t)(digits.ptr[digits.len - 1 - i] - '0') * (i % 2 ? 1 : 3);
    return (char)('0' + (10 - sum % 10) % 10);
}

static const char code39_order[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%";

char pl_check_mod43(struct pl_slice text)
{
    size_t sum = 0;
    for (size_t i = 0; i < text.len; i++) {
        const char *at = text.ptr[i] ? strchr(code39_order, text.ptr[i]) : NULL;
        sum += at ? (size_t)(at - code39_order) : 0;
    }
    return code39_order[sum % 43];
}

char pl_check_code11(struct pl_slice text, uint32_t top)
{
    uint32_t sum = 0, weight = 1;
    for (size_t i = text.len; i-- > 0;) {
        uint32_t value = text.ptr[i] == '-' ? 10 : (uint32_t)(text.ptr[i] - '0');
        sum = (sum + value * weight) % 11;
        weight = weight == top ? 1 : weight + 1;
    }
    return sum == 10 ? '-' : (char)('0' + sum);
}

uint32_t pl_check_msi_mod10(struct pl_slice digits)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < digits.len; i++) {
        uint32_t value = (uint32_t)(digits.ptr[digits.len - 1 - i] - '0');
        if (i % 2 == 0)
            value = value * 2 / 10 + value * 2 % 10;
        sum += value;
    }
    return (10 - sum % 10) % 10;
}

uint32_t pl_check_msi_mod11(struct pl_slice digits)
{
    uint32_t sum = 0, weight = 2;
    for (size_t i = digits.len; i-- > 0;) {
        sum = (sum + (uint32_t)(digits.ptr[i] - '0') * weight) % 11;
        weight = weight == 7 ? 2 : weight + 1;
    }
    return (11 - sum) % 11;
}

void pl_check_plessey(struct pl_slice text, char out[2])
{
    // The shift register holds the remainder lowest bit first, in the order in which the bars follow.
    uint32_t crc = 0;
    for (size_t i = 0; i < text.len; i++) {
        uint8_t c = text.ptr[i];
        uint32_t value = c <= '9' ? (uint32_t)(c - '0') : (uint32_t)(c - 'A' + 10);
        for (int bit = 0; bit < 4; bit++) {
            uint32_t in = (value >> bit ^ crc >> 7) & 1;
            crc = crc << 1 & 0xFF;
            if (in)
                crc ^= 0xE9;
        }
    }
    static const char hex[] = "0123456789ABCDEF";
    uint32_t first = 0, second = 0; // bit 7 is printed first, and is the lowest of its digit
    for (int bit = 0; bit < 4; bit++) {
        first |= (crc >> (7 - bit) & 1) << bit;
        second |= (crc >> (3 - bit) & 1) << bit;
    }
    out[0] = hex[first];
    out[1] = hex[second];
}

static const char code93_order[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%abcd";

static uint32_t code93_value(uint8_t c)
{
    const char *at = c ? strchr(code93_order, c) : NULL;
    return at ? (uint32_t)(at - code93_order) : 0;
}

void pl_check_code93(struct pl_slice symbols, char out[2])
{
    for (uint32_t check = 0; check < 2; check++) {
        uint32_t top = check ? 15 : 20, sum = 0, weight = 1;
        if (check) { // covers the first one too
            sum = code93_value((uint8_t)out[0]);
            weight = 2;
        }
        for (size_t i = symbols.len; i-- > 0;) {
            sum = (sum + code93_value(symbols.ptr[i]) * weight) % 47;
            weight = weight == top ? 1 : weight + 1;
        }
        out[check] = code93_order[sum];
    }
}
