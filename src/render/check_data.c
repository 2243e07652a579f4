// The data of barcodes: GS1 syntax and check digits, with the place of the wrong character in the field.
#include <stdio.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "check/gs1.h"
#include "render/check_keys.h"
#include "render/check_words.h"
#include "render/checks.h"

// Symbols of one label that are looked at together; of a label with more each is checked by itself.
#define GS1_SYMBOLS 128
#define GS 0x1D

struct gs1_input {
    struct pl_slice data;
    size_t hidden;  // bytes before the data that its field does not have
    uint32_t index; // of its element
    enum pl_gs1_form form;
};

struct gs1_symbol {
    struct gs1_input input;
    struct pl_gs1_result result;
};

static bool is_databar(enum pl_check_symbology symbology)
{
    return symbology == PL_CHECK_DATABAR || symbology == PL_CHECK_DATABAR_EXPANDED ||
           symbology == PL_CHECK_DATABAR_LIMITED || symbology == PL_CHECK_DATABAR_STACKED ||
           symbology == PL_CHECK_DATABAR_STACKED_OMNI || symbology == PL_CHECK_DATABAR_TRUNCATED;
}

struct gs1_symbols {
    struct gs1_symbol *items[GS1_SYMBOLS];
    uint32_t count;
    bool left_out; // there are more
};

static void tell(const struct pl_check_run *run, const struct gs1_symbol *s)
{
    const struct gs1_input *in = &s->input;
    const struct pl_element *e = run->page->drawn.reports[in->index].element;
    const struct pl_slice seen = pl_slice_sub(in->data, in->hidden, in->data.len - in->hidden);
    for (uint32_t k = 0; k < s->result.finding_count; k++) {
        const struct pl_gs1_finding *f = &s->result.findings[k];
        size_t at = f->offset > in->hidden ? f->offset - in->hidden : 0;
        if (f->code == PL_GS1_E_CHECK_DIGIT && e->barcode.symbology == PL_SYM_DATABAR)
            pl_check_drop(run, in->index, PL_DIAG_BARCODE_DATA); // drawing found the same
        struct pl_diag *d = pl_check_find(run, in->index, pl_check_gs1_diag(f->code), pl_check_place(run, e, seen, at),
                                          0, "%s", f->message);
        // Readers leave it out.
        if (d && f->code == PL_GS1_E_SEPARATOR && f->offset + 1 == in->data.len)
            d->severity = PL_SEV_INFO;
        else if (d && pl_check_gs1_doubtful(&s->result, f))
            d->severity = PL_SEV_WARNING;
    }
}

static enum pl_errc check_gs1(const struct pl_check_run *run, struct gs1_input in, struct gs1_symbols *symbols)
{
    struct pl_arena *scratch = &run->worker->scratch;
    struct pl_arena_mark mark = pl_arena_mark(scratch);
    struct gs1_symbol *symbol = PL_ARENA_NEW(scratch, struct gs1_symbol);
    if (!symbol)
        return pl_fail_memory(run->err);
    if (in.form == PL_GS1_ELEMENTS && in.data.len && in.data.ptr[0] == '(')
        in.form = PL_GS1_BRACKETS;
    symbol->input = in;
    PL_TRY(pl_gs1_check(in.data, in.form, scratch, &symbol->result, run->err));
    if (symbols->count < GS1_SYMBOLS) {
        symbols->items[symbols->count++] = symbol;
        return PL_OK;
    }
    symbols->left_out = true;
    tell(run, symbol); // without its partners
    pl_arena_release(scratch, mark);
    return PL_OK;
}

// An identifier in brackets at `at` of a text. NULL: there is none.
static const struct pl_gs1_identifier *bracketed_at(struct pl_slice text, size_t at, struct pl_slice *ai)
{
    const struct pl_slice rest = pl_slice_sub(text, at, 6);
    const uint8_t *end = rest.len && rest.ptr[0] == '(' ? memchr(rest.ptr, ')', rest.len) : NULL;
    *ai = end ? pl_slice_sub(rest, 1, (size_t)(end - rest.ptr) - 1) : (struct pl_slice){0};
    return end ? pl_gs1_find(*ai) : NULL;
}

// Elements that lack FNC1 before them: the first, in what it is swallowed, and the others.
struct swallowed {
    struct pl_slice first, by;
    size_t at, used; // `at`: of the first, in the data
    char others[PL_GS1_MAX_ELEMENTS * 7 + 1];
};

