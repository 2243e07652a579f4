// Words that stand for values that a program does not have, values as it prints them, and escapes.
#include "base/fmt.h"
#include "check/unfilled_internal.h"

#define begins pl_unfilled_begins
#define char_at pl_unfilled_char
#define is_word pl_unfilled_is_word

// What templates of labels call their fields.
static bool is_field_word(struct pl_slice name)
{
    static const char *const words[] = {"SKU",   "GTIN",     "EAN",   "UPC",   "SSCC",     "SERIAL",  "LOT",
                                        "BATCH", "QTY",      "PO",    "ORDER", "BARCODE",  "ARTICLE", "NUMBER",
                                        "NAME",  "TRACKING", "FIELD", "VALUE", "VARIABLE", "PRODUCT", "PRICE"};
    for (size_t i = 0; i < PL_COUNTOF(words); i++)
        if (pl_slice_eq_nocase(name, pl_slice_cstr(words[i])))
            return true;
    return false;
}

bool pl_unfilled_is_field_name(struct pl_slice name)
{
    bool sign = false, camel = false, letter = false, small = false;
    for (size_t i = 0; i < name.len; i++) {
        const uint8_t c = name.ptr[i], before = i ? name.ptr[i - 1] : 0;
        letter = letter || pl_is_letter(c);
        small = small || (pl_is_letter(c) && !pl_is_upper(c));
        sign = sign || (i > 0 && i + 1 < name.len && (c == '_' || c == '.'));
        camel = camel || (pl_is_upper(c) && pl_is_letter(before) && !pl_is_upper(before));
    }
    if (!letter || name.len > 40)
        return false;
    return camel || (sign && name.len > 3) || (!small && is_field_word(name));
}

// ---- inside of other data

static size_t word_at(const char *const *words, size_t count, struct pl_slice data, size_t at)
{
    const char first = (char)char_at(data, at);
    for (size_t i = 0; i < count; i++)
        if (words[i][0] == first && begins(data, at, words[i]))
            return strlen(words[i]);
    return 0;
}

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
        if (at >= before && begins(data, at - before, QUALIFIED[i]) && !is_word(char_at(data, at - before - 1)))
            return strlen(QUALIFIED[i]) - before;
    }
    return 0;
}

static bool is_hex(struct pl_slice data, size_t at, size_t digits)
{
    for (size_t i = 0; i < digits; i++)
        if (pl_hex_value(char_at(data, at + i)) < 0)
            return false;
    return true;
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
    static const char *const names[] = {"amp",    "lt",     "gt",     "quot",   "apos",   "nbsp",   "euro",   "pound",
                                        "copy",   "reg",    "trade",  "deg",    "micro",  "szlig",  "auml",   "ouml",
                                        "uuml",   "Auml",   "Ouml",   "Uuml",   "eacute", "egrave", "agrave", "aacute",
                                        "ccedil", "ntilde", "oacute", "iacute", "uacute", "atilde", "otilde", "ecirc",
                                        "hellip", "ndash",  "mdash",  "lsquo",  "rsquo",  "ldquo",  "rdquo",  "bull"};
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
    for (size_t i = 0; i < PL_COUNTOF(names); i++)
        if (pl_slice_eq_cstr(name, names[i]))
            return end + 1 - at;
    return 0;
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
    return ends ? 2 : begins(u->data, at, "\\r\\n") ? 4 : 0;
}

// What addresses escape, elsewhere: a blank, a slash or a letter in UTF-8 between letters or digits; and an address
// that was escaped itself.
static size_t percent_at(const struct pl_unfilled *u, size_t at)
{
    static const char *const signs[] = {"%20", "%2F", "%2f", "%25", "%3A%2F%2F", "%3a%2f%2f", "%7B%7B", "%7b%7b"};
    const struct pl_slice data = u->data;
    if (u->address || !is_hex(data, at + 1, 2))
        return 0;
    if (begins(data, at, "%C3%") && is_hex(data, at + 4, 2))
        return 6;
    const size_t length = word_at(signs, PL_COUNTOF(signs), data, at);
    const bool inside = is_word(char_at(data, at - 1)) && is_word(char_at(data, at + length));
    return length > 3 || (length && inside && !pl_is_digit(char_at(data, at - 1))) ? length : 0;
}

