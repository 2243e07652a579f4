// The text dump of a scene: escapes, what is left out when it is as usual, and names.
#include <string.h>

#include "base/buf.h"
#include "scene/scene.h"
#include "unit.h"

static void assert_dump(const struct pl_label *label, const char *expected)
{
    struct pl_label copy = *label;
    struct pl_scene scene = {.labels = &copy, .label_count = 1};
    struct pl_buf out;
    pl_buf_init(&out, 1u << 16);
    pl_scene_dump(&scene, &out);
    pl_buf_append_byte(&out, '\0');
    assert_false(out.failed);
    assert_string_equal((const char *)out.data, expected);
    pl_buf_fini(&out);
}

static void odd_characters_are_escaped(void **state)
{
    (void)state;
    static const uint32_t CHARS[] = {'a', '"', '\\', 0x0A, 0xAD, 0xFC, 0x1F600, 0x7F};
    struct pl_element text = {.kind = PL_ELEMENT_TEXT, .at = {.x = -5, .y = 7}, .source = {3, 4, "^A0"}};
    text.text.font.resident = '0';
    text.text.chars = CHARS;
    text.text.length = 8;
    struct pl_element bar = {.kind = PL_ELEMENT_BARCODE, .rotation = PL_ROT_B, .source = {9, 1, "^BC"}};
    pl_barcode_init(&bar.barcode, PL_SYM_CODE128);
    bar.barcode.data = pl_slice_make("1\x00\xff\"", 4);
    bar.barcode.module = 2;
    bar.barcode.ratio_tenths = 25;
    bar.barcode.content.bytes = bar.barcode.data;
    const struct pl_element *elements[] = {&text, &bar};
    struct pl_label label = {
        .elements = elements, .element_count = 2, .copies = 3, .dot_size = 1, .source = {0, 50, "^XA"}};
    assert_dump(&label, "label 0 index=0 copies=3 @0+50 elements=2\n"
                        "  text ^A0@3+4 FO -5,7 N font=0 size=0x0 \"a\\\"\\\\\\u000A\\u00ADü😀\\u007F\"\n"
                        "  barcode ^BC@9+1 FO 0,0 B code128 module=2 ratio=2.5 default-height=0 \"1\\x00\\xFF\\\"\"\n");
}

static void page_settings_are_shown_when_unusual(void **state)
{
    (void)state;
    struct pl_label label = {.copies = 1, .dot_size = 2, .upside_down = true, .mirrored = true, .print_width = 400};
    assert_dump(&label, "label 0 index=0 copies=1 upside-down mirrored print-width=400 dot-size=2 @0+0 elements=0\n");
}

static void every_symbology_has_a_name(void **state)
{
    (void)state;
    for (int i = 0; i < PL_SYM_COUNT; i++) {
        const char *name = pl_symbology_name((enum pl_symbology)i);
        assert_true(strlen(name) > 1);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(name, pl_symbology_name((enum pl_symbology)k));
    }
    assert_string_equal(pl_symbology_name(PL_SYM_COUNT), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(odd_characters_are_escaped),
        cmocka_unit_test(page_settings_are_shown_when_unusual),
        cmocka_unit_test(every_symbology_has_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
