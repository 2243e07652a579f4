// Readers of batches: lines, parts, files of a ZIP, rows; whole and in pieces.
#include "arrivals.h"
#include "batch/zip_writer.h"
#include "unit.h"

static void expect(enum kind kind, struct pl_slice text, enum pl_batch_found end, uint32_t count, const char *what)
{
    static const size_t STEPS[] = {1, 2, 3, 7, 64, 100000};
    for (size_t i = 0; i < sizeof STEPS / sizeof STEPS[0]; i++) {
        struct found found;
        struct pl_error err = {0};
        arrivals(kind, "; boundary=\"xyz\"", text, STEPS[i], &found, &err);
        assert_int_equal(found.end, end);
        assert_int_equal(found.count, count);
        if (what)
            assert_string_equal(found.text, what);
    }
}

static void lines_end_with_lf_or_crlf_and_the_last_needs_no_end(void **state)
{
    (void)state;
    expect(KIND_LINES, pl_slice_cstr("{\"a\":1}\n\n  \r\n{\"b\":2}\r\nlast"), PL_BATCH_END, 3,
           "|{\"a\":1}||{\"b\":2}||last|");
    expect(KIND_LINES, pl_slice_cstr(""), PL_BATCH_END, 0, "");
    expect(KIND_LINES, pl_slice_cstr("\n\n"), PL_BATCH_END, 0, "");
}

static void a_mark_of_utf8_before_the_first_line_is_no_text(void **state)
{
    (void)state;
    expect(KIND_LINES, pl_slice_cstr("\xEF\xBB\xBF{}\n\xEF\xBB\xBF{}"), PL_BATCH_END, 2, "|{}||\xEF\xBB\xBF{}|");
}

static void parts_have_names_and_any_bytes(void **state)
{
    (void)state;
    expect(
        KIND_PARTS,
        pl_slice_cstr("preamble\r\n--xyz\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.zpl\"\r\n\r\n"
                      "^XA\r\n--xy^XZ\r\n--xyz \r\n\r\n\r\n--xyz\r\nX: y\r\n\r\n\r\n--xyz--\r\nepilogue"),
        PL_BATCH_END, 3, "file|^XA\r\n--xy^XZ|||||");
    expect(KIND_PARTS, pl_slice_cstr("--xyz\r\n\r\nopen"), PL_BATCH_BAD, 0, "");
    // In the middle of a line it is none, also when the bytes before it have been dropped.
    expect(KIND_PARTS, pl_slice_cstr("a preamble with--xyz\r\n\r\nx\r\n--xyz\r\n\r\ny\r\n--xyz--"), PL_BATCH_END, 1,
           "|y|");
    expect(KIND_PARTS, pl_slice_cstr("no boundary at all"), PL_BATCH_BAD, 0, "");
    expect(KIND_PARTS, pl_slice_cstr("--xyzbad\r\n\r\n\r\n--xyz--"), PL_BATCH_BAD, 0, "");
}

static void parts_without_a_usable_boundary_are_refused(void **state)
{
    struct pl_multipart parts;
    (void)state;
    assert_false(pl_multipart_init(&parts, pl_slice_cstr("; charset=utf-8")));
    assert_false(pl_multipart_init(&parts, pl_slice_cstr("; boundary=\"\"")));
    assert_false(pl_multipart_init(
        &parts, pl_slice_cstr("boundary=01234567890123456789012345678901234567890123456789012345678901234567890")));
    assert_true(pl_multipart_init(&parts, pl_slice_cstr("boundary=a")));
}

static void make_zip(struct pl_buf *out)
{
    struct pl_zip_writer writer;
    pl_zip_writer_init(&writer);
    pl_buf_init(out, 1u << 20);
    static const char *const FILES[][2] = {{"a.zpl", "^XA^FDa^FS^XZ"}, {"in/b.zpl", ""}, {"folder/", ""}};
    for (size_t i = 0; i < 3; i++) {
        struct pl_slice data = pl_slice_cstr(FILES[i][1]);
        pl_zip_begin(&writer, pl_slice_cstr(FILES[i][0]), data, out);
        pl_buf_append_slice(out, data);
    }
    pl_zip_end(&writer, out);
    pl_zip_writer_fini(&writer);
    assert_false(out->failed);
}

static void a_zip_that_was_written_is_read_back(void **state)
{
    struct pl_buf zip;
    (void)state;
    make_zip(&zip);
    expect(KIND_ZIP, pl_buf_slice(&zip), PL_BATCH_END, 2, "a.zpl|^XA^FDa^FS^XZ|in/b.zpl||");
    // A byte of the first file is another: its sum is wrong.
    zip.data[40] ^= 1;
    expect(KIND_ZIP, pl_buf_slice(&zip), PL_BATCH_BAD, 0, "");
    expect(KIND_ZIP, pl_slice_sub(pl_buf_slice(&zip), 0, 20), PL_BATCH_BAD, 0, "");
    expect(KIND_ZIP, pl_slice_cstr("this is not a ZIP file at all"), PL_BATCH_BAD, 0, "");
    pl_buf_fini(&zip);
}

