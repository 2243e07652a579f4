// Files in the printer's memory: formats of DF and UF, pictures and fonts.
#include "base/fmt.h"
#include "lang/cpcl/cmd_table.h"
#include "store/font_file.h"

#define MOST_REPLAYED ((uint64_t)32 << 20) // bytes of formats that are carried out

// ---- objects

static void object_name(struct pl_slice text, struct pl_object_name *out)
{
    (void)pl_object_name_parse(text, "", "", out);
    out->drive = 'R';
}

static enum pl_errc put(struct cpcl *e, struct pl_slice name, struct pl_object *object, struct pl_source source)
{
    object_name(name, &object->name);
    object->cost = object->bytes.len;
    if (object->name.name_len == 0)
        return PL_REPORTED(
            pl_diag_add(e->diags, PL_DIAG_PARAMETER_MISSING, source, 1, "The file has no name; it was not stored."));
    struct pl_error why;
    enum pl_errc code = pl_store_put(e->store, object, &why);
    if (code == PL_E_MEMORY)
        return pl_fail_memory(e->err);
    if (code != PL_OK)
        pl_diag_add(e->diags, PL_DIAG_STORE_FULL, source, 0, "The file was not stored: %s.", why.message);
    return PL_OK;
}

// DEL NAME, also with * and ?.
enum pl_errc cpcl_cmd_delete(struct cpcl *e, struct cpcl_args *a)
{
    struct pl_object_name pattern;
    uint32_t deleted;
    object_name(cpcl_word(a), &pattern);
    return pl_store_delete(e->store, &pattern, &deleted, e->err);
}

// ---- formats

// All lines up to PRINT or END, which belongs to them. Bytes of CG are counted; a CG whose bytes are missing is left
// out.
enum pl_errc cpcl_define(struct cpcl *e, struct pl_slice name, struct pl_source source)
{
    struct cpcl_lexer *lex = &e->lex;
    struct pl_slice line, rest = pl_slice_sub(lex->text, lex->pos, lex->text.len);
    size_t from = lex->pos, picture = cpcl_pcx_length(rest);
    if (picture > 0) {
        lex->pos += picture;
        cpcl_lex_skip_line_end(lex);
        struct pl_object file = {.kind = PL_OBJECT_FILE, .bytes = pl_slice_sub(rest, 0, picture)};
        return put(e, name, &file, source);
    }
    bool ended = false;
    size_t to = from;
    while (!ended && lex->pos < lex->text.len) {
        PL_TRY(pl_job_check_often(e->job, &e->since_check, e->err));
        size_t data_end = cpcl_counted_end(lex->text, lex->pos);
        lex->pos = data_end > 0 ? PL_MIN(data_end, lex->text.len) : lex->pos;
        if (data_end == 0 && cpcl_lex_line(lex, &line))
            ended = cpcl_is_print(line) || cpcl_is_line(line, "END");
        to = data_end > lex->text.len ? to : lex->pos;
    }
    if (!ended)
        pl_diag_add(e->diags, PL_DIAG_FORMAT_UNTERMINATED, source, 0,
                    "The format that begins here has no PRINT; it was ended at the end of the input.");
    struct pl_object format = {.kind = PL_OBJECT_FORMAT,
                               .bytes = pl_slice_sub(lex->text, from, to - from),
                               .origin = lex->mapped ? (uint32_t)from : UINT32_MAX};
    return put(e, name, &format, source);
}

// The next pair of backslashes in a format; its end: there is none. Bytes of CG hold none.
struct slots {
    struct pl_slice text;
    size_t at;
    bool in_line; // otherwise a line begins
};

static size_t next_slot(struct slots *s)
{
    for (struct pl_slice text = s->text; s->at < text.len; s->at++) {
        size_t data_end = s->in_line ? 0 : cpcl_counted_end(text, s->at);
        if (data_end >= text.len)
            break;
        if (data_end > 0) {
            s->at = data_end - 1;
            continue;
        }
        s->in_line = !cpcl_is_line_end(text.ptr[s->at]);
        if (text.ptr[s->at] == '\\' && s->at + 1 < text.len && text.ptr[s->at + 1] == '\\') {
            s->at += 2;
            return s->at - 2;
        }
    }
    s->at = s->text.len;
    return s->at;
}

// The next line of the input, unless it begins a session: then values are missing.
static bool next_value(struct cpcl_lexer *lex, struct pl_slice *line)
{
    size_t start = lex->pos;
    if (!cpcl_lex_line(lex, line))
        return false;
    bool session = cpcl_begins_session(*line);
    if (session)
        lex->pos = start;
    return !session;
}

