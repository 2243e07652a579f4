// Build step: makes the outlines of font 0 out of five open variable faces and two tables of measured figures.
//
//   make_font0 METRICS.csv WARP.csv COMPOSED.csv FONTSOURCE_DIR OUTPUT.c
//
// All arithmetic is in integers, so that every machine makes the same table.
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_MULTIPLE_MASTERS_H
#include FT_OUTLINE_H

#include "drawn.h"

#define UNITS 16384  // units of the result per dot of height (y) and width (x)
#define TENTHS 10000 // figures of the tables are kept in 1/10000
#define MAX_FIELDS 32
#define NODES 9
#define MAX_GLYPHS 1024

struct metric {
    uint32_t codepoint;
    int64_t advance_2048;
    int64_t xmin, xmax, ymin, ymax; // 1/10000 of 1/1000 of the height
    bool has_box;
};

struct source {
    const char *name, *folder, *stem; // stem: before "-latin-" in the file names
    const char *variant;              // the file with all axes that the table uses
    bool vietnamese;                  // the package has that subset
    FT_Face faces[3];                 // latin, latin-ext, vietnamese
};

static struct source sources[] = {
    {"Oswald", "oswald", "oswald", "wght", true, {NULL, NULL, NULL}},
    {"Special Gothic", "special-gothic", "special-gothic", "wdth", false, {NULL, NULL, NULL}},
    {"Instrument Sans", "instrument-sans", "instrument-sans", "wdth", false, {NULL, NULL, NULL}},
    {"Archivo", "archivo", "archivo", "wdth", true, {NULL, NULL, NULL}},
    {"Zalando Sans", "zalando-sans", "zalando-sans", "wdth", true, {NULL, NULL, NULL}},
};

struct glyph {
    uint32_t codepoint;
    int64_t advance_2048;
    size_t first_point, point_count;
    size_t first_end, end_count;
};

static struct metric metrics[MAX_GLYPHS];
static size_t metric_count;
static struct glyph glyphs[MAX_GLYPHS];
static size_t glyph_count;
static int16_t *points;
static uint8_t *tags;
static uint16_t *ends;
static size_t point_count, point_cap, end_count, end_cap;

static void fail(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));
static void fail(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fputs("font0: ", stderr);
    vfprintf(stderr, fmt, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

// A decimal number in 1/10000, without the locale and without floating point.
static int64_t decimal(const char *text)
{
    bool negative = *text == '-';
    text += negative;
    int64_t value = 0;
    for (; *text >= '0' && *text <= '9'; text++)
        value = value * 10 + (*text - '0');
    int64_t unit = TENTHS;
    value *= unit;
    if (*text == '.')
        for (text++; *text >= '0' && *text <= '9' && unit > 1; text++) {
            unit /= 10;
            value += (*text - '0') * unit;
        }
    return negative ? -value : value;
}

static int64_t divide_rounding(int64_t a, int64_t b)
{
    if (b < 0) {
        a = -a;
        b = -b;
    }
    return a >= 0 ? (a + b / 2) / b : -((-a + b / 2) / b);
}

// Splits a line of CSV in place; a field may be quoted, with "" for a quote.
static size_t split_csv(char *line, char *fields[MAX_FIELDS])
{
    size_t count = 0;
    char *in = line;
    while (count < MAX_FIELDS) {
        char *out = in;
        fields[count++] = out;
        bool quoted = *in == '"';
        if (quoted)
            in++;
        while (*in && *in != '\n' && *in != '\r' && (quoted || *in != ',')) {
            if (quoted && *in == '"') {
                if (in[1] != '"') {
                    quoted = false;
                    in++;
                    continue;
                }
                in++;
            }
            *out++ = *in++;
        }
        bool more = *in == ',';
        in++;
        *out = 0;
        if (!more)
            break;
    }
    return count;
}

static uint32_t first_codepoint(const char *utf8)
{
    const unsigned char *s = (const unsigned char *)utf8;
    if (s[0] < 0x80)
        return s[0];
    if (s[0] < 0xE0)
        return (uint32_t)(s[0] & 0x1F) << 6 | (s[1] & 0x3F);
    return (uint32_t)(s[0] & 0x0F) << 12 | (uint32_t)(s[1] & 0x3F) << 6 | (s[2] & 0x3F);
}

static FILE *open_table(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "r");
    if (!file || !fgets(line, (int)size, file)) // the first line names the columns
        fail("cannot read %s: %s", path, strerror(errno));
    return file;
}

static void read_metrics(const char *path)
{
    char line[2048], *field[MAX_FIELDS];
    FILE *file = open_table(path, line, sizeof line);
    while (fgets(line, sizeof line, file)) {
        if (split_csv(line, field) < 8 || metric_count == MAX_GLYPHS)
            fail("%s: a row has too few columns, or there are too many rows", path);
        struct metric *m = &metrics[metric_count++];
        m->codepoint = (uint32_t)strtoul(field[0], NULL, 16);
        m->has_box = field[3][0] != 0;
        m->xmin = decimal(field[3]);
        m->xmax = decimal(field[4]);
        m->ymin = decimal(field[5]);
        m->ymax = decimal(field[6]);
        m->advance_2048 = decimal(field[7]) / TENTHS;
    }
    fclose(file);
}

static const struct metric *find_metric(uint32_t codepoint)
{
    for (size_t i = 0; i < metric_count; i++)
        if (metrics[i].codepoint == codepoint)
            return &metrics[i];
    fail("U+%04" PRIX32 " has an outline but no metrics", codepoint);
}

static void set_axes(FT_Library library, FT_Face face, const char *axes)
{
    FT_MM_Var *var;
    if (FT_Get_MM_Var(face, &var))
        fail("%s is not a variable font", face->family_name);
    FT_Fixed coords[8];
    if (var->num_axis > 8)
        fail("%s has too many axes", face->family_name);
    for (FT_UInt i = 0; i < var->num_axis; i++) {
        FT_ULong tag = var->axis[i].tag;
        char name[6] = {(char)(tag >> 24), (char)(tag >> 16), (char)(tag >> 8), (char)tag, '=', 0};
        const char *at = strstr(axes, name);
        coords[i] = at ? (FT_Fixed)divide_rounding(decimal(at + 5) * 65536, TENTHS) : var->axis[i].def;
    }
    if (FT_Set_Var_Design_Coordinates(face, var->num_axis, coords))
        fail("%s refuses the axes %s", face->family_name, axes);
    FT_Done_MM_Var(library, var);
}

static FT_Face open_face(FT_Library library, const char *folder, const struct source *s, const char *subset)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s/files/%s-%s-%s-normal.woff2", folder, s->folder, s->stem, subset, s->variant);
    FT_Face face;
    if (FT_New_Face(library, path, 0, &face))
        fail("cannot open the face %s; run `npm ci` in the project's root first", path);
    return face;
}

