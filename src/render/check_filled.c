// What programs leave in data that was never meant for a label: marks in place of values, words for values that they do
// not have, escapes of web pages, names of control characters, and numbers that a spreadsheet rounded.
#include "base/ckd.h"
#include "base/job.h"
#include "render/checks.h"

enum { SHOWN_MOST = 40, INSIDE_MOST = 80 };

static bool begins(struct pl_slice data, size_t at, const char *word)
{
    const size_t length = strlen(word);
    return at <= data.len && data.len - at >= length && memcmp(data.ptr + at, word, length) == 0;
}

static bool is_name(uint8_t c)
{
    return pl_is_digit(c) || pl_is_letter(c) || c == '_';
}

// Signs of a name in a mark, and of what templates do with its value: {{ item.no | upper }}.
static bool is_in_mark(uint8_t c)
{
    return is_name(c) || c == '.' || c == '-' || c == ' ' || c == '|';
}

// How templates write a mark. People draw arrows with some of them: `bars` are none in a text. Statements and
// expressions may have any signs.
static const struct mark {
    const char *open, *close;
    bool any, bars;
} MARKS[] = {
    {"{{", "}}", false, false}, {"${", "}", false, false}, {"<%", "%>", true, false}, {"{%", "%}", true, false},
    {"#{", "}", false, true},   {"<<", ">>", false, true}, {"@@", "@@", false, true}, {"##", "##", false, true},
};

// The length of this mark; 0: it does not begin here.
static size_t mark_length(const struct mark *mark, struct pl_slice data, size_t at)
{
    size_t end = at + strlen(mark->open);
    bool named = false;
    if (!begins(data, at, mark->open))
        return 0;
    const size_t inside = end;
    while (end < data.len && end - inside < INSIDE_MOST && !begins(data, end, mark->close) &&
           (mark->any || is_in_mark(data.ptr[end]))) {
        // Names of the marks that may be other things have a letter.
        named = named || (mark->bars ? pl_is_letter(data.ptr[end]) : data.ptr[end] != ' ');
        end++;
    }
    return named && begins(data, end, mark->close) ? end + strlen(mark->close) - at : 0;
}

// What programs print for a value that they do not have: words that may be part of data, and those that are none.
static const char *const NO_VALUE[] = {"null", "NULL", "undefined", "NaN", "nan", "None", "#N/A", "%s", "%d"};
static const char *const NEVER_DATA[] = {
    "[object Object]", "(null)", "#REF!", "#VALUE!", "#NAME?",        "#DIV/0!",         "#NUM!",          "<nil>",
    "<no value>",      "%!s(",   "%!d(",  "%!v(",    "System.Byte[]", "System.Object[]", "System.String[]"};
