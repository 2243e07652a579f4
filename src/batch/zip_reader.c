// Documents as files of a ZIP, read from its front (PKWARE's APPNOTE 6.3.10, 4.3.7 to 4.3.9).
#include "base/ckd.h"
#include "base/deflate.h"
#include "batch/names.h"
#include "batch/reader.h"

#define LOCAL_HEADER 0x04034b50u
#define DIRECTORY 0x02014b50u
#define DIRECTORY_END 0x06054b50u
#define DIRECTORY64_END 0x06064b50u
#define DESCRIPTOR 0x08074b50u
#define HEADER_BYTES ((size_t)30)
#define DESCRIPTOR_MOST ((size_t)24)
#define FLAG_ENCRYPTED 1u
#define FLAG_SIZES_BEHIND 8u
#define FLAG_UTF8 2048u
#define STORED 0u
#define DEFLATED 8u
#define FIRST_ROOM ((size_t)16384)

struct entry {
    unsigned flags, method;
    uint32_t crc;
    uint64_t packed, plain;
    struct pl_slice name;
    size_t data; // where its bytes begin
    bool wide;   // sizes have eight bytes
};

static uint64_t number(const uint8_t *at, size_t bytes)
{
    uint64_t value = 0;
    while (bytes-- > 0)
        value = value << 8 | at[bytes];
    return value;
}

static enum pl_batch_found bad(struct pl_error *err, const char *message, struct pl_slice name)
{
    (void)!pl_fail(err, PL_E_INVALID, "The ZIP cannot be read: %s%s%.*s.", message, name.len > 0 ? ": " : "",
                   (int)(name.len < 80 ? name.len : 80), (const char *)name.ptr);
    return PL_BATCH_BAD;
}

void pl_zip_reader_init(struct pl_zip_reader *reader, size_t limit)
{
    *reader = (struct pl_zip_reader){.limit = limit};
    pl_buf_init(&reader->data, limit);
}

void pl_zip_reader_fini(struct pl_zip_reader *reader)
{
    pl_buf_fini(&reader->data);
}

// Sizes of more than four bytes are in a field of their own.
static void read_extra(struct pl_slice extra, struct entry *e)
{
    while (extra.len >= 4) {
        unsigned id = (unsigned)number(extra.ptr, 2);
        size_t size = (size_t)number(extra.ptr + 2, 2);
        extra = pl_slice_sub(extra, 4, extra.len);
        if (size > extra.len)
            return;
        if (id == 1) {
            size_t at = 0;
            e->wide = true;
            if (e->plain == 0xFFFFFFFFu && size >= at + 8) {
                e->plain = number(extra.ptr + at, 8);
                at += 8;
            }
            if (e->packed == 0xFFFFFFFFu && size >= at + 8)
                e->packed = number(extra.ptr + at, 8);
        }
        extra = pl_slice_sub(extra, size, extra.len);
    }
}

// The header at the window's front.
static enum pl_batch_found read_entry(struct pl_slice window, bool ended, struct entry *e, struct pl_error *err)
{
    const struct pl_slice none = pl_slice_make("", 0);
    if (window.len >= 4) {
        uint32_t mark = (uint32_t)number(window.ptr, 4);
        if (mark == DIRECTORY || mark == DIRECTORY_END || mark == DIRECTORY64_END)
            return PL_BATCH_END;
        if (mark != LOCAL_HEADER)
            return bad(err, "this is no ZIP, or it is damaged", none);
    }
    if (window.len < HEADER_BYTES)
        return ended ? bad(err, "it ends too early", none) : PL_BATCH_MORE;
    const uint8_t *p = window.ptr;
    *e = (struct entry){.flags = (unsigned)number(p + 6, 2),
                        .method = (unsigned)number(p + 8, 2),
                        .crc = (uint32_t)number(p + 14, 4),
                        .packed = number(p + 18, 4),
                        .plain = number(p + 22, 4)};
    size_t name = (size_t)number(p + 26, 2), extra = (size_t)number(p + 28, 2);
    e->data = HEADER_BYTES + name + extra;
    if (window.len < e->data)
        return ended ? bad(err, "it ends too early", none) : PL_BATCH_MORE;
    e->name = pl_slice_sub(window, HEADER_BYTES, name);
    read_extra(pl_slice_sub(window, HEADER_BYTES + name, extra), e);
    if (e->flags & FLAG_ENCRYPTED)
        return bad(err, "a file is encrypted", e->name);
    if (e->method != STORED && e->method != DEFLATED)
        return bad(err, "a file is compressed in another way than deflate", e->name);
    if (e->method == STORED && (e->flags & FLAG_SIZES_BEHIND))
        return bad(err, "a stored file does not tell its size", e->name);
    return PL_BATCH_DOCUMENT;
}

// What follows a file whose sizes were not known before. 0: not whole, or wrong.
static size_t descriptor(struct pl_slice rest, size_t packed, size_t plain, uint32_t *crc)
{
    size_t at = rest.len >= 4 && number(rest.ptr, 4) == DESCRIPTOR ? 4 : 0;
    for (size_t size = 4; size <= 8; size += 4) {
        size_t end = at + 4 + 2 * size;
        if (rest.len >= end && number(rest.ptr + at + 4, size) == packed &&
            number(rest.ptr + at + 4 + size, size) == plain) {
            *crc = (uint32_t)number(rest.ptr + at, 4);
            return end;
        }
    }
    return 0;
}

