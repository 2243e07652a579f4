// The row of ZPL II in the table of languages.
#include "lang/zpl/zpl.h"

#include "lang/zpl/cmd_words.h"
#include "lang/zpl/memory.h"

const struct pl_lang pl_lang_zpl = {
    .name = "zpl",
    .title = "ZPL II",
    .interpret = pl_zpl_interpret,
    .memory = {.write_settings = pl_zpl_write_settings,
               .write_saved = pl_zpl_write_saved,
               .write_object = pl_zpl_write_object,
               .settings = pl_zpl_settings,
               .reply_at = pl_zpl_reply_at},
    .commands = {.at = pl_zpl_command_at, .about_param = pl_zpl_param_words, .about_value = pl_zpl_value_words},
};