static void a_zip_that_was_cut_between_two_files_is_not_whole(void **state)
{
    struct pl_buf zip;
    (void)state;
    make_zip(&zip);
    size_t first = 30 + 5 + 13;
    expect(KIND_ZIP, pl_slice_sub(pl_buf_slice(&zip), 0, first), PL_BATCH_BAD, 1, "a.zpl|^XA^FDa^FS^XZ|");
    pl_buf_fini(&zip);
}

// A hidden file that tells its size is not expanded, however large it says it is: its bytes go by. One after the other.
static void hidden_files_are_passed_over_one_by_one_and_not_expanded(void **state)
{
    struct pl_zip_writer writer;
    struct pl_buf zip;
    (void)state;
    pl_zip_writer_init(&writer);
    pl_buf_init(&zip, 1u << 20);
    static const char *const NAMES[] = {".bomb", "__MACOSX/._x", "a.zpl", "folder/"};
    size_t at[4];
    for (size_t i = 0; i < 4; i++) {
        at[i] = zip.len;
        pl_zip_begin(&writer, pl_slice_cstr(NAMES[i]), pl_slice_cstr("not deflated"), &zip);
        pl_buf_append_cstr(&zip, "not deflated");
    }
    pl_zip_end(&writer, &zip);
    pl_zip_writer_fini(&writer);
    assert_false(zip.failed);
    // They say that they are deflated, and very large when they are expanded.
    for (size_t i = 0; i < 2; i++) {
        zip.data[at[i] + 8] = 8;
        memset(zip.data + at[i] + 22, 0xFF, 3);
    }
    expect(KIND_ZIP, pl_buf_slice(&zip), PL_BATCH_END, 1, "a.zpl|not deflated|");
    struct pl_zip_reader reader;
    struct pl_slice rest = pl_buf_slice(&zip);
    pl_zip_reader_init(&reader, 100);
    for (size_t i = 0; i < 4; i++) {
        struct pl_batch_item item;
        struct pl_error err;
        size_t used = 0;
        assert_int_equal(pl_zip_next(&reader, rest, true, &used, &item, &err),
                         i == 2 ? PL_BATCH_DOCUMENT : PL_BATCH_PASSED);
        assert_int_equal(used, (i < 3 ? at[i + 1] : at[3] + 30 + 7 + 12) - at[i]);
        assert_int_equal(reader.data.cap, 0);
        rest = pl_slice_sub(rest, used, rest.len);
    }
    pl_zip_reader_fini(&reader);
    // A part of it is missing: not whole.
    expect(KIND_ZIP, pl_slice_sub(pl_buf_slice(&zip), 0, at[1] - 3), PL_BATCH_BAD, 0, "");
    pl_buf_fini(&zip);
}

// As `printf '^XA^FDhello hello hello^FS^XZ' | zip - -` writes it: deflated, its sizes behind it.
static const uint8_t STREAMED[] = {
    0x50, 0x4b, 0x03, 0x04, 0x14, 0x00, 0x08, 0x00, 0x08, 0x00, 0x00, 0x00, 0x21, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x2d,
};

static void a_file_whose_size_comes_behind_it_is_read(void **state)
{
    // A stored block of deflate: one byte of header, length and its complement, the bytes.
    static const char CODE[] = "^XA^FDhello^FS^XZ";
    size_t len = sizeof CODE - 1;
    struct pl_buf zip;
    (void)state;
    pl_buf_init(&zip, 4096);
    pl_buf_append(&zip, STREAMED, sizeof STREAMED);
    const uint8_t block[] = {1, (uint8_t)len, 0, (uint8_t)~len, 0xFF};
    pl_buf_append(&zip, block, sizeof block);
    pl_buf_append(&zip, CODE, len);
    struct pl_buf other; // for the sum
    struct pl_zip_writer writer;
    pl_zip_writer_init(&writer);
    pl_buf_init(&other, 4096);
    pl_zip_begin(&writer, pl_slice_cstr("-"), pl_slice_cstr(CODE), &other);
    pl_buf_append(&zip, "PK\7\10", 4);
    pl_buf_append(&zip, other.data + 14, 4);
    const uint8_t sizes[] = {(uint8_t)(len + 5), 0, 0, 0, (uint8_t)len, 0, 0, 0};
    pl_buf_append(&zip, sizes, sizeof sizes);
    pl_buf_append(&zip, "PK\1\2", 4);
    expect(KIND_ZIP, pl_buf_slice(&zip), PL_BATCH_END, 1, "-|^XA^FDhello^FS^XZ|");
    zip.data[zip.len - 6] ^= 1; // its size
    expect(KIND_ZIP, pl_buf_slice(&zip), PL_BATCH_BAD, 0, "");
    pl_zip_writer_fini(&writer);
    pl_buf_fini(&other);
    pl_buf_fini(&zip);
}