static void add_swallowed(struct swallowed *s, struct pl_slice ai, struct pl_slice by, size_t at)
{
    if (!s->first.len) {
        s->first = ai;
        s->by = by;
        s->at = at;
    } else if (s->used + ai.len + 4 < sizeof s->others)
        s->used += (size_t)snprintf(s->others + s->used, sizeof s->others - s->used, " (%.*s)", (int)ai.len,
                                    (const char *)ai.ptr);
}

static void tell_swallowed(const struct pl_check_run *run, uint32_t index, struct pl_slice data,
                           const struct swallowed *s)
{
    struct pl_source source = pl_check_place(run, run->page->drawn.reports[index].element, data, s->at);
    if (source.offset && run->document->input.ptr[source.offset - 1] == '(')
        source.offset--;
    pl_check_drop(run, index, PL_DIAG_GS1_SYNTAX); // that a value has swallowed a date
    pl_check_find(run, index, PL_DIAG_GS1_SYNTAX, source, 0,
                  "(%.*s): FNC1 (>8) is missing before it: it is read as more data of (%.*s).%s%s%s", (int)s->first.len,
                  (const char *)s->first.ptr, (int)s->by.len, (const char *)s->by.ptr,
                  s->used ? " It is missing before" : "", s->others, s->used ? ", too." : "");
}

// ^BC leaves the brackets of mode D out and puts nothing in their place: without FNC1 behind data of free length, what
// the field has as the next element is read as more of that data. *out: the data as it is meant, so that this is told
// once, and not what follows from it. The text line has the brackets, and otherwise the characters of the data.
static enum pl_errc take_brackets(const struct pl_check_run *run, uint32_t index, struct pl_slice data,
                                  struct pl_slice *out)
{
    const struct pl_slice text = run->page->drawn.reports[index].element->barcode.caption;
    const struct pl_gs1_identifier *before = NULL;
    struct swallowed swallowed = {.used = 0};
    struct pl_slice ai, free_ai = {0};
    size_t at = 0, n = 0;
    uint8_t *whole = (uint8_t *)pl_arena_alloc(&run->worker->scratch, 2 * data.len + 1, 1);
    if (!whole)
        return pl_fail_memory(run->err);
    for (size_t i = 0; i < text.len; i++) {
        const struct pl_gs1_identifier *row = bracketed_at(text, i, &ai);
        const bool parted = at == 0 || at == data.len || data.ptr[at] == GS;
        if (row && before && !(before->flags & PL_GS1_PREDEFINED) && !parted) {
            add_swallowed(&swallowed, ai, free_ai, at);
            whole[n++] = GS;
        }
        before = row ? row : before;
        free_ai = row ? ai : free_ai;
        if (memchr("() ", text.ptr[i], 3) && (at == data.len || data.ptr[at] != text.ptr[i]))
            continue; // EPL2 leaves them in
        if (at < data.len && data.ptr[at] == GS)
            whole[n++] = data.ptr[at++];
        if (at == data.len || data.ptr[at] != text.ptr[i]) // of a language that has another text line
            return PL_OK;
        whole[n++] = data.ptr[at++];
    }
    if (!swallowed.first.len)
        return PL_OK;
    memcpy(whole + n, data.ptr + at, data.len - at);
    *out = pl_slice_make(whole, n + data.len - at);
    tell_swallowed(run, index, data, &swallowed);
    return PL_OK;
}

// Printers put a zero before an odd number of digits. Drawing takes it as it is; a host may not find the number.
static void check_even(const struct pl_check_run *run, uint32_t index, struct pl_slice data)
{
    const struct pl_element *e = run->page->drawn.reports[index].element;
    size_t digits = e->barcode.check;
    for (size_t i = 0; i < data.len; i++)
        digits += pl_is_digit(data.ptr[i]);
    if (e->barcode.symbology != PL_SYM_INTERLEAVED_2OF5 || digits % 2 == 0)
        return;
    struct pl_diag *d = pl_check_find(
        run, index, PL_DIAG_BARCODE_DATA, pl_element_data_source(e), 0,
        "Interleaved 2 of 5 has pairs of digits, and there are %zu: a zero is put before them, and scanners send it.",
        digits);
    if (d)
        d->severity = PL_SEV_WARNING;
}

