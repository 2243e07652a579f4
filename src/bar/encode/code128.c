// Code 128 (ISO/IEC 15417): the choice of subsets, the case code, check character and modules.
#include "bar/encode/code128.h"

#include "bar/encode/checkdigit.h"
#include "base/ckd.h"
#include "base/fmt.h"

// Eleven modules of each symbol character, a bar first. Stop has thirteen.
static const uint16_t patterns[106] = {
    0x6CC, 0x66C, 0x666, 0x498, 0x48C, 0x44C, 0x4C8, 0x4C4, 0x464, 0x648, 0x644, 0x624, 0x59C, 0x4DC, 0x4CE, 0x5CC,
    0x4EC, 0x4E6, 0x672, 0x65C, 0x64E, 0x6E4, 0x674, 0x76E, 0x74C, 0x72C, 0x726, 0x764, 0x734, 0x732, 0x6D8, 0x6C6,
    0x636, 0x518, 0x458, 0x446, 0x588, 0x468, 0x462, 0x688, 0x628, 0x622, 0x5B8, 0x58E, 0x46E, 0x5D8, 0x5C6, 0x476,
    0x776, 0x68E, 0x62E, 0x6E8, 0x6E2, 0x6EE, 0x758, 0x746, 0x716, 0x768, 0x762, 0x71A, 0x77A, 0x642, 0x78A, 0x530,
    0x50C, 0x4B0, 0x486, 0x42C, 0x426, 0x590, 0x584, 0x4D0, 0x4C2, 0x434, 0x432, 0x612, 0x650, 0x7BA, 0x614, 0x47A,
    0x53C, 0x4BC, 0x49E, 0x5E4, 0x4F4, 0x4F2, 0x7A4, 0x794, 0x792, 0x6DE, 0x6F6, 0x7B6, 0x578, 0x51E, 0x45E, 0x5E8,
    0x5E2, 0x7A8, 0x7A2, 0x5DE, 0x5EE, 0x75E, 0x7AE, 0x684, 0x690, 0x69C};
#define STOP_PATTERN 0x18EB // 2331112
#define STOP_MODULES 13

static void put(struct pl_code128 *c, uint32_t value)
{
    if (c->count < c->cap)
        c->values[c->count++] = (uint8_t)value;
}

static uint32_t latch_to(char set)
{
    return set == 'A' ? PL_C128_CODE_A : set == 'B' ? PL_C128_CODE_B : PL_C128_CODE_C;
}

static uint32_t start_in(char set)
{
    return set == 'A' ? PL_C128_START_A : set == 'B' ? PL_C128_START_B : PL_C128_START_C;
}

// ---- Subsets are chosen by runs, as the reference does. ----

enum run_kind { ANY, A_OR_B, ONLY_A, ONLY_B, SET_A, SET_B, SET_C }; // the last three: decided, and latched

struct run {
    enum run_kind kind;
    uint32_t length;
};

static enum run_kind kind_of(uint32_t token)
{
    if (token == PL_MARK_FNC1 || pl_is_digit(token))
        return ANY;
    uint32_t low = token & 0x7F;
    return low < 32 ? ONLY_A : low < 96 ? A_OR_B : ONLY_B;
}

static uint32_t collect_runs(const uint32_t *tokens, uint32_t count, struct run *runs)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        enum run_kind kind = kind_of(tokens[i]);
        if (n && runs[n - 1].kind == kind)
            runs[n - 1].length++;
        else
            runs[n++] = (struct run){kind, 1};
    }
    return n;
}

// The set of a run that both A and B have.
static enum run_kind set_of_common(bool is_first, enum run_kind before, enum run_kind after)
{
    if (!is_first && (before == SET_A || before == ONLY_B))
        return SET_A;
    if (!is_first && (before == SET_B || before == ONLY_A))
        return SET_B;
    return after == ONLY_A ? SET_A : SET_B;
}

