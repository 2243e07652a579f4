// The page: the template is filled with the answer to the query, in the reader's language. The script fetches it again
// for other values.
#include "page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "service.h"

#define PIECES_MAX 768

struct piece {
    struct pl_slice literal;
    const struct page_value *value; // after the literal; NULL: none
};

struct hygro_page {
    struct piece pieces[GRAIN_LANGS][PIECES_MAX];
    size_t counts[GRAIN_LANGS];
};

static const struct page_value *value_by_name(struct pl_slice name)
{
    for (size_t i = 0; i < hygro_page_value_count; i++) {
        if (pl_slice_eq_cstr(name, hygro_page_values[i].name))
            return &hygro_page_values[i];
    }
    return NULL;
}

static bool find(struct pl_slice text, size_t from, const char *mark, size_t *at)
{
    const uint8_t *found = memmem(text.ptr + from, text.len - from, mark, strlen(mark));
    if (found == NULL)
        return false;
    *at = (size_t)(found - text.ptr);
    return true;
}

static enum pl_errc add_piece(struct hygro_page *page, int lang, struct pl_slice literal,
                              const struct page_value *value, struct pl_error *err)
{
    if (page->counts[lang] == PIECES_MAX)
        return pl_fail(err, PL_E_BUG, "the page's template has too many marks");
    page->pieces[lang][page->counts[lang]++] = (struct piece){literal, value};
    return PL_OK;
}

// The part of "English|Português|Español" in one language; false: there are not so many.
static bool part_of(struct pl_slice inside, int lang, struct pl_slice *part)
{
    size_t start = 0, end;
    for (int i = 0; i < lang; i++) {
        if (!find(inside, start, "|", &end))
            return false;
        start = end + 1;
    }
    bool last = lang == GRAIN_LANGS - 1;
    if (find(inside, start, "|", &end) == last)
        return false;
    *part = pl_slice_sub(inside, start, last ? inside.len : end - start);
    return true;
}

// Cuts at {{name}} and at [[English|Português|Español]], of which it keeps one part.
static enum pl_errc cut(struct hygro_page *page, struct pl_slice html, int lang, struct pl_error *err)
{
    size_t start = 0;
    for (;;) {
        size_t value_at = SIZE_MAX, words_at = SIZE_MAX, end;
        (void)find(html, start, "{{", &value_at);
        (void)find(html, start, "[[", &words_at);
        if (value_at == SIZE_MAX && words_at == SIZE_MAX)
            return add_piece(page, lang, pl_slice_sub(html, start, html.len), NULL, err);
        bool is_value = value_at < words_at;
        size_t at = is_value ? value_at : words_at;
        struct pl_slice literal = pl_slice_sub(html, start, at - start);
        if (!find(html, at, is_value ? "}}" : "]]", &end))
            return pl_fail(err, PL_E_BUG, "the page's template has a mark without an end");
        struct pl_slice inside = pl_slice_sub(html, at + 2, end - at - 2);
        if (is_value) {
            const struct page_value *value = value_by_name(inside);
            // The comment at the top of the template tells of the marks themselves.
            if (value == NULL)
                return pl_fail(err, PL_E_BUG, "the page's template names an unknown value");
            PL_TRY(add_piece(page, lang, literal, value, err));
        } else {
            struct pl_slice part;
            if (!part_of(inside, lang, &part))
                return pl_fail(err, PL_E_BUG, "the page's template has a text that is not in every language");
            PL_TRY(add_piece(page, lang, literal, NULL, err));
            PL_TRY(add_piece(page, lang, part, NULL, err));
        }
        start = end + 2;
    }
}

enum pl_errc hygro_page_new(struct pl_slice html, struct hygro_page **page, struct pl_error *err)
{
    *page = calloc(1, sizeof **page);
    if (*page == NULL)
        return pl_fail(err, PL_E_MEMORY, "no memory for the page");
    for (int lang = 0; lang < GRAIN_LANGS; lang++)
        PL_TRY(cut(*page, html, lang, err));
    return PL_OK;
}

void hygro_page_free(struct hygro_page *page)
{
    free(page);
}

