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
    if (line_is_digit(c) && n->state <= DIGITS) {
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

enum line_step lines_step(struct printer_lines *l, uint8_t c, bool at_start)
{
    if (l->unsure)
        return LINE_GOES_ON;
    enum line_step step = l->language == PRINTER_EPL    ? lines_epl(l, c)
                          : l->language == PRINTER_TSPL ? lines_tspl(l, c, at_start)
                                                        : lines_cpcl(l, c);
    if (l->unsure)
        l->left = 0;
    return l->unsure ? LINE_GOES_ON : step;
}

size_t lines_pass(struct printer_lines *l, struct pl_slice bytes)
{
    size_t run = (size_t)PL_MIN(l->left, (uint64_t)bytes.len);
    l->left -= run;
    for (size_t i = 0; l->scans && i < run; i++) {
        if (l->language == PRINTER_TSPL)
            (void)lines_program(l, bytes.ptr[i]);
        else
            lines_format(l, bytes.ptr[i]);
    }
    if (l->scans && l->left == 0) {
        if (l->language == PRINTER_TSPL)
            lines_program_end(l);
        else
            lines_format_end(l);
        l->scans = false;
    }
    return run;
}

bool lines_have_stored(struct printer_lines *l)
{
    bool ended = l->stores && l->state == 0 && l->mode == 0 && l->left == 0 && !l->recording && !l->counts;
    l->stores = l->stores && !ended;
    return ended && !l->unsure;
}

enum line_step lines_rewound(struct printer_lines *l)
{
    l->rewinds = false;
    l->behind = 0;
    l->state = 0;
    return l->language == PRINTER_TSPL ? lines_tspl_line_over(l) : LINE_GOES_ON;
}

bool lines_are_in_quotes(const struct printer_lines *l)
{
    return l->language == PRINTER_TSPL ? lines_tspl_quoted(l) : l->language == PRINTER_EPL && lines_epl_quoted(l);
}
