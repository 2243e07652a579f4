// Answers against bytes captured from a ZT410 (docs/printer.md).
#include <string.h>

#include "printer/discovery.h"
#include "printer/sgd.h"
#include "unit.h"

static struct printer_face zt410(void)
{
    return (struct printer_face){.name = "dock",
                                 .model = "ZT410",
                                 .firmware = "V75.19.15Z",
                                 .language = "hybrid_xml_zpl",
                                 .serial = "18J161604846",
                                 .address = "127.0.0.1",
                                 .port = 9100,
                                 .mac = {0x00, 0x07, 0x4D, 0x69, 0x58, 0x80},
                                 .dpmm = 8,
                                 .paper_out = true,
                                 .ribbon_out = true,
                                 .paused = true,
                                 .width = 832,
                                 .length = 1225,
                                 .memory_kb = 4096,
                                 .memory_free_kb = 4096,
                                 .darkness_tenths = 100,
                                 .mode = 'T',
                                 .tracking = 'Y',
                                 .media = 'T',
                                 .speed = 6,
                                 .slew = 6,
                                 .backfeed = 2,
                                 .prefixes = PRINTER_PREFIXES};
}

static void check(const struct printer_face *face, const char *what, const char *wanted)
{
    struct pl_buf out;
    pl_buf_init(&out, 65536);
    assert_true(printer_reply(face, pl_slice_cstr(what), &out));
    pl_buf_append_byte(&out, '\0');
    assert_string_equal((const char *)out.data, wanted);
    pl_buf_fini(&out);
}

static void the_status_is_that_of_the_capture(void **state)
{
    (void)state;
    struct printer_face face = zt410();
    check(&face, "HS",
          "\x02"
          "030,1,1,1225,000,0,0,0,000,0,0,0\x03\r\n\x02"
          "001,0,0,1,1,2,6,0,00000000,1,000\x03\r\n\x02"
          "1234,0\x03\r\n");
    check(&face, "HI", "\x02ZT410-200dpi,V75.19.15Z,8,4096KB\x03\r\n");
}

static void queries_are_those_of_the_capture(void **state)
{
    (void)state;
    struct printer_face face = zt410();
    check(&face, "HQES",
          "\x02\r\n\r\n"
          "  PRINTER STATUS                            \r\n"
          "   ERRORS:         1 00000000 00010003      \r\n"
          "   WARNINGS:       0 00000000 00000000      \r\n\x03");
    check(&face, "HQHA",
          "\x02\r\n\r\n"
          "  MAC ADDRESS                               \r\n"
          "   00:07:4D:69:58:80                        \r\n\x03");
    check(&face, "HQSN",
          "\x02\r\n\r\n"
          "  SERIAL NUMBER                             \r\n"
          "   18J161604846                             \r\n\x03");
    face.printed_dots = 313248ull * 203;
    check(&face, "HQOD",
          "\x02\r\n\r\n"
          "  PRINT METERS                              \r\n"
          "   TOTAL NONRESETTABLE:         313248 \"    \r\n"
          "   USER RESETTABLE CNTR1:       313248 \"    \r\n"
          "   USER RESETTABLE CNTR2:       313248 \"    \r\n\x03");
    struct pl_buf out;
    pl_buf_init(&out, 4096);
    assert_false(printer_reply(&face, pl_slice_cstr("HQXX"), &out));
    assert_false(printer_reply(&face, pl_slice_cstr("HU"), &out));
    pl_buf_fini(&out);
}

static void places_that_clients_read(void **state)
{
    (void)state;
    struct printer_face face = zt410();
    struct pl_buf out;
    pl_buf_init(&out, 4096);
    printer_reply_status(&face, &out);
    // Zebra's JavaScript: paper, pause, head, ribbon.
    assert_int_equal(out.len, 82);
    assert_int_equal(out.data[5], '1');
    assert_int_equal(out.data[7], '1');
    assert_int_equal(out.data[43], '0');
    assert_int_equal(out.data[45], '1');
    pl_buf_clear(&out);
    // The npm wrapper of Browser Print: flag, pause, errors.
    printer_reply(&face, pl_slice_cstr("HQES"), &out);
    assert_int_equal(out.len, 144);
    assert_int_equal(out.data[70], '1');
    assert_int_equal(out.data[84], '1');
    assert_int_equal(out.data[88], '3');
    pl_buf_fini(&out);
}

static bool has(const struct pl_buf *out, const char *text)
{
    return memmem(out->data, out->len, text, strlen(text)) != NULL;
}

static void the_configuration_has_the_rows_of_the_capture(void **state)
{
    (void)state;
    struct printer_face face = zt410();
    struct pl_buf out;
    pl_buf_init(&out, 65536);
    printer_reply_configuration(&face, &out);
    assert_int_equal(out.data[0], 0x02);
    assert_int_equal(out.data[out.len - 1], 0x03);
    static const char *const ROWS[] = {
        "  +10.0               DARKNESS          \r\n", "  6.0 IPS             PRINT SPEED       \r\n",
        "  TEAR OFF            PRINT MODE        \r\n", "  GAP/NOTCH           MEDIA TYPE        \r\n",
        "  THERMAL-TRANS.      PRINT METHOD      \r\n", "  832                 PRINT WIDTH       \r\n",
        "  1225                LABEL LENGTH      \r\n", "  <~>  7EH            CONTROL PREFIX    \r\n",
        "  <^>  5EH            FORMAT PREFIX     \r\n", "   832 8/MM FULL      RESOLUTION        \r\n",
        "  V75.19.15Z <-       FIRMWARE          \r\n", "  4096k............R: RAM               \r\n"};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        assert_true(has(&out, ROWS[i]));
    pl_buf_fini(&out);
}

