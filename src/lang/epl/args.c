// Parameters of commands: numbers within the bounds of the table, names in quotes.
#include <math.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "lang/epl/state.h"

bool epl_given(const struct epl_args *a, uint32_t i)
{
    return i < a->token->item_count && a->token->item[i].len > 0;
}

bool epl_read_number(struct pl_slice text, int64_t *out)
{
    size_t at = text.len > 0 && (text.ptr[0] == '-' || text.ptr[0] == '+');
    int64_t value = 0;
    size_t digits = 0;
    for (; at < text.len && text.ptr[at] >= '0' && text.ptr[at] <= '9'; at++, digits++)
        value = PL_MIN(value * 10 + (text.ptr[at] - '0'), (int64_t)1 << 40);
    *out = text.len > 0 && text.ptr[0] == '-' ? -value : value;
    return digits > 0 && at == text.len;
}

bool epl_number(struct epl *e, const struct epl_args *a, uint32_t i, int32_t *out)
{
    if (!epl_given(a, i))
        return false;
    const struct pl_lang_param *p = &a->row->info.params[i];
    int64_t value;
    double fraction;
    if (!epl_read_number(a->token->item[i], &value) && pl_parse_double(a->token->item[i], &fraction) &&
        fabs(fraction) < 1e9) {
        value = (int64_t)fraction;
        pl_diag_add(e->diags, PL_DIAG_PARAMETER_INVALID, a->source, i + 1,
                    "%s: %s is a whole number; its fraction was left out: %.*s.", a->source.command, p->name,
                    (int)PL_MIN(a->token->item[i].len, (size_t)24), (const char *)a->token->item[i].ptr);
    } else if (!epl_read_number(a->token->item[i], &value)) {
        pl_diag_add(e->diags, PL_DIAG_PARAMETER_INVALID, a->source, i + 1, "%s: %s is no number: %.*s.",
                    a->source.command, p->name, (int)PL_MIN(a->token->item[i].len, (size_t)24),
                    (const char *)a->token->item[i].ptr);
        return false;
    }
    *out = pl_clamp_i32(value, p->min, p->max);
    if (*out != value)
        pl_diag_add(e->diags, PL_DIAG_PARAMETER_RANGE, a->source, i + 1,
                    "%s: %s is %lld, but must be from %d to %d; %d was used.", a->source.command, p->name,
                    (long long)value, p->min, p->max, *out);
    return true;
}

bool epl_numbers(struct epl *e, const struct epl_args *a, uint32_t count, int32_t *out)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!epl_given(a, i)) {
            pl_diag_add(e->diags, PL_DIAG_PARAMETER_MISSING, a->source, i + 1, "%s: %s is missing; nothing was drawn.",
                        a->source.command, a->row->info.params[i].name);
            return false;
        }
        if (!epl_number(e, a, i, &out[i]))
            return false;
    }
    return true;
}

bool epl_object_name(struct pl_slice name, const char *ext, struct pl_object_name *out)
{
    *out = (struct pl_object_name){.drive = 'R', .ext_len = (uint8_t)strlen(ext)};
    memcpy(out->ext, ext, out->ext_len);
    size_t length = PL_MIN(name.len, (size_t)PL_STORE_NAME_MAX);
    memcpy(out->name, name.ptr, length);
    out->name_len = (uint8_t)length;
    return length > 0 && length == name.len && !memchr(name.ptr, 0, length);
}

bool epl_name(struct epl *e, const struct epl_args *a, const char *ext, struct pl_object_name *out)
{
    struct pl_slice text = a->token->args;
    const uint8_t *open = text.len ? memchr(text.ptr, '"', text.len) : NULL;
    const uint8_t *close = open ? memchr(open + 1, '"', text.len - (size_t)(open + 1 - text.ptr)) : NULL;
    if (!close || !epl_object_name(pl_slice_make(open + 1, (size_t)(close - open - 1)), ext, out)) {
        pl_diag_add(e->diags, PL_DIAG_PARAMETER_INVALID, a->source, 1,
                    "%s: a name in quotes of 1 to 16 characters is missing; the command was ignored.",
                    a->source.command);
        return false;
    }
    return true;
}
