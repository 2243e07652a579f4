// Aztec without damage (ISO/IEC 24778), by the middles of its modules. zxing 1.4 is asked for the others: it corrects
// errors, but takes ten ones or more that fill the last word for the start of bytes and reads on in the check words.
#include "check/readers.h"

enum { MAX_SIDE = 151, MAX_BITS = 19968, MAX_WORDS = 1664 };

struct symbol {
    const struct pl_bitmap *crop;
    uint32_t module, side;
    bool compact;
    uint32_t layers, data_words;
};

static uint32_t module_at(const struct symbol *s, uint32_t x, uint32_t y)
{
    return pl_read_module(s->crop, x, y * s->module + s->module / 2, s->module);
}

// ---- check words

// Do the words, checks last, have the roots a^1 to a^checks?
static bool checks_hold(const uint16_t *words, uint32_t total, uint32_t checks, uint32_t bits)
{
    static const uint16_t polynomials[] = {[4] = 0x13, [6] = 0x43, [8] = 0x12D, [10] = 0x409, [12] = 0x1069};
    uint16_t powers[1u << 12], logs[1u << 12];
    const uint32_t order = (1u << bits) - 1;
    uint32_t value = 1;
    for (uint32_t i = 0; i < order; i++) {
        powers[i] = (uint16_t)value;
        logs[value] = (uint16_t)i;
        value <<= 1;
        value ^= value >> bits ? polynomials[bits] : 0;
    }
    for (uint32_t root = 1; root <= checks; root++) {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < total; i++) {
            const uint32_t power = sum ? logs[sum] + root : 0;
            sum = (sum ? powers[power < order ? power : power - order] : 0u) ^ words[i];
        }
        if (sum)
            return false;
    }
    return true;
}

// ---- from modules to words

// Clockwise from the top left round the core: layers and number of data words.
static bool read_mode(struct symbol *s)
{
    const uint32_t centre = s->side / 2, length = s->compact ? 7 : 10, radius = s->compact ? 5 : 7;
    const uint32_t low = centre - radius, high = centre + radius;
    const uint32_t data = s->compact ? 2 : 4, length_bits = s->compact ? 6 : 11;
    uint16_t words[10] = {0};
    uint32_t value = 0;
    for (uint32_t i = 0; i < 4 * length; i++) {
        const uint32_t k = i % length, forward = s->compact ? centre - 3 + k : centre - 5 + k + k / 5;
        const uint32_t backward = 2 * centre - forward;
        const uint32_t places[4][2] = {{forward, low}, {high, forward}, {backward, high}, {low, backward}};
        const uint32_t *place = places[i / length];
        words[i / 4] = (uint16_t)((uint32_t)words[i / 4] << 1 | module_at(s, place[0], place[1]));
    }
    if (!checks_hold(words, length, length - data, 4))
        return false;
    for (uint32_t i = 0; i < data; i++)
        value = value << 4 | words[i];
    s->layers = (value >> length_bits) + 1;
    s->data_words = (value & ((1u << length_bits) - 1)) + 1;
    // A count that the size cannot have: its highest bit tells a reader to set itself up.
    const uint32_t set_up = 1u << (length_bits - 1);
    if (s->data_words > set_up && s->layers <= (s->compact ? 1u : 22u))
        s->data_words -= set_up;
    return true;
}

// Modules of the layers alone, on a side; the lines of the grid between them are left out.
static uint32_t base_side(const struct symbol *s)
{
    return (s->compact ? 11 : 14) + 4 * s->layers;
}

static bool fits_side(const struct symbol *s)
{
    const uint32_t base = base_side(s);
    return s->side == (s->compact ? base : base + 1 + 2 * ((base / 2 - 1) / 15));
}

static uint32_t place_of(const struct symbol *s, uint32_t i)
{
    const uint32_t half = base_side(s) / 2, centre = s->side / 2;
    if (s->compact)
        return i;
    const uint32_t distance = i < half ? half - 1 - i : i - half;
    return i < half ? centre - 1 - distance - distance / 15 : centre + 1 + distance + distance / 15;
}

// Layers from the outside in; each is four strips of dominoes, anticlockwise from the top left.
static uint32_t read_layers(const struct symbol *s, uint8_t *bits)
{
    const uint32_t base = base_side(s);
    uint32_t count = 0;
    for (uint32_t layer = 0; layer < s->layers; layer++) {
        const uint32_t low = 2 * layer, high = base - 1 - low, strip = 2 * (base - 4 * layer - 2);
        for (uint32_t i = 0; i < 4 * strip; i++) {
            const uint32_t along = i % strip / 2, across = i % 2;
            const uint32_t places[4][2] = {{low + across, low + along},
                                           {low + along, high - across},
                                           {high - across, high - along},
                                           {high - along, low + across}};
            const uint32_t *place = places[i / strip];
            bits[count++] = (uint8_t)module_at(s, place_of(s, place[0]), place_of(s, place[1]));
        }
    }
    return count;
}