// A window that is as large as it may become, and was tried when it was more than half of that.
static void a_file_without_size_is_tried_in_a_full_window(void **state)
{
    enum { LIMIT = 1000, CODE_BYTES = 700 };
    uint8_t window[LIMIT] = {0};
    struct pl_zip_reader reader;
    struct pl_batch_item item;
    struct pl_error err = {0};
    size_t used, at = sizeof STREAMED;
    (void)state;
    memcpy(window, STREAMED, sizeof STREAMED);
    const uint8_t block[] = {1, CODE_BYTES & 255, CODE_BYTES >> 8, (uint8_t) ~(CODE_BYTES & 255),
                             (uint8_t) ~(CODE_BYTES >> 8)};
    memcpy(window + at, block, sizeof block);
    memset(window + at + sizeof block, 'x', CODE_BYTES);
    at += sizeof block + CODE_BYTES;
    struct pl_buf other; // for the sum
    struct pl_zip_writer writer;
    pl_zip_writer_init(&writer);
    pl_buf_init(&other, 4096);
    pl_zip_begin(&writer, pl_slice_cstr("-"), pl_slice_make(window + at - CODE_BYTES, CODE_BYTES), &other);
    memcpy(window + at, "PK\7\10", 4);
    memcpy(window + at + 4, other.data + 14, 4);
    const uint8_t sizes[] = {(CODE_BYTES + 5) & 255, (CODE_BYTES + 5) >> 8, 0, 0,
                             CODE_BYTES & 255,       CODE_BYTES >> 8,       0, 0};
    memcpy(window + at + 8, sizes, sizeof sizes);
    pl_zip_reader_init(&reader, LIMIT);
    assert_int_equal(pl_zip_next(&reader, pl_slice_make(window, 600), false, &used, &item, &err), PL_BATCH_MORE);
    assert_int_equal(pl_zip_next(&reader, pl_slice_make(window, LIMIT), false, &used, &item, &err), PL_BATCH_DOCUMENT);
    assert_int_equal(item.data.len, CODE_BYTES);
    pl_zip_reader_fini(&reader);
    pl_zip_writer_fini(&writer);
    pl_buf_fini(&other);
}

static void a_quote_inside_a_field_is_a_character(void **state)
{
    (void)state;
    expect(KIND_CSV, pl_slice_cstr("id,size\n1,5\" pipe\n2,6\"\n3,\"a \"\"b\"\"\n\",\"\"\"\"\n"), PL_BATCH_END, 4,
           "|id|size||1|5\" pipe||2|6\"||3|a \"b\"\n|\"|");
    expect(KIND_CSV, pl_slice_cstr("\xEF\xBB\xBF\"i\nd\"\n1\n"), PL_BATCH_END, 2, "|i\nd||1|");
}

static void rows_have_quotes_and_their_own_separator(void **state)
{
    (void)state;
    expect(KIND_CSV, pl_slice_cstr("\xEF\xBB\xBFid,text\r\n1,\"a \"\"b\"\", c\"\r\n\r\n2,\"two\nlines\"\n3,\n"),
           PL_BATCH_END, 4, "|id|text||1|a \"b\", c||2|two\nlines||3||");
    expect(KIND_CSV, pl_slice_cstr("a;b\n1;2,5"), PL_BATCH_END, 2, "|a|b||1|2,5|");
    expect(KIND_CSV, pl_slice_cstr("a,b\n1,\"open"), PL_BATCH_BAD, 1, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_end_with_lf_or_crlf_and_the_last_needs_no_end),
        cmocka_unit_test(parts_have_names_and_any_bytes),
        cmocka_unit_test(parts_without_a_usable_boundary_are_refused),
        cmocka_unit_test(a_zip_that_was_written_is_read_back),
        cmocka_unit_test(a_file_whose_size_comes_behind_it_is_read),
        cmocka_unit_test(a_mark_of_utf8_before_the_first_line_is_no_text),
        cmocka_unit_test(a_zip_that_was_cut_between_two_files_is_not_whole),
        cmocka_unit_test(hidden_files_are_passed_over_one_by_one_and_not_expanded),
        cmocka_unit_test(a_file_without_size_is_tried_in_a_full_window),
        cmocka_unit_test(a_quote_inside_a_field_is_a_character),
        cmocka_unit_test(rows_have_quotes_and_their_own_separator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
