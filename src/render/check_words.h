// What the texts of a label say its numbers are. The texts are looked at once for a label, when the first number asks.
#ifndef PL_RENDER_CHECK_WORDS_H
#define PL_RENDER_CHECK_WORDS_H

#include "render/checks.h"

struct pl_label_words {
    bool asked, post, pzn, imei;
};

// Is this a label of Deutsche Post: does it say so, or has it an Identcode?
bool pl_check_says_post(const struct pl_check_run *run, struct pl_label_words *words);
// Has a text this word, which is one of pl_rule_result?
bool pl_check_says(const struct pl_check_run *run, struct pl_label_words *words, const char *word);

#endif
