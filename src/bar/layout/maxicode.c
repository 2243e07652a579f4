// MaxiCode. Cells from libzint or our own encoder; hexagons and bullseye drawn by the geometry measured on the
// reference, or in the whole dots of a printer.
#include <stdio.h>

#include "bar/encode/bar_zint.h"
#include "bar/encode/maxicode.h"
#include "bar/layout/build.h"
#include "bar/layout/builders.h"
#include "bar/layout/maxicode_dots.h"
#include "base/ckd.h"
#include "base/machine.h"
#include "raster/byte_sets.h"

#define ZINT_IS_SURE 130 // characters
#define ROWS PL_MAXICODE_ROWS
#define COLUMNS PL_MAXICODE_COLUMNS

// The drawing in thousandths of its unit; one unit is 0.34 mm.
#define CELL_PITCH 2460
#define ROW_PITCH 2135
#define FIRST_X 1230
#define FIRST_Y 1430
#define HEX_RADIUS 1250
#define HEX_HALF_WIDTH 1075
#define CENTRE_X 35760
#define CENTRE_Y 35600
static const int32_t ring_radii[] = {10850, 8970, 7100, 5220, 3310, 1430}; // dark inside of the first, then light, ...

// A dot is dark when more than half of it is covered, by all hexagons together. Hexagons have their corners on whole
// dots, so only few shapes come up: their coverage is worked out once each.
#define SAMPLES 8
#define FULL (SAMPLES * SAMPLES)
#define SHAPES_MAX 64

struct shape {
    int32_t left, right, lower, side, bottom; // of the corners: from the apex sideways, from the top down
    uint8_t *coverage;                        // right + left by bottom dots
};

struct raster {
    uint8_t *cover; // samples that hexagons cover, of each hexagon; a few bytes more
    uint32_t width, height;
    int32_t times; // dots per dot of the label
    int64_t dpmm;
    struct shape shapes[SHAPES_MAX];
    uint32_t shape_count;
    struct pl_arena *arena;
};

// Whole dots of the label, rounded down, times the enlargement.
static int32_t corner(const struct raster *r, int64_t thousandths)
{
    return (int32_t)(thousandths * 34 * r->dpmm / 100000) * r->times;
}

// How far from the apex a shape reaches at a row of samples, on the side that is `run` wide: the furthest whole place
// that lies below both slopes, which run from the apex to the side's corners; -1: nowhere.
static int32_t reach(int32_t run, int32_t from_top, int32_t down, int32_t from_bottom, int32_t up)
{
    int32_t furthest = run; // a slope without height is level with the apex
    if (down > 0)
        furthest = PL_MIN(furthest, (from_top * run - 1) / down);
    if (up > 0)
        furthest = PL_MIN(furthest, (from_bottom * run - 1) / up);
    return run > 0 ? furthest : -1;
}

// Adds the samples first to last of a row of them to the dots that they lie in, or takes them away (sign -1). Only what
// changes from one dot to the next is written down: two numbers at either end, however long the row is.
static void add_samples(uint8_t *changes, int32_t first, int32_t last, int32_t sign)
{
    if (first > last)
        return;
    int32_t x0 = first / SAMPLES, x1 = last / SAMPLES;
    int32_t before = sign * (first % SAMPLES), behind = sign * (SAMPLES - 1 - last % SAMPLES), whole = sign * SAMPLES;
    changes[x0] = (uint8_t)(changes[x0] + whole - before);
    changes[x0 + 1] = (uint8_t)(changes[x0 + 1] + before);
    changes[x1] = (uint8_t)(changes[x1] - behind);
    changes[x1 + 1] = (uint8_t)(changes[x1 + 1] + behind - whole);
}

// Places are in 1 / (2 SAMPLES) of a dot; samples lie at the odd ones. `changes` has a byte more than a row has dots.
static void cover_shape(struct shape *s, uint8_t *changes)
{
    int32_t width = s->left + s->right, apex = 2 * SAMPLES * s->left;
    int32_t down = 2 * SAMPLES * s->side, up = 2 * SAMPLES * (s->bottom - s->lower);
    for (int32_t k = 0; k < SAMPLES * s->bottom; k++) {
        int32_t from_top = 2 * k + 1, from_bottom = 2 * SAMPLES * s->bottom - from_top;
        int32_t left = reach(2 * SAMPLES * s->left, from_top, down, from_bottom, up);
        int32_t right = reach(2 * SAMPLES * s->right, from_top, down, from_bottom, up);
        // Sample i lies at 2 i + 1; the apex, at a whole dot, lies between two of them.
        int32_t first = (apex - left) / 2, last = (apex + right - 1) / 2;
        if (k % SAMPLES == 0)
            memset(changes, 0, (size_t)width + 1);
        add_samples(changes, PL_MAX(first, 0), PL_MIN(last, SAMPLES * width - 1), 1);
        if (k % SAMPLES < SAMPLES - 1)
            continue;
        uint8_t *coverage = s->coverage + k / SAMPLES * width, sum = 0;
        for (int32_t x = 0; x < width; x++)
            coverage[x] = sum = (uint8_t)(sum + changes[x]);
    }
}