static struct source *find_source(const char *name)
{
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (strcmp(sources[i].name, name) == 0)
            return &sources[i];
    fail("the table names a face that is not known: %s", name);
}

// NULL when the face has no such character.
static const FT_Outline *load_outline(FT_Library library, struct source *s, const char *axes, uint32_t codepoint,
                                      int *units_per_em)
{
    for (int i = 0; i < 3 && s->faces[i]; i++) {
        FT_UInt index = FT_Get_Char_Index(s->faces[i], codepoint);
        if (!index)
            continue;
        set_axes(library, s->faces[i], axes);
        if (FT_Load_Glyph(s->faces[i], index, FT_LOAD_NO_SCALE | FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP))
            break;
        *units_per_em = s->faces[i]->units_per_EM;
        return &s->faces[i]->glyph->outline;
    }
    return NULL;
}

static int16_t narrow(int64_t value)
{
    if (value < INT16_MIN || value > INT16_MAX)
        fail("an outline leaves the range of the table");
    return (int16_t)value;
}

// Through the piecewise linear map: `position` in `span` of the source becomes a place between `low` and `high`, in
// UNITS.
static int16_t warp(int64_t position, int64_t span, const int64_t node[NODES], int64_t low, int64_t high)
{
    // Outside of the box (marks) the map goes on straight, as steep as from end to end.
    if (position < 0 || position > span) {
        int64_t end = position < 0 ? low : high, beyond = position < 0 ? position : position - span;
        int64_t place = end * span + (high - low) * beyond;
        return narrow(divide_rounding(place / 16 * UNITS, span * (TENTHS * 1000 / 16)));
    }
    int64_t segment = position * (NODES - 1) / span;
    if (segment > NODES - 2)
        segment = NODES - 2;
    int64_t rest = position * (NODES - 1) - segment * span; // of `span`
    // The mapped place between 0 and 1, in 1/2^20, then between low and high, then in UNITS.
    int64_t mapped = node[segment] * span + (node[segment + 1] - node[segment]) * rest;
    int64_t share = divide_rounding(mapped * (1 << 20), TENTHS * span);
    int64_t place = low * (1 << 20) + (high - low) * share; // 1/2^20 of 1/10000 of 1/1000
    int64_t value = divide_rounding(place / 16 * UNITS, (int64_t)TENTHS * 1000 * (1 << 16));
    return narrow(value);
}

