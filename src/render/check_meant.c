// Data that is meant as GS1, and that no scanner takes for it: FNC1 is not before it, or brackets are in the bars.
#include <stdio.h>

#include "base/ckd.h"
#include "render/checks.h"

#define GS 0x1D

// Is it GS1 data but for check digits? Other data may begin with the digits of an identifier and have GS in it, or a
// number in brackets: without a mark it must begin with a key.
static enum pl_errc is_clean(const struct pl_check_run *run, struct pl_slice elements, bool marked, bool *clean)
{
    struct pl_gs1_result *result = PL_ARENA_NEW(&run->worker->scratch, struct pl_gs1_result);
    if (!result)
        return pl_fail_memory(run->err);
    const enum pl_gs1_form form = elements.ptr[0] == '(' ? PL_GS1_BRACKETS : PL_GS1_ELEMENTS;
    PL_TRY(pl_gs1_check(elements, form, &run->worker->scratch, result, run->err));
    *clean = result->element_count > 0 && (marked || result->elements[0].row->parts[0].lints[0] == PL_GS1_CSUM);
    for (uint32_t i = 0; i < result->finding_count; i++)
        *clean = *clean && result->findings[i].code == PL_GS1_E_CHECK_DIGIT;
    return PL_OK;
}

// Brackets around an identifier behind the first element: GS1 allows them in lots and other texts, so all must be right
// but for them. The length of the data: there are none. `*sure`: what is behind them is a key or a date.
static enum pl_errc find_brackets(const struct pl_check_run *run, struct pl_slice data, size_t *at, bool *sure)
{
    enum { TRIES_MOST = 8 };
    struct pl_arena_mark mark = pl_arena_mark(&run->worker->scratch);
    bool clean = false;
    if (memchr(data.ptr, '(', data.len))
        PL_TRY(is_clean(run, data, true, &clean));
    *at = 0;
    for (int tries = 0; clean && tries < TRIES_MOST && ++*at < data.len;) {
        const struct pl_slice rest = pl_slice_sub(data, *at, data.len - *at);
        const uint8_t *end = rest.ptr[0] == '(' ? (const uint8_t *)memchr(rest.ptr, ')', rest.len) : NULL;
        const struct pl_gs1_identifier *row =
            end ? pl_gs1_find(pl_slice_sub(rest, 1, (size_t)(end - rest.ptr) - 1)) : NULL;
        bool found = false;
        if (!row)
            continue;
        tries++;
        *sure = row->parts[0].lints[0] != PL_GS1_NO_LINT;
        PL_TRY(is_clean(run, rest, true, &found));
        pl_arena_release(&run->worker->scratch, mark);
        if (found)
            return PL_OK;
    }
    pl_arena_release(&run->worker->scratch, mark);
    *at = data.len;
    return PL_OK;
}

enum pl_errc pl_check_encoded_brackets(const struct pl_check_run *run, uint32_t index, struct pl_slice data)
{
    const struct pl_element *e = run->page->drawn.reports[index].element;
    size_t at = 0;
    bool sure = true;
    if (data.len == 0)
        return PL_OK;
    if (data.ptr[0] != '(')
        PL_TRY(find_brackets(run, data, &at, &sure));
    if (at == data.len)
        return PL_OK;
    struct pl_diag *d = pl_check_find(
        run, index, PL_DIAG_GS1_SYNTAX, pl_check_place(run, e, data, at), 0,
        "The brackets are encoded as data: a scanner sends them, and finds no application identifier. Leave them out.");
    // What printers of other languages do with brackets in a GS1-128 could not be read.
    const bool known = e->barcode.symbology != PL_SYM_CODE128 || run->document->language->brackets_are_known;
    if (d && (!known || !sure))
        d->severity = PL_SEV_WARNING;
    return PL_OK;
}

// Bytes at the start of the data that stand for FNC1 elsewhere: of ^BC, with and without a start code, of ^BX with one
// escape character or another; and what scanners send before the data of a GS1 symbol.
static size_t false_mark(enum pl_check_symbology symbology, struct pl_slice data)
{
    static const char *const marks[] = {">8", "]C1", "]d2", "]Q3", "]e0", ">;>8", ">:>8", ">9>8", "_1", "~1"};
    const size_t count = PL_COUNTOF(marks) - (symbology == PL_CHECK_DATAMATRIX ? 0 : 2);
    if (data.len && data.ptr[0] == GS)
        return symbology == PL_CHECK_CODE128 ? 0 : 1;
    for (size_t i = 0; i < count; i++)
        if (data.len > strlen(marks[i]) && memcmp(data.ptr, marks[i], strlen(marks[i])) == 0)
            return strlen(marks[i]);
    return 0;
}

