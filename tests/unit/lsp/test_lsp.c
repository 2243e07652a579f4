// Unit tests of the language server: positions behind characters of other sizes, edits, frames, where parameters stand.
#include <stdlib.h>
#include <string.h>

#include "lsp/changes.h"
#include "lsp/document.h"
#include "lsp/frame.h"
#include "unit.h"

static struct lsp_text text_of(const char *s)
{
    struct lsp_text text;
    lsp_text_init(&text);
    assert_true(lsp_text_set(&text, pl_slice_cstr(s)));
    return text;
}

static size_t offset(const struct lsp_text *text, enum lsp_encoding encoding, uint32_t line, uint32_t character)
{
    return lsp_text_offset(text, encoding, (struct lsp_position){line, character});
}

static void assert_at(struct lsp_cursor *cursor, size_t at, uint32_t line, uint32_t character)
{
    struct lsp_position p = lsp_cursor_at(cursor, at);
    assert_int_equal(p.line, line);
    assert_int_equal(p.character, character);
}

// é has 2 bytes and 1 unit, the face 4 bytes and 2 units.
#define MIXED "a\xC3\xA9\xF0\x9F\x98\x80z\r\nb\rc\n"

static void positions_count_units(void **state)
{
    (void)state;
    struct lsp_text text = text_of(MIXED);
    assert_int_equal(text.line_count, 4);
    assert_int_equal(offset(&text, LSP_UTF16, 0, 1), 1);
    assert_int_equal(offset(&text, LSP_UTF16, 0, 2), 3);
    assert_int_equal(offset(&text, LSP_UTF16, 0, 3), 3); // between the two halves: before the character
    assert_int_equal(offset(&text, LSP_UTF16, 0, 4), 7);
    assert_int_equal(offset(&text, LSP_UTF16, 0, 5), 8);
    assert_int_equal(offset(&text, LSP_UTF16, 0, 99), 8); // not behind CR LF
    assert_int_equal(offset(&text, LSP_UTF8, 0, 7), 7);
    assert_int_equal(offset(&text, LSP_UTF8, 0, 5), 3); // inside of a character
    assert_int_equal(offset(&text, LSP_UTF16, 1, 1), 11);
    assert_int_equal(offset(&text, LSP_UTF16, 2, 0), 12);
    assert_int_equal(offset(&text, LSP_UTF16, 3, 0), 14);
    assert_int_equal(offset(&text, LSP_UTF16, 4, 0), 14);
    lsp_text_fini(&text);
}

static void cursors_go_both_ways(void **state)
{
    (void)state;
    struct lsp_text text = text_of(MIXED);
    struct lsp_cursor wide = lsp_cursor_make(&text, LSP_UTF16), narrow = lsp_cursor_make(&text, LSP_UTF8);
    assert_at(&wide, 0, 0, 0);
    assert_at(&wide, 7, 0, 4);
    assert_at(&wide, 8, 0, 5);
    assert_at(&wide, 3, 0, 2); // back
    assert_at(&wide, 10, 1, 0);
    assert_at(&wide, 14, 3, 0);
    assert_at(&wide, 12, 2, 0);
    assert_at(&wide, 999, 3, 0);
    assert_at(&narrow, 7, 0, 7);
    assert_at(&narrow, 5, 0, 3);
    lsp_text_fini(&text);
}

// Every offset of a character's beginning comes back from its position, in text that has all kinds of bytes.
static void offsets_come_back(void **state)
{
    (void)state;
    static const char *const PIECES[] = {"a",    "\xC3\xA9", "\xF0\x9F\x98\x80", "\r", "\n", "\r\n",
                                         "\xFF", "^",        "\xE2\x82\xAC"};
    char s[256];
    uint32_t seed = 7;
    for (int round = 0; round < 200; round++) {
        size_t length = 0, starts[64], count = 0;
        for (; count < 40; count++) {
            seed = seed * 1664525 + 1013904223;
            const char *piece = PIECES[(seed >> 16) % (sizeof PIECES / sizeof PIECES[0])];
            starts[count] = length;
            memcpy(s + length, piece, strlen(piece));
            length += strlen(piece);
        }
        s[length] = '\0';
        struct lsp_text text = text_of(s);
        for (int encoding = LSP_UTF16; encoding <= LSP_UTF8; encoding++) {
            struct lsp_cursor cursor = lsp_cursor_make(&text, (enum lsp_encoding)encoding);
            for (size_t i = 0; i < count; i++) {
                // Between CR and LF there is no place.
                if (starts[i] > 0 && s[starts[i] - 1] == '\r' && s[starts[i]] == '\n')
                    continue;
                struct lsp_position p = lsp_cursor_at(&cursor, starts[i]);
                assert_int_equal(lsp_text_offset(&text, (enum lsp_encoding)encoding, p), starts[i]);
            }
        }
        lsp_text_fini(&text);
    }
}

