// Marks of template languages in place of values.
#include "check/unfilled_internal.h"

enum { INSIDE_MOST = 80 };

// How a mark opens and closes, of whatever is between them that has a letter. `barcode`: people draw with these signs.
static const struct mark {
    const char *open, *close;
    bool barcode;
} MARKS[] = {
    {"{{", "}}", false}, {"${", "}", false},  {"$!{", "}", false},  {"$F{", "}", false},
    {"$P{", "}", false}, {"$V{", "}", false}, {"<%", "%>", false},  {"{%", "%}", false},
    {"{#", "#}", false}, {"[%", "%]", false}, {"<?=", "?>", false}, {"<?php", "?>", false},
};

// The same around a name alone.
static const struct mark NAMED[] = {
    {"@{", "}", false}, {"*{", "}", false},     {"%{", "}", false},
    {"#{", "}", false}, {"~{", "}", false},     {"{@", "}", false},
    {"{?", "}", false}, {"{$", "}", false},     {"{=", "}", false},
    {"[=", "]", false}, {"\\{", "\\}", false},  {"%(", ")s", false},
    {"$(", ")", false}, {"[@", "]", true},      {"<<", ">>", true},
    {"##", "##", true}, {"@@", "@@", false},    {"$$", "$$", true},
    {"[[", "]]", true}, {"\xAB", "\xBB", true}, {"\xC2\xAB", "\xC2\xBB", true},
};

static bool is_letter_at(struct pl_slice data, size_t at)
{
    return pl_is_letter(char_at(data, at)) || char_at(data, at) == '_';
}

static size_t wide_mark(const struct mark *mark, struct pl_slice data, size_t at)
{
    size_t end = at + strlen(mark->open);
    bool named = false;
    if (!pl_slice_has_at(data, at, mark->open))
        return 0;
    const size_t inside = end;
    for (; end < data.len && end - inside < INSIDE_MOST && !pl_slice_has_at(data, end, mark->close); end++)
        named = named || is_word(data.ptr[end]);
    if (pl_slice_has_at(data, end, mark->close))
        return named ? end + strlen(mark->close) - at : 0;
    // Cut off: what follows the sign is a name.
    const bool cut = end == data.len && (strcmp(mark->open, "{{") == 0 || strcmp(mark->open, "${") == 0);
    size_t name = inside;
    while (cut && char_at(data, name) == ' ')
        name++;
    return cut && is_letter_at(data, name) ? end - at : 0;
}

// Of a name: letters, digits, _ . - and blanks, with a letter first.
static size_t named_mark(const struct mark *mark, struct pl_slice data, size_t at)
{
    enum { LETTERS_LEAST = 2 };
    size_t end = at + strlen(mark->open), letters = 0;
    if (!pl_slice_has_at(data, at, mark->open))
        return 0;
    const size_t inside = end;
    while (end < data.len && end - inside < INSIDE_MOST &&
           (is_word(data.ptr[end]) || memchr(".- $[]'\"", data.ptr[end], 8)) &&
           !pl_slice_has_at(data, end, mark->close))
        letters += pl_is_letter(data.ptr[end++]);
    const bool blank = end > inside && (char_at(data, inside) == ' ' || data.ptr[end - 1] == ' ');
    return letters >= LETTERS_LEAST && !blank && pl_slice_has_at(data, end, mark->close)
               ? end + strlen(mark->close) - at
               : 0;
}

// {name}, <name>, [name] of a name that only programs write, and {0}, with a format behind the name: {0:D8}.
static size_t bracketed_at(const struct pl_unfilled *u, size_t at)
{
    static const char open[] = "{<[", close[] = "}>]";
    const struct pl_slice data = u->data;
    const char *sign = strchr(open, data.ptr[at]);
    size_t end = at + 1;
    while (is_word(char_at(data, end)) || char_at(data, end) == '.')
        end++;
    const struct pl_slice name = pl_slice_sub(data, at + 1, end - at - 1);
    const bool format = *sign == '{' && name.len && (char_at(data, end) == ':' || char_at(data, end) == '!');
    while (format && end < data.len && end - at < INSIDE_MOST && !memchr("{}\"", data.ptr[end], 3))
        end++;
    if (char_at(data, end) != (uint8_t)close[sign - open] || u->markup)
        return 0;
    const bool number =
        *sign == '{' && name.len && name.len <= 2 && pl_all_digits(name) && !is_word(char_at(data, at - 1));
    const bool field = *sign == '{' || u->barcode ? pl_unfilled_is_field_name(name) : false;
    const bool empty = *sign == '{' && name.len == 0 && u->barcode && at > 0 && memchr("-_/=:# ", data.ptr[at - 1], 7);
    return (number && (u->barcode || format || name.len == 1)) || field || empty ? end + 1 - at : 0;
}

static bool is_apart(struct pl_slice data, size_t at, size_t end)
{
    return !is_word(char_at(data, at - 1)) && !is_word(char_at(data, end));
}

// $order.id, $!order.id, $ORDER_ID; and @Model.Id, @(Model.Id).
static size_t variable_at(struct pl_slice data, size_t at)
{
    size_t from = at + 1;
    if (char_at(data, at - 1) && is_word(char_at(data, at - 1)))
        return 0;
    from += data.ptr[at] == '$' && char_at(data, from) == '!';
    const bool razor = data.ptr[at] == '@';
    const bool bracket = razor && char_at(data, from) == '(';
    from += bracket;
    size_t end = from;
    while (is_word(char_at(data, end)) || (char_at(data, end) == '.' && is_letter_at(data, end + 1)))
        end++;
    const struct pl_slice name = pl_slice_sub(data, from, end - from);
    if (name.len == 0 || !is_letter_at(data, from))
        return 0;
    if (razor)
        return pl_slice_has_at(name, 0, "Model.") || pl_slice_has_at(name, 0, "Html.")   ? end - at
               : bracket && memchr(name.ptr, '.', name.len) && char_at(data, end) == ')' ? end + 1 - at
                                                                                         : 0;
    return pl_unfilled_is_field_name(name) ? end - at : 0;
}