static bool same_shape(const struct shape *a, const struct shape *b)
{
    return a->left == b->left && a->right == b->right && a->lower == b->lower && a->side == b->side &&
           a->bottom == b->bottom;
}

static enum pl_errc draw_hexagon(struct raster *r, int64_t cx, int64_t cy, struct pl_error *err)
{
    int32_t x0 = corner(r, cx - HEX_HALF_WIDTH), apex = corner(r, cx), x1 = corner(r, cx + HEX_HALF_WIDTH);
    int32_t y0 = corner(r, cy - HEX_RADIUS), side = corner(r, cy - HEX_RADIUS / 2);
    int32_t lower = corner(r, cy + HEX_RADIUS / 2), y1 = corner(r, cy + HEX_RADIUS);
    struct shape want = {apex - x0, x1 - apex, lower - y0, side - y0, y1 - y0, NULL};
    uint32_t i = 0;
    while (i < r->shape_count && !same_shape(&r->shapes[i], &want))
        i++;
    if (i == SHAPES_MAX)
        return pl_fail(err, PL_E_BUG, "too many shapes of hexagons");
    int32_t width = want.left + want.right;
    if (i == r->shape_count) {
        want.coverage = pl_arena_alloc(r->arena, (size_t)(width * want.bottom + 1), 1);
        uint8_t *changes = pl_arena_alloc(r->arena, (size_t)width + 1, 1);
        if (!want.coverage || !changes)
            return pl_fail_memory(err);
        cover_shape(&want, changes);
        r->shapes[r->shape_count++] = want;
    }
    for (int32_t y = 0; y < want.bottom; y++) {
        uint8_t *to = r->cover + (size_t)(y0 + y) * r->width + (size_t)x0;
        const uint8_t *from = r->shapes[i].coverage + (size_t)y * (size_t)width;
        int32_t x = 0;
        for (; x + 8 <= width; x += 8) { // no byte overflows: no dot is in more than three hexagons
            uint64_t a, b;
            memcpy(&a, to + x, 8);
            memcpy(&b, from + x, 8);
            a += b;
            memcpy(to + x, &a, 8);
        }
        for (; x < width; x++)
            to[x] = (uint8_t)(to[x] + from[x]);
    }
    return PL_OK;
}

// Rings are not put on whole dots. Distances are in 1/1000 of samples, to keep their squares in range.
#define RINGS PL_COUNTOF(ring_radii)

// The samples of a row that lie in a circle, from the middle outwards: the next row's are near.
struct chord {
    int32_t first, last; // none: first > last
};

static void follow(struct chord *chord, const int64_t *across, int32_t count, int32_t middle, int64_t square)
{
    if (chord->first > chord->last)
        *chord = (struct chord){middle, middle - 1};
    while (chord->first > 0 && across[chord->first - 1] <= square)
        chord->first--;
    while (chord->last + 1 < count && across[chord->last + 1] <= square)
        chord->last++;
    while (chord->first <= chord->last && across[chord->first] > square)
        chord->first++;
    while (chord->last >= chord->first && across[chord->last] > square)
        chord->last--;
}

