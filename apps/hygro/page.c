// What all parts of the page write with: HTML, words, numbers, links, lines of results.
#include "page.h"

#include <string.h>

#include "base/utf8.h"

// What takes the place of a character; NULL: nothing does. Bytes that are no text come from addresses that somebody
// made.
static const char *entity_of(uint32_t character)
{
    switch (character) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    case '\0':
    case PL_UTF8_BAD:
        return "\xEF\xBF\xBD"; // U+FFFD
    default:
        return NULL;
    }
}

void page_put_html(struct pl_buf *out, struct pl_slice text)
{
    size_t plain = 0;
    for (size_t next = 0; next < text.len;) {
        size_t at = next;
        const char *entity = entity_of(pl_utf8_next(text, &next));
        if (!entity)
            continue;
        pl_buf_append(out, text.ptr + plain, at - plain);
        pl_buf_append_cstr(out, entity);
        plain = next;
    }
    // No arithmetic on the null pointer of an empty text.
    if (text.len > plain)
        pl_buf_append(out, text.ptr + plain, text.len - plain);
}

void page_put_html_cstr(struct pl_buf *out, const char *text)
{
    page_put_html(out, pl_slice_cstr(text));
}

const char *page_words(const struct page_state *state, const char *en, const char *pt, const char *es)
{
    return state->lang == GRAIN_PT ? pt : state->lang == GRAIN_ES ? es : en;
}

const struct grain_set *page_set(const struct page_state *state)
{
    const struct grain_set *set = grain_set_by_id(state->culture, state->set);
    return set != NULL ? set : &state->culture->sets[0];
}

bool page_has_answer(const struct page_state *state)
{
    return state->result.error == GRAIN_OK && !state->no_grain;
}

void page_put_fixed(struct pl_buf *out, const struct page_state *state, double value, bool known)
{
    if (known)
        grain_say_fixed(out, state->lang, value);
    else
        pl_buf_append_cstr(out, "–");
}

void page_put_query_value(struct pl_buf *out, const char *before, struct pl_slice value)
{
    static const char hex[] = "0123456789ABCDEF";
    pl_buf_append_cstr(out, before);
    for (size_t i = 0; i < value.len; i++) {
        uint8_t c = value.ptr[i];
        bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                     (c != '\0' && strchr("-._", c) != NULL);
        if (plain)
            pl_buf_append_byte(out, c);
        else
            pl_buf_append(out, (char[]){'%', hex[c >> 4], hex[c & 15]}, 3);
    }
}

void page_put_link_at(struct pl_buf *out, const struct page_state *state, const struct grain_culture *culture,
                      enum grain_lang lang, bool inverse, struct pl_slice given)
{
    page_put_query_value(out, "?grain=", pl_slice_cstr(culture->id));
    page_put_query_value(out, "&amp;ta=", state->ta);
    page_put_query_value(out, inverse ? "&amp;moisture=" : "&amp;ur=", given);
    if (state->result.fahrenheit)
        pl_buf_append_cstr(out, "&amp;taUnit=F");
    if (state->set.len > 0 && culture == state->culture)
        page_put_query_value(out, "&amp;set=", state->set);
    if (state->own.len > 0)
        page_put_query_value(out, "&amp;own=", state->own);
    if (state->own_ta.len > 0)
        page_put_query_value(out, "&amp;ownTa=", state->own_ta);
    page_put_query_value(out, "&amp;lang=", pl_slice_cstr(grain_lang_id(lang)));
}

void page_put_link(struct pl_buf *out, const struct page_state *state, const struct grain_culture *culture,
                   enum grain_lang lang)
{
    page_put_link_at(out, state, culture, lang, state->inverse, state->given);
}

void page_put_row(struct pl_buf *out, const char *label, const struct pl_buf *value)
{
    pl_buf_printf(out, "<div><dt>%s</dt><dd>", label);
    page_put_html(out, pl_buf_slice(value));
    pl_buf_append_cstr(out, "</dd></div>");
    pl_buf_inherit(out, value);
}

void page_put_sentence(struct pl_buf *out, const char *before, struct pl_buf *sentence, const char *after)
{
    pl_buf_append_cstr(out, before);
    page_put_html(out, pl_buf_slice(sentence));
    pl_buf_append_cstr(out, after);
    pl_buf_take_over(out, sentence);
}

void page_put_problem(struct pl_buf *out, const struct grain_fields *fields)
{
    struct pl_buf sentence;
    pl_buf_init(&sentence, 4096);
    grain_fields_say(&sentence, fields);
    page_put_sentence(out, "<p class=\"error\">", &sentence, "</p>");
}

void page_put_grain(struct pl_buf *out, const struct page_state *state, const struct grain_culture *culture,
                    const struct grain_set *set)
{
    pl_buf_append_cstr(out, "<p class=\"units\">");
    grain_say_name(out, state->lang, culture, set);
    pl_buf_append_cstr(out, "</p>");
}
