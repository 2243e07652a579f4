// What the machines of the three languages share.
#ifndef PRINTER_LINES_PARTS_H
#define PRINTER_LINES_PARTS_H

#include "base/ckd.h"
#include "printer/lines.h"

#define LINE_COUNT_MOST ((uint64_t)1 << 40)

enum line_step lines_epl(struct printer_lines *l, uint8_t c);
enum line_step lines_tspl(struct printer_lines *l, uint8_t c, bool at_start);
enum line_step lines_cpcl(struct printer_lines *l, uint8_t c);

static inline bool line_is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

static inline bool line_is_letter(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline uint8_t line_upper(uint8_t c)
{
    return c >= 'a' && c <= 'z' ? (uint8_t)(c - 32) : c;
}

static inline void line_begin(struct printer_lines *l)
{
    l->length = 0;
}

static inline void line_put(struct printer_lines *l, uint8_t c)
{
    if (l->length < LINE_HEAD)
        l->head[l->length] = (char)c;
    l->length++;
}

// The byte at a place of the line, as far as it is kept; 0: there is none.
static inline uint8_t line_at(const struct printer_lines *l, uint32_t at)
{
    return at < l->length && at < LINE_HEAD ? (uint8_t)l->head[at] : 0;
}

static inline bool line_is_whole(const struct printer_lines *l)
{
    return l->length <= LINE_HEAD;
}

static inline struct pl_slice line_text(const struct printer_lines *l)
{
    return pl_slice_make(l->head, l->length < LINE_HEAD ? l->length : LINE_HEAD);
}

void line_number_begin(struct line_number *n);
void line_number_take(struct line_number *n, uint8_t c);
bool line_number_is_good(const struct line_number *n); // digits, perhaps with a sign and blanks around them

#endif
