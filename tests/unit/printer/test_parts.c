// The smaller parts: the ring, LPD, HMAC, the description of printers.
#include <stdio.h>
#include <string.h>

#include "base/hmac.h"
#include "printer/lpd.h"
#include "printer/ring.h"
#include "unit.h"
#include "virtual_printer/printer_spec.h"

static struct printed_label *label(uint64_t seq, size_t bytes)
{
    static const uint8_t NOTHING[4096];
    struct printed_label *l = printed_label_new();
    l->seq = seq;
    l->png = blob_new(pl_slice_make(NOTHING, bytes));
    return l;
}

static void the_oldest_labels_go_first(void **state)
{
    (void)state;
    struct print_ring ring;
    assert_true(print_ring_init(&ring, 3, 1 << 20));
    for (uint64_t i = 1; i <= 5; i++)
        print_ring_add(&ring, label(i, 10));
    assert_int_equal(ring.count, 3);
    assert_int_equal(print_ring_after(&ring, 0)->seq, 3);
    assert_int_equal(print_ring_after(&ring, 4)->seq, 5);
    assert_null(print_ring_after(&ring, 5));
    assert_null(print_ring_find(&ring, 2));
    assert_int_equal(print_ring_find(&ring, 4)->seq, 4);
    assert_int_equal(print_ring_last(&ring)->seq, 5);
    print_ring_clear(&ring);
    assert_int_equal(ring.bytes, 0);
    assert_null(print_ring_last(&ring));
    print_ring_fini(&ring);
}

static void bytes_are_limited_too(void **state)
{
    (void)state;
    struct print_ring ring;
    assert_true(print_ring_init(&ring, 100, 3 * (sizeof(struct printed_label) + 1100)));
    for (uint64_t i = 1; i <= 9; i++)
        print_ring_add(&ring, label(i, 1000));
    assert_int_equal(ring.count, 3);
    print_ring_add(&ring, label(10, 4000)); // a large one takes the place of all
    assert_int_equal(print_ring_last(&ring)->seq, 10);
    print_ring_fini(&ring);
}

// Every job of CUPS changes the memory: labels would each keep a copy of it.
static void memory_of_old_labels_goes_before_labels_do(void **state)
{
    (void)state;
    static const uint8_t NOTHING[2000];
    struct print_ring ring;
    struct blob *held[PRINTED_MEMORY_PARTS], *fonts = blob_new(pl_slice_make(NOTHING, 2000)), *graphics = NULL;
    assert_true(print_ring_init(&ring, 20, 20 * (sizeof(struct printed_label) + 200)));
    size_t most = ring.most_bytes;
    for (uint64_t i = 1; i <= 20; i++) {
        struct printed_label *l = label(i, 100);
        if (i % 2 == 1) { // two labels of each job
            blob_release(graphics);
            graphics = blob_new(pl_slice_make(NOTHING, 2000));
        }
        l->memory[0] = blob_hold(fonts);
        l->memory[1] = blob_hold(graphics);
        print_ring_add(&ring, l);
        assert_true(ring.memory_bytes <= most);
    }
    assert_int_equal(ring.count, 20);
    assert_false(print_ring_memory(&ring, 1, held));
    assert_false(print_ring_memory(&ring, 21, held));
    assert_true(print_ring_memory(&ring, 20, held));
    assert_true(held[0] == fonts && held[1] == graphics && !held[2]);
    blob_release(held[0]);
    blob_release(held[1]);
    print_ring_clear(&ring);
    assert_int_equal(ring.memory_bytes, 0);
    assert_int_equal(ring.forgotten, 0);
    print_ring_fini(&ring);
    blob_release(fonts);
    blob_release(graphics);
}

static size_t add(void *user, struct pl_slice bytes)
{
    pl_buf_append_slice(user, bytes);
    return bytes.len;
}

