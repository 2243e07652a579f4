// DATA of A, B and b: texts in quotes, variables, counters, date and time, one behind the other.
#include <stdio.h>

#include "base/ckd.h"
#include "base/date.h"
#include "base/fmt.h"
#include "lang/epl/codes.h"
#include "lang/epl/state.h"

#define LONGEST 65536u // bytes of one field's data

// Bytes with room that was worked out before: what has none is left out.
struct output {
    uint8_t *ptr;
    size_t len, room;
};

static void put_byte(struct output *out, uint8_t byte)
{
    if (out->len < out->room)
        out->ptr[out->len++] = byte;
}

static void put_bytes(struct output *out, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put_byte(out, bytes[i]);
}

static void put_text(struct output *out, const char *text)
{
    put_bytes(out, (const uint8_t *)text, strlen(text));
}

static void put_number(struct output *out, int digits, int32_t number)
{
    char text[16];
    snprintf(text, sizeof text, "%0*d", digits, (int)number);
    put_text(out, text);
}

// A cursor over the expression.
struct reader {
    struct epl *e;
    struct pl_slice in;
    size_t pos;
    bool keep_escapes; // a backslash that is before neither a quote nor a backslash stays
    bool has_pairs;
    uint64_t step;
    bool changes;
    const char *wrong; // what is wrong with it; NULL: nothing
};

static bool at_digit(const struct reader *r, size_t ahead)
{
    return r->pos + ahead < r->in.len && pl_is_digit(r->in.ptr[r->pos + ahead]);
}

// Does a character of two bytes begin here? Its second byte may be a backslash, which escapes nothing then.
static bool at_pair(struct pl_slice s, size_t at)
{
    return at + 1 < s.len && s.ptr[at] > 0x80 && s.ptr[at] < 0xFF && s.ptr[at + 1] >= 0x40;
}

static void read_text(struct reader *r, struct output *out)
{
    for (r->pos++; r->pos < r->in.len; r->pos++) {
        uint8_t c = r->in.ptr[r->pos];
        if (r->has_pairs && at_pair(r->in, r->pos)) {
            put_bytes(out, r->in.ptr + r->pos++, 2);
            continue;
        }
        if (c == '"') {
            r->pos++;
            return;
        }
        if (c == '\\' && r->pos + 1 < r->in.len) {
            uint8_t next = r->in.ptr[++r->pos];
            if (r->keep_escapes && next != '"' && next != '\\')
                put_byte(out, '\\');
            c = next;
        }
        put_byte(out, c);
    }
    r->wrong = "its quotes are not closed";
}

// A value padded with blanks to the length that its definition gives.
static void put_justified(const struct epl_field *f, struct pl_slice value, struct output *out)
{
    value.len = PL_MIN(value.len, (size_t)f->most);
    size_t room = f->most - value.len, before = 0;
    if (f->justify == 'R')
        before = room;
    else if (f->justify == 'C')
        before = room / 2;
    else if (f->justify != 'L')
        room = 0;
    for (size_t i = 0; i < before; i++)
        put_byte(out, ' ');
    put_bytes(out, value.ptr, value.len);
    for (size_t i = before; i < room; i++)
        put_byte(out, ' ');
}

// The digits at the end of the value count up or down; what is before them stays.
static struct pl_slice counted(const struct epl_field *f, int64_t by, char room[64])
{
    size_t length = PL_MIN(f->value.len, (size_t)29), digits = 0;
    while (digits < length && digits < 18 && pl_is_digit(f->value.ptr[length - 1 - digits]))
        digits++;
    int64_t value = 0, ring = 1;
    for (size_t i = length - digits; i < length; i++)
        value = value * 10 + (f->value.ptr[i] - '0');
    size_t wide = f->padded ? digits : 0;
    for (size_t i = 0; i < PL_MIN((size_t)f->most, (size_t)18); i++)
        ring *= 10;
    value = ((value + by) % ring + ring) % ring;
    int n = snprintf(room, 64, "%.*s%0*lld", (int)(length - digits), (const char *)f->value.ptr, (int)wide,
                     (long long)value);
    return pl_slice_make(room, (size_t)PL_MAX(n, 0));
}

static int64_t sign_and_number(struct reader *r)
{
    int64_t sign = r->in.ptr[r->pos++] == '-' ? -1 : 1, value = 0;
    while (at_digit(r, 0) && value < 100000000)
        value = value * 10 + (r->in.ptr[r->pos++] - '0');
    return sign * value;
}

static bool at_sign(const struct reader *r)
{
    return r->pos + 1 < r->in.len && (r->in.ptr[r->pos] == '+' || r->in.ptr[r->pos] == '-') && at_digit(r, 1);
}

static void read_counter(struct reader *r, struct output *out)
{
    const struct epl_field *f = &r->e->counters[r->in.ptr[r->pos + 1] - '0'];
    r->pos += 2;
    int64_t by = 0;
    if (at_sign(r))
        by = sign_and_number(r);
    if (!f->given) {
        r->wrong = "a counter has no value";
        return;
    }
    char room[64];
    r->changes = r->changes || f->step != 0;
    struct pl_slice value =
        f->step != 0 || by != 0 ? counted(f, (int64_t)(r->step % 1000000000) * f->step + by, room) : f->value;
    struct epl_field shown = *f;
    shown.most = (uint8_t)PL_MAX((size_t)f->most, PL_MIN(value.len, (size_t)99));
    put_justified(&shown, value, out);
}

