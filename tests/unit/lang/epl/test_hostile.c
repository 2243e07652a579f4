// EPL2 that means harm: inputs that end where readable memory ends, many lines of each kind, deadlines.
#include <dirent.h>
#include <time.h>

#include "../../guard_page.h"
#include "base/job.h"
#include "epl_fixture.h"

#define FOLDER "tests/golden/epl"
#define MOST (256u << 10)

static struct guard_page guard;

static void run_at_guard(const void *bytes, size_t size)
{
    const uint8_t *at = guard_page_put(&guard, bytes, size);
    assert_non_null(at);
    struct run r;
    run_init(&r);
    run_epl_bytes(&r, at, size);
    assert_int_equal(r.code, PL_OK);
    (void)pl_epl_detect(pl_slice_make(at, size));
    run_end(&r);
}

static void golden_labels_that_end_at_a_guard_page(void **state)
{
    (void)state;
    static uint8_t bytes[1 << 16];
    DIR *dir = opendir(FOLDER);
    uint32_t count = 0;
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        char path[600];
        size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 4, ".epl") != 0)
            continue;
        snprintf(path, sizeof path, FOLDER "/%s", entry->d_name);
        FILE *f = fopen(path, "rb");
        assert_non_null(f);
        size_t size = fread(bytes, 1, sizeof bytes, f);
        fclose(f);
        count++;
        for (size_t n = 0; n <= size; n++)
            run_at_guard(bytes, n);
    }
    closedir(dir);
    assert_true(count >= 8);
}

static void raw_bytes_that_end_at_a_guard_page(void **state)
{
    (void)state;
    static const char INPUT[] = "GW1,1,2,2,abcd\nGM\"L\"5\n\x0A\x05\x01\x01x\nES\"a\"\x01\x00\x02"
                                "A\x09\x08\xFF\x81\nA1,1,0,a,1,1,N,\"\\\"A\"\nb1,1,Q,\"a\n\"\n?\nP1\n";
    for (size_t n = 0; n < sizeof INPUT; n++)
        run_at_guard(INPUT, n);
}

// Whole, and with a deadline that has passed: what is long looks at the clock.
static void many_lines_of_each_kind(void **state)
{
    (void)state;
    static const char *const LINES[] = {
        "\n",
        "x\n",
        "A1,1,0,1,1,1,N,\"x\"\n",
        "A1,1,0,1,1,1,N,\"\\\"",
        "b1,1,Q,\"\\\"\n",
        "N\nP1\n",
        "LO1,1,1,1\n",
        "B1,1,0,1,1,1,1,N,\"x\"\n",
        "GW1,1,1,1,x",
        "FS\"F\"\nFE\n",
        "FR\"F\"\n",
        "GK\"*\"\n",
        "UF\nUQ\n",
        "?\n",
        "V00,9,L,\"\"\nC0,9,N,+1,\"\"\n",
        "GG1,1,\"L\"\n",
        ("ES\"a\"\x01\x00\x01"
         "A\x01\x01x"),
        "I8,A\nTDdd\n",
        ";\n^XA\n",
    };
    char *input = malloc(MOST);
    assert_non_null(input);
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
        size_t one = strlen(LINES[i]), size = 0;
        if (strncmp(LINES[i], "ES", 2) == 0)
            one = 12;
        for (; size + one <= MOST; size += one)
            memcpy(input + size, LINES[i], one);
        struct run r;
        struct pl_job late = {.deadline_ns = 1};
        run_init(&r);
        run_epl_bytes(&r, input, size);
        if (r.code != PL_OK && r.code != PL_E_LIMIT && r.code != PL_E_MEMORY)
            fail_msg("%s: %s", LINES[i], r.err.message);
        run_end(&r);
        run_init(&r);
        pl_store_init(&r.store, &r.arena, NULL, r.options.limits.stored_bytes);
        pl_diags_init(&r.diags, &r.arena, r.options.limits.diagnostics);
        r.code = pl_epl_interpret(pl_slice_make(input, size), &r.options, &r.store, &r.arena, &r.diags, &late, &r.scene,
                                  &r.err);
        if (r.code != PL_E_DEADLINE && i != 0 && i != 3) // these two are one line
            fail_msg("%s went on after its deadline", LINES[i]);
        run_end(&r);
    }
    free(input);
}

// Interprets `head` and then so many bytes of `piece` again and again. Returns the seconds of CPU that it took.
static double time_of(const char *head, const char *piece, size_t length, size_t bytes)
{
    char *input = malloc(bytes);
    size_t size = strlen(head);
    assert_non_null(input);
    memcpy(input, head, size);
    for (; size + length <= bytes; size += length)
        memcpy(input + size, piece, length);
    struct run r;
    run_init(&r);
    clock_t from = clock();
    run_epl_bytes(&r, input, size);
    double seconds = (double)(clock() - from) / CLOCKS_PER_SEC;
    assert_true(r.code == PL_OK || r.code == PL_E_LIMIT || r.code == PL_E_MEMORY);
    run_end(&r);
    free(input);
    return seconds;
}

// Eight times the input took 64 times as long: each command looked for the one line end, or the one closing quote.
static void raw_bytes_and_open_quotes_take_time_by_their_length_alone(void **state)
{
    (void)state;
    static const struct {
        const char *head, *piece;
        size_t length;
    } INPUTS[] = {
        {"", "GW1,1,1,1,x", 11},
        {"",
         "ES\"a\"\x01\x00\x01"
         "A\x01\x01x",
         12},
        {"", "GM\"A\"1\nx", 8},
        {"", "FS\"F\"\nFE\n", 9},
        {"FR", "\\\"", 2},
    };
    for (size_t i = 0; i < sizeof INPUTS / sizeof *INPUTS; i++) {
        double one = time_of(INPUTS[i].head, INPUTS[i].piece, INPUTS[i].length, 1u << 18);
        double eight = time_of(INPUTS[i].head, INPUTS[i].piece, INPUTS[i].length, 1u << 21);
        if (eight > 0.1 && eight > 24 * one)
            fail_msg("%s: %f s, and %f s for eight times as much", INPUTS[i].piece, one, eight);
    }
}

// The box behind it had the last place, the text had none: the box stayed empty, and drawing it crashed.
static void reversed_text_with_a_variable_in_the_last_place_of_a_label(void **state)
{
    (void)state;
    struct run r;
    run_init(&r);
    r.options.limits.elements_per_label = 2;
    static const char INPUT[] = "N\nLO1,1,9,9\nV00,9,L,\"\"\n?\nx\nA1,1,0,1,1,1,R,V00\nP1\n";
    run_epl_bytes(&r, INPUT, strlen(INPUT));
    assert_int_equal(r.code, PL_OK);
    assert_int_equal(r.scene.label_count, 1);
    assert_int_equal(r.scene.labels[0].element_count, 1);
    assert_non_null(r.scene.labels[0].elements[0]);
    run_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_labels_that_end_at_a_guard_page),
        cmocka_unit_test(raw_bytes_that_end_at_a_guard_page),
        cmocka_unit_test(many_lines_of_each_kind),
        cmocka_unit_test(raw_bytes_and_open_quotes_take_time_by_their_length_alone),
        cmocka_unit_test(reversed_text_with_a_variable_in_the_last_place_of_a_label),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
