// GS1 Digital Link URIs, uncompressed: https://HOST/STEM/01/GTIN/22/.../10/.../21/...?17=...&3103=...
// The primary key is searched from the right of the path, since anything may stand left of it (GS1 Digital Link: URI
// syntax, sections 4 and 5).
#include "base/fmt.h"
#include "check/gs1_internal.h"

#define MAX_SEGMENTS 64

// A stretch of the input.
struct span {
    size_t start, end;
};

struct link {
    struct span segments[MAX_SEGMENTS]; // of the path
    size_t count;
    bool closed; // a slash ends the path: an empty segment is behind the last one
    struct span query;
    size_t key; // index of the segment of the primary key
};

static struct pl_slice slice_of(struct pl_slice data, struct span s)
{
    return pl_slice_sub(data, s.start, s.end - s.start);
}

// Words that older versions of the standard had for primary keys.
static const struct {
    const char *word, *ai;
} words[] = {{"sscc", "00"},   {"gtin", "01"},   {"gdti", "253"},  {"gcn", "255"},   {"ginc", "401"},
             {"gsin", "402"},  {"gln", "414"},   {"payTo", "415"}, {"party", "417"}, {"grai", "8003"},
             {"giai", "8004"}, {"itip", "8006"}, {"cpid", "8010"}, {"gmn", "8013"},  {"gsrnp", "8017"},
             {"gsrn", "8018"}, {"cpv", "22"},    {"lot", "10"},    {"ser", "21"}};

// The identifier of a segment or query key, by digits or by word.
static const struct pl_gs1_identifier *identifier_of(struct pl_slice name, bool *by_word)
{
    *by_word = false;
    const struct pl_gs1_identifier *row = pl_gs1_find(name);
    for (size_t i = 0; i < sizeof words / sizeof *words && !row; i++)
        if (pl_slice_eq_cstr(name, words[i].word)) {
            *by_word = true;
            row = pl_gs1_find(pl_slice_cstr(words[i].ai));
        }
    return row;
}

static size_t scheme_length(struct pl_slice text)
{
    static const char *const schemes[] = {"https://", "http://"};
    for (size_t i = 0; i < 2; i++) {
        struct pl_slice want = pl_slice_cstr(schemes[i]);
        if (pl_slice_eq_nocase(pl_slice_sub(text, 0, want.len), want))
            return want.len;
    }
    return 0;
}

// Splits the path into segments. What is wrong is where `*at` is.
static const char *split(struct pl_slice data, struct link *link, size_t *at)
{
    size_t start = scheme_length(data), end = data.len;
    *at = 0;
    *link = (struct link){.query = {data.len, data.len}};
    if (!start)
        return "A Digital Link begins with https:// or http://";
    const uint8_t *mark = memchr(data.ptr, '#', end);
    end = mark ? (size_t)(mark - data.ptr) : end;
    mark = memchr(data.ptr, '?', end);
    if (mark) {
        link->query = (struct span){(size_t)(mark - data.ptr) + 1, end};
        end = (size_t)(mark - data.ptr);
    }
    const uint8_t *slash = memchr(data.ptr + start, '/', end - start);
    *at = start;
    if (slash == data.ptr + start || start == end)
        return "The name of a host is missing";
    *at = end;
    if (!slash)
        return "The path is missing";
    for (size_t i = (size_t)(slash - data.ptr); i < end;) {
        size_t stop = i + 1;
        while (stop < end && data.ptr[stop] != '/')
            stop++;
        *at = i;
        if (link->count == MAX_SEGMENTS)
            return "The path has too many parts";
        link->segments[link->count++] = (struct span){i + 1, stop};
        link->closed = stop == i + 1;
        i = stop;
    }
    return NULL;
}

// The rightmost primary key with pairs of identifier and data behind it, in the first `count` segments.
static bool find_pairs(struct pl_slice data, struct link *link, size_t count)
{
    bool by_word;
    for (size_t i = count; i >= 2;) {
        i -= 2;
        struct pl_slice name = slice_of(data, link->segments[i]);
        const struct pl_gs1_identifier *row = identifier_of(name, &by_word);
        if (row && row->qualifiers) {
            link->key = i;
            link->count = count;
            return true;
        }
        if (!row && !pl_all_digits(name))
            return false;
    }
    return false;
}

