// Rows of ink and bitmaps made of them, held against the limit of decoded pictures.
#include <string.h>

#include "img/rows.h"

struct pl_img_kept *pl_img_keep(struct pl_img_env *env, uint64_t id, bool *fresh)
{
    struct pl_img_kept **bucket = &env->kept[id % PL_IMG_KEPT_BUCKETS], *kept = *bucket;
    while (kept && kept->id != id)
        kept = kept->next;
    *fresh = kept == NULL;
    if (*fresh && (kept = PL_ARENA_NEW(env->arena, struct pl_img_kept)) != NULL) {
        *kept = (struct pl_img_kept){.next = *bucket, .id = id};
        *bucket = kept;
    }
    return kept;
}

enum pl_errc pl_img_charge(struct pl_img_env *env, uint64_t bytes, struct pl_error *err)
{
    if (bytes > env->limit - env->used)
        return pl_fail(err, PL_E_LIMIT, "the graphics of this input take more than %zu bytes when decoded", env->limit);
    env->used += (size_t)bytes;
    return PL_OK;
}

static enum pl_errc fail_needs(const struct pl_img_env *env, uint64_t bytes, struct pl_error *err)
{
    return pl_fail(err, PL_E_LIMIT, "decoding the picture takes %llu bytes, and all that is done for it may take %zu",
                   (unsigned long long)bytes, env->arena->limit);
}

enum pl_errc pl_img_needs(const struct pl_img_env *env, uint64_t bytes, struct pl_error *err)
{
    return bytes <= pl_arena_room(env->arena) ? PL_OK : fail_needs(env, bytes, err);
}

enum pl_errc pl_img_scratch(struct pl_img_env *env, uint64_t bytes, uint8_t **out, struct pl_error *err)
{
    if (!env->shades)
        PL_TRY(pl_img_charge(env, bytes, err));
    *out = bytes <= env->arena->limit ? pl_arena_zalloc(env->arena, (size_t)bytes, 8) : NULL;
    if (*out)
        return PL_OK;
    return env->shades ? fail_needs(env, bytes, err) : pl_fail_memory(err);
}

enum pl_errc pl_img_fail_library(struct pl_error *err, uint32_t width, uint32_t height)
{
    return pl_fail(err, PL_E_LIMIT, "decoding a picture of %u x %u dots takes more memory than there is for it", width,
                   height);
}

enum pl_errc pl_img_shades_new(struct pl_img_env *env, uint32_t width, uint32_t height, struct pl_img_shades *out,
                               struct pl_error *err)
{
    uint64_t size = (uint64_t)width * height;
    if (size == 0 || width > PL_IMG_MAX_SIDE || height > PL_IMG_MAX_SIDE || size > env->limit - env->used)
        return pl_fail(err, PL_E_LIMIT, "a picture of %u x %u dots is over the limit of %zu dots", width, height,
                       env->limit);
    env->used += (size_t)size;
    *out = (struct pl_img_shades){pl_arena_alloc(env->arena, (size_t)size, 8), width, height};
    if (!out->bytes)
        return pl_fail_memory(err);
    memset(out->bytes, 255, (size_t)size);
    return PL_OK;
}

enum pl_errc pl_img_rows_new(struct pl_img_env *env, uint32_t width, uint32_t height, struct pl_img_rows *out,
                             struct pl_error *err)
{
    out->width = width;
    out->height = height;
    out->bytes_per_row = (width + 7) / 8;
    if (env->shades) {
        struct pl_img_shades shades;
        PL_TRY(pl_img_shades_new(env, width, height, &shades, err));
        out->shades = shades.bytes;
        return PL_OK;
    }
    size_t size = (size_t)out->bytes_per_row * height;
    PL_TRY(pl_img_charge(env, size, err));
    out->bytes = pl_arena_zalloc(env->arena, size ? size : 1, 8);
    return out->bytes ? PL_OK : pl_fail_memory(err);
}

enum pl_errc pl_img_open(struct pl_img_env *env, uint32_t width, uint32_t height, struct pl_bitmap **out,
                         struct pl_error *err)
{
    uint32_t stride = (width + 63) / 64;
    uint64_t words = (uint64_t)stride * height;
    PL_TRY(pl_img_charge(env, words * 8, err));
    struct pl_bitmap *bm = PL_ARENA_NEW(env->arena, struct pl_bitmap);
    if (!bm)
        return pl_fail_memory(err);
    bm->words = pl_arena_zalloc(env->arena, (size_t)words * 8, 64);
    if (!bm->words)
        return pl_fail_memory(err);
    bm->width = width;
    bm->height = height;
    bm->stride = stride;
    *out = bm;
    return PL_OK;
}

void pl_img_close(struct pl_bitmap *bitmap)
{
    // Words have their leftmost dot in the highest bit.
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    size_t n = (size_t)bitmap->stride * bitmap->height;
    for (size_t i = 0; i < n; i++)
        bitmap->words[i] = __builtin_bswap64(bitmap->words[i]);
#else
    (void)bitmap;
#endif
}

enum pl_errc pl_img_from_rows(struct pl_img_env *env, struct pl_slice bytes, uint32_t width, uint32_t height,
                              uint32_t bytes_per_row, const struct pl_bitmap **out, struct pl_error *err)
{
    struct pl_bitmap *bm;
    PL_TRY(pl_img_open(env, width, height, &bm, err));
    size_t used = (width + 7) / 8, pitch = (size_t)bm->stride * 8;
    uint8_t *rows = (uint8_t *)bm->words;
    for (uint32_t y = 0; y < height; y++) {
        struct pl_slice row =
            pl_slice_sub(bytes, (size_t)y * bytes_per_row, used < bytes_per_row ? used : bytes_per_row);
        if (row.len == 0)
            break;
        memcpy(rows + y * pitch, row.ptr, row.len);
        if (width % 8 && row.len == used)
            rows[y * pitch + used - 1] &= (uint8_t)(0xFF << (8 - width % 8));
    }
    pl_img_close(bm);
    *out = bm;
    return PL_OK;
}
