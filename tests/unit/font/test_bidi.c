// Unicode's own tests of the bidirectional algorithm, whole, and what they leave out: paragraphs, depth, time.
// The files are those of Debian's package unicode-data.
#include "process/sanitized.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena_fixture.h"
#include "font/line/bidi.h"
#include "font/line/bidi_class.h"

#define FOLDER "/usr/share/unicode/"
#define LONGEST 256
#define REMOVED 255

static const char *const CLASS_NAMES[] = {"L",  "R",  "AL",  "EN",  "ES",  "ET",  "AN",  "CS",  "NSM", "BN",  "B",  "S",
                                          "WS", "ON", "LRE", "LRO", "RLE", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"};
// A character of each class that is no bracket.
static const uint32_t CLASS_CHARS[] = {'a',    0x5D0,  0x627,  '1',    '+',    '#',    0x660,  ',',
                                       0x300,  0xAD,   0x2029, '\t',   ' ',    '!',    0x202A, 0x202D,
                                       0x202B, 0x202E, 0x202C, 0x2066, 0x2067, 0x2068, 0x2069};

static FILE *open_data(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, FOLDER "%s", name);
    FILE *file = fopen(path, "r");
    if (!file) {
        print_message("skipped: %s is not there; the package unicode-data has it\n", path);
        skip();
    }
    return file;
}

static uint8_t class_by_name(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof CLASS_NAMES / sizeof *CLASS_NAMES; i++)
        if (strlen(CLASS_NAMES[i]) == length && memcmp(CLASS_NAMES[i], name, length) == 0)
            return (uint8_t)i;
    fail_msg("no class %.*s", (int)length, name);
    return 0;
}

struct expected {
    uint8_t levels[LONGEST];
    uint32_t order[LONGEST];
    uint32_t level_count, order_count;
};

static void read_levels(const char *at, struct expected *out)
{
    for (out->level_count = 0; *(at += strspn(at, " \t\n")) && *at != ';'; out->level_count++) {
        char *end = (char *)(uintptr_t)at + 1;
        out->levels[out->level_count] = *at == 'x' ? REMOVED : (uint8_t)strtoul(at, &end, 10);
        at = end;
    }
}

static void read_order(const char *at, struct expected *out)
{
    for (out->order_count = 0; *(at += strspn(at, " \t\n")) && *at != ';'; out->order_count++) {
        char *end;
        out->order[out->order_count] = (uint32_t)strtoul(at, &end, 10);
        at = end;
    }
}

// True when levels and order are as expected; `line` is for the message.
static bool holds(const uint32_t *chars, uint32_t length, enum pl_bidi_base base, int paragraph,
                  const struct expected *expected, const char *line)
{
    uint8_t levels[LONGEST], bases[LONGEST], kept[LONGEST];
    uint32_t order[LONGEST], places[LONGEST], n = 0;
    assert_int_equal(pl_bidi_levels(chars, length, base, &arena, NULL, levels, bases, NULL), PL_OK);
    bool right = length == expected->level_count && (paragraph < 0 || bases[0] == paragraph);
    for (uint32_t i = 0; i < length; i++) {
        if (expected->levels[i] == REMOVED)
            continue;
        right = right && levels[i] == expected->levels[i];
        places[n] = i;
        kept[n++] = levels[i];
    }
    pl_bidi_order(kept, n, order);
    right = right && n == expected->order_count;
    for (uint32_t i = 0; i < n && right; i++)
        right = places[order[i]] == expected->order[i];
    if (!right)
        print_message("base %d, wrong: %s", (int)base, line);
    return right;
}

static void the_whole_of_bidi_test_holds(void **state)
{
    (void)state;
    FILE *file = open_data("BidiTest.txt");
    char line[4096];
    struct expected expected = {.level_count = 0};
    uint32_t cases = 0, wrong = 0;
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "@Levels:", 8) == 0)
            read_levels(line + 8, &expected);
        else if (strncmp(line, "@Reorder:", 9) == 0)
            read_order(line + 9, &expected);
        if (line[0] == '#' || line[0] == '@' || line[0] == '\n')
            continue;
        uint32_t chars[LONGEST], length = 0;
        char *at = line;
        while (*(at += strspn(at, " ")) != ';') {
            size_t name = strcspn(at, " ;");
            chars[length++] = CLASS_CHARS[class_by_name(at, name)];
            at += name;
        }
        unsigned long bases = strtoul(at + 1, NULL, 16); // 1: by the text, 2: left to right, 4: right to left
        static const enum pl_bidi_base BASES[] = {PL_BIDI_BASE_TEXT, PL_BIDI_BASE_LEFT, PL_BIDI_BASE_RIGHT};
        for (int i = 0; i < 3; i++)
            if (bases >> i & 1) {
                cases++;
                // With sanitizers every tenth one: they look at memory, and are slow.
                if (PL_SANITIZED && cases % 10 != 0)
                    continue;
                wrong += !holds(chars, length, BASES[i], -1, &expected, line);
            }
    }
    fclose(file);
    print_message("%u cases\n", cases);
    assert_int_equal(wrong, 0);
    assert_true(cases > 500000);
}

