// Names and file endings of the label languages.
#include "answer/languages.h"

#include <stdio.h>
#include <string.h>

#include "base/ckd.h"

// The name of a language; with `files` also the endings that say nothing about the language. NULL: there are no more.
static const char *word_at(uint32_t index, bool files)
{
    static const char *const ENDINGS[] = {"txt", "prn", "lbl"};
    const char *name, *title;
    for (int i = PLATEN_LANGUAGE_ZPL; platen_language_names((enum platen_language)i, &name, &title); i++)
        if (index-- == 0)
            return name;
    return files && index < PL_COUNTOF(ENDINGS) ? ENDINGS[index] : NULL;
}

bool language_by_name(struct pl_slice name, enum platen_language *out)
{
    const char *known;
    for (uint32_t i = 0; (known = word_at(i, false)); i++) {
        *out = (enum platen_language)(PLATEN_LANGUAGE_ZPL + i);
        if (pl_slice_eq_cstr(name, known))
            return true;
    }
    return false;
}

const char *language_list(char room[LANGUAGES_TEXT_MAX], bool files)
{
    size_t used = 0;
    for (uint32_t i = 0; word_at(i, files) && used < LANGUAGES_TEXT_MAX; i++) {
        const char *before = i == 0 ? "" : files || word_at(i + 1, false) ? ", " : " or ";
        int n =
            snprintf(room + used, LANGUAGES_TEXT_MAX - used, "%s%s%s", before, files ? "*." : "", word_at(i, files));
        used += (size_t)n;
    }
    return room;
}

struct pl_slice language_word(enum platen_language language)
{
    const char *name, *title = "";
    platen_language_names(language, &name, &title);
    return pl_slice_make(title, strcspn(title, " "));
}

bool is_label_file(const char *name)
{
    const char *dot = strrchr(name, '.'), *ending;
    for (uint32_t i = 0; dot && dot != name && (ending = word_at(i, true)); i++)
        if (pl_slice_eq_nocase(pl_slice_cstr(dot + 1), pl_slice_cstr(ending)))
            return true;
    return false;
}
