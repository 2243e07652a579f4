// Expressions: quoted texts, numbers, counters, variables, the clock and functions, joined by + - * / and brackets.
// Two stacks with an end instead of recursion.
#include <math.h>

#include "base/date.h"
#include "base/fmt.h"
#include "lang/tspl/state.h"

#define DEEPEST 32
#define LONGEST 65536u // bytes of a text that an expression makes

enum operator{ OP_OPEN, OP_ADD, OP_SUBTRACT, OP_MULTIPLY, OP_DIVIDE, OP_NEGATE, OP_CALL };

enum function {
    FN_ABS,
    FN_ASC,
    FN_CHR,
    FN_INT,
    FN_LEFT,
    FN_LEN,
    FN_LTRIM,
    FN_MID,
    FN_RIGHT,
    FN_RTRIM,
    FN_STR,
    FN_TRIM,
    FN_VAL,
    FN_COUNT
};

static const char *const FUNCTIONS[FN_COUNT] = {"ABS",  "ASC",    "CHR$",   "INT",  "LEFT$", "LEN", "LTRIM$",
                                                "MID$", "RIGHT$", "RTRIM$", "STR$", "TRIM$", "VAL"};

struct pending {
    enum operator op;
    enum function function; // of a call
    unsigned values;        // below its first argument
};

struct machine {
    struct tspl *t;
    struct tspl_value values[DEEPEST];
    unsigned value_count;
    struct pending ops[DEEPEST];
    unsigned op_count;
    bool wants_value; // what comes next is a value, not an operator
};

static bool push(struct machine *m, struct tspl_value value)
{
    if (m->value_count == DEEPEST)
        return false;
    m->values[m->value_count++] = value;
    m->wants_value = false;
    return true;
}

static bool push_op(struct machine *m, struct pending op)
{
    if (m->op_count == DEEPEST)
        return false;
    m->ops[m->op_count++] = op;
    m->wants_value = true;
    return true;
}

static uint8_t *new_text(struct machine *m, size_t length)
{
    uint8_t *text = length > LONGEST ? NULL : pl_arena_alloc(m->t->arena, length + 1, 1);
    if (!text && length <= LONGEST)
        m->t->no_memory = true;
    return text;
}

static bool text_of(struct machine *m, const struct tspl_value *value, struct pl_slice *out)
{
    if (value->is_text) {
        *out = value->text;
        return true;
    }
    char digits[PL_FMT_DOUBLE_MAX];
    size_t n = pl_format_double(value->number, digits);
    uint8_t *text = new_text(m, n);
    if (!text)
        return false;
    memcpy(text, digits, n);
    *out = pl_slice_make(text, n);
    return true;
}

static bool join(struct machine *m, struct tspl_value *a, const struct tspl_value *b)
{
    struct pl_slice left, right;
    if (!text_of(m, a, &left) || !text_of(m, b, &right))
        return false;
    uint8_t *text = new_text(m, left.len + right.len);
    if (!text)
        return false;
    if (left.len)
        memcpy(text, left.ptr, left.len);
    if (right.len)
        memcpy(text + left.len, right.ptr, right.len);
    *a = (struct tspl_value){.is_text = true, .text = pl_slice_make(text, left.len + right.len)};
    return true;
}

static struct pl_slice trim(struct pl_slice s, bool left, bool right)
{
    while (left && s.len > 0 && s.ptr[0] == ' ')
        s = pl_slice_sub(s, 1, s.len);
    while (right && s.len > 0 && s.ptr[s.len - 1] == ' ')
        s.len--;
    return s;
}

// A number of an argument as a position in a text.
static size_t position(double number)
{
    return number >= 1 ? (size_t)fmin(number, LONGEST) : 0;
}

