// FS, FE, FR: stored forms; V, C and ?: their variables and counters; P and PA.
#include "base/ckd.h"
#include "base/fmt.h"
#include "lang/epl/state.h"

#define MAX_REPLAY (32u << 20) // bytes that FR may replay in one job

enum pl_errc epl_cmd_form_store(struct epl *e, const struct epl_args *a)
{
    if (!epl_name(e, a, "EPL", &e->record_name))
        return PL_OK;
    e->recording = true;
    e->record_start = e->lex.pos;
    e->record_source = a->source;
    return PL_OK;
}

enum pl_errc epl_record_end(struct epl *e, size_t end)
{
    e->recording = false;
    struct pl_slice text = pl_slice_sub(e->lex.text, e->record_start, end - e->record_start);
    struct pl_object object = {.name = e->record_name,
                               .kind = PL_OBJECT_FILE,
                               .bytes = text,
                               .cost = text.len,
                               .origin = e->lex.mapped && e->depth == 0 ? (uint32_t)e->record_start : UINT32_MAX};
    struct pl_error why;
    enum pl_errc code = pl_store_put(e->store, &object, &why);
    if (code == PL_E_MEMORY)
        return pl_fail_memory(e->err);
    if (code != PL_OK)
        pl_diag_add(e->diags, PL_DIAG_STORE_FULL, e->record_source, 0, "FS: the form was not stored: %s.", why.message);
    return PL_OK;
}

// Raw bytes in a form are no commands: they are counted there, too.
enum pl_errc epl_record(struct epl *e, const struct epl_token *t)
{
    if (t->row && t->row->run == epl_cmd_form_end)
        return epl_record_end(e, t->start);
    if (!t->row || t->row->run != epl_cmd_bitmap || t->item_count < 4)
        return PL_OK;
    int64_t row, rows;
    if (epl_read_number(t->item[2], &row) && epl_read_number(t->item[3], &rows) && row > 0 && rows > 0)
        (void)pl_slice_take(e->lex.text, &e->lex.pos, (uint64_t)PL_MIN(row, 65535) * (uint64_t)PL_MIN(rows, 65535));
    return PL_OK;
}

enum pl_errc epl_cmd_form_end(struct epl *e, const struct epl_args *a)
{
    pl_diag_add(e->diags, PL_DIAG_PARAMETER_INVALID, a->source, 0, "FE: no form is being stored.");
    return PL_OK;
}

enum pl_errc epl_cmd_form_recall(struct epl *e, const struct epl_args *a)
{
    struct pl_object_name name;
    if (!epl_name(e, a, "EPL", &name))
        return PL_OK;
    const struct pl_object *form = pl_store_lookup(e->store, &name);
    if (!form || form->kind != PL_OBJECT_FILE)
        return PL_REPORTED(
            pl_diag_add(e->diags, PL_DIAG_OBJECT_NOT_FOUND, a->source, 1, "FR: no form %s was stored.", name.name));
    if (e->depth >= PL_MIN(e->options->limits.recall_depth, (uint32_t)EPL_FRAMES))
        return PL_REPORTED(pl_diag_add(e->diags, PL_DIAG_RECALL_DEPTH, a->source, 0,
                                       "FR: %s is recalled from within %u other forms; it was left out.", name.name,
                                       e->depth));
    e->replayed += form->bytes.len;
    if (e->replayed > MAX_REPLAY)
        return pl_fail(e->err, PL_E_LIMIT, "stored forms were recalled until their text passed %u bytes", MAX_REPLAY);
    // A form that is recalled after printing begins a new label.
    if (e->buffer.printed)
        epl_buffer_clear(e);
    for (uint32_t i = 0; e->depth == 0 && i < EPL_VARIABLES; i++)
        e->variables[i] = (struct epl_field){0};
    for (uint32_t i = 0; e->depth == 0 && i < EPL_COUNTERS; i++)
        e->counters[i] = (struct epl_field){0};
    e->frames[e->depth++] = e->lex;
    epl_lexer_init(&e->lex, form->bytes);
    e->lex.mapped = form->origin != UINT32_MAX;
    e->lex.origin = e->lex.mapped ? form->origin : 0;
    e->lex.recall = a->source;
    return PL_OK;
}