// How web pages write signs. XML needs them, so they count only where there is no "<".
static const char *const ESCAPES[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&nbsp;", "&#39;", "&#x27;"};

static size_t word_at(const char *const *words, size_t count, struct pl_slice data, size_t at)
{
    for (size_t i = 0; i < count; i++)
        if (begins(data, at, words[i]))
            return strlen(words[i]);
    return 0;
}

// A name in signs that no address has, and their escapes: /{id}, /[ID], /%7Bid%7D.
static size_t address_mark_at(struct pl_slice data, size_t at)
{
    static const char *const signs[][2] = {{"{", "}"}, {"[", "]"}, {"%7B", "%7D"}, {"%7b", "%7d"}};
    for (size_t i = 0; i < PL_COUNTOF(signs); i++) {
        size_t end = at + strlen(signs[i][0]);
        if (!begins(data, at, signs[i][0]) || at == 0 || !data.ptr[at - 1] || !strchr("/=", data.ptr[at - 1]))
            continue;
        const size_t inside = end;
        while (end < data.len && end - inside < INSIDE_MOST && is_name(data.ptr[end]))
            end++;
        if (end > inside && !pl_is_digit(data.ptr[inside]) && begins(data, end, signs[i][1]))
            return end + strlen(signs[i][1]) - at;
    }
    return 0;
}

// A word alone between signs: undefined in SKU-undefined, and in an address null, too: ?id=null.
static size_t value_at(struct pl_slice data, size_t at, bool address)
{
    static const char *const words[] = {"undefined", "null", "NaN", "None"};
    const size_t length = word_at(words, address ? PL_COUNTOF(words) : 1, data, at);
    const char *const between = address ? "/?&=#" : "-/.:;,_ ";
    const bool starts = at == 0 || strchr(between, data.ptr[at - 1]);
    const bool ends = at + length >= data.len || (data.ptr[at + length] && strchr(between, data.ptr[at + length]));
    return length && starts && ends ? length : 0;
}

// All of the data is 5.90123E+12: a spreadsheet has rounded a long number; or %NAME%, or {0}.
static bool is_rounded(struct pl_slice data)
{
    enum { DIGITS_LEAST = 11 }; // shorter numbers are shown as they are
    size_t at = 1;
    if (data.len < 5 || data.ptr[0] < '1' || !pl_is_digit(data.ptr[0]))
        return false;
    if (data.ptr[at] == '.' || data.ptr[at] == ',')
        for (at++; at < data.len && pl_is_digit(data.ptr[at]);)
            at++;
    return data.len - at == 4 && begins(data, at, "E+") && pl_all_digits(pl_slice_sub(data, at + 2, 2)) &&
           (data.ptr[at + 2] - '0') * 10 + data.ptr[at + 3] - '0' >= DIGITS_LEAST;
}

static bool ends(struct pl_slice data, const char *word)
{
    const size_t length = strlen(word);
    return data.len >= length && begins(data, data.len - length, word);
}

// Nothing but a name in signs that people also use otherwise: [[NAME]], {NAME}, %(name)s.
static bool is_named_mark(struct pl_slice data)
{
    static const char *const signs[][2] = {
        {"[[", "]]"}, {"{", "}"}, {"__", "__"}, {"@", "@"}, {"#", "#"}, {"\xAB", "\xBB"}, {"\xC2\xAB", "\xC2\xBB"},
        {"%(", ")s"}, {"$", "$"}};
    enum { LETTERS_LEAST = 3 };
    for (size_t i = 0; i < PL_COUNTOF(signs); i++) {
        const size_t open = strlen(signs[i][0]), close = strlen(signs[i][1]);
        size_t letters = 0, at = open;
        if (data.len < open + close + LETTERS_LEAST || !begins(data, 0, signs[i][0]) || !ends(data, signs[i][1]))
            continue;
        for (; at < data.len - close && is_in_mark(data.ptr[at]); at++)
            letters += pl_is_letter(data.ptr[at]) || data.ptr[at] == '_';
        if (at == data.len - close && letters >= LETTERS_LEAST)
            return true;
    }
    return false;
}

static bool is_whole_mark(struct pl_slice data)
{
    size_t letters = 0, digits = 0;
    if (data.len < 3)
        return false;
    for (size_t i = 1; i + 1 < data.len; i++) {
        letters += pl_is_letter(data.ptr[i]) || data.ptr[i] == '_';
        digits += pl_is_digit(data.ptr[i]);
    }
    const uint8_t last = data.ptr[data.len - 1];
    if (data.ptr[0] == '{' && last == '}')
        return digits == data.len - 2;
    return data.ptr[0] == '%' && last == '%' && letters > 1 && letters + digits == data.len - 2;
}

static bool is_no_value(struct pl_slice data)
{
    for (size_t i = 0; i < PL_COUNTOF(NO_VALUE); i++)
        if (pl_slice_eq(data, pl_slice_cstr(NO_VALUE[i])))
            return true;
    return is_rounded(data) || is_whole_mark(data) || is_named_mark(data);
}

struct place {
    struct pl_slice data;
    bool barcode, address, markup;
};

static size_t placeholder_at(const struct place *p, size_t at)
{
    // Nearly all data has none of the signs that the rest begins with.
    static const char signs[] = "[(#<%&{$@S";
    if (!memchr(signs, p->data.ptr[at], sizeof signs - 1))
        return p->barcode ? value_at(p->data, at, p->address) : 0;
    size_t length = word_at(NEVER_DATA, PL_COUNTOF(NEVER_DATA), p->data, at);
    if (!length && !p->markup)
        length = word_at(ESCAPES, PL_COUNTOF(ESCAPES), p->data, at);
    for (size_t i = 0; i < PL_COUNTOF(MARKS) && !length; i++)
        if (p->barcode || !MARKS[i].bars)
            length = mark_length(&MARKS[i], p->data, at);
    return length || !p->barcode || !p->address ? length : address_mark_at(p->data, at);
}

static bool has(struct pl_slice data, const char *word)
{
    return data.len && memmem(data.ptr, data.len, word, strlen(word));
}

// True: there was a finding.
static bool check_value(const struct pl_check_run *run, uint32_t index, struct pl_slice data, bool barcode)
{
    const struct place p = {data, barcode, has(data, "://"), has(data, "<")};
    size_t at = 0, length = barcode && is_no_value(data) ? data.len : 0;
    while (!length && at < data.len) {
        length = placeholder_at(&p, at);
        at += !length;
    }
    if (!length)
        return false;
    const struct pl_element *e = run->page->drawn.reports[index].element;
    struct pl_diag *d = pl_check_find(run, index, PL_DIAG_FIELD_UNBOUND, pl_element_data_source(e), 0,
                                      "The %s has %.*s in place of its data.", barcode ? "barcode" : "text",
                                      (int)PL_MIN(length, (size_t)SHOWN_MOST), (const char *)data.ptr + at);
    if (d)
        d->severity = PL_SEV_WARNING;
    return true;
}

// UTF-8 that was taken for another character set and encoded again, of letters with accents (Ã¶), of signs (Â°) and of
// quotation marks (â€™); and what programs write for bytes that they could not read.
static void check_encoded_twice(const struct pl_check_run *run, uint32_t index, struct pl_slice data)
{
    static const char *const twice[] = {"\xC3\x83\xC2", "\xC3\x82\xC2", "\xC3\xA2\xE2\x82\xAC", "\xC3\x83\xC5",
                                        "\xC3\x83\xE2\x80"};
    static const char lost[] = "\xEF\xBF\xBD";
    size_t found = 0;
    while (found < PL_COUNTOF(twice) && !has(data, twice[found]))
        found++;
    const struct pl_source source = pl_element_data_source(run->page->drawn.reports[index].element);
    // Reading bytes that mean nothing gives the same sign, and is told.
    const bool replaced = found == PL_COUNTOF(twice) && has(data, lost) && source.offset <= run->document->input.len &&
                          has(pl_slice_sub(run->document->input, source.offset, source.length), lost);
    if (found == PL_COUNTOF(twice) && !replaced)
        return;
    struct pl_diag *d =
        pl_check_find(run, index, PL_DIAG_CHARSET_SUSPECT, source, 0, "%s",
                      replaced ? "The data has the sign U+FFFD, which programs write for a letter that they could not "
                                 "read."
                               : "The data looks like UTF-8 that was encoded twice: each letter with an accent prints "
                                 "as two or three wrong ones.");
    if (d)
        d->severity = PL_SEV_WARNING;
}

// The names of separators, written out; and a message of ISO/IEC 15434, whose "[)>" no RS follows: the escapes of ^FH
// without ^FH, mostly.
static void check_separators(const struct pl_check_run *run, uint32_t index, struct pl_slice data)
{
    enum { RS = 0x1E };
    static const char *const names[] = {"<GS>",   "<FNC1>", "<RS>",    "<EOT>",   "{GS}",
                                        "{FNC1}", "\\x1d",  "\\u001d", "\\u001D", "\\x1D"};
    const struct pl_element *e = run->page->drawn.reports[index].element;
    if (begins(data, 0, "[)>") && !(data.len > 3 && data.ptr[3] == RS)) {
        const bool escaped = begins(data, 3, "_1E") || begins(data, 3, "_1e");
        struct pl_diag *d = pl_check_find(
            run, index, PL_DIAG_GS1_SYNTAX, pl_check_place(run, e, data, PL_MIN((size_t)3, data.len - 1)), 0,
            "The data begins with \"[)>\", and no RS (1E) follows: a receiver finds no message in it.%s",
            escaped ? " Write ^FH before the data." : "");
        if (d && !escaped)
            d->severity = PL_SEV_WARNING;
        return;
    }
    const bool is_markup = has(data, "</");
    for (size_t at = 0; at < data.len && !is_markup; at++) {
        const size_t length = word_at(names, PL_COUNTOF(names), data, at);
        if (!length)
            continue;
        pl_check_find(run, index, PL_DIAG_GS1_SYNTAX, pl_check_place(run, e, data, at), 0,
                      "'%.*s' is encoded as %zu characters: no scanner takes it for a separator.", (int)length,
                      (const char *)data.ptr + at, length);
        return;
    }
}

void pl_check_filled(const struct pl_check_run *run, uint32_t index, const struct pl_symbol_data *data)
{
    const struct pl_slice written = data->written;
    const struct pl_element *e = run->page->drawn.reports[index].element;
    if (check_value(run, index, written, true))
        return;
    if (written.len && pl_slice_trim(written).len == 0) {
        struct pl_diag *d = pl_check_find(run, index, PL_DIAG_FIELD_EMPTY, pl_element_data_source(e), 0,
                                          "The barcode has nothing but blanks.");
        if (d)
            d->severity = PL_SEV_WARNING;
    }
    check_encoded_twice(run, index, written);
    check_separators(run, index, written);
}

enum pl_errc pl_check_filled_texts(const struct pl_check_run *run)
{
    for (uint32_t i = 0; i < run->page->drawn.report_count; i++) {
        const struct platen_element *e = &run->page->elements[i];
        PL_TRY(pl_job_check(&run->document->job, run->err));
        if (e->type != PLATEN_TEXT || e->data_size == 0)
            continue;
        const struct pl_slice data = pl_slice_make(e->data, e->data_size);
        check_value(run, i, data, false);
        check_encoded_twice(run, i, data);
    }
    return PL_OK;
}