static void the_whole_of_bidi_character_test_holds(void **state)
{
    (void)state;
    FILE *file = open_data("BidiCharacterTest.txt");
    char line[4096];
    uint32_t cases = 0, wrong = 0;
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#' || line[0] == '\n')
            continue;
        uint32_t chars[LONGEST], length = 0;
        char *at = line;
        while (*at != ';')
            chars[length++] = (uint32_t)strtoul(at, &at, 16);
        int base = atoi(at + 1), paragraph = atoi(at + 3);
        struct expected expected;
        at = strchr(at + 3, ';') + 1;
        read_levels(at, &expected);
        read_order(strchr(at, ';') + 1, &expected);
        cases++;
        wrong += !holds(chars, length, (enum pl_bidi_base)base, paragraph, &expected, line);
        assert_int_equal(pl_bidi_reads_from_right(chars, length),
                         base == 2 ? paragraph : pl_bidi_reads_from_right(chars, length));
    }
    fclose(file);
    print_message("%u cases\n", cases);
    assert_int_equal(wrong, 0);
    assert_true(cases > 90000);
}

// The table is made by a tool: every assigned character has the class that the database gives it. Other versions of
// Unicode have other characters.
static void every_character_has_its_class(void **state)
{
    (void)state;
    FILE *file = open_data("extracted/DerivedBidiClass.txt");
    char line[512] = "";
    uint32_t rows = 0;
    if (!fgets(line, sizeof line, file) || !strstr(line, "-15.0.0.txt")) {
        print_message("skipped: the database is not that of Unicode 15.0.0: %s", line);
        fclose(file);
        skip();
    }
    while (fgets(line, sizeof line, file)) {
        char *at = line, *end;
        uint32_t first = (uint32_t)strtoul(at, &end, 16), last = first;
        if (end == at || line[0] == '#')
            continue;
        if (end[0] == '.')
            last = (uint32_t)strtoul(end + 2, &end, 16);
        at = strchr(end, ';') + 2;
        uint8_t class = class_by_name(at, strcspn(at, " "));
        for (uint32_t c = first; c <= last; c++)
            if (pl_bidi_class(c) != class)
                fail_msg("U+%04X has class %s, not %s", c, CLASS_NAMES[pl_bidi_class(c)], CLASS_NAMES[class]);
        rows++;
    }
    fclose(file);
    assert_true(rows > 1000);
}

static void unassigned_characters_have_the_class_of_their_block(void **state)
{
    (void)state;
    assert_int_equal(pl_bidi_class(0x5FF), PL_BIDI_R);
    assert_int_equal(pl_bidi_class(0x74B), PL_BIDI_AL);
    assert_int_equal(pl_bidi_class(0x20CF), PL_BIDI_ET);
    assert_int_equal(pl_bidi_class(0x1EEFF), PL_BIDI_AL);
    assert_int_equal(pl_bidi_class(0xFFFFF), PL_BIDI_BN);
    assert_int_equal(pl_bidi_class(0x110000), PL_BIDI_L);
    assert_int_equal(pl_bidi_class(UINT32_MAX), PL_BIDI_L);
}

static void brackets_know_their_pair(void **state)
{
    (void)state;
    bool opens = false;
    uint32_t pair = pl_bidi_bracket('(', &opens);
    assert_true(pair != 0 && opens);
    assert_int_equal(pl_bidi_bracket(')', &opens), pair);
    assert_false(opens);
    assert_int_equal(pl_bidi_bracket('<', &opens), 0);
    // Canonically equal ones make a pair.
    assert_int_equal(pl_bidi_bracket(0x2329, &opens), pl_bidi_bracket(0x3009, &opens));
}

