// What the searches for barcodes share: what was found, reading it as if its place were known, zxing-cpp.
#include "check/find.h"

#include "base/ckd.h"
#include "check/find_internal.h"
#include "check/readers.h"

bool pl_find_is_new(const struct pl_find *find, struct pl_box place)
{
    for (uint32_t i = 0; i < find->out->count; i++)
        if (!pl_box_is_empty(pl_box_intersect(find->out->items[i].place, place)))
            return false;
    return true;
}

struct pl_found_symbol *pl_find_add(struct pl_find *find, struct pl_found_symbol found)
{
    if (find->out->count == PL_FIND_MOST)
        return NULL;
    struct pl_found_symbol *out = &find->out->items[find->out->count++];
    *out = found;
    return out;
}

struct pl_box pl_find_part_box(struct pl_find_part part)
{
    const double x0 = part.x + PL_MIN(part.across_x, 0.0) + PL_MIN(part.down_x, 0.0);
    const double y0 = part.y + PL_MIN(part.across_y, 0.0) + PL_MIN(part.down_y, 0.0);
    const double x1 = part.x + PL_MAX(part.across_x, 0.0) + PL_MAX(part.down_x, 0.0);
    const double y1 = part.y + PL_MAX(part.across_y, 0.0) + PL_MAX(part.down_y, 0.0);
    return (struct pl_box){(int32_t)PL_MAX(x0, 0.0), (int32_t)PL_MAX(y0, 0.0), (int32_t)(x1 + 0.5),
                           (int32_t)(y1 + 0.5)};
}

enum pl_errc pl_find_resample(struct pl_find *find, const struct pl_bitmap *from, struct pl_find_part part,
                              uint32_t width, uint32_t height, struct pl_bitmap *out)
{
    PL_TRY(pl_bitmap_new(find->arena, width, height, out, find->err));
    for (uint32_t v = 0; v < height; v++)
        for (uint32_t u = 0; u < width; u++) {
            const double across = (u + 0.5) / width, down = (v + 0.5) / height;
            const double x = part.x + across * part.across_x + down * part.down_x;
            const double y = part.y + across * part.across_y + down * part.down_y;
            if (x >= 0 && x < from->width && y >= 0 && y < from->height &&
                pl_bitmap_get(from, (uint32_t)x, (uint32_t)y))
                pl_bitmap_set(out, u, v);
        }
    return PL_OK;
}

enum pl_errc pl_find_read(struct pl_find *find, const struct pl_bitmap *symbol, uint32_t module,
                          enum pl_rotation rotation, struct pl_found_symbol *found)
{
    const int32_t quiet = (int32_t)module * 4, width = (int32_t)symbol->width, height = (int32_t)symbol->height;
    const struct pl_read_request request = {.page = symbol,
                                            .bars = {0, 0, width, height},
                                            .area = {-quiet, -quiet, width + quiet, height + quiet},
                                            .rotation = rotation,
                                            .module = module,
                                            .symbology = found->symbology};
    struct pl_read_result result;
    PL_TRY(pl_read_symbol(&request, find->job, find->arena, &result, find->err));
    found->read = result.outcome == PL_READ_DECODED;
    found->gs1 = result.gs1;
    found->data = result.data;
    return PL_OK;
}

// ---- by zxing-cpp

struct taking {
    struct pl_find *find;
    struct pl_box part;
    bool read, no_memory;
};

