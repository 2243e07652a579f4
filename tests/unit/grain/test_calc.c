// Requests to answers: every refusal names its field, every warning is there, numbers have one decimal.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "grain/batch.h"
#include "grain/catalog.h"
#include "unit.h"

// The answer to a body, as a string that the caller frees; "!" and the sentence when the body is refused as a whole.
static char *ask(const char *body)
{
    struct pl_buf out;
    struct pl_error err;
    struct grain_tally tally;
    pl_buf_init(&out, GRAIN_ANSWER_MAX);
    if (grain_answer_json(pl_slice_cstr(body), NULL, &out, &tally, &err) != PL_OK) {
        pl_buf_clear(&out);
        pl_buf_printf(&out, "!%s", err.message);
    }
    pl_buf_append_byte(&out, 0);
    assert_false(out.failed);
    return (char *)out.data;
}

static void assert_answer(const char *body, const char *expected)
{
    char *answer = ask(body);
    assert_string_equal(answer, expected);
    free(answer);
}

static void assert_has(const char *body, const char *part)
{
    char *answer = ask(body);
    if (strstr(answer, part) == NULL)
        fail_msg("%s\n  answered %s\n  without  %s", body, answer, part);
    free(answer);
}

static void the_answer_has_all_fields(void **state)
{
    (void)state;
    assert_answer(
        "{\"grain\":\"corn\",\"ta\":25,\"ur\":70}",
        "{\"ok\":true,\"grain\":\"corn\",\"name\":{\"en\":\"Corn\",\"pt\":\"Milho\",\"es\":\"Maíz\"},\"ta\":25,"
        "\"taUnit\":\"C\",\"ur\":70,\"moisture\":14.0,\"unit\":\"% w.b.\",\"basis\":\"wet\",\"computed\":\"moisture\","
        "\"spread\":{\"low\":13.5,\"high\":14.7,\"sets\":5},\"equation\":\"modified-chung-pfost\","
        "\"set\":\"chung-pfost-d245.4\",\"confidence\":\"A\",\"agreement\":\"close\","
        "\"inRange\":true,\"warnings\":[]}");
}

static void numbers_come_as_numbers_or_as_texts_with_point_or_comma(void **state)
{
    (void)state;
    static const char *const good[] = {"25.5",   "\"25.5\"", "\"25,5\"",  "2.55e1",
                                       "255e-1", "25.50",    "\"+25,5\"", "\"025,5\""};
    for (size_t i = 0; i < PL_COUNTOF(good); i++) {
        char body[100];
        snprintf(body, sizeof body, "{\"grain\":\"corn\",\"ta\":%s,\"ur\":\"70\"}", good[i]);
        assert_has(body, "\"ta\":25.5,\"taUnit\":\"C\",\"ur\":70,\"moisture\":14.0,");
    }
    // The minus of pages and spreadsheets.
    assert_has("{\"grain\":\"corn\",\"ta\":\"\u22125,5\",\"ur\":70}", "\"ta\":-5.5,");
    static const char *const bad[] = {
        "\"\"",         "\" 25\"",  "\"25 \"", "\"25.5.1\"", "\"1.234,5\"", "\"25,5,1\"", "\"0x19\"",  "\"NaN\"",
        "\"Infinity\"", "\"-inf\"", "\"25C\"", "\",\"",      "\"-\"",       "\"1e\"",     "\"vinte\"", "\"25\\u0000\""};
    for (size_t i = 0; i < PL_COUNTOF(bad); i++) {
        char body[100];
        snprintf(body, sizeof body, "{\"grain\":\"corn\",\"ta\":%s,\"ur\":70}", bad[i]);
        assert_has(body, "\"code\":\"not_a_number\",\"field\":\"ta\"");
    }
}