// The data with GS for the marks of FNC1 in it, from `start` on.
static enum pl_errc take_elements(const struct pl_check_run *run, struct pl_slice data, size_t start, bool *parted,
                                  struct pl_slice *out)
{
    uint8_t *text = (uint8_t *)pl_arena_alloc(&run->worker->scratch, data.len + 1, 1);
    if (!text)
        return pl_fail_memory(run->err);
    size_t n = 0;
    const uint8_t *mark = start == 2 ? data.ptr : (const uint8_t *)">8";
    for (size_t i = start; i < data.len; i++) {
        bool escape = i + 1 < data.len && memcmp(data.ptr + i, mark, 2) == 0;
        *parted = *parted || escape || data.ptr[i] == GS;
        text[n++] = escape ? GS : data.ptr[i];
        i += escape;
    }
    *out = pl_slice_make(text, n);
    return PL_OK;
}

// Does a text of the label show this key behind its identifier in brackets? Labels with more are not made by people.
enum { SHOWN_ELEMENTS_MOST = 300, SHOWN_BYTES_MOST = 200 };
static bool is_shown(const struct pl_check_run *run, const struct pl_gs1_element *key)
{
    char ai[sizeof key->ai + 2];
    const int length = snprintf(ai, sizeof ai, "(%s)", key->ai);
    for (uint32_t i = 0; i < run->page->drawn.report_count && i < SHOWN_ELEMENTS_MOST; i++) {
        const struct platen_element *e = &run->page->elements[i];
        const size_t size = PL_MIN(e->data_size, (size_t)SHOWN_BYTES_MOST);
        const char *found =
            e->type == PLATEN_TEXT && size ? (const char *)memmem(e->data, size, ai, (size_t)length) : NULL;
        if (!found)
            continue;
        size_t digits = 0;
        for (const char *c = found + length; c < e->data + size && digits < key->value.len; c++)
            if (*c == (char)key->value.ptr[digits])
                digits++;
            else if (*c != ' ')
                break;
        if (digits == key->value.len)
            return true;
    }
    return false;
}

// Data of plain symbols may begin with the digits of a key by chance. It is meant as GS1 if all of it is right, and has
// a date behind a GTIN, or a text shows the key with its identifier.
static enum pl_errc is_proven(const struct pl_check_run *run, struct pl_slice data, bool *proven)
{
    struct pl_gs1_result *result = PL_ARENA_NEW(&run->worker->scratch, struct pl_gs1_result);
    if (!result)
        return pl_fail_memory(run->err);
    PL_TRY(pl_gs1_check(data, PL_GS1_ELEMENTS, &run->worker->scratch, result, run->err));
    const struct pl_gs1_element *key = &result->elements[0];
    const bool unit = result->element_count == 1 && strcmp(key->ai, "00") == 0;
    const bool item = result->element_count > 0 && strcmp(key->ai, "01") == 0;
    bool dated = false, known = true;
    for (uint32_t i = 1; i < result->element_count; i++) {
        const char *ai = result->elements[i].ai;
        const bool date = strcmp(ai, "11") == 0 || strcmp(ai, "15") == 0 || strcmp(ai, "17") == 0;
        dated = dated || date;
        known = known && (date || strcmp(ai, "10") == 0 || strcmp(ai, "21") == 0);
    }
    *proven = result->finding_count == 0 && (unit || (item && known)) && (dated || is_shown(run, key));
    return PL_OK;
}

