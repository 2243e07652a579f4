// Characters of font 0 that are made of others, and those that are drawn by hand.
#include "drawn.h"
#include "table.h"

// True when the character is one that is drawn by hand.
bool add_drawn(const struct metric *m)
{
    struct glyph *g = NULL;
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++) {
        if (drawn[i].codepoint != m->codepoint)
            continue;
        if (!g)
            g = begin_glyph(m);
        for (int k = 0; k < drawn[i].count; k++) {
            int16_t x = narrow(divide_rounding((int64_t)drawn[i].xy[k * 2] * UNITS, 500));
            int16_t y = narrow(divide_rounding((int64_t)drawn[i].xy[k * 2 + 1] * UNITS, 500));
            move_by_grid(m->codepoint, &x, &y);
            add_point(g, x, y, 1);
        }
        add_end(g, g->point_count - 1);
    }
    return g != NULL;
}

// No face has the per mille sign: it is the per cent sign with its lower ring once more, at the right edge of the box.
static void add_permille(void)
{
    const struct metric *m = find_metric(0x2030), *percent_box = find_metric('%');
    const struct glyph percent = *find_glyph('%');
    int shift = (int)divide_rounding((m->xmax - percent_box->xmax) * UNITS, (int64_t)TENTHS * 1000);
    int middle = (int)divide_rounding((percent_box->xmin + percent_box->xmax) * UNITS, (int64_t)TENTHS * 2000);
    struct glyph *g = begin_glyph(m);
    for (int copy = 0; copy < 2; copy++)
        for (size_t c = 0, start = 0; c < percent.end_count; c++) {
            size_t end = ends[percent.first_end + c];
            bool right = true;
            for (size_t i = start; i <= end; i++)
                right = right && points[(percent.first_point + i) * 2] > middle;
            for (size_t i = start; i <= end && (copy == 0 || right); i++) {
                size_t at = percent.first_point + i;
                int16_t x = (int16_t)(points[at * 2] + copy * shift), y = points[at * 2 + 1];
                move_by_grid(m->codepoint, &x, &y);
                add_point(g, x, y, tags[at]);
            }
            if (copy == 0 || right)
                add_end(g, g->point_count - 1);
            start = end + 1;
        }
}

// The backslash is the slash seen in a mirror; the contours turn the other way, so their points are reversed.
static void add_backslash(void)
{
    const struct metric *m = find_metric('\\');
    const struct glyph *slash = find_glyph('/');
    size_t first = slash->first_point, contours = slash->end_count, first_end = slash->first_end;
    int16_t sum = (int16_t)divide_rounding((m->xmin + m->xmax) * UNITS, (int64_t)TENTHS * 1000);
    struct glyph *g = begin_glyph(m);
    size_t start = 0;
    for (size_t c = 0; c < contours; c++) {
        size_t end = ends[first_end + c];
        for (size_t i = end + 1; i-- > start;)
            add_point(g, (int16_t)(sum - points[(first + i) * 2]), points[(first + i) * 2 + 1], tags[first + i]);
        add_end(g, end);
        start = end + 1;
    }
}

// Copies an outline, moved and slanted: x' = x + shift + y * slant_1000 / 1000.
static void add_copy(struct glyph *g, const struct glyph *from, int shift, int slant_1000)
{
    size_t first = g->point_count;
    for (size_t i = 0; i < from->point_count; i++) {
        size_t at = from->first_point + i;
        int64_t slanted = divide_rounding((int64_t)points[at * 2 + 1] * slant_1000, 1000);
        add_point(g, narrow(points[at * 2] + shift + slanted), points[at * 2 + 1], tags[at]);
    }
    for (size_t c = 0; c < from->end_count; c++)
        add_end(g, first + ends[from->first_end + c]);
}

// Copies an outline, scaled and moved.
static void add_scaled(struct glyph *g, const struct glyph *from, int sx_1000, int sy_1000, int dx_1000, int dy_1000)
{
    size_t first = g->point_count;
    for (size_t i = 0; i < from->point_count; i++) {
        size_t at = from->first_point + i;
        add_point(g, narrow(divide_rounding((int64_t)points[at * 2] * sx_1000 + (int64_t)dx_1000 * UNITS, 1000)),
                  narrow(divide_rounding((int64_t)points[at * 2 + 1] * sy_1000 + (int64_t)dy_1000 * UNITS, 1000)),
                  tags[at]);
    }
    for (size_t c = 0; c < from->end_count; c++)
        add_end(g, first + ends[from->first_end + c]);
}

// One third and two thirds: the reference leaves them blank and gives them a space's room. Here they are drawn in that
// room, so that nothing is lost and all that follows stands where it should.
static void add_thirds(void)
{
    const struct glyph slash = *find_glyph('/'), three = *find_glyph('3');
    for (int n = 1; n <= 2; n++) {
        const struct glyph over = *find_glyph(n == 1 ? '1' : '2');
        const struct metric third = {.codepoint = n == 1 ? 0x2153 : 0x2154,
                                     .advance_2048 = find_metric(' ')->advance_2048};
        struct glyph *g = begin_glyph(&third);
        add_scaled(g, &over, 270, 480, 0, 390);
        add_scaled(g, &slash, 600, 1000, 60, 0);
        add_scaled(g, &three, 270, 480, 165, 0);
    }
}

