// What the targets of decoders share: bytes that end at a page that nobody may read, and small limits.
#ifndef PL_FUZZ_DECODE_H
#define PL_FUZZ_DECODE_H

#include <stdlib.h>

#include "../../unit/guard_page.h"
#include "picture/decoders.h"
#include "picture/dots.h"

// `head` is what files of the kind begin with.
static inline void fuzz_decode(pl_picture_decoder *decode, const char *head, size_t head_size, const uint8_t *data,
                               size_t size)
{
    static struct guard_page guard;
    uint8_t joined[8192];
    if (size + head_size > sizeof joined)
        return;
    memcpy(joined, head, head_size);
    if (size)
        memcpy(joined + head_size, data, size);
    const uint8_t *file = guard_page_put(&guard, joined, size + head_size);
    struct pl_arena arena;
    struct pl_error err;
    const struct pl_job job = {0};
    const char *why = NULL;
    if (!file)
        return;
    pl_arena_init(&arena, (size_t)64 << 20);
    struct pl_img_env env = {.arena = &arena, .job = &job, .limit = 1 << 20, .shades = true};
    struct pl_img_shades shades = {0};
    struct pl_graphic_rows rows;
    enum pl_errc code = decode(&env, pl_slice_make(file, size + head_size), &shades, &why, &err);
    if (code == PL_E_BUG || pl_picture_orientation(pl_slice_make(file, size + head_size)) - 1 > 7)
        abort();
    if (code == PL_OK && !why) {
        if (!shades.bytes || (size_t)shades.width * shades.height > 1 << 20)
            abort();
        env.used = 0;
        if (pl_picture_dots(&env, &shades, (enum pl_dither)(size % 5), 128, &rows, &err) != PL_OK)
            abort();
    }
    pl_arena_fini(&arena);
}

#endif