static bool feed(struct lpd *lpd, struct pl_slice bytes, const struct lpd_sink *sink, struct pl_buf *out)
{
    bool goes_on = lpd_feed(lpd, &bytes, sink, out);
    assert_true(!goes_on || bytes.len == 0);
    return goes_on;
}

static void mark(void *user, bool whole)
{
    pl_buf_append_byte(user, whole ? '|' : '!');
}

static void lpd_gives_data_files(void **state)
{
    (void)state;
    static const char JOB[] = "\x02lp\n\x02"
                              "5 cfA001host\nHhost\0\x03"
                              "4 dfA001host\nDATA\0\x03"
                              "3 dfB001host\nxyz\0";
    for (size_t step = 1; step < sizeof JOB; step++) {
        struct lpd l = {0};
        struct pl_buf data, out;
        pl_buf_init(&data, 4096);
        pl_buf_init(&out, 4096);
        const struct lpd_sink sink = {add, mark, &data};
        for (size_t i = 0; i < sizeof JOB - 1; i += step)
            assert_true(feed(&l, pl_slice_sub(pl_slice_make(JOB, sizeof JOB - 1), i, step), &sink, &out));
        lpd_end(&l, &sink);
        assert_true(pl_slice_eq_cstr(pl_buf_slice(&data), "DATA|xyz|"));
        assert_int_equal(out.len, 7); // an acknowledgement of each line and file
        for (size_t i = 0; i < out.len; i++)
            assert_int_equal(out.data[i], 0);
        pl_buf_fini(&data);
        pl_buf_fini(&out);
    }
}

static void lpd_tells_of_a_file_that_did_not_come_whole(void **state)
{
    (void)state;
    struct lpd l = {0};
    struct pl_buf data, out;
    pl_buf_init(&data, 4096);
    pl_buf_init(&out, 4096);
    const struct lpd_sink sink = {add, mark, &data};
    assert_false(feed(&l,
                      pl_slice_cstr("\x02lp\n\x03"
                                    "4 dfA1\nDATA\x01"),
                      &sink, &out));
    assert_true(pl_slice_eq_cstr(pl_buf_slice(&data), "DATA!"));
    assert_int_equal(out.data[out.len - 1], 1);

    struct lpd cut = {0};
    pl_buf_clear(&data);
    assert_true(feed(&cut,
                     pl_slice_cstr("\x02lp\n\x03"
                                   "5 dfA1\nDATA"),
                     &sink, &out));
    lpd_end(&cut, &sink);
    assert_true(pl_slice_eq_cstr(pl_buf_slice(&data), "DATA!"));

    struct lpd unmarked = {0}; // without the last zero byte, as some clients send it
    pl_buf_clear(&data);
    assert_true(feed(&unmarked,
                     pl_slice_cstr("\x02lp\n\x03"
                                   "4 dfA1\nDATA"),
                     &sink, &out));
    lpd_end(&unmarked, &sink);
    assert_true(pl_slice_eq_cstr(pl_buf_slice(&data), "DATA|"));
    pl_buf_fini(&data);
    pl_buf_fini(&out);
}

static void lpd_without_a_length_takes_all(void **state)
{
    (void)state;
    struct lpd l = {0};
    struct pl_buf data, out;
    pl_buf_init(&data, 4096);
    pl_buf_init(&out, 4096);
    const struct lpd_sink sink = {add, mark, &data};
    assert_true(feed(&l,
                     pl_slice_cstr("\x02lp\n\x03"
                                   "0 dfA1\nall of it"),
                     &sink, &out));
    lpd_end(&l, &sink);
    assert_true(pl_slice_eq_cstr(pl_buf_slice(&data), "all of it|"));
    struct lpd other = {0};
    assert_false(feed(&other, pl_slice_cstr("GET / HTTP/1.1\r\n"), &sink, &out));
    pl_buf_fini(&data);
    pl_buf_fini(&out);
}