static size_t tag_at(const struct pl_unfilled *u, size_t at)
{
    static const char object[] = " object at 0x";
    static const char *const tags[] = {"<br>", "<br/>", "<br />", "<BR>", "</b>", "</p>", "</i>", "</div>", "</span>"};
    const size_t count = u->barcode ? 4 : PL_COUNTOF(tags); // barcodes may hold XML
    const size_t length = word_at(tags, count, u->data, at);
    const struct pl_slice rest = pl_slice_sub(u->data, at, u->data.len - at);
    if (length || at != u->first_tag) // what is behind none is behind no later one
        return length;
    return memmem(rest.ptr, rest.len, object, sizeof object - 1) ? rest.len : 0;
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
    return !address && signs <= MOST && ((before == 2 && behind > 0) || (before == 1 && behind == 3)) ? signs : 0;
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

size_t pl_unfilled_print_at(const struct pl_unfilled *u, size_t at)
{
    const size_t length = word_at(PRINTED, PL_COUNTOF(PRINTED), u->data, at);
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
        if (!begins(data, at, signs[i][0]))
            continue;
        const size_t inside = end;
        while (end < data.len && end - inside < NAME_MOST && is_word(data.ptr[end]))
            end++;
        const bool ends = signs[i][1][0] || end == data.len || data.ptr[end] == '/';
        if (end > inside + 1 && !pl_is_digit(data.ptr[inside]) && ends && begins(data, end, signs[i][1]))
            return end + strlen(signs[i][1]) - at;
    }
    return 0;
}

// A word alone between signs: undefined in SKU-undefined, and in an address null, too: ?id=null.
static size_t value_at(const struct pl_unfilled *u, size_t at)
{
    static const char *const words[] = {"undefined", "null", "NaN", "None"};
    const struct pl_slice data = u->data;
    const size_t length = word_at(words, u->address ? PL_COUNTOF(words) : 1, data, at);
    const char *const between = u->address ? "/?&=#" : "-/.:;,_ ";
    const bool starts = at == 0 || strchr(between, data.ptr[at - 1]);
    const bool ends = at + length >= data.len || (data.ptr[at + length] && strchr(between, data.ptr[at + length]));
    return length && starts && ends ? length : 0;
}

// ---- the whole of the data

// Words alone, in a barcode or a text.
static const char *const WHOLE[] = {"undefined",
                                    "UNDEFINED",
                                    "NaN",
                                    "NaT",
                                    "-nan",
                                    "-1.#IND",
                                    "1.#QNAN",
                                    "Invalid Date",
                                    "Invalid date",
                                    "Invalid DateTime",
                                    "TODO",
                                    "FIXME",
                                    "#N/A",
                                    "\\N",
                                    "[null]",
                                    "%s",
                                    "%d",
                                    "DBNull",
                                    "#Error",
                                    "#ERROR",
                                    "NullPointerException",
                                    "CHANGE_ME",
                                    "CHANGEME",
                                    "0001-01-01",
                                    "01.01.0001",
                                    "01/01/0001",
                                    "1/1/0001",
                                    "0000-00-00",
                                    "00.00.0000",
                                    "1900-01-00",
                                    "30.12.1899",
                                    "12/30/1899",
                                    "1899-12-30"};
// The same of barcodes alone.
static const char *const WHOLE_OF_BARCODES[] = {
    "null",    "NULL",    "Null",    "nil",     "nan",       "NAN",         "None",
    "NONE",    "N/A",     "n/a",     "TBD",     "Infinity",  "-Infinity",   "Array",
    "Array()", "Object",  "Error",   "ERROR",   "Exception", "PLACEHOLDER", "DUMMY",
    "NO DATA", "No data", "no data", "NO_DATA", "NOT FOUND", "NOT_FOUND",   "System.Object"};

// How a text begins that a program wrote about itself.
static const char *const REPORTS[] = {"Object reference not set",
                                      "Traceback (most recent",
                                      "Fatal error:",
                                      "ORA-0",
                                      "function (",
                                      "function(",
                                      "Symbol(",
                                      "Optional[",
                                      "Decimal('",
                                      "#<",
                                      "map[",
                                      "&{",
                                      "['",
                                      "{'",
                                      "b'",
                                      "0xc0",
                                      "Err:5",
                                      "0001-01-01",
                                      "1/1/0001 ",
                                      "01/01/0001 ",
                                      "1970-01-01T00:00:00",
                                      "=Fields!",
                                      "Lorem ipsum",
                                      "lorem ipsum",
                                      "<b>",
                                      "<p>",
                                      "<span",
                                      "<div",
                                      "Your text",
                                      "YOUR TEXT"};

