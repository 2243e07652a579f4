// Barcodes somewhere in a picture: every search over it, upright and turned.
#include "check/find_internal.h"

enum pl_errc pl_find_symbols(const struct pl_bitmap *picture, const struct pl_job *job, struct pl_arena *arena,
                             struct pl_find_result *out, struct pl_error *err)
{
    static const enum pl_rotation turns[] = {PL_ROT_N, PL_ROT_R, PL_ROT_I, PL_ROT_B};
    struct pl_find find = {.picture = picture, .job = job, .arena = arena, .out = out, .err = err};
    const struct pl_box all = {0, 0, (int32_t)picture->width, (int32_t)picture->height};
    bool read;
    *out = (struct pl_find_result){0};
    if (!pl_zxing_present() || picture->width == 0 || picture->height == 0 || picture->width > PL_ZXING_MAX_SIDE ||
        picture->height > PL_ZXING_MAX_SIDE || (uint64_t)picture->width * picture->height > PL_ZXING_MAX_DOTS)
        return PL_OK;
    out->searched = true;
    struct pl_bitmap reversed;
    PL_TRY(pl_bitmap_new(arena, picture->width, picture->height, &reversed, err));
    pl_bitmap_fill(&reversed, all, PL_INK_BLACK);
    pl_bitmap_blit(&reversed, picture, 0, 0, PL_INK_WHITE);
    struct pl_find white = find;
    white.picture = &reversed;
    PL_TRY(pl_find_qr(&find));
    PL_TRY(pl_find_qr(&white));
    for (int i = 0; i < 4; i++) {
        struct pl_bitmap turned = *picture;
        if (turns[i] != PL_ROT_N)
            PL_TRY(pl_bitmap_turn(arena, picture, turns[i], &turned, err));
        PL_TRY(pl_find_pdf417(&find, &turned, turns[i]));
    }
    PL_TRY(pl_find_by_zxing(&find, all, PL_FIND_LINEAR, false, &read));
    return pl_find_blocks(&find);
}
