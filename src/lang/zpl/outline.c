// Where commands and their parameters stand: the lexer's tokens, with prefixes that change on the way and payloads.
#include "base/ckd.h"
#include "lang/zpl/payload.h"
#include "lang/zpl/zpl.h"

struct outline {
    struct pl_slice input;
    struct zpl_lexer lex;
    bool in_label, in_dots;
};

static bool is(const struct zpl_token *t, const char *name)
{
    return t->prefix == name[0] && t->first == (uint8_t)name[1] && t->second == (uint8_t)name[2];
}

static void add_item(struct outline *o, struct pl_lang_span *span, struct pl_slice item)
{
    if (span->item_count < PL_LANG_PARTS)
        span->items[span->item_count++] = pl_lang_part_of(o->input, pl_slice_trim(item));
}

static void take_payload(struct outline *o, const struct zpl_token *t, struct pl_lang_span *span)
{
    struct zpl_payload p;
    if (t->row->in_format && !o->in_label) { // it is not carried out
        o->lex.pos = zpl_lex_payload_end(&o->lex, o->lex.pos);
        return;
    }
    zpl_payload_whole(&o->lex, t, &p);
    for (unsigned i = 0; i < p.args.count; i++)
        add_item(o, span, p.args.item[i]);
    span->data = pl_lang_part_of(o->input, p.data);
}

static void take_parts(struct outline *o, const struct zpl_token *t, struct pl_lang_span *span)
{
    switch (t->row ? t->row->lex : ZPL_LEX_ARGS) {
    case ZPL_LEX_ARGS:
        for (unsigned i = 0; i < t->item_count; i++)
            add_item(o, span, t->item[i]);
        break;
    case ZPL_LEX_DATA:
        span->data = pl_lang_part_of(o->input, t->args);
        span->is_text = true;
        break;
    case ZPL_LEX_CHAR:
        if (zpl_lexer_take_role(&o->lex, t->second, t->args))
            add_item(o, span, t->args);
        break;
    case ZPL_LEX_PAYLOAD:
        take_payload(o, t, span);
        break;
    }
}

// What the command changes for those behind it.
static void follow(struct outline *o, const struct zpl_token *t)
{
    if (is(t, "^XA"))
        o->in_label = true;
    else if (is(t, "^XZ") || is(t, "~JA") || is(t, "~JX") || is(t, "~JR"))
        o->in_label = false;
    if (is(t, "~JR"))
        zpl_lexer_prefixes(&o->lex, '^', '~', ',');
    if (is(t, "^MU") && t->item_count > 0 && t->item[0].len > 0)
        o->in_dots = (t->item[0].ptr[0] & 0xDF) == 'D';
}

void pl_zpl_outline(struct pl_slice input, pl_lang_visit *visit, void *user)
{
    struct outline o = {.input = input, .in_dots = true};
    struct zpl_token t;
    struct pl_lang_span span = {0}; // once: its parts are many
    zpl_lexer_init(&o.lex, input);
    for (bool more = true; more && zpl_lex_next(&o.lex, &t);) {
        span.command = t.row ? &t.row->info : NULL;
        memcpy(span.name, (char[]){t.prefix, (char)t.first, (char)t.second, 0}, 4);
        span.start = (uint32_t)t.start;
        span.name_length = (uint32_t)(t.args.ptr - (input.ptr + t.start));
        span.item_count = 0;
        span.data = (struct pl_lang_part){0};
        span.is_text = false;
        span.in_dots = o.in_dots;
        take_parts(&o, &t, &span);
        follow(&o, &t);
        struct pl_slice whole = pl_slice_sub(input, t.start, o.lex.pos - t.start);
        while (whole.len > span.name_length && whole.ptr[whole.len - 1] <= ' ')
            whole.len--;
        span.end = span.start + (uint32_t)whole.len;
        more = visit(user, &span);
    }
}
