// ^BD: MaxiCode. Codewords from libzint; hexagons and bullseye drawn by the geometry measured on the reference.
#include "bar/bar_zint.h"
#include "bar/build.h"
#include "base/ckd.h"

#define ROWS 33
#define COLUMNS 30

// Size at 8 dots per mm.
#define WIDTH_8 203
#define HEIGHT_8 196
#define UNIT_NUMERATOR 2720

// Modes 2 and 3: class of service, country and postcode before the message; libzint wants them the other way round.
struct message {
    char primary[24];
    struct pl_slice rest;
};

static enum pl_errc split_message(struct pl_bar_build *b, int mode, struct message *out, bool *ended)
{
    struct pl_slice data = b->spec->data;
    size_t postcode = mode == 2 ? 9 : 6;
    *ended = false;
    if (data.len < 6 + postcode) {
        *ended = true;
        return pl_bar_give_up(b, PL_BAR_TOO_SHORT,
                              "MaxiCode mode %d begins with class, country and postcode: %zu characters.", mode,
                              6 + postcode);
    }
    for (size_t i = 0; i < 6 + (mode == 2 ? postcode : 0); i++) {
        if (data.ptr[i] >= '0' && data.ptr[i] <= '9')
            continue;
        *ended = true;
        return pl_bar_give_up(b, PL_BAR_BAD_CHARACTER, "Class, country and postcode of MaxiCode mode %d are digits.",
                              mode);
    }
    size_t n = 0;
    for (size_t i = 0; i < postcode; i++) {
        uint8_t c = data.ptr[6 + i];
        c = c >= 'a' && c <= 'z' ? (uint8_t)(c - 32) : c;
        out->primary[n++] = c < 32 || c > 95 ? ' ' : (char)c;
    }
    while (n && out->primary[n - 1] == ' ')
        n--;
    if (n == 0)
        out->primary[n++] = '0';
    memcpy(out->primary + n, data.ptr + 3, 3);
    memcpy(out->primary + n + 3, data.ptr, 3);
    out->primary[n + 6] = 0;
    out->rest = pl_slice_sub(data, 6 + postcode, data.len);
    return PL_OK;
}

// The drawing in thousandths of its unit, 2.46 of which lie between two cells. One unit is UNIT_NUMERATOR / 100 dots at
// 8 dots per mm.
#define CELL_PITCH 2460
#define ROW_PITCH 2135
#define FIRST_X 1230
#define FIRST_Y 1430
#define HEX_RADIUS 1250
#define HEX_HALF_WIDTH 1075
#define CENTRE_X 35760
#define CENTRE_Y 35600
static const int32_t ring_radii[] = {10850, 8970, 7100, 5220, 3310, 1430}; // dark outside, then light, dark, ...

struct raster {
    struct pl_bitmap *out;
    int64_t numerator, denominator; // dots (of the enlarged picture) per thousandth
};

// Position of a dot's centre in thousandths.
static int64_t unit_of(const struct raster *r, int64_t dot)
{
    return (2 * dot + 1) * r->denominator / (2 * r->numerator);
}

static int64_t dot_of(const struct raster *r, int64_t unit)
{
    return unit * r->numerator / r->denominator;
}

static void draw_hexagon(const struct raster *r, int64_t cx, int64_t cy)
{
    int64_t x0 = dot_of(r, cx - HEX_HALF_WIDTH) - 1, x1 = dot_of(r, cx + HEX_HALF_WIDTH) + 1;
    int64_t y0 = dot_of(r, cy - HEX_RADIUS) - 1, y1 = dot_of(r, cy + HEX_RADIUS) + 1;
    for (int64_t y = PL_MAX(y0, 0); y <= y1 && y < r->out->height; y++) {
        int64_t dy = unit_of(r, y) - cy;
        dy = dy < 0 ? -dy : dy;
        for (int64_t x = PL_MAX(x0, 0); x <= x1 && x < r->out->width; x++) {
            int64_t dx = unit_of(r, x) - cx;
            dx = dx < 0 ? -dx : dx;
            // Upright sides, and slopes from half the radius at the sides to the whole of it in the middle.
            if (dx <= HEX_HALF_WIDTH && (HEX_RADIUS - dy) * 2 * HEX_HALF_WIDTH >= dx * HEX_RADIUS)
                pl_bitmap_set(r->out, (uint32_t)x, (uint32_t)y);
        }
    }
}

