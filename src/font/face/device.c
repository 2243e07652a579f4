// Figures of the fonts A to H and P to V. Cells and gaps are the manual's; sizes, baselines and places were measured on
// images of the reference at 8 dots per mm. E and H have cells of their own at other densities: the figures follow
// them.
#include "font/face/device.h"

#include "base/ckd.h"
#include "scene/text.h"

static const struct pl_device_font fonts[] = {
    {'A', 0, PL_BLOB_MONO, 9, 5, 1, 7, 9543, PL_PLACE_CENTRED, 0, 903, false, false},
    {'B', 0, PL_BLOB_MONO_BOLD, 11, 7, 2, 11, 15126, PL_PLACE_CENTRED, 0, 903, true, false},
    {'C', 0, PL_BLOB_MONO, 18, 10, 2, 14, 19240, PL_PLACE_CENTRED, -45, 903, false, false},
    {'D', 0, PL_BLOB_MONO, 18, 10, 2, 14, 19240, PL_PLACE_CENTRED, -45, 903, false, false},
    {'E', 6, PL_BLOB_OCR_B, 21, 10, 3, 17, 20779, PL_PLACE_SHIFTED, -2175, 0, false, false},
    {'E', 12, PL_BLOB_OCR_B, 42, 20, 6, 34, 41558, PL_PLACE_SHIFTED, -4350, 0, false, false},
    {'E', 24, PL_BLOB_OCR_B, 42, 20, 6, 34, 41558, PL_PLACE_SHIFTED, -4350, 0, false, false},
    {'E', 0, PL_BLOB_OCR_B, 28, 15, 5, 23, 27718, PL_PLACE_SHIFTED, -2900, 0, false, false},
    {'F', 0, PL_BLOB_MONO, 26, 13, 3, 21, 28888, PL_PLACE_CENTRED, -25, 896, false, false},
    {'G', 0, PL_BLOB_MONO, 60, 40, 8, 48, 65900, PL_PLACE_CENTRED, -55, 903, false, false},
    {'H', 6, PL_BLOB_OCR_A, 17, 11, 4, 17, 23080, PL_PLACE_FLUSH, 0, 0, false, true},
    {'H', 12, PL_BLOB_OCR_A, 34, 22, 8, 34, 46159, PL_PLACE_FLUSH, 0, 0, false, true},
    {'H', 24, PL_BLOB_OCR_A, 34, 22, 8, 34, 46159, PL_PLACE_FLUSH, 0, 0, false, true},
    {'H', 0, PL_BLOB_OCR_A, 21, 13, 6, 21, 28508, PL_PLACE_FLUSH, 0, 0, false, true},
    // EPL2, fonts 1 to 7: cells and pitches are the manual's, capitals as high as on photographs of labels.
    {'a', 12, PL_BLOB_MONO, 20, 12, 0, 16, 21946, PL_PLACE_CENTRED, 0, 834, false, false},
    {'b', 12, PL_BLOB_MONO, 28, 16, 0, 22, 30176, PL_PLACE_CENTRED, 0, 834, false, false},
    {'c', 12, PL_BLOB_MONO_BOLD, 36, 20, 0, 28, 38406, PL_PLACE_CENTRED, 0, 850, false, false},
    {'d', 12, PL_BLOB_MONO_BOLD, 44, 24, 0, 34, 46636, PL_PLACE_CENTRED, 0, 850, false, false},
    {'e', 12, PL_BLOB_MONO_BOLD, 80, 48, 0, 70, 96016, PL_PLACE_CENTRED, 0, 850, true, false},
    {'a', 0, PL_BLOB_MONO, 12, 8, 2, 10, 13717, PL_PLACE_CENTRED, 0, 800, false, false},
    {'b', 0, PL_BLOB_MONO, 16, 10, 2, 14, 19204, PL_PLACE_CENTRED, 0, 834, false, false},
    {'c', 0, PL_BLOB_MONO_BOLD, 20, 12, 2, 15, 20576, PL_PLACE_CENTRED, 0, 850, false, false},
    {'d', 0, PL_BLOB_MONO_BOLD, 24, 14, 2, 20, 27435, PL_PLACE_CENTRED, 0, 870, false, false},
    {'e', 0, PL_BLOB_MONO_BOLD, 48, 32, 4, 44, 60353, PL_PLACE_CENTRED, 0, 880, true, false},
    {'f', 0, PL_BLOB_MONO, 19, 14, 2, 19, 26061, PL_PLACE_CENTRED, 0, 870, false, false},
    {'g', 0, PL_BLOB_OCR_B, 19, 14, 2, 19, 26061, PL_PLACE_FLUSH, 0, 0, false, false},
    // TSPL: cells are the manual's, the same at every density; capitals are three quarters of them.
    {PL_FONT_TSPL_1, 0, PL_BLOB_MONO, 12, 8, 0, 9, 12368, PL_PLACE_CENTRED, 0, 903, false, false},
    {PL_FONT_TSPL_2, 0, PL_BLOB_MONO, 20, 12, 0, 15, 20613, PL_PLACE_CENTRED, 0, 903, false, false},
    {PL_FONT_TSPL_3, 0, PL_BLOB_MONO, 24, 16, 0, 18, 24736, PL_PLACE_CENTRED, 0, 903, false, false},
    {PL_FONT_TSPL_4, 0, PL_BLOB_MONO, 32, 24, 0, 24, 32982, PL_PLACE_CENTRED, 0, 903, false, false},
    {PL_FONT_TSPL_5, 0, PL_BLOB_MONO_BOLD, 48, 32, 0, 36, 49505, PL_PLACE_CENTRED, 0, 903, true, false},
    {PL_FONT_TSPL_6, 0, PL_BLOB_OCR_B, 19, 14, 0, 15, 18076, PL_PLACE_CENTRED, 0, 903, false, false},
    {PL_FONT_TSPL_7, 0, PL_BLOB_OCR_B, 27, 21, 0, 21, 25307, PL_PLACE_CENTRED, 0, 903, false, false},
    {PL_FONT_TSPL_8, 0, PL_BLOB_OCR_A, 25, 14, 0, 19, 25793, PL_PLACE_CENTRED, 0, 903, false, false},
    {PL_FONT_TSPL_9, 0, PL_BLOB_MONO, 17, 9, 0, 13, 17865, PL_PLACE_CENTRED, 0, 903, false, false},
    {PL_FONT_TSPL_10, 0, PL_BLOB_MONO, 24, 12, 0, 18, 24736, PL_PLACE_CENTRED, 0, 903, false, false},
    {PL_FONT_TSPL_16, 0, PL_BLOB_MONO, 16, 8, 0, 12, 16491, PL_PLACE_CENTRED, 0, 903, false, false},
    {PL_FONT_TSPL_20, 0, PL_BLOB_MONO, 20, 10, 0, 15, 20613, PL_PLACE_CENTRED, 0, 903, false, false},
    {PL_FONT_TSPL_24, 0, PL_BLOB_MONO, 24, 12, 0, 18, 24736, PL_PLACE_CENTRED, 0, 903, false, false},
    {PL_FONT_TSPL_32, 0, PL_BLOB_MONO, 32, 16, 0, 24, 32982, PL_PLACE_CENTRED, 0, 903, false, false},
    // CPCL: cells are the manual's, the same at every density. Fonts 0 and 7 have all of ASCII inside of them: lines
    // outside of labels begin at the top of the page. Font 6 is of cheques, whose shapes OCR-A comes nearest.
    {PL_FONT_CPCL_0, 0, PL_BLOB_MONO_BOLD, 9, 8, 0, 7, 8750, PL_PLACE_CENTRED, 500, 903, false, false},
    {PL_FONT_CPCL_2, 0, PL_BLOB_OCR_A, 12, 20, 0, 12, 16291, PL_PLACE_CENTRED, 0, 903, false, false},
    {PL_FONT_CPCL_6, 0, PL_BLOB_OCR_A, 27, 28, 0, 27, 36654, PL_PLACE_CENTRED, 0, 903, false, false},
    {PL_FONT_CPCL_7, 0, PL_BLOB_MONO, 24, 12, 0, 18, 22500, PL_PLACE_CENTRED, 0, 903, false, false},
};
_Static_assert(PL_COUNTOF(fonts) == PL_DEVICE_FONTS, "a thread has room for the face of each row");

