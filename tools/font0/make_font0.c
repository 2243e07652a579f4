// Build step: makes the outlines of font 0 out of five open variable faces and tables of measured figures.
//
//   make_font0 METRICS.csv WARP.csv GRIDS.csv COMPOSED.csv FONTSOURCE_DIR OUTPUT.c
//
// All arithmetic is in integers, so that every machine makes the same table.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_MULTIPLE_MASTERS_H
#include FT_OUTLINE_H

#include "table.h"

#define NODES 9 // of the maps

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
        // Strokes may be made fatter or thinner than the face's axes go, in 1/1000 em.
        const char *bold = strstr(axes, "bold=");
        if (bold) {
            FT_Pos strength = (FT_Pos)divide_rounding(decimal(bold + 5) * *units_per_em, (int64_t)TENTHS * 1000);
            if (FT_Outline_EmboldenXY(&s->faces[i]->glyph->outline, strength, strength))
                fail("%s: U+%04" PRIX32 " cannot be made bolder", s->name, codepoint);
        }
        return &s->faces[i]->glyph->outline;
    }
    return NULL;
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
        int16_t to_x = warp(x - r->box[0] * 16, (r->box[1] - r->box[0]) * 16, r->xs, m->xmin, m->xmax);
        int16_t to_y = warp(y - r->box[2] * 16, (r->box[3] - r->box[2]) * 16, r->ys, m->ymin, m->ymax);
        move_by_grid(m->codepoint, &to_x, &to_y);
        add_point(g, to_x, to_y, (uint8_t)(outline->tags[i] & 3));
    }
    for (int i = 0; i < outline->n_contours; i++)
        add_end(g, (size_t)outline->contours[i]);
    return true;
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

int main(int argc, char **argv)
{
    if (argc != 7)
        fail("usage: make_font0 METRICS.csv WARP.csv GRIDS.csv COMPOSED.csv FONTSOURCE_DIR OUTPUT.c");
    FT_Library library;
    if (FT_Init_FreeType(&library))
        fail("FreeType does not start");
    read_metrics(argv[1]);
    read_grids(argv[3]);
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        sources[i].faces[0] = open_face(library, argv[5], &sources[i], "latin");
        sources[i].faces[1] = open_face(library, argv[5], &sources[i], "latin-ext");
        if (sources[i].vietnamese)
            sources[i].faces[2] = open_face(library, argv[5], &sources[i], "vietnamese");
    }
    read_warp(library, argv[2]);
    read_composed(library, argv[4]);
    add_derived_glyphs();
    write_table(argv[6]);
    FT_Done_FreeType(library);
    return 0;
}