static enum pl_errc draw_bullseye(struct raster *r, struct pl_error *err)
{
    // Thousandths of a unit are samples times 2 * SAMPLES * 34 * dpmm * times / 10^5.
    int64_t scale = 2 * SAMPLES * 34 * r->dpmm * r->times, per = 100000, dot = 2 * SAMPLES * per;
    int64_t cx = CENTRE_X * scale, cy = CENTRE_Y * scale, outer = ring_radii[0] * scale;
    int64_t left = (cx - outer) / dot, right = (cx + outer) / dot;
    int32_t dots = (int32_t)(right - left + 1), count = dots * SAMPLES, middle = 0;
    int64_t *across = PL_ARENA_ARRAY(r->arena, int64_t, (size_t)count); // squares of the samples' distances
    uint8_t *changes = pl_arena_alloc(r->arena, (size_t)dots + 1, 1);
    if (!across || !changes)
        return pl_fail_memory(err);
    for (int32_t k = 0; k < count; k++) {
        int64_t away = ((2 * SAMPLES * left + 2 * k + 1) * per - cx) / 1000;
        across[k] = away * away;
        if (across[k] < across[middle])
            middle = k;
    }
    struct chord chords[RINGS];
    int64_t squares[RINGS];
    for (size_t i = 0; i < RINGS; i++) {
        int64_t radius = ring_radii[i] * scale / 1000;
        chords[i] = (struct chord){middle, middle - 1};
        squares[i] = radius * radius;
    }
    for (int64_t y = (cy - outer) / dot; y <= (cy + outer) / dot; y++) {
        memset(changes, 0, (size_t)dots + 1);
        for (int32_t j = 0; j < SAMPLES; j++) {
            int64_t away = ((2 * SAMPLES * y + 2 * j + 1) * per - cy) / 1000;
            for (size_t i = 0; i < RINGS; i++) {
                follow(&chords[i], across, count, middle, squares[i] - away * away);
                add_samples(changes, chords[i].first, chords[i].last, i % 2 ? -1 : 1);
            }
        }
        uint8_t *cover = &r->cover[(size_t)y * r->width + (size_t)left], sum = 0;
        for (int32_t x = 0; x < dots; x++) {
            sum = (uint8_t)(sum + changes[x]);
            cover[x] = PL_MAX(cover[x], sum);
        }
    }
    return PL_OK;
}

PL_BY_MACHINE static enum pl_errc draw_hexagons(struct pl_bar_build *b, const struct pl_bitmap *cells,
                                                struct pl_bitmap *out)
{
    struct raster *r = PL_ARENA_NEW(b->context->arena, struct raster);
    if (!r)
        return pl_fail_memory(b->err);
    r->arena = b->context->arena;
    r->times = (int32_t)PL_MAX(b->context->scale, 1u);
    r->dpmm = b->context->dpmm;
    r->width = (uint32_t)corner(r, FIRST_X + CELL_PITCH * (COLUMNS - 1) + HEX_HALF_WIDTH);
    r->height = (uint32_t)corner(r, FIRST_Y + ROW_PITCH * (ROWS - 1) + HEX_RADIUS);
    r->cover = pl_arena_zalloc(r->arena, (size_t)r->width * r->height + 64, 1);
    if (!r->cover)
        return pl_fail_memory(b->err);
    for (uint32_t y = 0; y < ROWS; y++)
        for (uint32_t x = 0; x < COLUMNS - y % 2; x++)
            if (pl_bitmap_get(cells, x, y))
                PL_TRY(draw_hexagon(r, FIRST_X + CELL_PITCH * (int64_t)x + (y % 2 ? CELL_PITCH / 2 : 0),
                                    FIRST_Y + ROW_PITCH * (int64_t)y, b->err));
    PL_TRY(draw_bullseye(r, b->err));
    PL_TRY(pl_bitmap_new(r->arena, r->width, r->height, out, b->err));
    for (uint32_t y = 0; y < r->height; y++) {
        const uint8_t *cover = r->cover + (size_t)y * r->width;
        for (uint32_t i = 0; i < out->stride; i++) {
            uint64_t word = pl_bytes_above(cover + (size_t)i * 64, FULL / 2);
            if (i + 1 == out->stride)
                word &= pl_tail_mask(r->width);
            pl_bitmap_row(out, y)[i] = word;
        }
    }
    return PL_OK;
}

// What the symbol says, beside its address.
struct message {
    int mode;
    struct pl_slice text;
    uint32_t append_index, append_count; // 0: it stands alone
};

static enum pl_errc encode_by_zint(const struct pl_bar_build *b, const struct message *m, struct pl_bitmap *cells,
                                   struct pl_error *reason)
{
    struct pl_arena *arena = b->context->arena;
    const struct pl_maxicode_address *to = b->barcode->maxicode.address;
    char address[sizeof(struct pl_maxicode_address)];
    if (m->mode <= 3) // in libzint's order; it wants a postcode
        snprintf(address, sizeof address, "%s%s%s", *to->postcode ? to->postcode : "0", to->country, to->service);
    // Of messages that nearly fill its places libzint makes a symbol with other data.
    struct pl_maxicode_options options = {.mode = (uint32_t)m->mode, .append_count = m->append_count};
    if (m->text.len > ZINT_IS_SURE && !pl_maxicode_fits(m->text, &options))
        return pl_fail(reason, PL_E_INVALID, "%zu characters are too many", m->text.len);
    // The secondary message may be empty; blanks fill it either way.
    struct pl_zint_job job = {.symbology = PL_ZINT_MAXICODE,
                              .data = m->text.len > 0 ? m->text : pl_slice_cstr(" "),
                              .primary = m->mode <= 3 ? address : NULL,
                              .option_1 = m->mode,
                              .append_index = m->append_index,
                              .append_count = m->append_count};
    struct pl_zint_symbol *symbol = PL_ARENA_NEW(arena, struct pl_zint_symbol);
    if (!symbol)
        return pl_fail_memory(reason);
    PL_TRY(pl_zint_encode(&job, arena, symbol, reason));
    if (symbol->modules.height != ROWS || symbol->modules.width != COLUMNS)
        return pl_fail(reason, PL_E_BUG, "libzint gave a MaxiCode of %u by %u cells", symbol->modules.width,
                       symbol->modules.height);
    *cells = symbol->modules;
    return PL_OK;
}

