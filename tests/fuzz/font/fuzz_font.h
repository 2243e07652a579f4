// What the font targets share: one writer for all runs, and a reader of the fuzzer's bytes.
#ifndef PL_TESTS_FUZZ_FONT_H
#define PL_TESTS_FUZZ_FONT_H

#include <stdlib.h>

#include "font/draw/text.h"
#include "font/draw/writer.h"

struct stage {
    struct pl_fonts *fonts;
    struct pl_writer *writer;
    struct pl_arena arena, page;
    struct pl_bitmap canvas;
};

static inline struct stage *stage_open(void)
{
    static struct stage stage;
    if (!stage.writer) {
        if (pl_fonts_new(NULL, &stage.fonts, NULL) != PL_OK ||
            pl_writer_new(stage.fonts, (size_t)1 << 20, NULL, &stage.writer, NULL) != PL_OK)
            abort();
        pl_arena_init(&stage.arena, (size_t)64 << 20);
        pl_arena_init(&stage.page, (size_t)1 << 20);
        if (pl_bitmap_new(&stage.page, 300, 200, &stage.canvas, NULL) != PL_OK)
            abort();
    }
    return &stage;
}

struct bytes {
    const uint8_t *at;
    size_t left;
};

static inline uint32_t take(struct bytes *b, int count)
{
    uint32_t value = 0;
    for (; count > 0; count--) {
        value = value << 8 | (b->left ? *b->at : 0);
        if (b->left) {
            b->at++;
            b->left--;
        }
    }
    return value;
}

// Draws an element in a way that the bytes choose; any answer but a crash is right.
static inline void stage_draw(struct stage *stage, struct pl_element *element, struct bytes *b)
{
    struct pl_job job = {NULL, pl_now_ns() + UINT64_C(2000000000)};
    struct pl_text_target target = {.profile = &pl_profile_reference.font,
                                    .canvas = &stage->canvas,
                                    .ink = (enum pl_ink)(take(b, 1) % 3),
                                    .scale = take(b, 1) % 2 ? 4 : 1,
                                    .any_coverage = take(b, 1) % 2,
                                    .dpmm = 8,
                                    .arena = &stage->arena,
                                    .job = &job};
    struct pl_pen pen = {false, 0, 0};
    struct pl_text_result result;
    enum pl_errc code = pl_text_draw(stage->writer, &target, element, &pen, &result, NULL);
    if (code == PL_E_BUG)
        abort();
    struct pl_cache_stats stats;
    pl_cache_stats(stage->writer->cache, &stats);
    if (stats.bytes > stats.limit)
        abort();
    pl_arena_reset(&stage->arena, (size_t)1 << 20);
}

#endif