// Ink edges that were measured and do not follow the rule, in 1/1000 dots at magnification 1. C has D's.
static const struct {
    uint8_t resident;
    uint8_t character;
    int16_t left_1000;
} edges[] = {
    {'A', '(', 1413},  {'A', ')', 1367}, {'A', '0', 206},   {'A', '2', 350},   {'A', '3', 331},   {'A', '4', 117},
    {'A', '5', 361},   {'A', '6', 207},  {'A', '7', 339},   {'A', '8', 198},   {'A', '9', 233},   {'A', ':', 971},
    {'A', 'B', 258},   {'A', 'D', 278},  {'A', 'G', 221},   {'A', 'J', 514},   {'A', 'L', 374},   {'A', 'M', 41},
    {'A', 'N', 288},   {'A', 'O', 186},  {'A', 'P', 290},   {'A', 'R', 40},    {'A', 'S', 289},   {'A', 'U', 379},
    {'A', 'a', 312},   {'A', 'c', 0},    {'A', 'd', 428},   {'A', 'e', 268},   {'A', 'f', 936},   {'A', 'g', 425},
    {'A', 'h', 444},   {'A', 'j', 141},  {'A', 'k', 0},     {'A', 'l', 440},   {'A', 'm', 96},    {'A', 'n', 445},
    {'A', 'o', 278},   {'A', 'r', 629},  {'A', 's', 629},   {'A', 't', 853},   {'A', 'u', 446},   {'A', 'v', 54},
    {'B', '.', 2218},  {'B', '1', 444},  {'B', ':', 2215},  {'B', 'F', 36},    {'D', '/', 354},   {'D', '0', 433},
    {'D', '1', 957},   {'D', '2', 664},  {'D', '3', 519},   {'D', '4', 139},   {'D', '5', 629},   {'D', '6', 433},
    {'D', '8', 412},   {'D', '9', 376},  {'D', 'B', 414},   {'D', 'C', 546},   {'D', 'H', 408},   {'D', 'N', 433},
    {'D', 'O', 233},   {'D', 'Q', 229},  {'D', 'Z', 214},   {'D', 'a', 593},   {'D', 'c', 851},   {'D', 'f', 846},
    {'D', 'i', 682},   {'D', 'n', 906},  {'E', '0', -2600}, {'E', '5', -2893}, {'E', 'M', -3080}, {'E', 'i', -2963},
    {'E', 'p', -3200}, {'F', '5', -10},  {'G', '5', 5032},  {'G', 'M', 2894},  {'G', 'i', 5279},  {'G', 'p', 5203},
    {'H', '5', -31},   {'H', 'M', 5},    {'H', 'W', -21}};

