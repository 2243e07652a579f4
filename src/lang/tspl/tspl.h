// TSPL and TSPL2: the row of the table of languages, and what it is made of.
#ifndef PL_TSPL_TSPL_H
#define PL_TSPL_TSPL_H

#include "lang/lang.h"

extern const struct pl_lang pl_lang_tspl;

pl_lang_interpret pl_tspl_interpret;
pl_lang_outline pl_tspl_outline;
const struct pl_lang_command *pl_tspl_command_at(uint32_t index); // names in order

#endif