static enum lsp_change change(struct lsp_changes *c, uint32_t line, uint32_t from, uint32_t last, uint32_t to,
                              const char *with)
{
    return lsp_changes_replace(c, (struct lsp_range){{line, from}, {last, to}}, pl_slice_cstr(with));
}

static void edits_keep_lines(void **state)
{
    (void)state;
    struct lsp_changes c;
    struct lsp_text text = text_of("one\ntwo\nthree");
    lsp_changes_begin(&c, &text, LSP_UTF16);
    assert_int_equal(change(&c, 1, 0, 1, 3, "2\n2"), LSP_CHANGED);
    assert_int_equal(change(&c, 0, 0, 1, 0, "\xC3\xA9"), LSP_CHANGED);
    assert_int_equal(change(&c, 0, 1, 0, 0, "x"), LSP_BACKWARDS);
    assert_int_equal(change(&c, 9, 9, 9, 9, "!"), LSP_CHANGED);
    assert_int_equal(change(&c, 0, 1, 0, 1, "-"), LSP_CHANGED);
    assert_true(lsp_changes_end(&c));
    assert_true(pl_slice_eq_cstr(lsp_text_slice(&text), "\xC3\xA9-2\n2\nthree!"));
    assert_false(text.ascii);
    assert_int_equal(text.line_count, 3);
    lsp_text_fini(&text);
}

// CR and LF that meet are one end of a line, for the changes that follow, too.
static void edits_join_line_ends(void **state)
{
    (void)state;
    struct lsp_changes c;
    struct lsp_text text = text_of("a\rx\nb\nc");
    lsp_changes_begin(&c, &text, LSP_UTF8);
    assert_int_equal(change(&c, 1, 0, 1, 1, ""), LSP_CHANGED); // "a\r\nb\nc"
    assert_int_equal(change(&c, 1, 1, 1, 1, "B"), LSP_CHANGED);
    assert_int_equal(change(&c, 0, 1, 0, 1, "A"), LSP_CHANGED);
    assert_int_equal(change(&c, 0, 9, 2, 0, "\r"), LSP_CHANGED); // "aA\rc"
    assert_int_equal(change(&c, 1, 0, 1, 0, "\n"), LSP_CHANGED); // "aA\r\nc"
    assert_int_equal(change(&c, 1, 1, 1, 1, "C"), LSP_CHANGED);
    assert_true(lsp_changes_end(&c));
    assert_true(pl_slice_eq_cstr(lsp_text_slice(&text), "aA\r\ncC"));
    assert_int_equal(text.line_count, 2);
    lsp_text_fini(&text);
}

// ---- frames

static enum lsp_frame_kind kind_of(const char *in, struct lsp_frame *f)
{
    *f = lsp_frame_next(pl_slice_cstr(in), 100);
    return f->kind;
}

static void frames_are_found(void **state)
{
    (void)state;
    struct lsp_frame f;
    assert_int_equal(kind_of("Content-Length: 2\r\n\r\n{}rest", &f), LSP_FRAME_WHOLE);
    assert_true(pl_slice_eq_cstr(f.body, "{}"));
    assert_int_equal(f.used, 23);
    assert_int_equal(
        kind_of("content-length:2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{}", &f),
        LSP_FRAME_WHOLE);
    static const char *const more[] = {"", "Content-Le", "Content-Length: 2\r\n", "Content-Length: 2\r\n\r\n{"};
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
        assert_int_equal(kind_of(more[i], &f), LSP_FRAME_MORE);
}

