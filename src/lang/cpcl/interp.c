// The interpreter's loop: sessions, their commands, the end of the input.
#include <math.h>

#include "lang/cpcl/cmd_table.h"
#include "lang/cpcl/cpcl.h"

// ---- sessions

static void begin_settings(struct cpcl *e)
{
    e->settings = (struct cpcl_settings){.unit = 1,
                                         .page_width = e->printer_width,
                                         .edge = -1,
                                         .pattern = 100,
                                         .magnify_x = PL_MAX(e->magnify_x, 1),
                                         .magnify_y = PL_MAX(e->magnify_y, 1)};
}

void cpcl_apply_header(struct cpcl *e)
{
    double unit = e->settings.unit, height = e->header[1] * unit, offset = e->header[0] * unit;
    e->settings.offset_x = (int32_t)fmax(-CPCL_FAR, fmin(CPCL_FAR, floor(offset + 0.5)));
    e->settings.page_height = (uint32_t)fmax(0, fmin(CPCL_FAR, floor(height + 0.5)));
}

bool cpcl_is_line(struct pl_slice line, const char *word)
{
    return pl_slice_eq_cstr(pl_slice_trim(line), word);
}

void cpcl_leave(struct cpcl *e)
{
    if (e->mode == CPCL_LABEL) {
        cpcl_label_clear(e);
        e->settings = e->page_settings;
    } else {
        e->settings.origin_x = e->settings.origin_y = 0;
        e->page_settings = e->settings;
    }
    e->mode = CPCL_LINE_PRINT;
}

// Ends what came before a session: a label without PRINT is printed all the same.
static enum pl_errc end_open(struct cpcl *e, struct pl_source source)
{
    if (e->mode == CPCL_LABEL && e->drawn.count > 0 && !e->options->after) { // no printer, but a preview
        pl_diag_add(e->diags, PL_DIAG_FORMAT_UNTERMINATED, (struct pl_source){.offset = e->start, .length = 1}, 0,
                    "The label that begins here has no PRINT; a printer would print nothing.");
        PL_TRY(cpcl_print(e, source));
    }
    cpcl_leave(e);
    return PL_OK;
}

// "! offset hres vres height quantity". False: the words are no such numbers.
static bool read_header(struct pl_slice rest, double out[5])
{
    for (int i = 0; i < 5; i++)
        if (!cpcl_read_number(cpcl_next_word(&rest), &out[i]))
            return false;
    return true;
}

static enum pl_errc begin_label(struct cpcl *e, const double numbers[5], struct pl_source source)
{
    PL_TRY(cpcl_page_end(e, source));
    cpcl_label_clear(e);
    begin_settings(e);
    e->mode = CPCL_LABEL;
    e->start = source.offset;
    e->diags->label = (int32_t)e->labels.count;
    // A resolution of 100 counts dots twice as large.
    e->settings.unit = numbers[1] >= 90 && numbers[1] <= 110 ? 2 : 1;
    e->header[0] = numbers[0];
    e->header[1] = numbers[3];
    e->header_fresh = true;
    cpcl_apply_header(e);
    double quantity = numbers[4];
    e->quantity = quantity >= 1 && quantity <= 1024 ? (uint32_t)quantity : quantity > 1024 ? 1024 : 1;
    if (e->quantity != quantity)
        pl_diag_add(e->diags, PL_DIAG_PARAMETER_RANGE, source, 5,
                    "The quantity must be a number from 1 to 1024; %u was used.", e->quantity);
    return PL_OK;
}

// The line at the lexer's place begins with an exclamation mark.
static enum pl_errc session(struct cpcl *e)
{
    struct cpcl_lexer *lex = &e->lex;
    size_t start = lex->pos, end = cpcl_lex_line_end(lex);
    struct pl_slice rest = pl_slice_sub(lex->text, start + 1, end - start - 1), numbers = rest;
    struct pl_source source = cpcl_source(lex, start, end, "!");
    struct pl_slice word = cpcl_next_word(&rest);
    double header[5];
    if (pl_slice_eq_cstr(word, "U1")) {
        lex->pos = (size_t)(rest.ptr - lex->text.ptr);
        return cpcl_page_command(e, start);
    }
    lex->pos = end;
    cpcl_lex_skip_line_end(lex);
    PL_TRY(end_open(e, source));
    if (read_header(numbers, header))
        return begin_label(e, header, source);
    if (pl_slice_eq_cstr(word, "U") || pl_slice_eq_cstr(word, "UTILITIES")) {
        e->mode = CPCL_UTILITIES;
        e->settings.origin_x = e->page.x;
        e->settings.origin_y = e->page.y;
        return PL_OK;
    }
    if (pl_slice_eq_cstr(word, "DF") || pl_slice_eq_cstr(word, "DEFINE-FORMAT"))
        return cpcl_define(e, cpcl_next_word(&rest), source);
    if (pl_slice_eq_cstr(word, "UF") || pl_slice_eq_cstr(word, "USE-FORMAT"))
        return cpcl_use(e, cpcl_next_word(&rest), source);
    if (pl_slice_eq_cstr(word, "CISDFCRC16") || pl_slice_eq_cstr(word, "CISDFRCRC16"))
        return cpcl_download(e, source);
    pl_diag_add(e->diags, PL_DIAG_UNKNOWN_COMMAND, source, 0,
                "! begins a session with five numbers, U1, U, UTILITIES, DF or UF; the line was skipped.");
    return PL_OK;
}

