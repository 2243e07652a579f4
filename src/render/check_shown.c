// What a text beside a GS1 symbol says it has: dates behind a word, such as EXP, which may be others, or swallowed by
// the symbol's lot; and keys behind their identifier in brackets.
#include "base/ckd.h"
#include "base/job.h"
#include "render/checks.h"

enum {
    DATES_MOST = 64, // of a label
    TEXTS_LOOKED_AT = 1024,
    SYMBOLS_MOST = 64,
    KEYS_MOST = 32,
    KEY_TEXTS_MOST = 64, // with a key that is looked for in all data
    TEXT_MOST = 1024,    // bytes of a text that are looked at
    DATE_DIGITS = 6
};
// So close to the bars, in millimetres, a text belongs to them.
#define BESIDE_MM 8.0

enum use { EXPIRES, BEST, MADE, USE_COUNT };

#define BUDDHIST_YEARS 43u // by which years in Thailand are ahead, of two digits
struct date {
    uint32_t year, month, day; // of two digits; day 0: the whole month
};

// A date that a symbol has; `lot`: FNC1 is missing before it, so that it is the end of a lot or a serial number.
struct held_date {
    struct date date;
    enum use use;
    uint32_t index;
    struct pl_slice lot; // empty: an element of its own
    size_t at;           // in the lot
    bool sure;           // no text is needed to prove it
};

struct dates {
    struct held_date items[DATES_MOST];
    uint32_t count;
};

// GTINs and SSCCs of symbols without a text line of their own.
struct held_key {
    struct pl_slice value;
    uint32_t index;
    enum { NOT_ASKED, IN_TEXT, IN_NO_TEXT } shown;
};

struct keys {
    struct held_key items[KEYS_MOST];
    uint32_t count, texts;
};

static const struct {
    const char *name;
    enum use use;
} WORDS[] = {
    {"EXP", EXPIRES}, {"EXPIRY", EXPIRES}, {"EXPIRES", EXPIRES},  {"USE BY", EXPIRES}, {"VERW. BIS", EXPIRES},
    {"BBE", BEST},    {"BBD", BEST},       {"BEST BEFORE", BEST}, {"BEST BY", BEST},   {"MHD", BEST},
    {"MFG", MADE},    {"MFD", MADE},       {"(17)", EXPIRES},     {"(15)", BEST},      {"(11)", MADE},
};

static uint32_t two_digits(const uint8_t *p)
{
    return (uint32_t)(p[0] - '0') * 10 + (uint32_t)(p[1] - '0');
}

static bool is_date(struct date d)
{
    return d.month >= 1 && d.month <= 12 && d.day <= 31;
}

static bool is_same_date(struct date a, struct date b)
{
    return a.year == b.year && a.month == b.month && (a.day == b.day || a.day == 0 || b.day == 0);
}

// YYMMDD, as GS1 has it.
static bool read_gs1_date(struct pl_slice s, struct date *out)
{
    if (s.len < DATE_DIGITS || !pl_all_digits(pl_slice_sub(s, 0, DATE_DIGITS)))
        return false;
    *out = (struct date){two_digits(s.ptr), two_digits(s.ptr + 2), two_digits(s.ptr + 4)};
    return is_date(*out);
}

static bool use_of(const char *ai, enum use *use)
{
    const bool made = strcmp(ai, "11") == 0, best = strcmp(ai, "15") == 0;
    *use = made ? MADE : best ? BEST : EXPIRES;
    return made || best || strcmp(ai, "17") == 0;
}

static void add_date(struct dates *dates, struct held_date date)
{
    if (dates->count < DATES_MOST)
        dates->items[dates->count++] = date;
}

// Letters and digits, with a letter among them. A separator that is written out is another fault.
static bool is_lettered(struct pl_slice lot)
{
    for (size_t i = 0; i < lot.len; i++)
        if (!pl_is_letter(lot.ptr[i]) && !pl_is_digit(lot.ptr[i]) && lot.ptr[i] != '-' && lot.ptr[i] != '/')
            return false;
    return !pl_all_digits(lot);
}

