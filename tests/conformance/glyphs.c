// Measures where glyphs stand: every glyph of the carrier labels' plain font-0 fields is compared with the reference's
// image in its place and one dot before and behind it. Last line: "N passed, N failed".
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/page.h"
#include "font/draw/text.h"
#include "lang/zpl/zpl.h"
#include "picture.h"
#include "table.h"

#define LEAST_SHARE 0.995
#define SMOOTH 4

struct seen {
    uint32_t character;
    int32_t x, y;
    enum pl_rotation rotation;
};

struct place_list {
    struct seen at[4096];
    uint32_t count;
};

struct measure {
    struct pl_writer *writer;
    struct pl_arena arena, scratch;
    struct pl_bitmap page; // the label with all that is on it
    struct picture reference;
    uint32_t right, wrong;
    bool verbose;
};

static void note_glyph(void *user, uint32_t character, int32_t x, int32_t y, enum pl_rotation rotation)
{
    struct place_list *places = user;
    if (places->count < 4096)
        places->at[places->count++] = (struct seen){character, x, y, rotation};
}

static bool read_file(const char *path, uint8_t **data, size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return false;
    bool ok = fseek(f, 0, SEEK_END) == 0;
    long end = ok ? ftell(f) : -1;
    rewind(f);
    *data = end >= 0 ? malloc((size_t)end + 1) : NULL;
    *size = (size_t)end;
    ok = *data && fread(*data, 1, *size, f) == *size;
    fclose(f);
    return ok;
}

// A glyph alone on a canvas of 8 dots more than its ink each way; coverage in 1/255.
struct alone {
    struct pl_box box; // on the label
    uint8_t *coverage;
    uint32_t width, height;
};

static bool draw_alone(struct measure *m, const struct pl_font_ref *font, const struct seen *g, struct alone *out)
{
    struct pl_bitmap canvas;
    struct pl_box ink;
    struct pl_text_target target = {
        .profile = &pl_profile_reference.font, .scale = SMOOTH, .dpmm = 8, .arena = &m->scratch, .canvas = &canvas};
    // Once to learn its size, on a canvas of one dot, and once to draw it.
    if (pl_bitmap_new(&m->arena, SMOOTH, SMOOTH, &canvas, NULL) != PL_OK ||
        pl_text_draw_line(m->writer, &target, font, &g->character, 1, (struct pl_frame){g->x, g->y, g->rotation}, 0, 0,
                          (struct pl_source){0}, &ink, NULL) != PL_OK ||
        pl_box_is_empty(ink) || ink.x1 - ink.x0 > 2000 || ink.y1 - ink.y0 > 2000)
        return false;
    out->width = (uint32_t)(ink.x1 - ink.x0);
    out->height = (uint32_t)(ink.y1 - ink.y0);
    out->box = ink;
    if (pl_bitmap_new(&m->arena, out->width * SMOOTH, out->height * SMOOTH, &canvas, NULL) != PL_OK ||
        pl_text_draw_line(m->writer, &target, font, &g->character, 1,
                          (struct pl_frame){g->x - ink.x0, g->y - ink.y0, g->rotation}, 0, 0, (struct pl_source){0},
                          &ink, NULL) != PL_OK)
        return false;
    out->coverage = pl_arena_zalloc(&m->arena, (size_t)out->width * out->height, 1);
    if (!out->coverage)
        return false;
    for (uint32_t y = 0; y < out->height * SMOOTH; y++)
        for (uint32_t x = 0; x < out->width * SMOOTH; x++)
            if (pl_bitmap_get(&canvas, x, y)) {
                uint8_t *dot = &out->coverage[y / SMOOTH * out->width + x / SMOOTH];
                *dot = (uint8_t)(*dot + 15); // 16 of them make 240, near enough to full
            }
    return true;
}

// True when nothing but the field has ink around the glyph.
static bool stands_free(const struct measure *m, const struct alone *g, const struct pl_bitmap *field)
{
    for (int32_t y = g->box.y0 - 1; y <= g->box.y1; y++)
        for (int32_t x = g->box.x0 - 1; x <= g->box.x1; x++)
            if (x >= 0 && y >= 0 && x < (int32_t)m->page.width && y < (int32_t)m->page.height &&
                pl_bitmap_get(&m->page, (uint32_t)x, (uint32_t)y) && !pl_bitmap_get(field, (uint32_t)x, (uint32_t)y))
                return false;
    return true;
}

