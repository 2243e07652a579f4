// What people call the work of a command, where its reference says it in other words.
#ifndef PLATEN_EVERYDAY_WORDS_H
#define PLATEN_EVERYDAY_WORDS_H

#include <platen/platen.h>

#include "base/slice.h"

// Is this one of the words for what the command does?
bool everyday_words_have(enum platen_language language, const char *command, struct pl_slice word);
// Words that say nothing about a command: "how", "the".
bool everyday_words_ignore(struct pl_slice word);

#endif