// The weight that Accept-Language gives to a language, with or without a region; -1 when it does not name it.
static double language_weight(struct pl_slice list, const char *lang)
{
    struct pl_slice tag;
    double weight, best = -1;
    while (http_list_next(&list, &tag, &weight)) {
        bool named =
            pl_slice_eq_nocase(pl_slice_sub(tag, 0, 2), pl_slice_cstr(lang)) && (tag.len == 2 || tag.ptr[2] == '-');
        if (named)
            best = PL_MAX(best, weight);
    }
    return best;
}

static enum grain_lang choose_lang(const struct http_request *req)
{
    struct pl_slice text;
    for (int lang = 0; http_query(req, "lang", &text) && lang < GRAIN_LANGS; lang++) {
        if (pl_slice_eq_cstr(text, grain_lang_id((enum grain_lang)lang)))
            return (enum grain_lang)lang;
    }
    enum grain_lang best = GRAIN_EN;
    if (!http_header(req, "Accept-Language", &text))
        return best;
    for (int lang = 0; lang < GRAIN_LANGS; lang++) {
        if (language_weight(text, grain_lang_id((enum grain_lang)lang)) > language_weight(text, grain_lang_id(best)))
            best = (enum grain_lang)lang;
    }
    return best;
}

static struct pl_slice query_or(const struct http_request *req, const char *name, const char *otherwise)
{
    struct pl_slice value;
    return http_query(req, name, &value) ? pl_slice_trim(value) : pl_slice_cstr(otherwise);
}

static void put_field(struct page_state *state, const char *name, struct pl_slice value)
{
    grain_request_put(&state->request, pl_slice_cstr(name), value);
}

// The set of the query, by its id or by its equation, or the one that the grain's name means. What the culture has not
// is told, and its default is used.
static void choose_set(const struct http_request *req, struct page_state *state, const struct grain_set *meant)
{
    struct pl_slice id = query_or(req, "set", ""), model = query_or(req, "model", ""),
                    curve_id = query_or(req, "curve", "");
    enum grain_curve curve;
    enum grain_equation equation;
    const struct grain_set *set = meant != NULL ? meant : &state->culture->sets[0];
    if (id.len > 0) {
        const struct grain_set *named = grain_set_by_id(state->culture, id);
        state->lost_set = named == NULL && !state->no_grain ? id : pl_slice_make("", 0);
        set = named != NULL ? named : &state->culture->sets[0];
    } else if (model.len > 0) {
        const struct grain_set *named =
            grain_equation_by_id(model, &equation) ? grain_set_by_equation(state->culture, equation) : NULL;
        state->lost_set = named == NULL && !state->no_grain ? model : pl_slice_make("", 0);
        set = named != NULL ? named : set;
    } else if (curve_id.len > 0) {
        const struct grain_set *named =
            grain_curve_by_id(curve_id, &curve) ? grain_set_by_curve(state->culture, curve) : NULL;
        state->lost_set = named == NULL && !state->no_grain ? curve_id : pl_slice_make("", 0);
        set = named != NULL ? named : set;
    }
    state->set = set == &state->culture->sets[0] ? pl_slice_make("", 0) : pl_slice_cstr(set->id);
    put_field(state, "set", pl_slice_cstr(set->id));
}

static void read_state(const struct http_request *req, struct page_state *state)
{
    *state = (struct page_state){.lang = choose_lang(req), .req = req};
    struct pl_slice grain = query_or(req, "grain", "corn"), unit = query_or(req, "taUnit", "C");
    bool fahrenheit = pl_slice_eq_cstr(unit, "F");
    struct pl_slice other;
    state->ta = query_or(req, "ta", fahrenheit ? "77" : "25");
    state->inverse = http_query(req, "moisture", &other) && !http_query(req, "ur", &other);
    state->given = state->inverse ? query_or(req, "moisture", "") : query_or(req, "ur", "70");
    state->own = query_or(req, "own", "");
    state->own_ta = query_or(req, "ownTa", "");
    grain_request_init(&state->request);
    put_field(state, "lang", pl_slice_cstr(grain_lang_id(state->lang)));
    put_field(state, "grain", grain);
    if (state->ta.len > 0)
        put_field(state, "ta", state->ta);
    // An empty moisture is still the one that is missing.
    if (state->given.len > 0 || state->inverse)
        put_field(state, state->inverse ? "moisture" : "ur", state->given);
    if (fahrenheit)
        put_field(state, "taUnit", unit);
    // By the value as it was stored: of a name that was cut, the calculation and the page must think alike.
    const struct grain_value *name = &state->request.field[GRAIN_F_GRAIN];
    struct grain_meaning meaning;
    state->no_grain = name->cut || !grain_find_meaning(pl_slice_make(name->text, name->len), &meaning);
    if (state->no_grain) {
        // What is wrong is kept; the rest of the page shows the first culture.
        state->asked = state->request;
        grain_calculate(&state->asked, &state->refused);
        meaning = (struct grain_meaning){.culture = &grain_cultures()[0]};
        grain_value_set_text(&state->request.field[GRAIN_F_GRAIN], pl_slice_cstr(meaning.culture->id));
    }
    state->culture = meaning.culture;
    choose_set(req, state, meaning.set);
    grain_calculate(&state->request, &state->result);
}

