// Multicast DNS: packets byte by byte.
#include <string.h>

#include "printer/mdns.h"
#include "unit.h"

static const struct mdns_printer DOCK = {
    .name = "Dock1", .host = "platen-1", .model = "ZT410", .ip = {10, 0, 0, 7}, .port = 9100, .lpd_port = 515};

#define HEAD "\0\0\0\0\0\1\0\0\0\0\0\0"
#define QUERY(text) pl_slice_make(text, sizeof(text) - 1)
#define RAW_NAME "\x0f_pdl-datastream\x04_tcp\x05local\0"

static bool has(const struct pl_buf *out, const char *bytes, size_t size)
{
    return memmem(out->data, out->len, bytes, size) != NULL;
}
#define HAS(text) assert_true(has(&out, text, sizeof(text) - 1))

static void who_browses_gets_all_of_it(void **state)
{
    (void)state;
    struct pl_buf out;
    pl_buf_init(&out, MDNS_PACKET);
    assert_int_equal(mdns_answer(&DOCK, QUERY(HEAD RAW_NAME "\0\x0c\0\1"), false, &out), MDNS_TO_ALL);
    assert_memory_equal(out.data, "\0\0\x84\0\0\0\0\4\0\0\0\0", 12); // four records, no question
    HAS(RAW_NAME "\0\x0c\0\1\0\0\x11\x94\0\x22\5Dock1" RAW_NAME);
    HAS("\5Dock1" RAW_NAME "\0\x21\x80\1\0\0\0\x78\0\x16\0\0\0\0\x23\x8c\x08platen-1\x05local\0");
    HAS("\x08platen-1\x05local\0\0\1\x80\1\0\0\0\x78\0\4\x0a\0\0\7");
    HAS("\x09txtvers=1");
    HAS("\x0fproduct=(ZT410)");
    pl_buf_fini(&out);
}

static void questions_of_all_kinds(void **state)
{
    (void)state;
    struct pl_buf out;
    pl_buf_init(&out, MDNS_PACKET);
    // Which services are there: both, to the asker alone where it wants that.
    assert_int_equal(
        mdns_answer(&DOCK, QUERY(HEAD "\x09_services\x07_dns-sd\x04_udp\x05local\0\0\x0c\x80\1"), false, &out),
        MDNS_TO_ASKER);
    assert_int_equal(out.data[7], 2);
    // Names have no case; a name may end in one before it.
    assert_int_equal(mdns_answer(&DOCK,
                                 QUERY("\0\0\0\0\0\2\0\0\0\0\0\0\1x" RAW_NAME "\0\1\0\1\5dOCK1\xc0\x0e\0\x21\0\1"),
                                 false, &out),
                     MDNS_TO_ALL);
    assert_int_equal(out.data[7], 2);
    assert_int_equal(mdns_answer(&DOCK, QUERY(HEAD "\x08PLATEN-1\x05local\0\0\xff\0\xff"), false, &out), MDNS_TO_ALL);
    assert_int_equal(out.data[7], 1);
    // Plain DNS gets its number and question back, and a short life.
    assert_int_equal(mdns_answer(&DOCK, QUERY("\x12\x34\0\0\0\1\0\0\0\0\0\0" RAW_NAME "\0\x0c\0\1"), true, &out),
                     MDNS_TO_ASKER);
    assert_memory_equal(out.data, "\x12\x34\x84\0\0\1\0\4\0\0\0\0" RAW_NAME "\0\x0c\0\1", 12 + 32);
    HAS("\0\x0c\0\1\0\0\0\x0a\0");
    pl_buf_fini(&out);
}

static void what_is_not_meant_gets_silence(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t size;
    } rows[] = {
#define ROW(text) {text, sizeof(text) - 1}
        ROW(""),
        ROW(HEAD),
        ROW("\0\0\x84\0\0\1\0\0\0\0\0\0" RAW_NAME "\0\x0c\0\1"),   // an answer
        ROW("\0\0\0\0\xff\xff\0\0\0\0\0\0" RAW_NAME "\0\x0c\0\1"), // too many questions
        ROW(HEAD "\x04_ipp\x04_tcp\x05local\0\0\x0c\0\1"),         // another service
        ROW(HEAD "\xc0\x0c\0\x0c\0\1"),                            // a name that is in itself
        ROW(HEAD "\xc0\x20\0\x0c\0\1"),                            // and one that is behind it
        ROW(HEAD "\x0f_pdl-data"),                                 // cut off
        ROW(HEAD RAW_NAME "\0\x0c"),
        ROW(HEAD RAW_NAME "\0\x0c\0\3"), // another class
        ROW(HEAD RAW_NAME "\0\x1c\0\1"), // AAAA
    };
    struct pl_buf out;
    pl_buf_init(&out, MDNS_PACKET);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int plain = 0; plain < 2; plain++)
            assert_int_equal(mdns_answer(&DOCK, pl_slice_make(rows[i].text, rows[i].size), plain, &out), MDNS_SILENT);
    }
    pl_buf_fini(&out);
}

static void it_says_when_it_goes(void **state)
{
    (void)state;
    struct pl_buf out;
    pl_buf_init(&out, MDNS_PACKET);
    mdns_announce(&DOCK, false, &out);
    assert_int_equal(out.data[7], 7);
    assert_false(out.failed);
    mdns_announce(&DOCK, true, &out);
    HAS("\0\x0c\0\1\0\0\0\0\0\x22\5Dock1");
    pl_buf_fini(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_browses_gets_all_of_it),
        cmocka_unit_test(questions_of_all_kinds),
        cmocka_unit_test(what_is_not_meant_gets_silence),
        cmocka_unit_test(it_says_when_it_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
