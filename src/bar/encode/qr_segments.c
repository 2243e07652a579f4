// QR Code: segments. Automatic ones are split as the reference or as printers do; their length and their bits.
#include "bar/encode/qr_parts.h"

static const uint8_t mode_indicator[] = {1, 2, 4, 8};
// Bits of a segment's length, by versions 1-9, 10-26, 27-40.
static const uint8_t count_bits[4][3] = {{10, 12, 14}, {9, 11, 13}, {8, 16, 16}, {8, 10, 12}};

// Value in the alphanumeric mode, or -1.
static int alnum_value(uint8_t c)
{
    static const char order[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
    const char *at = c ? strchr(order, c) : NULL;
    return at ? (int)(at - order) : -1;
}

static enum pl_qr_mode mode_of(uint8_t c)
{
    return pl_is_digit(c) ? PL_QR_NUMERIC : alnum_value(c) >= 0 ? PL_QR_ALNUM : PL_QR_BYTE;
}

static uint32_t payload_bits(enum pl_qr_mode mode, size_t length)
{
    uint32_t n = (uint32_t)length;
    switch (mode) {
    case PL_QR_NUMERIC:
        return n / 3 * 10 + (n % 3 == 2 ? 7 : n % 3 == 1 ? 4 : 0);
    case PL_QR_ALNUM:
        return n / 2 * 11 + (n % 2 ? 6 : 0);
    case PL_QR_BYTE:
        return n * 8;
    default:
        return n / 2 * 13;
    }
}

uint32_t pl_qr_segment_bits(enum pl_qr_mode mode, size_t length, uint32_t range)
{
    return 4u + count_bits[mode][range] + payload_bits(mode, length);
}

static uint32_t bits_of(const struct pl_qr_run *run, uint32_t range)
{
    return pl_qr_segment_bits(run->mode, run->length, range);
}

// Two neighbours in the mode that holds both: modes are in the order of what they hold.
static struct pl_qr_run joined(const struct pl_qr_run *a, const struct pl_qr_run *b)
{
    return (struct pl_qr_run){a->mode > b->mode ? a->mode : b->mode, a->start, a->length + b->length};
}

static bool saves(const struct pl_qr_run *a, const struct pl_qr_run *b, uint32_t range)
{
    struct pl_qr_run both = joined(a, b);
    return bits_of(&both, range) < bits_of(a, range) + bits_of(b, range);
}

// As printers join them, from left to right and never going back. Returns how many are left.
static uint32_t join_by_bits(struct pl_qr_run *runs, uint32_t count, uint32_t range)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct pl_qr_run next = runs[i];
        struct pl_qr_run *last = kept ? &runs[kept - 1] : NULL;
        // Bytes swallow a shorter mode only after it had its chance to join the one behind it.
        if (last && last->mode == PL_QR_BYTE && next.mode != PL_QR_BYTE && i + 1 < count &&
            runs[i + 1].mode != PL_QR_BYTE && saves(&next, &runs[i + 1], range))
            next = joined(&next, &runs[++i]);
        if (last && (last->mode == next.mode || saves(last, &next, range))) {
            *last = joined(last, &next);
            continue;
        }
        // Two equal ones may swallow what lies between them.
        if (last && i + 1 < count && runs[i + 1].mode == last->mode && last->mode > next.mode) {
            struct pl_qr_run two = joined(last, &next), three = joined(&two, &runs[i + 1]);
            if (bits_of(&three, range) < bits_of(last, range) + bits_of(&next, range) + bits_of(&runs[i + 1], range)) {
                *last = three;
                i++;
                continue;
            }
        }
        runs[kept++] = next;
    }
    return kept;
}

// Whether run y beside run x gives up its own mode for x's: a switch costs more than it saves. `back`: the run behind y
// is like x again, so that two switches are saved.
static bool joins(const struct pl_qr_run *x, const struct pl_qr_run *y, bool back, uint32_t range)
{
    static const uint8_t alnum_in_byte[2][3] = {{4, 5, 6}, {7, 11, 12}};
    static const uint8_t digits_in_byte[2][3] = {{3, 3, 4}, {4, 7, 7}};
    static const uint8_t digits_in_alnum[2][3] = {{6, 9, 9}, {9, 12, 15}};
    if (x->mode == PL_QR_BYTE && y->mode == PL_QR_ALNUM)
        return y->length < alnum_in_byte[back][range];
    if (x->mode == PL_QR_BYTE && y->mode == PL_QR_NUMERIC)
        return y->length < digits_in_byte[back][range];
    if (x->mode == PL_QR_ALNUM && y->mode == PL_QR_NUMERIC)
        return y->length < digits_in_alnum[back][range];
    return false;
}

