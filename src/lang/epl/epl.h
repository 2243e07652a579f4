// EPL2 (also sold as PPLB and ESim): its row of the table of languages, and what its row is made of.
#ifndef PL_EPL_EPL_H
#define PL_EPL_EPL_H

#include "lang/lang.h"

extern const struct pl_lang pl_lang_epl;

pl_lang_interpret pl_epl_interpret;
pl_lang_outline pl_epl_outline;
const struct pl_lang_command *pl_epl_command_at(uint32_t index); // in the order of the table
enum pl_lang_confidence pl_epl_detect(struct pl_slice input);

#endif