// The bits of the data words without those that were stuffed. 0: the checks do not hold.
static uint32_t read_bits(const struct symbol *s, uint8_t *bits)
{
    const uint32_t word_bits = s->layers <= 2 ? 6 : s->layers <= 8 ? 8 : s->layers <= 22 ? 10 : 12;
    const uint32_t total = read_layers(s, bits), count = total / word_bits, ones = (1u << word_bits) - 1;
    uint16_t words[MAX_WORDS];
    if (s->data_words >= count)
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        words[i] = 0;
        for (uint32_t k = 0; k < word_bits; k++)
            words[i] = (uint16_t)(words[i] << 1 | bits[total % word_bits + i * word_bits + k]);
    }
    if (!checks_hold(words, count, count - s->data_words, word_bits))
        return 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->data_words; i++) {
        const uint32_t kept = words[i] == 1 || words[i] == ones - 1 ? word_bits - 1 : word_bits;
        for (uint32_t k = 0; k < kept; k++)
            bits[n++] = words[i] >> (word_bits - 1 - k) & 1;
    }
    return n;
}

// ---- from bits to characters

enum table { UPPER, LOWER, MIXED, PUNCTUATION, DIGIT, TABLES };

struct message {
    const uint8_t *bits;
    uint32_t at, end;
    bool bad; // a code that goes beyond the data, or that is left to zxing
    struct pl_read_text *out;
};

static uint32_t take(struct message *m, uint32_t width)
{
    uint32_t value = 0;
    if (m->end - m->at < width) {
        m->bad = true;
        return 0;
    }
    while (width-- > 0)
        value = value << 1 | m->bits[m->at++];
    return value;
}

static void take_bytes(struct message *m)
{
    uint32_t count = take(m, 5);
    if (count == 0)
        count = take(m, 11) + 31;
    for (; count > 0 && !m->bad; count--)
        pl_read_put(m->out, take(m, 8));
}

// FNC1 is left to zxing; the number of a character set says nothing about bytes.
static void take_flag(struct message *m)
{
    const uint32_t digits = take(m, 3);
    m->bad = m->bad || digits == 0 || digits == 7;
    for (uint32_t i = 0; i < digits && !m->bad; i++)
        take(m, 4);
}

// The characters of each table from code 1 on; 0 is a shift to punctuation, or there a flag.
static void put_character(struct message *m, enum table table, uint32_t code)
{
    static const char *const pairs[] = {"\r\n", ". ", ", ", ": "};
    static const char *const characters[TABLES] = {" ABCDEFGHIJKLMNOPQRSTUVWXYZ", " abcdefghijklmnopqrstuvwxyz",
                                                   " \1\2\3\4\5\6\7\10\11\12\13\14\15\33\34\35\36\37@\\^_`|~\177",
                                                   "\r    !\"#$%&'()*+,-./:;<=>?[]{}", " 0123456789,."};
    if (table == PUNCTUATION && code >= 2 && code <= 5) {
        pl_read_put(m->out, (uint8_t)pairs[code - 2][0]);
        pl_read_put(m->out, (uint8_t)pairs[code - 2][1]);
    } else {
        pl_read_put(m->out, (uint8_t)characters[table][code - 1]);
    }
}

// Where the codes behind a table's characters lead; TABLES: bytes follow.
static enum table latch_of(enum table table, uint32_t code)
{
    static const uint8_t to[3][3] = {{LOWER, MIXED, DIGIT}, {UPPER, MIXED, DIGIT}, {LOWER, UPPER, PUNCTUATION}};
    if (table >= PUNCTUATION)
        return UPPER;
    return code == 31 ? TABLES : (enum table)to[table][code - 28];
}

// One code, and the character behind a shift. Returns the table that holds afterwards.
static enum table take_code(struct message *m, enum table table, bool shifted)
{
    static const uint8_t characters[TABLES] = {27, 27, 27, 30, 13};
    const uint32_t code = take(m, table == DIGIT ? 4 : 5);
    if (m->bad)
        return table;
    if (code == 0 && table == PUNCTUATION) {
        take_flag(m);
    } else if (code >= 1 && code <= characters[table]) {
        put_character(m, table, code);
    } else if (shifted) {
        m->bad = true;
    } else if (code == 0) {
        take_code(m, PUNCTUATION, true);
    } else if ((table == LOWER && code == 28) || (table == DIGIT && code == 15)) {
        take_code(m, UPPER, true);
    } else {
        const enum table to = latch_of(table, code);
        if (to != TABLES)
            return to;
        take_bytes(m);
    }
    return table;
}

// Fewer bits than a word, all ones: they fill the last word.
static bool is_filler(const struct message *m)
{
    uint32_t at = m->at;
    while (at < m->end && m->bits[at])
        at++;
    return at == m->end && m->end - m->at < 12;
}

static bool take_message(struct message *m)
{
    enum table table = UPPER;
    while (!m->bad && !is_filler(m))
        table = take_code(m, table, false);
    return !m->bad;
}

bool pl_read_aztec(const struct pl_bitmap *crop, uint32_t module, struct pl_read_text *out)
{
    struct symbol s = {.crop = crop, .module = module, .side = crop->width / module};
    uint8_t bits[MAX_BITS];
    if (s.side < 15 || s.side > MAX_SIDE || crop->height / module != s.side)
        return false;
    for (int compact = 1; compact >= 0; compact--) {
        s.compact = compact;
        if (s.side < 19 && !compact)
            return false;
        if (!read_mode(&s) || !fits_side(&s))
            continue;
        struct message m = {.bits = bits, .end = read_bits(&s, bits), .out = out};
        // Two latches first are the header of symbols that belong together, which zxing leaves out.
        static const uint8_t header[10] = {1, 1, 1, 0, 1, 1, 1, 1, 0, 1};
        if (m.end == 0 || (m.end >= sizeof header && memcmp(bits, header, sizeof header) == 0))
            return false;
        return take_message(&m);
    }
    return false;
}
