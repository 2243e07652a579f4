// The interpreter's loop: statements from the lexer to their handlers, assignments, programs, the end of the job.

#include "base/fmt.h"
#include "lang/tspl/state.h"
#include "lang/tspl/tspl.h"

#define MAX_REPLAY (32u << 20) // bytes that programs may run in one job

// Reports once for all of the input that programs are not run.
static void report_basic(struct tspl *t, struct pl_source source, struct pl_slice word)
{
    if (!t->basic_reported)
        pl_diag_add(t->diags, PL_DIAG_UNSUPPORTED, source, 0,
                    "%.*s belongs to a BASIC program. Programs with loops, conditions and jumps are not run.",
                    (int)PL_MIN(word.len, (size_t)40), (const char *)word.ptr);
    t->basic_reported = true;
}

// The first word of a program that asks for more than carrying out its lines; an empty slice: there is none.
static enum pl_errc find_basic(struct tspl *t, struct pl_slice program, struct pl_slice *word)
{
    struct tspl_lexer lex;
    struct tspl_statement st;
    *word = (struct pl_slice){0};
    tspl_lexer_init(&lex, program);
    while (word->len == 0 && tspl_lex_next(&lex, &st)) {
        PL_TRY(pl_job_check_often(t->job, &t->since_check, t->err));
        const struct tspl_row *row = st.kind == TSPL_COMMAND ? tspl_row_lookup(st.word) : NULL;
        if (st.kind == TSPL_MARK || (row && row->basic))
            *word = st.word;
        else if (st.kind != TSPL_IMMEDIATE && tspl_skip_bitmap(&lex, st.start) == 0)
            tspl_lex_args(&lex, &st, 0);
    }
    return PL_OK;
}

enum pl_errc tspl_run_program(struct tspl *t, const struct pl_object *program, const struct tspl_args *a)
{
    t->replayed += program->bytes.len;
    if (t->replayed > MAX_REPLAY)
        return pl_fail(t->err, PL_E_LIMIT, "programs were run until their text passed %u bytes", MAX_REPLAY);
    struct pl_slice basic;
    PL_TRY(find_basic(t, program->bytes, &basic));
    if (basic.len > 0)
        return PL_REPORTED(report_basic(t, a->source, basic));
    if (t->depth >= TSPL_FRAMES || t->depth >= t->options->limits.recall_depth)
        return PL_REPORTED(tspl_note(t, a, PL_DIAG_RECALL_DEPTH, 0,
                                     "%s is run from within %u other programs; it was left out.", program->name.name,
                                     t->depth));
    t->frames[t->depth++] = t->lex;
    tspl_lexer_init(&t->lex, program->bytes);
    t->lex.mapped = program->origin != UINT32_MAX;
    t->lex.origin = t->lex.mapped ? program->origin : 0;
    t->lex.caller = a->source;
    return PL_OK;
}

// ---- assignments

static struct tspl_variable *find_variable(struct tspl *t, struct pl_slice name)
{
    for (uint32_t i = 0; i < t->variable_count; i++)
        if (pl_slice_eq_nocase(t->variables[i].name, name))
            return &t->variables[i];
    if (!t->variables)
        t->variables = PL_ARENA_ARRAY(t->arena, struct tspl_variable, TSPL_VARIABLES);
    if (!t->variables) {
        t->no_memory = true;
        return NULL;
    }
    if (t->variable_count == TSPL_VARIABLES)
        return NULL;
    t->variables[t->variable_count] = (struct tspl_variable){.name = name};
    return &t->variables[t->variable_count++];
}

static void assign(struct tspl *t, const struct tspl_args *a)
{
    struct pl_slice name = a->st->word;
    struct tspl_value value;
    if (a->st->count != 1 || !tspl_evaluate(t, a->st->item[0], &value)) {
        tspl_note(t, a, PL_DIAG_UNSUPPORTED, 0, "The value of %.*s cannot be worked out; it stays as it was.",
                  (int)PL_MIN(name.len, (size_t)40), (const char *)name.ptr);
        return;
    }
    uint64_t number;
    if (name.ptr[0] != '@') {
        struct tspl_variable *variable = find_variable(t, name);
        if (variable)
            variable->value = value;
        else
            tspl_note(t, a, PL_DIAG_LIMIT_REACHED, 0, "There are more than %d variables; this one was left out.",
                      TSPL_VARIABLES);
        return;
    }
    if (!pl_parse_u64(pl_slice_sub(name, 1, name.len), &number)) {
        tspl_note(t, a, PL_DIAG_UNSUPPORTED, 0, "%.*s: the clock is that of the request; it cannot be set.",
                  (int)PL_MIN(name.len, (size_t)40), (const char *)name.ptr);
        return;
    }
    if (number >= TSPL_COUNTERS) {
        tspl_note(t, a, PL_DIAG_PARAMETER_RANGE, 0, "Counters are @0 to @%d; this one was left out.",
                  TSPL_COUNTERS - 1);
        return;
    }
    t->counters[number].value = value.is_text ? value.text : a->st->item[0];
}

