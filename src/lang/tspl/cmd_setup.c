// Commands that set the printer up: label size, origin, direction, code page, SET.
#include <math.h>

#include "base/fmt.h"
#include "lang/tspl/cmd_table.h"

// A length in whole dots that is not negative; 0: none.
static uint32_t side(double dots)
{
    return dots > 0 ? (uint32_t)(dots + 0.5) : 0;
}

enum pl_errc tspl_cmd_size(struct tspl *t, const struct tspl_args *a)
{
    double width, length;
    if (!tspl_needs(t, a, 1) || !tspl_length(t, a, 0, &width))
        return PL_OK;
    if (side(width) == 0)
        return PL_REPORTED(
            tspl_note(t, a, PL_DIAG_PARAMETER_RANGE, 1, "SIZE: the label has no width; the size stays as it was."));
    t->printer.width = side(width);
    // One value alone sets the width (newer firmware).
    if (tspl_length(t, a, 1, &length))
        t->printer.length = side(length);
    return PL_OK;
}

enum pl_errc tspl_cmd_gap(struct tspl *t, const struct tspl_args *a)
{
    double gap = 0, offset = 0;
    if (!tspl_needs(t, a, 1) || !tspl_length(t, a, 0, &gap))
        return PL_OK;
    (void)tspl_length(t, a, 1, &offset);
    t->printer.gap = (int32_t)lround(gap);
    t->printer.gap_offset = (int32_t)lround(offset);
    t->printer.black_mark = a->row->kind;
    t->printer.gap_given = true;
    return PL_OK;
}

enum pl_errc tspl_cmd_offset(struct tspl *t, const struct tspl_args *a)
{
    double offset;
    if (tspl_needs(t, a, 1) && tspl_length(t, a, 0, &offset))
        t->printer.offset = (int32_t)lround(offset);
    return PL_OK;
}

enum pl_errc tspl_cmd_speed(struct tspl *t, const struct tspl_args *a)
{
    double speed;
    if (tspl_needs(t, a, 1) && tspl_number(t, a, 0, &speed))
        t->printer.speed_tenths = (int32_t)(fmax(0, fmin(25, speed)) * 10 + 0.5);
    return PL_OK;
}

enum pl_errc tspl_cmd_density(struct tspl *t, const struct tspl_args *a)
{
    if (tspl_needs(t, a, 1))
        (void)tspl_int(t, a, 0, 0, 15, &t->printer.density);
    return PL_OK;
}

enum pl_errc tspl_cmd_direction(struct tspl *t, const struct tspl_args *a)
{
    int32_t mirror = 0;
    double direction = 0;
    if (!tspl_needs(t, a, 1) || !tspl_number(t, a, 0, &direction))
        return PL_OK;
    if (direction != 0 && direction != 1)
        tspl_note(t, a, PL_DIAG_PARAMETER_INVALID, 1, "DIRECTION is 0 or 1; the label is shown upright either way.");
    t->printer.mirrored = tspl_int(t, a, 1, 0, 1, &mirror) && mirror == 1;
    return PL_OK;
}

enum pl_errc tspl_cmd_reference(struct tspl *t, const struct tspl_args *a)
{
    if (!tspl_needs(t, a, 2))
        return PL_OK;
    (void)tspl_int(t, a, 0, -TSPL_FAR, TSPL_FAR, &t->printer.reference_x);
    (void)tspl_int(t, a, 1, -TSPL_FAR, TSPL_FAR, &t->printer.reference_y);
    return PL_OK;
}

enum pl_errc tspl_cmd_shift(struct tspl *t, const struct tspl_args *a)
{
    int32_t inch = (int32_t)tspl_dpi(t);
    bool both = tspl_given(a, 1);
    if (!tspl_needs(t, a, 1))
        return PL_OK;
    t->printer.shift_x = 0;
    if (both)
        (void)tspl_int(t, a, 0, -inch, inch, &t->printer.shift_x);
    (void)tspl_int(t, a, both, -inch, inch, &t->printer.shift_y);
    return PL_OK;
}

enum pl_errc tspl_cmd_codepage(struct tspl *t, const struct tspl_args *a)
{
    if (!tspl_needs(t, a, 1))
        return PL_OK;
    struct pl_slice name = tspl_word(a, 0);
    const struct pl_charset *page = tspl_codepage_find(name);
    if (page)
        t->printer.page = page;
    else
        tspl_note(t, a, PL_DIAG_UNSUPPORTED, 1, "CODEPAGE: %.*s is not known; the code page stays as it was.",
                  (int)PL_MIN(name.len, (size_t)40), (const char *)name.ptr);
    return PL_OK;
}

