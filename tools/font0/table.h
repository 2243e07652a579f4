// What the parts of the build step share: figures from tables, and the table of outlines that it makes.
#ifndef PL_TOOLS_FONT0_TABLE_H
#define PL_TOOLS_FONT0_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define UNITS 16384  // units of the result per dot of height (y) and width (x)
#define TENTHS 10000 // figures of the tables are kept in 1/10000
#define MAX_FIELDS 32
#define MAX_GLYPHS 1024

struct metric {
    uint32_t codepoint;
    int64_t advance_2048;
    int64_t xmin, xmax, ymin, ymax; // 1/10000 of 1/1000 of the height
    bool has_box;
};

struct glyph {
    uint32_t codepoint;
    int64_t advance_2048;
    size_t first_point, point_count;
    size_t first_end, end_count;
};

// The outlines made so far.
extern int16_t *points; // x, y
extern uint8_t *tags;
extern uint16_t *ends;

void fail(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));
// A decimal number in 1/10000, without the locale and without floating point.
int64_t decimal(const char *text);
int64_t divide_rounding(int64_t a, int64_t b);
int16_t narrow(int64_t value);
uint32_t first_codepoint(const char *utf8);

// Opens a table and passes over the line that names its columns.
FILE *open_table(const char *path, char *line, size_t size);
// Splits a line of CSV in place; a field may be quoted, with "" for a quote.
size_t split_csv(char *line, char *fields[MAX_FIELDS]);

void read_metrics(const char *path);
const struct metric *find_metric(uint32_t codepoint);

struct glyph *begin_glyph(const struct metric *m);
// The same; an outline that the character has already is given up.
struct glyph *replace_glyph(const struct metric *m);
void add_point(struct glyph *g, int16_t x, int16_t y, uint8_t tag);
void add_end(struct glyph *g, size_t end);
const struct glyph *find_glyph(uint32_t codepoint);
void write_table(const char *path);

// grid.c: moves a place of a glyph as its grid says; places of glyphs without one stay.
void read_grids(const char *path);
void move_by_grid(uint32_t codepoint, int16_t *x, int16_t *y);

// derive.c: characters made of others or drawn by hand. True when it is one of the latter.
bool add_drawn(const struct metric *m);
void add_derived_glyphs(void);

#endif
