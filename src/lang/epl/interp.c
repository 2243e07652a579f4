// The interpreter's loop: lines from the lexer to their handlers, forms recorded and replayed, the end of the input.
#include "base/ckd.h"
#include "lang/epl/epl.h"
#include "lang/epl/state.h"

static char printable(uint8_t c)
{
    return (char)(c > 0x20 && c < 0x7F ? c : '?');
}

static void report_unknown(struct epl *e, const struct epl_token *t)
{
    char name[9] = "";
    size_t n = 0;
    while (n < t->line.len && n < 8 && t->line.ptr[n] > ' ' && t->line.ptr[n] != ',' && t->line.ptr[n] != '"') {
        name[n] = printable(t->line.ptr[n]);
        n++;
    }
    struct pl_source source = epl_source(&e->lex, t->start, t->end, name);
    bool zpl = t->line.len > 1 && (t->line.ptr[0] == '^' || t->line.ptr[0] == '~');
    // An input is of one language; a printer that reads both would change over here.
    if (zpl)
        pl_diag_add(e->diags, PL_DIAG_UNKNOWN_COMMAND, source, 0,
                    "%s looks like ZPL; an input is of one language, and this one is EPL2. The line was skipped.",
                    name);
    else
        pl_diag_add(e->diags, PL_DIAG_UNKNOWN_COMMAND, source, 0, "%s is not an EPL2 command; the line was skipped.",
                    name);
}

static enum pl_errc carry_out(struct epl *e, const struct epl_token *t)
{
    if (!t->row)
        return PL_REPORTED(report_unknown(e, t));
    struct epl_args a = {
        .row = t->row, .token = t, .source = epl_source(&e->lex, t->start, t->end, t->row->info.title)};
    return t->row->run(e, &a);
}

// The end of the input, or of a form: back to where it was recalled.
static enum pl_errc end_text(struct epl *e, bool *ended)
{
    if (e->recording) {
        pl_diag_add(e->diags, PL_DIAG_FORMAT_UNTERMINATED, e->record_source, 0,
                    "The form that begins here has no FE; it was ended at the end of the input.");
        PL_TRY(epl_record_end(e, e->lex.text.len));
    }
    *ended = e->depth == 0;
    if (!*ended)
        e->lex = e->frames[--e->depth];
    return PL_OK;
}

static enum pl_errc run(struct epl *e)
{
    struct epl_token token;
    for (bool ended = false; !ended;) {
        PL_TRY(pl_job_check_often(e->job, &e->since_check, e->err));
        if (!epl_lex_next(&e->lex, &token))
            PL_TRY(end_text(e, &ended));
        else
            PL_TRY(e->recording ? epl_record(e, &token) : carry_out(e, &token));
    }
    return PL_OK;
}

// A printer prints nothing without P; a preview shows what was drawn.
static enum pl_errc finish(struct epl *e)
{
    if (e->buffer.printed || (e->buffer.drawn.count == 0 && !e->buffer.pending))
        return PL_OK;
    if (e->options->after)
        return PL_OK; // it is a printer
    struct pl_source source = {.offset = (uint32_t)e->input.len, .command = "P"};
    pl_diag_add(e->diags, PL_DIAG_FORMAT_UNTERMINATED, (struct pl_source){.offset = e->buffer.start, .length = 1}, 0,
                "The label that begins here has no P; a printer would print nothing.");
    return epl_print(e, 1, 1, source);
}

enum pl_errc pl_epl_interpret(struct pl_slice input, const struct pl_lang_options *options, struct pl_store *store,
                              struct pl_arena *arena, struct pl_diags *diags, const struct pl_job *job,
                              struct pl_scene *out, struct pl_error *err)
{
    *out = (struct pl_scene){.profile = &pl_profile_plain};
    struct epl *e = PL_ARENA_NEW(arena, struct epl);
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
    const struct epl *before = options->after;
    if (before)
        e->settings = before->settings;
    else
        epl_defaults(&e->settings);
    epl_lexer_init(&e->lex, input);
    epl_buffer_clear(e);
    PL_TRY(run(e));
    PL_TRY(finish(e));
    pl_label_list_end(&e->labels, input, "Nothing in the input prints: no P with something drawn.", out);
    if (options->end)
        *options->end = e;
    return PL_OK;
}
