// Pictures: BITMAP with its data, PUTBMP and PUTPCX from the printer's memory.
#include "lang/tspl/cmd_table.h"

enum { MODE_OVERWRITE, MODE_OR, MODE_XOR };

// White paper where the picture goes.
static enum pl_errc add_paper(struct tspl *t, const struct tspl_args *a, struct pl_box box)
{
    struct pl_element *e = pl_element_new_solid(&t->labels, a->source, box);
    if (!e)
        return pl_fail_memory(t->err);
    e->shape.white = true;
    return tspl_add(t, e);
}

static enum pl_errc add_picture(struct tspl *t, const struct tspl_args *a, int32_t x, int32_t y,
                                const struct pl_bitmap *bits, int32_t mode, struct pl_slice name)
{
    // On an empty image there is nothing that the picture could cover.
    if (mode == MODE_OVERWRITE && t->drawn.count > 0)
        PL_TRY(add_paper(t, a, (struct pl_box){x, y, x + (int32_t)bits->width, y + (int32_t)bits->height}));
    struct pl_element *e = pl_element_new(&t->labels, PL_ELEMENT_IMAGE, a->source, x, y);
    if (!e)
        return pl_fail_memory(t->err);
    e->reverse = mode == MODE_XOR;
    e->image = (struct pl_image){.bits = bits, .mx = 1, .my = 1, .name = name};
    return tspl_add(t, e);
}

// The wire has 0 for black.
static enum pl_errc read_rows(struct tspl *t, struct pl_slice data, uint32_t bytes_per_row, uint32_t height,
                              const struct pl_bitmap **out)
{
    struct pl_bitmap *bits;
    PL_TRY(pl_img_open(&t->img, bytes_per_row * 8, height, &bits, t->err));
    size_t stride = (size_t)bits->stride * 8;
    uint8_t *to = (uint8_t *)bits->words;
    for (uint32_t row = 0; row < height; row++) {
        struct pl_slice from = pl_slice_sub(data, (size_t)row * bytes_per_row, bytes_per_row);
        for (size_t i = 0; i < from.len; i++)
            to[row * stride + i] = (uint8_t)~from.ptr[i];
        if (row % 1024 == 1023)
            PL_TRY(pl_job_check(t->job, t->err));
    }
    pl_img_close(bits);
    *out = bits;
    return PL_OK;
}

// Compressed data has no length: the next line that begins with a command ends it.
static void skip_unknown_data(struct tspl *t)
{
    struct tspl_lexer probe = t->lex;
    struct tspl_statement st;
    while (t->lex.pos < t->lex.text.len) {
        tspl_lex_skip_line(&t->lex);
        probe.pos = t->lex.pos;
        if (probe.pos < probe.text.len && tspl_lex_next(&probe, &st) && st.kind == TSPL_COMMAND &&
            tspl_row_lookup(st.word))
            return;
    }
}

enum pl_errc tspl_cmd_bitmap(struct tspl *t, const struct tspl_args *a)
{
    int32_t x, y, bytes_per_row = 0, height = 0, mode = 0;
    if (!tspl_needs(t, a, 5))
        return PL_OK;
    bool placed = tspl_place(t, a, 0, &x, &y);
    bool sized = tspl_int(t, a, 2, 0, 65535, &bytes_per_row) && tspl_int(t, a, 3, 0, TSPL_FAR, &height);
    double asked = 0;
    (void)tspl_number(t, a, 4, &asked);
    if (asked == 3 || asked == 4) {
        tspl_note(t, a, PL_DIAG_UNSUPPORTED, 5, "BITMAP: mode %d is compressed in a way of one maker; it is not drawn.",
                  (int)asked);
        skip_unknown_data(t);
        return PL_OK;
    }
    (void)tspl_int(t, a, 4, 0, 2, &mode);
    if (!sized)
        return PL_OK;
    uint64_t wanted = (uint64_t)bytes_per_row * (uint64_t)height;
    struct pl_slice data = pl_slice_take(t->lex.text, &t->lex.pos, wanted);
    if (data.len < wanted)
        tspl_note(t, a, PL_DIAG_GRAPHIC_DATA, 0,
                  "BITMAP: %llu of its %d x %d bytes are missing at the end; they are white.",
                  (unsigned long long)(wanted - data.len), bytes_per_row, height);
    else if (t->lex.pos < t->lex.text.len && t->lex.text.ptr[t->lex.pos] != '\r' &&
             t->lex.text.ptr[t->lex.pos] != '\n' && !pl_is_letter(t->lex.text.ptr[t->lex.pos])) {
        tspl_note(t, a, PL_DIAG_GRAPHIC_DATA, 0, "BITMAP: more data follows than its %d x %d bytes; it was skipped.",
                  bytes_per_row, height);
        tspl_lex_skip_line(&t->lex);
    }
    // Rows that no byte came for are not made: a size alone costs nothing.
    uint32_t rows = bytes_per_row ? (uint32_t)((data.len + (size_t)bytes_per_row - 1) / (size_t)bytes_per_row) : 0;
    if (!placed || rows == 0)
        return PL_OK;
    const struct pl_bitmap *bits;
    PL_TRY(read_rows(t, data, (uint32_t)bytes_per_row, rows, &bits));
    return add_picture(t, a, x, y, bits, mode, (struct pl_slice){0});
}

// A stored file as bits; decoded once for all that recall it.
static enum pl_errc decode(struct tspl *t, const struct tspl_args *a, const struct pl_object *object,
                           const struct pl_bitmap **out)
{
    *out = NULL;
    if (object->kind == PL_OBJECT_BITMAP) {
        *out = object->data;
        return PL_OK;
    }
    bool fresh;
    struct pl_img_kept *kept = pl_img_keep(&t->img, object->id, &fresh);
    if (!kept)
        return pl_fail_memory(t->err);
    const char *why = "it is neither BMP nor PCX or PNG";
    if (fresh && object->kind == PL_OBJECT_FILE && pl_img_is_known(object->bytes)) {
        why = NULL;
        PL_TRY(pl_img_decode(&t->img, object->bytes, &kept->bits, &why, t->err));
    }
    if (fresh && !kept->bits)
        tspl_note(t, a, PL_DIAG_OBJECT_INVALID, 3, "%s: the picture cannot be used: %s.", a->source.command,
                  why ? why : "it is empty");
    *out = kept->bits;
    return PL_OK;
}

enum pl_errc tspl_cmd_put_picture(struct tspl *t, const struct tspl_args *a)
{
    int32_t x, y;
    struct pl_slice text = {0};
    if (!tspl_place(t, a, 0, &x, &y) || !tspl_text(t, a, 2, &text))
        return PL_OK;
    struct pl_object_name name;
    pl_object_name_parse(text, "", a->row->kind ? "PCX" : "BMP", &name);
    const struct pl_object *object = pl_store_lookup(t->store, &name);
    if (!object)
        return PL_REPORTED(tspl_note(t, a, PL_DIAG_OBJECT_NOT_FOUND, 3, "%s: there is no %.*s in the printer's memory.",
                                     a->source.command, (int)PL_MIN(text.len, (size_t)40), (const char *)text.ptr));
    const struct pl_bitmap *bits;
    PL_TRY(decode(t, a, object, &bits));
    if (!bits)
        return PL_OK;
    char shown[PL_OBJECT_NAME_TEXT_MAX];
    size_t len = pl_object_name_format(&object->name, shown);
    char *copy = pl_arena_copy(t->arena, shown, len);
    if (!copy)
        return pl_fail_memory(t->err);
    return add_picture(t, a, x, y, bits, MODE_OR, pl_slice_make(copy, len));
}
