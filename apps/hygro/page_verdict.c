// The verdict on the page: may the grain be stored like this, and why.
#include "grain/verdict.h"
#include "page.h"

static void put(struct grain_fields *fields, const char *name, struct pl_slice value)
{
    grain_fields_put(fields, pl_slice_cstr(name), value);
}

// The page's fields as those of the verdict. Where the humidity is looked for, the grain is the one that was typed.
static void take_fields(const struct page_state *state, struct grain_fields *fields)
{
    grain_fields_init(fields, GRAIN_VERDICT_FIELDS);
    fields->for_people = true;
    put(fields, "lang", pl_slice_cstr(grain_lang_id(state->lang)));
    put(fields, "grain", pl_slice_cstr(state->culture->id));
    put(fields, "set", pl_slice_cstr(page_set(state)->id));
    put(fields, "taUnit", pl_slice_cstr(state->result.fahrenheit ? "F" : "C"));
    if (state->inverse) {
        put(fields, "moisture", state->given);
        put(fields, "grainTa", state->ta);
        return;
    }
    put(fields, "ta", state->ta);
    put(fields, "ur", state->given);
    put(fields, "moisture", state->own);
    put(fields, "grainTa", state->own_ta);
}

typedef void say(struct pl_buf *out, const struct grain_fields *fields, const struct grain_verdict_answer *answer);

static void put_line(struct pl_buf *out, const char *kind, say *sentence, const struct grain_fields *fields,
                     const struct grain_verdict_answer *answer)
{
    struct pl_buf text;
    pl_buf_init(&text, 4096);
    sentence(&text, fields, answer);
    if (text.len > 0) {
        pl_buf_printf(out, "<p class=\"%s\">", kind);
        page_put_html(out, pl_buf_slice(&text));
        pl_buf_append_cstr(out, "</p>");
    }
    pl_buf_take_over(out, &text);
}

// The first words, up to the colon, are the answer itself.
static void put_answer(struct pl_buf *out, const struct grain_fields *fields, const struct grain_verdict_answer *answer)
{
    struct pl_buf text;
    pl_buf_init(&text, 4096);
    grain_say_verdict(&text, fields, answer);
    struct pl_slice sentence = pl_buf_slice(&text);
    size_t colon = 0;
    while (colon < sentence.len && sentence.ptr[colon] != ':')
        colon++;
    pl_buf_append_cstr(out, "<p class=\"answer\"><b>");
    page_put_html(out, pl_slice_sub(sentence, 0, colon));
    pl_buf_append_cstr(out, "</b> ");
    page_put_html(out, pl_slice_trim(pl_slice_sub(sentence, colon + 1, sentence.len)));
    pl_buf_append_cstr(out, "</p>");
    pl_buf_take_over(out, &text);
}

void page_put_verdict(struct pl_buf *out, const struct page_state *state)
{
    struct grain_fields fields;
    struct grain_verdict_answer answer;
    take_fields(state, &fields);
    // Grain too moist for any humidity is still the case to be warned of.
    bool too_moist = state->result.error == GRAIN_E_NO_ANSWER && state->inverse && !state->no_grain;
    bool judged = (page_has_answer(state) || too_moist) && grain_verdict_answer(&fields, &answer);
    if (!judged && !page_has_answer(state)) {
        pl_buf_append_cstr(out, "<div class=\"verdict\" id=\"verdict\"></div>");
        return;
    }
    if (!judged) {
        pl_buf_append_cstr(out, "<div class=\"verdict\" id=\"verdict\">");
        page_put_problem(out, &fields);
        pl_buf_append_cstr(out, "</div>");
        return;
    }
    pl_buf_printf(out, "<div class=\"verdict\" id=\"verdict\" data-verdict=\"%s\"><p class=\"question\">%s</p>",
                  grain_verdict_id(answer.verdict),
                  answer.of_air
                      ? page_words(state, "May grain be stored in this air?", "Pode-se armazenar grão neste ar?",
                                   "¿Se puede almacenar grano en este aire?")
                      : page_words(state, "May this grain be stored like this?", "Este grão pode ser armazenado assim?",
                                   "¿Se puede almacenar este grano así?"));
    put_answer(out, &fields, &answer);
    put_line(out, "effect", grain_say_air_effect, &fields, &answer);
    put_line(out, "small", grain_say_trade, &fields, &answer);
    put_line(out, "small", grain_say_verdict_source, &fields, &answer);
    pl_buf_append_cstr(out, "</div>");
}