// Words that are separated by blanks, not by commas. Returns how many.
static unsigned split(struct pl_slice s, struct pl_slice *words, unsigned most)
{
    unsigned n = 0;
    for (size_t i = 0; i < s.len && n < most;) {
        while (i < s.len && tspl_is_blank(s.ptr[i]))
            i++;
        size_t from = i;
        while (i < s.len && !tspl_is_blank(s.ptr[i]))
            i++;
        if (i > from)
            words[n++] = pl_slice_sub(s, from, i - from);
    }
    return n;
}

static bool is(struct pl_slice word, const char *name)
{
    return pl_slice_eq_nocase(word, pl_slice_cstr(name));
}

// SET COUNTER @n step
static void set_counter(struct tspl *t, const struct tspl_args *a, struct pl_slice counter, struct pl_slice step)
{
    uint64_t number;
    int64_t by;
    if (step.len > 0 && step.ptr[0] == '+')
        step = pl_slice_sub(step, 1, step.len);
    if (counter.len < 2 || counter.ptr[0] != '@' || !pl_parse_u64(pl_slice_sub(counter, 1, counter.len), &number) ||
        number >= TSPL_COUNTERS || !pl_parse_i64(step, &by) || by < -999999999 || by > 999999999) {
        tspl_note(t, a, PL_DIAG_PARAMETER_INVALID, 0,
                  "SET COUNTER needs a counter from @0 to @%d and a step of up to nine digits; it was ignored.",
                  TSPL_COUNTERS - 1);
        return;
    }
    t->counters[number].step = by;
}

enum pl_errc tspl_cmd_set(struct tspl *t, const struct tspl_args *a)
{
    struct pl_slice words[4] = {0};
    unsigned n = a->st->count > 0 ? split(a->st->item[0], words, PL_COUNTOF(words)) : 0;
    bool off = n > 1 && (is(words[1], "OFF") || is(words[1], "0"));
    if (n >= 3 && is(words[0], "COUNTER"))
        set_counter(t, a, words[1], words[2]);
    else if (n == 0 || is(words[0], "COUNTER"))
        tspl_note(t, a, PL_DIAG_PARAMETER_MISSING, 1, "SET%s has too few parameters; it was ignored.",
                  n ? " COUNTER" : "");
    else if (is(words[0], "PEEL"))
        t->printer.mode = off ? 'T' : 'P';
    else if (is(words[0], "CUTTER") || is(words[0], "PARTIAL_CUTTER"))
        t->printer.mode = off ? 'T' : 'C';
    return PL_OK;
}

enum pl_errc tspl_cmd_initial(struct tspl *t, const struct tspl_args *a)
{
    (void)a;
    tspl_printer_defaults(t);
    for (int i = 0; i < TSPL_COUNTERS; i++)
        t->counters[i] = (struct tspl_counter){0};
    return PL_OK;
}

enum pl_errc tspl_cmd_cls(struct tspl *t, const struct tspl_args *a)
{
    if (t->fresh > 0)
        tspl_note(t, a, PL_DIAG_DATA_DROPPED, 0, "CLS clears an image that was not printed.");
    tspl_clear(t);
    t->image_start = a->source.offset;
    return PL_OK;
}

enum pl_errc tspl_cmd_print(struct tspl *t, const struct tspl_args *a)
{
    double sets = 1;
    int32_t count = 1, copies = 1;
    (void)tspl_int(t, a, 1, 1, 999999999, &copies);
    if (tspl_number(t, a, 0, &sets) && sets == -1)
        return tspl_print_last(t, a->source, (uint64_t)copies);
    if (sets != 1)
        (void)tspl_int(t, a, 0, 1, 999999999, &count);
    return tspl_print(t, a->source, (uint64_t)count, (uint64_t)copies);
}

enum pl_errc tspl_cmd_selftest(struct tspl *t, const struct tspl_args *a)
{
    tspl_note(t, a, PL_DIAG_UNSUPPORTED, 0, "SELFTEST prints a page of the printer's own; it is not shown.");
    return PL_OK;
}