// A slash at the end is left out, unless it is the last identifier that has no data: /01/09501101530003/21/
static bool find_key(struct pl_slice data, struct link *link)
{
    bool by_word;
    if (!link->closed)
        return find_pairs(data, link, link->count);
    if (find_pairs(data, link, link->count - 1))
        return true;
    return link->count >= 2 && identifier_of(slice_of(data, link->segments[link->count - 2]), &by_word) &&
           find_pairs(data, link, link->count);
}

// GS1's own resolver: whatever its path has is meant as a Digital Link.
static bool is_resolver(struct pl_slice text)
{
    const struct pl_slice name = pl_slice_cstr("id.gs1.org/");
    return pl_slice_eq_nocase(pl_slice_sub(text, scheme_length(text), name.len), name);
}

bool pl_gs1_is_at_resolver(struct pl_slice text)
{
    static const char WELL_KNOWN[] = ".well-known/";
    const struct pl_slice name = pl_slice_cstr("id.gs1.org/");
    const struct pl_slice rest = pl_slice_sub(text, scheme_length(text) + name.len, text.len);
    return scheme_length(text) && is_resolver(text) && rest.len > 0 && rest.ptr[0] != '#' &&
           !pl_slice_eq(pl_slice_sub(rest, 0, sizeof WELL_KNOWN - 1), pl_slice_cstr(WELL_KNOWN));
}

// Is the segment before the key a year? Then 01 behind it is a month.
static bool is_dated(struct pl_slice text, const struct link *link)
{
    if (link->key == 0)
        return false;
    const struct pl_slice year = slice_of(text, link->segments[link->key - 1]);
    return year.len == 4 && pl_all_digits(year) && (memcmp(year.ptr, "19", 2) == 0 || memcmp(year.ptr, "20", 2) == 0);
}

// Digits of a company prefix, and what a company may have put behind them. Nothing proves it, so words are none, and
// before such a key the path has nothing.
static bool is_company_key(struct pl_slice value, size_t most)
{
    for (size_t i = 0; i < value.len; i++)
        if (!pl_is_digit(value.ptr[i]) && !(value.ptr[i] >= 'A' && value.ptr[i] <= 'Z'))
            return false;
    return value.len > 4 && value.len <= most && !pl_gs1_lint(PL_GS1_PREFIX1, value).message;
}

// The path of any address may have numbers. Those of a key have its length, and where that is not enough to tell, a
// right check digit.
static bool has_form(struct pl_slice text, const struct link *link, const struct pl_gs1_identifier *row, bool by_word,
                     struct pl_slice value)
{
    const struct pl_gs1_part *part = &row->parts[0];
    const bool item = strcmp(row->first, "01") == 0;
    size_t digits = 0, wanted = part->max;
    if (part->set != 'N')
        return !by_word && link->key == 0 && is_company_key(value, part->max);
    while (digits < value.len && pl_is_digit(value.ptr[digits]))
        digits++;
    if (part->min == 1) // the zero of a GRAI
        wanted += row->parts[1].max;
    if (item && digits == value.len && (digits == 12 || digits == 13))
        wanted = digits; // older versions of the standard had these, too
    if (digits < wanted || (digits > wanted && !row->parts[1].set))
        return false;
    if (!is_dated(text, link) && (item || !by_word))
        return true;
    return pl_gs1_check_digit(pl_slice_sub(value, 0, wanted - 1)) == (char)value.ptr[wanted - 1];
}

bool pl_gs1_is_link(struct pl_slice text)
{
    struct link link;
    size_t at;
    bool by_word;
    if (split(text, &link, &at) || !find_key(text, &link))
        return false;
    const struct pl_gs1_identifier *row = identifier_of(slice_of(text, link.segments[link.key]), &by_word);
    const struct pl_slice value = slice_of(text, link.segments[link.key + 1]);
    return (is_resolver(text) && !by_word) || has_form(text, &link, row, by_word, value);
}

