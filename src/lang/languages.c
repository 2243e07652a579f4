// The table of label languages.
#include "base/ckd.h"
#include "lang/lang.h"
#include "lang/zpl/zpl.h"

static const struct pl_lang *const LANGUAGES[] = {&pl_lang_zpl};

const struct pl_lang *pl_lang_at(uint32_t index)
{
    return index < PL_COUNTOF(LANGUAGES) ? LANGUAGES[index] : NULL;
}

const struct pl_lang *pl_lang_detect(struct pl_slice input)
{
    for (uint32_t i = 1; i < PL_COUNTOF(LANGUAGES); i++)
        if (LANGUAGES[i]->detect(input))
            return LANGUAGES[i];
    return LANGUAGES[0];
}
