// Words, numbers and names in the language of the answer.
#ifndef GRAIN_SAY_H
#define GRAIN_SAY_H

#include "base/buf.h"
#include "grain/grain.h"

// Words in the language of the answer, and the same appended.
const char *grain_words(enum grain_lang lang, const char *en, const char *pt, const char *es);
void grain_say(struct pl_buf *out, enum grain_lang lang, const char *en, const char *pt, const char *es);
// With the decimal mark of the language, for sentences.
void grain_say_number(struct pl_buf *out, enum grain_lang lang, double value);
void grain_say_decimals(struct pl_buf *out, enum grain_lang lang, double value, unsigned decimals);
void grain_say_fixed(struct pl_buf *out, enum grain_lang lang, double value);
// The culture's name; of a set for another kind of it with that kind: "Wheat (durum wheat)".
void grain_say_name(struct pl_buf *out, enum grain_lang lang, const struct grain_culture *culture,
                    const struct grain_set *set);
// "% w.b." and its kin, in the language.
const char *grain_unit(enum grain_lang lang, bool dry);

#endif
