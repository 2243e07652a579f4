// Where commands and their parameters stand, by the lexer.
#include "base/ckd.h"
#include "base/fmt.h"
#include "lang/epl/epl.h"
#include "lang/epl/state.h"

static uint64_t number(const struct epl_token *t, uint32_t item)
{
    uint64_t value = 0;
    struct pl_slice s = item < t->item_count ? pl_slice_trim(t->item[item]) : pl_slice_make(NULL, 0);
    for (size_t i = 0; i < s.len && pl_is_digit(s.ptr[i]) && value < UINT16_MAX; i++)
        value = value * 10 + (uint64_t)(s.ptr[i] - '0');
    return value;
}

// Of a code in two dimensions: numbers without a letter are parameters in their order, the others are options.
static void take_code(struct pl_slice input, const struct epl_token *t, struct pl_lang_span *span)
{
    enum { FIRST = 3 };
    const struct pl_lang_command *about = span->command;
    uint32_t options = about->param_count - 2, plain = FIRST;
    for (uint32_t i = 0; i < t->item_count; i++) {
        struct pl_slice item = pl_slice_trim(t->item[i]);
        bool is_plain = i >= FIRST && plain < options && item.len > 0 && pl_is_digit(item.ptr[0]);
        pl_lang_span_add(span, pl_lang_part_of(input, item), i < FIRST ? i : is_plain ? plain++ : options);
    }
}

// Which variables and counters are defined, so many lines with values follow a `?`. Of forms, those with the last names
// are known.
#define FORMS 64u // a bit each
struct values {
    bool is_defined[EPL_VARIABLES + EPL_COUNTERS];
};
struct form {
    struct pl_slice name; // with its quotes
    bool is_stored;
    struct values own;
    uint64_t recalled; // forms, which may be stored later
};
struct defined {
    struct values now;
    struct form forms[FORMS];
    uint32_t names;       // so far
    struct form *storing; // NULL: none
};

// The place of a form, for one of this name alone.
static uint32_t place_of(struct defined *d, struct pl_slice name)
{
    for (uint32_t i = 0; i < PL_MIN(d->names, FORMS); i++) {
        if (pl_slice_eq_nocase(d->forms[i].name, name))
            return i;
    }
    const uint32_t place = d->names++ % FORMS;
    for (uint32_t i = 0; i < FORMS; i++)
        d->forms[i].recalled &= ~(UINT64_C(1) << place);
    d->forms[place] = (struct form){.name = name};
    return place;
}

// A form that recalls others has the values of all.
static void recall(struct defined *d, uint32_t place)
{
    uint64_t found = UINT64_C(1) << place, done = 0;
    if (d->forms[place].is_stored)
        d->now = (struct values){{false}};
    for (uint32_t i = place; found & ~done; i = (i + 1) % FORMS) {
        const struct form *form = &d->forms[i];
        if (!(found & ~done & UINT64_C(1) << i))
            continue;
        done |= UINT64_C(1) << i;
        found |= form->recalled;
        for (uint32_t v = 0; v < PL_COUNTOF(d->now.is_defined); v++)
            d->now.is_defined[v] |= form->own.is_defined[v];
    }
}

static void follow_form(struct defined *d, epl_handler *run, struct pl_slice name)
{
    const uint32_t place = place_of(d, name);
    struct form *form = &d->forms[place];
    if (run == epl_cmd_form_store) {
        *form = (struct form){.name = form->name, .is_stored = true};
        d->storing = form;
    } else if (d->storing) {
        d->storing->recalled |= UINT64_C(1) << place;
    } else {
        recall(d, place);
    }
}

// The lines of values that follow the command.
static uint32_t follow(struct defined *d, const struct epl_token *t)
{
    struct values *to = d->storing ? &d->storing->own : &d->now;
    uint32_t count = 0;
    if (t->row->run == epl_cmd_variable)
        to->is_defined[PL_MIN(number(t, 0), EPL_VARIABLES - 1)] = true;
    else if (t->row->run == epl_cmd_counter)
        to->is_defined[EPL_VARIABLES + PL_MIN(number(t, 0), EPL_COUNTERS - 1)] = true;
    else if (t->row->run == epl_cmd_form_end)
        d->storing = NULL;
    else if (t->row->run == epl_cmd_form_store || t->row->run == epl_cmd_form_recall)
        follow_form(d, t->row->run, t->item_count ? pl_slice_trim(t->item[0]) : pl_slice_make(NULL, 0));
    for (uint32_t i = 0; t->row->run == epl_cmd_answers && !d->storing && i < PL_COUNTOF(to->is_defined); i++)
        count += to->is_defined[i];
    return count;
}

static bool visit_values(struct epl_lexer *lex, uint32_t count, pl_lang_visit *visit, void *user)
{
    struct pl_slice line;
    bool more = true;
    for (; more && count > 0 && epl_lex_line(lex, &line); count--) {
        uint32_t start = (uint32_t)(line.ptr - lex->text.ptr);
        const struct pl_lang_span span = {
            .otherwise = "Value of a variable or counter", .start = start, .end = start + (uint32_t)line.len};
        more = line.len == 0 || visit(user, &span);
    }
    return more;
}

void pl_epl_outline(struct pl_slice input, pl_lang_visit *visit, void *user)
{
    struct epl_lexer lex;
    struct epl_token t;
    struct defined defined = {.names = 0};
    epl_lexer_init(&lex, input);
    for (bool more = true; more && epl_lex_next(&lex, &t);) {
        struct pl_lang_span span = {.command = t.row ? &t.row->info : NULL,
                                    .start = (uint32_t)t.start,
                                    .end = (uint32_t)t.end,
                                    .is_text = true,
                                    .in_dots = true};
        if (t.row) {
            memcpy(span.name, t.row->info.title, sizeof span.name);
            span.name_length = (uint32_t)strlen(t.row->info.title);
        }
        bool is_code = t.row && t.row->lex == EPL_LEX_2D;
        if (is_code) {
            span.command = &epl_code_lookup(t.row, t.item_count > 2 ? t.item[2] : (struct pl_slice){0})->info;
            take_code(input, &t, &span);
        }
        for (uint32_t i = 0; t.row && !is_code && i < t.item_count; i++)
            span.items[span.item_count++] = pl_lang_part_of(input, pl_slice_trim(t.item[i]));
        if (t.row && t.data.ptr)
            span.data = pl_lang_part_of(input, t.data);
        if (strcmp(span.name, "GW") == 0)
            (void)pl_slice_take(lex.text, &lex.pos, number(&t, 2) * number(&t, 3));
        more = visit(user, &span) && visit_values(&lex, t.row ? follow(&defined, &t) : 0, visit, user);
    }
}