// Decodes percent codes; a plus sign is a blank in the query.
static struct pl_slice decode(struct pl_gs1_reader *r, struct span span, bool query, const char *ai)
{
    uint8_t *out = (uint8_t *)pl_arena_alloc(r->arena, span.end - span.start + 1, 1);
    size_t n = 0;
    if (!out) {
        r->short_of_memory = true;
        return (struct pl_slice){0};
    }
    for (size_t i = span.start; i < span.end; i++) {
        uint8_t c = r->data.ptr[i];
        if (c == '%') {
            int high = i + 1 < span.end ? pl_hex_value(r->data.ptr[i + 1]) : -1;
            int low = i + 2 < span.end ? pl_hex_value(r->data.ptr[i + 2]) : -1;
            if (high < 0 || low < 0) {
                pl_gs1_report(r, PL_GS1_E_LINK, i, ai, "a percent sign must be followed by two hexadecimal digits");
                break;
            }
            c = (uint8_t)(high * 16 + low);
            i += 2;
        } else if (c == '+' && query) {
            c = ' ';
        }
        out[n++] = c;
    }
    return pl_slice_make(out, n);
}

// A GTIN of 8, 12 or 13 digits, as a GTIN-14.
static void pad_gtin(struct pl_gs1_reader *r, struct pl_gs1_element *e)
{
    size_t n = e->value.len;
    if (strcmp(e->ai, "01") != 0 || (n != 8 && n != 12 && n != 13) || !pl_all_digits(e->value))
        return;
    uint8_t *digits = (uint8_t *)pl_arena_alloc(r->arena, 14, 1);
    if (!digits) {
        r->short_of_memory = true;
        return;
    }
    memset(digits, '0', 14 - n);
    memcpy(digits + 14 - n, e->value.ptr, n);
    pl_gs1_report(r, PL_GS1_E_LINK_SHORT, e->offset, e->ai, "a GTIN has 14 digits in a Digital Link");
    if (pl_gs1_check_digit(pl_slice_make(digits, 13)) != (char)digits[13])
        pl_gs1_report(r, PL_GS1_E_CHECK_DIGIT, (size_t)e->offset + e->length - 1, e->ai, "the check digit must be %c",
                      pl_gs1_check_digit(pl_slice_make(digits, 13)));
    e->value = pl_slice_make(digits, 14);
}

static void take(struct pl_gs1_reader *r, const struct pl_gs1_identifier *row, struct span name, struct span value,
                 bool query)
{
    struct pl_slice ai = pl_gs1_find(slice_of(r->data, name)) ? slice_of(r->data, name) : pl_slice_cstr(row->first);
    struct pl_gs1_element *e = pl_gs1_add_element(r, row, ai);
    if (!e)
        return;
    e->ai_offset = (uint32_t)name.start;
    e->offset = (uint32_t)value.start;
    e->length = (uint32_t)(value.end - value.start);
    e->percent = true;
    e->value = decode(r, value, query, e->ai);
    size_t written = e->value.len;
    pad_gtin(r, e);
    if (e->value.len == written)
        pl_gs1_check_element(r, e);
}

// Do the identifiers behind the key follow one of the alternatives ("22,10,21|235") in its order? The index of the
// first that does not, or the count.
static size_t good_qualifiers(struct pl_slice data, const struct link *link, const char *alternatives)
{
    size_t pairs = (link->count - link->key) / 2, best = 1;
    bool by_word;
    for (const char *at = alternatives;;) {
        size_t good = 1;
        const char *end = at + strcspn(at, "|");
        for (const char *q = at; q < end && good < pairs;) {
            size_t length = strcspn(q, ",|");
            const struct pl_gs1_identifier *row =
                identifier_of(slice_of(data, link->segments[link->key + 2 * good]), &by_word);
            if (row && strlen(row->first) == length && memcmp(row->first, q, length) == 0)
                good++;
            q += length + (q[length] == ',');
        }
        best = good > best ? good : best;
        if (*end == '\0')
            return best;
        at = end + 1;
    }
}

