// The data of a field, where a value goes: what its commands make of characters.
#ifndef PL_REWRITE_SLOT_H
#define PL_REWRITE_SLOT_H

#include "rewrite/commands.h"

struct rw_slot {
    uint8_t hex;     // indicator of ^FH; 0: none
    uint8_t doubled; // a character that the field interprets unless it is written twice; 0: none
    bool hex_added;  // the code has no ^FH: the indicator in the template's data is no escape
    bool is_block;   // ^FB: \& ends a line
    bool is_box;     // ^TB: < begins what is left out
    bool keeps_ends; // line ends are data as they are
};

// A command of the field that may change how its data is read, but not ^FH.
void rw_slot_see(struct rw_slot *at, const struct rw_command *c);
// `c` is a command near the data: it has the prefixes that are in force there.
bool rw_must_escape(const struct rw_command *c, const struct rw_slot *at, uint8_t byte);
void rw_put_byte(const struct rw_command *c, const struct rw_slot *at, uint8_t byte, struct pl_buf *out);
void rw_put_value(const struct rw_command *c, const struct rw_slot *at, struct pl_slice value, struct pl_buf *out);
bool rw_needs_escape(const struct rw_command *c, bool keeps_ends, struct pl_slice value);
// Can the byte be the indicator of ^FH? ^CC, ^CT or ^CD may have made a prefix or the delimiter of it.
bool rw_can_be_hex(const struct rw_command *c, uint8_t byte);
// An indicator that is not in the data, if there is one.
uint8_t rw_choose_hex(const struct rw_command *c, struct pl_slice data);

#endif