// ---- commands

static void report_unknown(struct cpcl *e, struct pl_slice word, struct pl_source source)
{
    for (size_t i = 0; i < word.len && i + 1 < sizeof source.command; i++) {
        source.command[i] = (char)(word.ptr[i] > 0x20 && word.ptr[i] < 0x7F ? word.ptr[i] : '?');
        source.command[i + 1] = '\0';
    }
    // Files have lines of data that no command takes.
    uint8_t first = word.len ? word.ptr[0] | 0x20 : 0;
    bool letter = first >= 'a' && first <= 'z';
    pl_diag_add(e->diags, letter ? PL_DIAG_UNKNOWN_COMMAND : PL_DIAG_DATA_DROPPED, source, 0, "%s",
                letter ? "This is not a CPCL command; the line was skipped."
                       : "The line does not begin with a command; it was skipped.");
}

static enum pl_errc carry_out(struct cpcl *e, struct cpcl_args *a)
{
    struct cpcl_args whole = *a;
    struct cpcl_settings settings = e->settings;
    uint32_t first = e->drawn.count;
    if (!(a->row->flags & CPCL_UNIT))
        e->header_fresh = false;
    e->data = (struct pl_slice){0};
    PL_TRY(a->row->run(e, a));
    if (a->row->flags & CPCL_COUNTS) {
        e->last = whole;
        e->last_settings = settings;
        e->last_data = e->data;
        e->last_first = first;
        e->last_count = e->drawn.count - first;
    }
    return PL_OK;
}

enum pl_errc cpcl_command(struct cpcl *e, size_t from)
{
    struct cpcl_lexer *lex = &e->lex;
    size_t start = lex->pos;
    struct pl_slice ahead = pl_slice_sub(lex->text, start, CPCL_LONGEST_WORD), word = cpcl_next_word(&ahead);
    if (word.len > 0 && word.ptr[0] == ';')
        word.len = 1;
    const struct cpcl_row *row = cpcl_row_lookup(word);
    size_t behind = start + (size_t)(word.ptr - (lex->text.ptr + start)) + word.len;
    struct cpcl_args a = {.row = row};
    if (row && row->flags & CPCL_RAW) {
        a.rest = pl_slice_sub(lex->text, behind, CPCL_LONGEST_RAW);
        a.source = cpcl_source(lex, from, behind, row->info.title);
        lex->pos = behind;
    } else {
        size_t end = cpcl_lex_line_end(lex);
        a.rest = pl_slice_sub(lex->text, behind, end - PL_MIN(behind, end));
        a.line = pl_slice_sub(lex->text, start, end - start);
        a.source = cpcl_source(lex, from, end, row ? row->info.title : "");
        lex->pos = end;
        cpcl_lex_skip_line_end(lex);
    }
    if (row) {
        a.vertical = word.ptr[0] == 'V';
        return carry_out(e, &a);
    }
    report_unknown(e, word, a.source);
    return PL_OK;
}

// Lines end with CR LF, however the input ends them.
static enum pl_errc join_lines(struct cpcl *e, struct pl_slice lines, struct pl_slice *out)
{
    struct cpcl_lexer lex = cpcl_lexer_of(lines);
    struct pl_slice line;
    *out = lines;
    if (cpcl_lex_line_end(&lex) == lines.len)
        return PL_OK;
    uint8_t *text = pl_arena_alloc(e->arena, lines.len * 2, 1);
    if (!text)
        return pl_fail_memory(e->err);
    size_t n = 0;
    while (cpcl_lex_line(&lex, &line)) {
        if (n > 0) {
            text[n++] = '\r';
            text[n++] = '\n';
        }
        memcpy(text + n, line.ptr, line.len);
        n += line.len;
    }
    *out = pl_slice_make(text, n);
    return PL_OK;
}