static void broken_frames_are_left_behind(void **state)
{
    (void)state;
    struct lsp_frame f;
    static const char *const broken[] = {"Content-Type: x\r\n\r\n",
                                         "Content-Length: -1\r\n\r\n",
                                         "Content-Length: 2x\r\n\r\n",
                                         "Content-Length:\r\n\r\n",
                                         "{\"jsonrpc\":\"2.0\"}\r\n\r\n",
                                         "Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
                                         "Content-Length: 99999999999999999999999999\r\n\r\n"};
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        assert_int_equal(kind_of(broken[i], &f), LSP_FRAME_BROKEN);
        assert_true(f.used > 0 && f.why[0]);
    }
    // A body without a head, and behind it a message.
    const char *in = "{\"a\":1}Content-Length: 2\r\n\r\n{}";
    assert_int_equal(kind_of(in, &f), LSP_FRAME_BROKEN);
    assert_int_equal(kind_of(in + f.used, &f), LSP_FRAME_WHOLE);
    // One that is too long is skipped.
    assert_int_equal(kind_of("Content-Length: 101\r\n\r\n", &f), LSP_FRAME_BROKEN);
    assert_int_equal(f.skip, 101);
    char endless[LSP_HEAD_MAX + 8];
    memset(endless, 'x', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    assert_int_equal(kind_of(endless, &f), LSP_FRAME_BROKEN);
}

// ---- where parameters stand

static struct lsp_document *document_of(const char *code)
{
    struct lsp_document *d = lsp_document_new(pl_slice_cstr("file:///a"), pl_slice_cstr(""));
    assert_non_null(d);
    assert_true(lsp_text_set(&d->text, pl_slice_cstr(code)));
    lsp_document_changed(d);
    assert_true(lsp_document_read(d));
    return d;
}

static void assert_item(const struct lsp_document *d, uint32_t command, uint32_t item, const char *value)
{
    assert_true(command < d->command_count);
    struct pl_slice s = lsp_part_text(d, lsp_item(d, &d->commands[command], item));
    assert_int_equal(s.len, strlen(value));
    assert_memory_equal(s.ptr, value, s.len);
}

static void parameters_of_zpl_have_places(void **state)
{
    (void)state;
    struct lsp_document *d =
        document_of("^XA^FO50, 60 \n^A0N,30^FD\xC3\xA9,1\n^FS^CC!!FO1,2!CD;!FO3;4!GFA;8;8;1;FF00\n!XZ");
    assert_item(d, 1, 0, "50");
    assert_item(d, 1, 1, "60");
    assert_item(d, 2, 0, "N");
    assert_int_equal(d->commands[2].name_length, 3);
    assert_true(d->commands[3].is_text && d->commands[3].data.length > 0);
    assert_true(pl_slice_eq_cstr(pl_slice_sub(lsp_part_text(d, d->commands[3].data), 0, 4), "\xC3\xA9,1"));
    assert_item(d, 5, 0, "!");
    assert_item(d, 6, 1, "2"); // behind another prefix
    assert_item(d, 8, 1, "4"); // and another delimiter
    assert_string_equal(d->commands[9].name, "^GF");
    assert_item(d, 9, 3, "1");
    assert_true(!d->commands[9].is_text && d->commands[9].data.length >= 4);
    assert_string_equal(d->commands[10].name, "^XZ");
    lsp_document_free(d);
}

static void other_languages_have_places(void **state)
{
    (void)state;
    struct lsp_document *d = document_of("N\nq812\nA50,100,0,3,1,1,N,\"Hi\"\nP1\n");
    assert_string_equal(d->language->name, "epl");
    assert_item(d, 2, 1, "100");
    assert_true(pl_slice_eq_cstr(lsp_part_text(d, d->commands[2].data), "\"Hi\""));
    lsp_document_free(d);
    d = document_of("SIZE 100 mm,50 mm\nCLS\nTEXT 10,20,\"3\",0,1,1,\"Hi\"\nPRINT 1\n");
    assert_string_equal(d->language->name, "tspl");
    assert_item(d, 2, 1, "20");
    assert_item(d, 2, 6, "\"Hi\"");
    assert_int_equal(d->commands[2].name_length, 4);
    lsp_document_free(d);
}

// ---- what is read again