// printf: %s, %d, %1$s, %05d, %-10s, %08.2f, %lld, %@. Behind a digit the sign means percent; in an address it escapes.
static size_t conversion_at(const struct pl_unfilled *u, size_t at)
{
    const struct pl_slice data = u->data;
    size_t end = at + 1, before = at;
    while (before > 0 && data.ptr[before - 1] == ' ')
        before--;
    if (before > 0 && (pl_is_digit(data.ptr[before - 1]) || data.ptr[before - 1] == '%'))
        return 0;
    while (pl_is_digit(char_at(data, end)) || (char_at(data, end) && strchr("$.-+#l", char_at(data, end))))
        end++;
    const uint8_t kind = char_at(data, end);
    const bool plain = end == at + 1;
    if (!kind || !strchr("sdifux@", kind) || is_word(char_at(data, end + 1)))
        return 0;
    if (u->address && kind != 's' && end - at > 1)
        return 0; // %5d is a sign
    if (plain && (u->barcode ? kind == 'u' || kind == 'i' : kind != 's' && kind != 'd' && kind != '@'))
        return 0;
    // A text with another percent sign is about percent.
    if (!u->barcode && plain && u->percents)
        return 0;
    return end + 1 - at;
}

// %NAME%, %%NAME%%, &NAME&, __NAME__: signs around capital letters, and nothing of a word before and behind them.
static size_t capitals_at(struct pl_slice data, size_t at)
{
    enum { SIGNS_MOST = 2, LETTERS_LEAST = 3 };
    const uint8_t sign = data.ptr[at];
    size_t open = at, letters = 0;
    while (open - at <= SIGNS_MOST && char_at(data, open) == sign)
        open++;
    const size_t signs = open - at;
    if (signs > SIGNS_MOST)
        return 0;
    size_t end = open;
    for (; end < data.len && data.ptr[end] != sign; end++) {
        const uint8_t c = data.ptr[end];
        const bool single = sign == '_' ? c == '.' : c == '_' || c == '-' || c == '(' || c == ')' || c == '.';
        if (!pl_is_upper(c) && !pl_is_digit(c) && !single)
            return 0;
        letters += pl_is_upper(c);
    }
    size_t close = 0;
    while (close <= signs && char_at(data, end + close) == sign)
        close++;
    const size_t wanted = sign == '_' ? 2 : 1;
    return close == signs && (signs == wanted || (signs == 2 && sign == '%')) && letters >= LETTERS_LEAST &&
                   is_apart(data, at, end + close)
               ? end + close - at
               : 0;
}

static size_t directive_at(struct pl_slice data, size_t at)
{
    static const char *const words[] = {"#if(",   "#foreach(", "#set(", "<#if ", "<#list ",
                                        "<#else", "</#if",     "<!--#", "<cf",   "<xsl:"};
    for (size_t i = 0; i < PL_COUNTOF(words); i++)
        if (pl_slice_has_at(data, at, words[i]) && (words[i][1] != 'c' || is_letter_at(data, at + 3)))
            return strlen(words[i]);
    if (!pl_slice_has_at(data, at, "<@"))
        return 0;
    size_t end = at + 2;
    while (is_word(char_at(data, end)) || (char_at(data, end) && strchr(". /", char_at(data, end))))
        end++;
    return is_letter_at(data, at + 2) && char_at(data, end) == '>' ? end + 1 - at : 0;
}

// The end of a mark whose start is lost.
static size_t closed_at(const struct pl_unfilled *u, size_t at)
{
    if (!pl_slice_has_at(u->data, at, "}}") || u->markup || u->opens)
        return 0;
    size_t before = at;
    while (before > 0 && u->data.ptr[before - 1] == ' ')
        before--;
    return before > 0 && is_word(u->data.ptr[before - 1]) ? 2 : 0;
}

size_t pl_unfilled_mark_at(const struct pl_unfilled *u, size_t at)
{
    const struct pl_slice data = u->data;
    const uint8_t sign = data.ptr[at];
    size_t length = 0;
    for (size_t i = 0; i < PL_COUNTOF(MARKS) && !length; i++)
        if ((uint8_t)MARKS[i].open[0] == sign)
            length = wide_mark(&MARKS[i], data, at);
    for (size_t i = 0; i < PL_COUNTOF(NAMED) && !length; i++)
        if ((uint8_t)NAMED[i].open[0] == sign && (u->barcode || !NAMED[i].barcode))
            length = named_mark(&NAMED[i], data, at);
    if (length)
        return length;
    switch (sign) {
    case '{':
    case '[':
        return bracketed_at(u, at);
    case '<':
        length = directive_at(data, at);
        return length ? length : bracketed_at(u, at);
    case '#':
        return directive_at(data, at);
    case '$':
    case '@':
        return variable_at(data, at);
    case '%':
        length = conversion_at(u, at);
        return length ? length : capitals_at(data, at);
    case '&':
    case '_':
        return capitals_at(data, at);
    case '}':
        return closed_at(u, at);
    default:
        return 0;
    }
}
