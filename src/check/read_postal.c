// Postal codes: bars of one width at one pitch, whose heights tell. POSTNET, PLANET (both DMM 708), Intelligent Mail
// (USPS-B-3200).
#include "base/ckd.h"
#include "check/readers.h"
#include "raster/bits.h"

enum { MAX_BARS = 256, IMB_BARS = 65 };

// Two and a half modules, in whole dots of the print head: where ^JM doubles them, half of an odd module was lost
// before.
static uint32_t pitch_of(uint32_t width, uint32_t module)
{
    uint32_t pitch = module * 5 / 2, doubled = module % 2 ? pitch : module / 2 * 5 / 2 * 2;
    return pitch > module && doubled > module && width > module && (width - module) % pitch &&
                   (width - module) % doubled == 0
               ? doubled
               : pitch;
}

// Bars of a block: bit 0 above the middle, bit 1 below it. All have ink at row `shared`. 0: not bars at a pitch.
static uint32_t take_bars(const struct pl_bitmap *crop, uint32_t module, uint32_t shared, uint8_t *bars)
{
    uint32_t pitch = pitch_of(crop->width, module), count = 0, h = crop->height;
    if (pitch <= module || h < 3)
        return 0;
    for (uint32_t x = 0; x + module <= crop->width; x += pitch) {
        uint32_t at = x + module / 2, gap = x + module + (pitch - module) / 2;
        if (count == MAX_BARS || !pl_bitmap_get(crop, at, shared))
            return 0;
        for (uint32_t y = 0; gap < crop->width && y<h; y += h> 8 ? h / 8 : 1)
            if (pl_bitmap_get(crop, gap, y))
                return 0;
        bars[count++] = (uint8_t)(pl_bitmap_get(crop, at, h / 6) | pl_bitmap_get(crop, at, h - 1 - h / 6) << 1);
    }
    return count;
}

// Five bars a digit, two of them tall (PLANET: short), between two tall ones; the digits sum up to a multiple of ten.
static bool read_digits(const struct pl_bitmap *crop, uint32_t module, bool planet, struct pl_read_text *out)
{
    static const uint8_t digits[10] = {24, 3, 5, 6, 9, 10, 12, 17, 18, 20};
    uint8_t bars[MAX_BARS];
    // Short bars are two fifths of the height, truncated.
    uint32_t shared = crop->height - PL_MAX(crop->height * 3 / 10, 1);
    uint32_t count = take_bars(crop, module, shared, bars), sum = 0;
    if (count < 12 || (count - 2) % 5 != 0 || bars[0] != 3 || bars[count - 1] != 3)
        return false;
    for (uint32_t at = 1; at + 1 < count; at += 5) {
        uint32_t bits = 0, digit = 0;
        for (uint32_t i = 0; i < 5; i++) {
            if (!(bars[at + i] & 2))
                return false;
            bits = bits << 1 | (bars[at + i] & 1u);
        }
        bits = planet ? bits ^ 31 : bits;
        while (digit < 10 && digits[digit] != bits)
            digit++;
        if (digit == 10)
            return false;
        sum += digit;
        pl_read_put(out, '0' + digit);
    }
    if (sum % 10 != 0 || out->length == 0)
        return false;
    out->length--; // the check digit
    return true;
}

bool pl_read_postnet(const struct pl_bitmap *crop, uint32_t module, struct pl_read_text *out)
{
    return read_digits(crop, module, false, out);
}

bool pl_read_planet(const struct pl_bitmap *crop, uint32_t module, struct pl_read_text *out)
{
    return read_digits(crop, module, true, out);
}

// 102 bits and room, the lowest word first.
struct number {
    uint32_t words[4];
};