static uint32_t merge_equal(struct pl_qr_run *runs, uint32_t n)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (kept && runs[kept - 1].mode == runs[i].mode)
            runs[kept - 1].length += runs[i].length;
        else
            runs[kept++] = runs[i];
    }
    return kept;
}

uint32_t pl_qr_split(struct pl_slice data, uint32_t range, bool by_bits, struct pl_qr_run *runs)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < data.len; i++) {
        enum pl_qr_mode mode = mode_of(data.ptr[i]);
        if (n && runs[n - 1].mode == mode)
            runs[n - 1].length++;
        else
            runs[n++] = (struct pl_qr_run){mode, i, 1};
    }
    if (by_bits)
        return join_by_bits(runs, n, range);
    for (uint32_t i = 0; i + 1 < n; i++)
        if (joins(&runs[i], &runs[i + 1], i + 2 < n && runs[i + 2].mode == runs[i].mode, range))
            runs[i + 1].mode = runs[i].mode;
    for (uint32_t i = n; i-- > 1;)
        if (joins(&runs[i], &runs[i - 1], i >= 2 && runs[i - 2].mode == runs[i].mode, range))
            runs[i - 1].mode = runs[i].mode;
    return merge_equal(runs, n);
}

bool pl_qr_mode_holds(enum pl_qr_mode mode, struct pl_slice data)
{
    if (mode == PL_QR_KANJI) {
        if (data.len % 2)
            return false;
        for (size_t i = 0; i < data.len; i += 2) {
            uint32_t c = (uint32_t)data.ptr[i] << 8 | data.ptr[i + 1], low = c & 0xFF;
            bool lead = (c >= 0x8140 && c <= 0x9FFC) || (c >= 0xE040 && c <= 0xEBBF);
            if (!lead || low < 0x40 || low > 0xFC || low == 0x7F)
                return false;
        }
        return true;
    }
    for (size_t i = 0; i < data.len; i++)
        if (mode_of(data.ptr[i]) > mode)
            return false;
    return true;
}

void pl_qr_put_segment(struct pl_qr_bits *b, enum pl_qr_mode mode, struct pl_slice data, uint32_t range)
{
    pl_qr_put(b, mode_indicator[mode], 4);
    pl_qr_put(b, (uint32_t)(mode == PL_QR_KANJI ? data.len / 2 : data.len), count_bits[mode][range]);
    const uint8_t *p = data.ptr;
    size_t n = data.len;
    switch (mode) {
    case PL_QR_NUMERIC:
        for (; n >= 3; n -= 3, p += 3)
            pl_qr_put(b, (uint32_t)(p[0] - '0') * 100 + (uint32_t)(p[1] - '0') * 10 + (uint32_t)(p[2] - '0'), 10);
        if (n == 2)
            pl_qr_put(b, (uint32_t)(p[0] - '0') * 10 + (uint32_t)(p[1] - '0'), 7);
        else if (n == 1)
            pl_qr_put(b, (uint32_t)(p[0] - '0'), 4);
        break;
    case PL_QR_ALNUM:
        for (; n >= 2; n -= 2, p += 2)
            pl_qr_put(b, (uint32_t)(alnum_value(p[0]) * 45 + alnum_value(p[1])), 11);
        if (n)
            pl_qr_put(b, (uint32_t)alnum_value(p[0]), 6);
        break;
    case PL_QR_BYTE:
        for (; n; n--, p++)
            pl_qr_put(b, *p, 8);
        break;
    case PL_QR_KANJI:
        for (; n >= 2; n -= 2, p += 2) {
            uint32_t c = (uint32_t)p[0] << 8 | p[1];
            c -= c <= 0x9FFC ? 0x8140 : 0xC140;
            pl_qr_put(b, (c >> 8) * 0xC0 + (c & 0xFF), 13);
        }
        break;
    }
}
