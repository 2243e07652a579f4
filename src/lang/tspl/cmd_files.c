// Files in the printer's memory: DOWNLOAD of pictures, fonts and programs, KILL, RUN.
#include "base/fmt.h"
#include "lang/tspl/cmd_table.h"
#include "store/font_file.h"

// DOWNLOAD [F,|E,]"NAME"[,size,]
struct header {
    char memory; // F: flash, E: expansion module, 0: neither
    struct pl_slice name;
    bool has_size;
    uint64_t size;
    size_t end; // behind it
};

static size_t skip_blanks(struct pl_slice s, size_t at)
{
    while (at < s.len && tspl_is_blank(s.ptr[at]))
        at++;
    return at;
}

// Digits between blanks, and a comma; *at goes behind it.
static bool read_size(struct pl_slice s, size_t *at, uint64_t *out)
{
    size_t from = skip_blanks(s, *at), to = from;
    while (to < s.len && pl_is_digit(s.ptr[to]))
        to++;
    size_t end = skip_blanks(s, to);
    if (!pl_parse_u64(pl_slice_sub(s, from, to - from), out) || end >= s.len || s.ptr[end] != ',')
        return false;
    *at = end + 1;
    return true;
}

static bool read_header(struct pl_slice s, size_t at, struct header *out)
{
    *out = (struct header){0};
    at = skip_blanks(s, at);
    size_t comma = at + 1 < s.len && pl_is_letter(s.ptr[at]) ? skip_blanks(s, at + 1) : s.len;
    if (comma < s.len && s.ptr[comma] == ',') {
        out->memory = (char)(s.ptr[at] & 0xDF);
        at = skip_blanks(s, comma + 1);
    }
    struct tspl_quote quote;
    if (at >= s.len || !tspl_lex_quote(s, at, &quote) || quote.close == 0)
        return false;
    out->name = pl_slice_sub(s, at + quote.open, quote.end - at - quote.open);
    out->end = quote.end + quote.close;
    size_t end = skip_blanks(s, out->end) + 1;
    out->has_size = end <= s.len && s.ptr[end - 1] == ',' && read_size(s, &end, &out->size);
    out->end = out->has_size ? end : out->end;
    return true;
}

static enum pl_errc put(struct tspl *t, const struct tspl_args *a, const struct header *h, struct pl_object *object)
{
    if (!pl_object_name_parse(h->name, "UNKNOWN", "", &object->name))
        tspl_note(t, a, PL_DIAG_PARAMETER_INVALID, 1, "DOWNLOAD: the name %.*s was shortened to %s.",
                  (int)PL_MIN(h->name.len, (size_t)40), (const char *)h->name.ptr, object->name.name);
    object->name.drive = h->memory ? 'E' : 'R';
    object->cost = object->bytes.len;
    struct pl_error why;
    enum pl_errc code = pl_store_put(t->store, object, &why);
    if (code == PL_E_MEMORY)
        return pl_fail_memory(t->err);
    if (code != PL_OK)
        tspl_note(t, a, PL_DIAG_STORE_FULL, 0, "DOWNLOAD: %s was not stored: %s.", object->name.name, why.message);
    return PL_OK;
}

static bool is_eop(struct pl_slice s, size_t at)
{
    struct pl_slice word = pl_slice_sub(s, at, 3);
    bool ends = at + 3 >= s.len || tspl_is_blank(s.ptr[at + 3]) || tspl_is_line_end(s.ptr[at + 3]);
    return ends && pl_slice_eq_nocase(word, pl_slice_cstr("EOP"));
}

// Where the parameters of the BITMAP begin that a line begins with; 0: it does not.
static size_t bitmap_begin(struct pl_slice s, size_t at)
{
    at = skip_blanks(s, at);
    size_t i = at + 6;
    bool is =
        i < s.len && tspl_is_blank(s.ptr[i]) && pl_slice_eq_nocase(pl_slice_sub(s, at, 6), pl_slice_cstr("BITMAP"));
    return is ? i : 0;
}

// A BITMAP at the beginning of a line whose sizes are plain numbers: where its bytes end, which may be beyond the text.
// 0: it is none.
static size_t bitmap_end(struct pl_slice s, size_t at)
{
    uint64_t row, rows, mode;
    unsigned commas = 0, depth = 0;
    size_t i = bitmap_begin(s, at);
    if (i == 0)
        return 0;
    for (; i < s.len && commas < 2; i++) {
        if (tspl_is_line_end(s.ptr[i]) || s.ptr[i] == '"' || s.ptr[i] == 0xE2)
            return 0;
        depth += s.ptr[i] == '(';
        depth -= s.ptr[i] == ')' && depth > 0;
        commas += s.ptr[i] == ',' && depth == 0;
    }
    if (commas < 2 || !read_size(s, &i, &row) || !read_size(s, &i, &rows) || !read_size(s, &i, &mode) || row > 65535 ||
        rows > TSPL_FAR || mode > 2)
        return 0;
    return i + (size_t)PL_MIN(row * rows, (uint64_t)s.len);
}

