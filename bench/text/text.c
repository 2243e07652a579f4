// Microseconds for 48 text fields on a 4 x 6 inch label at 8 dots per mm: cold (new writer, empty cache) and warm.
//
//   text [ROUNDS]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/job.h"
#include "font/draw/text.h"
#include "font/draw/writer.h"

#define WIDTH 812
#define HEIGHT 1218
#define FIELDS 48
#define CACHE ((size_t)4 << 20)

struct field {
    char letter;
    int32_t height, width;
    enum pl_rotation rotation;
    enum pl_block_kind block;
    const char *text;
};

// What a shipping label carries: addresses, references, headings, small print, a block.
static const struct field kinds[] = {
    {'0', 28, 28, PL_ROT_N, PL_BLOCK_NONE, "Sydney Distribution Centre"},
    {'0', 24, 22, PL_ROT_N, PL_BLOCK_NONE, "123 George Street"},
    {'0', 20, 20, PL_ROT_N, PL_BLOCK_NONE, "Ref: 4711-0815/2026"},
    {'0', 50, 45, PL_ROT_N, PL_BLOCK_NONE, "EXPRESS"},
    {'A', 18, 10, PL_ROT_N, PL_BLOCK_NONE, "Weight: 12.5 kg"},
    {'D', 18, 10, PL_ROT_R, PL_BLOCK_NONE, "Parcel 1 of 3"},
    {'0', 22, 20, PL_ROT_N, PL_BLOCK_LINES, "Deliver to the side entrance, ring twice"},
    {'0', 24, 24, PL_ROT_B, PL_BLOCK_NONE, "NSW 2000"},
};
#define KINDS (sizeof kinds / sizeof *kinds)

struct bench {
    struct pl_fonts *fonts;
    struct pl_arena arena, page;
    struct pl_bitmap canvas;
    uint32_t chars[KINDS][64];
    struct pl_element elements[FIELDS];
};

static void fail(const char *what)
{
    fprintf(stderr, "text: %s\n", what);
    exit(1);
}

static void prepare(struct bench *b)
{
    if (pl_fonts_new(NULL, &b->fonts, NULL) != PL_OK)
        fail("no fonts");
    pl_arena_init(&b->arena, (size_t)64 << 20);
    pl_arena_init(&b->page, (size_t)64 << 20);
    if (pl_bitmap_new(&b->page, WIDTH, HEIGHT, &b->canvas, NULL) != PL_OK)
        fail("no memory");
    for (uint32_t i = 0; i < FIELDS; i++) {
        const struct field *f = &kinds[i % KINDS];
        uint32_t length = (uint32_t)strlen(f->text);
        for (uint32_t k = 0; k < length; k++)
            b->chars[i % KINDS][k] = (unsigned char)f->text[k];
        b->elements[i] = (struct pl_element){.kind = PL_ELEMENT_TEXT, .rotation = f->rotation};
        b->elements[i].at.x = 20 + (int32_t)(i % 2) * 400;
        b->elements[i].at.y = 20 + (int32_t)(i / 2) * 48;
        struct pl_text *text = &b->elements[i].text;
        text->font = (struct pl_font_ref){.resident = (uint8_t)f->letter, .height = f->height, .width = f->width};
        text->chars = b->chars[i % KINDS];
        text->length = length;
        text->block = (struct pl_block){.kind = f->block, .width = 300, .max_lines = 3};
    }
}

static double draw_all(struct bench *b, struct pl_writer *writer)
{
    struct pl_text_target target = {
        .profile = &pl_profile_reference.font, .canvas = &b->canvas, .scale = 1, .dpmm = 8, .arena = &b->arena};
    struct pl_pen pen = {false, 0, 0};
    struct pl_text_result result;
    uint64_t start = pl_now_ns();
    for (uint32_t i = 0; i < FIELDS; i++)
        if (pl_text_draw(writer, &target, &b->elements[i], &pen, &result, NULL) != PL_OK)
            fail("cannot draw");
    return (double)(pl_now_ns() - start) / 1000;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 2000;
    if (rounds < 10 || rounds > 1000000)
        fail("ROUNDS is 10 to 1000000");
    static struct bench b;
    prepare(&b);
    double *times = malloc((size_t)rounds * sizeof *times);
    if (!times)
        fail("no memory");
    struct pl_writer *writer;
    double cold = 0;
    for (int i = 0; i < 5; i++) {
        if (pl_writer_new(b.fonts, CACHE, NULL, &writer, NULL) != PL_OK)
            fail("no writer");
        cold += draw_all(&b, writer) / 5;
        if (i < 4)
            pl_writer_free(writer);
    }
    for (int i = 0; i < rounds; i++)
        times[i] = draw_all(&b, writer);
    qsort(times, (size_t)rounds, sizeof *times, by_value);
    struct pl_cache_stats stats;
    pl_cache_stats(writer->cache, &stats);
    printf("48 text fields, cold  %8.1f us\n", cold);
    printf("48 text fields, warm  %8.1f us (median; best %.1f, 99th %.1f of %d)\n", times[rounds / 2], times[0],
           times[rounds * 99 / 100], rounds);
    printf("glyph cache           %8zu bytes of %zu, %llu hits, %llu misses\n", stats.bytes, stats.limit,
           (unsigned long long)stats.hits, (unsigned long long)stats.misses);
    pl_writer_free(writer);
    pl_fonts_free(b.fonts);
    pl_arena_fini(&b.arena);
    pl_arena_fini(&b.page);
    free(times);
    return 0;
}