static int send_page(const struct http_request *req, struct http_response *res, const struct page_state *state)
{
    const struct hygro_service *service = req->app;
    struct pl_buf out;
    pl_buf_init(&out, 1 << 20);
    for (size_t i = 0; i < service->page->counts[state->lang]; i++) {
        const struct piece *piece = &service->page->pieces[state->lang][i];
        pl_buf_append_slice(&out, piece->literal);
        const struct page_value *value = piece->value;
        if (value != NULL && value->write_of != NULL)
            value->write_of(&out, state, value);
        else if (value != NULL)
            value->write(&out, state);
    }
    if (out.failed) {
        pl_buf_fini(&out);
        return http_problem_overloaded(res);
    }
    http_set_type(res, "text/html; charset=utf-8");
    http_set_cache(res, "no-cache");
    http_set_header_cstr(res, "Vary", "Accept-Language");
    http_set_header_cstr(res, "Content-Security-Policy", hygro_page_policy);
    http_set_header_cstr(res, "Referrer-Policy", "no-referrer");
    http_set_header_cstr(res, "Content-Language", grain_lang_id(state->lang));
    http_body_take_buf(res, &out);
    return 200;
}

// Of two values of one name nobody knows which one is meant. False: the problem (400) names it.
static bool has_one_value_each(const struct http_request *req, struct http_response *res)
{
    for (size_t i = 0; i < req->query_count; i++) {
        if (!http_query_differs(req, i))
            continue;
        char name[33];
        snprintf(name, sizeof name, "%.*s", (int)PL_MIN(req->query[i].name.len, sizeof name - 1),
                 (const char *)req->query[i].name.ptr);
        struct pl_buf text;
        pl_buf_init(&text, 1024);
        grain_say_repeated(&text, choose_lang(req), name);
        http_problem(res, 400, "repeated_field", "%.*s", (int)text.len, (const char *)text.data);
        pl_buf_fini(&text);
        return false;
    }
    return true;
}

int hygro_page_get(struct http_request *req, struct http_response *res)
{
    struct page_state state;
    if (!has_one_value_each(req, res))
        return 400;
    read_state(req, &state);
    return send_page(req, res, &state);
}

int hygro_page_post(struct http_request *req, struct http_response *res)
{
    struct page_state state;
    struct page_hours hours = {.code = PL_OK};
    struct pl_slice text;
    if (!has_one_value_each(req, res))
        return 400;
    read_state(req, &state);
    grain_fields_init(&hours.fields, GRAIN_HOURS_FIELDS);
    hours.fields.for_people = true;
    grain_fields_put(&hours.fields, pl_slice_cstr("lang"), pl_slice_cstr(grain_lang_id(state.lang)));
    grain_fields_put(&hours.fields, pl_slice_cstr("grain"), pl_slice_cstr(state.culture->id));
    grain_fields_put(&hours.fields, pl_slice_cstr("set"), pl_slice_cstr(page_set(&state)->id));
    hours.code = hygro_hours_file(req, &hours.fields, NULL, 0, &text, &hours.err);
    if (hours.code == PL_OK)
        hours.code = grain_hours_answer(&hours.fields, text, &req->job, &hours.hours, &hours.err);
    state.hours = &hours;
    bool told = hours.code == PL_OK || hours.code == PL_E_INVALID || hours.code == PL_E_LIMIT;
    int status = told ? send_page(req, res, &state) : hygro_problem(res, &hours.err);
    grain_hours_free(&hours.hours);
    return status;
}
