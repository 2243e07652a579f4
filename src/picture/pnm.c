// PBM and PGM, plain and raw.
#include "picture/decode.h"

struct pnm {
    struct pl_slice file;
    size_t at;
};

// The next number of the head or of plain data; comments run to the end of their line.
static bool next_number(struct pnm *p, uint32_t most, uint32_t *out)
{
    const uint8_t *b = p->file.ptr;
    size_t n = p->file.len;
    for (;;) {
        while (p->at < n && (b[p->at] == ' ' || (b[p->at] >= '\t' && b[p->at] <= '\r')))
            p->at++;
        if (p->at >= n || b[p->at] != '#')
            break;
        while (p->at < n && b[p->at] != '\n')
            p->at++;
    }
    uint32_t value = 0;
    bool any = false;
    for (; p->at < n && b[p->at] >= '0' && b[p->at] <= '9'; p->at++) {
        value = value * 10 + (uint32_t)(b[p->at] - '0');
        any = true;
        if (value > most)
            return false;
    }
    *out = value;
    return any;
}

// Plain PBM may have its digits side by side.
static bool next_bit(struct pnm *p, uint32_t *out)
{
    while (p->at < p->file.len && p->file.ptr[p->at] != '0' && p->file.ptr[p->at] != '1')
        p->at++;
    if (p->at >= p->file.len)
        return false;
    *out = p->file.ptr[p->at++] - '0';
    return true;
}

static bool raw_rows(const struct pnm *p, bool bits, uint32_t most, struct pl_img_shades *out)
{
    size_t bytes = most > 255 ? 2 : 1;
    size_t row = bits ? ((size_t)out->width + 7) / 8 : (size_t)out->width * bytes;
    if (p->file.len - p->at < row * out->height)
        return false;
    for (uint32_t y = 0; y < out->height; y++) {
        const uint8_t *from = p->file.ptr + p->at + row * y;
        uint8_t *to = out->bytes + (size_t)y * out->width;
        for (uint32_t x = 0; x < out->width; x++) {
            if (bits) {
                to[x] = from[x / 8] >> (7 - x % 8) & 1 ? 0 : 255;
                continue;
            }
            uint32_t value = bytes == 2 ? (uint32_t)from[x * 2] << 8 | from[x * 2 + 1] : from[x];
            to[x] = (uint8_t)((value < most ? value : most) * 255 / most);
        }
    }
    return true;
}

enum pl_errc pl_picture_pnm(struct pl_img_env *env, struct pl_slice file, struct pl_img_shades *out, const char **why,
                            struct pl_error *err)
{
    struct pnm p = {.file = file, .at = 2};
    bool bits = file.ptr[1] == '1' || file.ptr[1] == '4', raw = file.ptr[1] >= '4';
    uint32_t width, height, most = 1;
    *why = "it is a damaged PBM or PGM";
    if (!next_number(&p, 65535, &width) || !next_number(&p, 65535, &height) ||
        (!bits && (!next_number(&p, 65535, &most) || most == 0)) || width == 0 || height == 0)
        return PL_OK;
    PL_TRY(pl_img_shades_new(env, width, height, out, err));
    if (raw) {
        p.at += p.at < file.len; // one blank
        *why = raw_rows(&p, bits, most, out) ? NULL : "it breaks off";
        return PL_OK;
    }
    for (size_t i = 0; i < (size_t)width * height; i++) {
        uint32_t value;
        if (i % 65536 == 0)
            PL_TRY(pl_job_check(env->job, err));
        if (bits ? !next_bit(&p, &value) : !next_number(&p, 65535, &value))
            return PL_OK;
        out->bytes[i] = (uint8_t)(bits ? (value ? 0 : 255) : (value < most ? value : most) * 255 / most);
    }
    *why = NULL;
    return PL_OK;
}