// The format with a line of the input for each pair of backslashes, in their order.
static enum pl_errc fill_in(struct cpcl *e, struct pl_slice format, struct pl_source source, struct pl_slice *out)
{
    struct cpcl_lexer values = e->lex;
    struct pl_slice line;
    uint32_t slots = 0, filled = 0;
    size_t length = format.len;
    for (struct slots all = {.text = format}; next_slot(&all) < format.len;)
        slots++;
    *out = format;
    if (slots == 0)
        return PL_OK;
    for (; filled < slots && next_value(&values, &line); filled++) {
        PL_TRY(pl_job_check_often(e->job, &e->since_check, e->err));
        length += line.len;
    }
    if (filled < slots)
        pl_diag_add(e->diags, PL_DIAG_PARAMETER_MISSING, source, 0,
                    "The format needs %u lines of data, but %u follow; the rest is empty.", slots, filled);
    e->replayed += length;
    if (e->replayed > MOST_REPLAYED)
        return PL_OK;
    uint8_t *text = pl_arena_alloc(e->arena, length + 1, 1);
    if (!text)
        return pl_fail_memory(e->err);
    struct slots all = {.text = format};
    size_t n = 0, from = 0;
    do {
        size_t slot = next_slot(&all);
        memcpy(text + n, format.ptr + from, slot - from);
        n += slot - from;
        from = all.at;
        if (slot < format.len && next_value(&e->lex, &line)) {
            memcpy(text + n, line.ptr, line.len);
            n += line.len;
        }
    } while (all.at < format.len);
    *out = pl_slice_make(text, n);
    return PL_OK;
}

enum pl_errc cpcl_use(struct cpcl *e, struct pl_slice name, struct pl_source source)
{
    const struct pl_object *format = cpcl_object(e, name);
    if (!format || format->kind != PL_OBJECT_FORMAT)
        return PL_REPORTED(pl_diag_add(e->diags, PL_DIAG_OBJECT_NOT_FOUND, source, 1, "UF: there is no format %.*s.",
                                       (int)PL_MIN(name.len, (size_t)40), (const char *)name.ptr));
    if (e->in_format)
        return PL_REPORTED(pl_diag_add(e->diags, PL_DIAG_RECALL_DEPTH, source, 0,
                                       "UF: a format recalls no other one; it was skipped."));
    struct pl_slice text;
    e->replayed += format->bytes.len;
    if (e->replayed <= MOST_REPLAYED)
        PL_TRY(fill_in(e, format->bytes, source, &text));
    if (e->replayed > MOST_REPLAYED)
        return PL_REPORTED(pl_diag_add(e->diags, PL_DIAG_LIMIT_REACHED, source, 0,
                                       "UF: formats of more than %llu MiB were recalled; this one was skipped.",
                                       (unsigned long long)(MOST_REPLAYED >> 20)));
    e->outer = e->lex;
    e->lex = cpcl_lexer_of(text);
    e->lex.recall = source;
    e->in_format = true;
    return PL_OK;
}

// ---- ! CISDFCRC16: checksum, name, size and checksum of the file, a line each, and the file

enum pl_errc cpcl_download(struct cpcl *e, struct pl_source source)
{
    struct pl_slice line[4] = {0};
    uint64_t size = 0;
    bool good = true;
    for (int i = 0; i < 4; i++)
        good = cpcl_lex_line(&e->lex, &line[i]) && good;
    struct pl_slice digits = pl_slice_trim(line[2]);
    good = good && digits.len > 0 && digits.len <= 8;
    for (size_t i = 0; good && i < digits.len; i++) {
        int value = pl_hex_value(digits.ptr[i]);
        good = value >= 0;
        size = size * 16 + (uint64_t)PL_MAX(value, 0);
    }
    if (!good)
        return PL_REPORTED(pl_diag_add(
            e->diags, PL_DIAG_GRAPHIC_DATA, source, 0,
            "A download has four lines, with the name and the size in hexadecimal digits; it was skipped."));
    struct pl_slice bytes = pl_slice_take(e->lex.text, &e->lex.pos, size);
    e->since_check = 64;
    if (bytes.len < size)
        pl_diag_add(e->diags, PL_DIAG_GRAPHIC_DATA, source, 0, "%llu of %llu bytes are missing at the end.",
                    (unsigned long long)(size - bytes.len), (unsigned long long)size);
    cpcl_lex_skip_line_end(&e->lex);
    struct pl_object file = {.kind = pl_is_font_file(bytes) ? PL_OBJECT_FONT : PL_OBJECT_FILE, .bytes = bytes};
    struct pl_slice name = pl_slice_trim(line[1]);
    if (name.len > 4 && pl_slice_eq_nocase(pl_slice_sub(name, name.len - 4, 4), pl_slice_cstr(".FMT"))) {
        file.kind = PL_OBJECT_FORMAT;
        file.origin = UINT32_MAX;
    }
    return put(e, name, &file, source);
}
