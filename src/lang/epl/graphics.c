// GW, GM, GG, GK: graphics; ES, EK: soft fonts.
#include <stdio.h>

#include "base/buf.h"
#include "base/ckd.h"
#include "lang/epl/state.h"

const char *const epl_extensions[] = {[EPL_GRAPHICS] = "PCX", [EPL_FONTS] = "ESF", [EPL_FORMS] = "EPL"};

// Bytes that were counted; what is missing at the end of the input is reported.
static struct pl_slice take_bytes(struct epl *e, const struct epl_args *a, uint64_t count)
{
    struct pl_slice raw = pl_slice_take(e->lex.text, &e->lex.pos, count);
    e->since_check = 64; // a graphic may take as long as thousands of commands
    if (raw.len < count)
        pl_diag_add(e->diags, PL_DIAG_GRAPHIC_DATA, a->source, 0,
                    "%s: %llu bytes are announced, but the input ends after %zu.", a->source.command,
                    (unsigned long long)count, raw.len);
    return raw;
}

// What follows counted bytes is a line end or a command: otherwise the count was wrong.
static void check_end(struct epl *e, const struct epl_args *a)
{
    struct epl_lexer ahead = e->lex;
    struct epl_token next;
    struct pl_slice rest = pl_slice_sub(e->lex.text, e->lex.pos, 2);
    if (rest.len == 0 || rest.ptr[0] == '\n' || rest.ptr[0] == '\r' || (epl_lex_next(&ahead, &next) && next.row))
        return;
    pl_diag_add(e->diags, PL_DIAG_GRAPHIC_DATA, a->source, 0,
                "%s: what follows the bytes that were counted is no command; the count seems to be wrong.",
                a->source.command);
    // More bytes than were counted: go on with the next line.
    struct pl_slice line;
    (void)epl_lex_line(&e->lex, &line);
}

// A graphic replaces what is below it: a white box comes first where something may be there.
static enum pl_errc add_picture(struct epl *e, const struct epl_args *a, struct pl_element *picture)
{
    if (e->buffer.drawn.count > 0) {
        const struct pl_bitmap *bits = picture->image.bits;
        struct pl_element *paper = pl_element_new(&e->labels, PL_ELEMENT_BOX, a->source, picture->at.x, picture->at.y);
        if (!paper)
            return pl_fail_memory(e->err);
        paper->shape = pl_solid_shape((int32_t)bits->width, (int32_t)bits->height);
        paper->shape.white = true;
        PL_TRY(epl_add_element(e, paper, NULL));
    }
    return epl_add_element(e, picture, NULL);
}

// x, y, bytes a row, rows, and the bytes: 0 is black.
enum pl_errc epl_cmd_bitmap(struct epl *e, const struct epl_args *a)
{
    int32_t at[4];
    if (!epl_numbers(e, a, 4, at))
        return PL_OK;
    struct pl_slice raw = take_bytes(e, a, (uint64_t)at[2] * (uint64_t)at[3]);
    check_end(e, a);
    if (raw.len == 0)
        return PL_OK;
    uint8_t *ink;
    struct pl_error why;
    enum pl_errc code = pl_img_scratch(&e->img, raw.len, &ink, &why);
    const struct pl_bitmap *bits = NULL;
    if (code == PL_OK) {
        for (size_t i = 0; i < raw.len; i++)
            ink[i] = (uint8_t)~raw.ptr[i];
        code = pl_img_from_rows(&e->img, pl_slice_make(ink, raw.len), (uint32_t)at[2] * 8, (uint32_t)at[3],
                                (uint32_t)at[2], &bits, &why);
    }
    if (code == PL_E_LIMIT)
        return PL_REPORTED(pl_diag_add(e->diags, PL_DIAG_LIMIT_REACHED, a->source, 0,
                                       "GW: the graphic was left out: %s.", why.message));
    if (code != PL_OK) {
        *e->err = why;
        return code;
    }
    struct pl_element *picture = epl_new_element(e, a, PL_ELEMENT_IMAGE, at[0], at[1]);
    if (!picture)
        return pl_fail_memory(e->err);
    picture->image = (struct pl_image){.bits = bits, .mx = 1, .my = 1};
    return add_picture(e, a, picture);
}

static enum pl_errc put_object(struct epl *e, const struct epl_args *a, const struct pl_object *object)
{
    struct pl_error why;
    enum pl_errc code = pl_store_put(e->store, object, &why);
    if (code == PL_E_MEMORY)
        return pl_fail_memory(e->err);
    if (code != PL_OK)
        pl_diag_add(e->diags, PL_DIAG_STORE_FULL, a->source, 0, "%s: it was not stored: %s.", a->source.command,
                    why.message);
    return PL_OK;
}

// "NAME", the length, and a PCX file.
enum pl_errc epl_cmd_store_graphic(struct epl *e, const struct epl_args *a)
{
    struct pl_object_name name;
    struct pl_slice args = a->token->args;
    size_t digits = args.len;
    int64_t count = 0;
    while (digits > 0 && args.ptr[digits - 1] >= '0' && args.ptr[digits - 1] <= '9')
        digits--;
    bool counted = epl_read_number(pl_slice_sub(args, digits, args.len), &count);
    struct pl_slice file = counted ? take_bytes(e, a, (uint64_t)count) : (struct pl_slice){0};
    if (!epl_name(e, a, "PCX", &name))
        return PL_OK;
    if (!counted)
        return PL_REPORTED(
            pl_diag_add(e->diags, PL_DIAG_PARAMETER_MISSING, a->source, 2, "GM: the number of bytes is missing."));
    check_end(e, a);
    const struct pl_bitmap *bits = NULL;
    const char *why = "it is no PCX file";
    if (pl_img_is_known(file)) {
        struct pl_error err;
        enum pl_errc code = pl_img_decode(&e->img, file, &bits, &why, &err);
        if (code == PL_E_LIMIT) {
            why = "it is too large";
        } else if (code != PL_OK) {
            *e->err = err;
            return code;
        }
    }
    if (!bits)
        return PL_REPORTED(
            pl_diag_add(e->diags, PL_DIAG_OBJECT_INVALID, a->source, 0, "GM: the graphic cannot be used: %s.", why));
    return put_object(
        e, a,
        &(struct pl_object){.name = name, .kind = PL_OBJECT_BITMAP, .bytes = file, .data = bits, .cost = file.len});
}