static bool numeric(struct machine *m, enum function function, struct tspl_value *v)
{
    double number = v->number;
    if (function == FN_ASC || function == FN_LEN || function == FN_VAL) {
        if (!v->is_text)
            return false;
        number = function == FN_LEN ? (double)v->text.len : function == FN_ASC && v->text.len ? v->text.ptr[0] : 0;
        if (function == FN_VAL)
            (void)pl_parse_double(pl_slice_trim(v->text), &number);
    } else if (v->is_text) {
        return false;
    } else {
        number = function == FN_ABS ? fabs(number) : trunc(number);
    }
    *v = (struct tspl_value){.number = number};
    return isfinite(number) && m;
}

static bool part(enum function function, const struct tspl_value *args, unsigned count, struct pl_slice *text)
{
    if (!args[0].is_text || count < 2 || args[1].is_text || (count > 2 && args[2].is_text))
        return false;
    size_t n = position(args[1].number);
    *text = args[0].text;
    if (function == FN_LEFT)
        *text = pl_slice_sub(*text, 0, n);
    else if (function == FN_RIGHT)
        *text = pl_slice_sub(*text, text->len - PL_MIN(n, text->len), n);
    else
        *text = pl_slice_sub(*text, n > 0 ? n - 1 : 0, count > 2 ? position(args[2].number) : text->len);
    return true;
}

static bool call(struct machine *m, const struct pending *op)
{
    struct tspl_value *args = &m->values[op->values];
    unsigned count = m->value_count - op->values;
    if (count == 0)
        return false;
    struct pl_slice text = {0};
    switch (op->function) {
    case FN_ABS:
    case FN_INT:
    case FN_ASC:
    case FN_LEN:
    case FN_VAL:
        m->value_count = op->values + 1;
        return count == 1 && numeric(m, op->function, args);
    case FN_CHR: {
        uint8_t *one = new_text(m, 1);
        if (!one || args[0].is_text || !(args[0].number >= 0 && args[0].number < 256))
            return false;
        one[0] = (uint8_t)args[0].number;
        text = pl_slice_make(one, 1);
        break;
    }
    case FN_STR:
        if (!text_of(m, &args[0], &text))
            return false;
        break;
    case FN_LEFT:
    case FN_MID:
    case FN_RIGHT:
        if (!part(op->function, args, count, &text))
            return false;
        break;
    default:
        if (!args[0].is_text)
            return false;
        text = trim(args[0].text, op->function != FN_RTRIM, op->function != FN_LTRIM);
        break;
    }
    m->value_count = op->values;
    return push(m, (struct tspl_value){.is_text = true, .text = text});
}

static bool apply(struct machine *m)
{
    struct pending op = m->ops[--m->op_count];
    if (op.op == OP_NEGATE) {
        if (m->value_count == 0 || m->values[m->value_count - 1].is_text)
            return false;
        m->values[m->value_count - 1].number *= -1;
        return true;
    }
    if (m->value_count < 2)
        return false;
    struct tspl_value *a = &m->values[m->value_count - 2], *b = a + 1;
    m->value_count--;
    if (op.op == OP_ADD && (a->is_text || b->is_text))
        return join(m, a, b);
    if (a->is_text || b->is_text)
        return false;
    a->number = op.op == OP_ADD        ? a->number + b->number
                : op.op == OP_SUBTRACT ? a->number - b->number
                : op.op == OP_MULTIPLY ? a->number * b->number
                                       : a->number / b->number;
    return isfinite(a->number);
}

static int rank(enum operator op)
{
    return op == OP_NEGATE ? 3 : op == OP_MULTIPLY || op == OP_DIVIDE ? 2 : op == OP_ADD || op == OP_SUBTRACT ? 1 : 0;
}

static bool binary(struct machine *m, enum operator op)
{
    while (m->op_count > 0 && rank(m->ops[m->op_count - 1].op) >= rank(op))
        if (!apply(m))
            return false;
    return push_op(m, (struct pending){.op = op});
}

// Carries out what is inside of the bracket that is open.
static bool settle(struct machine *m)
{
    while (m->op_count > 0 && rank(m->ops[m->op_count - 1].op) > 0)
        if (!apply(m))
            return false;
    return m->op_count > 0;
}

