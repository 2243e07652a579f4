// Names and file endings of the label languages.
#include "answer/languages.h"

#include <stdio.h>
#include <string.h>

#include "base/ckd.h"

static const char *const OTHER_ENDINGS[] = {"txt", "prn", "lbl"};

static const char *name_at(uint32_t index)
{
    const char *name, *title;
    return platen_language_names((enum platen_language)(PLATEN_LANGUAGE_ZPL + index), &name, &title) ? name : NULL;
}

bool language_by_name(struct pl_slice name, enum platen_language *out)
{
    const char *known;
    for (uint32_t i = 0; (known = name_at(i)); i++) {
        *out = (enum platen_language)(PLATEN_LANGUAGE_ZPL + i);
        if (pl_slice_eq_cstr(name, known))
            return true;
    }
    return false;
}

static void append(char *room, const char *separator, const char *prefix, const char *word)
{
    size_t used = strlen(room);
    snprintf(room + used, LANGUAGES_TEXT_MAX - used, "%s%s%s", used ? separator : "", prefix, word);
}

const char *language_names(char room[LANGUAGES_TEXT_MAX])
{
    room[0] = '\0';
    for (uint32_t i = 0; name_at(i); i++)
        append(room, name_at(i + 1) ? ", " : " or ", "", name_at(i));
    return room;
}

struct pl_slice language_word(enum platen_language language)
{
    const char *name, *title;
    bool known = platen_language_names(language, &name, &title);
    return known ? pl_slice_make(title, strcspn(title, " ")) : pl_slice_cstr("label code");
}

static const char *ending_at(uint32_t index)
{
    uint32_t languages = 0;
    for (; name_at(languages); languages++)
        if (languages == index)
            return name_at(index);
    return index - languages < PL_COUNTOF(OTHER_ENDINGS) ? OTHER_ENDINGS[index - languages] : NULL;
}

bool is_label_file(const char *name)
{
    const char *dot = strrchr(name, '.'), *ending;
    for (uint32_t i = 0; dot && dot != name && (ending = ending_at(i)); i++)
        if (pl_slice_eq_nocase(pl_slice_cstr(dot + 1), pl_slice_cstr(ending)))
            return true;
    return false;
}

const char *label_files(char room[LANGUAGES_TEXT_MAX])
{
    room[0] = '\0';
    for (uint32_t i = 0; ending_at(i); i++)
        append(room, ", ", "*.", ending_at(i));
    return room;
}
