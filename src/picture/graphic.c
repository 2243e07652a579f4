// A picture file to label code: the public functions.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "base/lengths.h"
#include "enc/enc.h"
#include "picture/decode.h"
#include "picture/dots.h"
#include "render/cancel.h"
#include "render/options.h"
#include "render/render.h"

#define CODE_MOST ((size_t)256 << 20)
#define NAME_MOST 32
#define DEFAULT_NAME "R:IMAGE.GRF"

struct platen_graphic {
    struct pl_arena arena;
    struct pl_graphic_rows rows;
    struct platen_graphic_info info;
    struct pl_buf data; // coded
    struct pl_buf code; // the label
};

static enum platen_status check_options(struct platen_graphic_options *o, struct platen_error *err)
{
    o->threshold = o->threshold != 0 ? o->threshold : 50;
    o->dpmm = o->dpmm != 0 ? o->dpmm : PL_DEFAULT_DPMM;
    o->name = o->name && *o->name ? o->name : DEFAULT_NAME;
    if (!(o->threshold >= 1 && o->threshold <= 99))
        return pl_public_fail(err, PLATEN_E_INVALID, "'threshold' must be from 1 to 99 percent");
    if (!(o->dpmm >= PL_DPMM_MIN && o->dpmm <= PL_DPMM_MAX) || !(o->width_mm >= 0 && o->width_mm < 1e5) ||
        !(o->height_mm >= 0 && o->height_mm < 1e5))
        return pl_public_fail(err, PLATEN_E_INVALID, "the size in millimetres or the density is out of its bounds");
    if (o->rotation % 90 != 0 || o->rotation > 270)
        return pl_public_fail(err, PLATEN_E_INVALID, "'rotation' must be 0, 90, 180 or 270");
    if ((unsigned)o->dither > PLATEN_DITHER_ORDERED || (unsigned)o->coding > PLATEN_GRAPHIC_SMALLEST)
        return pl_public_fail(err, PLATEN_E_INVALID, "there is no such dithering or coding");
    if (o->x > 32000 || o->y > 32000)
        return pl_public_fail(err, PLATEN_E_INVALID, "a place is from 0 to 32000 dots");
    size_t n = strlen(o->name);
    for (size_t i = 0; i < n; i++) {
        uint8_t c = (uint8_t)o->name[i];
        if (!(pl_is_letter(c) || pl_is_digit(c) || c == ':' || c == '.' || c == '_' || c == '-') || n > NAME_MOST)
            return pl_public_fail(err, PLATEN_E_INVALID,
                                  "a name such as R:LOGO.GRF has letters and digits, %d bytes at most", NAME_MOST);
    }
    return PLATEN_OK;
}

// The size in dots that fits the millimetres. Larger only by whole numbers, unless it is to fit exactly.
static enum pl_errc fit(struct pl_img_env *env, struct pl_img_shades *s, const struct platen_graphic_options *o,
                        struct pl_error *err)
{
    if (o->width_mm == 0 && o->height_mm == 0)
        return PL_OK;
    double across = o->width_mm > 0 ? pl_dots(o->width_mm, o->dpmm) / s->width : INFINITY;
    double down = o->height_mm > 0 ? pl_dots(o->height_mm, o->dpmm) / s->height : INFINITY;
    double scale = PL_MIN(across, down);
    if (scale > 1 && !o->exact_fit)
        scale = floor(scale);
    double width = floor(s->width * scale + 0.5), height = floor(s->height * scale + 0.5);
    width = PL_MAX(width, 1);
    height = PL_MAX(height, 1);
    if (width > 65535 || height > 65535)
        return pl_fail(err, PL_E_LIMIT, "a picture of %.0f x %.0f dots is too large", width, height);
    return pl_picture_scale(env, s, (uint32_t)width, (uint32_t)height, err);
}

static enum pl_errc write_code(struct platen_graphic *g, const struct platen_graphic_options *o, struct pl_error *err)
{
    size_t total = pl_graphic_size(&g->rows);
    PL_TRY(pl_graphic_write(&g->rows, o->coding, &g->data, &g->info.coding, err));
    PL_TRY(pl_buf_terminate(&g->data, err));
    struct pl_buf *out = &g->code;
    if (o->stored) {
        pl_buf_printf(out, "~DG%s,%zu,%u,", o->name, total, g->rows.row_bytes);
        pl_buf_append_slice(out, pl_buf_slice(&g->data));
        pl_buf_append_byte(out, '\n');
    }
    if (!o->bare)
        pl_buf_append_cstr(out, "^XA");
    pl_buf_printf(out, "^FO%u,%u", o->x, o->y);
    if (o->stored) {
        pl_buf_printf(out, "^XG%s,1,1", o->name);
    } else {
        pl_buf_printf(out, "^GFA,%zu,%zu,%u,", total, total, g->rows.row_bytes);
        pl_buf_append_slice(out, pl_buf_slice(&g->data));
    }
    pl_buf_append_cstr(out, o->bare ? "^FS" : "^FS^XZ");
    return pl_buf_terminate(out, err);
}

