// The data of BARCODE: manual Code 128.
#include "base/fmt.h"
#include "lang/tspl/state.h"

enum { START_A = 103, START_B, START_C, CODE_C = 99, CODE_B = 100, CODE_A = 101, SHIFT = 98, FNC1 = 102 };

struct manual {
    uint32_t *values;
    size_t count;
    uint8_t *caption;
    size_t shown;
    char set; // A, B or C
};

static void put_value(struct manual *m, uint32_t value)
{
    m->values[m->count++] = value;
    if (value >= START_A)
        m->set = (char)('A' + (value - START_A));
    else if (value == CODE_A && m->set != 'A')
        m->set = 'A';
    else if (value == CODE_B && m->set != 'B')
        m->set = 'B';
    else if (value == CODE_C && m->set != 'C')
        m->set = 'C';
}

// !ddd is the symbol character of that value. Returns the bytes used; 0: it is none.
static size_t read_value(struct pl_slice s, uint32_t *value)
{
    if (s.len < 4 || s.ptr[0] != '!' || !pl_is_digit(s.ptr[1]) || !pl_is_digit(s.ptr[2]) || !pl_is_digit(s.ptr[3]))
        return 0;
    *value = (uint32_t)((s.ptr[1] - '0') * 100 + (s.ptr[2] - '0') * 10 + (s.ptr[3] - '0'));
    return *value >= 96 && *value <= START_C ? 4 : 0;
}

static size_t put_data(struct manual *m, struct pl_slice s)
{
    uint8_t c = s.ptr[0];
    bool two = s.len > 1 && pl_is_digit(c) && pl_is_digit(s.ptr[1]);
    if (m->set == 'C' && two) {
        put_value(m, (uint32_t)(c - '0') * 10 + (uint32_t)(s.ptr[1] - '0'));
        m->caption[m->shown++] = c;
        m->caption[m->shown++] = s.ptr[1];
        return 2;
    }
    if (m->set == 'C') // a digit alone, or a letter, needs another set
        put_value(m, CODE_B);
    if (c >= 0x20 && c < 0x60)
        m->values[m->count++] = c - 0x20u;
    else if (c < 0x20 && m->set == 'A')
        m->values[m->count++] = c + 0x40u;
    else if (c >= 0x60 && c < 0x80 && m->set == 'B')
        m->values[m->count++] = c - 0x20u;
    else
        return 1; // the set does not have it
    m->caption[m->shown++] = c;
    return 1;
}

enum pl_errc tspl_read_code128_manual(struct tspl *t, struct pl_barcode *b, bool gs1)
{
    struct pl_slice data = b->data;
    struct manual m = {.values = PL_ARENA_ARRAY(t->arena, uint32_t, data.len * 2 + 2),
                       .caption = pl_arena_alloc(t->arena, data.len * 2 + 1, 1),
                       .set = 'B'};
    if (!m.values || !m.caption)
        return pl_fail_memory(t->err);
    uint32_t value;
    size_t i = 0;
    if (read_value(data, &value) && value >= START_A)
        i = 4;
    else
        value = START_B;
    put_value(&m, value);
    if (gs1)
        put_value(&m, FNC1);
    while (i < data.len) {
        struct pl_slice rest = pl_slice_sub(data, i, data.len);
        size_t used = read_value(rest, &value);
        if (used > 0 && value < START_A)
            put_value(&m, value);
        else if (used == 0)
            used = put_data(&m, rest);
        i += used;
    }
    b->code128.rule = PL_CODE128_VALUES;
    b->content = (struct pl_content){.codes = m.values, .count = m.count};
    b->caption = pl_slice_make(m.caption, m.shown);
    return PL_OK;
}
