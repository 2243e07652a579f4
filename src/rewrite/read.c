// From bytes to commands: the lexer of the interpreter, with prefixes that change on the way and payloads.
#include <string.h>

#include "base/ckd.h"
#include "lang/zpl/payload.h"
#include "rewrite/commands.h"

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static struct pl_slice trimmed(struct pl_slice s)
{
    while (s.len > 0 && is_blank(s.ptr[s.len - 1]))
        s.len--;
    while (s.len > 0 && is_blank(s.ptr[0]))
        s = pl_slice_sub(s, 1, s.len);
    return s;
}

// As the lexer does it: line ends behind a parameter do not belong to it.
static struct pl_slice without_line_end(struct pl_slice s)
{
    while (s.len > 0 && s.ptr[s.len - 1] != ' ' && is_blank(s.ptr[s.len - 1]))
        s.len--;
    return s;
}

// Blanks around it mean nothing; those of characters, names and texts may.
static bool is_loose(const struct zpl_row *row, uint32_t item)
{
    if (item >= row->info.param_count)
        return row->info.title[1] == 'C' || (row->info.title[1] == 'F' && row->info.title[2] == 'M');
    enum pl_lang_param_type type = row->info.params[item].type;
    return type == PL_LANG_DOTS || type == PL_LANG_NUMBER || type == PL_LANG_CHOICE;
}

// As many commands as there can be, unless the prefixes change.
static uint32_t count_prefixes(struct pl_slice input)
{
    uint32_t count = 0;
    for (size_t i = 0; i < input.len; i++)
        count += input.ptr[i] == '^' || input.ptr[i] == '~';
    return count;
}

static struct rw_command *add(struct rw_document *doc)
{
    if (!PL_ARENA_GROW(doc->arena, doc->commands, doc->count, doc->capacity,
                       doc->capacity ? 0 : PL_MIN(count_prefixes(doc->input), 65536u) + 1))
        return NULL;
    struct rw_command *c = &doc->commands[doc->count++];
    memset(c, 0, sizeof *c);
    return c;
}

// One item of all that stands behind the name.
static bool whole_item(struct rw_document *doc, struct rw_command *c, struct pl_slice text)
{
    c->items = text.len ? PL_ARENA_NEW(doc->arena, struct pl_slice) : NULL;
    if (!text.len)
        return true;
    if (!c->items)
        return false;
    c->items[0] = text;
    c->item_count = 1;
    return true;
}

static bool split(struct rw_document *doc, const struct zpl_lexer *lex, struct rw_command *c, struct pl_slice text)
{
    uint32_t n = 1;
    for (size_t i = 0; i < text.len; i++)
        n += (lex->classes[text.ptr[i]] & ZPL_CLASS_SPLIT) != 0;
    c->items = PL_ARENA_ARRAY(doc->arena, struct pl_slice, n);
    if (!c->items)
        return false;
    size_t from = 0;
    for (size_t i = 0; i <= text.len; i++) {
        if (i < text.len && !(lex->classes[text.ptr[i]] & ZPL_CLASS_SPLIT))
            continue;
        struct pl_slice item = pl_slice_sub(text, from, i - from);
        c->items[c->item_count] = is_loose(c->row, c->item_count) ? trimmed(item) : without_line_end(item);
        c->item_count++;
        from = i + 1;
    }
    if (c->item_count == 1 && c->items[0].len == 0)
        c->item_count = 0;
    return true;
}

static bool take_arguments(struct rw_document *doc, const struct zpl_lexer *lex, struct rw_command *c,
                           const struct zpl_token *t)
{
    if (!c->row)
        return whole_item(doc, c, without_line_end(t->args));
    // ^FH takes whatever byte comes first, even the delimiter.
    if (rw_is(c, "^FH"))
        return whole_item(doc, c,
                          t->args.len && !(t->args.ptr[0] == '\r' || t->args.ptr[0] == '\n')
                              ? pl_slice_sub(t->args, 0, 1)
                              : pl_slice_make(NULL, 0));
    c->no_parameters = !c->row->info.params[0].name;
    return c->no_parameters ? whole_item(doc, c, trimmed(t->args)) : split(doc, lex, c, t->args);
}

