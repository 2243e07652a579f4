// What the machines of EPL2, TSPL and CPCL share.
#include "printer/lines.h"

#include "printer/lines_parts.h"

enum number_state { BEFORE, SIGN, DIGITS, BEHIND, BAD };

void line_number_begin(struct line_number *n)
{
    *n = (struct line_number){0};
}

void line_number_take(struct line_number *n, uint8_t c)
{
    bool blank = c == ' ' || c == '\t' || c == '\r' || c == '\0';
    if (pl_is_digit(c) && n->state <= DIGITS) {
        n->state = DIGITS;
        n->value = PL_MIN(n->value * 10 + (uint64_t)(c - '0'), LINE_COUNT_MOST);
    } else if (blank && (n->state == BEFORE || n->state == DIGITS || n->state == BEHIND)) {
        n->state = n->state == BEFORE ? BEFORE : BEHIND;
    } else if ((c == '-' || c == '+') && n->state == BEFORE) {
        n->state = SIGN;
        n->negative = c == '-';
    } else {
        n->state = BAD;
    }
}

bool line_number_is_good(const struct line_number *n)
{
    return n->state == DIGITS || n->state == BEHIND;
}

bool line_number_is_within(const struct line_number *n, uint64_t most)
{
    return line_number_is_good(n) && !n->negative && n->value <= most;
}