static void get(const char *name, const char *wanted)
{
    struct printer_face face = zt410();
    struct pl_buf value;
    pl_buf_init(&value, 4096);
    assert_true(sgd_get(&face, pl_slice_cstr(name), &value));
    pl_buf_append_byte(&value, '\0');
    assert_string_equal((const char *)value.data, wanted);
    pl_buf_fini(&value);
}

static void settings_by_name(void **state)
{
    (void)state;
    get("device.host_identification", "ZT410-200dpi,V75.19.15Z,8,4096KB");
    get("device.host_status", "030,1,1,1225,000,0,0,0,000,0,0,0\r\n001,0,0,1,1,2,6,0,00000000,1,000\r\n1234,0");
    get("sensor.paper_supply", "out");
    get("head.latch", "ok");
    get("media.speed", "6.0");
    get("print.tone", "10.0");
    get("device.uptime", "00 days 00 hours 00 mins 00 secs");
    get("device.languages", "hybrid_xml_zpl");
    struct printer_face face = zt410();
    struct pl_buf value;
    pl_buf_init(&value, 64);
    assert_false(sgd_get(&face, pl_slice_cstr("no.such"), &value));
    pl_buf_fini(&value);
}

static void lines_are_read(void **state)
{
    (void)state;
    struct sgd_line line;
    sgd_read(pl_slice_cstr("! U1 getvar \"appl.name\""), &line);
    assert_int_equal(line.verb, SGD_GET);
    assert_true(pl_slice_eq_cstr(line.name, "appl.name"));
    sgd_read(pl_slice_cstr("! U1 SETVAR \"a\" \"b c\""), &line);
    assert_int_equal(line.verb, SGD_SET);
    assert_true(pl_slice_eq_cstr(line.value, "b c"));
    sgd_read(pl_slice_cstr("! U1 do \"device.reset\" \"\""), &line);
    assert_int_equal(line.verb, SGD_DO);
    sgd_read(pl_slice_cstr("! U1"), &line);
    assert_int_equal(line.verb, SGD_NONE);
    sgd_read(pl_slice_cstr("! U1 getvar \"open"), &line);
    assert_true(pl_slice_eq_cstr(line.name, "open"));
}

// A value that is no number would be a way to put commands into the printer's own code.
static void a_value_never_becomes_a_command(void **state)
{
    (void)state;
    bool known;
    struct pl_buf code;
    struct sgd_values values = {.width = 800};
    pl_buf_init(&code, 256);
    assert_int_equal(sgd_act(pl_slice_cstr("ezpl.print_width"), pl_slice_cstr("600"), &known, &code, &values),
                     SGD_CODE);
    assert_true(pl_slice_eq_cstr(pl_buf_slice(&code), "\x1eXA\x1ePW600\x1eXZ"));
    pl_buf_clear(&code);
    assert_int_equal(sgd_act(pl_slice_cstr("ezpl.print_width"), pl_slice_cstr("6^XZ"), &known, &code, &values),
                     SGD_NOTHING);
    assert_int_equal(code.len, 0);
    assert_int_equal(sgd_act(pl_slice_cstr("x"), pl_slice_cstr("1"), &known, &code, &values), SGD_NOTHING);
    assert_false(known);
    pl_buf_fini(&code);
}

static void discovery_fills_its_fields(void **state)
{
    (void)state;
    static const uint8_t PROBE[] = {0x2E, 0x2C, 0x3A, 0x01, 0, 0}, IP[] = {10, 0, 0, 7};
    struct printer_face face = zt410();
    uint8_t out[DISCOVERY_ANSWER];
    assert_true(discovery_is_probe(pl_slice_make(PROBE, sizeof PROBE)));
    assert_false(discovery_is_probe(pl_slice_make(PROBE, 3)));
    face.name = "a name that is longer than twenty-five bytes";
    discovery_answer(&face, IP, out);
    assert_memory_equal(out,
                        "\x3A\x2C\x2E\x03"
                        "79071",
                        9);
    assert_memory_equal(out + 12, "ZT410", 6);
    assert_memory_equal(out + 49, "ZBR", 3);
    assert_memory_equal(out + 54, face.mac, 6);
    assert_memory_equal(out + 72, IP, 4);
    assert_memory_equal(out + 84, "a name that is longer tha", 25);
    assert_int_equal(out[84 + 25], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_status_is_that_of_the_capture),
        cmocka_unit_test(queries_are_those_of_the_capture),
        cmocka_unit_test(places_that_clients_read),
        cmocka_unit_test(the_configuration_has_the_rows_of_the_capture),
        cmocka_unit_test(settings_by_name),
        cmocka_unit_test(lines_are_read),
        cmocka_unit_test(a_value_never_becomes_a_command),
        cmocka_unit_test(discovery_fills_its_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