static void read_path(struct pl_gs1_reader *r, const struct link *link)
{
    bool by_word;
    const struct pl_gs1_identifier *key = identifier_of(slice_of(r->data, link->segments[link->key]), &by_word);
    size_t good = good_qualifiers(r->data, link, key->qualifiers);
    for (size_t i = link->key; i + 1 < link->count; i += 2) {
        struct span name = link->segments[i];
        const struct pl_gs1_identifier *row = identifier_of(slice_of(r->data, name), &by_word);
        if (!row) {
            pl_gs1_report(r, PL_GS1_E_UNKNOWN_IDENTIFIER, name.start, "",
                          "The path has something here that is no application identifier");
            return;
        }
        if (by_word)
            pl_gs1_report(r, PL_GS1_E_LINK_WORD, name.start, row->first,
                          "the digits of the identifier belong here, not a word");
        if ((i - link->key) / 2 == good)
            pl_gs1_report(r, PL_GS1_E_LINK, name.start, row->first,
                          key->qualifiers[0] ? "it is not allowed here: after (%s) come %s in this order"
                                             : "it is not allowed here: nothing comes after (%s)%s",
                          key->first, key->qualifiers);
        take(r, row, name, link->segments[i + 1], false);
    }
}

// NUL bytes in the input must not match the end of the list.
static bool is_one_of(uint8_t c, const char *list)
{
    return c && strchr(list, c);
}

// Is the word in a list with commas?
static bool has_word(struct pl_slice list, const char *word)
{
    for (size_t at = 0; at < list.len;) {
        size_t end = at;
        while (end < list.len && list.ptr[end] != ',')
            end++;
        if (pl_slice_eq(pl_slice_sub(list, at, end - at), pl_slice_cstr(word)))
            return true;
        at = end + 1;
    }
    return false;
}

// May this identifier stand in the path behind the key, among those that do? Lots qualify an item, and are an attribute
// of a logistic unit.
static bool is_qualifier(struct pl_slice data, const struct link *link, const char *ai)
{
    bool by_word;
    const char *list = identifier_of(slice_of(data, link->segments[link->key]), &by_word)->qualifiers;
    const struct pl_gs1_identifier *behind =
        link->count > link->key + 2 ? identifier_of(slice_of(data, link->segments[link->key + 2]), &by_word) : NULL;
    while (*list) {
        const size_t length = strcspn(list, "|");
        const struct pl_slice alternative = pl_slice_make(list, length);
        if (has_word(alternative, ai) && (!behind || has_word(alternative, behind->first)))
            return true;
        list += length + (list[length] == '|');
    }
    return false;
}

static void read_query(struct pl_gs1_reader *r, const struct link *link)
{
    const struct span query = link->query;
    for (size_t at = query.start; at < query.end;) {
        struct span name = {at, at}, value;
        while (name.end < query.end && !is_one_of(r->data.ptr[name.end], "=&;"))
            name.end++;
        value = (struct span){name.end, name.end};
        if (name.end < query.end && r->data.ptr[name.end] == '=') {
            value = (struct span){name.end + 1, name.end + 1};
            while (value.end < query.end && !is_one_of(r->data.ptr[value.end], "&;"))
                value.end++;
        }
        at = value.end + 1;
        struct pl_slice digits = slice_of(r->data, name);
        if (!pl_all_digits(digits))
            continue; // of no concern to GS1
        const struct pl_gs1_identifier *row = pl_gs1_find(digits);
        if (!row)
            pl_gs1_report(r, PL_GS1_E_UNKNOWN_IDENTIFIER, name.start, "",
                          "A key of digits is no application identifier");
        else if (!(row->flags & PL_GS1_ATTRIBUTE))
            pl_gs1_report(r, PL_GS1_E_LINK, name.start, row->first, "it belongs into the path, not into the query");
        else if (is_qualifier(r->data, link, row->first))
            pl_gs1_report(r, PL_GS1_E_LINK_PLACE, name.start, row->first,
                          "it belongs into the path, behind the key, not into the query");
        if (row)
            take(r, row, name, value, true);
    }
}

void pl_gs1_read_link(struct pl_gs1_reader *r)
{
    struct link link;
    size_t at;
    const char *wrong = split(r->data, &link, &at);
    if (wrong) {
        pl_gs1_report(r, PL_GS1_E_LINK, at, "", "%s", wrong);
        return;
    }
    if (!find_key(r->data, &link)) {
        pl_gs1_report(r, PL_GS1_E_LINK, link.count ? link.segments[link.count - 1].end : r->data.len, "",
                      "The path has no primary key, such as /01/ and a GTIN");
        return;
    }
    read_path(r, &link);
    read_query(r, &link);
}
