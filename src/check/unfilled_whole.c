// Data that as a whole stands for a value that a program does not have, or is what a program prints about itself.
#include "check/unfilled_internal.h"

// What templates of labels call their fields.
static bool is_field_word(struct pl_slice name)
{
    enum { LONGEST = 8 };
    uint8_t word[LONGEST];
    for (size_t i = 0; i < name.len && i < LONGEST; i++)
        word[i] = pl_upper(name.ptr[i]);
    return name.len <= LONGEST &&
           pl_slice_is_one_of(pl_slice_make(word, name.len),
                              "SKU|GTIN|EAN|UPC|SSCC|SERIAL|LOT|BATCH|QTY|PO|ORDER|BARCODE|ARTICLE|NUMBER|"
                              "NAME|TRACKING|FIELD|VALUE|VARIABLE|PRODUCT|PRICE");
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

// Words alone, in a barcode or a text.
static const char WHOLE[] =
    "undefined|UNDEFINED|NaN|NaT|-nan|-1.#IND|1.#QNAN|Invalid Date|Invalid date|Invalid DateTime|TODO|FIXME|#N/A|"
    "\\N|[null]|%s|%d|DBNull|#Error|#ERROR|NullPointerException|CHANGE_ME|CHANGEME|0001-01-01|01.01.0001|01/01/0001|"
    "1/1/0001|0000-00-00|00.00.0000|1900-01-00|30.12.1899|12/30/1899|1899-12-30";
// The same of barcodes alone.
static const char WHOLE_OF_BARCODES[] =
    "null|NULL|Null|nil|nan|NAN|None|NONE|N/A|n/a|TBD|Infinity|-Infinity|Array|Array()|Object|Error|ERROR|Exception|"
    "PLACEHOLDER|DUMMY|NO DATA|No data|no data|NO_DATA|NOT FOUND|NOT_FOUND|System.Object";

// How a text begins that a program wrote about itself.
static const char REPORTS[] =
    "Object reference not set|Traceback (most recent|Fatal error:|ORA-0|function (|function(|Symbol(|Optional[|"
    "Decimal('|#<|map[|&{|['|{'|b'|0xc0|Err:5|0001-01-01|1/1/0001 |01/01/0001 |1970-01-01T00:00:00|=Fields!|"
    "Lorem ipsum|lorem ipsum|<b>|<p>|<span|<div|Your text|YOUR TEXT";

// The length of the words with which a report begins; 0: it is none.
static size_t report_begins(struct pl_slice data)
{
    for (struct pl_slice rest = pl_slice_cstr(REPORTS); rest.len > 0;) {
        const struct pl_slice words = pl_slice_until(&rest, '|');
        if (pl_slice_eq(pl_slice_sub(data, 0, words.len), words))
            return words.len;
    }
    return 0;
}

static bool is_report(const struct pl_unfilled *u)
{
    enum { CLASS_MOST = 256 }; // the name of a class
    const struct pl_slice data = u->data;
    const size_t length = report_begins(data);
    const uint8_t last = data.len ? data.ptr[data.len - 1] : 0;
    if (!length || data.len == length)
        return length >= 9;
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
    case 'S':
        return last == ')' && data.len > length + 2; // the end of "Symbol(s)" is that of a word
    case 'Y':
        return !pl_is_letter(data.ptr[length]) && !pl_is_digit(data.ptr[length]);
    case 'f':
        return last == '}';
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
        if (data.len < open + close + 2 || !pl_slice_has_at(data, 0, pair[0]) ||
            !pl_slice_has_at(data, data.len - close, pair[1]))
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
    const bool sign = c == 'x' || c == 'X' || (!is_word(c) && c != ' ' && c < 0x80);
    return u->barcode && ((sign && data.len >= ROW_LEAST) || ((c == '_' || c == '-') && data.len >= LEAST));
}

bool pl_unfilled_is_whole(const struct pl_unfilled *u)
{
    if (pl_slice_is_one_of(u->data, WHOLE) || (u->barcode && pl_slice_is_one_of(u->data, WHOLE_OF_BARCODES)))
        return true;
    if (is_filler(u) || is_report(u))
        return true;
    if (!u->barcode)
        return u->data.ptr[0] == '=' && u->data.len > 4 && is_of_sheet(u->data);
    const bool number = u->data.len > 1 && u->data.ptr[0] == '{' && u->data.ptr[u->data.len - 1] == '}' &&
                        (u->data.len == 2 || pl_all_digits(pl_slice_sub(u->data, 1, u->data.len - 2)));
    return is_rounded(u->data) || number || is_named(u->data) || is_of_sheet(u->data);
}
