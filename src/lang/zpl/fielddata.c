// Field data on its way to bytes: line ends, ^FH, ^FE, ^FC, serial numbers.
#include "base/fmt.h"
#include "lang/zpl/state.h"

// A growing run of bytes in the arena, cut at the limit of a field's data.
struct bytes {
    uint8_t *ptr;
    size_t len, capacity;
    bool cut;
};

static enum pl_errc append(struct zpl *z, struct bytes *b, struct pl_slice s)
{
    if (s.len > ZPL_MAX_DATA - b->len) {
        b->cut = true;
        s.len = ZPL_MAX_DATA - b->len;
    }
    if (s.len > b->capacity - b->len) {
        size_t capacity = PL_MAX(b->capacity * 2, b->len + s.len + 64);
        uint8_t *grown = pl_arena_alloc(z->arena, capacity, 1);
        if (!grown)
            return pl_fail_memory(z->err);
        if (b->len)
            memcpy(grown, b->ptr, b->len);
        b->ptr = grown;
        b->capacity = capacity;
    }
    if (s.len)
        memcpy(b->ptr + b->len, s.ptr, s.len);
    b->len += s.len;
    return PL_OK;
}

// CR and LF in the stream are no data; ^FH turns an indicator and two hex digits into a byte.
static enum pl_errc strip_and_unhex(struct zpl *z, struct pl_slice in, uint8_t hex, struct pl_slice *out)
{
    bool breaks = memchr(in.ptr, '\n', in.len) || memchr(in.ptr, '\r', in.len);
    bool coded = hex && memchr(in.ptr, hex, in.len);
    if (!breaks && !coded) {
        *out = in;
        return PL_OK;
    }
    uint8_t *to = pl_arena_alloc(z->arena, in.len, 1);
    if (!to)
        return pl_fail_memory(z->err);
    size_t n = 0;
    for (size_t i = 0; i < in.len; i++) {
        uint8_t c = in.ptr[i];
        if (c == '\n' || c == '\r')
            continue;
        if (coded && c == hex && in.len - i > 2) {
            int high = pl_hex_value(in.ptr[i + 1]), low = pl_hex_value(in.ptr[i + 2]);
            if (high >= 0 && low >= 0) {
                c = (uint8_t)(high << 4 | low);
                i += 2;
            }
        }
        to[n++] = c;
    }
    *out = pl_slice_make(to, n);
    return PL_OK;
}

// A whole number with sign at *at; false: there is none.
static bool read_int(struct pl_slice s, size_t *at, int32_t *out)
{
    size_t i = *at;
    bool negative = i < s.len && s.ptr[i] == '-';
    i += negative;
    int32_t v = 0;
    size_t from = i;
    for (; i < s.len && pl_is_digit(s.ptr[i]); i++)
        v = v > 100000 ? v : v * 10 + (s.ptr[i] - '0');
    if (i == from)
        return false;
    *at = i;
    *out = negative ? -v : v;
    return true;
}

static enum pl_errc put_clock(struct zpl *z, struct pl_slice in, const uint8_t marks[3], struct bytes *out)
{
    size_t from = 0;
    for (size_t i = 0; i + 1 < in.len; i++) {
        uint8_t c = in.ptr[i];
        int which = !c ? -1 : c == marks[0] ? 0 : c == marks[1] ? 1 : c == marks[2] ? 2 : -1;
        if (which < 0)
            continue;
        char text[32];
        size_t len = zpl_clock_code(&z->printer.clock, &z->printer.charset, (unsigned)which, (char)in.ptr[i + 1], text,
                                    sizeof(text));
        if (len == 0)
            continue;
        PL_TRY(append(z, out, pl_slice_sub(in, from, i - from)));
        PL_TRY(append(z, out, pl_slice_make(text, len)));
        i++;
        from = i + 1;
    }
    return append(z, out, pl_slice_sub(in, from, in.len));
}

// The last steps of a field's data: the clock, then the serial number.
static enum pl_errc count_on(struct zpl *z, const struct zpl_pending *p, uint64_t step, struct pl_slice *data,
                             bool *cut)
{
    if (p->marks.clock[0]) {
        struct bytes b = {0};
        PL_TRY(put_clock(z, *data, p->marks.clock, &b));
        *data = pl_slice_make(b.ptr, b.len);
        *cut = *cut || b.cut;
    }
    return zpl_serial_count(&p->serial, step, z->arena, data, z->err);
}

// What ^FE puts in for a number: the data that its fields show. It is made once for all places that want it.
static enum pl_errc number_value(struct zpl *z, struct zpl_number *n, uint64_t step, struct pl_slice *out)
{
    if (!n->has_value || (n->value_step != step && zpl_serial_counts(&n->last->serial))) {
        struct pl_slice data = n->last->data;
        bool cut = false;
        data.len = PL_MIN(data.len, (size_t)ZPL_MAX_DATA);
        PL_TRY(strip_and_unhex(z, data, n->last->marks.hex, &data));
        PL_TRY(count_on(z, n->last, step, &data, &cut));
        n->value = data;
        n->value_step = step;
        n->has_value = true;
    }
    *out = n->value;
    return PL_OK;
}

