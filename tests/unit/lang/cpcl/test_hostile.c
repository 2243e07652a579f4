// CPCL that means harm: inputs that end where readable memory ends, many lines of each kind, wrong counts, deadlines.
#include <time.h>

#include "../../guard_page.h"
#include "../golden.h"
#include "base/job.h"
#include "cpcl_fixture.h"

#define FOLDER "tests/golden/cpcl"
#define HEAD "! 0 200 200 300 1\n"

static struct guard_page guard;

static void run_at_guard(const void *bytes, size_t size)
{
    const uint8_t *at = guard_page_put(&guard, bytes, size);
    assert_non_null(at);
    struct run r;
    run_init(&r);
    run_cpcl_bytes(&r, at, size);
    assert_int_equal(r.code, PL_OK);
    (void)pl_lang_cpcl.detect(pl_slice_make(at, size));
    run_end(&r);
}

static void golden_labels_that_end_at_a_guard_page(void **state)
{
    (void)state;
    size_t count = golden_list(FOLDER, ".cpcl");
    assert_true(count >= 8);
    for (size_t i = 0; i < count; i++) {
        char path[256];
        size_t length = 0;
        snprintf(path, sizeof path, FOLDER "/%.127s.cpcl", golden_names[i]);
        uint8_t *code = golden_read(path, &length);
        assert_non_null(code);
        for (size_t n = 0; n <= length; n++)
            run_at_guard(code, n);
        free(code);
    }
}

static void raw_bytes_that_end_at_a_guard_page(void **state)
{
    (void)state;
    static const char INPUT[] = HEAD "CG 2 2 1 1 abcdPCX 1 1\n\x0A\x05\x01\x01\nEG 1 2 1 1 F\nF0\n! U1 CG 1 1 0 0 x\n"
                                     "! CISDFCRC16\n0\nA.TTF\n00000004\n0\nabcd! U1\n! U1 ";
    for (size_t n = 0; n < sizeof INPUT; n++)
        run_at_guard(INPUT, n);
}

static void counts_beyond_the_input(void **state)
{
    (void)state;
    static const char *const INPUTS[] = {
        HEAD "CG 8192 65535 0 0 x",
        HEAD "CG 99999 1 0 0 x\nPRINT\n",
        HEAD "CG -1 1 0 0 x\nPRINT\n",
        HEAD "CG 1e9 1e9 0 0 x\nPRINT\n",
        HEAD "EG 8192 65535 0 0 FF\nPRINT\n",
        HEAD "VEG 8192 65535 99999999 -99999999 FF\nPRINT\n",
        HEAD "PATTERN 105\nL 0 0 1e9 0 1e9\nPRINT\n",
        HEAD "BOX -1e9 -1e9 1e9 1e9 1e9\nPRINT\n",
        HEAD "L -1e9 -1e9 1e9 1e9 1e9\nPRINT\n",
        HEAD "B 128 1e9 1 1e9 1e9 1e9 x\nPRINT\n",
        HEAD "B RSS 1e9 1e9 1e9 1e9 1e9 1e9 1 1\nPRINT\n",
        HEAD "SETSP 1e9\nSETMAG 16 16\nST A 1e9 1e9 0 0 x\nPRINT\n",
        "! 1e9 200 200 1e9 1e9\nT 7 0 1 1 0\nCOUNT 1e9\nPRINT\n",
        "! nan inf 1 1 1\n! 0 0 0 0 0\nML 1e9\nT 7 0 0 0\na\nb\nENDML\nPRINT\n",
        "! CISDFCRC16\n0\nA.TTF\nFFFFFFFF\n0\nx",
        "! U1 SETLP 7 0 1e9\nx\ny\n! U1 Y 1e9\nx\n! U1 RY 1e9\nx\n",
    };
    for (size_t i = 0; i < sizeof INPUTS / sizeof *INPUTS; i++) {
        struct run r;
        run_init(&r);
        run_cpcl_bytes(&r, INPUTS[i], strlen(INPUTS[i]));
        if (r.code != PL_OK)
            fail_msg("%s: %s", INPUTS[i], r.err.message);
        run_end(&r);
    }
}

static const char *const LINES[] = {
    "\n",
    "x\n",
    "! U1\n",
    "! U1 SETBOLD 1 x",
    "! 0 0 0 0 1\n",
    HEAD "T 7 0 1 1 x\nPRINT\n",
    HEAD "T 7 0 1 1 x\nCOUNT 1\n",
    "! U\nT 7 0 1 1 x\n",
    "! DF A.FMT\nPRINT\n",
    "! UF A.FMT\n",
    "! DF A.FMT\n" HEAD "T 7 0 1 1 \\\\\nPRINT\n! UF A.FMT\n",
    HEAD "B QR 1 1\n",
    HEAD "CG 1 1 0 0 xCG 1 1 0 0 x",
    HEAD "EG 8192 65535 0 0 F\n",
    HEAD "PCX 1 1\n\x0A\x05\x01\x01\n",
    HEAD "CONCAT 1 1\n7 0 0 x\n",
    HEAD "ML 9\nT 7 0 1 1\n",
    HEAD "PATTERN 105\nL 0 0 999 0 999\n",
    "! CISDFCRC16\n0\nA\n1\n0\nx\n",
    "\x0c",
};

static char *filled(const char *piece, size_t bytes, size_t *size)
{
    char *input = malloc(bytes);
    size_t one = strlen(piece);
    assert_non_null(input);
    for (*size = 0; *size + one <= bytes; *size += one)
        memcpy(input + *size, piece, one);
    return input;
}

// Whole, and with a deadline that has passed: what is long looks at the clock.
static void many_lines_of_each_kind(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
        size_t size;
        char *input = filled(LINES[i], 256u << 10, &size);
        struct pl_job late = {.deadline_ns = 1};
        for (int run = 0; run < 2; run++) {
            struct run r;
            run_init(&r);
            r.job = run ? &late : NULL;
            run_cpcl_bytes(&r, input, size);
            if (run == 0 && r.code != PL_OK && r.code != PL_E_LIMIT && r.code != PL_E_MEMORY)
                fail_msg("%s: %s", LINES[i], r.err.message);
            if (run == 1 && r.code != PL_E_DEADLINE)
                fail_msg("%s went on after its deadline", LINES[i]);
            run_end(&r);
        }
        free(input);
    }
}

static double time_of(const char *piece, size_t bytes)
{
    size_t size;
    char *input = filled(piece, bytes, &size);
    struct run r;
    run_init(&r);
    clock_t from = clock();
    run_cpcl_bytes(&r, input, size);
    double seconds = (double)(clock() - from) / CLOCKS_PER_SEC;
    run_end(&r);
    free(input);
    return seconds;
}

// Eight times the input takes about eight times as long, whatever it is made of.
static void time_goes_by_the_length_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
        double one = time_of(LINES[i], 1u << 18), eight = time_of(LINES[i], 1u << 21);
        if (eight > 0.2 && eight > 24 * one)
            fail_msg("%s: %f s, and %f s for eight times as much", LINES[i], one, eight);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_labels_that_end_at_a_guard_page),
        cmocka_unit_test(raw_bytes_that_end_at_a_guard_page),
        cmocka_unit_test(counts_beyond_the_input),
        cmocka_unit_test(many_lines_of_each_kind),
        cmocka_unit_test(time_goes_by_the_length_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
