// Where lines can end without a space, and where words can be cut.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "font/line/breaks.h"

static uint32_t decode(const char *text, uint32_t *out)
{
    uint32_t n = 0;
    for (const unsigned char *p = (const unsigned char *)text; *p; n++) {
        int more = *p >= 0xF0 ? 3 : *p >= 0xE0 ? 2 : *p >= 0xC0 ? 1 : 0;
        uint32_t c = more == 0 ? *p : *p & (0x3Fu >> more);
        for (p++; more > 0; more--)
            c = c << 6 | (*p++ & 0x3F);
        out[n] = c;
    }
    return n;
}

// `marked` has "|" where a line can end and "/" where a word can be cut. `ends_only`: cuts are not looked at.
static void compare(const char *marked, bool ends_only)
{
    uint32_t all[256], chars[256] = {0}, n = 0, total = decode(marked, all);
    uint8_t wanted[256] = {0}, got[256];
    for (uint32_t i = 0; i < total; i++) {
        if (all[i] == '|')
            wanted[n] = PL_BREAK_MAY;
        else if (all[i] == '/')
            wanted[n] = PL_BREAK_CUT;
        else
            chars[n++] = all[i];
    }
    assert_int_equal(pl_breaks_find(chars, n, NULL, got, NULL), PL_OK);
    for (uint32_t i = 1; i < n; i++)
        if (ends_only ? (got[i] == PL_BREAK_MAY) != (wanted[i] == PL_BREAK_MAY) : got[i] != wanted[i])
            fail_msg("%s: before character %u (U+%04X) %d, not %d", marked, i, chars[i], got[i], wanted[i]);
}

static void expect(const char *marked)
{
    compare(marked, false);
}

static void expect_ends(const char *marked)
{
    compare(marked, true);
}

static void lines_end_between_ideographs_and_letters_of_other_scripts(void **state)
{
    (void)state;
    expect_ends("日|本|語");
    expect_ends("ひ|ら|カ|ナ");
    expect_ends("한|글");
    expect_ends("型|番|ABC|品");
    expect_ends("第|12|章");
    expect_ends("abc");
    expect_ends("中 文"); // the space is a place of its own
}

static void punctuation_does_not_begin_a_line(void **state)
{
    (void)state;
    expect_ends("本|日|は、|晴|れ。|明|日");
    expect_ends("な|に！|は|い？|次");
    expect_ends("中|文，|英|文；|法|文");
    expect_ends("は|い)a"); // a Latin bracket is part of the word that follows
    expect_ends("湿|度％|温|度℃");
    expect_ends("デー|ター|ベー|ス"); // the sign of a long vowel
    expect_ends("キャッ|シュ");       // small letters
    expect_ends("人々|時・|分");
    expect_ends("か\u3099|き");
}

static void opening_brackets_do_not_end_a_line(void **state)
{
    (void)state;
    expect_ends("会|社|（株）|山|田");
    expect_ends("彼|は|「は|い」|と");
    expect_ends("说|“你|好”|了");
    expect_ends("定|価|￥100");
    expect_ends("定|価|$100");
    expect_ends("中\u00A0文"); // a space that does not break
}

static void letters_keep_their_marks(void **state)
{
    (void)state;
    expect("e\u0301/a\u0323\u0302");
    expect("का/क्ष/त्र"); // Devanagari: vowel signs and conjuncts
    expect("ள்ள");
    expect("ខ្មែ/រ"); // Khmer: a letter below
    expect("\u1112\u1161\u11AB|\u1100\u1173");
    expect("ب\u200Dب");
}

static void emoji_sequences_are_not_divided(void **state)
{
    (void)state;
    expect("👨\u200D👩\u200D👧|👍🏽|😀");
    expect("🇩🇪/🇫🇷/🇯🇵");
    expect("1\u20E3/2\u20E3");
}

// Without a dictionary words are not known, but what is certainly inside a syllable is.
static void thai_and_its_neighbours_are_cut_between_syllable_parts(void **state)
{
    (void)state;
    expect("ก/ข/ค");
    expect("เก/แข/โค/ใง/ไจ"); // vowels that stand before their letter
    expect("กะ/ขา/คำๆ");      // and behind it
    expect("ที่/นี่");            // marks above each other
    expect("วัน/เด็ก/คือ");      // vowels that need a letter behind them
    expect("ศุกร์/สิทธิ์");        // a letter that is not spoken
    expect("เพี่ย/เมีย/น");
    expect("ໄປ/ບໍ່/ນັກ/ຄົນ/ເພື່ອ/ມື້/ກ"); // Lao
    expect("မြန်/မာ");             // Myanmar: a final
}

static void a_letter_with_very_many_marks_takes_no_long_time(void **state)
{
    (void)state;
    enum { LENGTH = 1000000 };
    static const uint32_t patterns[] = {0x301, 0x1F1E6, 0xE31, 0x200D, 0x4E2D, 0x94D, 0x1000};
    uint32_t *chars = malloc(LENGTH * sizeof *chars);
    uint8_t *out = malloc(LENGTH);
    assert_true(chars && out);
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        for (uint32_t i = 0; i < LENGTH; i++)
            chars[i] = patterns[p];
        uint64_t start = unit_processor_ms();
        assert_int_equal(pl_breaks_find(chars, LENGTH, NULL, out, NULL), PL_OK);
        assert_true(unit_processor_ms() - start < 5000);
    }
    free(chars), free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_end_between_ideographs_and_letters_of_other_scripts),
        cmocka_unit_test(punctuation_does_not_begin_a_line),
        cmocka_unit_test(opening_brackets_do_not_end_a_line),
        cmocka_unit_test(letters_keep_their_marks),
        cmocka_unit_test(emoji_sequences_are_not_divided),
        cmocka_unit_test(thai_and_its_neighbours_are_cut_between_syllable_parts),
        cmocka_unit_test(a_letter_with_very_many_marks_takes_no_long_time),
    };
    return cmocka_run_group_tests_name("breaks", tests, NULL, NULL);
}
