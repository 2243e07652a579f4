// Aztec: characters to bits. Runs of characters that share code tables are merged with their neighbours, short runs are
// shifted to, long ones latched; the choice is that of the reference renderer, not the shortest one possible.
#include "bar/encode/aztec_parts.h"

enum { UPPER = 1, LOWER = 2, MIXED = 4, PUNCTUATION = 8, DIGIT = 16, BINARY = 32 };

enum {
    CARRIAGE_RETURN = 300, // in several tables with a value of its own in each
    COMMA,
    FULL_STOP,
    FLAG = 0x1000000, // FLG(n) with an ECI number
};

struct item {
    uint32_t value;
    uint8_t tables; // that have the character; later the one that is used
    bool shifted;
    uint8_t bytes[2]; // the character or pair as such
    uint8_t byte_count;
};

struct run {
    uint32_t length;
    uint8_t tables;
};

void pl_aztec_put(struct pl_aztec_bits *bits, uint32_t value, uint32_t width)
{
    if (bits->capacity - bits->count < width) {
        bits->overflow = true;
        return;
    }
    // At most twelve bits: they touch three bytes.
    uint8_t *bytes = bits->bytes + bits->count / 8;
    uint32_t window = value << (24 - bits->count % 8 - width);
    bytes[0] |= (uint8_t)(window >> 16);
    bytes[1] = (uint8_t)(window >> 8);
    bytes[2] = (uint8_t)window;
    bits->count += width;
}

// Tables and value of each ASCII character, in the order of the code.
#define U(v)                                                                                                           \
    {                                                                                                                  \
        v, UPPER                                                                                                       \
    }
#define L(v)                                                                                                           \
    {                                                                                                                  \
        v, LOWER                                                                                                       \
    }
#define M(v)                                                                                                           \
    {                                                                                                                  \
        v, MIXED                                                                                                       \
    }
#define P(v)                                                                                                           \
    {                                                                                                                  \
        v, PUNCTUATION                                                                                                 \
    }
#define D(v)                                                                                                           \
    {                                                                                                                  \
        v, DIGIT                                                                                                       \
    }
#define B(v)                                                                                                           \
    {                                                                                                                  \
        v, BINARY                                                                                                      \
    }
// clang-format off
static const struct {
    uint16_t value;
    uint8_t tables;
} ascii[128] = {
    B(0), M(2), M(3), M(4), M(5), M(6), M(7), M(8), M(9), M(10), M(11), M(12), M(13),
    {CARRIAGE_RETURN, MIXED | PUNCTUATION},
    B(14), B(15), B(16), B(17), B(18), B(19), B(20), B(21), B(22), B(23), B(24), B(25), B(26),
    M(15), M(16), M(17), M(18), M(19),
    {1, UPPER | LOWER | MIXED | DIGIT},                                                             // space
    P(6), P(7), P(8), P(9), P(10), P(11), P(12), P(13), P(14), P(15), P(16),                        // ! to +
    {COMMA, PUNCTUATION | DIGIT}, P(18), {FULL_STOP, PUNCTUATION | DIGIT}, P(20),
    D(2), D(3), D(4), D(5), D(6), D(7), D(8), D(9), D(10), D(11),
    P(21), P(22), P(23), P(24), P(25), P(26),                                                       // : to ?
    M(20),
    U(2), U(3), U(4), U(5), U(6), U(7), U(8), U(9), U(10), U(11), U(12), U(13), U(14),
    U(15), U(16), U(17), U(18), U(19), U(20), U(21), U(22), U(23), U(24), U(25), U(26), U(27),
    P(27), M(21), P(28), M(22), M(23), M(24),                                                       // [ to `
    L(2), L(3), L(4), L(5), L(6), L(7), L(8), L(9), L(10), L(11), L(12), L(13), L(14),
    L(15), L(16), L(17), L(18), L(19), L(20), L(21), L(22), L(23), L(24), L(25), L(26), L(27),
    P(29), M(25), P(30), M(26), M(27),                                                              // { to DEL
};
// clang-format on
#undef U
#undef L
#undef M
#undef P
#undef D
#undef B

static struct item look_up(uint32_t c)
{
    if (pl_mark_kind(c) == PL_MARK_ECI)
        return (struct item){.value = FLAG + pl_mark_number(c), .tables = PUNCTUATION};
    bool plain = c < 128;
    return (struct item){.value = plain ? ascii[c].value : c,
                         .tables = plain ? ascii[c].tables : (uint8_t)BINARY,
                         .bytes = {(uint8_t)c},
                         .byte_count = 1};
}

