// ZPL II: its row of the table of languages, and what its row is made of.
#ifndef PL_ZPL_ZPL_H
#define PL_ZPL_ZPL_H

#include "lang/lang.h"

extern const struct pl_lang pl_lang_zpl;

pl_lang_interpret pl_zpl_interpret;
pl_lang_outline pl_zpl_outline;
// In the order of the table: '^' before '~', names in order.
const struct pl_lang_command *pl_zpl_command_at(uint32_t index);

#endif
