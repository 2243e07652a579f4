// Which of several types a client would rather have, and lists of names with weights.
#include "unit.h"

#include "base/ckd.h"
#include "http/http.h"

static size_t choose(const char *first_header, const char *second_header)
{
    static const char *const offered[] = {"image/png", "image/webp", "application/pdf"};
    const struct http_pair headers[] = {
        {pl_slice_cstr("Host"), pl_slice_cstr("application/pdf")},
        {pl_slice_cstr("ACCEPT"), pl_slice_cstr(first_header)},
        {pl_slice_cstr("accept"), pl_slice_cstr(second_header ? second_header : "")},
    };
    const struct http_request req = {.headers = headers, .header_count = second_header ? 3 : 2};
    return http_accept_choose(&req, offered, PL_COUNTOF(offered));
}

static void types_by_weight_then_order(void **state)
{
    (void)state;
    static const struct {
        const char *accept;
        size_t chosen;
    } rows[] = {
        {"", 0},
        {"image/webp", 1},
        {"application/pdf, image/webp", 2},
        {"image/webp;q=0.5, application/pdf", 2},
        {"image/webp;q=0.50, application/pdf;q=0.5", 1},
        {"IMAGE/WebP ; Q=0.1", 1},
        {"image/webp; level=1; q=0.2, application/pdf; q=0.3", 2},
        {"application/pdf;q=0", 0},
        {"application/pdf;q=0.000, image/webp;q=0.001", 1},
        {"application/pdf;q=nan, image/webp;q=2", 0},
        {"application/pdf;q=-1", 0},
        {"application/pdf;q=", 2}, // no weight at all
        {"*/*", 0},
        {"image/*, application/*", 0},
        {"text/html", 0},
        {"image/webpx, image/web", 0},
        {",,;q=1, ,application/pdf,", 2},
    };
    for (size_t i = 0; i < PL_COUNTOF(rows); i++)
        assert_int_equal(choose(rows[i].accept, NULL), rows[i].chosen);
}

static void several_headers_are_one_list(void **state)
{
    (void)state;
    assert_int_equal(choose("image/webp;q=0.1", "application/pdf"), 2);
    assert_int_equal(choose("image/webp", "application/pdf"), 1);
    assert_int_equal(choose("", "application/pdf"), 2);
    const struct http_request none = {0};
    static const char *const offered[] = {"image/png"};
    assert_int_equal(http_accept_choose(&none, offered, 1), 0);
}

static void wildcards_have_weights_and_a_closer_entry_counts(void **state)
{
    (void)state;
    static const struct {
        const char *accept;
        size_t chosen;
    } rows[] = {
        {"application/pdf, */*;q=0.5", 2},
        {"application/pdf;q=0.5, */*", 0},
        {"image/png;q=0.1, */*;q=0.5", 1},
        {"image/png;q=0.1, image/webp;q=0.2, */*;q=0.5", 2},
        {"application/*", 2},
        {"application/*;q=0.5, image/webp;q=0.4", 2},
        {"image/*, image/png;q=0.2", 1},
        {"image/*, image/png;q=0.2, application/pdf", 2}, // a name before a range of its weight
        {"application/*, application/pdf;q=0.2", 2},
        {"application/*, application/pdf;q=0", 0},
        {"image/*;q=0.9, application/pdf;q=0.5", 0},
        {"image/*;q=0.2, application/pdf;q=0.5", 2},
        {"*/*;q=0", 0},
        // What libraries say of themselves: the first offered is as good as the named one.
        {"application/pdf, text/plain, */*", 0},
    };
    for (size_t i = 0; i < PL_COUNTOF(rows); i++)
        assert_int_equal(choose(rows[i].accept, NULL), rows[i].chosen);
}

static void lists_of_browsers_ask_for_nothing(void **state)
{
    (void)state;
    static const char *const lists[] = {
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8",
        "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        "Text/HTML,application/pdf,*/*;q=0.8",
        "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5",
        "image/webp,image/apng,image/*,*/*;q=0.8",
    };
    for (size_t i = 0; i < PL_COUNTOF(lists); i++)
        assert_int_equal(choose(lists[i], NULL), 0);
}

static void weights_of_names(void **state)
{
    (void)state;
    static const struct {
        const char *list;
        double weight;
    } rows[] = {
        {"", -1},          {"br", -1},          {"gzip", 1},           {"br;q=1, GZIP;q=0.5", 0.5},
        {"gzip;q=0", 0},   {"gzip;q=0.000", 0}, {"gzip;q=1.000", 1},   {"gzip ; q=0.25", 0.25},
        {"gzip;q=abc", 0}, {"x-gzip", -1},      {"gzip;q=0, gzip", 0}, {"*", -1},
    };
    for (size_t i = 0; i < PL_COUNTOF(rows); i++)
        assert_true(http_list_weight(pl_slice_cstr(rows[i].list), "gzip") == rows[i].weight);
}

static void entries_come_in_order(void **state)
{
    (void)state;
    struct pl_slice list = pl_slice_cstr(" pt-BR , en;q=0.5,"), name;
    double weight;
    assert_true(http_list_next(&list, &name, &weight));
    assert_true(pl_slice_eq_cstr(name, "pt-BR") && weight == 1);
    assert_true(http_list_next(&list, &name, &weight));
    assert_true(pl_slice_eq_cstr(name, "en") && weight == 0.5);
    assert_false(http_list_next(&list, &name, &weight));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_by_weight_then_order),
        cmocka_unit_test(several_headers_are_one_list),
        cmocka_unit_test(wildcards_have_weights_and_a_closer_entry_counts),
        cmocka_unit_test(lists_of_browsers_ask_for_nothing),
        cmocka_unit_test(weights_of_names),
        cmocka_unit_test(entries_come_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