static bool close_bracket(struct machine *m)
{
    if (!settle(m))
        return false;
    struct pending op = m->ops[--m->op_count];
    return op.op == OP_OPEN || call(m, &op);
}

// ---- values

// \["] is a quote, \[R] CR, \[L] and \[A] LF; \" is not TSPL, but programs write it.
static bool unescape(struct machine *m, struct pl_slice s, struct pl_slice *out)
{
    *out = s;
    if (s.len == 0 || !memchr(s.ptr, '\\', s.len))
        return true;
    uint8_t *text = pl_arena_alloc(m->t->arena, s.len + 1, 1);
    if (!text) {
        m->t->no_memory = true;
        return false;
    }
    size_t n = 0;
    for (size_t i = 0; i < s.len; i++) {
        uint8_t c = s.ptr[i], named = 0;
        if (c == '\\' && i + 3 < s.len && s.ptr[i + 1] == '[' && s.ptr[i + 3] == ']')
            named = s.ptr[i + 2];
        if (named == '"' || named == 'R' || named == 'L' || named == 'A') {
            text[n++] = named == '"' ? '"' : named == 'R' ? '\r' : '\n';
            i += 3;
        } else if (c == '\\' && i + 1 < s.len && s.ptr[i + 1] == '"') {
            text[n++] = s.ptr[++i];
        } else {
            text[n++] = c;
        }
    }
    *out = pl_slice_make(text, n);
    return true;
}

static bool two_digits(struct machine *m, int32_t number, struct tspl_value *out)
{
    uint8_t *text = new_text(m, 2);
    if (!text)
        return false;
    text[0] = (uint8_t)('0' + number / 10 % 10);
    text[1] = (uint8_t)('0' + number % 10);
    *out = (struct tspl_value){.is_text = true, .text = pl_slice_make(text, 2)};
    return true;
}

// The clock: YEAR is a number, @YEAR two digits.
static bool clock_value(struct machine *m, struct pl_slice name, bool as_text, struct tspl_value *out)
{
    struct pl_date d;
    pl_date_from_seconds(pl_clamp_i64(m->t->options->time, 0, 253402300799), &d);
    const struct {
        const char *name;
        int32_t number;
    } parts[] = {{"YEAR", d.year},     {"MONTH", d.month},   {"DATE", d.day},        {"HOUR", d.hour},
                 {"MINUTE", d.minute}, {"SECOND", d.second}, {"DAY", d.weekday + 1}, {"WEEK", d.weekday + 1}};
    for (size_t i = 0; i < PL_COUNTOF(parts); i++) {
        if (!pl_slice_eq_nocase(name, pl_slice_cstr(parts[i].name)))
            continue;
        if (as_text)
            return two_digits(m, parts[i].number, out);
        *out = (struct tspl_value){.number = parts[i].number};
        return true;
    }
    return false;
}

// @1 to @60, @YEAR …, @LABEL: all are texts.
static bool at_value(struct machine *m, struct pl_slice name, struct tspl_value *out)
{
    uint64_t number;
    struct tspl *t = m->t;
    if (pl_parse_u64(name, &number)) {
        if (number >= TSPL_COUNTERS)
            return false;
        t->used_counter = true;
        *out = (struct tspl_value){.is_text = true, .text = t->counters[number].value};
        return true;
    }
    if (!pl_slice_eq_nocase(name, pl_slice_cstr("LABEL")))
        return clock_value(m, name, true, out);
    t->used_counter = true;
    struct tspl_value labels = {.number = (double)t->labels.printed};
    *out = (struct tspl_value){.is_text = true};
    return text_of(m, &labels, &out->text);
}

static bool named_value(struct machine *m, struct pl_slice name, struct tspl_value *out)
{
    for (uint32_t i = 0; i < m->t->variable_count; i++)
        if (pl_slice_eq_nocase(m->t->variables[i].name, name)) {
            *out = m->t->variables[i].value;
            return true;
        }
    return clock_value(m, name, false, out);
}