static void each_refusal_names_its_field(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"{}", "\"code\":\"missing_field\",\"field\":\"grain\""},
        {"{\"ta\":25,\"ur\":70}", "\"code\":\"missing_field\",\"field\":\"grain\""},
        {"{\"grain\":\"corn\",\"ur\":70}", "\"code\":\"missing_field\",\"field\":\"ta\""},
        {"{\"grain\":\"corn\",\"ta\":25}", "\"code\":\"missing_field\",\"field\":\"ur\""},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":null}", "\"code\":\"missing_field\",\"field\":\"ur\""},
        {"{\"grain\":7,\"ta\":25,\"ur\":70}", "\"code\":\"wrong_type\",\"field\":\"grain\""},
        {"{\"grain\":\"corn\",\"ta\":true,\"ur\":70}", "\"code\":\"wrong_type\",\"field\":\"ta\""},
        {"{\"grain\":\"corn\",\"ta\":[25],\"ur\":70}", "must be a number, not an array"},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":{}}", "\"code\":\"wrong_type\",\"field\":\"ur\""},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":0}", "\"code\":\"out_of_range\",\"field\":\"ur\""},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":100}", "must be above 0 and below 100 %"},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":-5}", "\"allowed\":{\"above\":0,\"below\":100}"},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":1e999}", "\"code\":\"out_of_range\",\"field\":\"ur\""},
        {"{\"grain\":\"corn\",\"ta\":-30.1,\"ur\":70}", "\"allowed\":{\"min\":-30,\"max\":80}"},
        {"{\"grain\":\"corn\",\"ta\":80.1,\"ur\":70}", "\"code\":\"out_of_range\",\"field\":\"ta\""},
        {"{\"grain\":\"corn\",\"ta\":176.1,\"ur\":70,\"taUnit\":\"F\"}", "\"allowed\":{\"min\":-22,\"max\":176}"},
        {"{\"grain\":\"ear-corn\",\"ta\":-22.15,\"ur\":70}", "\"allowed\":{\"above\":-22.15,\"max\":80}"},
        {"{\"grain\":\"cron\",\"ta\":25,\"ur\":70}", "\"nearest\":\"corn\",\"allowed\":[\"corn\",\"ear-corn\","},
        {"{\"grain\":\"quinoa\",\"ta\":25,\"ur\":70}", "\"field\":\"grain\",\"allowed\":["},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":70,\"model\":\"modified-halsey\"}",
         "\"code\":\"unknown_model\",\"field\":\"model\",\"allowed\":[\"modified-chung-pfost\",\"modified-henderson\","
         "\"modified-oswin\"]"},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":70,\"set\":\"x\"}", "\"code\":\"unknown_set\",\"field\":\"set\""},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":70,\"model\":\"modified-oswin\",\"set\":\"henderson-d245.5\"}",
         "\"code\":\"conflicting_fields\",\"field\":\"set\""},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":70,\"curve\":\"wetting\"}",
         "No constants for this curve of Corn were found in a public source; without 'curve' the default is "
         "used.\",\"code\":\"unknown_curve\",\"field\":\"curve\"}"},
        {"{\"grain\":\"durum\",\"ta\":25,\"ur\":70,\"curve\":\"drying\"}", "\"code\":\"unknown_curve\""},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":70,\"curve\":\"both\"}",
         "\"field\":\"curve\",\"allowed\":[\"mean\",\"drying\",\"wetting\"]"},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":70,\"curve\":\"drying\",\"set\":\"henderson-d245.4\"}",
         "\"code\":\"conflicting_fields\",\"field\":\"curve\""},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":70,\"moisture\":14}",
         "\"code\":\"conflicting_fields\",\"field\":\"moisture\""},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":70,\"lang\":\"de\"}",
         "\"field\":\"lang\",\"allowed\":[\"en\",\"pt\",\"es\"]"},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":70,\"basis\":\"damp\"}",
         "\"field\":\"basis\",\"allowed\":[\"wet\",\"dry\"]"},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":70,\"taUnit\":\"K\"}", "\"field\":\"taUnit\",\"allowed\":[\"C\",\"F\"]"},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":0.01}", "\"code\":\"no_answer\",\"field\":\"ur\""},
        {"{\"grain\":\"corn\",\"ta\":25,\"moisture\":0}", "\"code\":\"out_of_range\",\"field\":\"moisture\""},
        {"{\"grain\":\"corn\",\"ta\":25,\"moisture\":60}", "\"code\":\"no_answer\",\"field\":\"moisture\""},
        {"{\"grain\":\"corn\",\"ta\":25,\"moisture\":1000,\"basis\":\"dry\"}",
         "\"allowed\":{\"above\":0,\"below\":1000}"},
        {"7", "\"code\":\"not_an_object\"}"},
        {"\"corn\"", "not a string"},
        {"{\"grain\":\"cron\",\"ta\":25,\"ur\":70,\"lang\":\"pt\"}",
         "A cultura 'cron' não é conhecida; seria 'Milho'?"},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":0.01}", "It is a percentage: 70, not 0.7."},
        {"{\"grain\":\"café\",\"ta\":25,\"ur\":70,\"lang\":\"pt\"}", "Não há constantes para essa cultura aqui"},
        {"{\"grain\":\"trigo duro\",\"ta\":25,\"ur\":70,\"lang\":\"es\"}", "escriba 'durum' o 'trigo'"},
        {"{\"grain\":\"corn\",\"lang\":\"es\"}", "Falta el campo 'ta' (temperatura del aire)."},
        {"{\"grain\":\"corn\",\"lang\":\"pt\"}", "Falta o campo 'ta' (temperatura do ar)."},
    };
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        assert_has(rows[i][0], rows[i][1]);
        assert_has(rows[i][0], "{\"ok\":false,\"error\":\"");
    }
}