static void multiply_add(struct number *n, uint32_t factor, uint32_t more)
{
    uint64_t carry = more;
    for (int i = 0; i < 4; i++) {
        carry += (uint64_t)n->words[i] * factor;
        n->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static uint32_t divide(struct number *n, uint32_t by)
{
    uint64_t rest = 0;
    for (int i = 3; i >= 0; i--) {
        rest = rest << 32 | n->words[i];
        n->words[i] = (uint32_t)(rest / by);
        rest %= by;
    }
    return (uint32_t)rest;
}

static uint32_t reverse13(uint32_t v)
{
    uint32_t out = 0;
    for (int i = 0; i < 13; i++)
        out |= (v >> i & 1) << (12 - i);
    return out;
}

// The place of a 13-bit pattern among those with as many bits: pairs with their mirror image from the front, those that
// are their own from the back.
static uint32_t place_among(uint32_t wanted, uint32_t bits, uint32_t size)
{
    uint32_t low = 0, high = size - 1;
    for (uint32_t v = 0; v < 8192; v++) {
        if (pl_count_bits64(v) != bits)
            continue;
        uint32_t back = reverse13(v);
        if (back < v)
            continue;
        if (v == back) {
            if (v == wanted)
                return high;
            high--;
            continue;
        }
        if (v == wanted || back == wanted)
            return low + (v != wanted);
        low += 2;
    }
    return size;
}

// USPS-B-3200, step 5: checks 102 bits.
static uint32_t crc11(const struct number *n)
{
    uint32_t fcs = 0x7FF;
    for (int bit = 101; bit >= 0; bit--) {
        uint32_t in = n->words[bit / 32] >> (bit % 32) & 1;
        fcs = ((fcs >> 10 & 1) ^ in) ? (fcs << 1 ^ 0xF35) : fcs << 1;
        fcs &= 0x7FF;
    }
    return fcs;
}

// The ten characters as words, and the frame check sequence, of which each inverted character has a bit.
static bool imb_words(const uint8_t bars[IMB_BARS], uint32_t words[10], uint32_t *fcs)
{
    // Bit k of character c is bar[13 * c + k]: 1 to 65 below, 66 to 130 above the middle (USPS-B-3200, table 22).
    static const uint8_t bar[130] = {
        67,  6,  78,  16, 86,  95,  34,  40,  45,  113, 117, 121, 62,  87,  18, 104, 41, 76,  57,  119, 115, 72,
        97,  2,  127, 26, 105, 35,  122, 52,  114, 7,   24,  82,  68,  63,  94, 44,  77, 112, 70,  100, 39,  30,
        107, 15, 125, 85, 10,  65,  54,  88,  20,  106, 46,  66,  8,   116, 29, 61,  99, 80,  90,  37,  123, 51,
        25,  84, 129, 56, 4,   109, 96,  28,  36,  47,  11,  71,  33,  102, 21, 9,   17, 49,  124, 79,  64,  91,
        42,  69, 53,  60, 14,  1,   27,  103, 126, 75,  89,  50,  120, 19,  32, 110, 92, 111, 130, 59,  31,  12,
        81,  43, 55,  5,  74,  22,  101, 128, 58,  118, 48,  108, 38,  98,  93, 23,  83, 13,  73,  3};
    for (uint32_t c = 0; c < 10; c++) {
        uint32_t character = 0;
        for (uint32_t k = 0; k < 13; k++) {
            uint32_t place = bar[13 * c + k] - 1u;
            character |= (uint32_t)(place < IMB_BARS ? bars[place] >> 1 & 1 : bars[place - IMB_BARS] & 1) << k;
        }
        uint32_t ones = pl_count_bits64(character);
        if (ones == 8 || ones == 11) {
            *fcs |= 1u << c;
            character ^= 0x1FFF;
            ones = 13 - ones;
        }
        if (ones != 5 && ones != 2)
            return false;
        words[c] = ones == 5 ? place_among(character, 5, 1287) : 1287 + place_among(character, 2, 78);
    }
    if (words[0] >= 659) {
        words[0] -= 659;
        *fcs |= 1u << 10;
    }
    return words[9] % 2 == 0;
}

// The routing code: none, or one of 5, 9 or 11 digits behind those that are shorter.
static bool put_routing(uint64_t routing, struct pl_read_text *out)
{
    static const uint64_t sizes[3] = {100000, 1000000000, 100000000000};
    if (routing-- == 0)
        return true;
    for (int kind = 0; kind < 3; routing -= sizes[kind++]) {
        if (routing >= sizes[kind])
            continue;
        for (uint64_t unit = sizes[kind] / 10; unit > 0; unit /= 10)
            pl_read_put(out, '0' + (uint32_t)(routing / unit % 10));
        return true;
    }
    return false;
}

bool pl_read_intelligent_mail(const struct pl_bitmap *crop, uint32_t module, struct pl_read_text *out)
{
    uint8_t bars[MAX_BARS];
    uint32_t fcs = 0, words[10];
    struct number n = {{0}};
    // The tracker is the middle third.
    if (take_bars(crop, module, crop->height / 2 + crop->height / 8, bars) != IMB_BARS || !imb_words(bars, words, &fcs))
        return false;
    for (uint32_t c = 0; c < 9; c++)
        multiply_add(&n, c ? 1365 : 0, words[c]);
    multiply_add(&n, 636, words[9] / 2);
    if (crc11(&n) != fcs)
        return false;
    char digits[20];
    for (int i = 19; i >= 0; i--)
        digits[i] = (char)('0' + divide(&n, i == 1 ? 5 : 10));
    for (int i = 0; i < 20; i++)
        pl_read_put(out, (uint8_t)digits[i]);
    return !n.words[2] && !n.words[3] && put_routing(n.words[0] | (uint64_t)n.words[1] << 32, out);
}
