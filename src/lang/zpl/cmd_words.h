// Meanings in words of the parameters and choices of the command table.
#ifndef PL_ZPL_CMD_WORDS_H
#define PL_ZPL_CMD_WORDS_H

#include "lang/lang.h"

// See struct pl_lang_commands.
const char *pl_zpl_param_words(const struct pl_lang_command *command, const struct pl_lang_param *param);
const char *pl_zpl_value_words(const struct pl_lang_command *command, const struct pl_lang_param *param, char value,
                               size_t *length);

#endif