// A number that is wrong as an ITF-14 may be a Leitcode, as one of ten is by chance. GS1's rules do not know it. Others
// have the form of a number by chance, unless a text says what they are.
static enum pl_severity severity_of(const struct pl_check_run *run, const struct pl_rule_result *result,
                                    struct pl_label_words *words)
{
    if (result->unsure && run->document->rules->gs1 != PL_GS1_REQUIRED)
        return pl_check_says_post(run, words) ? PL_SEV_INFO : PL_SEV_WARNING;
    return result->unread || (result->word && !pl_check_says(run, words, result->word)) ? PL_SEV_WARNING : PL_SEV_ERROR;
}

// A rule that holds only for numbers that a text names; and a check character that the symbol adds.
static bool is_meant(const struct pl_check_run *run, const struct pl_barcode *b, const struct pl_rule_result *result,
                     struct pl_label_words *words)
{
    return result->rule != PL_RULE_NUMBER ||
           (!b->check && (!result->by_word || pl_check_says(run, words, result->word)));
}

static void check_rules(const struct pl_check_run *run, uint32_t index, enum pl_check_symbology symbology,
                        struct pl_slice data, struct pl_label_words *words)
{
    const struct pl_element *e = run->page->drawn.reports[index].element;
    struct pl_rule_result result = pl_rules_check(run->document->rules->rules, symbology, data);
    if (result.match == PL_RULE_BROKEN && is_meant(run, &e->barcode, &result, words)) {
        // EAN and UPC of the right length: all that drawing changed is the check digit.
        if (result.rule == PL_RULE_KEY)
            pl_check_drop(run, index, PL_DIAG_BARCODE_DATA);
        struct pl_diag *d =
            pl_check_find(run, index, PL_DIAG_CHECK_DIGIT_WRONG, pl_check_place(run, e, data, result.offset), 0, "%s%s",
                          result.message, result.unsure ? " As a Leitcode of Deutsche Post it is right." : "");
        if (d)
            d->severity = severity_of(run, &result, words);
    }
    // A check digit is added to a GTIN that has one: 16 digits that no scanner takes for a GTIN.
    const struct pl_barcode *b = &e->barcode;
    if (b->symbology == PL_SYM_INTERLEAVED_2OF5 && b->check && data.len == 14 && result.rule == PL_RULE_KEY &&
        result.match == PL_RULE_HOLDS)
        pl_check_find(run, index, PL_DIAG_CHECK_DIGIT_WRONG, pl_element_data_source(e), 0,
                      "The GTIN has its check digit, and %s adds another one: %s.", e->source.command,
                      strcmp(e->source.command, "^B2") == 0 ? "write N as its last parameter"
                                                            : "choose the type without one");
    else
        check_even(run, index, data);
}

// The longest GS1-128, with its quiet zones, and its most characters: GS1 General Specifications, section 5.4.4.3.
#define LONGEST_MM 165.1
enum { CHARACTERS_MOST = 48 };

static void check_length(const struct pl_check_run *run, uint32_t index, size_t characters)
{
    const struct pl_element_report *r = &run->page->drawn.reports[index];
    const struct pl_box zone = r->quiet_zone;
    const double length =
        pl_check_mm(run, pl_is_upright(r->rotation) ? (double)zone.x1 - zone.x0 : (double)zone.y1 - zone.y0);
    char text[PL_FMT_DOUBLE_MAX];
    pl_format_fixed(length, 1, text);
    if (length > LONGEST_MM && !r->cut_length) // a cut is reported
        pl_check_find(run, index, PL_DIAG_LABEL_LAYOUT, r->element->source, length - LONGEST_MM,
                      "The GS1-128 is %s mm long with its quiet zones; 165.1 mm are allowed. Divide its data among "
                      "several barcodes.",
                      text);
    else if (characters > CHARACTERS_MOST)
        pl_check_find(run, index, PL_DIAG_LABEL_LAYOUT, r->element->source, 0,
                      "The GS1-128 has %zu characters; %d are allowed. Divide its data among several barcodes.",
                      characters, CHARACTERS_MOST);
}

static bool has_gs1_form(enum pl_check_symbology symbology)
{
    return symbology == PL_CHECK_CODE128 || symbology == PL_CHECK_DATAMATRIX || symbology == PL_CHECK_QR;
}