static void read_variable(struct reader *r, struct output *out)
{
    uint32_t number = (uint32_t)(r->in.ptr[r->pos + 1] - '0');
    r->pos += 2;
    if (at_digit(r, 0))
        number = number * 10 + (uint32_t)(r->in.ptr[r->pos++] - '0');
    const struct epl_field *f = &r->e->variables[number];
    if (!f->given)
        r->wrong = "a variable has no value";
    else
        put_justified(f, f->value, out);
}

static void put_date(const char *format, const struct pl_date *d, struct output *out)
{
    static const char MONTHS[][4] = {"JAN", "FEB", "MAR", "APR", "MAY", "JUN",
                                     "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"};
    for (const char *f = format; *f; f++) {
        if (strncmp(f, "me", 2) == 0)
            put_text(out, MONTHS[d->month - 1]);
        else if (strncmp(f, "mn", 2) == 0)
            put_number(out, 2, d->month);
        else if (strncmp(f, "dd", 2) == 0)
            put_number(out, 2, d->day);
        else if (strncmp(f, "y2", 2) == 0)
            put_number(out, 2, d->year % 100);
        else if (strncmp(f, "y4", 2) == 0)
            put_number(out, 4, d->year);
        else {
            put_byte(out, (uint8_t)*f);
            continue;
        }
        f++;
    }
}

static void put_time(const char *format, const struct pl_date *d, struct output *out)
{
    size_t length = strlen(format);
    bool twelve = length > 0 && format[length - 1] == '+';
    for (size_t i = 0; i < length - twelve; i++) {
        char c = format[i];
        int hour = twelve ? (d->hour + 11) % 12 + 1 : d->hour;
        if (c == 'h' || c == 'm' || c == 's')
            put_number(out, 2, c == 'h' ? hour : c == 'm' ? d->minute : d->second);
        else
            put_byte(out, (uint8_t)c);
    }
    if (twelve)
        put_text(out, d->hour < 12 ? "AM" : "PM");
}

// TD and days that are added, TT and minutes.
static void read_clock(struct reader *r, struct output *out)
{
    bool date = r->in.ptr[r->pos + 1] == 'D';
    r->pos += 2;
    int64_t seconds = r->e->options->time;
    if (at_sign(r))
        seconds += sign_and_number(r) * (date ? 86400 : 60);
    struct pl_date d;
    pl_date_from_seconds(pl_clamp_i64(seconds, -62135596800, 253402300799), &d);
    if (date)
        put_date(r->e->settings.date, &d, out);
    else
        put_time(r->e->settings.time, &d, out);
}

static void read_part(struct reader *r, struct output *out)
{
    uint8_t c = r->in.ptr[r->pos];
    uint8_t next = r->pos + 1 < r->in.len ? r->in.ptr[r->pos + 1] : 0;
    if (c == '"')
        read_text(r, out);
    else if (c == 'V' && pl_is_digit(next))
        read_variable(r, out);
    else if (c == 'C' && pl_is_digit(next))
        read_counter(r, out);
    else if (c == 'T' && (next == 'D' || next == 'T'))
        read_clock(r, out);
    else if (c == ' ' || c == '\t')
        r->pos++;
    else
        r->wrong = "it is neither text in quotes nor a variable";
}

bool epl_data_waits(const struct epl_pending *p)
{
    struct pl_slice data = p->data;
    bool quoted = false, has_pairs = epl_has_pairs(&p->settings);
    for (size_t i = 0; i < data.len; i++) {
        if (quoted && (data.ptr[i] == '\\' || (has_pairs && at_pair(data, i))))
            i++;
        else if (data.ptr[i] == '"')
            quoted = !quoted;
        else if (!quoted && (data.ptr[i] == 'V' || data.ptr[i] == 'C'))
            return true;
    }
    return false;
}

// One text in quotes without escapes, as nearly all data is.
static bool is_plain(struct pl_slice data)
{
    return data.len >= 2 && data.ptr[0] == '"' && memchr(data.ptr + 1, '"', data.len - 1) == data.ptr + data.len - 1 &&
           !memchr(data.ptr, '\\', data.len);
}

enum pl_errc epl_data_bytes(struct epl *e, const struct epl_pending *p, uint64_t step, struct pl_slice *out,
                            bool *changes)
{
    enum { MOST_GROWTH = 50 }; // C0 is two bytes, and 99 when it is printed
    struct pl_slice data = p->data;
    struct pl_source source = p->element->source;
    *changes = false;
    if (is_plain(data)) {
        *out = pl_slice_sub(data, 1, data.len - 2);
        return PL_OK;
    }
    struct reader r = {.e = e,
                       .in = data,
                       .keep_escapes = epl_code_has_escapes(p->code),
                       .has_pairs = epl_has_pairs(&p->settings),
                       .step = step};
    struct output text = {.room = data.len > LONGEST ? data.len : PL_MIN(data.len * MOST_GROWTH + 1, (size_t)LONGEST)};
    text.ptr = PL_ARENA_ARRAY(e->arena, uint8_t, text.room);
    if (!text.ptr)
        return pl_fail_memory(e->err);
    while (r.pos < r.in.len && !r.wrong)
        read_part(&r, &text);
    *changes = r.changes;
    *out = pl_slice_make(text.ptr, text.len);
    if (r.wrong && step == 0)
        pl_diag_add(e->diags, PL_DIAG_DATA_DROPPED, source, 0, "%s: part of the data was left out: %s.", source.command,
                    r.wrong);
    return PL_OK;
}
