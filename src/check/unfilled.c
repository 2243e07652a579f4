// Words that stand for values that a program does not have, values as it prints them, and escapes.
#include "check/unfilled.h"

#include "check/unfilled_internal.h"

// Values and errors as programs print them, by the sign that they begin with.
static const char *const PRINTED[] = {
    "[object ", "(null)",  "#REF!",   "#VALUE!", "#NAME?",     "#DIV/0!",       "#NUM!",  "#SPILL!",
    "#CALC!",   "#FIELD!", "#ERROR!", "#NULL!",  "<nil>",      "<no value>",    "<null>", "<undefined>",
    "<NA>",     "%!s(",    "%!d(",    "%!v(",    "<function ", "<bound method",
};
// The same behind a dot, with the word before it.
static const char *const QUALIFIED[] = {"java.lang.",    "java.util.",     "System.Object",       "System.String[",
                                        "System.Byte[",  "System.Data.",   "System.Collections.", "System.Linq.",
                                        "System.DBNull", "Optional.empty", "datetime.date(",      "datetime.datetime("};

static size_t qualified_at(struct pl_slice data, size_t at)
{
    for (size_t i = 0; i < PL_COUNTOF(QUALIFIED); i++) {
        const size_t before = (size_t)(strchr(QUALIFIED[i], '.') - QUALIFIED[i]);
        if (at >= before && pl_slice_has_at(data, at - before, QUALIFIED[i]) &&
            !is_word(char_at(data, at - before - 1)))
            return strlen(QUALIFIED[i]) - before;
    }
    return 0;
}

// com.example.Order@5e2de80c: an object of Java.
static size_t object_at(struct pl_slice data, size_t at)
{
    enum { LEAST = 6, MOST = 8 };
    const size_t digits = data.len - at - 1;
    bool number = false, dot = false;
    if (digits < LEAST || digits > MOST || !is_hex(data, at + 1, digits))
        return 0;
    for (size_t i = at; i > 0 && (is_word(data.ptr[i - 1]) || data.ptr[i - 1] == '.'); i--)
        dot = dot || data.ptr[i - 1] == '.';
    for (size_t i = at + 1; i < data.len; i++)
        number = number || pl_is_digit(data.ptr[i]);
    return dot && number ? digits + 1 : 0;
}

// Names of signs for web pages. XML needs some of them.
static size_t entity_at(const struct pl_unfilled *u, size_t at)
{
    static const char names[] =
        "amp|lt|gt|quot|apos|nbsp|euro|pound|copy|reg|trade|deg|micro|szlig|auml|ouml|uuml|Auml|Ouml|Uuml|eacute|"
        "egrave|agrave|aacute|ccedil|ntilde|oacute|iacute|uacute|atilde|otilde|ecirc|hellip|ndash|mdash|lsquo|rsquo|"
        "ldquo|rdquo|bull";
    size_t end = at + 1;
    if (u->markup)
        return 0;
    if (char_at(u->data, end) == '#') {
        end += char_at(u->data, end + 1) == 'x' ? 2 : 1;
        const size_t digits = end;
        while (pl_hex_value(char_at(u->data, end)) >= 0)
            end++;
        return end > digits + 1 && char_at(u->data, end) == ';' ? end + 1 - at : 0;
    }
    while (pl_is_letter(char_at(u->data, end)))
        end++;
    if (char_at(u->data, end) != ';')
        return 0;
    const struct pl_slice name = pl_slice_sub(u->data, at + 1, end - at - 1);
    return pl_slice_is_one_of(name, names) ? end + 1 - at : 0;
}

// \u00e9 and \xe9 outside of JSON, and the escapes of a line's end behind all data.
static size_t backslash_at(const struct pl_unfilled *u, size_t at)
{
    const uint8_t kind = char_at(u->data, at + 1);
    if (!u->markup && kind == 'u' && is_hex(u->data, at + 2, 4))
        return 6;
    if (!u->markup && kind == 'x' && is_hex(u->data, at + 2, 2))
        return 4;
    if (!u->barcode || u->markup)
        return 0;
    const bool ends = at + 2 == u->data.len && (kind == 'n' || kind == 'r' || kind == 't');
    return ends ? 2 : pl_slice_has_at(u->data, at, "\\r\\n") ? 4 : 0;
}

// What addresses escape, elsewhere: a blank, a slash or a letter in UTF-8 between letters or digits; and an address
// that was escaped itself.
static size_t percent_at(const struct pl_unfilled *u, size_t at)
{
    static const char *const signs[] = {"%20", "%2F", "%2f", "%25", "%3A%2F%2F", "%3a%2f%2f", "%7B%7B", "%7b%7b"};
    const struct pl_slice data = u->data;
    if (u->address || !is_hex(data, at + 1, 2))
        return 0;
    if (pl_slice_has_at(data, at, "%C3%") && is_hex(data, at + 4, 2))
        return 6;
    const size_t length = pl_slice_word_at(data, at, signs, PL_COUNTOF(signs));
    const bool inside = is_word(char_at(data, at - 1)) && is_word(char_at(data, at + length));
    return length > 3 || (length && inside && !pl_is_digit(char_at(data, at - 1))) ? length : 0;
}