static struct glyph *begin_glyph(const struct metric *m)
{
    if (glyph_count == MAX_GLYPHS)
        fail("too many glyphs");
    struct glyph *g = &glyphs[glyph_count++];
    *g = (struct glyph){
        .codepoint = m->codepoint, .advance_2048 = m->advance_2048, .first_point = point_count, .first_end = end_count};
    return g;
}

static void add_point(struct glyph *g, int16_t x, int16_t y, uint8_t tag)
{
    if (point_count == point_cap) {
        point_cap = point_cap ? point_cap * 2 : 4096;
        points = realloc(points, point_cap * 2 * sizeof *points);
        tags = realloc(tags, point_cap);
        if (!points || !tags)
            fail("out of memory");
    }
    points[point_count * 2] = x;
    points[point_count * 2 + 1] = y;
    tags[point_count++] = tag;
    g->point_count++;
}

static void add_end(struct glyph *g, size_t end)
{
    if (end_count == end_cap) {
        end_cap = end_cap ? end_cap * 2 : 1024;
        ends = realloc(ends, end_cap * sizeof *ends);
        if (!ends)
            fail("out of memory");
    }
    ends[end_count++] = (uint16_t)end;
    g->end_count++;
}

// How the outline of a character is had: a row of the table of maps.
struct recipe {
    const struct metric *metric;
    struct source *source;
    char axes[64];
    int64_t box[4], xs[NODES], ys[NODES];
};

static struct recipe recipes[MAX_GLYPHS];
static size_t recipe_count;

// Adds `character` of the recipe's face as `codepoint`, moved by `shift` (1/160000 em); false when the face lacks it.
static bool add_warped(FT_Library library, const struct recipe *r, uint32_t codepoint, uint32_t character,
                       int64_t shift)
{
    int units_per_em = 0;
    const FT_Outline *outline = load_outline(library, r->source, r->axes, character, &units_per_em);
    if (!outline)
        return false;
    const struct metric *m = r->metric;
    struct glyph *g = begin_glyph(m);
    g->codepoint = codepoint;
    for (int i = 0; i < outline->n_points; i++) {
        int64_t x = divide_rounding((int64_t)outline->points[i].x * TENTHS * 16, units_per_em) + shift;
        int64_t y = divide_rounding((int64_t)outline->points[i].y * TENTHS * 16, units_per_em);
        add_point(g, warp(x - r->box[0] * 16, (r->box[1] - r->box[0]) * 16, r->xs, m->xmin, m->xmax),
                  warp(y - r->box[2] * 16, (r->box[3] - r->box[2]) * 16, r->ys, m->ymin, m->ymax),
                  (uint8_t)(outline->tags[i] & 3));
    }
    for (int i = 0; i < outline->n_contours; i++)
        add_end(g, (size_t)outline->contours[i]);
    return true;
}

// True when the character is one that is drawn by hand.
static bool add_drawn(const struct metric *m)
{
    struct glyph *g = NULL;
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++) {
        if (drawn[i].codepoint != m->codepoint)
            continue;
        if (!g)
            g = begin_glyph(m);
        for (int k = 0; k < drawn[i].count; k++)
            add_point(g, narrow(divide_rounding((int64_t)drawn[i].xy[k * 2] * UNITS, 500)),
                      narrow(divide_rounding((int64_t)drawn[i].xy[k * 2 + 1] * UNITS, 500)), 1);
        add_end(g, g->point_count - 1);
    }
    return g != NULL;
}

static void read_warp(FT_Library library, const char *path)
{
    char line[2048], *field[MAX_FIELDS];
    FILE *file = open_table(path, line, sizeof line);
    while (fgets(line, sizeof line, file)) {
        if (split_csv(line, field) < 9 + 2 * NODES || recipe_count == MAX_GLYPHS)
            fail("%s: a row has too few columns, or there are too many rows", path);
        struct recipe *r = &recipes[recipe_count++];
        r->metric = find_metric((uint32_t)strtoul(field[0], NULL, 16));
        r->source = find_source(field[2]);
        snprintf(r->axes, sizeof r->axes, "%s", field[3]);
        for (int i = 0; i < 4; i++)
            r->box[i] = decimal(field[5 + i]);
        for (int i = 0; i < NODES; i++) {
            r->xs[i] = decimal(field[9 + i]);
            r->ys[i] = decimal(field[9 + NODES + i]);
        }
        uint32_t character = first_codepoint(field[4]);
        if (add_drawn(r->metric))
            continue;
        if (!add_warped(library, r, r->metric->codepoint, character, 0))
            fail("%s has no U+%04" PRIX32, r->source->name, character);
    }
    fclose(file);
}