// Annex E of the standard read run by run. A lone character of the other subset is shifted to (ONLY_A or ONLY_B stays).
static void decide(struct run *runs, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        enum run_kind before = i ? runs[i - 1].kind : ANY, after = i + 1 < n ? runs[i + 1].kind : ANY;
        struct run *run = &runs[i];
        if (run->kind == ANY)
            run->kind = run->length >= 4 || (n == 1 && run->length == 2) ? SET_C : A_OR_B;
        bool latches = i == 0 || run->length > 1 || before == SET_C;
        if (run->kind == A_OR_B)
            run->kind = set_of_common(i == 0, before, after);
        else if (run->kind == ONLY_A && (latches || before == SET_A || before == ONLY_B))
            run->kind = SET_A;
        else if (run->kind == ONLY_B && (latches || before == SET_B || before == ONLY_A))
            run->kind = SET_B;
    }
}

// An odd digit of a run in C goes over to its neighbour: at the start of the data the last one to what follows, else
// the first one to what is before.
static void mend_odd(char *sets, uint32_t from, uint32_t end, uint32_t count)
{
    if ((end - from) % 2 == 0)
        return;
    char neighbour = from ? sets[from - 1] : end < count ? sets[end] : 'B';
    sets[from ? from : end - 1] = neighbour == 'C' ? 'B' : neighbour;
}

static void assign_sets(const uint32_t *tokens, uint32_t count, const struct run *runs, uint32_t n, char *sets)
{
    static const char names[] = {[ONLY_A] = 'a', [ONLY_B] = 'b', [SET_A] = 'A', [SET_B] = 'B', [SET_C] = 'C'};
    uint32_t at = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < runs[i].length; k++)
            sets[at++] = names[runs[i].kind];
    uint32_t from = 0; // of the pairs being counted
    for (uint32_t i = 0; i <= count; i++) {
        if (i < count && sets[i] == 'C' && tokens[i] != PL_MARK_FNC1)
            continue;
        mend_odd(sets, from, i, count);
        from = i + 1;
    }
}

// A character in set A or B.
static void put_character(struct pl_code128 *c, uint32_t token, char set, bool shift)
{
    if (token >= 128)
        put(c, set == 'A' ? PL_C128_CODE_A : PL_C128_CODE_B); // FNC4
    if (shift)
        put(c, PL_C128_SHIFT);
    uint32_t low = token & 0x7F;
    put(c, low < 32 ? low + 64 : low - 32);
}

static void emit(struct pl_code128 *c, const uint32_t *tokens, uint32_t count, const char *sets, bool gs1)
{
    char set = sets[0] == 'a' ? 'A' : sets[0] == 'b' ? 'B' : sets[0];
    put(c, start_in(set));
    if (gs1)
        put(c, PL_C128_FNC1);
    for (uint32_t i = 0; i < count; i++) {
        char want = sets[i], in = want == 'a' ? 'A' : want == 'b' ? 'B' : want;
        bool shift = want != in && in != set && set != 'C';
        if (in != set && !shift) {
            put(c, latch_to(in));
            set = in;
        }
        if (tokens[i] == PL_MARK_FNC1) {
            put(c, PL_C128_FNC1);
        } else if (set == 'C') {
            put(c, (uint32_t)(tokens[i] - '0') * 10 + (uint32_t)(tokens[i + 1] - '0'));
            i++;
        } else {
            put_character(c, tokens[i], set, shift);
        }
    }
}

// A symbol with room for `length` characters: each costs at most a latch, FNC4, shift and itself; the ends need room of
// their own.
static enum pl_errc start_symbol(size_t length, struct pl_arena *arena, struct pl_code128 *out, struct pl_error *err)
{
    memset(out, 0, sizeof *out);
    if (length == 0)
        return pl_fail(err, PL_E_INVALID, "there is no data");
    if (length > PL_CODE128_LENGTH_MAX)
        return pl_fail(err, PL_E_INVALID, "%zu characters are more than the %d that are encoded", length,
                       PL_CODE128_LENGTH_MAX);
    out->cap = (uint32_t)length * 4 + 32;
    out->values = PL_ARENA_ARRAY(arena, uint8_t, out->cap);
    return out->values ? PL_OK : pl_fail_memory(err);
}

