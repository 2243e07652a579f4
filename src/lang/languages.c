// The table of label languages, and which of them an input is in.
#include "base/ckd.h"
#include "lang/cpcl/cpcl.h"
#include "lang/epl/epl.h"
#include "lang/lang.h"
#include "lang/tspl/tspl.h"
#include "lang/zpl/zpl.h"

// In the order of enum platen_language. NULL: its interpreter is not part of this build.
static const struct pl_lang *const LANGUAGES[] = {
    &pl_lang_zpl,  // ZPL
    &pl_lang_epl,  // EPL
    &pl_lang_tspl, // TSPL
    &pl_lang_cpcl, // CPCL
};

const struct pl_lang *pl_lang_at(uint32_t index)
{
    return index < PL_COUNTOF(LANGUAGES) ? LANGUAGES[index] : NULL;
}

const struct pl_lang *pl_lang_detect(struct pl_slice input)
{
    const struct pl_lang *best = LANGUAGES[0];
    enum pl_lang_confidence most = PL_LANG_NONE;
    for (uint32_t i = 0; i < PL_COUNTOF(LANGUAGES) && most < PL_LANG_CERTAIN; i++) {
        enum pl_lang_confidence confidence = LANGUAGES[i] ? LANGUAGES[i]->detect(input) : PL_LANG_NONE;
        if (confidence > most) {
            most = confidence;
            best = LANGUAGES[i];
        }
    }
    return best;
}

const char *pl_lang_about_param(const struct pl_lang *language, const struct pl_lang_command *command,
                                const struct pl_lang_param *param)
{
    return language->commands.about_param ? language->commands.about_param(command, param) : "";
}

const char *pl_lang_about_value(const struct pl_lang *language, const struct pl_lang_command *command,
                                const struct pl_lang_param *param, char value, size_t *length)
{
    *length = 0;
    return language->commands.about_value ? language->commands.about_value(command, param, value, length) : "";
}