// V00,10,L,"prompt" and C0,6,N,+1,"prompt".
static void define(struct epl *e, const struct epl_args *a, struct epl_field *fields, uint32_t count)
{
    int32_t number, most;
    if (!epl_number(e, a, 0, &number) || !epl_number(e, a, 1, &most))
        return;
    struct epl_field *f = &fields[PL_MIN((uint32_t)number, count - 1)];
    *f = (struct epl_field){.defined = true, .most = (uint8_t)most, .justify = 'N', .step = 1};
    if (epl_given(a, 2))
        f->justify = (char)a->token->item[2].ptr[0];
    if (fields == e->counters && epl_given(a, 3)) {
        struct pl_slice step = a->token->item[3];
        int64_t by;
        if (epl_read_number(pl_slice_sub(step, 0, 2), &by))
            f->step = (int32_t)by;
    }
}

enum pl_errc epl_cmd_variable(struct epl *e, const struct epl_args *a)
{
    define(e, a, e->variables, EPL_VARIABLES);
    return PL_OK;
}

enum pl_errc epl_cmd_counter(struct epl *e, const struct epl_args *a)
{
    define(e, a, e->counters, EPL_COUNTERS);
    return PL_OK;
}

// A line for each variable that is defined, then for each counter.
static bool answer(struct epl *e, struct epl_field *fields, uint32_t count, bool counter)
{
    for (uint32_t i = 0; i < count; i++) {
        struct epl_field *f = &fields[i];
        struct pl_slice line;
        if (!f->defined)
            continue;
        if (!epl_lex_line(&e->lex, &line))
            return false;
        f->given = true;
        f->value = pl_slice_sub(line, 0, f->most);
        f->padded = counter && line.len > 1 && line.ptr[0] == '0';
    }
    return true;
}

enum pl_errc epl_cmd_answers(struct epl *e, const struct epl_args *a)
{
    if (!answer(e, e->variables, EPL_VARIABLES, false) || !answer(e, e->counters, EPL_COUNTERS, true))
        pl_diag_add(e->diags, PL_DIAG_FIELD_UNBOUND, a->source, 0,
                    "?: the input ends before all variables have a value.");
    if (!e->print_waits)
        return PL_OK;
    e->print_waits = false;
    return epl_print(e, e->wait_sets, e->wait_copies, e->wait_source);
}

static void read_quantity(struct epl *e, const struct epl_args *a, uint32_t *sets, uint32_t *copies)
{
    int32_t number = 1, each = 1;
    epl_number(e, a, 0, &number);
    epl_number(e, a, 1, &each);
    *sets = (uint32_t)number;
    *copies = (uint32_t)each;
}

enum pl_errc epl_cmd_print(struct epl *e, const struct epl_args *a)
{
    uint32_t sets, copies;
    read_quantity(e, a, &sets, &copies);
    return epl_print(e, sets, copies, a->source);
}

static bool any_defined(const struct epl *e)
{
    for (uint32_t i = 0; i < EPL_VARIABLES; i++)
        if (e->variables[i].defined)
            return true;
    for (uint32_t i = 0; i < EPL_COUNTERS; i++)
        if (e->counters[i].defined)
            return true;
    return false;
}

enum pl_errc epl_cmd_print_auto(struct epl *e, const struct epl_args *a)
{
    read_quantity(e, a, &e->wait_sets, &e->wait_copies);
    e->wait_source = a->source;
    if (e->depth == 0 || !any_defined(e))
        return epl_print(e, e->wait_sets, e->wait_copies, a->source);
    e->print_waits = true;
    return PL_OK;
}