// Signs that reach from another height to another than the face's: 1/1000 dots above the baseline.
static const struct {
    uint8_t resident;
    uint8_t character;
    int16_t bottom_1000, top_1000;
} spans[] = {{'A', '+', 1900, 6840}, {'B', '*', 0, 11000}};

// Signs that are drawn as a plain bar: 1/1000 dots, above the baseline. Strokes of the face that are thinner than a dot
// may lie between the middles of dots, where they would be lost.
static const struct {
    uint8_t resident;
    uint8_t character;
    int16_t box_1000[4];
} bars[] = {{PL_FONT_A, '-', {0, 2900, 5000, 3900}},
            {PL_FONT_B, '-', {0, 5000, 7000, 7000}},
            {PL_FONT_EPL_1, '_', {0, -2000, 8000, -1000}},
            {PL_FONT_TSPL_1, '_', {0, -3000, 8000, -2000}},
            {PL_FONT_TSPL_9, '_', {0, -4000, 9000, -3000}}};

static const struct pl_preset_font presets[] = {{'P', 20, 18, 15}, {'Q', 28, 24, 22}, {'R', 35, 31, 28},
                                                {'S', 40, 35, 30}, {'T', 48, 42, 36}, {'U', 59, 53, 46},
                                                {'V', 80, 71, 62}};

const struct pl_device_font *pl_device_lookup(uint8_t resident, uint32_t dpmm)
{
    for (size_t i = 0; i < PL_COUNTOF(fonts); i++)
        if (fonts[i].resident == resident && (fonts[i].dpmm == 0 || fonts[i].dpmm == dpmm))
            return &fonts[i];
    return NULL;
}

const struct pl_preset_font *pl_preset_lookup(uint8_t resident)
{
    for (size_t i = 0; i < PL_COUNTOF(presets); i++)
        if (presets[i].resident == resident)
            return &presets[i];
    return NULL;
}

// The capital of a small letter of Latin, Greek or Cyrillic; others stay as they are.
static uint32_t capital(uint32_t c)
{
    if ((c >= 'a' && c <= 'z') || (c >= 0xE0 && c <= 0xFE && c != 0xF7))
        return c - 0x20;
    if (c == 0xFF)
        return 0x178;
    // Latin Extended-A: capital and small letter follow each other.
    if ((c >= 0x100 && c <= 0x137 && c != 0x131) || (c >= 0x14A && c <= 0x177))
        return c & ~1u;
    if ((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17E))
        return c - (c % 2 == 0);
    if ((c >= 0x3B1 && c <= 0x3CB && c != 0x3C2) || (c >= 0x430 && c <= 0x44F))
        return c - 0x20;
    if (c >= 0x450 && c <= 0x45F)
        return c - 0x50;
    switch (c) {
    case 0x131: // dotless i
        return 'I';
    case 0x3AC: // Greek vowels with an accent
        return 0x386;
    case 0x3AD:
    case 0x3AE:
    case 0x3AF:
        return c - 0x25;
    case 0x3C2: // final sigma
        return 0x3A3;
    case 0x3CC:
        return 0x38C;
    case 0x3CD:
    case 0x3CE:
        return c - 0x3F;
    default:
        return c;
    }
}