static void a_curve_chooses_its_set_and_no_other_answers_for_it(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"\"grain\":\"corn\",\"curve\":\"drying\"", "\"set\":\"chung-pfost-usda\""},
        {"\"grain\":\"corn\",\"curve\":\"drying\"", "\"sets\":1"},
        {"\"grain\":\"corn\",\"curve\":\"Drying\",\"model\":\"modified-chung-pfost\"", "\"set\":\"chung-pfost-usda\""},
        {"\"grain\":\"wheat\",\"curve\":\"drying\"", "\"set\":\"oswin-ramaj\""},
        {"\"grain\":\"wheat\",\"curve\":\"mean\"", "\"set\":\"chung-pfost-d245.5\""},
        {"\"grain\":\"durum\",\"curve\":\"mean\"", "\"set\":\"oswin-durum-d245.5\""},
        {"\"grain\":\"rice\",\"curve\":null", "\"set\":\"henderson-d245.6\""},
    };
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        char body[200];
        snprintf(body, sizeof body, "{%s,\"ta\":25,\"ur\":70}", rows[i][0]);
        assert_has(body, rows[i][1]);
    }
}

static void bounds_that_are_allowed_answer(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"{\"grain\":\"corn\",\"ta\":0,\"ur\":10}", "\"moisture\":8.1,"},
        {"{\"grain\":\"corn\",\"ta\":50,\"ur\":95}", "\"inRange\":true,\"warnings\":[]"},
        {"{\"grain\":\"corn\",\"ta\":32,\"ur\":10,\"taUnit\":\"F\"}",
         "\"ta\":32,\"taUnit\":\"F\",\"ur\":10,\"moisture\":8.1,"},
        {"{\"grain\":\"corn\",\"ta\":122,\"ur\":95,\"taUnit\":\"F\"}", "\"inRange\":true,\"warnings\":[]"},
        {"{\"grain\":\"corn\",\"ta\":-22,\"ur\":50,\"taUnit\":\"F\"}", "\"inRange\":false"},
        {"{\"grain\":\"corn\",\"ta\":80,\"ur\":50}", "\"code\":\"temperature_out_of_range\",\"field\":\"ta\""},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":99.9}", "\"code\":\"humidity_out_of_range\",\"field\":\"ur\""},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":9.9}", "\"inRange\":false"},
        {"{\"grain\":\"wheat\",\"set\":\"oswin-ramaj\",\"ta\":9,\"ur\":50}", "outside 10 to 50 °C"},
        {"{\"grain\":\"wheat\",\"set\":\"oswin-ramaj\",\"ta\":20,\"ur\":87,\"lang\":\"es\"}", "fuera de 5,7 a 86,8 %"},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":0.7}", "\"code\":\"humidity_looks_like_fraction\",\"field\":\"ur\""},
        {"{\"grain\":\"arroz\",\"ta\":25,\"ur\":70,\"lang\":\"pt\"}",
         "'arroz' foi entendido como: Arroz de grãos longos"},
        {"{\"grain\":\"durum\",\"ta\":25,\"ur\":70}", "\"set\":\"oswin-durum-d245.5\""},
        {"{\"grain\":\"durum\",\"ta\":25,\"ur\":70,\"set\":\"henderson-d245.4\"}", "\"set\":\"henderson-d245.4\""},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":70,\"lang\":\"pt\"}", "\"unit\":\"% b.u.\""},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":70,\"lang\":\"es\"}", "\"unit\":\"% b.h.\""},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":70,\"lang\":\"es\",\"basis\":\"dry\"}", "\"unit\":\"% b.s.\""},
        {"{\"grain\":\"ear-corn\",\"ta\":2,\"ur\":50}", "\"code\":\"near_pole\",\"field\":\"ta\""},
        {"{\"grain\":\"ear-corn\",\"ta\":25,\"ur\":50}",
         "\"inRange\":true,\"warnings\":[{\"code\":\"unconfirmed_constants\""},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":70,\"x\":{\"y\":[1,{}]}}",
         "\"warnings\":[{\"code\":\"unknown_field\",\"field\":\"x\""},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":70,\"basis\":\"dry\"}",
         "\"moisture\":16.3,\"unit\":\"% d.b.\",\"basis\":\"dry\""},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":70,\"model\":\"modified-chung-pfost\"}", "\"moisture\":14.0,"},
        {"{\"grain\":\"corn\",\"ta\":25,\"ur\":70,\"set\":\"chung-pfost-d245.5\"}", "\"moisture\":13.5,"},
        {"{\"grain\":\"corn\",\"ta\":25,\"moisture\":14.7}",
         "\"ur\":73.8,\"moisture\":14.7,\"unit\":\"% w.b.\",\"basis\":\"wet\",\"computed\":\"ur\""},
        {"{\"grain\":\"corn\",\"ta\":25,\"moisture\":null,\"ur\":70}", "\"computed\":\"moisture\""},
        {" [ ] ", "[]"},
        {"{\"gr\\u0061in\":\"c\\u006frn\",\"ta\":25,\"ur\":70}", "\"moisture\":14.0,"},
    };
    for (size_t i = 0; i < PL_COUNTOF(rows); i++)
        assert_has(rows[i][0], rows[i][1]);
}

