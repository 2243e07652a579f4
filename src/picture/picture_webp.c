// WebP by libwebp. The only file that knows its decoder.
#include <errno.h>

#include <webp/decode.h>

#include "picture/decoders.h"

// The library reports most allocations that failed as damage of the file.
static VP8StatusCode decode(struct pl_slice file, WebPDecoderConfig *config)
{
    int errno_before = errno;
    errno = 0;
    VP8StatusCode status = WebPDecode(file.ptr, file.len, config);
    if (status != VP8_STATUS_OK && errno == ENOMEM)
        status = VP8_STATUS_OUT_OF_MEMORY;
    errno = errno_before;
    return status;
}

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
    uint8_t *colours;
    // What the library takes beside them: of a lossless file all colours once more, of another one its transparency.
    bool lossy = features.format == 1;
    PL_TRY(pl_img_needs(env, (uint64_t)size * (lossy ? features.has_alpha ? 6 : 4 : 8), err));
    PL_TRY(pl_img_scratch(env, (uint64_t)size * 4, &colours, err));
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config))
        return pl_fail(err, PL_E_BUG, "the library for WebP is another one than it was built with");
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA = (WebPRGBABuffer){colours, (int)out->width * 4, size * 4};
    VP8StatusCode status = decode(file, &config);
    if (status == VP8_STATUS_OUT_OF_MEMORY)
        return pl_img_fail_library(err, out->width, out->height);
    if (status != VP8_STATUS_OK) {
        *why = status == VP8_STATUS_SUSPENDED || status == VP8_STATUS_NOT_ENOUGH_DATA ? "it breaks off"
                                                                                      : "it is a damaged WebP";
        return PL_OK;
    }
    PL_TRY(pl_job_check(env->job, err));
    for (size_t i = 0; i < size; i++) {
        const uint8_t *p = colours + i * 4;
        uint32_t alpha = p[3]; // over white paper
        out->bytes[i] = (uint8_t)((pl_img_luma(p[0], p[1], p[2]) * alpha + 255 * (255 - alpha) + 127) / 255);
    }
    return PL_OK;
}
