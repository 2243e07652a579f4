// The page: its state, its values, each written by one function, and what all of them write with.
#ifndef HYGRO_PAGE_H
#define HYGRO_PAGE_H

#include "grain/hours.h"
#include "http/http.h"

// The page's files, made from web/grain by web/build.mjs.
extern const struct http_asset grain_assets[];
extern const size_t grain_asset_count;

// A file of hours that was sent to the page, and what came of it.
struct page_hours {
    struct grain_fields fields;
    struct grain_hours hours;
    struct pl_error err;
    enum pl_errc code;
};

// What the page shows: the query's values as typed, and what came out.
struct page_state {
    enum grain_lang lang;
    struct grain_request request;
    struct grain_result result;
    struct pl_slice ta;                  // as typed, without space around
    struct pl_slice given;               // the humidity or, where that is looked for, the moisture
    bool inverse;                        // the humidity is looked for
    struct pl_slice own, own_ta;         // moisture and temperature of one's own grain; empty: not given
    struct pl_slice set;                 // empty: the default
    const struct grain_culture *culture; // chosen in the list
    // The query's name means nothing here: why, and the request that asked. Nothing is chosen then, and what the page
    // shows of a culture is the first one's.
    bool no_grain;
    struct grain_request asked;
    struct grain_result refused;
    struct pl_slice lost_set;       // that the query names and the culture has not; empty: none
    const struct http_request *req; // for the fields of the tools
    struct page_hours *hours;       // NULL: no file was sent
};

struct page_value {
    const char *name; // {{name}} in the template
    void (*write)(struct pl_buf *out, const struct page_state *state);
    // Instead, with what values differ in that one function writes.
    void (*write_of)(struct pl_buf *out, const struct page_state *state, const struct page_value *value);
    int of;
    const char *yes[GRAIN_LANGS], *no[GRAIN_LANGS]; // English alone: the same in all languages
};

extern const struct page_value hygro_page_values[];
extern const size_t hygro_page_value_count;

void page_put_html(struct pl_buf *out, struct pl_slice text);
void page_put_html_cstr(struct pl_buf *out, const char *text);
// Of a sentence that was built aside because it holds bytes of the request; it is freed.
void page_put_sentence(struct pl_buf *out, const char *before, struct pl_buf *sentence, const char *after);
// One of the texts, by the page's language.
const char *page_words(const struct page_state *state, const char *en, const char *pt, const char *es);
// The set that is chosen, also where nothing could be computed and the result has none.
const struct grain_set *page_set(const struct page_state *state);
bool page_has_answer(const struct page_state *state);
// The number with one decimal and the language's mark, or a dash.
void page_put_fixed(struct pl_buf *out, const struct page_state *state, double value, bool known);

// A value of an address behind its name.
void page_put_query_value(struct pl_buf *out, const char *before, struct pl_slice value);
// The address of the page for another culture or language; for another direction, with the value that it starts from.
void page_put_link_at(struct pl_buf *out, const struct page_state *state, const struct grain_culture *culture,
                      enum grain_lang lang, bool inverse, struct pl_slice given);
void page_put_link(struct pl_buf *out, const struct page_state *state, const struct grain_culture *culture,
                   enum grain_lang lang);

// What results of tools consist of: a line, why there is none, and which grain it is of, since another may be chosen
// before it is looked at.
void page_put_row(struct pl_buf *out, const char *label, const struct pl_buf *value);
void page_put_problem(struct pl_buf *out, const struct grain_fields *fields);
void page_put_grain(struct pl_buf *out, const struct page_state *state, const struct grain_culture *culture,
                    const struct grain_set *set);

// What is wrong with a field and what is right about the result, in the page's words (page_words.c).
void page_say_error(struct pl_buf *out, const struct page_state *state, enum grain_field field);
void page_say_sentence(struct pl_buf *out, const struct page_state *state);
void page_say_comparison(struct pl_buf *out, const struct page_state *state);
void page_say_spread(struct pl_buf *out, const struct page_state *state);
// What is to be said about the query itself: a name that was taken as another, or that means nothing; a set that is
// not there.
void page_put_asked(struct pl_buf *out, const struct page_state *state);

// The larger parts (page_parts.c).
void page_put_comparison(struct pl_buf *out, const struct page_state *state);
void page_put_table(struct pl_buf *out, const struct page_state *state);
void page_put_how(struct pl_buf *out, const struct page_state *state);
void page_put_sets(struct pl_buf *out, const struct page_state *state);
// What the script draws (page_chart.c).
void page_put_chart(struct pl_buf *out, const struct page_state *state);
// May the grain be stored like this (page_verdict.c).
void page_put_verdict(struct pl_buf *out, const struct page_state *state);
// The folded tools (page_tools.c).
void page_put_tools(struct pl_buf *out, const struct page_state *state);
// The hours of a season (page_season.c): what the fan is for and what decides an ambiguous file; the result.
void page_put_season_choices(struct pl_buf *out, const struct page_state *state);
void page_put_season(struct pl_buf *out, const struct page_state *state);

#endif