void zpl_note_unbound(struct zpl *z, const struct pl_element *e, int32_t number, const char *what)
{
    struct pl_diag *d = pl_diag_add(z->diags, PL_DIAG_FIELD_UNBOUND, e->source, 0,
                                    "No field of this label gives data to ^FN%d; %s.", number, what);
    if (d && e->kind == PL_ELEMENT_BARCODE)
        d->severity = PL_SEV_ERROR; // a scanner finds nothing, or too little, where a barcode is expected
}

struct part {
    int32_t number, start, length; // length: negative or missing: to the end
    bool from_back;
};

static enum pl_errc put_part(struct zpl *z, const struct zpl_pending *p, const struct part *part, uint64_t step,
                             struct bytes *out, bool *changes)
{
    struct zpl_number *n = zpl_number_find(z, part->number);
    if (!n || !n->last) {
        if (step == 0)
            zpl_note_unbound(z, p->element, part->number, "this part of the data was left out");
        return PL_OK;
    }
    struct pl_slice data;
    PL_TRY(number_value(z, n, step, &data));
    *changes = *changes || zpl_serial_counts(&n->last->serial);
    const size_t start = (size_t)PL_MAX(part->start, 1);
    size_t skip = start - 1;
    if (part->from_back)
        skip = start <= data.len ? data.len - start : 0;
    if (skip >= data.len && part->length != 0 && step == 0 && p->element->kind == PL_ELEMENT_BARCODE) {
        struct pl_diag *d = pl_diag_add(z->diags, PL_DIAG_FIELD_EMPTY, pl_element_data_source(p->element), 0,
                                        "^FE: the data of ^FN%d has no such part; nothing was put in.", part->number);
        if (d)
            d->severity = PL_SEV_WARNING; // the part may be one that not every label has
    }
    return append(z, out, pl_slice_sub(data, skip, part->length < 0 ? data.len : (size_t)part->length));
}

// ^FE: #n# is the data of ^FNn, #n,a,x,y# a part of it: a is F or B (counted from the front or the back), x the start
// from 1, y the length.
static enum pl_errc embed(struct zpl *z, const struct zpl_pending *p, struct pl_slice in, uint64_t step,
                          struct bytes *out, bool *changes)
{
    const uint8_t mark = p->marks.embed;
    for (size_t i = 0; i < in.len && !out->cut; i++) {
        size_t at = i + 1;
        struct part part = {.start = 1, .length = -1};
        bool ok = in.ptr[i] == mark && read_int(in, &at, &part.number) && part.number >= 0;
        if (ok && at + 1 < in.len && in.ptr[at] == ',' && (in.ptr[at + 1] | 32) >= 'a') {
            part.from_back = (in.ptr[at + 1] | 32) == 'b';
            at += 2;
        }
        if (ok && at < in.len && in.ptr[at] == ',') {
            at++;
            ok = read_int(in, &at, &part.start);
        }
        if (ok && at < in.len && in.ptr[at] == ',') {
            at++;
            ok = read_int(in, &at, &part.length);
        }
        if (!ok || at >= in.len || in.ptr[at] != mark) {
            PL_TRY(append(z, out, pl_slice_sub(in, i, 1)));
            continue;
        }
        i = at;
        PL_TRY(put_part(z, p, &part, step, out, changes));
    }
    return PL_OK;
}

enum pl_errc zpl_data_bytes(struct zpl *z, const struct zpl_pending *p, uint64_t step, struct pl_slice *out,
                            bool *changes)
{
    struct pl_slice data = p->data;
    bool cut = data.len > ZPL_MAX_DATA;
    if (cut)
        data.len = ZPL_MAX_DATA;
    *changes = zpl_serial_counts(&p->serial);
    PL_TRY(strip_and_unhex(z, data, p->marks.hex, &data));
    if (p->marks.embed && memchr(data.ptr, p->marks.embed, data.len)) {
        struct bytes b = {0};
        PL_TRY(embed(z, p, data, step, &b, changes));
        data = pl_slice_make(b.ptr, b.len);
        cut = cut || b.cut;
    }
    PL_TRY(count_on(z, p, step, &data, &cut));
    if (cut && step == 0)
        pl_diag_add(z->diags, PL_DIAG_DATA_DROPPED, pl_element_data_source(p->element), 0,
                    "The field has more than %u bytes of data; the rest was left out.", ZPL_MAX_DATA);
    *out = data;
    return PL_OK;
}

struct zpl_number *zpl_number_find(const struct zpl *z, int32_t number)
{
    struct zpl_number *n = z->label.numbers ? z->label.numbers[number % ZPL_NUMBER_BUCKETS] : NULL;
    while (n && n->number != number)
        n = n->next;
    return n;
}
