// The dots of graphics in label code: read, and written in another coding.
#include "base/ckd.h"
#include "lang/zpl/args.h"
#include "lang/zpl/gfdata.h"
#include "raster/bitmap.h"
#include "rewrite/passes.h"

#define ROW_MOST 99999
#define CODED_MOST ((size_t)256 << 20)

static bool number_of(const struct rw_command *c, uint32_t item, uint64_t *out)
{
    int64_t value;
    bool clean;
    if (!rw_has(c, item) || !zpl_parse_number(c->items[item], &value, &clean) || value <= 0)
        return false;
    *out = (uint64_t)(value / 10000);
    return true;
}

// Parameters of ^GF and ~DG: bytes of the whole, bytes of a row.
static uint32_t total_item(const struct rw_command *c)
{
    return c->prefix == '^' ? 2 : 1;
}

enum pl_errc rw_graphic(struct rw_document *doc, const struct rw_command *c, const struct pl_bitmap **out,
                        struct pl_error *err)
{
    uint64_t total, row;
    *out = NULL;
    if (!number_of(c, total_item(c), &total) || !number_of(c, total_item(c) + 1, &row))
        return PL_OK;
    struct pl_img_env env = {.arena = doc->arena, .job = doc->job, .limit = doc->decoded_limit};
    struct pl_diags unheard;
    pl_diags_init(&unheard, doc->arena, 0);
    struct zpl_gf gf = {&env, &unheard, rw_source(c)};
    struct pl_slice data = c->data;
    bool kind_c = c->prefix == '^' && rw_has(c, 0) && (c->items[0].ptr[0] & 0xDF) == 'C';
    if (kind_c && c->counted)
        PL_TRY(zpl_gf_inflate(&gf, data, total, &data, err));
    if (data.len == 0)
        return PL_OK;
    return zpl_gf_bitmap(&gf, data, c->counted, total, row, out, err);
}

// Rows of bytes out of rows of words.
enum pl_errc rw_pack(struct pl_arena *arena, const struct pl_bitmap *bits, struct pl_graphic_rows *out,
                     struct pl_error *err)
{
    uint32_t row_bytes = (bits->width + 7) / 8;
    size_t size;
    if (row_bytes == 0 || row_bytes > ROW_MOST || !PL_CKD_MUL(&size, (size_t)row_bytes, (size_t)bits->height))
        return pl_fail(err, PL_E_LIMIT, "a graphic of %u x %u dots is too large", bits->width, bits->height);
    uint8_t *bytes = PL_ARENA_ARRAY(arena, uint8_t, size + 8);
    if (!bytes)
        return pl_fail_memory(err);
    for (uint32_t y = 0; y < bits->height; y++) {
        const uint64_t *words = pl_bitmap_row(bits, y);
        for (uint32_t i = 0; i < row_bytes; i++)
            bytes[(size_t)y * row_bytes + i] = (uint8_t)(words[i / 8] >> (56 - i % 8 * 8));
    }
    *out = (struct pl_graphic_rows){bytes, row_bytes, bits->height};
    return PL_OK;
}

static bool set_number(struct rw_document *doc, struct rw_command *c, uint32_t item, size_t value)
{
    char *text = pl_arena_printf(doc->arena, "%zu", value);
    return text && rw_set_item(doc, c, item, pl_slice_cstr(text));
}

// Behind counted bytes text is no part of the data; behind data in letters it would be.
static void drop_text_behind(struct rw_document *doc, const struct rw_command *c)
{
    size_t next = (size_t)(c - doc->commands) + 1;
    if (next < doc->count)
        doc->commands[next].skipped = pl_slice_make("", 0);
    else if (!doc->torn)
        doc->rest = pl_slice_make("", 0);
}

enum pl_errc rw_set_graphic(struct rw_document *doc, struct rw_command *c, const struct pl_bitmap *bits,
                            enum platen_graphic_coding coding, struct pl_error *err)
{
    struct pl_graphic_rows rows;
    struct pl_buf coded;
    PL_TRY(rw_pack(doc->arena, bits, &rows, err));
    pl_buf_init(&coded, CODED_MOST);
    enum pl_errc code = pl_graphic_write(&rows, coding, &coded, NULL, err);
    uint8_t *copy = code == PL_OK ? pl_arena_copy(doc->arena, coded.data, coded.len) : NULL;
    if (copy)
        c->data = pl_slice_make(copy, coded.len);
    pl_buf_fini(&coded);
    if (code != PL_OK)
        return code;
    size_t total = pl_graphic_size(&rows);
    uint32_t at = total_item(c);
    if (c->counted)
        drop_text_behind(doc, c);
    c->counted = false;
    bool field = c->prefix == '^';
    if (!copy || (field && (!rw_set_item(doc, c, 0, pl_slice_cstr("A")) || !set_number(doc, c, 1, total))) ||
        !set_number(doc, c, at, total) || !set_number(doc, c, at + 1, rows.row_bytes))
        return pl_fail_memory(err);
    return PL_OK;
}

enum pl_errc rw_recode_graphics(struct rw_document *doc, enum platen_graphic_coding coding, struct pl_error *err)
{
    for (uint32_t i = 0; i < doc->count; i++) {
        struct rw_command *c = &doc->commands[i];
        const struct pl_bitmap *bits;
        if (!rw_has_graphic(c))
            continue;
        PL_TRY(pl_job_check(doc->job, err));
        PL_TRY(rw_graphic(doc, c, &bits, err));
        if (bits)
            PL_TRY(rw_set_graphic(doc, c, bits, coding, err));
        else
            RW_NOTE(doc, c, "The graphic data cannot be read; it was left as it is.");
    }
    return PL_OK;
}