// A GS1 Digital Link that lacks "https://", or has it wrong: what is behind it is one, with all as it should be.
enum pl_errc pl_check_lost_scheme(const struct pl_check_run *run, uint32_t index, struct pl_slice data)
{
    static const char SCHEME[] = "https://";
    enum { LENGTH = sizeof SCHEME - 1 };
    size_t from = 0;
    if (data.len > 4 && memcmp(data.ptr, "http", 4) == 0)
        for (from = data.ptr[4] == 's' ? 5 : 4; from < data.len && (data.ptr[from] == ':' || data.ptr[from] == '/');)
            from++;
    const struct pl_slice rest = pl_slice_sub(data, from, data.len - from);
    const uint8_t *slash = rest.len ? (const uint8_t *)memchr(rest.ptr, '/', rest.len) : NULL;
    if (!slash || !memchr(rest.ptr, '.', (size_t)(slash - rest.ptr)) || memchr(rest.ptr, ' ', rest.len))
        return PL_OK;
    struct pl_gs1_result *result = PL_ARENA_NEW(&run->worker->scratch, struct pl_gs1_result);
    uint8_t *text = (uint8_t *)pl_arena_alloc(&run->worker->scratch, rest.len + LENGTH, 1);
    if (!result || !text)
        return pl_fail_memory(run->err);
    memcpy(text, SCHEME, LENGTH);
    memcpy(text + LENGTH, rest.ptr, rest.len);
    const struct pl_slice link = pl_slice_make(text, rest.len + LENGTH);
    if (!pl_gs1_is_link(link))
        return PL_OK;
    PL_TRY(pl_gs1_check(link, PL_GS1_LINK, &run->worker->scratch, result, run->err));
    struct pl_diag *d =
        result->finding_count
            ? NULL
            : pl_check_find(
                  run, index, PL_DIAG_GS1_SYNTAX, pl_check_place(run, run->page->drawn.reports[index].element, data, 0),
                  0, "The data is a GS1 Digital Link but for \"https://\" at its start: scanners find no address.");
    if (d)
        d->severity = PL_SEV_WARNING;
    return PL_OK;
}

// `^FH` takes an FNC1 that is written _1, and the digit behind it, for one byte. *found: the data is GS1 with both.
static enum pl_errc find_eaten_mark(const struct pl_check_run *run, struct pl_slice data, bool *found)
{
    *found = data.len > 2 && data.ptr[0] >= 0x10 && data.ptr[0] <= 0x19;
    uint8_t *text = *found ? (uint8_t *)pl_arena_copy(&run->worker->scratch, data.ptr, data.len) : NULL;
    if (!*found)
        return PL_OK;
    if (!text)
        return pl_fail_memory(run->err);
    text[0] = (uint8_t)('0' + (text[0] - 0x10));
    return is_clean(run, pl_slice_make(text, data.len), true, found);
}

enum pl_errc pl_check_meant_as_gs1(const struct pl_check_run *run, uint32_t index, enum pl_check_symbology symbology,
                                   struct pl_slice data, struct pl_slice *out)
{
    const struct pl_source source = pl_element_data_source(run->page->drawn.reports[index].element);
    const bool qr = symbology == PL_CHECK_QR;
    *out = (struct pl_slice){0};
    if (!qr && symbology != PL_CHECK_DATAMATRIX && symbology != PL_CHECK_CODE128)
        return PL_OK;
    bool eaten;
    PL_TRY(find_eaten_mark(run, data, &eaten));
    if (eaten)
        pl_check_find(run, index, PL_DIAG_GS1_SYNTAX, source, 0,
                      "The data is meant as GS1, but ^FH takes '_1%c' at its start for one byte: leave ^FH out, or "
                      "choose another character for one of the two.",
                      data.ptr[0] - 0x10 + '0');
    const size_t start = false_mark(symbology, data);
    const bool bracketed = start < data.len && data.ptr[start] == '(';
    size_t digits;
    bool parted = start > 0 || bracketed, clean = qr && !bracketed;
    struct pl_slice elements;
    if (!bracketed && !pl_gs1_find_prefix(pl_slice_sub(data, start, data.len - start), &digits))
        return PL_OK;
    PL_TRY(take_elements(run, data, start, &parted, &elements));
    const bool unmarked = !parted;
    if (unmarked)
        PL_TRY(is_proven(run, elements, &clean));
    else if (!clean)
        PL_TRY(is_clean(run, elements, start > 0, &clean));
    if (!clean)
        return PL_OK;
    *out = elements;
    struct pl_diag *d = NULL;
    if (qr && !bracketed) { // ^BQ has no way to write FNC1
        struct pl_diag *found = pl_check_find(
            run, index, PL_DIAG_GS1_SYNTAX, source, 0,
            "The data is meant as GS1, but this QR Code has no FNC1: scanners report a plain QR Code. Use a GS1 "
            "Digital Link, or Data Matrix.");
        d = unmarked ? found : NULL; // separators prove it
    } else if (start >= 2)
        pl_check_find(run, index, PL_DIAG_GS1_SYNTAX, source, 0,
                      "The data is meant as GS1, but '%.*s' is encoded as %zu characters, and not as FNC1.", (int)start,
                      (const char *)data.ptr, start);
    else
        d = pl_check_find(run, index, PL_DIAG_GS1_SYNTAX, source, 0,
                          "The data is meant as GS1, but FNC1 is not before it: scanners report a plain symbol.%s",
                          bracketed ? " Its brackets are encoded as data." : "");
    if (d) // some receivers take it all the same
        d->severity = PL_SEV_WARNING;
    return PL_OK;
}