// The punctuation table has four pairs of characters in one value.
static uint32_t pair_value(uint32_t first, uint32_t second)
{
    if (first == '\r' && second == '\n')
        return 2;
    if (second != ' ')
        return 0;
    return first == '.' ? 3 : first == ',' ? 4 : first == ':' ? 5 : 0;
}

static size_t make_items(const uint32_t *chars, size_t count, struct item *items)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t pair = i + 1 < count ? pair_value(chars[i], chars[i + 1]) : 0;
        if (pair != 0) {
            items[n++] = (struct item){pair, PUNCTUATION, false, {(uint8_t)chars[i], (uint8_t)chars[i + 1]}, 2};
            i++;
        } else {
            items[n++] = look_up(chars[i]);
        }
    }
    return n;
}

static uint8_t lowest(uint8_t tables)
{
    return (uint8_t)(tables & (0u - tables));
}

// The table of a run that shares none with its neighbours.
static uint8_t prefer(uint8_t tables)
{
    static const uint8_t order[] = {PUNCTUATION, MIXED, LOWER, UPPER, DIGIT};
    for (int i = 0; i < 5; i++)
        if (tables & order[i])
            return order[i];
    return tables;
}

static uint32_t find_runs(const struct item *items, size_t count, struct run *runs)
{
    uint32_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (n > 0 && runs[n - 1].tables == items[i].tables)
            runs[n - 1].length++;
        else
            runs[n++] = (struct run){1, items[i].tables};
    }
    return n;
}

static bool has_flag(const struct item *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (items[i].byte_count == 0)
            return true;
    return false;
}

// Leaves each run with one table, the one of a neighbour where that has the characters too.
static uint32_t settle_runs(const struct item *items, struct run *runs, uint32_t count)
{
    runs[0].tables = lowest(runs[0].tables);
    if (count == 1)
        return 1;
    for (uint32_t i = 1; i < count; i++)
        if (runs[i].tables & runs[i - 1].tables)
            runs[i].tables &= runs[i - 1].tables;
    runs[count - 1].tables = lowest(runs[count - 1].tables);
    for (uint32_t i = count - 2; i > 0; i--)
        if (runs[i].tables & runs[i + 1].tables)
            runs[i].tables &= runs[i + 1].tables;
    for (uint32_t i = 1; i < count; i++)
        runs[i].tables = prefer(runs[i].tables);
    // A few characters between bytes cost less as bytes.
    for (uint32_t i = 1, at = runs[0].length; i + 1 < count; at += runs[i++].length)
        if (runs[i - 1].tables == BINARY && runs[i + 1].tables == BINARY && runs[i].length < 4 &&
            !has_flag(items + at, runs[i].length))
            runs[i].tables = BINARY;
    uint32_t kept = 1;
    for (uint32_t i = 1; i < count; i++) {
        if (runs[i].tables == runs[kept - 1].tables)
            runs[kept - 1].length += runs[i].length;
        else
            runs[kept++] = runs[i];
    }
    return kept;
}

static void spread_runs(const struct run *runs, uint32_t count, struct item *items)
{
    size_t at = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < runs[i].length; k++, at++) {
            items[at].tables = runs[i].tables;
            items[at].shifted = runs[i].length < 3 && runs[i].tables != BINARY;
        }
    if (items[0].tables == UPPER) // the message begins in this table
        items[0].shifted = false;
}

static uint32_t value_in(uint32_t value, uint8_t table)
{
    switch (value) {
    case CARRIAGE_RETURN:
        return table == PUNCTUATION ? 1 : 14;
    case COMMA:
        return table == PUNCTUATION ? 17 : 12;
    case FULL_STOP:
        return table == PUNCTUATION ? 19 : 13;
    default:
        return value;
    }
}

static uint32_t width_of(uint8_t table)
{
    return table == DIGIT ? 4 : 5;
}