// Characters that the reference makes of others; their room and places were measured on its picture of the code pages.
static void add_derived(void)
{
    const struct glyph f = *find_glyph('f'), i = *find_glyph('i'), j = *find_glyph('j');
    const struct glyph big_i = *find_glyph('I'), big_j = *find_glyph('J');
    const struct metric florin = {.codepoint = 0x192, .advance_2048 = 982};
    const struct metric big_ij = {.codepoint = 0x132, .advance_2048 = 1436},
                        ij = {.codepoint = 0x133, .advance_2048 = 1058};
    add_copy(begin_glyph(&florin), &f, 0, 165);
    struct glyph *g = begin_glyph(&big_ij);
    add_copy(g, &big_i, 0, 0);
    add_copy(g, &big_j, 512 * UNITS / 2048, 0);
    g = begin_glyph(&ij);
    add_copy(g, &i, 0, 0);
    add_copy(g, &j, 480 * UNITS / 2048, 0);
}

// Adds those contours of `from` that are marks, or those that are not, moved by so many 1/10000 of the height.
static void add_contours(struct glyph *g, const struct glyph *from, bool marks, int dx_10000, int dy_10000)
{
    int64_t dx = divide_rounding(dx_10000 * UNITS, TENTHS), dy = divide_rounding(dy_10000 * UNITS, TENTHS);
    for (size_t c = 0, start = 0; c < from->end_count; c++) {
        size_t end = ends[from->first_end + c];
        bool above = true, below = true; // the letter
        for (size_t i = start; i <= end; i++) {
            int16_t y = points[(from->first_point + i) * 2 + 1];
            above = above && y > UNITS * 6 / 10;
            below = below && y < UNITS / 10;
        }
        for (size_t i = start; i <= end && marks == (above || below); i++) {
            size_t at = from->first_point + i;
            add_point(g, narrow(points[at * 2] + dx), narrow(points[at * 2 + 1] + dy), tags[at]);
        }
        if (marks == (above || below))
            add_end(g, g->point_count - 1);
        start = end + 1;
    }
}

// Letters with marks of which no large picture is known. In the reference's pictures such a letter is its plain letter,
// dot for dot, and a mark of the same shape over all letters, .189 higher over capitals. Over each letter the marks
// stand the same way to the diaeresis: a grave .0208 to its left, an acute .0147 to its right, a circumflex .0015,
// tilde and ring over it. For the same reason A and o are Ä and ö without their marks, whose figures are better in all
// sizes.
static void add_marked(void)
{
    static const struct {
        uint32_t codepoint, letter, donor; // no donor: the letter alone
        int dx_10000, dy_10000;            // of the mark, from where it stands on the donor
    } marked[] = {
        {'A', 0xC4, 0, 0, 0},       {'o', 0xF6, 0, 0, 0},          // first: others below are made of them
        {0xC0, 'A', 0xC8, 132, 0},  {0xC1, 'A', 0xC1, 0, 0},       // À Á
        {0xC3, 'A', 0xD5, -54, 0},  {0xC5, 'A', 0xE5, 492, 1889},  // Ã Å
        {0xD3, 'O', 0xC9, 187, 0},  {0xDB, 'U', 0xCE, 1662, 0},    // Ó Û
        {0xE0, 'a', 0xF9, -155, 0}, {0xE1, 'a', 0xE9, -33, 0},     // à á
        {0xE5, 'a', 0xE5, 0, 0},    {0xE7, 'c', 0xB8, -217, 0},    // å ç
        {0xE8, 'e', 0xF9, -121, 0}, {0xEE, 0x131, 0xFB, -1205, 0}, // è î
        {0xF3, 'o', 0xE9, 28, 0},   {0xF4, 'o', 0xFB, -93, 0},     // ó ô
        {0xFC, 'u', 0xFF, 259, 0},                                 // ü
    };
    for (size_t i = 0; i < sizeof marked / sizeof *marked; i++) {
        const struct glyph letter = *find_glyph(marked[i].letter);
        const struct glyph donor = marked[i].donor ? *find_glyph(marked[i].donor) : letter;
        struct glyph *g = replace_glyph(find_metric(marked[i].codepoint));
        add_contours(g, &letter, false, 0, 0);
        if (marked[i].donor)
            add_contours(g, &donor, true, marked[i].dx_10000, marked[i].dy_10000);
    }
}

void add_derived_glyphs(void)
{
    add_marked();
    add_permille();
    add_backslash();
    add_derived();
    add_thirds();
    // The space has an advance and no outline.
    begin_glyph(find_metric(' '));
}
