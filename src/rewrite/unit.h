// The unit of lengths (^MU) on the way through the commands.
#ifndef PL_REWRITE_UNIT_H
#define PL_REWRITE_UNIT_H

#include "lang/zpl/args.h"
#include "rewrite/commands.h"

struct rw_unit {
    uint8_t letter;  // D, I or M
    double from, to; // densities that dots are converted between
};
#define RW_UNIT_DOTS ((struct rw_unit){'D', 1, 1})

static inline void rw_unit_obey(struct rw_unit *u, const struct rw_command *c)
{
    int64_t from, to;
    bool clean;
    if (rw_is(c, "~JR"))
        *u = RW_UNIT_DOTS;
    if (!rw_is(c, "^MU"))
        return;
    u->letter = rw_has(c, 0) ? c->items[0].ptr[0] & 0xDF : 'D';
    if (rw_has(c, 1) && rw_has(c, 2) && zpl_parse_number(c->items[1], &from, &clean) &&
        zpl_parse_number(c->items[2], &to, &clean) && from > 0 && to > 0) {
        u->from = (double)from;
        u->to = (double)to;
    }
}

static inline double rw_unit_dots(const struct rw_unit *u, double dpmm)
{
    return u->letter == 'I' ? dpmm * 25.4 : u->letter == 'M' ? dpmm : u->to / u->from;
}

#endif