static bool is_report(const struct pl_unfilled *u)
{
    enum { CLASS_MOST = 256 }; // the name of a class
    const struct pl_slice data = u->data;
    const size_t length = word_at(REPORTS, PL_COUNTOF(REPORTS), data, 0);
    const uint8_t last = data.len ? data.ptr[data.len - 1] : 0;
    if (!length || data.len == length)
        return length > 9;
    switch (data.ptr[0]) {
    case '#':
        return memmem(data.ptr, PL_MIN(data.len, (size_t)CLASS_MOST), ":0x", 3) != NULL;
    case '[':
        return last == ']';
    case '{':
        return last == '}';
    case '&':
        return last == '}' && u->barcode;
    case 'b':
        return last == '\'' && data.len > 3 && u->barcode;
    case 'm':
        return last == ']' && memchr(data.ptr, ':', data.len);
    case '0':
        return data.ptr[1] != 'x' || (u->barcode && is_hex(data, 2, data.len - 2) && data.len >= 10);
    case 'O':
        return data.ptr[1] != 'R' || pl_is_digit(char_at(data, 5));
    default:
        return true;
    }
}

// 5.90123E+12: a spreadsheet has rounded a long number.
static bool is_rounded(struct pl_slice data)
{
    enum { DIGITS_LEAST = 11 }; // shorter numbers are shown as they are
    size_t at = 1;
    if (data.len < 5 || data.ptr[0] < '1' || !pl_is_digit(data.ptr[0]))
        return false;
    if (data.ptr[at] == '.' || data.ptr[at] == ',')
        for (at++; at < data.len && pl_is_digit(data.ptr[at]);)
            at++;
    return data.len - at == 4 && pl_upper(data.ptr[at]) == 'E' && data.ptr[at + 1] == '+' &&
           pl_all_digits(pl_slice_sub(data, at + 2, 2)) &&
           (data.ptr[at + 2] - '0') * 10 + data.ptr[at + 3] - '0' >= DIGITS_LEAST;
}

// A formula, text for a spreadsheet, a row of it, or a value in quotation marks.
static bool is_of_sheet(struct pl_slice data)
{
    size_t at = 1, digits = 0;
    const uint8_t first = data.ptr[0], last = data.ptr[data.len - 1];
    while (pl_is_upper(char_at(data, at)))
        at++;
    while (pl_is_digit(char_at(data, at + digits)))
        digits++;
    if (first == '=')
        return char_at(data, 1) == '"' || (at > 2 && char_at(data, at) == '(' && last == ')') ||
               (at > 1 && at <= 4 && digits > 0 && digits <= 4 && at + digits == data.len && data.len <= 7);
    if (first == '\'')
        return data.len > 4 && digits > 0 && at + digits == data.len;
    if (first == '"')
        return last == '"' && data.len > 4;
    return (last == ';' || last == ',') && data.len > 5 && pl_all_digits(pl_slice_sub(data, 0, data.len - 1));
}

// Nothing but a name in signs that people also use otherwise: {NAME}, @NAME, :name.
static bool is_named(struct pl_slice data)
{
    static const char *const signs[][2] = {{"[[", "]]"}, {"{", "}"}, {"__", "__"}, {"@", "@"}, {"#", "#"},  {"$", "$"},
                                           {"%", "%"},   {"|", "|"}, {"!", "!"},   {"~", "~"}, {"[%", "%]"}};
    static const char *const fields[][2] = {{":", ""},     {"@", ""},     {"%", ""},         {"(", ")"},
                                            {"<", ">"},    {"[", "]"},    {"<insert ", ">"}, {"INSERT ", ""},
                                            {"YOUR ", ""}, {"", "_HERE"}, {"=[", "]"}};
    enum { LETTERS_LEAST = 3 };
    for (size_t i = 0; i < PL_COUNTOF(signs) + PL_COUNTOF(fields); i++) {
        const bool any = i < PL_COUNTOF(signs);
        const char *const *pair = any ? signs[i] : fields[i - PL_COUNTOF(signs)];
        const size_t open = strlen(pair[0]), close = strlen(pair[1]);
        size_t letters = 0, at = open;
        if (data.len < open + close + 2 || !begins(data, 0, pair[0]) || !begins(data, data.len - close, pair[1]))
            continue;
        for (; at < data.len - close && (is_word(data.ptr[at]) || memchr(".- |", data.ptr[at], 4)); at++)
            letters += pl_is_letter(data.ptr[at]) || data.ptr[at] == '_';
        const struct pl_slice name = pl_slice_sub(data, open, data.len - open - close);
        const size_t least = pair[0][0] == '%' && any ? 2 : LETTERS_LEAST;
        if (at == data.len - close && letters >= least &&
            (any || is_field_word(name) || pl_unfilled_is_field_name(name)) &&
            !(pair[0][0] == '%' && any && memchr(name.ptr, ' ', name.len)))
            return true;
    }
    return false;
}

