// WebP by libwebp. The only file that knows its decoder.
#include <webp/decode.h>

#include "picture/decode.h"

enum pl_errc pl_picture_webp(struct pl_img_env *env, struct pl_slice file, struct pl_img_shades *out, const char **why,
                             struct pl_error *err)
{
    WebPBitstreamFeatures features;
    if (WebPGetFeatures(file.ptr, file.len, &features) != VP8_STATUS_OK) {
        *why = "it is a damaged WebP";
        return PL_OK;
    }
    if (features.has_animation) {
        *why = "it is an animated WebP";
        return PL_OK;
    }
    PL_TRY(pl_img_shades_new(env, (uint32_t)features.width, (uint32_t)features.height, out, err));
    size_t size = (size_t)out->width * out->height;
    PL_TRY(pl_img_charge(env, (uint64_t)size * 4, err));
    uint8_t *colours = PL_ARENA_ARRAY(env->arena, uint8_t, size * 4);
    if (!colours)
        return pl_fail_memory(err);
    if (!WebPDecodeRGBAInto(file.ptr, file.len, colours, size * 4, (int)out->width * 4)) {
        *why = "it is a damaged WebP";
        return PL_OK;
    }
    PL_TRY(pl_job_check(env->job, err));
    for (size_t i = 0; i < size; i++) {
        const uint8_t *p = colours + i * 4;
        out->bytes[i] = pl_picture_shade(p[0], p[1], p[2], p[3]);
    }
    return PL_OK;
}