static void draw_bullseye(const struct raster *r)
{
    int64_t outer = ring_radii[0];
    for (int64_t y = dot_of(r, CENTRE_Y - outer) - 1; y <= dot_of(r, CENTRE_Y + outer) + 1; y++)
        for (int64_t x = dot_of(r, CENTRE_X - outer) - 1; x <= dot_of(r, CENTRE_X + outer) + 1; x++) {
            int64_t dx = unit_of(r, x) - CENTRE_X, dy = unit_of(r, y) - CENTRE_Y, square = dx * dx + dy * dy;
            bool dark = false;
            for (uint32_t i = 0; i < PL_COUNTOF(ring_radii); i++)
                if (square <= (int64_t)ring_radii[i] * ring_radii[i])
                    dark = i % 2 == 0;
            if (dark && x >= 0 && y >= 0 && x < r->out->width && y < r->out->height)
                pl_bitmap_set(r->out, (uint32_t)x, (uint32_t)y);
        }
}

static enum pl_errc draw_picture(struct pl_bar_build *b, const struct pl_bitmap *cells, struct pl_bitmap *out)
{
    uint32_t times = b->context->dpmm * PL_MAX(b->context->scale, 1u);
    PL_TRY(pl_bitmap_new(b->context->arena, (WIDTH_8 * times + 7) / 8, (HEIGHT_8 * times + 7) / 8, out, b->err));
    struct raster r = {out, (int64_t)UNIT_NUMERATOR * times, INT64_C(1000) * 1000 * 8};
    for (uint32_t y = 0; y < ROWS; y++)
        for (uint32_t x = 0; x < COLUMNS; x++)
            if (pl_bitmap_get(cells, x, y))
                draw_hexagon(&r, FIRST_X + CELL_PITCH * (int64_t)x + (y % 2 ? CELL_PITCH / 2 : 0),
                             FIRST_Y + ROW_PITCH * (int64_t)y);
    draw_bullseye(&r);
    return PL_OK;
}

enum pl_errc pl_bar_build_maxicode(struct pl_bar_build *b)
{
    const struct pl_barcode *spec = b->spec;
    int mode = spec->mode >= '2' && spec->mode <= '6' ? spec->mode - '0' : 2;
    struct message message = {.rest = spec->data};
    bool ended = false;
    if (spec->data.len == 0)
        return pl_bar_give_up(b, PL_BAR_TOO_SHORT, "There is no data to encode.");
    if (mode <= 3)
        PL_TRY(split_message(b, mode, &message, &ended));
    if (ended)
        return PL_OK;
    if (message.rest.len == 0)
        message.rest = pl_slice_cstr(" "); // the secondary message may be empty; blanks fill it either way
    struct pl_zint_job job = {.symbology = PL_ZINT_MAXICODE,
                              .data = message.rest,
                              .primary = mode <= 3 ? message.primary : NULL,
                              .option_1 = mode};
    if (spec->append_count > 1 && spec->append_count <= 8 && spec->append_index >= 1 &&
        spec->append_index <= spec->append_count) {
        job.append_index = (uint32_t)spec->append_index;
        job.append_count = (uint32_t)spec->append_count;
    }
    struct pl_zint_symbol *symbol = PL_ARENA_NEW(b->context->arena, struct pl_zint_symbol);
    if (!symbol)
        return pl_fail_memory(b->err);
    struct pl_error reason = {0};
    enum pl_errc code = pl_zint_encode(&job, b->context->arena, symbol, &reason);
    if (code == PL_E_INVALID)
        return pl_bar_give_up(b, PL_BAR_TOO_LONG, "MaxiCode cannot hold the data: %s.", reason.message);
    if (code != PL_OK)
        return pl_fail(b->err, code, "%s", reason.message);
    if (symbol->modules.height != ROWS || symbol->modules.width != COLUMNS)
        return pl_fail(b->err, PL_E_BUG, "libzint gave a MaxiCode of %u by %u cells", symbol->modules.width,
                       symbol->modules.height);
    struct pl_bitmap *picture = PL_ARENA_NEW(b->context->arena, struct pl_bitmap);
    if (!picture)
        return pl_fail_memory(b->err);
    PL_TRY(draw_picture(b, &symbol->modules, picture));
    struct pl_bar_layout *out = b->out;
    out->picture = picture;
    out->ignores_rotation = true;
    uint32_t scale = PL_MAX(b->context->scale, 1u);
    out->width = picture->width / scale;
    out->height = picture->height / scale;
    out->module = (b->context->dpmm * 5 + 3) / 6; // a cell is about 0.88 mm wide
    out->quiet_left = out->quiet_right = out->quiet_top = out->quiet_bottom = out->module;
    return pl_bar_set_text(b, spec->data);
}