uint32_t pl_device_character(const struct pl_device_font *font, uint32_t codepoint)
{
    if (codepoint == PL_DEVICE_PLAIN_ZERO)
        return 'O';
    bool ascii_lower = codepoint >= 'a' && codepoint <= 'z';
    bool latin_lower = codepoint >= 0xE0 && codepoint <= 0xFE && codepoint != 0xF7;
    if (font->no_lower_case && (ascii_lower || latin_lower))
        return 0;
    return font->upper_case ? capital(codepoint) : codepoint;
}

bool pl_device_bar(const struct pl_device_font *font, uint32_t codepoint, int32_t box_1000[4])
{
    size_t i = 0;
    while (i < PL_COUNTOF(bars) && (bars[i].resident != font->resident || bars[i].character != codepoint))
        i++;
    if (i == PL_COUNTOF(bars) || font->dpmm != 0)
        return false;
    for (int k = 0; k < 4; k++)
        box_1000[k] = bars[i].box_1000[k];
    return true;
}

// The ink reaches from one height to the other; 1/1000 dots above the baseline.
static void put_between(struct pl_outline_map *map, struct pl_outline_box box, int64_t bottom, int64_t top,
                        int32_t magnify_y)
{
    if (box.y1 <= box.y0)
        return;
    map->sy = pl_outline_scale((top - bottom) * magnify_y, (int64_t)(box.y1 - box.y0) * 1000);
    map->dy = pl_outline_shift(bottom * magnify_y, 1000) - box.y0 * map->sy;
}

// A font of dots has no dot outside of its cells: what reaches out of them is squeezed, or moved where little of it is
// inside.
static void keep_in_cell(const struct pl_device_font *font, struct pl_outline_map *map, struct pl_outline_box box,
                         int32_t units_per_em, int32_t magnify_y)
{
    const int64_t above = font->baseline * INT64_C(1000), below = above - font->cell_height * INT64_C(1000);
    int64_t bottom = (int64_t)box.y0 * font->size_1000 / units_per_em;
    int64_t top = (int64_t)box.y1 * font->size_1000 / units_per_em, height = top - bottom;
    if (bottom >= below && top <= above)
        return;
    bottom = PL_MAX(bottom, below);
    top = PL_MIN(top, above);
    if (top - bottom < height / 2) { // an underline, or a mark of its own
        bottom = bottom == below ? below : PL_MAX(above - height, below);
        top = PL_MIN(bottom + height, above);
    }
    put_between(map, box, bottom, top, magnify_y);
}

struct pl_outline_map pl_device_map(const struct pl_device_font *font, uint32_t codepoint,
                                    const struct pl_outline *outline, int32_t units_per_em, int32_t magnify_x,
                                    int32_t magnify_y)
{
    const int64_t em = (int64_t)units_per_em * 1000;
    struct pl_outline_box box = pl_outline_control_box(outline);
    struct pl_outline_map map = {.sx = pl_outline_scale((int64_t)font->size_1000 * magnify_x, em),
                                 .sy = pl_outline_scale((int64_t)font->size_1000 * magnify_y, em)};
    int64_t ink = (int64_t)(box.x1 - box.x0) * font->size_1000 / units_per_em; // 1/1000 dots
    int64_t widest = (int64_t)(font->cell_width + font->gap) * font->widest_1000;
    if (font->place == PL_PLACE_CENTRED && ink > widest) {
        map.sx = pl_outline_scale(widest * magnify_x, (int64_t)(box.x1 - box.x0) * 1000);
        ink = widest;
    }
    int64_t left = PL_MAX(0, (font->cell_width * INT64_C(1000) - ink) / 2 + font->shift_1000);
    // Letters of B that nearly fill the cell start at its edge.
    if (font->resident == PL_FONT_B && left < 250)
        left = 0;
    if (font->place == PL_PLACE_SHIFTED)
        left = font->shift_1000;
    for (size_t i = 0; i < PL_COUNTOF(edges); i++)
        if (edges[i].resident == (font->resident == PL_FONT_C ? PL_FONT_D : font->resident) &&
            edges[i].character == codepoint && (font->dpmm == 0 || font->place != PL_PLACE_SHIFTED))
            left = edges[i].left_1000;
    map.dx = pl_outline_shift(left * magnify_x, 1000);
    if (font->place != PL_PLACE_SHIFTED)
        map.dx -= box.x0 * map.sx;
    for (size_t i = 0; i < PL_COUNTOF(spans); i++)
        if (spans[i].resident == font->resident && spans[i].character == codepoint)
            put_between(&map, box, spans[i].bottom_1000, spans[i].top_1000, magnify_y);
    if (font->resident >= PL_FONT_EPL_1 && font->resident <= PL_FONT_TSPL_32)
        keep_in_cell(font, &map, box, units_per_em, magnify_y);
    return map;
}