// Does the lot end with a date of expiry and its identifier, or have them before another lot or serial number? Then it
// is no part of it, unless by chance: at most two of 10,000 lots of digits. Years are those of goods that are sold
// today.
static bool is_surely_swallowed(struct pl_slice lot, size_t at, struct date date)
{
    enum { LOT_LEAST = 3, YEAR_LEAST = 20, YEAR_MOST = 45 };
    const struct pl_slice rest = pl_slice_sub(lot, at + 2 + DATE_DIGITS, lot.len);
    const bool next = rest.len > 3 && (memcmp(rest.ptr, "10", 2) == 0 || memcmp(rest.ptr, "21", 2) == 0);
    return at >= LOT_LEAST && memcmp(lot.ptr + at, "17", 2) == 0 && date.year >= YEAR_LEAST && date.year <= YEAR_MOST &&
           (rest.len == 0 || next) && is_lettered(pl_slice_sub(lot, 0, at));
}

// The identifier of a date, and a date, in a lot or a serial number.
static void add_swallowed(struct dates *dates, uint32_t index, struct pl_slice lot)
{
    for (size_t at = 1; at + 2 + DATE_DIGITS <= lot.len; at++) {
        const char ai[] = {(char)lot.ptr[at], (char)lot.ptr[at + 1], '\0'};
        struct held_date d = {.index = index, .lot = lot, .at = at};
        if (!use_of(ai, &d.use) || !read_gs1_date(pl_slice_sub(lot, at + 2, DATE_DIGITS), &d.date))
            continue;
        d.sure = is_surely_swallowed(lot, at, d.date);
        add_date(dates, d);
    }
}

static enum pl_errc add_symbol(const struct pl_check_run *run, uint32_t index, struct dates *dates, struct keys *keys)
{
    struct pl_arena *scratch = &run->worker->scratch;
    struct pl_symbol_data data;
    PL_TRY(pl_symbol_data(&run->page->drawn.reports[index].element->barcode, scratch, &data, run->err));
    const bool link = pl_gs1_is_link(data.data);
    struct pl_gs1_result *result = link || data.gs1 ? PL_ARENA_NEW(scratch, struct pl_gs1_result) : NULL;
    if (!link && !data.gs1)
        return PL_OK;
    if (!result)
        return pl_fail_memory(run->err);
    const bool captioned = !pl_box_is_empty(run->page->drawn.reports[index].drawn.caption);
    const bool brackets = data.data.len && data.data.ptr[0] == '(';
    PL_TRY(pl_gs1_check(data.data,
                        link       ? PL_GS1_LINK
                        : brackets ? PL_GS1_BRACKETS
                                   : PL_GS1_ELEMENTS,
                        scratch, result, run->err));
    for (uint32_t i = 0; i < result->element_count; i++) {
        const struct pl_gs1_element *e = &result->elements[i];
        struct held_date d = {.index = index};
        const bool key = strcmp(e->ai, "00") == 0 || strcmp(e->ai, "01") == 0;
        if (key && !captioned && keys->count < KEYS_MOST)
            keys->items[keys->count++] = (struct held_key){.value = e->value, .index = index};
        if (use_of(e->ai, &d.use) && read_gs1_date(e->value, &d.date))
            add_date(dates, d);
        else if (strcmp(e->ai, "10") == 0 || strcmp(e->ai, "21") == 0)
            add_swallowed(dates, index, e->value);
    }
    return PL_OK;
}

// Digits in groups between which is one sign: 2026-12-31, 31.12.26, 12/2026, 261231.
enum { GROUPS_MOST = 3, READINGS_MOST = 8 };
struct groups {
    uint32_t value[GROUPS_MOST], length[GROUPS_MOST], count;
    uint8_t sign;
    bool more; // there are others behind them
};

static struct groups read_groups(struct pl_slice s, size_t at)
{
    struct groups g = {.count = 0};
    while (at < s.len && pl_is_digit(s.ptr[at])) {
        if (g.count == GROUPS_MOST) {
            g.more = true;
            break;
        }
        for (; at < s.len && pl_is_digit(s.ptr[at]) && g.length[g.count] < 9; at++, g.length[g.count]++)
            g.value[g.count] = g.value[g.count] * 10 + s.ptr[at] - '0';
        g.count++;
        if (at == s.len || !s.ptr[at] || !strchr("-./ ", s.ptr[at]) || (g.sign && s.ptr[at] != g.sign))
            break; // what follows another sign is no part of the date: EXP 12/28 10
        g.sign = s.ptr[at++];
    }
    return g;
}

static uint32_t short_year(uint32_t year)
{
    return year < 100 ? year : year >= 2000 && year < 2100 ? year - 2000 : 100;
}