static void assert_as_read_anew(struct lsp_document *d)
{
    struct lsp_document *fresh = lsp_document_new(pl_slice_cstr("file:///a"), pl_slice_cstr("zpl"));
    assert_true(fresh && lsp_text_set(&fresh->text, lsp_text_slice(&d->text)));
    lsp_document_changed(fresh);
    assert_true(lsp_document_read(fresh) && lsp_document_read(d));
    assert_int_equal(d->command_count, fresh->command_count);
    for (uint32_t i = 0; i < d->command_count; i++) {
        struct lsp_command a = d->commands[i], b = fresh->commands[i];
        assert_int_equal(a.item_count, b.item_count);
        for (uint32_t k = 0; k < a.item_count; k++) {
            assert_int_equal(lsp_item(d, &a, k).offset, lsp_item(fresh, &b, k).offset);
            assert_int_equal(lsp_item(d, &a, k).length, lsp_item(fresh, &b, k).length);
            assert_int_equal(d->params[a.first_item + k], fresh->params[b.first_item + k]);
        }
        assert_ptr_equal(a.about, b.about);
        assert_int_equal(a.start, b.start);
        assert_int_equal(a.end, b.end);
        assert_int_equal(a.data.offset, b.data.offset);
        assert_int_equal(a.data.length, b.data.length);
        assert_int_equal(a.name_length, b.name_length);
        assert_string_equal(a.name, b.name);
        assert_int_equal(a.is_text, b.is_text);
        assert_int_equal(a.in_dots, b.in_dots);
    }
    lsp_document_free(fresh);
}

// Keys in a text of many labels: what is read again are a few of them, and it ends as if all were.
static void labels_that_changed_are_read_again(void **state)
{
    static const char *const PIECES[] = {"^XA",  "^XZ", "^FS",  "^FDa~b", "^FO1,2", "^",   "~",   ",",
                                         "A",    "\n",  "\x02", "\x1E",   "^A",     "^A ", "~JA", "^FX^XA",
                                         "^MUM", "",    "",     "",       "",       "",    "",    ""};
    (void)state;
    uint32_t seed = 7, again = 0;
    for (int round = 0; round < 300; round++) {
        struct lsp_document *d = lsp_document_new(pl_slice_cstr("file:///a"), pl_slice_cstr("zpl"));
        struct pl_buf code;
        pl_buf_init(&code, 65536);
        for (int i = 0; i < 20; i++)
            pl_buf_printf(&code, "^XA\n^FO5%d,60^A0N,30^FDText %d^FS\n^XZ\n", i, i);
        assert_true(d && lsp_text_set(&d->text, pl_buf_slice(&code)));
        pl_buf_fini(&code);
        lsp_document_changed(d);
        assert_true(lsp_document_read(d));
        for (int key = 0; key < 30; key++) {
            struct lsp_changes changes;
            lsp_changes_begin(&changes, &d->text, LSP_UTF8);
            for (int n = 0; n <= key % 3; n++) {
                seed = seed * 1664525u + 1013904223u;
                uint32_t line = (seed >> 8) % (d->text.line_count + 1), column = (seed >> 16) % 20;
                const char *piece = PIECES[(seed >> 24) % (sizeof PIECES / sizeof PIECES[0])];
                struct lsp_range range = {{line, column}, {line, column + (*piece ? 0 : 1 + seed % 4)}};
                assert_int_equal(lsp_changes_replace(&changes, range, pl_slice_cstr(piece)), LSP_CHANGED);
            }
            assert_true(lsp_changes_end(&changes));
            lsp_document_changed(d);
            again += d->plain != NULL;
            assert_as_read_anew(d);
        }
        lsp_document_free(d);
    }
    assert_true(again > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_count_units),
        cmocka_unit_test(cursors_go_both_ways),
        cmocka_unit_test(offsets_come_back),
        cmocka_unit_test(edits_keep_lines),
        cmocka_unit_test(edits_join_line_ends),
        cmocka_unit_test(frames_are_found),
        cmocka_unit_test(broken_frames_are_left_behind),
        cmocka_unit_test(parameters_of_zpl_have_places),
        cmocka_unit_test(other_languages_have_places),
        cmocka_unit_test(labels_that_changed_are_read_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