// In 1/160000 em.
static int64_t face_advance(FT_Library library, const struct recipe *r, uint32_t character)
{
    int units_per_em = 0;
    if (!load_outline(library, r->source, r->axes, character, &units_per_em))
        return 0;
    for (int i = 0; i < 3 && r->source->faces[i]; i++)
        if (FT_Get_Char_Index(r->source->faces[i], character))
            return r->source->faces[i]->glyph->metrics.horiAdvance * TENTHS * 16 / units_per_em;
    return 0;
}

// Letters with marks that were not measured: the face that gave the letter gives them too, through the letter's own
// map, and they take the letter's room. Those that the face lacks are left to the faces of the system.
static void read_composed(FT_Library library, const char *path)
{
    char line[2048], *field[MAX_FIELDS];
    FILE *file = open_table(path, line, sizeof line);
    while (fgets(line, sizeof line, file)) {
        if (split_csv(line, field) < 4)
            fail("%s: a row has too few columns", path);
        uint32_t codepoint = (uint32_t)strtoul(field[0], NULL, 16), base = first_codepoint(field[2]);
        for (size_t i = 0; i < recipe_count; i++)
            if (recipes[i].metric->codepoint == base) {
                // A stroke through the letter makes the face's glyph wider on both sides; the letter stays in its
                // place.
                int64_t wider = field[3][0] == '1' ? face_advance(library, &recipes[i], codepoint) -
                                                         face_advance(library, &recipes[i], base)
                                                   : 0;
                add_warped(library, &recipes[i], codepoint, codepoint, -wider / 2);
            }
    }
    fclose(file);
}

static const struct glyph *find_glyph(uint32_t codepoint)
{
    for (size_t i = 0; i < glyph_count; i++)
        if (glyphs[i].codepoint == codepoint)
            return &glyphs[i];
    fail("no outline of U+%04" PRIX32 " to derive another one from", codepoint);
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
                add_point(g, (int16_t)(points[at * 2] + copy * shift), points[at * 2 + 1], tags[at]);
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

static int by_codepoint(const void *a, const void *b)
{
    uint32_t x = ((const struct glyph *)a)->codepoint, y = ((const struct glyph *)b)->codepoint;
    return x < y ? -1 : x > y;
}

static void write_table(const char *path)
{
    qsort(glyphs, glyph_count, sizeof *glyphs, by_codepoint);
    FILE *out = fopen(path, "w");
    if (!out)
        fail("cannot write %s: %s", path, strerror(errno));
    fputs("// Made by tools/font0/make_font0.c: the outlines of font 0.\n#include \"font/font0.h\"\n\n", out);
    fprintf(out, "const uint32_t pl_font0_glyph_count = %zu;\n", glyph_count);
    fputs("const struct pl_font0_glyph pl_font0_glyphs[] = {\n", out);
    for (size_t i = 0; i < glyph_count; i++)
        fprintf(out, "{0x%04" PRIX32 ", %" PRId64 ", %zu, %zu, %zu, %zu},\n", glyphs[i].codepoint,
                glyphs[i].advance_2048, glyphs[i].first_point, glyphs[i].point_count, glyphs[i].first_end,
                glyphs[i].end_count);
    fputs("};\nconst int16_t pl_font0_points[] = {", out);
    for (size_t i = 0; i < point_count * 2; i++)
        fprintf(out, "%s%d,", i % 24 ? "" : "\n", points[i]);
    fputs("\n};\nconst uint8_t pl_font0_tags[] = {", out);
    for (size_t i = 0; i < point_count; i++)
        fprintf(out, "%s%d,", i % 48 ? "" : "\n", tags[i]);
    fputs("\n};\nconst uint16_t pl_font0_ends[] = {", out);
    for (size_t i = 0; i < end_count; i++)
        fprintf(out, "%s%d,", i % 24 ? "" : "\n", ends[i]);
    fputs("\n};\n", out);
    if (fclose(out) != 0)
        fail("cannot write %s: %s", path, strerror(errno));
}

int main(int argc, char **argv)
{
    if (argc != 6)
        fail("usage: make_font0 METRICS.csv WARP.csv COMPOSED.csv FONTSOURCE_DIR OUTPUT.c");
    FT_Library library;
    if (FT_Init_FreeType(&library))
        fail("FreeType does not start");
    read_metrics(argv[1]);
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        sources[i].faces[0] = open_face(library, argv[4], &sources[i], "latin");
        sources[i].faces[1] = open_face(library, argv[4], &sources[i], "latin-ext");
        if (sources[i].vietnamese)
            sources[i].faces[2] = open_face(library, argv[4], &sources[i], "vietnamese");
    }
    read_warp(library, argv[2]);
    read_composed(library, argv[3]);
    add_permille();
    add_backslash();
    add_derived();
    add_thirds();
    // The space has an advance and no outline.
    begin_glyph(find_metric(' '));
    write_table(argv[5]);
    FT_Done_FreeType(library);
    return 0;
}
