// Picture files in the printer's memory: which kind it is, and from rows to a bitmap.
#include "zpl/imagefile.h"

#include "zpl/gfdata.h"
#include "zpl/lex.h"

enum pl_errc zpl_rows_new(struct zpl *z, uint32_t width, uint32_t height, struct zpl_rows *out)
{
    out->width = width;
    out->height = height;
    out->bytes_per_row = (width + 7) / 8;
    size_t size = (size_t)out->bytes_per_row * height;
    PL_TRY(zpl_gf_charge(z, size));
    out->bytes = pl_arena_zalloc(z->arena, size ? size : 1, 8);
    return out->bytes ? PL_OK : pl_fail_memory(z->err);
}

// A .GRF file is a ~DG command: name, size, bytes per row, data.
static enum pl_errc decode_grf(struct zpl *z, struct pl_source source, struct pl_slice file,
                               const struct pl_bitmap **out)
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
    return zpl_gf_bitmap(z, source, rest, false, (uint64_t)numbers[0] / 10000, (uint64_t)numbers[1] / 10000, out);
}

enum pl_errc zpl_image_decode(struct zpl *z, struct pl_source source, struct pl_slice file,
                              const struct pl_bitmap **out)
{
    *out = NULL;
    struct zpl_rows rows = {0};
    const char *why = NULL;
    if (file.len >= 8 && memcmp(file.ptr, "\x89PNG\r\n\x1A\n", 8) == 0)
        PL_TRY(zpl_png_decode(z, file, &rows, &why));
    else if (file.len >= 2 && memcmp(file.ptr, "BM", 2) == 0)
        PL_TRY(zpl_bmp_decode(z, file, &rows, &why));
    else if (file.len >= 128 && file.ptr[0] == 0x0A)
        PL_TRY(zpl_pcx_decode(z, file, &rows, &why));
    else if (pl_slice_trim(file).len > 3 && memcmp(pl_slice_trim(file).ptr, "~DG", 3) == 0)
        return decode_grf(z, source, pl_slice_trim(file), out);
    else
        why = "it is neither PNG nor BMP, PCX or GRF";
    if (why) {
        pl_diag_add(z->diags, PL_DIAG_OBJECT_INVALID, source, 0, "%s: the picture cannot be used: %s.", source.command,
                    why);
        return PL_OK;
    }
    return zpl_gf_from_rows(z, pl_slice_make(rows.bytes, (size_t)rows.bytes_per_row * rows.height), rows.width,
                            rows.height, rows.bytes_per_row, out);
}