static void a_batch_keeps_its_order_with_errors_in_place(void **state)
{
    (void)state;
    char *answer =
        ask("[{\"grain\":\"corn\",\"ta\":25,\"ur\":70},{\"grain\":\"x\"},3,{\"grain\":\"wheat\",\"ta\":25,\"ur\":70}]");
    const char *first = strstr(answer, "\"grain\":\"corn\",\"name\""), *second = strstr(answer, "unknown_grain"),
               *third = strstr(answer, "not_an_object"), *fourth = strstr(answer, "\"grain\":\"wheat\",\"name\"");
    assert_true(first != NULL && first < second && second < third && third < fourth);
    assert_int_equal(answer[0], '[');
    assert_int_equal(answer[strlen(answer) - 1], ']');
    free(answer);
}

static void a_batch_has_at_most_ten_thousand_items(void **state)
{
    (void)state;
    for (int extra = 0; extra <= 1; extra++) {
        struct pl_buf body;
        pl_buf_init(&body, 10 << 20);
        pl_buf_append_byte(&body, '[');
        for (int i = 0; i < GRAIN_BATCH_MAX + extra; i++)
            pl_buf_append_cstr(&body, i == 0 ? "{}" : ",{}");
        pl_buf_append(&body, "]", 2);
        char *answer = ask((const char *)body.data);
        assert_int_equal(answer[0] == '!', extra);
        if (extra)
            assert_string_equal(answer, "!A batch may have at most 10000 calculations.");
        free(answer);
        pl_buf_fini(&body);
    }
}