// All dates that the digits may be, in the orders of all countries; none: they are no date.
static uint32_t read_dates(struct groups g, struct date out[READINGS_MOST])
{
    struct date all[READINGS_MOST];
    uint32_t n = 0, found = 0;
    const uint32_t *v = g.value, *l = g.length;
    if (g.more)
        return 0;
    if (g.count == 1 && l[0] == 6) {
        all[n++] = (struct date){v[0] / 10000, v[0] / 100 % 100, v[0] % 100};
        all[n++] = (struct date){v[0] % 100, v[0] / 100 % 100, v[0] / 10000};
        all[n++] = (struct date){v[0] % 100, v[0] / 10000, v[0] / 100 % 100};
        all[n++] = (struct date){short_year(v[0] % 10000), v[0] / 10000, 0};
        all[n++] = (struct date){short_year(v[0] / 100), v[0] % 100, 0};
    } else if (g.count == 1 && l[0] == 8) {
        all[n++] = (struct date){short_year(v[0] / 10000), v[0] / 100 % 100, v[0] % 100};
        all[n++] = (struct date){short_year(v[0] % 10000), v[0] / 10000 % 100, v[0] / 1000000};
        all[n++] = (struct date){short_year(v[0] % 10000), v[0] / 1000000, v[0] / 10000 % 100};
    } else if (g.count == 2 && l[0] + l[1] >= (g.sign == '/' || g.sign == '.' ? 4u : 5u)) { // not 10-20
        all[n++] = (struct date){short_year(v[0]), v[1], 0};
        all[n++] = (struct date){short_year(v[1]), v[0], 0};
    } else if (g.count == 3 && l[0] + l[1] + l[2] >= 5) {
        all[n++] = (struct date){short_year(v[0]), v[1], v[2]};
        all[n++] = (struct date){short_year(v[2]), v[1], v[0]};
        all[n++] = (struct date){short_year(v[2]), v[0], v[1]};
    }
    for (uint32_t i = 0; i < n; i++)
        if (is_date(all[i]) && all[i].year < 100)
            out[found++] = all[i];
    return found;
}

static bool is_word_at(struct pl_slice text, size_t at, const char *word)
{
    const size_t length = strlen(word);
    if (text.len - at < length || (at > 0 && (pl_is_letter(text.ptr[at - 1]) || pl_is_digit(text.ptr[at - 1]))))
        return false;
    for (size_t i = 0; i < length; i++)
        if (pl_upper(text.ptr[at + i]) != (uint8_t)word[i])
            return false;
    return at + length == text.len || !pl_is_letter(text.ptr[at + length]);
}

// An identifier in brackets is one only before a date as GS1 has it: (11) 2011-12 is a telephone number.
static bool is_use_at(struct pl_slice text, size_t at, const char *word)
{
    const size_t behind = at + strlen(word);
    return is_word_at(text, at, word) &&
           (word[0] != '(' ||
            (text.len - behind >= DATE_DIGITS && pl_all_digits(pl_slice_sub(text, behind, DATE_DIGITS)) &&
             (text.len - behind == DATE_DIGITS || !pl_is_digit(text.ptr[behind + DATE_DIGITS]))));
}

// The first date of this text behind a word that says what it is for.
static uint32_t find_shown(struct pl_slice text, enum use *use, struct date out[READINGS_MOST])
{
    for (size_t at = 0; at < text.len; at++)
        for (size_t i = 0; i < PL_COUNTOF(WORDS); i++) {
            if (!is_use_at(text, at, WORDS[i].name))
                continue;
            size_t from = at + strlen(WORDS[i].name);
            while (from < text.len && text.ptr[from] && strchr(" :.-", text.ptr[from]))
                from++;
            *use = WORDS[i].use;
            const uint32_t found = read_dates(read_groups(text, from), out);
            if (found)
                return found;
        }
    return 0;
}

static bool is_beside(const struct pl_check_run *run, uint32_t text, uint32_t barcode)
{
    const int32_t reach = (int32_t)(BESIDE_MM * run->page->dpmm);
    const struct pl_box bars = run->page->drawn.reports[barcode].bars,
                        around = {bars.x0 - reach, bars.y0 - reach, bars.x1 + reach, bars.y1 + reach};
    return !pl_box_is_empty(pl_box_intersect(run->page->drawn.reports[text].box, around));
}