static void tell_no_link(const struct pl_check_run *run, uint32_t index, struct pl_slice data)
{
    struct pl_diag *d = pl_check_find(
        run, index, PL_DIAG_GS1_SYNTAX, pl_check_place(run, run->page->drawn.reports[index].element, data, 0), 0,
        "The address is one of GS1's resolver, but no Digital Link: its path has no key, such as /01/ and "
        "a GTIN.");
    if (d)
        d->severity = PL_SEV_WARNING;
}

static enum pl_errc check_symbol(const struct pl_check_run *run, uint32_t index, struct gs1_symbols *symbols,
                                 struct pl_label_words *words)
{
    const struct pl_element_report *r = &run->page->drawn.reports[index];
    const struct pl_barcode *b = &r->element->barcode;
    const struct pl_rule_set *rules = run->document->rules;
    enum pl_check_symbology symbology = pl_check_symbology(r);
    struct pl_symbol_data data;
    if (symbology == PL_CHECK_SYMBOLOGY_COUNT)
        return PL_OK;
    PL_TRY(pl_symbol_data(b, &run->worker->scratch, &data, run->err));
    // Before other findings of GS1 syntax, which must stay: it drops those that the texts beside the symbol gave.
    struct pl_slice whole = data.written;
    if (b->symbology == PL_SYM_CODE128 && b->code128.rule == PL_CODE128_GS1 && rules->gs1 != PL_GS1_NOT_CHECKED)
        PL_TRY(take_brackets(run, index, data.written, &whole));
    pl_check_filled(run, index, &data);
    // EAN and UPC work out their check digit: what counts is the one that the field has.
    check_rules(run, index, symbology, data.written, words);
    if (rules->gs1 == PL_GS1_NOT_CHECKED)
        return PL_OK;
    bool link = pl_check_may_hold_link(symbology) && pl_gs1_is_link(data.data);
    struct pl_slice meant = {0};
    if (!link && pl_check_may_hold_link(symbology))
        PL_TRY(pl_check_lost_scheme(run, index, data.data));
    if (!link && !data.gs1)
        PL_TRY(pl_check_meant_as_gs1(run, index, symbology, data.data, &meant));
    if (meant.len)
        PL_TRY(check_gs1(run, (struct gs1_input){.index = index, .form = PL_GS1_ELEMENTS, .data = meant}, symbols));
    struct pl_slice packed = {0};
    if (!link && pl_check_may_hold_link(symbology))
        PL_TRY(pl_gs1_decompress(data.data, &run->worker->scratch, &packed, run->err));
    if (packed.len)
        PL_TRY(check_gs1(
            run, (struct gs1_input){.index = index, .form = PL_GS1_ELEMENTS, .data = packed, .hidden = packed.len},
            symbols));
    else if (!link && pl_check_may_hold_link(symbology) && pl_gs1_is_at_resolver(data.data))
        tell_no_link(run, index, data.data);
    else if (link)
        PL_TRY(check_gs1(run, (struct gs1_input){.index = index, .form = PL_GS1_LINK, .data = data.data}, symbols));
    else if (data.gs1 || is_databar(symbology)) {
        if (b->symbology != PL_SYM_DATABAR)
            PL_TRY(pl_check_encoded_brackets(run, index, data.data));
        PL_TRY(check_gs1(
            run, (struct gs1_input){.index = index, .form = PL_GS1_ELEMENTS, .data = whole, .hidden = data.hidden},
            symbols));
    } else if (rules->gs1 == PL_GS1_REQUIRED && has_gs1_form(symbology) && pl_rule_set_allows(rules, symbology))
        pl_check_find(run, index, PL_DIAG_SYMBOLOGY_NOT_ALLOWED, r->element->source, 0,
                      "The rules '%s' ask for a GS1 symbol: the data has no FNC1 before it, and is no Digital Link.",
                      rules->name);
    if (symbology == PL_CHECK_GS1_128)
        check_length(run, index, data.data.len);
    if (b->symbology == PL_SYM_DATABAR && b->databar.composite.len)
        PL_TRY(check_gs1(run, (struct gs1_input){.index = index, .form = PL_GS1_ELEMENTS, .data = b->databar.composite},
                         symbols));
    return PL_OK;
}