// A line of question marks is text in a character set that was not there, one of X or # a field that is too narrow.
static bool is_filler(const struct pl_unfilled *u)
{
    enum { LEAST = 3, ROW_LEAST = 4 };
    const struct pl_slice data = u->data;
    const uint8_t c = data.ptr[0];
    if (!u->barcode && c != '?' && c != '#')
        return false;
    for (size_t i = 1; i < data.len; i++)
        if (data.ptr[i] != c)
            return false;
    if (c == '?' || (c == '#' && data.len > ROW_LEAST))
        return data.len >= LEAST;
    const bool sign = c == 'x' || c == 'X' || (!is_word(c) && c != ' ');
    return u->barcode && ((sign && data.len >= ROW_LEAST) || ((c == '_' || c == '-') && data.len >= LEAST));
}

static bool is_one_of(const char *const *words, size_t count, struct pl_slice data)
{
    for (size_t i = 0; i < count; i++)
        if (words[i][0] == (char)data.ptr[0] && pl_slice_eq_cstr(data, words[i]))
            return true;
    return false;
}

static bool is_whole(const struct pl_unfilled *u)
{
    if (is_one_of(WHOLE, PL_COUNTOF(WHOLE), u->data) ||
        (u->barcode && is_one_of(WHOLE_OF_BARCODES, PL_COUNTOF(WHOLE_OF_BARCODES), u->data)))
        return true;
    if (is_filler(u) || is_report(u))
        return true;
    if (!u->barcode)
        return u->data.ptr[0] == '=' && u->data.len > 4 && is_of_sheet(u->data);
    const bool number = u->data.len > 1 && u->data.ptr[0] == '{' && u->data.ptr[u->data.len - 1] == '}' &&
                        (u->data.len == 2 || pl_all_digits(pl_slice_sub(u->data, 1, u->data.len - 2)));
    return is_rounded(u->data) || number || is_named(u->data) || is_of_sheet(u->data);
}

// What a text says of a value that there is not: "Lot: undefined".
static size_t named_value_at(struct pl_slice data, size_t at)
{
    static const char *const words[] = {"null", "NULL", "UNDEFINED"};
    size_t from = at + 1;
    while (char_at(data, from) == ' ')
        from++;
    const struct pl_unfilled rest = {.data = pl_slice_sub(data, from, data.len - from)};
    const size_t length = word_at(words, PL_COUNTOF(words), rest.data, 0);
    return rest.data.len && ((length && length == rest.data.len) || is_whole(&rest)) ? data.len - at : 0;
}

static bool has(struct pl_slice data, const char *word)
{
    return memmem(data.ptr, data.len, word, strlen(word)) != NULL;
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

struct pl_slice pl_unfilled_find(struct pl_slice data, bool barcode)
{
    if (data.len == 0)
        return data;
    const bool json = (data.ptr[0] == '{' || data.ptr[0] == '[') && memchr(data.ptr, '"', data.len);
    struct pl_unfilled u = {.data = data, .barcode = barcode};
    u.address = memchr(data.ptr, '/', data.len) && has(data, "://");
    u.markup = json || (data.ptr[0] == '<' && has(data, "</"));
    if (is_whole(&u))
        return data;
    for (size_t at = 0; at < data.len; at++) {
        size_t length = 0;
        if (SIGNS[data.ptr[at]]) {
            if (!u.looked)
                look_at_all(&u);
            length = pl_unfilled_print_at(&u, at);
            length = length ? length : pl_unfilled_mark_at(&u, at);
        } else if (barcode) {
            length = value_at(&u, at);
        } else if (data.ptr[at] == ':' || data.ptr[at] == '=') {
            length = named_value_at(data, at);
        }
        if (!length && u.address && barcode)
            length = address_mark_at(data, at);
        if (length)
            return pl_slice_sub(data, at, length);
    }
    return pl_slice_sub(data, 0, 0);
}
