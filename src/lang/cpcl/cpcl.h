// CPCL, the language of Zebra's mobile printers and of many others, as a row of the table of languages.
#ifndef PL_CPCL_CPCL_H
#define PL_CPCL_CPCL_H

#include "lang/lang.h"

extern const struct pl_lang pl_lang_cpcl;

pl_lang_interpret pl_cpcl_interpret;
pl_lang_outline pl_cpcl_outline;
const struct pl_lang_command *pl_cpcl_command_at(uint32_t index);

#endif