static bool take_name(struct machine *m, struct pl_slice s, size_t *at)
{
    size_t from = *at, i = from + (s.ptr[from] == '@');
    while (i < s.len && (pl_is_letter(s.ptr[i]) || pl_is_digit(s.ptr[i]) || s.ptr[i] == '_'))
        i++;
    if (i < s.len && s.ptr[i] == '$')
        i++;
    struct pl_slice name = pl_slice_sub(s, from, i - from);
    *at = i;
    struct tspl_value value;
    if (name.ptr[0] == '@')
        return at_value(m, pl_slice_sub(name, 1, name.len), &value) && push(m, value);
    while (i < s.len && tspl_is_blank(s.ptr[i]))
        i++;
    if (i == s.len || s.ptr[i] != '(')
        return named_value(m, name, &value) && push(m, value);
    *at = i + 1;
    for (enum function f = 0; f < FN_COUNT; f++)
        if (pl_slice_eq_nocase(name, pl_slice_cstr(FUNCTIONS[f])))
            return push_op(m, (struct pending){OP_CALL, f, m->value_count});
    return false;
}

static bool take_value(struct machine *m, struct pl_slice s, size_t *at)
{
    uint8_t c = s.ptr[*at];
    struct tspl_quote quote;
    if (tspl_lex_quote(s, *at, &quote)) {
        struct tspl_value value = {.is_text = true};
        struct pl_slice inside = pl_slice_sub(s, *at + quote.open, quote.end - *at - quote.open);
        *at = quote.end + quote.close;
        return unescape(m, inside, &value.text) && push(m, value);
    }
    if (pl_is_digit(c) || c == '.') {
        size_t from = *at;
        while (*at < s.len && (pl_is_digit(s.ptr[*at]) || s.ptr[*at] == '.'))
            ++*at;
        struct tspl_value value = {0};
        return pl_parse_double(pl_slice_sub(s, from, *at - from), &value.number) && push(m, value);
    }
    if (pl_is_letter(c) || c == '@')
        return take_name(m, s, at);
    ++*at;
    if (c == '(')
        return push_op(m, (struct pending){.op = OP_OPEN});
    return c == '+' || (c == '-' && push_op(m, (struct pending){.op = OP_NEGATE}));
}

static bool take_operator(struct machine *m, struct pl_slice s, size_t *at)
{
    switch (s.ptr[(*at)++]) {
    case '+':
        return binary(m, OP_ADD);
    case '-':
        return binary(m, OP_SUBTRACT);
    case '*':
        return binary(m, OP_MULTIPLY);
    case '/':
        return binary(m, OP_DIVIDE);
    case ')':
        return close_bracket(m);
    case ',': // between arguments of a function
        m->wants_value = true;
        return settle(m) && m->ops[m->op_count - 1].op == OP_CALL;
    default:
        return false;
    }
}

bool tspl_evaluate(struct tspl *t, struct pl_slice item, struct tspl_value *out)
{
    // Nearly all are one quoted text without escapes.
    if (item.len >= 2 && item.ptr[0] == '"' && !memchr(item.ptr + 1, '\\', item.len - 1) &&
        (const uint8_t *)memchr(item.ptr + 1, '"', item.len - 1) == item.ptr + item.len - 1) {
        *out = (struct tspl_value){.is_text = true, .text = pl_slice_sub(item, 1, item.len - 2)};
        return true;
    }
    struct machine m = {.t = t, .wants_value = true};
    for (size_t at = 0; at < item.len;) {
        if (tspl_is_blank(item.ptr[at]))
            at++;
        else if (!(m.wants_value ? take_value(&m, item, &at) : take_operator(&m, item, &at)))
            return false;
    }
    while (m.op_count > 0)
        if (rank(m.ops[m.op_count - 1].op) == 0 || !apply(&m))
            return false;
    *out = m.values[0];
    return m.value_count == 1;
}
