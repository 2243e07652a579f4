// EG and CG: graphics as hexadecimal digits and as bytes; PCX: picture files.
#include "base/fmt.h"
#include "lang/cpcl/cmd_table.h"

#define MOST_BYTES_A_ROW 8192
#define MOST_ROWS 65535

// Width in bytes, height, x and y.
static bool read_place(struct cpcl *e, struct cpcl_args *a, int32_t out[4])
{
    double numbers[2];
    for (int i = 0; i < 2; i++) { // sizes are in bytes and dots, whatever the unit is
        struct pl_slice word = cpcl_word(a);
        if (!cpcl_read_number(word, &numbers[i]) || numbers[i] < 1 ||
            numbers[i] > (i == 0 ? MOST_BYTES_A_ROW : MOST_ROWS)) {
            cpcl_note(e, a, PL_DIAG_PARAMETER_INVALID, "the %s is no number of %s; the graphic was ignored.",
                      i == 0 ? "width" : "height", i == 0 ? "bytes" : "rows");
            return false;
        }
        out[i] = (int32_t)numbers[i];
    }
    return cpcl_all_dots(e, a, 2, out + 2);
}

// PL_E_LIMIT is a diagnostic, and *out NULL.
static enum pl_errc report_limit(struct cpcl *e, const struct cpcl_args *a, enum pl_errc code,
                                 const struct pl_error *why)
{
    if (code == PL_E_LIMIT)
        return PL_REPORTED(cpcl_note(e, a, PL_DIAG_LIMIT_REACHED, "the graphic was left out: %s.", why->message));
    if (code != PL_OK)
        *e->err = *why;
    return code;
}

// Turned graphics grow upwards from their lower left corner.
static enum pl_errc add_picture(struct cpcl *e, const struct cpcl_args *a, const struct pl_bitmap *bits, int32_t x,
                                int32_t y)
{
    const struct cpcl_settings *s = &e->settings;
    if (a->vertical) {
        struct pl_error why;
        struct pl_bitmap *turned = PL_ARENA_NEW(e->arena, struct pl_bitmap);
        enum pl_errc code = pl_img_charge(&e->img, (uint64_t)bits->width * bits->height / 8, &why);
        if (code == PL_OK && turned)
            code = pl_bitmap_turn(e->arena, bits, PL_ROT_B, turned, &why);
        PL_TRY(report_limit(e, a, turned ? code : PL_E_MEMORY, &why));
        if (code != PL_OK)
            return PL_OK;
        y -= (int32_t)bits->width;
        bits = turned;
    }
    struct pl_element *picture =
        pl_element_new(&e->labels, PL_ELEMENT_IMAGE, a->source, x + s->offset_x + s->origin_x, y + s->origin_y);
    if (!picture)
        return pl_fail_memory(e->err);
    picture->image = (struct pl_image){.bits = bits, .mx = 1, .my = 1};
    cpcl_page_drawn(e, picture->at.y + (int32_t)bits->height);
    return cpcl_add(e, picture);
}

// Rows that no byte came for are not made: a size alone costs nothing.
static enum pl_errc add_rows(struct cpcl *e, const struct cpcl_args *a, struct pl_slice bytes, const int32_t at[4])
{
    uint32_t row = (uint32_t)at[0], rows = (uint32_t)((bytes.len + row - 1) / row);
    const struct pl_bitmap *bits = NULL;
    struct pl_error why;
    if (rows == 0)
        return PL_OK;
    enum pl_errc code = pl_img_from_rows(&e->img, bytes, row * 8, rows, row, &bits, &why);
    PL_TRY(report_limit(e, a, code, &why));
    return bits ? add_picture(e, a, bits, at[2], at[3]) : PL_OK;
}

// ---- CG

