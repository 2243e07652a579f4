// Meanings in words of the parameters and choices of the command table.
#ifndef PL_ZPL_CMD_WORDS_H
#define PL_ZPL_CMD_WORDS_H

#include "zpl/zpl.h"

// What the parameter sets, as a short phrase; "" where its name says it all.
const char *pl_zpl_param_words(const struct pl_zpl_command *command, const struct pl_zpl_param *param);
// What a character of a choice means. *length is that of the words, which do not end with a zero byte; 0: unknown.
const char *pl_zpl_value_words(const struct pl_zpl_command *command, const struct pl_zpl_param *param, char value,
                               size_t *length);

#endif