// Into `out`, which it replaces, with as much room as it needs.
static enum pl_inflate_result inflate(struct pl_slice in, struct pl_buf *out, size_t *used)
{
    enum pl_inflate_result result = PL_INFLATE_TOO_LONG;
    for (size_t room = PL_MAX(in.len * 4, FIRST_ROOM); result == PL_INFLATE_TOO_LONG; room *= 2) {
        room = PL_MIN(room, out->max);
        pl_buf_clear(out);
        uint8_t *to = pl_buf_reserve(out, room);
        if (!to)
            return room > 0 ? PL_INFLATE_NO_MEMORY : PL_INFLATE_TOO_LONG;
        size_t made = 0;
        result = pl_inflate_raw(in, to, room, used, &made);
        if (result == PL_INFLATE_OK)
            out->len = made;
        if (room == out->max)
            break;
    }
    return result;
}

static enum pl_batch_found expand(struct pl_zip_reader *reader, struct pl_slice packed, const struct entry *e,
                                  size_t *used, bool whole, struct pl_error *err)
{
    switch (inflate(packed, &reader->data, used)) {
    case PL_INFLATE_OK:
        return PL_BATCH_DOCUMENT;
    case PL_INFLATE_BAD:
        return whole ? bad(err, "a file is damaged", e->name) : PL_BATCH_MORE;
    case PL_INFLATE_TOO_LONG:
        return bad(err, "a file is larger than one document may be", e->name);
    case PL_INFLATE_NO_MEMORY:
        break;
    }
    return bad(err, "there is no memory for a file", e->name);
}

// A file whose size comes behind it: tried again when there is twice as much, or as much as there can be.
static enum pl_batch_found read_unsized(struct pl_zip_reader *reader, struct pl_slice window, bool ended,
                                        struct entry *e, size_t *end, struct pl_error *err)
{
    struct pl_slice rest = pl_slice_sub(window, e->data, window.len);
    size_t enough = reader->tried * 2 < reader->limit ? reader->tried * 2 : reader->limit;
    if (!ended && (window.len < enough || rest.len == 0))
        return PL_BATCH_MORE;
    size_t packed = 0;
    enum pl_batch_found found = expand(reader, rest, e, &packed, ended, err);
    if (found == PL_BATCH_MORE)
        reader->tried = window.len;
    if (found != PL_BATCH_DOCUMENT)
        return found;
    struct pl_slice behind = pl_slice_sub(rest, packed, rest.len);
    size_t len = descriptor(behind, packed, reader->data.len, &e->crc);
    if (len == 0 && !ended && behind.len < DESCRIPTOR_MOST)
        return PL_BATCH_MORE;
    if (len == 0)
        return bad(err, "the sizes behind a file are wrong", e->name);
    *end = e->data + packed + len;
    return PL_BATCH_DOCUMENT;
}

static enum pl_batch_found read_sized(struct pl_zip_reader *reader, struct pl_slice window, bool ended,
                                      const struct entry *e, size_t *end, struct pl_error *err)
{
    if (e->packed > reader->limit || e->plain > reader->limit)
        return bad(err, "a file is larger than one document may be", e->name);
    if (window.len - e->data < e->packed)
        return ended ? bad(err, "it ends too early", e->name) : PL_BATCH_MORE;
    struct pl_slice packed = pl_slice_sub(window, e->data, (size_t)e->packed);
    size_t used = 0;
    *end = e->data + packed.len;
    if (e->method == STORED)
        return e->plain == e->packed ? PL_BATCH_DOCUMENT : bad(err, "the sizes of a file are wrong", e->name);
    enum pl_batch_found found = expand(reader, packed, e, &used, true, err);
    if (found == PL_BATCH_DOCUMENT && (used != packed.len || reader->data.len != e->plain))
        return bad(err, "the sizes of a file are wrong", e->name);
    return found;
}

// Of no use: a folder, or what users do not see.
static bool is_passed_over(const struct entry *e)
{
    return e->name.len == 0 || e->name.ptr[e->name.len - 1] == '/' || pl_file_hidden(e->name);
}

// What is left of a file that is passed over and has told its size.
static enum pl_batch_found skip(struct pl_zip_reader *reader, struct pl_slice rest, bool ended, size_t *used,
                                struct pl_error *err)
{
    size_t n = reader->skip < rest.len ? (size_t)reader->skip : rest.len;
    *used += n;
    reader->skip -= n;
    if (reader->skip == 0)
        return PL_BATCH_PASSED;
    return ended ? bad(err, "it ends too early", pl_slice_make("", 0)) : PL_BATCH_MORE;
}

enum pl_batch_found pl_zip_next(struct pl_zip_reader *reader, struct pl_slice window, bool ended, size_t *used,
                                struct pl_batch_item *item, struct pl_error *err)
{
    *used = 0;
    if (reader->skip > 0)
        return skip(reader, window, ended, used, err);
    struct entry e;
    size_t end = 0;
    enum pl_batch_found found = read_entry(window, ended, &e, err);
    if (found != PL_BATCH_DOCUMENT)
        return found;
    bool sized = !(e.flags & FLAG_SIZES_BEHIND), passed = is_passed_over(&e);
    if (sized && passed) {
        *used = e.data;
        reader->skip = e.packed;
        return skip(reader, pl_slice_sub(window, e.data, window.len), ended, used, err);
    }
    found =
        sized ? read_sized(reader, window, ended, &e, &end, err) : read_unsized(reader, window, ended, &e, &end, err);
    if (found != PL_BATCH_DOCUMENT)
        return found;
    struct pl_slice data =
        e.method == STORED ? pl_slice_sub(window, e.data, (size_t)e.packed) : pl_buf_slice(&reader->data);
    reader->tried = 0;
    *used = end;
    if (passed)
        return PL_BATCH_PASSED;
    if (pl_crc32(data) != e.crc)
        return bad(err, "a file is damaged", e.name);
    *item = (struct pl_batch_item){.name = e.name, .file = pl_slice_make("", 0), .data = data};
    return PL_BATCH_DOCUMENT;
}