static enum pl_check_symbology symbology_of(uint32_t format, bool gs1)
{
    static const struct {
        uint32_t format;
        enum pl_check_symbology plain, gs1;
    } rows[] = {{PL_ZXING_AZTEC, PL_CHECK_AZTEC, PL_CHECK_AZTEC},
                {PL_ZXING_CODABAR, PL_CHECK_CODABAR, PL_CHECK_CODABAR},
                {PL_ZXING_CODE39, PL_CHECK_CODE39, PL_CHECK_CODE39},
                {PL_ZXING_CODE93, PL_CHECK_CODE93, PL_CHECK_CODE93},
                {PL_ZXING_CODE128, PL_CHECK_CODE128, PL_CHECK_GS1_128},
                {PL_ZXING_DATAMATRIX, PL_CHECK_DATAMATRIX, PL_CHECK_GS1_DATAMATRIX},
                {PL_ZXING_EAN8, PL_CHECK_EAN8, PL_CHECK_EAN8},
                {PL_ZXING_EAN13, PL_CHECK_EAN13, PL_CHECK_EAN13},
                {PL_ZXING_ITF, PL_CHECK_INTERLEAVED_2OF5, PL_CHECK_INTERLEAVED_2OF5},
                {PL_ZXING_MAXICODE, PL_CHECK_MAXICODE, PL_CHECK_MAXICODE},
                {PL_ZXING_UPCA, PL_CHECK_UPCA, PL_CHECK_UPCA},
                {PL_ZXING_UPCE, PL_CHECK_UPCE, PL_CHECK_UPCE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].format == format)
            return gs1 ? rows[i].gs1 : rows[i].plain;
    return PL_CHECK_SYMBOLOGY_COUNT;
}

// Is there time for another one, and room?
static bool goes_on(const struct taking *t)
{
    return !t->no_memory && t->find->out->count < PL_FIND_MOST && pl_job_check(t->find->job, NULL) == PL_OK;
}

static bool take(void *context, const struct pl_zxing_result *result)
{
    struct taking *t = (struct taking *)context;
    struct pl_box place = {t->part.x0 + result->x0, t->part.y0 + result->y0, t->part.x0 + result->x1,
                           t->part.y0 + result->y1};
    if (result->format == PL_ZXING_MAXICODE) // it is not said where
        place = t->part;
    if (result->length > PL_READ_MAX_DATA || !pl_find_is_new(t->find, place))
        return goes_on(t);
    bool gs1 = result->gs1;
    const enum pl_check_symbology symbology = symbology_of(result->format, gs1);
    struct pl_read_text text = {.data = (uint8_t *)pl_arena_alloc(t->find->arena, PL_READ_MAX_DATA, 1)};
    t->no_memory = t->no_memory || !text.data;
    if (!text.data || symbology == PL_CHECK_SYMBOLOGY_COUNT)
        return goes_on(t);
    memcpy(text.data, result->data, result->length);
    text.length = result->length;
    pl_read_normalise(symbology, &text, &gs1);
    t->read = true;
    pl_find_add(t->find, (struct pl_found_symbol){.symbology = symbology,
                                                  .read = true,
                                                  .gs1 = gs1,
                                                  .reversed = t->find->reversed &&
                                                              pl_check_shape_of(symbology) == PL_SHAPE_LINEAR,
                                                  .covered = result->rows_same * 2 < result->rows,
                                                  .data = pl_slice_make(text.data, text.length),
                                                  .place = place});
    return goes_on(t);
}

enum pl_errc pl_find_by_zxing(struct pl_find *find, struct pl_box part, uint32_t formats, bool pure, bool *read)
{
    struct taking taking = {.find = find, .part = part};
    struct pl_bitmap crop;
    PL_TRY(pl_job_check(find->job, find->err));
    PL_TRY(pl_bitmap_new(find->arena, (uint32_t)(part.x1 - part.x0), (uint32_t)(part.y1 - part.y0), &crop, find->err));
    pl_bitmap_blit(&crop, find->picture, -part.x0, -part.y0, PL_INK_BLACK);
    const struct pl_zxing_job job = {.words = crop.words,
                                     .stride = crop.stride,
                                     .width = crop.width,
                                     .height = crop.height,
                                     .formats = formats,
                                     .pure = pure};
    const enum pl_zxing_status status = pl_zxing_find(&job, take, &taking);
    *read = taking.read;
    return status == PL_ZXING_FAILED || taking.no_memory
               ? pl_fail(find->err, PL_E_MEMORY, "the reader of barcodes found no memory")
               : PL_OK;
}
