// Kinds of numbers that the texts of a label name.
#include "render/check_words.h"

#include "check/rules.h"

static bool names_post(struct pl_slice text)
{
    static const char *const names[] = {"DHL", "Deutsche Post", "DEUTSCHE POST", "Leitcode", "Identcode"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (pl_slice_has(text, names[i]))
            return true;
    return false;
}

static bool is_identcode(const struct pl_element_report *report, const struct platen_element *e)
{
    enum { DIGITS = 12 };
    return report->part_count && e->text_size == DIGITS &&
           pl_rules_check(PL_RULE_DHL, pl_check_symbology(report), pl_slice_make(e->text, e->text_size)).match ==
               PL_RULE_HOLDS;
}

static void ask(const struct pl_check_run *run, struct pl_label_words *words)
{
    words->asked = true;
    words->post = run->document->language->has_leitcode;
    for (uint32_t i = 0; i < run->page->drawn.report_count; i++) {
        const struct platen_element *e = &run->page->elements[i];
        const struct pl_slice text = pl_slice_make(e->data, e->type == PLATEN_TEXT ? e->data_size : 0);
        words->post = words->post || names_post(text) || is_identcode(&run->page->drawn.reports[i], e);
        words->pzn = words->pzn || pl_slice_has(text, "PZN");
        words->imei = words->imei || pl_slice_has(text, "IMEI");
    }
}

bool pl_check_says_post(const struct pl_check_run *run, struct pl_label_words *words)
{
    if (!words->asked)
        ask(run, words);
    return words->post;
}

bool pl_check_says(const struct pl_check_run *run, struct pl_label_words *words, const char *word)
{
    if (!words->asked)
        ask(run, words);
    return strcmp(word, "PZN") == 0 ? words->pzn : words->imei;
}
