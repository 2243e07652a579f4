// GS1 DataBar Limited (ISO/IEC 24724): two characters of 26 modules with a check character of 18 between them.
#include "check/gs1.h"
#include "check/readers.h"

enum {
    ELEMENTS = 14, // of a character, a space first
    HALF = ELEMENTS / 2,
    CHARACTER = 26,
    CHECK = 18,
    RUNS = 1 + 3 * ELEMENTS + 2, // a bar, the characters, a space and a bar
    PRIME = 89,
    RIGHT_VALUES = 2013571,
};

// Behind this come the numbers of symbols that have a second part.
static const uint64_t LINKED = UINT64_C(2015133531096);

// Check characters by their value, a module a bit.
static const uint32_t checks[PRIME] = {
    0x1551D, 0x1558D, 0x155C5, 0x1568D, 0x156C5, 0x15745, 0x15A8D, 0x15AC5, 0x15B45, 0x15D45, 0x16A8D, 0x16AC5, 0x16B45,
    0x16D45, 0x17545, 0x1AA8D, 0x1AAC5, 0x1AB45, 0x1AD45, 0x1B545, 0x1D545, 0x1549D, 0x154CD, 0x154E5, 0x1564D, 0x15665,
    0x15725, 0x15A4D, 0x15A65, 0x15B25, 0x15D25, 0x16A4D, 0x16A65, 0x16B25, 0x16D25, 0x17525, 0x1AA4D, 0x1AA65, 0x1AB25,
    0x1AD25, 0x1B525, 0x1D525, 0x1545D, 0x1546D, 0x1562D, 0x16A2D, 0x1AA2D, 0x1529D, 0x152CD, 0x152E5, 0x1534D, 0x1694D,
    0x16965, 0x169A5, 0x16CA5, 0x174A5, 0x1A94D, 0x1A965, 0x1B4A5, 0x14A9D, 0x14ACD, 0x14AE5, 0x14B4D, 0x14B65, 0x14D4D,
    0x1A54D, 0x1A565, 0x1A5A5, 0x1A6A5, 0x1B2A5, 0x1D2A5, 0x12A9D, 0x12ACD, 0x12AE5, 0x12B4D, 0x12B65, 0x12BA5, 0x12D4D,
    0x12D65, 0x1354D, 0x0AACD, 0x0AAE5, 0x0AB4D, 0x0AB65, 0x0ABA5, 0x0AD65, 0x0ADA5, 0x0B565, 0x0AA6D};

// How many rows of `count` widths from `low` to `high` have this sum?
static uint32_t ways(uint32_t sum, uint32_t count, uint32_t low, uint32_t high)
{
    uint32_t now[CHARACTER] = {1}, next[CHARACTER];
    for (uint32_t i = 0; i < count; i++) {
        memset(next, 0, sizeof next);
        for (uint32_t s = 0; s <= sum; s++)
            for (uint32_t w = low; w <= high && s + w <= sum; w++)
                next[s + w] += now[s];
        memcpy(now, next, sizeof now);
    }
    return now[sum];
}

// The place of the widths among all of their sum in order, of which with `narrow` only those count that have a 1.
static uint32_t place_of(const uint8_t widths[HALF], uint32_t sum, uint32_t widest, bool narrow)
{
    uint32_t place = 0;
    for (uint32_t i = 0; i + 1 < HALF; i++) {
        for (uint32_t w = 1; w < widths[i]; w++) {
            place += ways(sum - w, HALF - 1 - i, 1, widest);
            if (narrow && w != 1)
                place -= ways(sum - w, HALF - 1 - i, 2, widest);
        }
        narrow = narrow && widths[i] != 1;
        sum -= widths[i];
    }
    return place;
}

static bool character_of(const uint8_t widths[ELEMENTS], uint64_t *value)
{
    static const struct {
        uint32_t first;                  // value of the group
        uint8_t odd, odd_widest, widest; // modules of the odd elements, widest of both
        uint16_t evens;                  // values of the even elements
    } groups[] = {{0, 17, 6, 3, 28},        {183064, 13, 5, 4, 728},   {820064, 9, 3, 6, 6454},
                  {1000776, 15, 5, 4, 203}, {1491021, 11, 4, 5, 2408}, {1979845, 19, 8, 1, 1},
                  {1996939, 7, 1, 8, 16632}};
    uint8_t odd[HALF], even[HALF];
    uint32_t sum = 0, all = 0;
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        (i % 2 ? even : odd)[i / 2] = widths[i];
        sum += i % 2 ? 0 : widths[i];
        all += widths[i];
    }
    for (size_t g = 0; g < sizeof groups / sizeof *groups && all == CHARACTER; g++) {
        if (groups[g].odd != sum)
            continue;
        for (uint32_t i = 0; i < HALF; i++)
            if (odd[i] > groups[g].odd_widest || even[i] > groups[g].widest)
                return false;
        uint32_t even_value = place_of(even, CHARACTER - sum, groups[g].widest, true);
        *value = groups[g].first + place_of(odd, sum, groups[g].odd_widest, false) * groups[g].evens + even_value;
        return true;
    }
    return false;
}

static bool check_holds(const uint8_t *left, const uint8_t *middle, const uint8_t *right)
{
    uint32_t sum = 0, weight = 1, bits = 0, modules = 0;
    for (uint32_t i = 0; i < 2 * ELEMENTS; i++) {
        sum += weight * (i < ELEMENTS ? left[i] : right[i - ELEMENTS]);
        weight = weight * 3 % PRIME;
    }
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        modules += middle[i];
        if (modules > CHECK)
            return false;
        bits = bits << middle[i] | (i % 2 ? (1u << middle[i]) - 1 : 0);
    }
    return modules == CHECK && bits == checks[sum % PRIME];
}

static bool read_widths(const uint8_t widths[RUNS], struct pl_read_text *out)
{
    const uint8_t *left = widths + 1, *middle = left + ELEMENTS, *right = middle + ELEMENTS;
    uint64_t high, low;
    if (!check_holds(left, middle, right) || !character_of(left, &high) || !character_of(right, &low))
        return false;
    uint64_t number = high * RIGHT_VALUES + low;
    number -= number >= LINKED ? LINKED : 0;
    char digits[13];
    for (size_t i = sizeof digits; i-- > 0; number /= 10)
        digits[i] = (char)('0' + number % 10);
    if (number)
        return false;
    pl_read_put(out, '0');
    pl_read_put(out, '1');
    for (size_t i = 0; i < sizeof digits; i++)
        pl_read_put(out, (uint8_t)digits[i]);
    pl_read_put(out, (uint8_t)pl_gs1_check_digit(pl_slice_make(digits, sizeof digits)));
    return true;
}

bool pl_read_databar_limited(const struct pl_read_runs *runs, uint32_t module, struct pl_read_text *out)
{
    // Ink that spread or is missing makes all bars wider or narrower by the same.
    for (int32_t more = 0; more < 3 && runs->count == RUNS; more++) {
        struct pl_read_runs even = {.count = RUNS};
        uint8_t widths[RUNS];
        const int32_t spread = more == 2 ? -1 : more;
        for (uint32_t i = 0; i < RUNS; i++) {
            int64_t width = (int64_t)runs->widths[i] + (i % 2 ? spread : -spread);
            even.widths[i] = width > 0 ? (uint32_t)width : 0;
        }
        if (pl_read_modules(&even, module, widths, RUNS) && read_widths(widths, out))
            return true;
    }
    return false;
}
