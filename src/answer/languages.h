// Label languages in messages, options and names of files: all made of their rows in src/lang.
#ifndef PLATEN_LANGUAGES_H
#define PLATEN_LANGUAGES_H

#include <platen/platen.h>

#include "base/slice.h"

#define LANGUAGES_TEXT_MAX 128

// A language by its name; false: there is none.
bool language_by_name(struct pl_slice name, enum platen_language *out);
// "zpl, epl, tspl or cpcl", or with `files` "*.zpl, *.epl, *.tspl, *.cpcl, *.txt, *.prn, *.lbl".
const char *language_list(char room[LANGUAGES_TEXT_MAX], bool files);
// The first word of its title: "ZPL"; empty: there is no such language.
struct pl_slice language_word(enum platen_language language);
// By the ending: the name of a language, or one of a few that say nothing about it.
bool is_label_file(const char *name);

#endif
