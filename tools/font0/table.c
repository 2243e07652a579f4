// Figures in, outlines out: reading CSV, keeping glyphs, writing the C table.
#include "table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static struct metric metrics[MAX_GLYPHS];
static size_t metric_count;
static struct glyph glyphs[MAX_GLYPHS];
static size_t glyph_count;
int16_t *points;
uint8_t *tags;
uint16_t *ends;
static size_t point_count, point_cap, end_count, end_cap;

void fail(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fputs("font0: ", stderr);
    vfprintf(stderr, fmt, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

int64_t decimal(const char *text)
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

int64_t divide_rounding(int64_t a, int64_t b)
{
    if (b < 0) {
        a = -a;
        b = -b;
    }
    return a >= 0 ? (a + b / 2) / b : -((-a + b / 2) / b);
}

size_t split_csv(char *line, char *fields[MAX_FIELDS])
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

uint32_t first_codepoint(const char *utf8)
{
    const unsigned char *s = (const unsigned char *)utf8;
    if (s[0] < 0x80)
        return s[0];
    if (s[0] < 0xE0)
        return (uint32_t)(s[0] & 0x1F) << 6 | (s[1] & 0x3F);
    return (uint32_t)(s[0] & 0x0F) << 12 | (uint32_t)(s[1] & 0x3F) << 6 | (s[2] & 0x3F);
}

FILE *open_table(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "r");
    if (!file || !fgets(line, (int)size, file)) // the first line names the columns
        fail("cannot read %s: %s", path, strerror(errno));
    return file;
}

void read_metrics(const char *path)
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

const struct metric *find_metric(uint32_t codepoint)
{
    for (size_t i = 0; i < metric_count; i++)
        if (metrics[i].codepoint == codepoint)
            return &metrics[i];
    fail("U+%04" PRIX32 " has an outline but no metrics", codepoint);
}

int16_t narrow(int64_t value)
{
    if (value < INT16_MIN || value > INT16_MAX)
        fail("an outline leaves the range of the table");
    return (int16_t)value;
}

struct glyph *begin_glyph(const struct metric *m)
{
    if (glyph_count == MAX_GLYPHS)
        fail("too many glyphs");
    struct glyph *g = &glyphs[glyph_count++];
    *g = (struct glyph){
        .codepoint = m->codepoint, .advance_2048 = m->advance_2048, .first_point = point_count, .first_end = end_count};
    return g;
}

struct glyph *replace_glyph(const struct metric *m)
{
    for (size_t i = 0; i < glyph_count; i++)
        if (glyphs[i].codepoint == m->codepoint)
            glyphs[i] = glyphs[--glyph_count];
    return begin_glyph(m);
}

void add_point(struct glyph *g, int16_t x, int16_t y, uint8_t tag)
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

void add_end(struct glyph *g, size_t end)
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

const struct glyph *find_glyph(uint32_t codepoint)
{
    for (size_t i = 0; i < glyph_count; i++)
        if (glyphs[i].codepoint == codepoint)
            return &glyphs[i];
    fail("no outline of U+%04" PRIX32 " to derive another one from", codepoint);
}

static int by_codepoint(const void *a, const void *b)
{
    uint32_t x = ((const struct glyph *)a)->codepoint, y = ((const struct glyph *)b)->codepoint;
    return x < y ? -1 : x > y;
}

void write_table(const char *path)
{
    qsort(glyphs, glyph_count, sizeof *glyphs, by_codepoint);
    FILE *out = fopen(path, "w");
    if (!out)
        fail("cannot write %s: %s", path, strerror(errno));
    fputs("// Made by tools/font0/make_font0.c: the outlines of font 0.\n#include \"font/face/font0.h\"\n\n", out);
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
