// Parameters: splitting, lenient numbers, ranges and choices by the command's row, with diagnostics.
#include "lang/zpl/args.h"

#include <string.h>

#include "base/fmt.h"

static bool is_space(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool zpl_arg_given(const struct zpl_args *a, unsigned i)
{
    // As pl_slice_trim sees it: whoever asks takes the first byte of what is left.
    return i < a->count && pl_slice_trim(a->item[i]).len > 0;
}

// Does a number begin there: a digit, or a sign or point before one?
static bool begins_number(struct pl_slice s, size_t i)
{
    bool sign = s.ptr[i] == '-' || s.ptr[i] == '+';
    if (pl_is_digit(s.ptr[i]))
        return true;
    if ((sign || s.ptr[i] == '.') && i + 1 < s.len && pl_is_digit(s.ptr[i + 1]))
        return true;
    return s.ptr[i] == '-' && i + 2 < s.len && s.ptr[i + 1] == '.';
}

bool zpl_parse_number(struct pl_slice s, int64_t *ten_thousandths, bool *clean)
{
    static const int64_t LIMIT = INT64_C(100000000000);
    size_t i = 0;
    *clean = true;
    for (; i < s.len && !begins_number(s, i); i++)
        *clean = *clean && is_space(s.ptr[i]);
    if (i == s.len)
        return false;
    bool negative = s.ptr[i] == '-';
    if (s.ptr[i] == '-' || s.ptr[i] == '+')
        i++;
    int64_t whole = 0;
    for (; i < s.len; i++) {
        uint8_t c = s.ptr[i];
        if (pl_is_digit(c))
            whole = whole > LIMIT ? whole : whole * 10 + (c - '0');
        else if (c != '\r' && c != '\n' && c != '\t')
            break;
    }
    int64_t value = whole * 10000;
    if (i < s.len && s.ptr[i] == '.') {
        int64_t unit = 1000;
        for (i++; i < s.len && pl_is_digit(s.ptr[i]); i++, unit /= 10)
            value += unit * (s.ptr[i] - '0');
    }
    for (; i < s.len; i++)
        *clean = *clean && is_space(s.ptr[i]);
    *ten_thousandths = negative ? -value : value;
    return true;
}

// A length in the unit of ^MU to dots, rounded half away from zero, as Labelary rounds 81.5 dots to 82.
int32_t zpl_scale_dots(const struct zpl *z, int64_t v)
{
    const struct zpl_printer *pr = &z->printer;
    if (pr->unit_plain)
        return pl_clamp_i32((v < 0 ? v - 5000 : v + 5000) / 10000, -10000000, 10000000);
    bool negative = v < 0;
    // Far beyond any label; keeps the products below 2^63.
    int64_t dots = pl_clamp_i64(negative ? -v : v, 0, INT64_C(100000000000));
    int64_t divisor = 10000, dots_per_metre = (int64_t)(z->options->dpmm * 1000 + 0.5);
    if (pr->unit == 'I') {
        dots *= 254 * dots_per_metre;
        divisor *= 10000;
    } else if (pr->unit == 'M') {
        dots *= dots_per_metre;
        divisor *= 1000;
    } else {
        dots *= pr->unit_to;
        divisor *= pr->unit_from;
    }
    dots = (dots + divisor / 2) / divisor;
    return pl_clamp_i32(negative ? -dots : dots, -10000000, 10000000);
}

static void report_choice(struct zpl *z, const struct zpl_args *a, unsigned i, const char *name, const char *text,
                          const char *values)
{
    char list[96];
    size_t n = 0;
    for (const char *v = values; *v && n + 6 < sizeof(list); v++) {
        if (v > values) {
            memcpy(list + n, v[1] ? ", " : " or ", v[1] ? 2 : 4);
            n += v[1] ? 2 : 4;
        }
        list[n++] = *v;
    }
    list[n] = '\0';
    pl_diag_add(z->diags, PL_DIAG_PARAMETER_INVALID, a->source, i + 1, "%s: %s '%s' is not %s; it was ignored.",
                a->source.command, name, text, list);
}

// In the linter's words, with the place of the value.
static void lint_range(struct zpl *z, const struct zpl_args *a, unsigned i, int64_t value, int64_t used, int64_t min,
                       int64_t max)
{
    struct pl_slice s = pl_slice_trim(a->item[i]), text = z->lex.text;
    struct pl_source source = a->source;
    if (z->lex.mapped && s.ptr >= text.ptr && s.ptr + s.len <= text.ptr + text.len) {
        source.offset = z->lex.origin + (uint32_t)(s.ptr - text.ptr);
        source.length = (uint32_t)s.len;
    }
    pl_diag_add(z->diags, PL_DIAG_PARAMETER_RANGE, source, i + 1, "Value %lld is %s value %lld; used %lld instead",
                (long long)value, value < min ? "less than minimum" : "greater than maximum",
                (long long)(value < min ? min : max), (long long)used);
}

static void report(struct zpl *z, const struct zpl_args *a, unsigned i, enum pl_diag_id id, int64_t used)
{
    struct pl_slice s = pl_slice_trim(a->item[i]);
    int shown = s.len < 24 ? (int)s.len : 24;
    char text[25];
    for (int k = 0; k < shown; k++)
        text[k] = (char)(s.ptr[k] >= 0x20 && s.ptr[k] < 0x7F ? s.ptr[k] : '?');
    text[shown] = '\0';
    const struct pl_lang_param *p = i < a->row->info.param_count ? &a->row->info.params[i] : NULL;
    const char *name = p ? p->name : "parameter";
    if (id == PL_DIAG_PARAMETER_RANGE && used == INT64_MIN)
        pl_diag_add(z->diags, id, a->source, i + 1, "%s: %s '%s' is outside %d to %d; the default was used.",
                    a->source.command, name, text, p ? p->min : 0, p ? p->max : 0);
    else if (id == PL_DIAG_PARAMETER_RANGE)
        pl_diag_add(z->diags, id, a->source, i + 1, "%s: %s '%s' is outside %d to %d; %lld was used.",
                    a->source.command, name, text, p ? p->min : 0, p ? p->max : 0, (long long)used);
    else if (p && p->type == PL_LANG_CHOICE)
        report_choice(z, a, i, name, text, p->values);
    else if (used == INT64_MIN)
        pl_diag_add(z->diags, id, a->source, i + 1, "%s: %s '%s' is not a number; the default was used.",
                    a->source.command, name, text);
    else
        pl_diag_add(z->diags, id, a->source, i + 1, "%s: %s '%s' is not a clean number; it was read as %lld.",
                    a->source.command, name, text, (long long)used);
}

// Reads a number and says whether it is within the row's range; false: missing or no number.
static bool read_int(struct zpl *z, const struct zpl_args *a, unsigned i, int64_t *out, bool *in_range)
{
    if (i >= a->count || a->item[i].len == 0)
        return false;
    const struct pl_lang_param *p = &a->row->info.params[i];
    struct pl_slice s = a->item[i];
    bool plain = p->type != PL_LANG_DOTS || z->printer.unit_plain;
    if (s.len <= 5 && plain) {
        // Nearly all parameters: a few digits and nothing else.
        size_t k = 0;
        int64_t digits = 0;
        while (k < s.len && (uint8_t)(s.ptr[k] - '0') <= 9)
            digits = digits * 10 + (s.ptr[k++] - '0');
        if (k == s.len) {
            *out = digits;
            *in_range = digits >= p->min && digits <= p->max;
            return true;
        }
    }
    int64_t v = 0;
    bool clean = true;
    if (!zpl_parse_number(s, &v, &clean)) {
        if (zpl_arg_given(a, i))
            report(z, a, i, PL_DIAG_PARAMETER_INVALID, INT64_MIN);
        return false;
    }
    // Where nothing can be negative the sign may be rubbish before the number.
    if (v < 0 && p->min >= 0 && z->profile->minus_is_rubbish) {
        v = -v;
        clean = false;
    }
    *out = p->type == PL_LANG_DOTS ? zpl_scale_dots(z, v) : v / 10000;
    if (!clean)
        report(z, a, i, PL_DIAG_PARAMETER_INVALID, *out);
    *in_range = *out >= p->min && *out <= p->max;
    return true;
}

bool zpl_arg_int(struct zpl *z, const struct zpl_args *a, unsigned i, int32_t *out)
{
    int64_t value;
    bool in_range;
    if (!read_int(z, a, i, &value, &in_range))
        return false;
    if (!in_range) {
        const struct pl_lang_param *p = &a->row->info.params[i];
        int64_t used = pl_clamp_i64(value, p->min, p->max);
        if (z->options->linter)
            lint_range(z, a, i, value, used, p->min, p->max);
        else
            report(z, a, i, PL_DIAG_PARAMETER_RANGE, used);
        value = used;
    }
    *out = (int32_t)value;
    return true;
}

bool zpl_arg_int_least(struct zpl *z, const struct zpl_args *a, unsigned i, int32_t min, int32_t *out)
{
    if (!zpl_arg_int(z, a, i, out))
        return false;
    if (*out < min && z->options->linter)
        lint_range(z, a, i, *out, min, min, a->row->info.params[i].max);
    *out = PL_MAX(*out, min);
    return true;
}

bool zpl_arg_int_strict(struct zpl *z, const struct zpl_args *a, unsigned i, int32_t *out)
{
    int64_t value;
    bool in_range;
    if (!read_int(z, a, i, &value, &in_range))
        return false;
    if (!in_range) {
        const struct pl_lang_param *p = &a->row->info.params[i];
        if (z->options->linter)
            lint_range(z, a, i, value, *out, p->min, p->max);
        else
            report(z, a, i, PL_DIAG_PARAMETER_RANGE, INT64_MIN);
        return false;
    }
    *out = (int32_t)value;
    return true;
}

bool zpl_arg_tenths(struct zpl *z, const struct zpl_args *a, unsigned i, int32_t *out)
{
    if (!zpl_arg_given(a, i))
        return false;
    int64_t v;
    bool clean;
    if (!zpl_parse_number(a->item[i], &v, &clean)) {
        report(z, a, i, PL_DIAG_PARAMETER_INVALID, INT64_MIN);
        return false;
    }
    const struct pl_lang_param *p = &a->row->info.params[i];
    int64_t tenths = v / 1000;
    if (tenths < p->min * 10 || tenths > p->max * 10) {
        tenths = pl_clamp_i64(tenths, (int64_t)p->min * 10, (int64_t)p->max * 10);
        report(z, a, i, PL_DIAG_PARAMETER_RANGE, tenths / 10);
    }
    *out = (int32_t)tenths;
    return true;
}

bool zpl_arg_choice(struct zpl *z, const struct zpl_args *a, unsigned i, char *out)
{
    if (i >= a->count)
        return false;
    struct pl_slice s = a->item[i];
    size_t k = 0;
    while (k < s.len && is_space(s.ptr[k]))
        k++;
    if (k == s.len)
        return false;
    uint8_t c = s.ptr[k];
    if (pl_is_lower(c))
        c = (uint8_t)(c - 32);
    if (c == 0 || c > 0x7E || !strchr(a->row->info.params[i].values, c)) {
        report(z, a, i, PL_DIAG_PARAMETER_INVALID, 0);
        return false;
    }
    *out = (char)c;
    return true;
}

bool zpl_arg_flag(struct zpl *z, const struct zpl_args *a, unsigned i, bool *out)
{
    char c;
    if (!zpl_arg_choice(z, a, i, &c))
        return false;
    *out = c == 'Y' || c == '1';
    return true;
}

bool zpl_arg_rotation(struct zpl *z, const struct zpl_args *a, unsigned i, enum pl_rotation *out)
{
    char c;
    if (!zpl_arg_choice(z, a, i, &c))
        return false;
    *out = c == 'R' ? PL_ROT_R : c == 'I' ? PL_ROT_I : c == 'B' ? PL_ROT_B : PL_ROT_N;
    return true;
}

bool zpl_arg_object(struct zpl *z, const struct zpl_args *a, unsigned i, const char *default_name,
                    const char *default_ext, struct pl_object_name *out)
{
    struct pl_slice s = i < a->count ? a->item[i] : pl_slice_make(NULL, 0);
    bool given = i < a->count && zpl_arg_given(a, i);
    if (!pl_object_name_parse(s, default_name, default_ext, out))
        pl_diag_add(z->diags, PL_DIAG_PARAMETER_INVALID, a->source, i + 1,
                    "%s: the object name was read as '%s'; names have up to %d letters and digits.", a->source.command,
                    out->name, PL_STORE_NAME_MAX);
    // ^CM: the letter that the format uses to the drive that it stands for.
    for (int k = 0; k < 4 && out->drive; k++) {
        if (z->printer.drive_names[k] == out->drive) {
            out->drive = "BERA"[k];
            break;
        }
    }
    return given;
}

void zpl_args_into(struct zpl *z, const struct zpl_args *a, unsigned first, const struct zpl_member *members,
                   size_t count, void *out)
{
    for (unsigned i = 0; i < count; i++) {
        void *member = (char *)out + members[i].offset;
        int32_t *number = member;
        switch ((enum zpl_member_kind)members[i].kind) {
        case ZPL_NUMBER:
            zpl_arg_int(z, a, first + i, number);
            break;
        case ZPL_NOT_ZERO:
            if (zpl_arg_int(z, a, first + i, number) && *number == 0)
                *number = -1;
            break;
        case ZPL_TENTHS:
            zpl_arg_tenths(z, a, first + i, number);
            break;
        case ZPL_FLAG:
            zpl_arg_flag(z, a, first + i, member);
            break;
        case ZPL_LETTER:
            zpl_arg_choice(z, a, first + i, member);
            break;
        case ZPL_NO_MEMBER:
            break;
        }
    }
}