// ---- statements

static enum pl_errc immediate(struct tspl *t, const struct tspl_args *a)
{
    struct pl_slice word = a->st->word;
    uint8_t letter = word.len > 2 ? word.ptr[2] : 0;
    bool esc = word.ptr[0] == 0x1B;
    if (esc && letter == 'R') {
        tspl_printer_defaults(t);
        tspl_clear(t);
    }
    struct pl_slice answer = {0};
    if (esc && letter == '?')
        answer = pl_slice_make("\0", 1); // ready
    else if (!esc && letter == 'T')
        answer = pl_slice_cstr("Platen\r\n");
    else if (!esc && letter == 'I')
        answer = pl_slice_cstr("1, 0, 0\r\n"); // code page, country and so on
    if (answer.ptr)
        return pl_lang_answer(&t->answers, t->arena, PL_LANG_REPLY_TEXT, answer, t->err);
    if (!esc)
        tspl_lex_skip_line(&t->lex);
    return PL_OK;
}

static enum pl_errc unknown(struct tspl *t, const struct tspl_args *a)
{
    // A line with nothing but the name of a stored program runs it.
    struct pl_object_name name;
    if (a->st->count == 0 && pl_object_name_parse(a->st->word, "", "BAS", &name)) {
        const struct pl_object *program = pl_store_lookup(t->store, &name);
        if (program && program->kind == PL_OBJECT_FORMAT)
            return tspl_run_program(t, program, a);
    }
    const char *near = tspl_row_suggest(a->st->word);
    char shown[24];
    size_t n = 0;
    for (; n < a->st->word.len && n + 1 < sizeof shown; n++)
        shown[n] = (char)(a->st->word.ptr[n] > 0x20 && a->st->word.ptr[n] < 0x7F ? a->st->word.ptr[n] : '?');
    shown[n] = '\0';
    if (near)
        tspl_note(t, a, PL_DIAG_UNKNOWN_COMMAND, 0, "%s is not a TSPL command. Was %s meant?", shown, near);
    else
        tspl_note(t, a, PL_DIAG_UNKNOWN_COMMAND, 0, "%s is not a TSPL command; the line was skipped.", shown);
    return PL_OK;
}

static void report_quotes(struct tspl *t, const struct tspl_args *a)
{
    if (a->st->cut_quote)
        tspl_note(t, a, PL_DIAG_PARAMETER_INVALID, 0, "%s: a quote has no end; the line's end was taken.",
                  a->source.command);
    if (a->st->odd_quote)
        tspl_note(t, a, PL_DIAG_PARAMETER_INVALID, 0,
                  "%s: quotes are \", and \\[\"] is a quote inside of a text; a printer may read this otherwise.",
                  a->source.command);
    if (a->st->too_many)
        tspl_note(t, a, PL_DIAG_DATA_DROPPED, 0, "%s has more than %d parameters; the rest was left out.",
                  a->source.command, TSPL_MAX_ARGS);
}

static enum pl_errc command(struct tspl *t, struct tspl_statement *st, const struct tspl_lexer *at)
{
    const struct tspl_row *row = tspl_row_lookup(st->word);
    struct tspl_args a = {row, st, {0}};
    if (!row || row->raw != TSPL_RAW_FILE)
        tspl_lex_args(&t->lex, st, row ? row->raw : 0);
    a.source = tspl_source(&t->lex, st);
    if (!row)
        return unknown(t, &a);
    report_quotes(t, &a);
    if (row->basic)
        report_basic(t, a.source, st->word);
    if (!row->run || !tspl_needs(t, &a, row->draws))
        return PL_OK;
    uint32_t first = t->drawn.count;
    t->used_counter = false;
    PL_TRY(row->run(t, &a));
    if (t->no_memory)
        return pl_fail_memory(t->err);
    return row->draws && t->used_counter && t->drawn.count > first && !t->quiet ? tspl_defer(t, at, first) : PL_OK;
}