// Squared difference between the glyph, moved by (dx, dy), and the reference. Dots that other glyphs of the field
// reach do not count.
static double difference(const struct measure *m, const struct alone *g, const struct pl_bitmap *others, int32_t dx,
                         int32_t dy)
{
    double sum = 0;
    for (int32_t y = g->box.y0 - 1; y <= g->box.y1; y++)
        for (int32_t x = g->box.x0 - 1; x <= g->box.x1; x++) {
            if (x < 0 || y < 0 || x >= (int32_t)m->reference.width || y >= (int32_t)m->reference.height ||
                pl_bitmap_get(others, (uint32_t)x, (uint32_t)y))
                continue;
            int32_t gx = x - g->box.x0 - dx, gy = y - g->box.y0 - dy;
            int ours = gx >= 0 && gy >= 0 && gx < (int32_t)g->width && gy < (int32_t)g->height
                           ? g->coverage[(uint32_t)gy * g->width + (uint32_t)gx]
                           : 0;
            double d = ours - (255 - m->reference.dots[(uint32_t)y * m->reference.width + (uint32_t)x]);
            sum += d * d;
        }
    return sum;
}

static void measure_field(struct measure *m, const struct row *row, const struct pl_element *e, int32_t offset_x)
{
    static struct place_list places;
    places.count = 0;
    struct pl_bitmap canvas;
    struct pl_pen pen = {false, 0, 0};
    struct pl_text_result result;
    struct pl_glyph_watch watch = {note_glyph, &places};
    struct pl_element moved = *e;
    moved.at.x += offset_x;
    struct pl_text_target target = {.profile = &pl_profile_reference.font,
                                    .canvas = &canvas,
                                    .scale = 1,
                                    .dpmm = 8,
                                    .arena = &m->scratch,
                                    .watch = &watch};
    if (pl_bitmap_new(&m->arena, m->reference.width, m->reference.height, &canvas, NULL) != PL_OK ||
        pl_text_draw(m->writer, &target, &moved, &pen, &result, NULL) != PL_OK)
        return;
    target.watch = NULL;
    bool upright = e->rotation == PL_ROT_N || e->rotation == PL_ROT_I;
    for (uint32_t i = 0; i < places.count; i++) {
        struct alone glyph;
        struct pl_arena_mark mark = pl_arena_mark(&m->arena);
        if (draw_alone(m, &e->text.font, &places.at[i], &glyph) && glyph.box.x0 > 0 && glyph.box.y0 > 0 &&
            glyph.box.x1 < (int32_t)m->reference.width && glyph.box.y1 < (int32_t)m->reference.height &&
            stands_free(m, &glyph, &canvas)) {
            // The field without this glyph: black where others have any ink.
            struct pl_bitmap others;
            if (pl_bitmap_new(&m->arena, m->reference.width, m->reference.height, &others, NULL) != PL_OK)
                return;
            target.canvas = &others;
            target.any_coverage = true;
            for (uint32_t k = 0; k < places.count; k++) {
                struct pl_box ink;
                if (k != i && labs(places.at[k].x - places.at[i].x) + labs(places.at[k].y - places.at[i].y) < 400 &&
                    pl_text_draw_line(m->writer, &target, &e->text.font, &places.at[k].character, 1,
                                      (struct pl_frame){places.at[k].x, places.at[k].y, e->rotation}, 0, 0,
                                      (struct pl_source){0}, &ink, NULL) != PL_OK)
                    return;
            }
            double here = difference(m, &glyph, &others, 0, 0);
            int best = 0;
            for (int step = -2; step <= 2; step++)
                if (difference(m, &glyph, &others, upright ? step : 0, upright ? 0 : step) < here) {
                    here = difference(m, &glyph, &others, upright ? step : 0, upright ? 0 : step);
                    best = step;
                }
            *(best == 0 ? &m->right : &m->wrong) += 1;
            if (best != 0 && m->verbose)
                printf("%s: U+%04X at %d,%d, height %d, width %d, rotation %d: off by %d\n", row->id,
                       (unsigned)places.at[i].character, places.at[i].x, places.at[i].y, e->text.font.height,
                       e->text.font.width, (int)e->rotation, best);
        }
        pl_arena_release(&m->arena, mark);
    }
}