static void what_is_not_json_is_refused_whole(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "",
        " ",
        "{",
        "}",
        "[",
        "[}",
        "{]",
        "[,]",
        "[{},]",
        "[{} {}]",
        "{}x",
        "{} {}",
        "[]]",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{,}",
        "{a:1}",
        "{'a':1}",
        "{\"a\":01}",
        "{\"a\":+1}",
        "{\"a\":.5}",
        "{\"a\":1.}",
        "{\"a\":1e}",
        "{\"a\":-}",
        "{\"a\":NaN}",
        "{\"a\":Infinity}",
        "{\"a\":tru}",
        "{\"a\":nulL}",
        "{\"a\":\"",
        "{\"a\":\"\n\"}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\\u12\"}",
        "{\"a\":\"\\ud800\"}",
        "{\"a\":\"\\udc00\"}",
        "{\"a\":\"\\ud800\\u0041\"}",
        "{\"a\":\"\xFF\"}",
        "{\"a\":\"\xC0\x80\"}",
        "{\"a\":\"\xED\xA0\x80\"}",
        "{\"a\":1,\"a\":2}",
        "{\"ta\":1,\"t\\u0061\":2}",
        "{\"a\":[1,2}",
        "{\"a\":[1 2]}",
        "{\"a\":{\"b\" 1}}",
        "{\"a\":[,1]}",
        "{\"a\":[1,]}",
        "{\"a\":{\"b\":1,}}",
        "// {}",
    };
    for (size_t i = 0; i < PL_COUNTOF(bodies); i++) {
        char *answer = ask(bodies[i]);
        if (strncmp(answer, "!The body is not ", 17) != 0)
            fail_msg("%s\n  answered %s", bodies[i], answer);
        free(answer);
    }
}

static void nesting_is_bounded(void **state)
{
    (void)state;
    char body[4096];
    for (size_t depth = 1; depth <= 1000; depth += 37) {
        size_t n = (size_t)snprintf(body, sizeof body, "{\"grain\":\"corn\",\"ta\":25,\"ur\":70,\"x\":");
        memset(body + n, '[', depth);
        memset(body + n + depth, ']', depth);
        body[n + 2 * depth] = '}';
        body[n + 2 * depth + 1] = '\0';
        assert_has(body, depth <= 31 ? "\"moisture\":14.0" : "!The body is not valid JSON: too many levels");
    }
}

static void strange_texts_come_back_escaped_and_cut(void **state)
{
    (void)state;
    assert_has("{\"grain\":\"<b>\\\"\\u0001\\\\\",\"ta\":1,\"ur\":1}", "'<b>\\\"\\u0001\\\\' is not known");
    char body[4000], *at = body + sprintf(body, "{\"grain\":\"");
    for (int i = 0; i < 500; i++)
        at += sprintf(at, "ã");
    strcpy(at, "\",\"ta\":1,\"ur\":1}");
    assert_has(body, "ããã…' is not known. Known are:");
    assert_has("{\"\\ud83c\\udf3d\":1,\"grain\":\"corn\",\"ta\":25,\"ur\":70}",
               "The field '🌽' has no meaning here and was ignored.");
}

static void the_largest_answer_of_a_batch_fits(void **state)
{
    (void)state;
    // The longest sentence: an unknown name of control characters, each written as an escape, twice.
    struct pl_buf body;
    pl_buf_init(&body, 8 << 20);
    pl_buf_append_byte(&body, '[');
    for (int i = 0; i < GRAIN_BATCH_MAX; i++) {
        pl_buf_append_cstr(&body, i == 0 ? "{\"lang\":\"pt\",\"grain\":\"" : ",{\"lang\":\"pt\",\"grain\":\"");
        for (int k = 0; k < 45; k++)
            pl_buf_append_cstr(&body, "\\u0001");
        pl_buf_append_cstr(&body, "\"}");
    }
    pl_buf_append(&body, "]", 2);
    char *answer = ask((const char *)body.data);
    assert_int_equal(answer[0], '[');
    print_message("answer of %zu bytes\n", strlen(answer));
    assert_true(strlen(answer) < GRAIN_ANSWER_MAX);
    free(answer);
    pl_buf_fini(&body);
}