static enum pl_errc carry_out(struct tspl *t, struct tspl_statement *st, const struct tspl_lexer *at)
{
    struct tspl_args a = {NULL, st, {0}};
    t->diags->label = (int32_t)t->labels.count;
    switch (st->kind) {
    case TSPL_COMMAND:
        return command(t, st, at);
    case TSPL_IMMEDIATE:
        a.source = tspl_source(&t->lex, st);
        return immediate(t, &a);
    case TSPL_ASSIGN:
        tspl_lex_args(&t->lex, st, 0);
        a.source = tspl_source(&t->lex, st);
        assign(t, &a);
        return t->no_memory ? pl_fail_memory(t->err) : PL_OK;
    default:
        tspl_lex_args(&t->lex, st, 0);
        a.source = tspl_source(&t->lex, st);
        if (st->kind == TSPL_MARK)
            report_basic(t, a.source, st->word);
        else if (st->kind == TSPL_COMMENT)
            tspl_note(t, &a, PL_DIAG_UNKNOWN_COMMAND, 0, "; is no comment in TSPL, REM is; the line was skipped.");
        else if (st->word.ptr[0] != '~' && st->word.ptr[0] != '!')
            tspl_note(t, &a, PL_DIAG_UNKNOWN_COMMAND, 0, "The line begins with no command; it was skipped.");
        return PL_OK;
    }
}

enum pl_errc tspl_repeat(struct tspl *t, const struct tspl_deferred *d)
{
    struct tspl_lexer after = t->lex;
    struct tspl_statement *st = pl_arena_alloc(t->arena, sizeof *st, _Alignof(struct tspl_statement));
    if (!st)
        return pl_fail_memory(t->err);
    t->lex = d->lex;
    enum pl_errc code = PL_OK;
    if (tspl_lex_next(&t->lex, st) && st->kind == TSPL_COMMAND)
        code = command(t, st, &d->lex);
    t->lex = after;
    return code;
}

static enum pl_errc run(struct tspl *t)
{
    struct tspl_statement st;
    for (;;) {
        PL_TRY(pl_job_check_often(t->job, &t->since_check, t->err));
        struct tspl_lexer at = t->lex;
        if (tspl_lex_next(&t->lex, &st)) {
            PL_TRY(carry_out(t, &st, &at));
            continue;
        }
        if (t->depth == 0)
            return PL_OK;
        t->lex = t->frames[--t->depth];
    }
}

// A printer would go on waiting for PRINT.
static enum pl_errc finish(struct tspl *t)
{
    if (t->fresh == 0 || t->options->after) // no preview, but a printer
        return PL_OK;
    struct pl_source end = {.offset = (uint32_t)t->input.len};
    pl_diag_add(t->diags, PL_DIAG_FORMAT_UNTERMINATED, (struct pl_source){.offset = t->image_start}, 0,
                "The label that begins here has no PRINT: a printer prints nothing. It is shown as if there were one.");
    return tspl_print(t, end, 1, 1);
}

enum pl_errc pl_tspl_interpret(struct pl_slice input, const struct pl_lang_options *options, struct pl_store *store,
                               struct pl_arena *arena, struct pl_diags *diags, const struct pl_job *job,
                               struct pl_scene *out, struct pl_error *err)
{
    *out = (struct pl_scene){.profile = &pl_profile_plain};
    struct tspl *t = PL_ARENA_NEW(arena, struct tspl);
    if (!t)
        return pl_fail_memory(err);
    t->options = options;
    t->store = store;
    t->arena = arena;
    t->diags = diags;
    t->job = job;
    t->err = err;
    t->input = input;
    t->labels = (struct pl_label_list){.options = options, .arena = arena, .diags = diags, .err = err};
    t->img = (struct pl_img_env){.arena = arena, .job = job, .limit = options->limits.decoded_graphics};
    tspl_lexer_init(&t->lex, input);
    tspl_clear(t);
    PL_TRY(tspl_start_after(t, options->after));
    PL_TRY(run(t));
    PL_TRY(finish(t));
    pl_label_list_end(&t->labels, input, "Nothing in the input prints: no command draws anything, or PRINT is missing.",
                      out);
    if (options->end)
        *options->end = t;
    return PL_OK;
}
