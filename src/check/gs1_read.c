// Reads GS1 element strings and the form with brackets, and checks each element.
#include <stdarg.h>
#include <stdio.h>

#include "check/gs1_internal.h"

#define GS 0x1D

void pl_gs1_report(struct pl_gs1_reader *r, enum pl_gs1_code code, size_t offset, const char *ai, const char *fmt, ...)
{
    if (r->out->finding_count >= PL_GS1_MAX_FINDINGS) {
        r->out->dropped++;
        return;
    }
    char text[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    struct pl_gs1_finding *f = &r->out->findings[r->out->finding_count];
    *f = (struct pl_gs1_finding){.code = code, .offset = (uint32_t)offset};
    snprintf(f->ai, sizeof f->ai, "%s", ai);
    f->message = ai[0] ? pl_arena_printf(r->arena, "(%s): %s.", ai, text) : pl_arena_printf(r->arena, "%s.", text);
    if (f->message)
        r->out->finding_count++;
    else
        r->short_of_memory = true;
}

struct pl_gs1_element *pl_gs1_add_element(struct pl_gs1_reader *r, const struct pl_gs1_identifier *row,
                                          struct pl_slice ai)
{
    if (r->out->element_count >= PL_GS1_MAX_ELEMENTS) {
        r->out->dropped++;
        return NULL;
    }
    struct pl_gs1_element *e = &r->out->elements[r->out->element_count++];
    *e = (struct pl_gs1_element){.row = row};
    memcpy(e->ai, ai.ptr, ai.len < 4 ? ai.len : 4);
    return e;
}

static bool in_set(char set, uint8_t c)
{
    switch (set) {
    case 'N':
        return pl_is_digit(c);
    case 'Y':
        return pl_is_digit(c) || pl_is_upper(c) || c == '#' || c == '-' || c == '/';
    case 'Z':
        return pl_is_digit(c) || pl_is_letter(c) || c == '-' || c == '_' || c == '=';
    default:
        return pl_gs1_index82(c) >= 0;
    }
}

static const char *set_name(char set)
{
    return set == 'N'   ? "only digits are allowed here"
           : set == 'Y' ? "only digits, capital letters, #, - and / are allowed here"
           : set == 'Z' ? "only the characters of base64url are allowed here"
                        : "the character is not in GS1's set of 82";
}

// Where byte `at` of the value was written in the input.
static size_t offset_of(const struct pl_gs1_reader *r, const struct pl_gs1_element *e, size_t at)
{
    if (!e->percent)
        return e->offset + at;
    size_t offset = e->offset, end = (size_t)e->offset + e->length;
    for (; at > 0 && offset < end; at--)
        offset += r->data.ptr[offset] == '%' ? 3 : 1;
    return offset;
}

// Base64 may be filled up with up to two signs, which GS1's engine takes only to a multiple of three characters.
static bool is_filled_up(struct pl_slice data)
{
    size_t digits = data.len;
    while (digits > 0 && data.ptr[digits - 1] == '=')
        digits--;
    const bool inside = digits > 0 && memchr(data.ptr, '=', digits);
    return !inside && (digits == data.len || (data.len - digits <= 2 && data.len % 3 == 0));
}

static void check_part(struct pl_gs1_reader *r, const struct pl_gs1_element *e, const struct pl_gs1_part *part,
                       size_t start, struct pl_slice data)
{
    for (size_t i = 0; i < data.len; i++)
        if (!in_set(part->set, data.ptr[i])) {
            pl_gs1_report(r, PL_GS1_E_CHARACTER, offset_of(r, e, start + i), e->ai, "%s", set_name(part->set));
            return;
        }
    if (part->set == 'Z' && !is_filled_up(data)) {
        const uint8_t *sign = memchr(data.ptr, '=', data.len);
        pl_gs1_report(r, PL_GS1_E_CHARACTER, offset_of(r, e, start + (size_t)(sign - data.ptr)), e->ai,
                      "= is allowed only at the end, up to two of them, which fill it up to a multiple of three");
        return;
    }
    for (size_t i = 0; i < PL_GS1_PART_LINTS && part->lints[i]; i++) {
        struct pl_gs1_fault f = pl_gs1_lint((enum pl_gs1_lint)part->lints[i], data);
        if (!f.message)
            continue;
        size_t at = offset_of(r, e, start + f.at);
        const char *hole = strstr(f.message, "%s");
        if (hole)
            pl_gs1_report(r, f.code, at, e->ai, "%.*s%s%s", (int)(hole - f.message), f.message, f.detail, hole + 2);
        else
            pl_gs1_report(r, f.code, at, e->ai, "%s", f.message);
        return;
    }
}

static size_t least_of(const struct pl_gs1_identifier *row)
{
    size_t least = 0;
    for (size_t i = 0; i < PL_GS1_PARTS; i++)
        least += row->parts[i].optional ? 0 : row->parts[i].min;
    return least;
}

static size_t most_of(const struct pl_gs1_identifier *row)
{
    size_t most = 0;
    for (size_t i = 0; i < PL_GS1_PARTS; i++)
        most += row->parts[i].max;
    return most;
}

void pl_gs1_check_element(struct pl_gs1_reader *r, const struct pl_gs1_element *e)
{
    size_t at = 0, least = least_of(e->row), most = most_of(e->row);
    for (size_t i = 0; i < PL_GS1_PARTS && e->row->parts[i].set; i++) {
        const struct pl_gs1_part *part = &e->row->parts[i];
        struct pl_slice data = pl_slice_sub(e->value, at, part->max);
        if (data.len == 0 && part->optional)
            break;
        if (data.len < part->min) {
            pl_gs1_report(r, PL_GS1_E_TOO_SHORT, offset_of(r, e, e->value.len), e->ai,
                          least == most ? "%zu characters are required, and there are %zu"
                                        : "at least %zu characters are required, and there are %zu",
                          at + part->min, e->value.len);
            return;
        }
        check_part(r, e, part, at, data);
        at += data.len;
    }
    if (at < e->value.len)
        pl_gs1_report(r, PL_GS1_E_TOO_LONG, offset_of(r, e, at), e->ai,
                      "at most %zu characters are allowed, and there are %zu", most, e->value.len);
}

// In a Digital Link each has its one place.
static void check_repeated(struct pl_gs1_reader *r, bool link)
{
    for (uint32_t i = 1; i < r->out->element_count; i++) {
        const struct pl_gs1_element *e = &r->out->elements[i];
        for (uint32_t k = 0; k < i; k++) {
            const struct pl_gs1_element *before = &r->out->elements[k];
            const bool same = pl_slice_eq(before->value, e->value);
            if (strcmp(before->ai, e->ai) != 0 || (same && !link))
                continue;
            pl_gs1_report(r, PL_GS1_E_REPEATED, e->ai_offset, e->ai,
                          same ? "a Digital Link has it once, and it is there twice"
                               : "it is there twice, with different data");
            break;
        }
    }
}

static void take_value(struct pl_gs1_reader *r, struct pl_gs1_element *e, size_t ai_offset, size_t start, size_t end)
{
    e->ai_offset = (uint32_t)ai_offset;
    e->offset = (uint32_t)start;
    e->length = (uint32_t)(end - start);
    e->value = pl_slice_sub(r->data, start, end - start);
    pl_gs1_check_element(r, e);
}

static void read_elements(struct pl_gs1_reader *r)
{
    struct pl_slice data = r->data;
    size_t at = data.len && data.ptr[0] == GS ? 1 : 0, length;
    if (at == data.len)
        pl_gs1_report(r, PL_GS1_E_SYNTAX, at, "", "There is no element");
    while (at < data.len) {
        if (data.ptr[at] == GS) {
            pl_gs1_report(r, PL_GS1_E_SEPARATOR, at, "", "A separator is followed by another one");
            at++;
            continue;
        }
        struct pl_slice rest = pl_slice_sub(data, at, data.len);
        const struct pl_gs1_identifier *row = pl_gs1_find_prefix(rest, &length);
        if (!row) {
            // What follows cannot be told apart, since the length is not known: only a separator helps.
            pl_gs1_report(r, PL_GS1_E_UNKNOWN_IDENTIFIER, at, "", "No application identifier begins here");
            const uint8_t *gs = memchr(rest.ptr, GS, rest.len);
            if (!gs)
                return;
            at += (size_t)(gs - rest.ptr) + 1;
            continue;
        }
        struct pl_gs1_element *e = pl_gs1_add_element(r, row, pl_slice_sub(rest, 0, length));
        if (!e)
            return;
        size_t start = at + length, end = start, limit = data.len;
        if (row->flags & PL_GS1_PREDEFINED && start + most_of(row) < limit)
            limit = start + most_of(row);
        while (end < limit && data.ptr[end] != GS)
            end++;
        take_value(r, e, at, start, end);
        at = end;
        if (at < data.len && data.ptr[at] == GS && ++at == data.len)
            pl_gs1_report(r, PL_GS1_E_SEPARATOR, at - 1, e->ai, "no separator belongs behind the last element");
    }
}

// The digits in a bracket at `at`: their number, or 0 where there is none.
static size_t bracket(struct pl_slice data, size_t at)
{
    size_t n = 0;
    if (at >= data.len || data.ptr[at] != '(')
        return 0;
    while (at + 1 + n < data.len && n < 5 && pl_is_digit(data.ptr[at + 1 + n]))
        n++;
    return n >= 2 && n <= 4 && at + 1 + n < data.len && data.ptr[at + 1 + n] == ')' ? n : 0;
}

static size_t separator(struct pl_slice data, size_t at)
{
    if (at < data.len && data.ptr[at] == GS)
        return 1;
    return at + 1 < data.len && data.ptr[at] == '>' && data.ptr[at + 1] == '8' &&
                   (at + 2 == data.len || bracket(data, at + 2))
               ? 2
               : 0;
}

static void read_brackets(struct pl_gs1_reader *r)
{
    struct pl_slice data = r->data;
    size_t at = separator(data, 0), digits;
    if (at == data.len)
        pl_gs1_report(r, PL_GS1_E_SYNTAX, at, "", "There is no element");
    while (at < data.len) {
        digits = bracket(data, at);
        if (!digits) {
            pl_gs1_report(r, PL_GS1_E_SYNTAX, at, "", "An identifier of two to four digits in brackets is required");
            return;
        }
        size_t start = at + digits + 2, end = start;
        while (end < data.len && !separator(data, end) && !bracket(data, end))
            end++;
        struct pl_slice ai = pl_slice_sub(data, at + 1, digits);
        const struct pl_gs1_identifier *row = pl_gs1_find(ai);
        if (!row) {
            pl_gs1_report(r, PL_GS1_E_UNKNOWN_IDENTIFIER, at + 1, "", "(%.*s) is no application identifier",
                          (int)ai.len, (const char *)ai.ptr);
        } else {
            struct pl_gs1_element *e = pl_gs1_add_element(r, row, ai);
            if (!e)
                return;
            take_value(r, e, at + 1, start, end);
        }
        at = end + separator(data, end);
    }
}

enum pl_errc pl_gs1_check(struct pl_slice data, enum pl_gs1_form form, struct pl_arena *arena,
                          struct pl_gs1_result *out, struct pl_error *err)
{
    struct pl_gs1_reader r = {.data = data, .arena = arena, .out = out};
    out->element_count = out->finding_count = out->dropped = 0;
    if (data.len > UINT32_MAX / 2)
        return pl_fail(err, PL_E_LIMIT, "the data is too long");
    switch (form) {
    case PL_GS1_ELEMENTS:
        read_elements(&r);
        break;
    case PL_GS1_BRACKETS:
        read_brackets(&r);
        break;
    case PL_GS1_LINK:
        pl_gs1_read_link(&r);
        break;
    }
    check_repeated(&r, form == PL_GS1_LINK);
    return r.short_of_memory ? pl_fail_memory(err) : PL_OK;
}