enum pl_errc cpcl_cmd_raw_graphic(struct cpcl *e, struct cpcl_args *a)
{
    int32_t at[4];
    bool good = read_place(e, a, at);
    struct cpcl_lexer *lex = &e->lex;
    lex->pos = (size_t)(a->rest.ptr - lex->text.ptr);
    if (!good) {
        lex->pos = cpcl_lex_line_end(lex);
        return PL_OK;
    }
    lex->pos += lex->pos < lex->text.len; // one blank before the bytes
    uint64_t wanted = (uint64_t)at[0] * (uint64_t)at[1];
    struct pl_slice bytes = pl_slice_take(lex->text, &lex->pos, wanted);
    e->since_check = 64; // a graphic may take as long as thousands of commands
    if (a->source.length > 0 && lex->mapped)
        a->source.length = (uint32_t)lex->pos - a->source.offset;
    if (bytes.len < wanted)
        cpcl_note(e, a, PL_DIAG_GRAPHIC_DATA, "%llu bytes are announced, but the input ends after %zu.",
                  (unsigned long long)wanted, bytes.len);
    else if (lex->pos < lex->text.len && !cpcl_is_line_end(lex->text.ptr[lex->pos]) &&
             !cpcl_is_blank(lex->text.ptr[lex->pos])) {
        struct pl_slice ahead = pl_slice_sub(lex->text, lex->pos, 32);
        if (!cpcl_row_lookup(cpcl_next_word(&ahead))) {
            cpcl_note(e, a, PL_DIAG_GRAPHIC_DATA,
                      "what follows the %d x %d bytes is no command; the count seems to be wrong.", at[0], at[1]);
            lex->pos = cpcl_lex_line_end(lex);
        }
    }
    cpcl_lex_skip_line_end(lex);
    return add_rows(e, a, bytes, at);
}

size_t cpcl_counted_end(struct pl_slice text, size_t line)
{
    double numbers[4];
    while (line < text.len && cpcl_is_blank(text.ptr[line]))
        line++;
    struct pl_slice ahead = pl_slice_sub(text, line, CPCL_LONGEST_WORD), word = cpcl_next_word(&ahead);
    const struct cpcl_row *row = cpcl_row_lookup(word);
    if (!row || row->run != cpcl_cmd_raw_graphic)
        return 0;
    struct pl_slice rest = pl_slice_sub(text, line + word.len, CPCL_LONGEST_RAW);
    for (int i = 0; i < 4; i++)
        if (!cpcl_read_number(cpcl_next_word(&rest), &numbers[i]))
            return 0;
    if (numbers[0] < 1 || numbers[0] > MOST_BYTES_A_ROW || numbers[1] < 1 || numbers[1] > MOST_ROWS)
        return 0;
    return (size_t)(rest.ptr - text.ptr) + 1 + (size_t)numbers[0] * (size_t)numbers[1];
}

// ---- EG

// Digits of a line; true: it has nothing but digits and blanks.
static bool is_hex_line(struct pl_slice line)
{
    bool any = false;
    for (size_t i = 0; i < line.len; i++) {
        if (cpcl_is_blank(line.ptr[i]))
            continue;
        if (pl_hex_value(line.ptr[i]) < 0)
            return false;
        any = true;
    }
    return any;
}

// Puts digits into `bytes`, up to so many, or only counts them where that is NULL.
static void put_hex(struct pl_slice line, uint8_t *bytes, uint64_t *digits, uint64_t most)
{
    for (size_t i = 0; i < line.len && (!bytes || *digits < most); i++) {
        int value = pl_hex_value(line.ptr[i]);
        if (value < 0)
            continue;
        if (bytes)
            bytes[*digits / 2] |= (uint8_t)(*digits % 2 ? value : value << 4);
        ++*digits;
    }
}

// The digits of the command's own line and of those that follow it; the lexer goes on behind them.
static enum pl_errc read_hex(struct cpcl *e, const struct cpcl_args *a, struct cpcl_lexer *lex, uint8_t *bytes,
                             uint64_t *digits, uint64_t most)
{
    struct pl_slice line;
    struct cpcl_lexer ahead = *lex;
    *digits = 0;
    put_hex(a->rest, bytes, digits, most);
    while (*digits < most && cpcl_lex_line(&ahead, &line) && is_hex_line(line)) {
        PL_TRY(pl_job_check_often(e->job, &e->since_check, e->err));
        put_hex(line, bytes, digits, most);
        *lex = ahead;
    }
    return PL_OK;
}

enum pl_errc cpcl_cmd_hex_graphic(struct cpcl *e, struct cpcl_args *a)
{
    int32_t at[4];
    if (!read_place(e, a, at))
        return PL_OK;
    uint64_t wanted = (uint64_t)at[0] * (uint64_t)at[1] * 2, digits;
    struct cpcl_lexer from = e->lex;
    uint8_t *bytes = NULL;
    struct pl_error why;
    PL_TRY(read_hex(e, a, &e->lex, NULL, &digits, wanted));
    enum pl_errc code = pl_img_scratch(&e->img, PL_MIN(digits, wanted) / 2 + 1, &bytes, &why);
    PL_TRY(report_limit(e, a, code, &why));
    if (code != PL_OK)
        return PL_OK;
    if (digits != wanted)
        cpcl_note(e, a, PL_DIAG_GRAPHIC_DATA, "%llu hexadecimal digits are announced, but there are %llu.",
                  (unsigned long long)wanted, (unsigned long long)digits);
    PL_TRY(read_hex(e, a, &from, bytes, &digits, wanted));
    return add_rows(e, a, pl_slice_make(bytes, (size_t)(digits + 1) / 2), at);
}

