// WebP: two-colour pages by our own writer, grey pages by libwebp. The only file that knows libwebp.
#include <webp/encode.h>

#include "enc/enc.h"
#include "enc/vp8l.h"

// libwebp takes about 20 bytes and 80 ns for each grey dot, and cannot be told to take less.
#define MOST_GREY_DOTS 12000000u

static int write_bytes(const uint8_t *data, size_t size, const WebPPicture *picture)
{
    struct pl_buf *out = picture->custom_ptr;
    pl_buf_append(out, data, size);
    return !out->failed;
}

// libwebp's call on the way; 0 makes it stop.
static int may_go_on(int percent, const WebPPicture *picture)
{
    (void)percent;
    return pl_job_check(picture->user_data, NULL) == PL_OK;
}

static enum pl_errc encode_grey(const struct pl_canvas *canvas, struct pl_buf *out, struct pl_error *err)
{
    const struct pl_grey *grey = canvas->grey;
    if (grey->width > PL_WEBP_MAX_SIDE || grey->height > PL_WEBP_MAX_SIDE)
        return pl_fail(err, PL_E_INVALID, "WebP pictures have at most %d dots a side; this label has %u x %u",
                       PL_WEBP_MAX_SIDE, grey->width, grey->height);
    if ((uint64_t)grey->width * grey->height > MOST_GREY_DOTS)
        return pl_fail(err, PL_E_LIMIT, "smooth WebP pictures have at most %u dots; this label has %u x %u",
                       MOST_GREY_DOTS, grey->width, grey->height);
    WebPConfig config;
    WebPPicture picture;
    if (!WebPConfigInit(&config) || !WebPPictureInit(&picture))
        return pl_fail(err, PL_E_BUG, "libwebp is of another version than its headers");
    // The few grey levels make a colour table, for which the fastest method is nearly as small as the slowest.
    config.lossless = 1;
    config.method = 0;
    config.quality = 25;
    picture.use_argb = 1;
    picture.width = (int)grey->width;
    picture.height = (int)grey->height;
    if (!WebPPictureAlloc(&picture))
        return pl_fail_memory(err);
    for (uint32_t y = 0; y < grey->height; y++) {
        uint32_t *to = picture.argb + (size_t)y * (size_t)picture.argb_stride;
        const uint8_t *from = grey->dots + (size_t)y * grey->width;
        for (uint32_t x = 0; x < grey->width; x++)
            to[x] = 0xFF000000u | (uint32_t)from[x] * 0x010101u;
    }
    picture.writer = write_bytes;
    picture.custom_ptr = out;
    struct pl_job job = canvas->job ? *canvas->job : (struct pl_job){0};
    picture.progress_hook = may_go_on;
    picture.user_data = &job;
    int ok = WebPEncode(&config, &picture);
    WebPEncodingError reason = picture.error_code;
    WebPPictureFree(&picture);
    if (ok)
        return PL_OK;
    if (out->failed)
        return pl_buf_check(out, err);
    if (reason == VP8_ENC_ERROR_USER_ABORT)
        PL_TRY(pl_job_check(&job, err));
    if (reason == VP8_ENC_ERROR_OUT_OF_MEMORY || reason == VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY)
        return pl_fail_memory(err);
    return pl_fail(err, PL_E_BUG, "libwebp refused the picture (error %d)", (int)reason);
}

enum pl_errc pl_webp_encode(const struct pl_canvas *canvas, struct pl_arena *scratch, struct pl_buf *out,
                            struct pl_error *err)
{
    if (canvas->bits)
        return pl_vp8l_encode(canvas->bits, canvas->job, scratch, out, err);
    return encode_grey(canvas, out, err);
}