enum pl_errc pl_code128_encode(struct pl_content content, bool gs1, struct pl_arena *arena, struct pl_code128 *out,
                               struct pl_error *err)
{
    size_t length = pl_content_length(&content);
    PL_TRY(start_symbol(length, arena, out, err));
    uint32_t *tokens = PL_ARENA_ARRAY(arena, uint32_t, length + 1);
    struct run *runs = PL_ARENA_ARRAY(arena, struct run, length + 1);
    char *sets = PL_ARENA_ARRAY(arena, char, length + 1);
    if (!tokens || !runs || !sets)
        return pl_fail_memory(err);
    uint32_t count = 0;
    for (; count < length; count++) {
        tokens[count] = pl_content_at(&content, count);
        if (tokens[count] > 0xFF && tokens[count] != PL_MARK_FNC1)
            return pl_fail(err, PL_E_INVALID, "there is no such mark");
    }
    uint32_t n = collect_runs(tokens, count, runs);
    decide(runs, n);
    assign_sets(tokens, count, runs, n, sets);
    emit(out, tokens, count, sets, gs1);
    return PL_OK;
}

enum pl_errc pl_code128_encode_case(struct pl_slice data, struct pl_arena *arena, struct pl_code128 *out,
                                    struct pl_error *err)
{
    PL_TRY(start_symbol(data.len, arena, out, err));
    uint32_t n = 0;
    for (size_t i = 0; i < data.len; i++) {
        if (!pl_is_digit(data.ptr[i]))
            out->dropped++;
        else if (n < PL_CODE128_CASE_DIGITS)
            out->digits[n++] = data.ptr[i];
        else
            out->cut++;
    }
    while (n < PL_CODE128_CASE_DIGITS) {
        out->digits[n++] = '0';
        out->padded++;
    }
    out->digits[n] = (uint8_t)pl_check_mod10(pl_slice_make(out->digits, n));
    put(out, PL_C128_START_C);
    put(out, PL_C128_FNC1);
    for (uint32_t i = 0; i < PL_CODE128_CASE_DIGITS; i += 2)
        put(out, (uint32_t)(out->digits[i] - '0') * 10 + (uint32_t)(out->digits[i + 1] - '0'));
    return PL_OK;
}

enum pl_errc pl_code128_encode_values(struct pl_content content, struct pl_arena *arena, struct pl_code128 *out,
                                      struct pl_error *err)
{
    size_t count = pl_content_length(&content);
    memset(out, 0, sizeof *out);
    if (count < 2)
        return pl_fail(err, PL_E_INVALID, "nothing in the data can be encoded");
    if (count > PL_CODE128_VALUES_MAX)
        return pl_fail(err, PL_E_INVALID, "%zu symbol characters are too many", count);
    out->cap = (uint32_t)count;
    out->values = PL_ARENA_ARRAY(arena, uint8_t, count);
    if (!out->values)
        return pl_fail_memory(err);
    for (size_t i = 0; i < count; i++) {
        uint32_t value = pl_content_at(&content, i);
        if (value > PL_C128_START_C || (value >= PL_C128_START_A) != (i == 0))
            return pl_fail(err, PL_E_INVALID, "a start character is missing or not the first");
        put(out, value);
    }
    return PL_OK;
}

static void put_bits(struct pl_bitmap *row, uint32_t *x, uint32_t bits, uint32_t count)
{
    for (uint32_t i = count; i-- > 0; ++*x)
        if (bits >> i & 1)
            pl_bitmap_set(row, *x, 0);
}

enum pl_errc pl_code128_modules(const struct pl_code128 *code, struct pl_arena *arena, struct pl_bitmap *out,
                                struct pl_error *err)
{
    PL_TRY(pl_bitmap_new(arena, (code->count + 1) * 11 + STOP_MODULES, 1, out, err));
    uint32_t x = 0;
    uint64_t sum = code->values[0];
    for (uint32_t i = 0; i < code->count; i++) {
        sum += (uint64_t)code->values[i] * i;
        put_bits(out, &x, patterns[code->values[i]], 11);
    }
    put_bits(out, &x, patterns[sum % 103], 11);
    put_bits(out, &x, STOP_PATTERN, STOP_MODULES);
    return PL_OK;
}

uint32_t pl_code128_pattern(uint32_t value)
{
    return value < PL_COUNTOF(patterns) ? patterns[value] : STOP_PATTERN;
}