// Mode D of ^BC adds the check digit of 13 digits: those of an EAN-13 have it already. Of one in ten that are meant
// without a check digit the last is one by chance, so this is a warning, and nothing is said where the first digit is a
// package's that is common (0), or goods with a measure have their 9.
static void check_added_digit(const struct pl_check_run *run, uint32_t index, const struct pl_check_keys *keys)
{
    enum { DIGITS = 13, BEFORE = 4 };
    const struct pl_element *e = run->page->drawn.reports[index].element;
    const struct pl_slice field = e->barcode.data, digits = pl_slice_sub(field, BEFORE, DIGITS);
    if (strcmp(e->source.command, "^BC") != 0 || e->barcode.code128.rule != PL_CODE128_GS1 || digits.len < DIGITS ||
        memcmp(field.ptr, "(01)", BEFORE) != 0 || digits.ptr[0] == '0' || !pl_all_digits(digits) ||
        (field.len > BEFORE + DIGITS && pl_is_digit(field.ptr[BEFORE + DIGITS])) ||
        (digits.ptr[0] == '9' && (keys->measured || keys->left_out)) ||
        pl_gs1_check_digit(pl_slice_sub(digits, 0, DIGITS - 1)) != (char)digits.ptr[DIGITS - 1])
        return;
    struct pl_diag *d =
        pl_check_find(run, index, PL_DIAG_CHECK_DIGIT_WRONG, pl_check_place(run, e, field, BEFORE), 0,
                      "The GTIN has its check digit, and ^BC adds another one: write a zero before it.");
    if (d)
        d->severity = PL_SEV_WARNING;
}

static enum pl_errc tell_all(const struct pl_check_run *run, struct gs1_symbols *symbols)
{
    for (uint32_t i = 0; i < symbols->count && !symbols->left_out; i++) {
        PL_TRY(pl_job_check(&run->document->job, run->err));
        const struct pl_gs1_result *others[GS1_SYMBOLS];
        uint32_t n = 0;
        for (uint32_t k = 0; k < symbols->count; k++)
            if (k != i)
                others[n++] = &symbols->items[k]->result;
        PL_TRY(pl_gs1_check_partners(&symbols->items[i]->result, others, n, &run->worker->scratch, run->err));
    }
    for (uint32_t i = 0; i < symbols->count; i++)
        tell(run, symbols->items[i]);
    return PL_OK;
}

// ---- numbers that must agree

static enum pl_errc compare_attributes(const struct pl_check_run *run, const struct gs1_symbols *symbols)
{
    struct pl_check_symbol list[GS1_SYMBOLS];
    for (uint32_t i = 0; i < symbols->count; i++) {
        const uint32_t index = symbols->items[i]->input.index;
        list[i] = (struct pl_check_symbol){index, pl_check_symbology(&run->page->drawn.reports[index]),
                                           &symbols->items[i]->result};
    }
    return pl_check_attributes(run, list, symbols->count);
}

static void add_gs1_keys(const struct pl_check_run *run, const struct gs1_symbols *symbols, struct pl_check_keys *keys)
{
    for (uint32_t i = 0; i < symbols->count; i++)
        for (uint32_t k = 0; k < symbols->items[i]->result.element_count; k++) {
            const struct pl_gs1_element *e = &symbols->items[i]->result.elements[k];
            const uint32_t index = symbols->items[i]->input.index;
            pl_check_keys_add_element(keys, index, pl_check_symbology(&run->page->drawn.reports[index]), e->ai,
                                      e->value);
        }
}

// The shipper and the number of a UPS parcel, which the 1Z number and the MaxiCode both have: 1Z, shipper (6), service
// (2), number (8); in the MaxiCode GS 1Z number GS UPSN GS shipper. Empty: it is neither.
static enum pl_errc parcel_of(const struct pl_check_run *run, enum pl_check_symbology symbology, struct pl_slice d,
                              struct pl_slice *out)
{
    enum { SHIPPER = 6, NUMBER = 8, TRACKING = 18, SENT = NUMBER + 6 + SHIPPER };
    static const char START[] = {0x1D, '1', 'Z'}, CARRIER[] = {0x1D, 'U', 'P', 'S', 'N', 0x1D};
    const uint8_t *shipper, *number;
    if (symbology == PL_CHECK_CODE128 && d.len == TRACKING && d.ptr[0] == '1' && d.ptr[1] == 'Z') {
        shipper = d.ptr + 2;
        number = d.ptr + 10;
    } else {
        const uint8_t *sent = symbology == PL_CHECK_MAXICODE ? memmem(d.ptr, d.len, START, sizeof START) : NULL;
        if (!sent || (size_t)(d.ptr + d.len - sent) < sizeof START + SENT ||
            memcmp(sent + sizeof START + NUMBER, CARRIER, sizeof CARRIER) != 0)
            return PL_OK;
        number = sent + sizeof START;
        shipper = number + NUMBER + sizeof CARRIER;
    }
    uint8_t *key = (uint8_t *)pl_arena_alloc(&run->worker->scratch, SHIPPER + NUMBER, 1);
    if (!key)
        return pl_fail_memory(run->err);
    memcpy(key, shipper, SHIPPER);
    memcpy(key + SHIPPER, number, NUMBER);
    *out = pl_slice_make(key, SHIPPER + NUMBER);
    return PL_OK;
}

