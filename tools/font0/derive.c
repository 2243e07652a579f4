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

// Letters with marks that no picture shows. The reference's marks are the same over all letters of a case, and stand
// the same way to the diaeresis: a grave .0285 to its left, a circumflex .0015, an acute .023 to its right, a tilde
// over it.
static void add_marked(void)
{
    static const struct {
        uint32_t codepoint, letter, donor;
        int shift_10000; // of the mark, from where it stands on the donor
    } marked[] = {{0xC0, 'A', 0xC8, 141},
                  {0xC3, 'A', 0xD5, -54},
                  {0xD3, 'O', 0xC9, 185},
                  {0xDB, 'U', 0xCA, 343},
                  {0xE1, 'a', 0xE9, -28}};
    for (size_t i = 0; i < sizeof marked / sizeof *marked; i++) {
        const struct glyph letter = *find_glyph(marked[i].letter), donor = *find_glyph(marked[i].donor);
        struct glyph *g = begin_glyph(find_metric(marked[i].codepoint));
        add_copy(g, &letter, 0, 0);
        for (size_t c = 0, start = 0; c < donor.end_count; c++) {
            size_t end = ends[donor.first_end + c];
            bool above = true; // the letter
            for (size_t k = start; k <= end; k++)
                above = above && points[(donor.first_point + k) * 2 + 1] > UNITS * 6 / 10;
            for (size_t k = start; k <= end && above; k++) {
                size_t at = donor.first_point + k;
                add_point(g, narrow(points[at * 2] + divide_rounding(marked[i].shift_10000 * UNITS, TENTHS)),
                          points[at * 2 + 1], tags[at]);
            }
            if (above)
                add_end(g, g->point_count - 1);
            start = end + 1;
        }
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
