// Words, numbers and names in the language of the answer.
#include "grain/say.h"

#include <string.h>

#include "base/fmt.h"

const char *grain_words(enum grain_lang lang, const char *en, const char *pt, const char *es)
{
    return lang == GRAIN_PT ? pt : lang == GRAIN_ES ? es : en;
}

void grain_say(struct pl_buf *out, enum grain_lang lang, const char *en, const char *pt, const char *es)
{
    pl_buf_append_cstr(out, grain_words(lang, en, pt, es));
}

const char *grain_unit(enum grain_lang lang, bool dry)
{
    static const char *const units[GRAIN_LANGS][2] = {
        [GRAIN_EN] = {"% w.b.", "% d.b."}, [GRAIN_PT] = {"% b.u.", "% b.s."}, [GRAIN_ES] = {"% b.h.", "% b.s."}};
    return units[lang][dry];
}

static void say_with_mark(struct pl_buf *out, enum grain_lang lang, char text[PL_FMT_DOUBLE_MAX], size_t len)
{
    char *point = lang != GRAIN_EN ? memchr(text, '.', len) : NULL;
    if (point != NULL)
        *point = ',';
    pl_buf_append(out, text, len);
}

void grain_say_number(struct pl_buf *out, enum grain_lang lang, double value)
{
    char text[PL_FMT_DOUBLE_MAX];
    say_with_mark(out, lang, text, pl_format_double(value, text));
}

void grain_say_decimals(struct pl_buf *out, enum grain_lang lang, double value, unsigned decimals)
{
    char text[PL_FMT_DOUBLE_MAX];
    say_with_mark(out, lang, text, pl_format_fixed(value, decimals, text));
}

void grain_say_fixed(struct pl_buf *out, enum grain_lang lang, double value)
{
    grain_say_decimals(out, lang, value, 1);
}

void grain_say_name(struct pl_buf *out, enum grain_lang lang, const struct grain_culture *culture,
                    const struct grain_set *set)
{
    pl_buf_append_cstr(out, culture->name.in[lang]);
    if (set->kind != NULL)
        pl_buf_printf(out, " (%s)", set->variant.in[lang]);
}
