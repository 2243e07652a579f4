// ^BD: MaxiCode. Codewords from libzint; hexagons and bullseye drawn by the geometry measured on the reference.
#include "bar/bar_zint.h"
#include "bar/build.h"
#include "base/ckd.h"

#define ROWS 33
#define COLUMNS 30

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
        return pl_bar_give_up(b, PL_BAR_BAD_CHARACTER, "Class, country and postcode of MaxiCode mode %d are digits.", mode);
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

// Lengths in thousandths of the cell pitch unit: see draw_picture.
enum { UNIT = 1000 };

// The picture in dots times the scale. Units of the standard's drawing: cells 2.46 apart, rows 2.135, hexagons of radius 1.25,
// rings of radii 10.85 to 1.43 around (35.76, 35.60); one unit is 2.71 dots at 8 dots per mm.
static enum pl_errc draw_picture(struct pl_bar_build *b, const struct pl_bitmap *cells, struct pl_bitmap *out);

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