// Counted bytes that are not all there: whatever is written behind them would be taken for the rest.
static bool breaks_off(const struct rw_command *c, size_t has)
{
    uint32_t item = c->prefix == '^' ? 1 : 3;
    int64_t stated = 0;
    bool clean;
    return c->counted && item < c->item_count && zpl_parse_number(c->items[item], &stated, &clean) &&
           (uint64_t)(stated / 10000) > has;
}

static bool take_payload(struct rw_document *doc, struct zpl_lexer *lex, struct rw_command *c,
                         const struct zpl_token *t)
{
    struct zpl_payload p;
    c->counted = zpl_payload_whole(lex, t, &p);
    c->items = PL_ARENA_ARRAY(doc->arena, struct pl_slice, p.args.count + 1);
    if (!c->items)
        return false;
    for (unsigned i = 0; i < p.args.count; i++)
        c->items[i] = trimmed(p.args.item[i]);
    c->item_count = p.args.count;
    c->data = c->counted ? p.data : trimmed(p.data);
    doc->torn = breaks_off(c, p.data.len);
    const struct pl_slice *last = &p.args.item[p.args.count - 1];
    c->has_data = lex->text.ptr + p.start > last->ptr + last->len; // behind a delimiter
    return true;
}

// ^CC and its like, as the interpreter obeys them.
static void change_role(struct zpl_lexer *lex, struct rw_command *c, const struct zpl_token *t)
{
    // Where it changes nothing, a line end is refused as well: with that behind it, it still ends the data before it,
    // and takes nothing of what follows.
    c->data = zpl_lexer_take_role(lex, c->second, t->args) ? t->args : pl_slice_cstr("\n");
}

// Text that belongs to no command, up to a prefix that never became one: written before another byte it would.
static struct pl_slice remark(const struct zpl_lexer *lex, const struct zpl_token *t)
{
    struct pl_slice text = pl_slice_sub(lex->text, t->skipped_from, t->skipped_to - t->skipped_from);
    size_t n = 0;
    while (n < text.len && !(lex->classes[text.ptr[n]] & ZPL_CLASS_END))
        n++;
    return trimmed(pl_slice_sub(text, 0, n));
}

static bool take(struct rw_document *doc, struct zpl_lexer *lex, const struct zpl_token *t, bool in_label)
{
    struct rw_command *c = add(doc);
    if (!c)
        return false;
    c->row = t->row;
    c->prefix = t->prefix;
    c->first = t->first;
    c->second = t->first == 'A' || !t->row ? t->raw_second : t->second;
    c->unnamed = t->args.ptr == lex->text.ptr + t->start + 2;
    c->caret = lex->caret;
    c->tilde = lex->tilde;
    c->comma = lex->comma;
    c->kind = t->row ? (uint8_t)t->row->lex : ZPL_LEX_ARGS;
    c->start = (uint32_t)t->start;
    c->skipped = remark(lex, t);
    // Behind a control code that stands for a command, text is no parameter; behind the command itself it is.
    struct rw_command *before = doc->count > 1 ? c - 1 : NULL;
    if (before && rw_resets_prefix(before)) // it could not be told from text of ~JR
        c->skipped = pl_slice_make(NULL, 0);
    if (c->skipped.len && before && before->end - before->start == 1) {
        if (!whole_item(doc, before, c->skipped))
            return false;
        c->skipped = pl_slice_make(NULL, 0);
    }
    bool ok = true;
    switch ((enum zpl_lex_kind)c->kind) {
    case ZPL_LEX_ARGS:
        ok = take_arguments(doc, lex, c, t);
        break;
    case ZPL_LEX_DATA:
        // CR and LF in the stream are no data.
        c->data = t->args;
        while (c->data.len > 0 && (c->data.ptr[c->data.len - 1] == '\n' || c->data.ptr[c->data.len - 1] == '\r'))
            c->data.len--;
        c->has_data = true;
        break;
    case ZPL_LEX_CHAR:
        change_role(lex, c, t);
        break;
    case ZPL_LEX_PAYLOAD:
        if (t->row->in_format && !in_label) {
            size_t from = lex->pos;
            lex->pos = zpl_lex_payload_end(lex, from);
            ok = whole_item(doc, c, trimmed(pl_slice_sub(lex->text, from, lex->pos - from)));
        } else {
            ok = take_payload(doc, lex, c, t);
        }
        break;
    }
    c->end = (uint32_t)lex->pos;
    return ok;
}