size_t tspl_skip_bitmap(struct tspl_lexer *lex, size_t at)
{
    size_t data_end = bitmap_end(lex->text, at);
    if (data_end == 0)
        return 0;
    lex->pos = PL_MIN(data_end, lex->text.len);
    struct pl_slice behind = pl_slice_sub(lex->text, lex->pos, 1);
    if (behind.len == 0 || !pl_is_letter(behind.ptr[0]))
        tspl_lex_skip_line(lex);
    return data_end;
}

// A program: all lines up to EOP. Bytes of a BITMAP are counted; one whose bytes are missing is left out.
static enum pl_errc store_program(struct tspl *t, const struct tspl_args *a, const struct header *h)
{
    struct tspl_lexer *lex = &t->lex;
    tspl_lex_skip_line(lex);
    size_t from = lex->pos, to = from;
    bool found = false, uncounted = false;
    while (lex->pos < lex->text.len && !(found = is_eop(lex->text, skip_blanks(lex->text, lex->pos)))) {
        size_t data_end = tspl_skip_bitmap(lex, lex->pos);
        if (data_end == 0) {
            uncounted = uncounted || bitmap_begin(lex->text, lex->pos) > 0;
            tspl_lex_skip_line(lex);
        }
        to = data_end > lex->text.len ? to : lex->pos;
    }
    struct pl_object object = {.kind = PL_OBJECT_FORMAT,
                               .bytes = pl_slice_sub(lex->text, from, to - from),
                               .origin = lex->mapped ? lex->origin + (uint32_t)from : UINT32_MAX};
    tspl_lex_skip_line(lex);
    if (uncounted)
        tspl_note(t, a, PL_DIAG_UNSUPPORTED, 0,
                  "DOWNLOAD: the program has a BITMAP whose size is not written in plain numbers, or which is "
                  "compressed: its bytes cannot be counted. A line EOP among them ends the program.");
    if (!found)
        tspl_note(t, a, PL_DIAG_FORMAT_UNTERMINATED, 0, "DOWNLOAD: the program has no EOP; the rest was taken for it.");
    return put(t, a, h, &object);
}

enum pl_errc tspl_cmd_download(struct tspl *t, const struct tspl_args *a)
{
    struct header h;
    struct tspl_lexer *lex = &t->lex;
    if (!read_header(lex->text, a->st->rest, &h)) {
        tspl_lex_skip_line(lex);
        tspl_note(t, a, PL_DIAG_PARAMETER_MISSING, 1, "DOWNLOAD has no name in quotes; it was ignored.");
        return PL_OK;
    }
    lex->pos = h.end;
    struct tspl_statement st = *a->st;
    st.end = h.end;
    struct tspl_args whole = {a->row, &st, tspl_source(lex, &st)};
    if (!h.has_size)
        return store_program(t, &whole, &h);
    struct pl_slice data = pl_slice_take(lex->text, &lex->pos, h.size);
    if (data.len < h.size)
        tspl_note(t, &whole, PL_DIAG_GRAPHIC_DATA, 0, "DOWNLOAD: %llu of %llu bytes are missing at the end.",
                  (unsigned long long)(h.size - data.len), (unsigned long long)h.size);
    struct pl_object object = {.kind = pl_is_font_file(data) ? PL_OBJECT_FONT : PL_OBJECT_FILE, .bytes = data};
    size_t n = h.name.len;
    bool basic = n > 4 && pl_slice_eq_nocase(pl_slice_sub(h.name, n - 4, 4), pl_slice_cstr(".BAS"));
    if (basic) {
        object.kind = PL_OBJECT_FORMAT;
        object.origin = lex->mapped ? lex->origin + (uint32_t)h.end : UINT32_MAX;
    }
    return put(t, &whole, &h, &object);
}

enum pl_errc tspl_cmd_kill(struct tspl *t, const struct tspl_args *a)
{
    bool flash = a->st->count > 1;
    struct pl_slice text = {0};
    if (!tspl_needs(t, a, 1) || !tspl_text(t, a, flash, &text))
        return PL_OK;
    struct pl_object_name pattern;
    uint32_t deleted;
    pl_object_name_parse(text, "*", pl_slice_eq_cstr(text, "*") ? "*" : "", &pattern);
    pattern.drive = flash ? 'E' : 'R';
    return pl_store_delete(t->store, &pattern, &deleted, t->err);
}

enum pl_errc tspl_cmd_run(struct tspl *t, const struct tspl_args *a)
{
    struct pl_slice text = {0};
    if (!tspl_needs(t, a, 1) || !tspl_text(t, a, 0, &text))
        return PL_OK;
    struct pl_object_name name;
    pl_object_name_parse(text, "", "BAS", &name);
    const struct pl_object *program = pl_store_lookup(t->store, &name);
    if (program && program->kind == PL_OBJECT_FORMAT)
        return tspl_run_program(t, program, a);
    tspl_note(t, a, PL_DIAG_OBJECT_NOT_FOUND, 1, "RUN: there is no program %.*s.", (int)PL_MIN(text.len, (size_t)40),
              (const char *)text.ptr);
    return PL_OK;
}
