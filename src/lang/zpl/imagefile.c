// Picture files in the printer's memory: those of src/img, and GRF, which is text of the language.
#include "lang/zpl/imagefile.h"

#include "lang/zpl/args.h"
#include "lang/zpl/lex.h"

// A .GRF file is a ~DG command: name, size, bytes per row, data.
static enum pl_errc decode_grf(const struct zpl_gf *gf, struct pl_slice file, const struct pl_bitmap **out,
                               struct pl_error *err)
{
    struct pl_slice rest = file;
    int64_t numbers[2] = {0, 0};
    for (int i = 0; i < 3; i++) {
        const uint8_t *comma = rest.len ? memchr(rest.ptr, ',', rest.len) : NULL;
        if (!comma)
            return PL_OK;
        size_t len = (size_t)(comma - rest.ptr);
        bool clean;
        if (i > 0 && !zpl_parse_number(pl_slice_sub(rest, 0, len), &numbers[i - 1], &clean))
            return PL_OK;
        rest = pl_slice_sub(rest, len + 1, rest.len);
    }
    struct zpl_lexer lex;
    zpl_lexer_init(&lex, rest);
    rest.len = zpl_lex_payload_end(&lex, 0);
    if (numbers[0] < 0 || numbers[1] < 0)
        return PL_OK;
    return zpl_gf_bitmap(gf, rest, false, (uint64_t)numbers[0] / 10000, (uint64_t)numbers[1] / 10000, out, err);
}

enum pl_errc zpl_image_decode(const struct zpl_gf *gf, struct pl_slice file, const struct pl_bitmap **out,
                              struct pl_error *err)
{
    *out = NULL;
    const char *why = NULL;
    struct pl_slice text = pl_slice_trim(file);
    if (pl_img_is_known(file))
        PL_TRY(pl_img_decode(gf->img, file, out, &why, err));
    else if (text.len > 3 && memcmp(text.ptr, "~DG", 3) == 0)
        return decode_grf(gf, text, out, err);
    else
        why = "it is neither PNG nor BMP, PCX or GRF";
    if (why)
        pl_diag_add(gf->diags, PL_DIAG_OBJECT_INVALID, gf->source, 0, "%s: the picture cannot be used: %s.",
                    gf->source.command, why);
    return PL_OK;
}
