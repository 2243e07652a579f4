// Commands with a payload: reading their parameters and finding where the data ends.
#include "lang/zpl/payload.h"

#include "lang/zpl/gfdata.h"

void zpl_payload_read(struct zpl_lexer *lex, const struct zpl_args *command, unsigned count, struct zpl_payload *out)
{
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

bool zpl_payload_is_wrapped(const struct zpl_lexer *lex, const struct zpl_payload *p)
{
    return zpl_gf_is_wrapped(pl_slice_sub(lex->text, p->start, 64));
}

void zpl_payload_skip_blanks(const struct zpl_lexer *lex, struct zpl_payload *p)
{
    const struct pl_slice *text = &lex->text;
    while (p->start < text->len &&
           (text->ptr[p->start] == ' ' || text->ptr[p->start] == '\r' || text->ptr[p->start] == '\n'))
        p->start++;
}

void zpl_payload_take(struct zpl_lexer *lex, struct zpl_payload *p, size_t count)
{
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

// How many parameters stand before the data; of ~DB the font module reads all but the name.
static unsigned parameters_before_data(const struct zpl_token *t)
{
    return t->prefix == '~' && t->second == 'B' ? 1 : t->row->info.param_count - 1;
}

bool zpl_payload_whole(struct zpl_lexer *lex, const struct zpl_token *t, struct zpl_payload *out)
{
    // Only counted binary data can hide a prefix: ^GFB, ^GFC and ~DY…,B.
    struct zpl_args command = {.row = t->row, .source = zpl_source(lex, t->start, lex->pos, "")};
    bool field = t->prefix == '^';
    zpl_payload_read(lex, &command, parameters_before_data(t), out);
    unsigned at = field ? 0 : 1, counted = field ? 1 : 3;
    struct pl_slice kind = out->args.count > at ? pl_slice_trim(out->args.item[at]) : pl_slice_make(NULL, 0);
    uint8_t letter = kind.len > 0 ? (uint8_t)(kind.ptr[0] & 0xDF) : 'A';
    int64_t size = 0;
    bool clean;
    bool has_size = out->args.count > counted && zpl_parse_number(out->args.item[counted], &size, &clean) && size > 0;
    bool may_count = field || t->second == 'Y';
    bool raw =
        may_count && (letter == 'B' || (field && letter == 'C')) && has_size && !zpl_payload_is_wrapped(lex, out);
    if (raw && field)
        zpl_payload_skip_blanks(lex, out);
    zpl_payload_take(lex, out, raw ? (size_t)(size / 10000) : SIZE_MAX);
    return raw;
}

void zpl_payload_skip(struct zpl_lexer *lex, const struct zpl_token *t)
{
    struct zpl_payload p;
    zpl_payload_whole(lex, t, &p);
}
