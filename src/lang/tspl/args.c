// Arguments of commands, as handlers ask for them; counters.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/fmt.h"
#include "base/lengths.h"
#include "lang/tspl/state.h"

struct pl_diag *tspl_note(struct tspl *t, const struct tspl_args *a, enum pl_diag_id id, unsigned parameter,
                          const char *fmt, ...)
{
    if (t->quiet)
        return NULL;
    char text[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return pl_diag_add(t->diags, id, a->source, parameter, "%s", text);
}

double tspl_dpi(const struct tspl *t)
{
    uint32_t dpi = pl_nominal_dpi(t->options->dpmm);
    return dpi ? dpi : t->options->dpmm * 25.4;
}

struct pl_slice tspl_word(const struct tspl_args *a, unsigned i)
{
    struct pl_slice s = i < a->st->count ? a->st->item[i] : (struct pl_slice){0};
    if (s.len >= 2 && s.ptr[0] == '"' && s.ptr[s.len - 1] == '"')
        s = pl_slice_sub(s, 1, s.len - 2);
    return s;
}

bool tspl_is_word(const struct tspl_args *a, unsigned i, const char *word)
{
    return pl_slice_eq_nocase(tspl_word(a, i), pl_slice_cstr(word));
}

bool tspl_is_data(const struct tspl_args *a, unsigned i)
{
    struct pl_slice s = i < a->st->count ? a->st->item[i] : (struct pl_slice){0};
    if (s.len == 0)
        return false;
    uint8_t c = s.ptr[0], last = s.ptr[s.len - 1];
    return c == '"' || c == '@' || c == 0xE2 || last == '$' || last == ')' || last == '"';
}

bool tspl_option(const struct tspl_args *a, unsigned i, char letter, int32_t *out)
{
    struct pl_slice s = i < a->st->count ? a->st->item[i] : (struct pl_slice){0};
    int64_t value;
    if (s.len < 2 || (s.ptr[0] & 0xDF) != letter || !pl_parse_i64(pl_slice_sub(s, 1, s.len), &value))
        return false;
    *out = pl_saturate_i32(value);
    return true;
}

bool tspl_needs(struct tspl *t, const struct tspl_args *a, unsigned count)
{
    if (a->st->count >= count)
        return true;
    tspl_note(t, a, PL_DIAG_PARAMETER_MISSING, a->st->count + 1, "%s needs %u parameter%s and has %u; it was ignored.",
              a->source.command, count, count == 1 ? "" : "s", a->st->count);
    return false;
}

bool tspl_number(struct tspl *t, const struct tspl_args *a, unsigned i, double *out)
{
    if (!tspl_given(a, i))
        return false;
    double plain;
    struct pl_slice s = a->st->item[i];
    if (s.ptr[0] == '+')
        s = pl_slice_sub(s, 1, s.len);
    if (pl_parse_double(s, &plain)) {
        *out = plain;
        return true;
    }
    struct tspl_value value;
    if (tspl_evaluate(t, a->st->item[i], &value)) {
        if (!value.is_text || pl_parse_double(pl_slice_trim(value.text), &value.number)) {
            *out = value.number;
            return true;
        }
    }
    tspl_note(t, a, PL_DIAG_PARAMETER_INVALID, i + 1, "%s: parameter %u is no number: %.*s.", a->source.command, i + 1,
              (int)PL_MIN(a->st->item[i].len, (size_t)40), (const char *)a->st->item[i].ptr);
    return false;
}

bool tspl_int(struct tspl *t, const struct tspl_args *a, unsigned i, int32_t low, int32_t high, int32_t *out)
{
    double value;
    if (!tspl_number(t, a, i, &value))
        return false;
    double near = value < low ? low : value > high ? high : value;
    if (!(near == value)) {
        tspl_note(t, a, PL_DIAG_PARAMETER_RANGE, i + 1, "%s: parameter %u is from %d to %d; %d was used.",
                  a->source.command, i + 1, low, high, (int)near);
    }
    *out = (int32_t)near;
    return true;
}

bool tspl_text(struct tspl *t, const struct tspl_args *a, unsigned i, struct pl_slice *out)
{
    if (i >= a->st->count)
        return false;
    struct pl_slice s = a->st->item[i];
    struct tspl_value value;
    if (s.len > 0 && tspl_evaluate(t, s, &value)) {
        *out = value.is_text ? value.text : s; // a bare number is its digits
        return true;
    }
    tspl_note(t, a, PL_DIAG_PARAMETER_INVALID, i + 1, "%s: parameter %u is no text in quotes; it was taken as it is.",
              a->source.command, i + 1);
    *out = s;
    return s.len > 0;
}

bool tspl_rotation(struct tspl *t, const struct tspl_args *a, unsigned i, enum pl_rotation *out)
{
    double degrees;
    if (!tspl_number(t, a, i, &degrees))
        return false;
    if (degrees != 0 && degrees != 90 && degrees != 180 && degrees != 270) {
        tspl_note(t, a, PL_DIAG_PARAMETER_INVALID, i + 1, "%s: the rotation is 0, 90, 180 or 270; 0 was used.",
                  a->source.command);
        degrees = 0;
    }
    *out = (enum pl_rotation)((int)degrees / 90);
    return true;
}

bool tspl_place(struct tspl *t, const struct tspl_args *a, unsigned i, int32_t *x, int32_t *y)
{
    double px, py;
    if (!tspl_given(a, i) || !tspl_given(a, i + 1)) {
        tspl_note(t, a, PL_DIAG_PARAMETER_MISSING, i + 1, "%s has no place; it was ignored.", a->source.command);
        return false;
    }
    if (!tspl_number(t, a, i, &px) || !tspl_number(t, a, i + 1, &py))
        return false;
    px = fmax(-TSPL_FAR, fmin(TSPL_FAR, px));
    py = fmax(-TSPL_FAR, fmin(TSPL_FAR, py));
    *x = (int32_t)px + t->printer.reference_x + t->printer.shift_x;
    *y = (int32_t)py + t->printer.reference_y + t->printer.shift_y;
    return true;
}

static bool ends_with(struct pl_slice s, const char *unit)
{
    size_t n = strlen(unit);
    return s.len > n && pl_slice_eq_nocase(pl_slice_sub(s, s.len - n, n), pl_slice_cstr(unit));
}

bool tspl_length(struct tspl *t, const struct tspl_args *a, unsigned i, double *out)
{
    if (!tspl_given(a, i))
        return false;
    struct pl_slice s = a->st->item[i];
    double unit = tspl_dpi(t), value;
    size_t cut = 0;
    if (ends_with(s, "mm")) {
        unit /= 25.4;
        cut = 2;
    } else if (ends_with(s, "dots") || ends_with(s, "dot")) {
        unit = 1;
        cut = ends_with(s, "dots") ? 4 : 3;
    } else if (ends_with(s, "inch") || ends_with(s, "in")) {
        cut = ends_with(s, "inch") ? 4 : 2;
    }
    struct tspl_statement one = {.count = 1, .item = {pl_slice_trim(pl_slice_sub(s, 0, s.len - cut))}};
    struct tspl_args argument = {a->row, &one, a->source};
    if (!tspl_number(t, &argument, 0, &value))
        return false;
    *out = fmax(-TSPL_FAR, fmin(TSPL_FAR, value * unit));
    return true;
}

// ---- counters

bool tspl_counter_add(struct tspl *t, struct tspl_counter *counter, int64_t times)
{
    int64_t by;
    if (counter->step == 0 || times == 0 || counter->value.len == 0)
        return true;
    if (!PL_CKD_MUL(&by, counter->step, times))
        return true;
    uint8_t *text = pl_arena_copy(t->arena, counter->value.ptr, counter->value.len);
    if (!text) {
        t->no_memory = true;
        return false;
    }
    // Signs between digits and letters stay, and what is carried passes them.
    for (size_t i = counter->value.len; i > 0 && by != 0; i--) {
        uint8_t *c = &text[i - 1];
        uint8_t first = pl_is_digit(*c) ? '0' : *c >= 'a' && *c <= 'z' ? 'a' : *c >= 'A' && *c <= 'Z' ? 'A' : 0;
        if (first == 0)
            continue;
        int64_t range = first == '0' ? 10 : 26, value = *c - first + by % range, carry = by / range;
        if (value < 0) {
            value += range;
            carry--;
        } else if (value >= range) {
            value -= range;
            carry++;
        }
        *c = (uint8_t)(first + value);
        by = carry;
    }
    counter->value = pl_slice_make(text, counter->value.len);
    return true;
}