// Latches by way of the upper-case or mixed table where there is no direct one.
static void latch(struct pl_aztec_bits *bits, uint8_t from, uint8_t to)
{
    if (from == to)
        return;
    if (from == PUNCTUATION || from == DIGIT) { // both know the way to upper case only
        pl_aztec_put(bits, from == DIGIT ? 14 : 31, width_of(from));
        from = UPPER;
        if (to == UPPER)
            return;
    }
    switch (to) {
    case UPPER:
        if (from == LOWER)
            pl_aztec_put(bits, 29, 5); // to mixed
        pl_aztec_put(bits, 29, 5);
        break;
    case LOWER:
        pl_aztec_put(bits, 28, 5);
        break;
    case MIXED:
        pl_aztec_put(bits, 29, 5);
        break;
    case PUNCTUATION:
        if (from != MIXED)
            pl_aztec_put(bits, 29, 5);
        pl_aztec_put(bits, 30, 5);
        break;
    case DIGIT:
        if (from == MIXED)
            pl_aztec_put(bits, 29, 5); // to upper
        pl_aztec_put(bits, 30, 5);
        break;
    default:
        break;
    }
}

// For one character: a shift where the table has one, else a latch. Returns the table that holds afterwards.
static uint8_t shift(struct pl_aztec_bits *bits, uint8_t from, uint8_t to)
{
    if (to == PUNCTUATION && from != PUNCTUATION) {
        pl_aztec_put(bits, 0, width_of(from));
        return from;
    }
    if (to == UPPER && (from == LOWER || from == DIGIT)) {
        pl_aztec_put(bits, from == LOWER ? 28 : 15, width_of(from));
        return from;
    }
    latch(bits, from, to);
    return to;
}

// Begins a run of bytes and returns the table that holds after it.
static uint8_t begin_bytes(struct pl_aztec_bits *bits, uint8_t from, uint32_t count)
{
    if (from == PUNCTUATION || from == DIGIT) {
        latch(bits, from, UPPER);
        from = UPPER;
    }
    pl_aztec_put(bits, 31, 5);
    if (count < 32) {
        pl_aztec_put(bits, count, 5);
    } else {
        pl_aztec_put(bits, 0, 5);
        pl_aztec_put(bits, count - 31, 11);
    }
    return from;
}

static void put_flag(struct pl_aztec_bits *bits, uint32_t eci)
{
    uint8_t digits[6];
    uint32_t count = 0;
    do {
        digits[count++] = (uint8_t)(eci % 10);
        eci /= 10;
    } while (eci > 0 && count < 6);
    pl_aztec_put(bits, 0, 5);
    pl_aztec_put(bits, count, 3);
    while (count > 0)
        pl_aztec_put(bits, digits[--count] + 2u, 4);
}

// Writes the run of bytes that begins at `at`; returns the item behind it.
static size_t put_bytes(const struct item *items, size_t count, size_t at, struct pl_aztec_bits *bits, uint8_t *table)
{
    enum { MAX_BYTES = 31 + 2047 - 1 }; // a pair must not fall apart
    uint32_t bytes = 0;
    size_t end = at;
    while (end < count && items[end].tables == BINARY && bytes < MAX_BYTES)
        bytes += items[end++].byte_count;
    *table = begin_bytes(bits, *table, bytes);
    for (; at < end; at++)
        for (uint32_t i = 0; i < items[at].byte_count; i++)
            pl_aztec_put(bits, items[at].bytes[i], 8);
    return end;
}

static void put_items(const struct item *items, size_t count, struct pl_aztec_bits *bits)
{
    uint8_t table = UPPER;
    for (size_t i = 0; i < count && !bits->overflow;) {
        const struct item *item = &items[i];
        if (item->tables == BINARY) {
            i = put_bytes(items, count, i, bits, &table);
            continue;
        }
        if (item->shifted) {
            table = shift(bits, table, item->tables);
        } else {
            latch(bits, table, item->tables);
            table = item->tables;
        }
        if (item->value >= FLAG)
            put_flag(bits, item->value - FLAG);
        else
            pl_aztec_put(bits, value_in(item->value, item->tables), width_of(item->tables));
        i++;
    }
}

enum pl_errc pl_aztec_put_message(const uint32_t *chars, size_t count, struct pl_arena *arena,
                                  struct pl_aztec_bits *bits, struct pl_error *err)
{
    struct item *items = PL_ARENA_ARRAY(arena, struct item, count + 1);
    struct run *runs = PL_ARENA_ARRAY(arena, struct run, count + 1);
    if (items == NULL || runs == NULL)
        return pl_fail_memory(err);
    if (count == 0)
        return PL_OK;
    size_t item_count = make_items(chars, count, items);
    uint32_t run_count = settle_runs(items, runs, find_runs(items, item_count, runs));
    spread_runs(runs, run_count, items);
    put_items(items, item_count, bits);
    return PL_OK;
}