// Digits of data or of a text, without what groups them.
static bool has_digits(struct pl_slice s, struct pl_slice digits)
{
    for (size_t start = 0; start < s.len; start++) {
        size_t same = 0;
        for (size_t at = start; at < s.len && same < digits.len; at++)
            if (s.ptr[at] == digits.ptr[same])
                same++;
            else if (s.ptr[at] != ' ' || same == 0)
                break;
        if (same == digits.len)
            return true;
    }
    return false;
}

// Does any symbol or other text of the label have these digits? `texts`: are texts asked? All data is looked at, so
// this asks for the time first.
static enum pl_errc is_elsewhere(const struct pl_check_run *run, struct pl_slice digits, bool texts, bool *found)
{
    PL_TRY(pl_job_check(&run->document->job, run->err));
    *found = false;
    for (uint32_t i = 0; i < run->page->drawn.report_count && !*found; i++) {
        const struct platen_element *e = &run->page->elements[i];
        *found = (e->type == PLATEN_TEXT) == texts && has_digits(pl_slice_make(e->data, e->data_size), digits);
    }
    return PL_OK;
}

// Does any text show the key?
static enum pl_errc ask_texts(const struct pl_check_run *run, struct held_key *key)
{
    bool found;
    if (key->shown != NOT_ASKED)
        return PL_OK;
    PL_TRY(is_elsewhere(run, pl_slice_sub(key->value, 1, key->value.len - 2), true, &found));
    key->shown = found ? IN_TEXT : IN_NO_TEXT;
    return PL_OK;
}

static struct pl_slice text_of(const struct pl_check_run *run, uint32_t text)
{
    const struct platen_element *e = &run->page->elements[text];
    return pl_slice_make(e->data, PL_MIN(e->data_size, (size_t)TEXT_MOST));
}

enum { ITEM_DIGITS = 14, UNIT_DIGITS = 18 };

// The key behind (01) or (00) in a text, without blanks; its length, 0: there is none that is right.
static size_t read_key(struct pl_slice text, const char *ai, uint8_t out[UNIT_DIGITS])
{
    const size_t length = ai[2] == '1' ? ITEM_DIGITS : UNIT_DIGITS;
    const uint8_t *found = text.len ? memmem(text.ptr, text.len, ai, strlen(ai)) : NULL;
    size_t n = 0;
    if (!found)
        return 0;
    for (const uint8_t *c = found + strlen(ai); c < text.ptr + text.len && (pl_is_digit(*c) || *c == ' '); c++)
        if (*c != ' ') {
            if (n == length)
                return 0;
            out[n++] = *c;
        }
    return n == length && pl_gs1_check_digit(pl_slice_make(out, n - 1)) == (char)out[n - 1] ? n : 0;
}

// A text shows the key of something that no symbol of the label has, beside a symbol whose own key no text shows. The
// same item in other packages has the same twelve digits.
static enum pl_errc check_key(const struct pl_check_run *run, struct keys *keys, uint32_t text)
{
    static const char *const ais[] = {"(00)", "(01)"};
    for (size_t i = 0; i < PL_COUNTOF(ais); i++) {
        uint8_t shown[UNIT_DIGITS];
        bool found = false;
        const size_t length = read_key(text_of(run, text), ais[i], shown);
        if (!length || keys->texts++ >= KEY_TEXTS_MOST)
            continue;
        PL_TRY(is_elsewhere(run, pl_slice_make(shown + 1, length - 2), false, &found));
        for (uint32_t k = 0; k < keys->count && !found; k++) {
            struct held_key *key = &keys->items[k];
            if (key->value.len != length || !is_beside(run, text, key->index))
                continue;
            PL_TRY(ask_texts(run, key));
            if (key->shown == IN_TEXT)
                continue;
            const struct platen_element *bars = &run->page->elements[key->index];
            pl_check_drop(run, text, PL_DIAG_TEXT_DIFFERS); // one fault, one finding
            pl_check_find(run, text, PL_DIAG_TEXT_DIFFERS, run->page->drawn.reports[text].element->source, 0,
                          "The text shows %s %.*s, but the barcode at %d,%d has %.*s.", ais[i], (int)length,
                          (const char *)shown, bars->x, bars->y, (int)length, (const char *)key->value.ptr);
            break;
        }
    }
    return PL_OK;
}

