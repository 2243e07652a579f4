// Serial numbers (^SN) and masks (^SF): the value of a field on the n-th label.
#include "lang/zpl/serial.h"

#include "base/ckd.h"
#include "base/fmt.h"

#define MAX_DIGITS 12

static enum pl_errc count_number(const struct zpl_serial *s, uint64_t steps, struct pl_arena *arena,
                                 struct pl_slice *data, struct pl_error *err)
{
    // The right-most run of digits, at most the last twelve of it.
    size_t end = data->len;
    while (end > 0 && !pl_is_digit(data->ptr[end - 1]))
        end--;
    size_t start = end;
    while (start > 0 && pl_is_digit(data->ptr[start - 1]) && end - start < MAX_DIGITS)
        start--;
    if (start == end)
        return PL_OK;
    uint8_t *out = pl_arena_copy(arena, data->ptr, data->len);
    if (!out)
        return pl_fail_memory(err);
    int64_t modulus = 1, value = 0;
    for (size_t i = start; i < end; i++) {
        modulus *= 10;
        value = value * 10 + (out[i] - '0');
    }
    // Below 10^12 each: the product of steps and increment is taken modulo first.
    int64_t by = s->increment % modulus;
    __extension__ __int128 moved = (__int128)by * (int64_t)(steps % (uint64_t)INT64_MAX) + value;
    value = (int64_t)(moved % modulus);
    if (value < 0)
        value += modulus;
    for (size_t i = end; i > start; i--) {
        out[i - 1] = (uint8_t)('0' + value % 10);
        value /= 10;
    }
    if (!s->zeros && (start == 0 || !pl_is_digit(out[start - 1]))) {
        for (size_t i = start; i + 1 < end && out[i] == '0'; i++)
            out[i] = ' ';
    }
    *data = pl_slice_make(out, data->len);
    return PL_OK;
}

// The digits of one place of a mask: how many there are and which the first of them is; 0: the place does not count.
static unsigned place_radix(uint8_t mask)
{
    switch (mask) {
    case 'D':
    case 'd':
        return 10;
    case 'H':
    case 'h':
        return 16;
    case 'O':
    case 'o':
        return 8;
    case 'A':
    case 'a':
        return 26;
    case 'N':
    case 'n':
        return 36;
    default:
        return 0;
    }
}

// The value of a character at a place, or -1 where it does not belong.
static int place_value(uint8_t mask, uint8_t c)
{
    int radix = (int)place_radix(mask);
    int digit = pl_is_digit(c) ? c - '0' : -1;
    int letter = (c | 32) >= 'a' && (c | 32) <= 'z' ? (c | 32) - 'a' : -1;
    switch (mask) {
    case 'A':
    case 'a':
        return letter;
    case 'H':
    case 'h':
    case 'N':
    case 'n': {
        int v = digit >= 0 ? digit : letter >= 0 ? letter + 10 : -1;
        return v < radix ? v : -1;
    }
    default:
        return digit >= 0 && digit < radix ? digit : -1;
    }
}

static uint8_t place_char(uint8_t mask, unsigned v)
{
    bool lower = mask >= 'a';
    if (mask == 'A' || mask == 'a')
        return (uint8_t)((lower ? 'a' : 'A') + v);
    if (v < 10)
        return (uint8_t)('0' + v);
    return (uint8_t)((lower ? 'a' : 'A') + v - 10);
}

static enum pl_errc count_mask(const struct zpl_serial *s, uint64_t steps, struct pl_arena *arena,
                               struct pl_slice *data, struct pl_error *err)
{
    const struct pl_slice mask = s->mask, increment = s->mask_increment;
    if (mask.len == 0 || data->len == 0 || steps == 0)
        return PL_OK;
    uint8_t *out = pl_arena_copy(arena, data->ptr, data->len);
    if (!out)
        return pl_fail_memory(err);
    size_t places = PL_MIN(mask.len, data->len);
    // Everything is aligned on the right. The steps grow with the number of labels, so carries can be large.
    uint64_t carry = 0;
    bool default_step = increment.len == 0, counted = false;
    for (size_t i = 0; i < places; i++) {
        uint8_t m = mask.ptr[mask.len - 1 - i];
        unsigned radix = place_radix(m);
        if (radix == 0)
            continue;
        uint64_t by = 0;
        if (default_step) {
            by = counted ? 0 : 1;
        } else if (i < increment.len) {
            int v = place_value(m, increment.ptr[increment.len - 1 - i]);
            by = v < 0 ? 0 : (uint64_t)v;
        }
        counted = true;
        int v = place_value(m, out[data->len - 1 - i]);
        uint64_t sum = (uint64_t)(v < 0 ? 0 : v) + by * steps + carry;
        out[data->len - 1 - i] = place_char(m, (unsigned)(sum % radix));
        carry = sum / radix;
    }
    *data = pl_slice_make(out, data->len);
    return PL_OK;
}

enum pl_errc zpl_serial_count(const struct zpl_serial *s, uint64_t steps, struct pl_arena *arena, struct pl_slice *data,
                              struct pl_error *err)
{
    if (s->has_number)
        return count_number(s, steps, arena, data, err);
    return s->has_mask ? count_mask(s, steps, arena, data, err) : PL_OK;
}