// RFC 4231, cases 1, 2 and 6.
static void signatures(void **state)
{
    (void)state;
    static const struct {
        const char *key, *text, *wanted;
    } rows[] = {
        {"\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b", "Hi There",
         "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
        {"Jefe", "what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"}};
    uint8_t mac[PL_HMAC_BYTES];
    char hex[PL_HMAC_BYTES * 2 + 1];
    for (size_t i = 0; i < 2; i++) {
        pl_hmac_sha256(pl_slice_cstr(rows[i].key), pl_slice_cstr(rows[i].text), mac);
        for (int k = 0; k < PL_HMAC_BYTES; k++)
            snprintf(hex + k * 2, 3, "%02x", mac[k]);
        assert_string_equal(hex, rows[i].wanted);
    }
    uint8_t key[131];
    memset(key, 0xaa, sizeof key);
    pl_hmac_sha256(pl_slice_make(key, sizeof key),
                   pl_slice_cstr("Test Using Larger Than Block-Size Key - Hash Key First"), mac);
    for (int k = 0; k < PL_HMAC_BYTES; k++)
        snprintf(hex + k * 2, 3, "%02x", mac[k]);
    assert_string_equal(hex, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

static void printers_are_described(void **state)
{
    (void)state;
    static struct printer_spec specs[PRINTERS_MAX];
    struct pl_error err;
    uint32_t count;
    assert_int_equal(printer_specs_read("127.0.0.1:9100", specs, &count, &err), PL_OK);
    assert_int_equal(count, 1);
    assert_string_equal(specs[0].name, "printer");
    assert_string_equal(specs[0].listen, "127.0.0.1:9100");
    assert_true(specs[0].width_mm == 101.6 && specs[0].height_mm == 152.4);
    assert_int_equal(printer_specs_read("name=dock1,listen=:9101,size=4x6in,dpmm=12; size=100x50.5mm ;size=auto", specs,
                                        &count, &err),
                     PL_OK);
    assert_int_equal(count, 3);
    assert_string_equal(specs[0].name, "dock1");
    assert_int_equal(specs[0].dpmm, 12);
    assert_true(specs[1].height_mm == 50.5 && specs[1].width_mm == 100);
    assert_string_equal(specs[1].listen, "127.0.0.1:9101");
    assert_true(specs[2].fits);
    assert_int_equal(printer_specs_read("model=zt411-300;model=zt411-300,dpmm=8;model=none", specs, &count, &err),
                     PL_OK);
    assert_true(specs[0].model > 0 && specs[0].dpmm == 12);
    assert_true(specs[1].model == specs[0].model && specs[1].dpmm == 8);
    assert_true(specs[2].model == 0 && specs[2].dpmm == 8);
    assert_int_equal(printer_specs_read("dpmm=8,model=ZD621-300", specs, &count, &err), PL_OK);
    assert_true(specs[0].model > 0 && specs[0].dpmm == 8);
    static const char *const BAD[] = {"size=4x6",
                                      "dpmm=9",
                                      "nam=a",
                                      "name=a/b",
                                      "name=events",
                                      "profile=x",
                                      "model=x",
                                      "size=0x1in",
                                      "name=a;name=a",
                                      "dpmm=8.5x",
                                      "size=1.2.3x4in",
                                      "name=a,name=a",
                                      "127.0.0.1:1,listen=127.0.0.1:2"};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        assert_int_equal(printer_specs_read(BAD[i], specs, &count, &err), PL_E_INVALID);
    assert_int_equal(printer_specs_read("", specs, &count, &err), PL_OK);
    assert_int_equal(count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_oldest_labels_go_first),
        cmocka_unit_test(bytes_are_limited_too),
        cmocka_unit_test(memory_of_old_labels_goes_before_labels_do),
        cmocka_unit_test(lpd_gives_data_files),
        cmocka_unit_test(lpd_tells_of_a_file_that_did_not_come_whole),
        cmocka_unit_test(lpd_without_a_length_takes_all),
        cmocka_unit_test(signatures),
        cmocka_unit_test(printers_are_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
