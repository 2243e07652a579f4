// Grey images: reducing, mirroring, turning.
#include "raster/grey.h"

#include "base/ckd.h"

// Dots of any shade. The memory is touched by whoever fills it: for a large page that alone takes a tenth of a second.
static enum pl_errc new_uncleared(struct pl_arena *arena, uint32_t width, uint32_t height, struct pl_grey *out,
                                  struct pl_error *err)
{
    *out = (struct pl_grey){.width = width, .height = height};
    size_t size;
    if (!PL_CKD_MUL(&size, (size_t)width, (size_t)height))
        return pl_fail(err, PL_E_LIMIT, "an image of %u x %u dots is too large", width, height);
    out->dots = (uint8_t *)pl_arena_alloc(arena, size ? size : 1, 64);
    return out->dots ? PL_OK : pl_fail_memory(err);
}

enum pl_errc pl_grey_new(struct pl_arena *arena, uint32_t width, uint32_t height, struct pl_grey *out,
                         struct pl_error *err)
{
    PL_TRY(new_uncleared(arena, width, height, out, err));
    memset(out->dots, 255, (size_t)width * height);
    return PL_OK;
}

// Adds up neighbouring bits until each four of them hold their count: 16 counts of 0 to 4.
static uint64_t count_by_four(uint64_t v)
{
    v = v - ((v >> 1) & UINT64_C(0x5555555555555555));
    return (v & UINT64_C(0x3333333333333333)) + ((v >> 2) & UINT64_C(0x3333333333333333));
}

void pl_grey_reduce(struct pl_grey *dst, const struct pl_bitmap *src, uint32_t x, uint32_t y, uint32_t dot_size)
{
    // 16 dots of ink are black, none is white, the rest in even steps.
    static const uint8_t SHADE[17] = {255, 239, 223, 207, 191, 175, 159, 143, 128, 112, 96, 80, 64, 48, 32, 16, 0};
    uint32_t rows = src->height / PL_GREY_SCALE, columns = src->width / PL_GREY_SCALE;
    for (uint32_t row = 0; row < rows; row++) {
        uint64_t top = (uint64_t)y + (uint64_t)row * dot_size;
        if (top >= dst->height)
            break;
        const uint64_t *s = pl_bitmap_row(src, row * PL_GREY_SCALE);
        uint8_t *d = dst->dots + (size_t)top * dst->width;
        bool any = false;
        for (uint32_t i = 0; i < src->stride; i++) {
            uint64_t a = s[i], b = s[i + src->stride], c = s[i + 2 * (size_t)src->stride],
                     e = s[i + 3 * (size_t)src->stride];
            if ((a | b | c | e) == 0)
                continue;
            any = true;
            // Counts of one row are at most 4, of two rows 8, of four 16: the last sum needs five bits, so even and odd
            // groups are added apart.
            uint64_t upper = count_by_four(a) + count_by_four(b), lower = count_by_four(c) + count_by_four(e);
            const uint64_t half = UINT64_C(0x0F0F0F0F0F0F0F0F);
            uint64_t even = ((upper >> 4) & half) + ((lower >> 4) & half), odd = (upper & half) + (lower & half);
            for (uint32_t k = 0; k < 16; k++) {
                uint32_t column = i * 16 + k;
                if (column >= columns)
                    break;
                unsigned count = (unsigned)((k % 2 ? odd : even) >> (56 - k / 2 * 8)) & 0xFF;
                uint64_t at = (uint64_t)x + (uint64_t)column * dot_size;
                for (uint32_t p = 0; p < dot_size && at + p < dst->width; p++)
                    d[at + p] = SHADE[count];
            }
        }
        for (uint32_t p = 1; any && p < dot_size && top + p < dst->height; p++)
            memcpy(d + (size_t)p * dst->width, d, dst->width);
    }
}

static void reverse_bytes(uint8_t *a, uint8_t *b)
{
    while (a < b) {
        b--;
        uint8_t t = *a;
        *a++ = *b;
        *b = t;
    }
}

enum pl_errc pl_grey_mirror(struct pl_grey *image, const struct pl_job *job, struct pl_error *err)
{
    for (uint32_t y = 0; y < image->height; y++) {
        uint8_t *row = image->dots + (size_t)y * image->width;
        if (y % 64 == 0)
            PL_TRY(pl_job_check(job, err));
        reverse_bytes(row, row + image->width);
    }
    return PL_OK;
}

// Row by row from both ends, so that the job is asked on the way.
enum pl_errc pl_grey_turn_over(struct pl_grey *image, const struct pl_job *job, struct pl_error *err)
{
    size_t width = image->width;
    for (uint32_t y = 0; y < image->height / 2; y++) {
        uint8_t *a = image->dots + y * width, *b = image->dots + (image->height - y) * width;
        if (y % 64 == 0)
            PL_TRY(pl_job_check(job, err));
        for (size_t x = 0; x < width; x++) {
            uint8_t t = a[x];
            a[x] = *--b;
            *b = t;
        }
    }
    if (image->height % 2 == 1) {
        uint8_t *middle = image->dots + image->height / 2 * width;
        reverse_bytes(middle, middle + width);
    }
    return PL_OK;
}

enum pl_errc pl_grey_turn(struct pl_arena *arena, const struct pl_grey *src, enum pl_rotation rotation,
                          const struct pl_job *job, struct pl_grey *out, struct pl_error *err)
{
    bool quarter = rotation == PL_ROT_R || rotation == PL_ROT_B;
    PL_TRY(new_uncleared(arena, quarter ? src->height : src->width, quarter ? src->width : src->height, out, err));
    if (!quarter) {
        memcpy(out->dots, src->dots, (size_t)src->width * src->height);
        return rotation == PL_ROT_I ? pl_grey_turn_over(out, job, err) : PL_OK;
    }
    // In blocks, so that neither image is walked against its rows for long.
    for (uint32_t by = 0; by < out->height; by += 32) {
        PL_TRY(pl_job_check(job, err));
        for (uint32_t bx = 0; bx < out->width; bx += 32) {
            uint32_t y1 = PL_MIN(by + 32, out->height), x1 = PL_MIN(bx + 32, out->width);
            for (uint32_t y = by; y < y1; y++) {
                for (uint32_t x = bx; x < x1; x++) {
                    uint32_t sx = rotation == PL_ROT_R ? y : src->width - 1 - y;
                    uint32_t sy = rotation == PL_ROT_R ? src->height - 1 - x : x;
                    out->dots[(size_t)y * out->width + x] = src->dots[(size_t)sy * src->width + sx];
                }
            }
        }
    }
    return PL_OK;
}

bool pl_grey_has_ink(const struct pl_grey *image, struct pl_box box)
{
    uint32_t x0 = (uint32_t)PL_MAX(box.x0, 0), x1 = (uint32_t)pl_clamp_i64(box.x1, 0, image->width);
    uint32_t y0 = (uint32_t)PL_MAX(box.y0, 0), y1 = (uint32_t)pl_clamp_i64(box.y1, 0, image->height);
    for (uint32_t y = y0; y < y1; y++) {
        for (uint32_t x = x0; x < x1; x++) {
            if (image->dots[(size_t)y * image->width + x] < 128)
                return true;
        }
    }
    return false;
}
