// Which kind of picture file it is, and its decoder.
#include "img/img.h"

// A kind by the bytes that its files begin with.
static const struct kind {
    const char *head;
    uint8_t least; // bytes that the decoder looks at without asking
    pl_img_decoder *decode;
} KINDS[] = {
    {"\x89PNG\r\n\x1A\n", 8, pl_img_png},
    {"BM", 2, pl_img_bmp},
    {"\x0A", 128, pl_img_pcx},
};

static const struct kind *kind_of(struct pl_slice file)
{
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++) {
        if (file.len >= KINDS[i].least && pl_slice_has_at(file, 0, KINDS[i].head))
            return &KINDS[i];
    }
    return NULL;
}

bool pl_img_is_known(struct pl_slice file)
{
    return kind_of(file) != NULL;
}

static enum pl_errc decode_rows(struct pl_img_env *env, struct pl_slice file, struct pl_img_rows *out, const char **why,
                                struct pl_error *err)
{
    const struct kind *kind = kind_of(file);
    *why = kind ? NULL : "it is of no known kind";
    return kind ? kind->decode(env, file, out, why, err) : PL_OK;
}

enum pl_errc pl_img_decode_shades(struct pl_img_env *env, struct pl_slice file, struct pl_img_shades *out,
                                  const char **why, struct pl_error *err)
{
    struct pl_img_rows rows = {0};
    bool before = env->shades;
    env->shades = true;
    enum pl_errc code = decode_rows(env, file, &rows, why, err);
    env->shades = before;
    *out = (struct pl_img_shades){rows.shades, rows.width, rows.height};
    return code;
}

enum pl_errc pl_img_decode(struct pl_img_env *env, struct pl_slice file, const struct pl_bitmap **out, const char **why,
                           struct pl_error *err)
{
    *out = NULL;
    struct pl_img_rows rows = {0};
    PL_TRY(decode_rows(env, file, &rows, why, err));
    if (*why)
        return PL_OK;
    return pl_img_from_rows(env, pl_slice_make(rows.bytes, (size_t)rows.bytes_per_row * rows.height), rows.width,
                            rows.height, rows.bytes_per_row, out, err);
}