static enum pl_errc convert(struct platen_graphic *g, const struct platen_engine *engine, struct pl_slice file,
                            const struct platen_graphic_options *o, struct pl_error *err)
{
    const struct pl_job job = {pl_cancel_flag(o->cancel), o->deadline_ns};
    struct pl_img_env env = {.arena = &g->arena, .job = &job, .limit = engine->limits.decoded_graphics};
    struct pl_img_shades s;
    const char *why = NULL;
    uint32_t threshold = (uint32_t)(o->threshold * 255 / 100 + 0.5);
    PL_TRY(pl_picture_decode(&env, file, &s, &why, err));
    if (why)
        return pl_fail(err, PL_E_INVALID, "the picture cannot be read: %s", why);
    // What was decoded counts once; scaling and turning may need as much again.
    env.used = 0;
    if (o->invert)
        pl_picture_invert(&s);
    if (o->trim)
        pl_picture_trim(&s, threshold);
    PL_TRY(pl_picture_turn(&env, &s, o->rotation / 90, err));
    env.used = 0;
    PL_TRY(fit(&env, &s, o, err));
    PL_TRY(pl_picture_dots(&env, &s, (enum pl_dither)o->dither, threshold, &g->rows, err));
    g->info.width = s.width;
    g->info.height = s.height;
    g->info.row_bytes = g->rows.row_bytes;
    g->info.total_bytes = pl_graphic_size(&g->rows);
    return write_code(g, o, err);
}

_Static_assert((int)PLATEN_DITHER_AUTO == PL_DITHER_AUTO && (int)PLATEN_DITHER_ORDERED == PL_DITHER_ORDERED,
               "kinds of dithering differ");

enum platen_status platen_graphic_new(const struct platen_engine *engine, const void *file, size_t size,
                                      const struct platen_graphic_options *options, struct platen_graphic **out,
                                      struct platen_error *err)
{
    if (out)
        *out = NULL;
    if (!engine || !out || (!file && size > 0))
        return pl_null_argument(err, __func__);
    struct platen_graphic_options o;
    enum platen_status status = pl_options_read(options, &o, sizeof o, "platen_graphic_options", err);
    if (status == PLATEN_OK)
        status = check_options(&o, err);
    if (status != PLATEN_OK)
        return status;
    struct platen_graphic *g = calloc(1, sizeof *g);
    if (!g)
        return pl_public_fail(err, PLATEN_E_MEMORY, "no memory for a picture");
    pl_arena_init(&g->arena, engine->limits.arena_bytes);
    pl_buf_init(&g->data, CODE_MOST);
    pl_buf_init(&g->code, CODE_MOST);
    struct pl_error inner = {0};
    enum pl_errc code = convert(g, engine, pl_slice_make(file, size), &o, &inner);
    if (code != PL_OK) {
        platen_graphic_free(g);
        return pl_public_status(code, &inner, err);
    }
    *out = g;
    return PLATEN_OK;
}

void platen_graphic_free(struct platen_graphic *g)
{
    if (!g)
        return;
    pl_arena_fini(&g->arena);
    pl_buf_fini(&g->data);
    pl_buf_fini(&g->code);
    free(g);
}

void(platen_graphic_info)(const struct platen_graphic *g, struct platen_graphic_info *out, size_t size)
{
    if (!g || !out)
        return;
    pl_give(out, size, &g->info, sizeof g->info);
}

const char *platen_graphic_code(const struct platen_graphic *g, size_t *size)
{
    if (size)
        *size = g ? g->code.len : 0;
    return g ? (const char *)g->code.data : "";
}

const char *platen_graphic_data(const struct platen_graphic *g, size_t *size)
{
    if (size)
        *size = g ? g->data.len : 0;
    return g ? (const char *)g->data.data : "";
}

size_t platen_graphic_coded_size(const struct platen_graphic *g, enum platen_graphic_coding coding)
{
    if (!g)
        return 0;
    struct pl_buf text;
    struct pl_error err;
    size_t size = 0;
    if (coding == PLATEN_GRAPHIC_HEX)
        return g->info.total_bytes * 2;
    pl_buf_init(&text, CODE_MOST);
    if (pl_graphic_write(&g->rows, coding == PLATEN_GRAPHIC_Z64 ? PLATEN_GRAPHIC_Z64 : PLATEN_GRAPHIC_ACS, &text, NULL,
                         &err) == PL_OK)
        size = text.len;
    pl_buf_fini(&text);
    return size;
}

// A dot of the picture.
bool platen_graphic_ink(const struct platen_graphic *g, uint32_t x, uint32_t y)
{
    if (!g)
        return false;
    return x < g->info.width && y < g->info.height &&
           g->rows.bytes[(size_t)y * g->rows.row_bytes + x / 8] >> (7 - x % 8) & 1;
}
