// PBM, PGM and PPM, plain and raw.
#include "picture/decoders.h"

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
    for (; p->at < n && pl_is_digit(b[p->at]); p->at++) {
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
    const uint8_t *b = p->file.ptr;
    for (bool comment = false; p->at < p->file.len && (comment || (b[p->at] != '0' && b[p->at] != '1')); p->at++)
        comment = comment ? b[p->at] != '\n' : b[p->at] == '#';
    if (p->at >= p->file.len)
        return false;
    *out = p->file.ptr[p->at++] - '0';
    return true;
}

static uint8_t shade_of(const uint32_t *samples, size_t count, uint32_t most)
{
    uint32_t level[3] = {0};
    for (size_t i = 0; i < count; i++)
        level[i] = (samples[i] < most ? samples[i] : most) * 255 / most;
    return (uint8_t)(count == 3 ? pl_img_luma(level[0], level[1], level[2]) : level[0]);
}

// Bytes of a row of raw data.
static size_t raw_row(bool bits, size_t samples, uint32_t most, uint32_t width)
{
    return bits ? ((size_t)width + 7) / 8 : (size_t)width * samples * (most > 255 ? 2 : 1);
}

// `samples` of a dot: 1 of shades, 3 of colours.
static void raw_rows(const struct pnm *p, bool bits, size_t samples, uint32_t most, struct pl_img_shades *out)
{
    size_t bytes = most > 255 ? 2 : 1, row = raw_row(bits, samples, most, out->width);
    for (uint32_t y = 0; y < out->height; y++) {
        const uint8_t *from = p->file.ptr + p->at + row * y;
        uint8_t *to = out->bytes + (size_t)y * out->width;
        for (uint32_t x = 0; x < out->width; x++) {
            if (bits) {
                to[x] = from[x / 8] >> (7 - x % 8) & 1 ? 0 : 255;
                continue;
            }
            uint32_t values[3];
            for (size_t i = 0; i < samples; i++, from += bytes)
                values[i] = bytes == 2 ? (uint32_t)from[0] << 8 | from[1] : from[0];
            to[x] = shade_of(values, samples, most);
        }
    }
}

// Dots as numbers in text. *whole is false where they break off.
static enum pl_errc plain_dots(struct pl_img_env *env, struct pnm *p, bool bits, size_t samples, uint32_t most,
                               struct pl_img_shades *out, bool *whole, struct pl_error *err)
{
    size_t dots = (size_t)out->width * out->height;
    *whole = false;
    for (size_t i = 0; i < dots; i++) {
        uint32_t values[3];
        if (i % 65536 == 0)
            PL_TRY(pl_job_check(env->job, err));
        for (size_t k = 0; k < samples; k++) {
            if (bits ? !next_bit(p, &values[k]) : !next_number(p, 65535, &values[k]))
                return PL_OK;
        }
        out->bytes[i] = bits ? (values[0] ? 0 : 255) : shade_of(values, samples, most);
    }
    *whole = true;
    return PL_OK;
}

enum pl_errc pl_picture_pnm(struct pl_img_env *env, struct pl_slice file, struct pl_img_shades *out, const char **why,
                            struct pl_error *err)
{
    struct pnm p = {.file = file, .at = 2};
    bool bits = file.ptr[1] == '1' || file.ptr[1] == '4', raw = file.ptr[1] >= '4';
    size_t samples = file.ptr[1] == '3' || file.ptr[1] == '6' ? 3 : 1;
    uint32_t width, height, most = 1;
    *why = "it is a damaged PBM, PGM or PPM";
    if (!next_number(&p, 65535, &width) || !next_number(&p, 65535, &height) ||
        (!bits && (!next_number(&p, 65535, &most) || most == 0)) || width == 0 || height == 0)
        return PL_OK;
    // A head without its data gets no memory. Plain numbers have a digit and a blank each.
    uint64_t dots = (uint64_t)width * height;
    uint64_t least = raw    ? 1 + (uint64_t)raw_row(bits, samples, most, width) * height
                     : bits ? dots
                            : dots * samples * 2;
    if (dots <= env->limit && file.len - p.at < least) {
        *why = "it breaks off";
        return PL_OK;
    }
    PL_TRY(pl_img_shades_new(env, width, height, out, err));
    bool whole = true;
    if (raw) {
        p.at++; // one blank
        raw_rows(&p, bits, samples, most, out);
    } else {
        PL_TRY(plain_dots(env, &p, bits, samples, most, out, &whole, err));
    }
    if (whole)
        *why = NULL;
    return PL_OK;
}