static uint32_t three_digits(const char *text)
{
    return (uint32_t)((text[0] - '0') * 100 + (text[1] - '0') * 10 + text[2] - '0');
}

static enum pl_errc encode_as_printer(const struct pl_bar_build *b, const struct message *m, struct pl_bitmap *cells,
                                      struct pl_error *reason)
{
    const struct pl_maxicode_address *to = b->barcode->maxicode.address;
    struct pl_maxicode_options options = {
        .mode = (uint32_t)m->mode, .append_index = m->append_index, .append_count = m->append_count};
    if (m->mode <= 3) {
        options.postcode = to->postcode;
        options.country = three_digits(to->country);
        options.service = three_digits(to->service);
    }
    return pl_maxicode_encode(m->text, &options, b->context->arena, cells, reason);
}

enum pl_errc pl_bar_build_maxicode(struct pl_bar_build *b)
{
    const struct pl_barcode *barcode = b->barcode;
    const struct pl_profile_bar *profile = b->context->profile;
    struct message message = {
        .mode = barcode->maxicode.mode >= 2 && barcode->maxicode.mode <= 6 ? barcode->maxicode.mode : 2,
        .text = barcode->content.bytes};
    int mode = message.mode;
    if (mode <= 3 && !barcode->maxicode.address)
        return pl_bar_give_up(b, PL_BAR_TOO_SHORT, "MaxiCode mode %d has an address.", mode);
    const uint8_t *nul = message.text.len > 0 ? memchr(message.text.ptr, 0, message.text.len) : NULL;
    if (nul && profile->maxicode_nul_ends_data) {
        message.text.len = (size_t)(nul - message.text.ptr);
        pl_bar_note(b, PL_DIAG_BARCODE_DATA, "A NUL ends the data of a MaxiCode; the rest was left out.");
    }
    if (mode > 3 && message.text.len == 0)
        return pl_bar_give_up(b, PL_BAR_TOO_SHORT, "There is no data to encode.");
    if ((mode == 4 || mode == 6) && message.text.len < profile->maxicode_least_length)
        return pl_bar_give_up(b, PL_BAR_TOO_SHORT, "Printers draw MaxiCode mode %d from %u bytes on.", mode,
                              profile->maxicode_least_length);
    if (barcode->maxicode.append_count > 1 && barcode->maxicode.append_count <= 8 &&
        barcode->maxicode.append_index >= 1 && barcode->maxicode.append_index <= barcode->maxicode.append_count) {
        message.append_index = (uint32_t)barcode->maxicode.append_index;
        message.append_count = (uint32_t)barcode->maxicode.append_count;
    }
    struct pl_bitmap cells;
    struct pl_error reason = {0};
    enum pl_errc code = profile->maxicode_as_printed ? encode_as_printer(b, &message, &cells, &reason)
                                                     : encode_by_zint(b, &message, &cells, &reason);
    if (code != PL_OK)
        return pl_bar_refused(b, code, &reason, PL_BAR_TOO_LONG, "MaxiCode");
    struct pl_bitmap *picture = PL_ARENA_NEW(b->context->arena, struct pl_bitmap);
    if (!picture)
        return pl_fail_memory(b->err);
    struct pl_bar_layout *out = b->out;
    if (profile->maxicode_on_whole_dots) {
        PL_TRY(pl_maxicode_draw_dots(&cells, b->context->dpmm, b->context->arena, picture, b->err));
        out->picture_scale = 1;
        out->baseline_dy = 1; // the last row of ink is the baseline's
    } else {
        PL_TRY(draw_hexagons(b, &cells, picture));
        out->picture_scale = PL_MAX(b->context->scale, 1u);
    }
    out->picture = picture;
    out->ignores_rotation = true;
    out->width = picture->width / out->picture_scale;
    out->height = picture->height / out->picture_scale;
    out->module = (b->context->dpmm * 5 + 3) / 6; // a cell is about 0.88 mm wide
    return pl_bar_set_text(b, barcode->data);
}
