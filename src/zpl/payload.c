// Commands with a payload: reading their parameters and finding where the data ends.
#include "zpl/payload.h"

#include "zpl/gfdata.h"

void zpl_payload_read(struct zpl *z, const struct zpl_args *command, unsigned count, struct zpl_payload *out)
{
    struct zpl_lexer *lex = &z->lex;
    const uint8_t *p = lex->text.ptr;
    size_t at = lex->pos, from = at;
    out->args.row = command->row;
    out->args.source = command->source;
    out->args.font = 0;
    out->args.raw = pl_slice_make(p + at, 0);
    unsigned n = 0;
    while (n < count) {
        while (at < lex->text.len && !(lex->classes[p[at]] & (ZPL_CLASS_END | ZPL_CLASS_SPLIT)))
            at++;
        out->item[n++] = pl_slice_make(p + from, at - from);
        if (at >= lex->text.len || (lex->classes[p[at]] & ZPL_CLASS_END))
            break;
        at++;
        from = at;
    }
    out->args.item = out->item;
    out->args.count = n;
    out->start = at;
    out->data = pl_slice_make(p + at, 0);
    lex->pos = at;
}

bool zpl_payload_is_wrapped(const struct zpl *z, const struct zpl_payload *p)
{
    return zpl_gf_is_wrapped(pl_slice_sub(z->lex.text, p->start, 64));
}

void zpl_payload_skip_blanks(const struct zpl *z, struct zpl_payload *p)
{
    const struct pl_slice *text = &z->lex.text;
    while (p->start < text->len &&
           (text->ptr[p->start] == ' ' || text->ptr[p->start] == '\r' || text->ptr[p->start] == '\n'))
        p->start++;
}

void zpl_payload_take(struct zpl *z, struct zpl_payload *p, size_t count)
{
    struct zpl_lexer *lex = &z->lex;
    size_t rest = lex->text.len - p->start;
    size_t end;
    if (count <= rest) {
        end = p->start + count;
    } else if (count == SIZE_MAX) {
        end = zpl_lex_payload_end(lex, p->start);
    } else {
        // Counted bytes that are not there: up to the next prefix; control codes may be part of them.
        end = p->start;
        while (end < lex->text.len && lex->text.ptr[end] != lex->caret && lex->text.ptr[end] != lex->tilde)
            end++;
    }
    p->data = pl_slice_sub(lex->text, p->start, end - p->start);
    lex->pos = end;
    if (lex->mapped)
        p->args.source.length = lex->origin + (uint32_t)end - p->args.source.offset;
}