static bool is_plain(const struct pl_element *e)
{
    return e->kind == PL_ELEMENT_TEXT && !e->reverse && e->text.font.resident == '0' && !e->text.font.file &&
           e->text.block.kind == PL_BLOCK_NONE && e->text.direction == PL_DIR_HORIZONTAL && !e->at.x_goes_on &&
           !e->at.y_goes_on;
}

static void measure_label(struct measure *m, const char *data, const struct row *row)
{
    char path[512], why[256];
    uint8_t *zpl = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/%s", data, row->png);
    if (!picture_read(path, &m->reference, why, sizeof why))
        return;
    snprintf(path, sizeof path, "%s/%s", data, row->zpl);
    if (read_file(path, &zpl, &size)) {
        struct pl_store store;
        struct pl_diags diags;
        struct pl_scene scene;
        struct pl_limits limits = PL_LIMITS_DEFAULT;
        struct pl_lang_options options = {.profile = &pl_profile_reference,
                                          .dpmm = row->dpmm,
                                          .width = m->reference.width,
                                          .height = m->reference.height,
                                          .limits = limits,
                                          .time = 1577836800};
        pl_store_init(&store, &m->arena, NULL, (size_t)64 << 20);
        pl_diags_init(&diags, &m->arena, 100);
        if (pl_zpl_interpret((struct pl_slice){zpl, size}, &options, &store, &m->arena, &diags, NULL, &scene, NULL) ==
                PL_OK &&
            row->page < scene.label_count) {
            const struct pl_label *label = &scene.labels[row->page];
            int32_t offset = label->print_width && label->print_width < m->reference.width
                                 ? (int32_t)((m->reference.width - label->print_width) / 2)
                                 : 0;
            struct pl_page_options page_options = {
                .width = m->reference.width, .height = m->reference.height, .dpmm = row->dpmm};
            struct pl_page_tools tools = {m->writer, &m->arena, &m->scratch, &diags, NULL};
            struct pl_drawn_page page;
            bool straight = !label->upside_down && !label->mirrored &&
                            pl_page_draw(&scene, label, &page_options, &tools, &page, NULL) == PL_OK;
            m->page = page.bits;
            for (uint32_t i = 0; straight && i < label->element_count; i++)
                if (is_plain(label->elements[i]))
                    measure_field(m, row, label->elements[i], offset);
        }
    }
    free(zpl);
    picture_free(&m->reference);
    pl_writer_end_job(m->writer);
    pl_arena_reset(&m->arena, (size_t)64 << 20);
}

int main(int argc, char **argv)
{
    const char *data = argc > 1 ? argv[1] : "../shared/labelary";
    static struct measure m;
    m.verbose = argc > 2 && strcmp(argv[2], "--verbose") == 0;
    struct table table = {0};
    if (!table_read(data, &table)) {
        printf("no labels at %s\n0 passed, 0 failed, 1 skipped\n", data);
        return 0;
    }
    struct pl_fonts *fonts;
    if (pl_fonts_new(NULL, &fonts, NULL) != PL_OK ||
        pl_writer_new(fonts, (size_t)16 << 20, NULL, &m.writer, NULL) != PL_OK)
        return 1;
    pl_arena_init(&m.arena, (size_t)1 << 30);
    pl_arena_init(&m.scratch, (size_t)256 << 20);
    for (size_t i = 0; i < table.count; i++)
        if (strcmp(table.rows[i].group, "carrier") == 0)
            measure_label(&m, data, &table.rows[i]);
    uint32_t all = m.right + m.wrong;
    double share = all > 0 ? (double)m.right / all : 0;
    printf("%u of %u glyphs stand where the reference has them: %.3f %%, at least %.1f %% are wanted\n", m.right, all,
           share * 100, LEAST_SHARE * 100);
    pl_writer_free(m.writer);
    pl_fonts_free(fonts);
    pl_arena_fini(&m.arena);
    pl_arena_fini(&m.scratch);
    table_free(&table);
    bool good = share >= LEAST_SHARE;
    printf("%d passed, %d failed\n", good, !good);
    return good ? 0 : 1;
}
