// Reads Code 128 from its modules.
#include "decode.h"

// Widths of bars and spaces of all characters (ISO/IEC 15417 table 1), written as six digits; stop is seven.
static const char *const widths[107] = {
    "212222", "222122", "222221", "121223", "121322", "131222", "122213", "122312", "132212", "221213", "221312",
    "231212", "112232", "122132", "122231", "113222", "123122", "123221", "223211", "221132", "221231", "213212",
    "223112", "312131", "311222", "321122", "321221", "312212", "322112", "322211", "212123", "212321", "232121",
    "111323", "131123", "131321", "112313", "132113", "132311", "211313", "231113", "231311", "112133", "112331",
    "132131", "113123", "113321", "133121", "313121", "211331", "231131", "213113", "213311", "213131", "311123",
    "311321", "331121", "312113", "312311", "332111", "314111", "221411", "431111", "111224", "111422", "121124",
    "121421", "141122", "141221", "112214", "112412", "122114", "122411", "142112", "142211", "241211", "221114",
    "413111", "241112", "134111", "111242", "121142", "121241", "114212", "124112", "124211", "411212", "421112",
    "421211", "212141", "214121", "412121", "111143", "111341", "131141", "114113", "114311", "411113", "411311",
    "113141", "114131", "311141", "411131", "211412", "211214", "211232", "2331112"};

// The character whose widths begin at x, or -1.
static int read_character(const struct pl_bitmap *modules, uint32_t x)
{
    for (int value = 0; value < 107; value++) {
        uint32_t at = x;
        bool dark = true, good = true;
        for (const char *w = widths[value]; *w && good; w++, dark = !dark)
            for (int i = 0; i < *w - '0' && good; i++, at++)
                good = at < modules->width && pl_bitmap_get(modules, at, 0) == dark;
        // The widths are whole: the next module is of the other colour (a bar behind a character, nothing behind stop).
        if (good && (value == 106 ? at == modules->width : at < modules->width && pl_bitmap_get(modules, at, 0)))
            return value;
    }
    return -1;
}

static void put(struct decoded *out, uint16_t c)
{
    if (out->count < out->cap)
        out->chars[out->count++] = c;
}

bool decode_code128(const struct pl_bitmap *modules, struct decoded *out)
{
    out->count = 0;
    int start = read_character(modules, 0);
    if (start < 103 || start > 105)
        return false;
    uint32_t count = modules->width / 11, at = 1; // characters with start, check and the first eleven modules of stop
    if (count < 3 || modules->width != count * 11 + 2)
        return false;
    uint64_t sum = (uint64_t)start;
    char set = start == 103 ? 'A' : start == 104 ? 'B' : 'C';
    bool shift = false, high = false, latched = false;
    for (; at + 2 < count; at++) {
        int value = read_character(modules, at * 11);
        if (value < 0 || value > 102)
            return false;
        sum += (uint64_t)value * at;
        char in = !shift ? set : set == 'A' ? 'B' : 'A';
        shift = false;
        if (set == 'C') {
            if (value < 100) {
                put(out, (uint16_t)('0' + value / 10));
                put(out, (uint16_t)('0' + value % 10));
            } else if (value == 102) {
                put(out, DECODE_FNC1);
            } else {
                set = value == 100 ? 'B' : 'A';
            }
            continue;
        }
        if (value < 96) {
            int c = in == 'A' && value >= 64 ? value - 64 : value + 32;
            put(out, (uint16_t)(c + (high != latched ? 128 : 0)));
            high = false;
        } else if (value == 102) {
            put(out, DECODE_FNC1);
        } else if (value == 98) {
            shift = true;
        } else if (value == 99) {
            set = 'C';
        } else if (value == (set == 'A' ? 101 : 100)) { // FNC4; twice it is a latch
            latched = high ? !latched : latched;
            high = !high;
        } else if (value == 100 || value == 101) {
            set = value == 100 ? 'B' : 'A';
        }
    }
    return read_character(modules, at * 11) == (int)(sum % 103) && read_character(modules, (at + 1) * 11) == 106;
}