// ^FV, and ^FD behind ^SN, change nothing without data; a line end is data.
static void mark_bare(struct rw_command *c, const struct zpl_token *t, bool *has_serial)
{
    bool counts = rw_is(c, "^FV") || (rw_is(c, "^FD") && *has_serial);
    if (counts && c->data.len == 0) {
        c->bare = t->args.len == 0;
        c->data = c->bare ? c->data : pl_slice_cstr("\n");
    }
    bool ends = rw_is(c, "^FS") || rw_is(c, "^XA") || rw_is(c, "^XZ");
    *has_serial = !ends && (*has_serial || rw_is(c, "^SN"));
}

static bool cancels_format(const struct rw_command *c)
{
    return rw_is(c, "~JA") || rw_is(c, "~JX") || rw_is(c, "~JR");
}

// Of code that was written on the way: where its commands were in the caller's.
static void find_origins(struct rw_document *doc)
{
    const struct rw_places *places = doc->places;
    uint32_t next = 0;
    for (uint32_t i = 0; i < doc->count; i++) {
        struct rw_command *c = &doc->commands[i];
        c->origin = c->start;
        c->origin_end = c->end;
        if (!places || places->count == 0)
            continue;
        while (next + 1 < places->count && places->items[next + 1].offset <= c->start)
            next++;
        c->origin = places->items[next].origin;
        c->origin_end = places->items[next].origin_end;
    }
}

static enum pl_errc read_commands(struct rw_document *doc, struct pl_error *err)
{
    struct zpl_lexer lex;
    struct zpl_token token;
    bool in_label = false, has_serial = false;
    unsigned since_check = 0;
    zpl_lexer_init(&lex, doc->input);
    doc->count = 0;
    doc->torn = false;
    memcpy(doc->prefixes, "^~,", sizeof doc->prefixes);
    while (zpl_lex_next(&lex, &token)) {
        if (++since_check % 256 == 0)
            PL_TRY(pl_job_check(doc->job, err));
        if (!take(doc, &lex, &token, in_label))
            return pl_fail_memory(err);
        struct rw_command *c = &doc->commands[doc->count - 1];
        mark_bare(c, &token, &has_serial);
        if (doc->torn) {
            // From here on it stays as it is.
            doc->rest = pl_slice_sub(doc->input, c->start, doc->input.len);
            doc->count--;
            return PL_OK;
        }
        if (rw_is(c, "~JR"))
            zpl_lexer_prefixes(&lex, '^', '~', ',');
        memcpy(doc->prefixes, (uint8_t[]){lex.caret, lex.tilde, lex.comma}, sizeof doc->prefixes);
        in_label = rw_is(c, "^XA") || (in_label && !rw_is(c, "^XZ") && !cancels_format(c));
    }
    doc->rest = remark(&lex, &token);
    struct rw_command *last = doc->count ? &doc->commands[doc->count - 1] : NULL;
    if (last && rw_resets_prefix(last))
        doc->rest = pl_slice_make(NULL, 0);
    if (doc->rest.len && last && last->end - last->start == 1) {
        if (!whole_item(doc, last, doc->rest))
            return pl_fail_memory(err);
        doc->rest = pl_slice_make(NULL, 0);
    }
    return PL_OK;
}

enum pl_errc rw_read(struct rw_document *doc, struct pl_error *err)
{
    PL_TRY(read_commands(doc, err));
    find_origins(doc);
    return PL_OK;
}

bool rw_set_item(struct rw_document *doc, struct rw_command *c, uint32_t item, struct pl_slice text)
{
    if (item >= c->item_count) {
        struct pl_slice *grown = PL_ARENA_ARRAY(doc->arena, struct pl_slice, (size_t)item + 1);
        if (!grown)
            return false;
        for (uint32_t i = 0; i <= item; i++)
            grown[i] = i < c->item_count ? c->items[i] : pl_slice_make("", 0);
        c->items = grown;
        c->item_count = item + 1;
    }
    c->items[item] = text;
    return true;
}
