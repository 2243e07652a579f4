// Graphic commands: shapes and ^GF.
#include "lang/zpl/args.h"
#include "lang/zpl/gfdata.h"
#include "lang/zpl/payload.h"

static enum pl_errc begin_shape(struct zpl *z, const struct zpl_args *a, enum pl_element_kind kind)
{
    PL_TRY(zpl_graphic_begin(z, a, ZPL_SHAPE, kind));
    z->field.shape = (struct pl_shape){.thickness = 1};
    return PL_OK;
}

static void colour(struct zpl *z, const struct zpl_args *a, unsigned i)
{
    char c = 'B';
    zpl_arg_choice(z, a, i, &c);
    z->field.shape.white = c == 'W';
}

enum pl_errc zpl_cmd_graphic_box(struct zpl *z, const struct zpl_args *a)
{
    PL_TRY(begin_shape(z, a, PL_ELEMENT_BOX));
    struct pl_shape *s = &z->field.shape;
    zpl_arg_int_least(z, a, 2, 1, &s->thickness);
    s->width = s->height = s->thickness;
    zpl_arg_int_least(z, a, 0, s->thickness, &s->width);
    zpl_arg_int_least(z, a, 1, s->thickness, &s->height);
    colour(z, a, 3);
    // Out of range means no rounding, not the nearest.
    int32_t rounding = 0;
    zpl_arg_int_strict(z, a, 4, &rounding);
    s->rounding = (uint8_t)rounding;
    return PL_OK;
}

enum pl_errc zpl_cmd_graphic_circle(struct zpl *z, const struct zpl_args *a)
{
    PL_TRY(begin_shape(z, a, PL_ELEMENT_ELLIPSE));
    struct pl_shape *s = &z->field.shape;
    s->width = 3;
    zpl_arg_int(z, a, 0, &s->width);
    s->height = s->width;
    s->circle = true;
    zpl_arg_int(z, a, 1, &s->thickness);
    colour(z, a, 2);
    return PL_OK;
}

enum pl_errc zpl_cmd_graphic_diagonal(struct zpl *z, const struct zpl_args *a)
{
    PL_TRY(begin_shape(z, a, PL_ELEMENT_DIAGONAL));
    struct pl_shape *s = &z->field.shape;
    zpl_arg_int(z, a, 2, &s->thickness);
    // A side that is missing or 0 follows the thickness, but not below 3.
    zpl_arg_int(z, a, 0, &s->width);
    zpl_arg_int(z, a, 1, &s->height);
    int32_t least = PL_MAX(s->thickness, 3);
    s->width = s->width > 0 ? PL_MAX(s->width, 3) : least;
    s->height = s->height > 0 ? PL_MAX(s->height, 3) : least;
    colour(z, a, 3);
    char direction = 'R';
    zpl_arg_choice(z, a, 4, &direction);
    s->leans_left = direction == 'L' || direction == '\\';
    return PL_OK;
}

enum pl_errc zpl_cmd_graphic_ellipse(struct zpl *z, const struct zpl_args *a)
{
    PL_TRY(begin_shape(z, a, PL_ELEMENT_ELLIPSE));
    struct pl_shape *s = &z->field.shape;
    zpl_arg_int(z, a, 2, &s->thickness);
    s->width = s->height = PL_MAX(s->thickness, 3);
    zpl_arg_int(z, a, 0, &s->width);
    zpl_arg_int(z, a, 1, &s->height);
    colour(z, a, 3);
    return PL_OK;
}

// Counted bytes take in the end of their field, or end before other data.
static bool is_miscounted(const struct zpl_lexer *lex, struct pl_slice data)
{
    const uint8_t field_end[] = {lex->caret, 'F', 'S'}, *end = lex->text.ptr + lex->text.len;
    const uint8_t *p = data.ptr + data.len;
    bool taken_in = false;
    for (const uint8_t *at = data.ptr; !taken_in && (at = memmem(at, (size_t)(p - at), field_end, sizeof field_end));) {
        const uint8_t *behind = at += sizeof field_end;
        while (behind < end && (*behind == '\r' || *behind == '\n'))
            behind++;
        taken_in = behind == end || *behind == lex->caret;
    }
    return taken_in || (end > p && *p > ' ' && *p != lex->caret && *p != lex->tilde);
}

enum pl_errc zpl_cmd_graphic_field(struct zpl *z, const struct zpl_args *command)
{
    struct zpl_payload p;
    zpl_payload_read(&z->lex, command, 4, &p);
    struct zpl_args *a = &p.args;
    char kind = 'A';
    zpl_arg_choice(z, a, 0, &kind);
    int32_t sent = 0, total = 0, per_row = 0;
    zpl_arg_int(z, a, 1, &sent);
    bool has_total = zpl_arg_int(z, a, 2, &total), has_row = zpl_arg_int(z, a, 3, &per_row);
    bool wrapped = zpl_payload_is_wrapped(&z->lex, &p);
    bool raw = kind != 'A' && !wrapped;
    if (raw)
        zpl_payload_skip_blanks(&z->lex, &p);
    zpl_payload_take(&z->lex, &p, raw && sent > 0 ? (size_t)sent : SIZE_MAX);
    struct zpl_gf gf = {&z->img, z->diags, p.args.source};
    if (raw && sent > 0 && sent >= total && is_miscounted(&z->lex, p.data))
        pl_diag_add(z->diags, PL_DIAG_GRAPHIC_DATA, a->source, 2,
                    "^GF: the %d bytes stated do not end where the data ends: commands are taken for data, or data for "
                    "commands.",
                    sent);
    if (!has_total || !has_row)
        return PL_REPORTED(pl_diag_add(z->diags, PL_DIAG_PARAMETER_MISSING, a->source, has_total ? 4 : 3,
                                       "^GF: the number of %s is missing; nothing was drawn.",
                                       has_total ? "bytes per row" : "bytes"));
    if (kind == 'C' && raw) {
        // Nobody says what raw data of this kind is; where it is a whole zlib stream there is no doubt.
        PL_TRY(zpl_gf_inflate(&gf, p.data, (uint64_t)total, &p.data, z->err));
        if (p.data.len == 0)
            return PL_REPORTED(pl_diag_add(
                z->diags, PL_DIAG_UNSUPPORTED, a->source, 1,
                "^GF: compressed binary data of kind C is not documented; this is no zlib stream of the stated "
                "size and cannot be drawn."));
    }
    const struct pl_bitmap *bits;
    PL_TRY(zpl_gf_bitmap(&gf, p.data, raw, (uint64_t)total, (uint64_t)per_row, &bits, z->err));
    if (!bits)
        return PL_OK;
    PL_TRY(zpl_graphic_begin(z, a, ZPL_IMAGE, PL_ELEMENT_IMAGE));
    z->field.image = (struct pl_image){.bits = bits, .mx = 1, .my = 1};
    return PL_OK;
}