// ---- PCX

static enum pl_errc add_file(struct cpcl *e, const struct cpcl_args *a, struct pl_slice file, int32_t x, int32_t y)
{
    const struct pl_bitmap *bits = NULL;
    const char *what = "it is no PCX file";
    struct pl_error why;
    if (pl_img_is_known(file)) {
        enum pl_errc code = pl_img_decode(&e->img, file, &bits, &what, &why);
        PL_TRY(report_limit(e, a, code, &why));
        if (code != PL_OK)
            return PL_OK;
    }
    if (!bits)
        return PL_REPORTED(
            cpcl_note(e, a, PL_DIAG_OBJECT_INVALID, "the picture cannot be used: %s.", what ? what : "it is empty"));
    return add_picture(e, a, bits, x, y);
}

// PCX x y !<NAME, or the file behind the line.
enum pl_errc cpcl_cmd_pcx(struct cpcl *e, struct cpcl_args *a)
{
    int32_t at[2];
    struct cpcl_lexer *lex = &e->lex;
    bool placed = cpcl_all_dots(e, a, 2, at);
    lex->pos = (size_t)(a->rest.ptr - lex->text.ptr);
    struct pl_slice ahead = a->rest, name = cpcl_next_word(&ahead);
    if (name.len > 2 && name.ptr[0] == '!' && name.ptr[1] == '<') {
        lex->pos = cpcl_lex_line_end(lex);
        name = pl_slice_sub(name, 2, name.len);
        const struct pl_object *object = placed ? cpcl_object(e, name) : NULL;
        if (object && object->kind == PL_OBJECT_FILE)
            return add_file(e, a, object->bytes, at[0], at[1]);
        cpcl_note(e, a, PL_DIAG_OBJECT_NOT_FOUND, "there is no %.*s in the printer's memory.",
                  (int)PL_MIN(name.len, (size_t)40), (const char *)name.ptr);
        return PL_OK;
    }
    // A PCX file begins with a line feed of its own.
    while (lex->pos < lex->text.len && cpcl_is_blank(lex->text.ptr[lex->pos]))
        lex->pos++;
    for (int i = 0; i < 2 && !cpcl_pcx_length(pl_slice_sub(lex->text, lex->pos, lex->text.len)) &&
                    lex->pos < lex->text.len && cpcl_is_line_end(lex->text.ptr[lex->pos]);
         i++)
        lex->pos++;
    struct pl_slice rest = pl_slice_sub(lex->text, lex->pos, lex->text.len);
    struct pl_slice file = pl_slice_sub(rest, 0, cpcl_pcx_length(rest));
    lex->pos += file.len;
    cpcl_lex_skip_line_end(lex);
    e->since_check = 64;
    if (file.len == 0)
        return PL_REPORTED(cpcl_note(e, a, PL_DIAG_GRAPHIC_DATA, "no PCX file follows."));
    return placed ? add_file(e, a, file, at[0], at[1]) : PL_OK;
}

// Its length is found by reading it: a header, runs for so many bytes, and a palette.
size_t cpcl_pcx_length(struct pl_slice s)
{
    enum { HEADER = 128, PALETTE = 769, PALETTE_MARK = 12 };
    if (s.len < HEADER || s.ptr[0] != 10 || s.ptr[1] > 5 || s.ptr[2] != 1)
        return 0;
    uint32_t top = s.ptr[6] + s.ptr[7] * 256u, bottom = s.ptr[10] + s.ptr[11] * 256u;
    uint32_t row = s.ptr[66] + s.ptr[67] * 256u;
    if (bottom < top || row == 0 || s.ptr[65] == 0)
        return 0;
    uint64_t left = (uint64_t)(bottom - top + 1) * row * s.ptr[65];
    size_t at = HEADER;
    while (left > 0 && at < s.len) {
        bool run = (s.ptr[at] & 0xC0) == 0xC0;
        uint64_t count = run ? s.ptr[at] & 0x3Fu : 1;
        left -= PL_MIN(left, count);
        at += run ? 2 : 1;
    }
    if (s.ptr[3] == 8 && s.ptr[65] == 1 && at < s.len && s.ptr[at] == PALETTE_MARK)
        at += PALETTE;
    return PL_MIN(at, s.len);
}
