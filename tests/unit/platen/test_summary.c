// What a renderer says of a document: taken when it agrees with itself, refused otherwise.
#include "renderer/summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "renderer/render_problem.h"
#include "unit.h"

#define MOST 500u

static struct pl_buf findings;

static void add(const char *code, const char *message, const char *command, const char *fix, int32_t label)
{
    struct render_finding f = {.code = (uint32_t)strlen(code) + 1,
                               .message = (uint32_t)strlen(message) + 1,
                               .command = (uint32_t)strlen(command) + 1,
                               .fix = (uint32_t)strlen(fix) + 1,
                               .severity = PLATEN_WARNING,
                               .line = 3,
                               .label = label};
    pl_buf_append(&findings, &f, sizeof f);
    pl_buf_append(&findings, code, f.code);
    pl_buf_append(&findings, message, f.message);
    pl_buf_append(&findings, command, f.command);
    pl_buf_append(&findings, fix, f.fix);
}

static int set_up(void **state)
{
    (void)state;
    pl_buf_init(&findings, 1 << 20);
    add("unknown_command", "There is no ^ZZ.", "^ZZ", "{}", 1);
    add("no_end", "There is no ^XZ.", "", "", -1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    pl_buf_fini(&findings);
    return 0;
}

static const uint32_t COPIES[] = {1, 3, 2};

static bool take(const struct render_answer *answer, size_t copies_bytes, size_t findings_bytes, bool collapsed,
                 struct summary *out)
{
    // At the very end of their memory, so that AddressSanitizer sees one byte too many.
    uint8_t *copies = malloc(copies_bytes + 1), *texts = malloc(findings_bytes + 1);
    memcpy(copies + 1, COPIES, copies_bytes);
    memcpy(texts + 1, findings.data, findings_bytes);
    bool sound;
    bool ok = summary_of_answer(answer, pl_slice_make(copies + 1, copies_bytes),
                                pl_slice_make(texts + 1, findings_bytes), MOST, collapsed, out, &sound);
    assert_true(ok == sound);
    free(copies);
    free(texts);
    return ok;
}

static void a_sound_answer_is_taken(void **state)
{
    (void)state;
    struct summary s;
    const struct render_answer answer = {.pages = 6, .labels = 3, .finding_count = 2, .findings_dropped = 9};
    assert_true(take(&answer, sizeof COPIES, findings.len, false, &s));
    assert_int_equal(s.copies[1], 3);
    assert_int_equal(s.findings.count, 2);
    assert_int_equal(s.findings.dropped, 9);
    assert_string_equal(s.findings.items[0].code, "unknown_command");
    assert_string_equal(s.findings.items[0].command, "^ZZ");
    assert_string_equal(s.findings.items[1].message, "There is no ^XZ.");
    assert_int_equal(s.findings.items[1].label, -1);
    assert_string_equal(s.findings.fixes[0], "{}");
    assert_string_equal(s.findings.fixes[1], "");
    static const uint32_t labels[] = {0, 1, 1, 1, 2, 2};
    for (uint32_t page = 0; page < 6; page++)
        assert_int_equal(summary_label_of_page(&s, page, false), labels[page]);
    summary_free(&s);
    const struct render_answer collapsed = {.pages = 3, .labels = 3};
    assert_true(take(&collapsed, sizeof COPIES, 0, true, &s));
    assert_int_equal(summary_label_of_page(&s, 2, true), 2);
    summary_free(&s);
}

static void an_answer_that_contradicts_itself_is_refused(void **state)
{
    (void)state;
    struct summary s;
    const struct render_answer good = {.pages = 6, .labels = 3, .finding_count = 2};
    struct render_answer bad = good;
    bad.pages = 7;
    assert_false(take(&bad, sizeof COPIES, findings.len, false, &s));
    bad = good;
    bad.labels = 4;
    assert_false(take(&bad, sizeof COPIES, findings.len, false, &s));
    bad = good;
    bad.labels = bad.pages = UINT32_MAX;
    assert_false(take(&bad, sizeof COPIES, findings.len, false, &s));
    bad = good;
    bad.finding_count = 1;
    assert_false(take(&bad, sizeof COPIES, findings.len, false, &s));
    bad.finding_count = 1000;
    assert_false(take(&bad, sizeof COPIES, findings.len, false, &s));
    bad = good;
    bad.language = 99;
    assert_false(take(&bad, sizeof COPIES, findings.len, false, &s));
    bad = good;
    bad.looks_like = 99;
    assert_false(take(&bad, sizeof COPIES, findings.len, false, &s));
    for (size_t cut = 1; cut < findings.len; cut++)
        assert_false(take(&good, sizeof COPIES, findings.len - cut, false, &s));
    struct render_finding *f = (struct render_finding *)(void *)findings.data;
    for (int i = 0; i < 6; i++) {
        struct render_finding kept = *f;
        uint32_t *const fields[] = {&f->code, &f->message, &f->command, &f->fix, &f->severity, (uint32_t *)&f->label};
        static const uint32_t values[] = {0, UINT32_MAX, 5, 4, 3, (uint32_t)-2};
        *fields[i] = values[i];
        assert_false(take(&good, sizeof COPIES, findings.len, false, &s));
        *f = kept;
    }
    assert_true(take(&good, sizeof COPIES, findings.len, false, &s));
    summary_free(&s);
}

static void each_failure_of_a_render_has_its_status_and_code(void **state)
{
    (void)state;
    static const struct {
        enum platen_status status;
        int answer;
        const char *code;
    } ROWS[] = {
        {PLATEN_E_INVALID, 400, "invalid_parameter"}, {PLATEN_E_NOT_FOUND, 400, "missing_value"},
        {PLATEN_E_LIMIT, 413, "limit_exceeded"},      {PLATEN_E_MEMORY, 413, "limit_exceeded"},
        {PLATEN_E_DEADLINE, 503, "render_timeout"},   {PLATEN_E_CANCELLED, 503, "cancelled"},
        {PLATEN_E_IO, 500, "internal_error"},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        struct problem problem = {0};
        render_problem_of(&(struct platen_error){.status = ROWS[i].status, .message = "why"}, &problem);
        assert_int_equal(problem.status, ROWS[i].answer);
        assert_string_equal(problem.code, ROWS[i].code);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_sound_answer_is_taken, set_up, tear_down),
        cmocka_unit_test(each_failure_of_a_render_has_its_status_and_code),
        cmocka_unit_test_setup_teardown(an_answer_that_contradicts_itself_is_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