static void each_paragraph_has_its_own_direction(void **state)
{
    (void)state;
    static const uint32_t chars[] = {0x5D0, '.', '\n', 'a', '.', '\n', 0x202E, 'b', '\n', 'c'};
    uint8_t levels[10], bases[10];
    assert_int_equal(pl_bidi_levels(chars, 10, PL_BIDI_BASE_TEXT, &arena, NULL, levels, bases, NULL), PL_OK);
    assert_memory_equal(levels, ((uint8_t[]){1, 1, 1, 0, 0, 0, 0, 1, 0, 0}), 10);
    assert_memory_equal(bases, ((uint8_t[]){1, 1, 1, 0, 0, 0, 0, 0, 0, 0}), 10);
}

static void blanks_at_the_end_of_a_line_take_the_paragraphs_level(void **state)
{
    (void)state;
    static const uint32_t chars[] = {'a', ' ', 0x5D0, ' ', 0x3000};
    uint8_t levels[] = {0, 0, 1, 1, 1};
    pl_bidi_end_line(chars, 5, 0, levels);
    assert_memory_equal(levels, ((uint8_t[]){0, 0, 1, 0, 0}), 5);
    pl_bidi_end_line(chars + 3, 2, 1, levels + 3); // nothing but blanks
    assert_memory_equal(levels + 3, ((uint8_t[]){1, 1}), 2);
}

// Each of these once took, or would take in a careless engine, time by the square of the length.
static void time_grows_with_the_length(void **state)
{
    (void)state;
    static const uint32_t patterns[][8] = {
        {'(', 0},                                       // open and never closed
        {'(', ')', 0},                                  // many pairs, with nothing strong before or between
        {'(', 0x5D0, ')', 0},                           //
        {0x202B, 0},                                    // embeddings beyond the deepest level
        {0x2068, 0},                                    // isolates that never end
        {0x2067, 'a', 0},                               //
        {0x2068, '!', '(', 0},                          //
        {0x202B, 'a', 0x202A, 0x5D0, 0x2067, '[', 0},   //
        {'a', 0x2067, 0x5D0, 0x2069, ' ', '(', ')', 0}, //
        {0x5D0, '1', ',', '#', '+', 0x300, 'a', 0},
        {'\n', 0x5D0, 0},
    };
    enum { LENGTH = 400000 };
    uint32_t *chars = malloc(LENGTH * sizeof *chars), *order = malloc(LENGTH * sizeof *order);
    uint8_t *levels = malloc(LENGTH), *bases = malloc(LENGTH);
    assert_true(chars && order && levels && bases);
    for (size_t p = 0; p <= sizeof patterns / sizeof *patterns; p++) {
        uint32_t n = 0;
        if (p == sizeof patterns / sizeof *patterns) // nested as deep as it goes
            for (; n < LENGTH; n++)
                chars[n] = n < LENGTH / 2 ? (n % 2 ? '(' : 0x2068) : n % 2 ? 0x2069 : ')';
        while (n < LENGTH)
            for (size_t i = 0; patterns[p][i] && n < LENGTH; i++)
                chars[n++] = patterns[p][i];
        uint64_t start = unit_processor_ms();
        assert_int_equal(pl_bidi_levels(chars, LENGTH, PL_BIDI_BASE_TEXT, &arena, NULL, levels, bases, NULL), PL_OK);
        pl_bidi_order(levels, LENGTH, order);
        uint64_t ms = unit_processor_ms() - start;
        if (ms > 5000) // tens of milliseconds; far more under a sanitizer, and hours if it were a square
            fail_msg("pattern %zu: %llu ms", p, (unsigned long long)ms);
        for (uint32_t i = 0; i < LENGTH; i++)
            assert_true(levels[i] <= 127);
    }
    free(chars), free(order), free(levels), free(bases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_whole_of_bidi_test_holds),
        cmocka_unit_test(the_whole_of_bidi_character_test_holds),
        cmocka_unit_test(every_character_has_its_class),
        cmocka_unit_test(unassigned_characters_have_the_class_of_their_block),
        cmocka_unit_test(brackets_know_their_pair),
        cmocka_unit_test(each_paragraph_has_its_own_direction),
        cmocka_unit_test(blanks_at_the_end_of_a_line_take_the_paragraphs_level),
        cmocka_unit_test(time_grows_with_the_length),
    };
    return cmocka_run_group_tests_name("bidi", tests, arena_set_up, arena_tear_down);
}