static size_t tag_at(const struct pl_unfilled *u, size_t at)
{
    static const char object[] = " object at 0x";
    static const char *const tags[] = {"<br>", "<br/>", "<br />", "<BR>", "</b>", "</p>", "</i>", "</div>", "</span>"};
    const size_t count = u->barcode ? 4 : PL_COUNTOF(tags); // barcodes may hold XML
    const size_t length = pl_slice_word_at(u->data, at, tags, count);
    const struct pl_slice rest = pl_slice_sub(u->data, at, u->data.len - at);
    if (length || at != u->first_tag) // what is behind none is behind no later one
        return length;
    return memmem(rest.ptr, rest.len, object, sizeof object - 1) ? rest.len : 0;
}

// www.example.com/shop?item: a host in small letters, and a path.
static bool is_in_address(struct pl_slice data, size_t at)
{
    enum { MOST = 200, LETTERS_LEAST = 2 };
    size_t from = at, letters = 0;
    bool dot = false;
    while (from > 0 && at - from < MOST && data.ptr[from - 1] != ' ')
        from--;
    for (; from < at && data.ptr[from] != '/'; from++) {
        const uint8_t c = data.ptr[from];
        if (c != '.' && c != '-' && !pl_is_digit(c) && (!pl_is_letter(c) || pl_is_upper(c)))
            return false;
        dot = dot || c == '.';
        letters = c == '.' ? 0 : letters + pl_is_letter(c);
    }
    return dot && letters >= LETTERS_LEAST && from < at;
}

// M?ller, Gr??e: a letter that the character set does not have was replaced.
static size_t replaced_at(const struct pl_unfilled *u, size_t at)
{
    enum { MOST = 2 };
    size_t signs = 0, before = 0, behind = 0;
    while (signs <= MOST && char_at(u->data, at + signs) == '?')
        signs++;
    while (before < 2 && pl_is_letter(char_at(u->data, at - before - 1)))
        before++;
    while (behind < 3 && pl_is_letter(char_at(u->data, at + signs + behind)) &&
           !pl_is_upper(char_at(u->data, at + signs + behind)))
        behind++;
    const bool address = u->address || u->markup || u->equals;
    const bool replaced = signs <= MOST && ((before == 2 && behind > 0) || (before == 1 && behind == 3));
    return replaced && !address && !is_in_address(u->data, at) ? signs : 0;
}

static size_t sign_at(const struct pl_unfilled *u, size_t at)
{
    switch (u->data.ptr[at]) {
    case '&':
        return entity_at(u, at);
    case '\\':
        return backslash_at(u, at);
    case '%':
        return percent_at(u, at);
    case '<':
        return tag_at(u, at);
    case '?':
        return replaced_at(u, at);
    case '.':
        return qualified_at(u->data, at);
    case '@':
        return object_at(u->data, at);
    default:
        return 0;
    }
}

static size_t print_at(const struct pl_unfilled *u, size_t at)
{
    const size_t length = pl_slice_word_at(u->data, at, PRINTED, PL_COUNTOF(PRINTED));
    return length ? length : sign_at(u, at);
}

// A name in signs that no address has, and their escapes: /{id}, /[ID], /%7Bid%7D.
static size_t address_mark_at(struct pl_slice data, size_t at)
{
    static const char *const signs[][2] = {{"{", "}"},     {"[", "]"},     {"<", ">"}, {"%7B%7B", "%7D%7D"},
                                           {"%7B", "%7D"}, {"%7b", "%7d"}, {":", ""}};
    enum { NAME_MOST = 80 };
    if (at == 0 || (data.ptr[at - 1] != '/' && data.ptr[at - 1] != '='))
        return 0;
    for (size_t i = 0; i < PL_COUNTOF(signs); i++) {
        size_t end = at + strlen(signs[i][0]);
        if (!pl_slice_has_at(data, at, signs[i][0]))
            continue;
        const size_t inside = end;
        while (end < data.len && end - inside < NAME_MOST && is_word(data.ptr[end]))
            end++;
        const bool ends = signs[i][1][0] || end == data.len || data.ptr[end] == '/';
        if (end > inside + 1 && !pl_is_digit(data.ptr[inside]) && ends && pl_slice_has_at(data, end, signs[i][1]))
            return end + strlen(signs[i][1]) - at;
    }
    return 0;
}

