// The lexer: one pass over raw bytes by a table of classes.
#include "lang/zpl/lex.h"

#include "base/ckd.h"
#include "lang/zpl/cmd_table.h"

enum { STX = 0x02, ETX = 0x03, SI = 0x0F, DLE = 0x10, RS = 0x1E, US = 0x1F };

static void mark_classes(struct zpl_lexer *lex)
{
    memset(lex->classes, 0, sizeof(lex->classes));
    static const uint8_t ENDS[] = {STX, ETX, SI, DLE, RS};
    for (size_t i = 0; i < sizeof(ENDS); i++)
        lex->classes[ENDS[i]] = ZPL_CLASS_END;
    lex->classes[' '] = lex->classes['\t'] = lex->classes['\r'] = lex->classes['\n'] = ZPL_CLASS_SPACE;
    lex->classes[US] = ZPL_CLASS_SPLIT;
    lex->classes[lex->comma] |= ZPL_CLASS_SPLIT;
    lex->classes[lex->caret] |= ZPL_CLASS_END;
    lex->classes[lex->tilde] |= ZPL_CLASS_END;
}

void zpl_lexer_init(struct zpl_lexer *lex, struct pl_slice text)
{
    lex->text = text;
    lex->pos = 0;
    lex->origin = 0;
    lex->mapped = true;
    lex->recall = (struct pl_source){0};
    lex->caret = '^';
    lex->tilde = '~';
    lex->comma = ',';
    lex->prefixes_since = 0;
    mark_classes(lex);
}

void zpl_lexer_prefixes(struct zpl_lexer *lex, uint8_t caret, uint8_t tilde, uint8_t comma)
{
    if ((caret && caret != lex->caret) || (tilde && tilde != lex->tilde) || (comma && comma != lex->comma))
        lex->prefixes_since = PL_MAX(lex->prefixes_since, (uint32_t)(lex->origin + lex->pos));
    if (caret)
        lex->caret = caret;
    if (tilde)
        lex->tilde = tilde;
    if (comma)
        lex->comma = comma;
    mark_classes(lex);
}

bool zpl_lexer_take_role(struct zpl_lexer *lex, uint8_t role, struct pl_slice args)
{
    uint8_t to = args.len ? args.ptr[0] : 0;
    bool taken =
        (role != 'C' && to == lex->caret) || (role != 'T' && to == lex->tilde) || (role != 'D' && to == lex->comma);
    if (to <= ' ' || to >= 0x7F || taken) {
        lex->pos -= args.len;
        return false;
    }
    zpl_lexer_prefixes(lex, role == 'C' ? to : 0, role == 'T' ? to : 0, role == 'D' ? to : 0);
    return true;
}

// Payloads are long, so each of the few bytes that end one is searched for by itself, in pieces: what comes after the
// payload is never searched far.
#define PAYLOAD_PIECE 4096

size_t zpl_lex_payload_end(const struct zpl_lexer *lex, size_t from)
{
    const uint8_t *p = lex->text.ptr + from, *end = lex->text.ptr + lex->text.len;
    uint8_t ends[256];
    size_t count = 0;
    for (unsigned c = 0; c < 256; c++) {
        ends[count] = (uint8_t)c;
        count += (lex->classes[c] & ZPL_CLASS_END) != 0;
    }
    while (p < end) {
        const uint8_t *piece = p + PL_MIN(PAYLOAD_PIECE, end - p), *found = piece;
        for (size_t i = 0; i < count && p < found; i++) {
            const uint8_t *at = memchr(p, ends[i], (size_t)(found - p));
            found = at ? at : found;
        }
        p = found;
        if (found < piece)
            break;
    }
    return (size_t)(p - lex->text.ptr);
}

// One parameter, without the line end that may follow it.
static void add_item(struct zpl_token *token, const uint8_t *from, const uint8_t *to)
{
    if (token->item_count == ZPL_MAX_ARGS)
        return;
    while (to > from && (to[-1] == '\n' || to[-1] == '\r' || to[-1] == '\t'))
        to--;
    token->item[token->item_count++] = pl_slice_make(from, (size_t)(to - from));
}

// Parameters up to the next prefix, split on the way.
static size_t split_args(const struct zpl_lexer *lex, size_t at, struct zpl_token *token)
{
    const uint8_t *p = lex->text.ptr + at, *end = lex->text.ptr + lex->text.len, *from = p;
    token->item_count = 0;
    for (;; p++) {
        while (p < end && !(lex->classes[*p] & (ZPL_CLASS_END | ZPL_CLASS_SPLIT)))
            p++;
        add_item(token, from, p);
        if (p >= end || (lex->classes[*p] & ZPL_CLASS_END))
            return (size_t)(p - lex->text.ptr);
        from = p + 1;
    }
}

// STX, ETX and SI stand for ^XA, ^XZ and ^FS.
static bool is_command_code(uint8_t c)
{
    return c == STX || c == ETX || c == SI;
}