bool cpcl_begins_session(struct pl_slice line)
{
    double header[5];
    return line.len > 1 && line.ptr[0] == '!' &&
           (line.ptr[1] == ' ' || read_header(pl_slice_sub(line, 1, line.len), header));
}

bool cpcl_is_print(struct pl_slice line)
{
    return cpcl_is_line(line, "PRINT") || cpcl_is_line(line, "POPRINT");
}

bool cpcl_ends_block(struct pl_slice line)
{
    return cpcl_is_print(line) || cpcl_begins_session(line);
}

bool cpcl_block_line(struct cpcl *e, const struct cpcl_args *a, const char *end, const char *other,
                     struct pl_slice *line)
{
    size_t start = e->lex.pos;
    bool more = cpcl_lex_line(&e->lex, line);
    if (more && (cpcl_is_line(*line, end) || (other && cpcl_is_line(*line, other))))
        return false;
    if (more && !cpcl_ends_block(*line))
        return true;
    e->lex.pos = start;
    cpcl_note(e, a, PL_DIAG_FIELD_UNTERMINATED, "%s is missing behind the data.", end);
    return false;
}

enum pl_errc cpcl_block(struct cpcl *e, const struct cpcl_args *a, const char *end, struct pl_slice *out)
{
    struct pl_slice line;
    size_t from = e->lex.pos, to = from;
    while (cpcl_block_line(e, a, end, NULL, &line)) {
        PL_TRY(pl_job_check_often(e->job, &e->since_check, e->err));
        to = (size_t)(line.ptr - e->lex.text.ptr) + line.len;
    }
    return join_lines(e, pl_slice_sub(e->lex.text, from, to - from), out);
}

// ---- the loop

static enum pl_errc end_text(struct cpcl *e, bool *ended)
{
    struct pl_source source = {.offset = (uint32_t)e->input.len, .command = "PRINT"};
    if (e->in_format) {
        e->in_format = false;
        e->lex = e->outer;
        return PL_OK;
    }
    *ended = true;
    PL_TRY(end_open(e, source));
    return cpcl_page_end(e, source);
}

static enum pl_errc run(struct cpcl *e)
{
    for (bool ended = false; !ended;) {
        PL_TRY(pl_job_check_often(e->job, &e->since_check, e->err));
        struct pl_slice text = e->lex.text;
        if (e->mode != CPCL_LINE_PRINT)
            e->lex.pos = pl_lang_skip_gaps(text, e->lex.pos);
        for (size_t next; (next = pl_lang_skip(text, e->lex.pos)) > e->lex.pos;)
            e->lex.pos = next;
        if (e->lex.pos >= e->lex.text.len)
            PL_TRY(end_text(e, &ended));
        else if (e->lex.text.ptr[e->lex.pos] == '!')
            PL_TRY(session(e));
        else if (e->mode == CPCL_LINE_PRINT)
            PL_TRY(cpcl_page_line(e));
        else
            PL_TRY(cpcl_command(e, e->lex.pos));
    }
    return PL_OK;
}

enum pl_errc pl_cpcl_interpret(struct pl_slice input, const struct pl_lang_options *options, struct pl_store *store,
                               struct pl_arena *arena, struct pl_diags *diags, const struct pl_job *job,
                               struct pl_scene *out, struct pl_error *err)
{
    *out = (struct pl_scene){.profile = &pl_profile_plain};
    struct cpcl *e = PL_ARENA_NEW(arena, struct cpcl);
    if (!e)
        return pl_fail_memory(err);
    e->options = options;
    e->store = store;
    e->arena = arena;
    e->diags = diags;
    e->job = job;
    e->err = err;
    e->input = input;
    e->labels = (struct pl_label_list){.options = options, .arena = arena, .diags = diags, .err = err};
    e->img = (struct pl_img_env){.arena = arena, .job = job, .limit = options->limits.decoded_graphics};
    const struct cpcl *before = options->after;
    if (before) {
        e->printer_width = before->printer_width;
        e->magnify_x = before->magnify_x;
        e->magnify_y = before->magnify_y;
    }
    cpcl_lexer_init(&e->lex, input);
    cpcl_label_clear(e);
    begin_settings(e);
    e->page_settings = e->settings;
    e->page.font = cpcl_plain_font();
    e->page.line = e->page.font.height;
    PL_TRY(run(e));
    pl_label_list_end(&e->labels, input, "Nothing in the input prints: no label with something on it.", out);
    if (options->end)
        *options->end = e;
    return PL_OK;
}
