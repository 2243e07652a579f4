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
    if (cpcl_read_header(numbers, header))
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
