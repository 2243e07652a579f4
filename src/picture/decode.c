// Which kind of file it is.
#include "picture/decode.h"

#include "picture/decoders.h"
#include "picture/dots.h"

static enum pl_errc decode_as_stored(struct pl_img_env *env, struct pl_slice file, struct pl_img_shades *out,
                                     const char **why, struct pl_error *err)
{
    *why = NULL;
    if (pl_slice_has_at(file, 0, "\xFF\xD8\xFF"))
        return pl_picture_jpeg(env, file, out, why, err);
    if (pl_slice_has_at(file, 0, "RIFF") && pl_slice_has_at(file, 8, "WEBP"))
        return pl_picture_webp(env, file, out, why, err);
    if (pl_slice_has_at(file, 0, "GIF87a") || pl_slice_has_at(file, 0, "GIF89a"))
        return pl_picture_gif(env, file, out, why, err);
    if (file.len > 2 && file.ptr[0] == 'P' && file.ptr[1] >= '1' && file.ptr[1] <= '6')
        return pl_picture_pnm(env, file, out, why, err);
    if (pl_img_is_known(file))
        return pl_img_decode_shades(env, file, out, why, err);
    *why = "it is no PNG, JPEG, GIF, WebP, BMP, PCX, PBM, PGM or PPM";
    return PL_OK;
}

enum pl_errc pl_picture_decode(struct pl_img_env *env, struct pl_slice file, struct pl_img_shades *out,
                               const char **why, struct pl_error *err)
{
    // Of each orientation: is it mirrored, and by how many quarters is it then turned?
    static const struct {
        bool mirrored;
        uint8_t quarters;
    } WAYS[] = {{false, 0}, {true, 0}, {false, 2}, {true, 2}, {true, 3}, {false, 1}, {true, 1}, {false, 3}};
    env->shades = true;
    enum pl_errc code = decode_as_stored(env, file, out, why, err);
    env->shades = false;
    if (code != PL_OK)
        return code;
    if (*why)
        return PL_OK;
    uint32_t way = pl_picture_orientation(file) - 1;
    if (WAYS[way].mirrored)
        pl_picture_mirror(out);
    env->used = 0; // what was decoded counts once
    return pl_picture_turn(env, out, WAYS[way].quarters, err);
}