// A word alone between signs: undefined in SKU-undefined, and in an address null, too: ?id=null.
static size_t value_at(const struct pl_unfilled *u, size_t at)
{
    static const char *const words[] = {"undefined", "null", "NaN", "None"};
    const struct pl_slice data = u->data;
    const size_t length = pl_slice_word_at(data, at, words, u->address ? PL_COUNTOF(words) : 1);
    const char *const between = u->address ? "/?&=#" : "-/.:;,_ ";
    const bool starts = at == 0 || strchr(between, data.ptr[at - 1]);
    const bool ends = at + length >= data.len || (data.ptr[at + length] && strchr(between, data.ptr[at + length]));
    return length && starts && ends ? length : 0;
}

// What a text says of a value that there is not: "Lot: undefined".
static size_t named_value_at(struct pl_slice data, size_t at)
{
    enum { VALUE_MOST = 200 };
    static const char *const words[] = {"null", "NULL", "UNDEFINED"};
    size_t from = at + 1;
    while (char_at(data, from) == ' ')
        from++;
    const struct pl_unfilled rest = {.data = pl_slice_sub(data, from, data.len - from)};
    const size_t length = pl_slice_word_at(rest.data, 0, words, PL_COUNTOF(words));
    return rest.data.len && rest.data.len <= VALUE_MOST &&
                   ((length && length == rest.data.len) || pl_unfilled_is_whole(&rest))
               ? data.len - at
               : 0;
}

size_t pl_unfilled_twice(struct pl_slice data)
{
    enum { LEAST = 8, KINDS_LEAST = 4, BETWEEN_MOST = 2 };
    size_t half = data.len / 2, kinds = 0;
    if (half < LEAST)
        return 0;
    for (size_t k = 0; k < BETWEEN_MOST && half > LEAST && !is_word(data.ptr[half - 1]) && data.len - 2 * half < 2; k++)
        half--;
    for (size_t i = half; i < data.len - half; i++)
        if (is_word(data.ptr[i]))
            return 0;
    if (memcmp(data.ptr, data.ptr + data.len - half, half) != 0)
        return 0;
    bool seen[256] = {false};
    size_t rising = 0; // 1234567890 again and again is there to try something
    for (size_t i = 0; i < half; i++) {
        kinds += !seen[data.ptr[i]];
        seen[data.ptr[i]] = true;
        rising += i > 0 && (data.ptr[i] == data.ptr[i - 1] + 1 || (data.ptr[i] == '0' && data.ptr[i - 1] == '9'));
    }
    return kinds >= KINDS_LEAST && rising * 2 < half ? half : 0;
}

// Nearly all data has none of the signs that marks begin with.
static const bool SIGNS[256] = {
    ['['] = true, ['('] = true, ['#'] = true, ['<'] = true, ['%'] = true,  ['&'] = true,
    ['{'] = true, ['$'] = true, ['@'] = true, ['*'] = true, ['\\'] = true, ['_'] = true,
    ['?'] = true, ['.'] = true, ['}'] = true, ['~'] = true, [0xAB] = true, [0xC2] = true,
};

// What is asked of the whole data at many of its signs. Where there is no sign, nobody asks.
static void look_at_all(struct pl_unfilled *u)
{
    const uint8_t *begin = u->data.ptr, *tag = memchr(begin, '<', u->data.len);
    const uint8_t *percent = memchr(begin, '%', u->data.len);
    const size_t rest = percent ? (size_t)(begin + u->data.len - percent) - 1 : 0;
    u->looked = true;
    u->first_tag = tag ? (size_t)(tag - begin) : u->data.len;
    u->opens = memchr(begin, '{', u->data.len);
    u->equals = memchr(begin, '=', u->data.len);
    u->percents = rest > 0 && memchr(percent + 1, '%', rest);
}

// The length of what begins at this place and is no data; 0: nothing does.
static size_t unfilled_at(struct pl_unfilled *u, size_t at)
{
    const uint8_t c = u->data.ptr[at];
    size_t length = 0;
    if (SIGNS[c]) {
        if (!u->looked)
            look_at_all(u);
        length = print_at(u, at);
        length = length ? length : pl_unfilled_mark_at(u, at);
    } else {
        length = u->barcode ? value_at(u, at) : 0;
        if (!length && (c == ':' || c == '='))
            length = named_value_at(u->data, at);
    }
    return !length && u->address && u->barcode ? address_mark_at(u->data, at) : length;
}

struct pl_slice pl_unfilled_find(struct pl_slice data, bool barcode)
{
    if (data.len == 0)
        return data;
    const bool json = (data.ptr[0] == '{' || data.ptr[0] == '[') && memchr(data.ptr, '"', data.len);
    struct pl_unfilled u = {.data = data, .barcode = barcode};
    u.address = memchr(data.ptr, '/', data.len) && pl_slice_has(data, "://");
    u.markup = json || (data.ptr[0] == '<' && pl_slice_has(data, "</"));
    if (pl_unfilled_is_whole(&u))
        return data;
    for (size_t at = 0; at < data.len; at++) {
        const size_t length = unfilled_at(&u, at);
        if (length)
            return pl_slice_sub(data, at, length);
    }
    return pl_slice_sub(data, 0, 0);
}