enum pl_errc epl_cmd_show_graphic(struct epl *e, const struct epl_args *a)
{
    int32_t at[2];
    if (!epl_numbers(e, a, 2, at))
        return PL_OK;
    if (!a->token->data.ptr)
        return PL_REPORTED(pl_diag_add(e->diags, PL_DIAG_PARAMETER_MISSING, a->source, 3,
                                       "GG: the name is missing; nothing was drawn."));
    struct pl_element *picture = epl_new_element(e, a, PL_ELEMENT_IMAGE, at[0], at[1]);
    if (!picture)
        return pl_fail_memory(e->err);
    return epl_add_data(e, &(struct epl_pending){.element = picture, .data = a->token->data});
}

// All of them are "*".
enum pl_errc epl_cmd_delete(struct epl *e, const struct epl_args *a)
{
    struct pl_object_name name;
    uint32_t deleted;
    return epl_name(e, a, epl_extensions[a->row->kind], &name) ? pl_store_delete(e->store, &name, &deleted, e->err)
                                                               : PL_OK;
}

// ---- soft fonts

const struct epl_soft_font *epl_soft_font(const struct epl *e, uint8_t letter)
{
    struct pl_object_name name;
    const struct pl_object *stored =
        epl_object_name(pl_slice_make(&letter, 1), "ESF", &name) ? pl_store_lookup(e->store, &name) : NULL;
    return stored && stored->kind == PL_OBJECT_FONT ? stored->data : NULL;
}

// Characters in the text that src/font/face/bitmap_font.c reads: position, height, width, place and advance, bits.
static bool read_characters(struct epl *e, uint32_t count, uint32_t height, struct pl_buf *out, int32_t *widest)
{
    bool whole = true;
    for (uint32_t i = 0; i < count && whole; i++) {
        struct pl_slice head = pl_slice_take(e->lex.text, &e->lex.pos, 3);
        if (head.len < 3)
            return false;
        uint32_t width = head.ptr[2], row = (width + 7) / 8;
        struct pl_slice bits = pl_slice_take(e->lex.text, &e->lex.pos, (uint64_t)row * height);
        whole = bits.len == (size_t)row * height;
        *widest = PL_MAX(*widest, (int32_t)head.ptr[1]);
        pl_buf_printf(out, "#%02X.%u.%u.0.%u.%u.", head.ptr[0], height, width, height, head.ptr[1]);
        for (size_t k = 0; k < bits.len; k++)
            pl_buf_printf(out, "%02X", bits.ptr[k]);
    }
    return whole;
}

// "a", the number of characters, their rotation and height, and for each position, advance, width and bits.
enum pl_errc epl_cmd_store_font(struct epl *e, const struct epl_args *a)
{
    struct pl_object_name name;
    size_t from = e->lex.pos;
    struct pl_slice head = pl_slice_take(e->lex.text, &e->lex.pos, 3);
    if (!epl_name(e, a, "ESF", &name))
        return PL_OK;
    struct pl_buf text;
    int32_t widest = 1;
    uint32_t count = head.len == 3 ? (head.ptr[0] ? head.ptr[0] : 256u) : 0, height = head.len == 3 ? head.ptr[2] : 0;
    pl_buf_init(&text, 16u << 20);
    pl_buf_printf(&text, "N,%u,%u,%u,%u,%u,(c),", height, 1u, height, 1u, count);
    bool whole = count > 0 && read_characters(e, count, height, &text, &widest);
    if (whole && head.ptr[1] == 2) { // the rotated set, which is the same here
        struct pl_buf unused;
        int32_t none = 0;
        pl_buf_init(&unused, 16u << 20);
        whole = read_characters(e, count, height, &unused, &none);
        pl_buf_fini(&unused);
    }
    if (!whole)
        pl_diag_add(e->diags, PL_DIAG_GRAPHIC_DATA, a->source, 0, "ES: the input ends inside of the font.");
    struct epl_soft_font *font = PL_ARENA_NEW(e->arena, struct epl_soft_font);
    const uint8_t *bytes = text.failed ? NULL : pl_arena_copy(e->arena, text.data, text.len);
    struct pl_slice kept = {bytes, bytes ? text.len : 0};
    pl_buf_fini(&text);
    if (!font || !bytes)
        return pl_fail_memory(e->err);
    *font = (struct epl_soft_font){.height = (int32_t)height, .width = widest};
    font->file = (struct pl_font_file){PL_FONT_FILE_BITMAP, pl_store_new_id(), pl_slice_make(bytes, 0), kept};
    font->file.name = pl_slice_sub(a->token->args, 1, 1);
    return put_object(e, a,
                      &(struct pl_object){.name = name,
                                          .kind = PL_OBJECT_FONT,
                                          .bytes = pl_slice_sub(e->lex.text, from, e->lex.pos - from),
                                          .data = font,
                                          .cost = kept.len,
                                          .id = font->file.id,
                                          .bitmap_font = true});
}