// Of symbols that hold nothing but a number: EAN, UPC and ITF-14; for UPS the tracking number, of a MaxiCode its end.
static enum pl_errc add_plain_keys(const struct pl_check_run *run, struct pl_check_keys *keys)
{
    const bool ups = (run->document->rules->rules & PL_RULE_UPS_MAXICODE) != 0;
    bool tracking = false, maxicode = false;
    uint32_t first = 0;
    for (uint32_t i = 0; i < run->page->drawn.report_count; i++) {
        const struct pl_element_report *r = &run->page->drawn.reports[i];
        if (r->part_count == 0)
            continue;
        const enum pl_check_symbology symbology = pl_check_symbology(r);
        struct pl_symbol_data data;
        PL_TRY(pl_symbol_data(&r->element->barcode, &run->worker->scratch, &data, run->err));
        struct pl_slice d = data.written;
        PL_TRY(pl_check_keys_add_item(run, keys, i, d));
        if (!ups)
            continue;
        maxicode = maxicode || symbology == PL_CHECK_MAXICODE;
        struct pl_slice parcel = {0};
        PL_TRY(parcel_of(run, symbology, d, &parcel));
        if (parcel.len && symbology == PL_CHECK_MAXICODE) {
            pl_check_keys_add(
                keys, (struct pl_check_key){.digits = parcel, .index = i, .kind = PL_KEY_PARCEL, .marked = true});
        } else if (parcel.len) {
            pl_check_keys_add(keys, (struct pl_check_key){.digits = parcel, .index = i, .kind = PL_KEY_PARCEL});
            first = tracking ? first : i;
            tracking = true;
        }
    }
    if (tracking && !maxicode)
        pl_check_find(run, first, PL_DIAG_SYMBOL_MISSING, run->page->drawn.reports[first].element->source, 0,
                      "A UPS label with a 1Z tracking number has a MaxiCode, and this one has none.");
    return PL_OK;
}

static void tell_left_out(const struct pl_check_run *run)
{
    run->page->diags.element = -1;
    pl_diag_add(
        &run->page->diags, PL_DIAG_NOT_COMPARED, run->document->scene.labels[run->page->label].source, 0,
        "The label has so many barcodes that their numbers are not all compared, and its layout is not checked.");
}

enum pl_errc pl_check_data(const struct pl_check_run *run)
{
    struct gs1_symbols symbols = {.count = 0};
    struct pl_label_words words = {.asked = false};
    struct pl_arena_mark mark = pl_arena_mark(&run->worker->scratch);
    for (uint32_t i = 0; i < run->page->drawn.report_count; i++) {
        if (run->page->drawn.reports[i].part_count == 0)
            continue;
        PL_TRY(pl_job_check(&run->document->job, run->err));
        PL_TRY(check_symbol(run, i, &symbols, &words));
    }
    PL_TRY(tell_all(run, &symbols));
    struct pl_check_keys *keys = PL_ARENA_NEW(&run->worker->scratch, struct pl_check_keys);
    if (!keys)
        return pl_fail_memory(run->err);
    keys->left_out = symbols.left_out;
    add_gs1_keys(run, &symbols, keys);
    PL_TRY(add_plain_keys(run, keys));
    PL_TRY(pl_check_graphics(run, keys));
    for (uint32_t i = 0; i < symbols.count; i++)
        check_added_digit(run, symbols.items[i]->input.index, keys);
    if (keys->left_out)
        tell_left_out(run);
    pl_check_keys_compare(run, keys);
    PL_TRY(compare_attributes(run, &symbols));
    pl_check_tags(run, keys);
    PL_TRY(pl_check_logistic_label(run, keys));
    pl_arena_release(&run->worker->scratch, mark);
    return PL_OK;
}