// Field data: a tilde or a control code in it is data unless a command follows (the ^BX escape ~1, raw RS in MaxiCode
// data).
static size_t data_end(const struct zpl_lexer *lex, size_t from)
{
    const uint8_t *p = lex->text.ptr;
    size_t n = lex->text.len;
    for (;; from++) {
        while (from < n && !(lex->classes[p[from]] & ZPL_CLASS_END))
            from++;
        if (from >= n || p[from] == lex->caret)
            return n < from ? n : from;
        uint8_t c = p[from];
        if (is_command_code(c))
            return from;
        // Before another prefix it is the start of a command that never came, as the reference draws it.
        if (n - from >= 2 && p[from + 1] == lex->caret)
            return from;
        if (n - from >= 3 && zpl_row_lookup(c == RS ? '^' : '~', pl_upper(p[from + 1]), pl_upper(p[from + 2])))
            return from;
    }
}

static void take_command_code(struct zpl_lexer *lex, struct zpl_token *token)
{
    const uint8_t *at = lex->text.ptr + token->start;
    token->prefix = '^';
    token->first = *at == SI ? 'F' : 'X';
    token->second = *at == SI ? 'S' : *at == STX ? 'A' : 'Z';
    token->raw_second = token->second;
    token->row = zpl_row_lookup('^', token->first, token->second);
    token->args = pl_slice_make(at + 1, 0);
    token->item_count = 0;
    lex->pos = token->start + 1;
}

// Finds the next prefix with a name behind it, or a control code: its place is token->start. False: there is none.
static bool find_command(struct zpl_lexer *lex, struct zpl_token *token)
{
    const uint8_t *p = lex->text.ptr;
    size_t n = lex->text.len, at = lex->pos;
    token->skipped_from = token->skipped_to = at;
    for (;;) {
        for (; at < n && !(lex->classes[p[at]] & ZPL_CLASS_END); at++)
            if (!(lex->classes[p[at]] & ZPL_CLASS_SPACE))
                token->skipped_to = at + 1;
        if (at >= n)
            return false;
        token->start = at;
        if (is_command_code(p[at]))
            return true;
        // A prefix where a name should be: what came before it was no command (drivers send "~~CD,").
        if (at + 1 < n && (lex->classes[p[at + 1]] & ZPL_CLASS_END)) {
            at += 1;
            continue;
        }
        if (n - at < 3) {
            token->skipped_to = n;
            return false;
        }
        if (!(lex->classes[p[at + 2]] & ZPL_CLASS_END) || pl_upper(p[at + 1]) == 'A')
            return true;
        token->skipped_to = at + 2;
        at += 2;
    }
}

// ^A: the font's name is the second letter, and blanks may be before it; without one the parameters begin at once.
// Returns where the parameters begin.
static size_t take_font_name(const struct zpl_lexer *lex, struct zpl_token *token)
{
    const uint8_t *p = lex->text.ptr;
    size_t n = lex->text.len, name = token->start + 2;
    while (name < n && (p[name] == ' ' || p[name] == '\t'))
        name++;
    token->row = zpl_row_lookup('^', 'A', '0');
    token->raw_second = name < n ? p[name] : lex->caret;
    token->second = pl_upper(token->raw_second);
    if (!(lex->classes[token->raw_second] & (ZPL_CLASS_SPLIT | ZPL_CLASS_END | ZPL_CLASS_SPACE)))
        return name + 1;
    token->second = token->raw_second = 0;
    return name;
}

// Returns where the parameters begin.
static size_t take_name(const struct zpl_lexer *lex, struct zpl_token *token)
{
    const uint8_t *at = lex->text.ptr + token->start;
    token->prefix = *at == lex->caret || *at == RS ? '^' : '~';
    token->first = pl_upper(at[1]);
    token->raw_second = at[2];
    token->second = pl_upper(at[2]);
    token->item_count = 0;
    if (token->prefix == '^' && token->first == 'A' && token->second != '@')
        return take_font_name(lex, token);
    token->row = zpl_row_lookup(token->prefix, token->first, token->second);
    return token->start + 3;
}

bool zpl_lex_next(struct zpl_lexer *lex, struct zpl_token *token)
{
    if (!find_command(lex, token)) {
        lex->pos = lex->text.len;
        return false;
    }
    const uint8_t *p = lex->text.ptr;
    size_t n = lex->text.len;
    if (is_command_code(p[token->start])) {
        take_command_code(lex, token);
        return true;
    }
    size_t args = take_name(lex, token);
    size_t end = args;
    enum zpl_lex_kind kind = token->row ? token->row->lex : ZPL_LEX_ARGS;
    if (kind == ZPL_LEX_ARGS)
        end = split_args(lex, args, token);
    else if (kind == ZPL_LEX_DATA)
        end = data_end(lex, args);
    else if (kind == ZPL_LEX_CHAR)
        end = args < n ? args + 1 : n;
    token->args = pl_slice_make(p + args, end - args);
    lex->pos = end;
    return true;
}