static void tables_hold_the_same_numbers_as_single_answers(void **state)
{
    (void)state;
    for (size_t i = 0; i < GRAIN_CULTURES; i++) {
        struct grain_request request;
        struct grain_result chosen;
        grain_request_init(&request);
        grain_request_put(&request, pl_slice_cstr("grain"), pl_slice_cstr(grain_cultures()[i].id));
        grain_choose(&request, &chosen);
        assert_int_equal(chosen.error, GRAIN_OK);
        struct pl_buf csv;
        pl_buf_init(&csv, 1 << 16);
        grain_write_table_csv(&csv, &chosen, false);
        pl_buf_append_byte(&csv, 0);
        char *line = strstr((char *)csv.data, "\r\n") + 2;
        for (size_t row = 0; row < grain_table_rows(false); row++) {
            char *end = strstr(line, "\r\n"), *cell = strchr(line, ',');
            for (size_t column = 0; column < GRAIN_TABLE_COLUMNS; column++) {
                size_t len = strcspn(cell + 1, ",\r");
                char body[120], part[60];
                snprintf(body, sizeof body, "{\"grain\":\"%s\",\"ta\":%zu,\"ur\":%zu}", grain_cultures()[i].id, row * 5,
                         10 + column * 5);
                snprintf(part, sizeof part, "\"moisture\":%.*s,", (int)len, cell + 1);
                assert_has(body, part);
                cell += 1 + len;
            }
            assert_ptr_equal(cell, end);
            line = end + 2;
        }
        assert_string_equal(line, "");
        pl_buf_fini(&csv);
    }
}

static void a_cell_without_an_answer_is_null_or_empty(void **state)
{
    (void)state;
    struct grain_request request;
    struct grain_result chosen;
    grain_request_init(&request);
    grain_request_put(&request, pl_slice_cstr("grain"), pl_slice_cstr("soja"));
    grain_request_put(&request, pl_slice_cstr("set"), pl_slice_cstr("chung-pfost-d245.4"));
    grain_choose(&request, &chosen);
    struct pl_buf out;
    pl_buf_init(&out, 1 << 16);
    grain_write_table_json(&out, &request, &chosen);
    grain_write_table_csv(&out, &chosen, true);
    pl_buf_append_byte(&out, 0);
    assert_non_null(strstr((char *)out.data, "[null,"));
    assert_non_null(strstr((char *)out.data, "\r\n50;;"));
    assert_null(strstr((char *)out.data, "nan"));
    pl_buf_fini(&out);
}

static void a_repeated_parameter_is_refused(void **state)
{
    (void)state;
    struct grain_request request;
    struct grain_result result;
    grain_request_init(&request);
    grain_request_put(&request, pl_slice_cstr("grain"), pl_slice_cstr("corn"));
    grain_request_put(&request, pl_slice_cstr("ta"), pl_slice_cstr("25"));
    grain_request_put(&request, pl_slice_cstr("ta"), pl_slice_cstr("26"));
    grain_request_put(&request, pl_slice_cstr("ur"), pl_slice_cstr("70"));
    grain_calculate(&request, &result);
    assert_int_equal(result.error, GRAIN_E_REPEATED);
    assert_int_equal(result.field, GRAIN_F_TA);
}

static void numbers_are_written_in_their_shortest_form(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } rows[] = {{0, "0"},        {-0.0, "0"},        {25, "25"},
                {-5.5, "-5.5"},  {0.1, "0.1"},       {70.25, "70.25"},
                {1e-3, "0.001"}, {0.0001, "0.0001"}, {1 / 3.0, "0.3333333333333333"}};
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        struct pl_buf out;
        pl_buf_init(&out, 100);
        grain_put_number(&out, rows[i].value);
        pl_buf_append_byte(&out, 0);
        assert_string_equal((char *)out.data, rows[i].text);
        pl_buf_fini(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_answer_has_all_fields),
        cmocka_unit_test(numbers_come_as_numbers_or_as_texts_with_point_or_comma),
        cmocka_unit_test(each_refusal_names_its_field),
        cmocka_unit_test(a_curve_chooses_its_set_and_no_other_answers_for_it),
        cmocka_unit_test(bounds_that_are_allowed_answer),
        cmocka_unit_test(a_batch_keeps_its_order_with_errors_in_place),
        cmocka_unit_test(a_batch_has_at_most_ten_thousand_items),
        cmocka_unit_test(what_is_not_json_is_refused_whole),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(strange_texts_come_back_escaped_and_cut),
        cmocka_unit_test(the_largest_answer_of_a_batch_fits),
        cmocka_unit_test(tables_hold_the_same_numbers_as_single_answers),
        cmocka_unit_test(a_cell_without_an_answer_is_null_or_empty),
        cmocka_unit_test(a_repeated_parameter_is_refused),
        cmocka_unit_test(numbers_are_written_in_their_shortest_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