static bool is_among(struct date date, const struct date *list, uint32_t count)
{
    const struct date thai = {(date.year + BUDDHIST_YEARS) % 100, date.month, date.day};
    for (uint32_t i = 0; i < count; i++)
        if (is_same_date(date, list[i]) || is_same_date(thai, list[i]))
            return true;
    return false;
}

static void tell_swallowed(const struct pl_check_run *run, const struct held_date *d)
{
    const struct pl_element *e = run->page->drawn.reports[d->index].element;
    struct pl_diag *diag = pl_check_find(run, d->index, PL_DIAG_GS1_SYNTAX, pl_element_data_source(e), 0,
                                         "The value %.*s has the identifier and %s: FNC1 is missing before %.*s.",
                                         (int)d->lot.len, (const char *)d->lot.ptr,
                                         d->sure ? "the digits of a date of expiry" : "the date that a text shows",
                                         (int)(d->lot.len - d->at), (const char *)d->lot.ptr + d->at);
    if (diag)
        diag->severity = PL_SEV_WARNING;
}

// Does a symbol of the label have the date? Only where one beside the text has another one for the same use is that
// told.
static void check_shown(const struct pl_check_run *run, struct dates *dates, uint32_t text)
{
    struct date shown[READINGS_MOST];
    enum use use;
    const uint32_t count = find_shown(text_of(run, text), &use, shown);
    const struct held_date *other = NULL;
    struct held_date *swallowed = NULL;
    for (uint32_t i = 0; i < dates->count && count; i++) {
        struct held_date *d = &dates->items[i];
        if (d->use != use)
            continue;
        const bool same = is_among(d->date, shown, count);
        if (same && !d->lot.len)
            return;
        if (same && is_beside(run, text, d->index))
            swallowed = d;
        else if (!d->lot.len && !other && is_beside(run, text, d->index))
            other = d;
    }
    if (swallowed) {
        tell_swallowed(run, swallowed);
        swallowed->use = USE_COUNT; // once
    } else if (other) {
        const struct platen_element *bars = &run->page->elements[other->index];
        pl_check_drop(run, text, PL_DIAG_TEXT_DIFFERS);
        pl_check_find(run, text, PL_DIAG_TEXT_DIFFERS, run->page->drawn.reports[text].element->source, 0,
                      "The text shows another date than the barcode at %d,%d, which has %02u%02u%02u.", bars->x,
                      bars->y, other->date.year, other->date.month, other->date.day);
    }
}

// Has the symbol this date as an element of its own?
static bool has_date(const struct dates *dates, const struct held_date *d)
{
    for (uint32_t i = 0; i < dates->count; i++)
        if (dates->items[i].index == d->index && dates->items[i].use == d->use && !dates->items[i].lot.len)
            return true;
    return false;
}

// Those that no text shows. A text with the whole of the lot shows that it is one.
static enum pl_errc tell_sure(const struct pl_check_run *run, const struct dates *dates)
{
    enum { TOLD_MOST = 8 };
    uint32_t asked = 0;
    for (uint32_t i = 0; i < dates->count && asked < TOLD_MOST; i++) {
        const struct held_date *d = &dates->items[i];
        bool found;
        if (!d->sure || d->use == USE_COUNT || has_date(dates, d))
            continue;
        asked++;
        PL_TRY(is_elsewhere(run, d->lot, true, &found));
        if (!found)
            tell_swallowed(run, d);
    }
    return PL_OK;
}

enum pl_errc pl_check_shown(const struct pl_check_run *run)
{
    const struct pl_drawn_page *drawn = &run->page->drawn;
    struct dates *dates = PL_ARENA_NEW(&run->worker->scratch, struct dates);
    uint32_t symbols = 0;
    struct keys *keys = PL_ARENA_NEW(&run->worker->scratch, struct keys);
    if (!dates || !keys)
        return pl_fail_memory(run->err);
    for (uint32_t i = 0; i < drawn->report_count && symbols < SYMBOLS_MOST; i++)
        if (drawn->reports[i].part_count) {
            symbols++;
            PL_TRY(add_symbol(run, i, dates, keys));
        }
    if (symbols == SYMBOLS_MOST) // not all dates are known
        return PL_OK;
    for (uint32_t i = 0; i < drawn->report_count && i < TEXTS_LOOKED_AT && dates->count + keys->count; i++)
        if (run->page->elements[i].type == PLATEN_TEXT) {
            check_shown(run, dates, i);
            PL_TRY(check_key(run, keys, i));
        }
    return tell_sure(run, dates);
}
