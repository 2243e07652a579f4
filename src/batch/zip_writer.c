// A ZIP of stored files (APPNOTE 6.3.10), in its 64-bit form where the size or the number of files needs it.
#include "batch/zip_writer.h"

#include "base/deflate.h"

#define VERSION 20u
#define VERSION64 45u
#define FLAG_UTF8 2048u
#define DOS_DATE 33u // 1 January 1980: the same files give the same bytes
#define MOST32 0xFFFFFFFFu
#define MOST16 0xFFFFu

void pl_zip_writer_init(struct pl_zip_writer *writer)
{
    *writer = (struct pl_zip_writer){0};
    pl_buf_init(&writer->directory, SIZE_MAX / 2);
}

void pl_zip_writer_fini(struct pl_zip_writer *writer)
{
    pl_buf_fini(&writer->directory);
}

static void put(struct pl_buf *out, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        pl_buf_append_byte(out, (uint8_t)(value >> (8 * i)));
}

// What both headers of a file have in the middle.
static void put_file(struct pl_buf *out, uint32_t crc, size_t size, size_t name_len)
{
    put(out, FLAG_UTF8, 2);
    put(out, 0, 2); // stored
    put(out, 0, 2);
    put(out, DOS_DATE, 2);
    put(out, crc, 4);
    put(out, size, 4);
    put(out, size, 4);
    put(out, name_len, 2);
}

void pl_zip_begin(struct pl_zip_writer *writer, struct pl_slice name, struct pl_slice data, struct pl_buf *out)
{
    size_t before = out->len;
    uint32_t crc = pl_crc32(data);
    name = pl_slice_sub(name, 0, MOST16);
    put(out, 0x04034b50u, 4);
    put(out, VERSION, 2);
    put_file(out, crc, data.len, name.len);
    put(out, 0, 2);
    pl_buf_append_slice(out, name);

    struct pl_buf *dir = &writer->directory;
    bool far = writer->written >= MOST32;
    put(dir, 0x02014b50u, 4);
    put(dir, far ? VERSION64 : VERSION, 2);
    put(dir, far ? VERSION64 : VERSION, 2);
    put_file(dir, crc, data.len, name.len);
    put(dir, far ? 12 : 0, 2);
    put(dir, 0, 2); // comment
    put(dir, 0, 2); // disk
    put(dir, 0, 2);
    put(dir, 0, 4);
    put(dir, far ? MOST32 : writer->written, 4);
    pl_buf_append_slice(dir, name);
    if (far) {
        put(dir, 1, 2);
        put(dir, 8, 2);
        put(dir, writer->written, 8);
    }
    writer->files++;
    writer->written += out->len - before + data.len;
    pl_buf_inherit(out, dir);
}

void pl_zip_end(struct pl_zip_writer *writer, struct pl_buf *out)
{
    uint64_t at = writer->written, size = writer->directory.len;
    bool wide = at >= MOST32 || size >= MOST32 || writer->files >= MOST16;
    pl_buf_append_slice(out, pl_buf_slice(&writer->directory));
    if (wide) {
        put(out, 0x06064b50u, 4);
        put(out, 44, 8);
        put(out, VERSION64, 2);
        put(out, VERSION64, 2);
        put(out, 0, 4);
        put(out, 0, 4);
        put(out, writer->files, 8);
        put(out, writer->files, 8);
        put(out, size, 8);
        put(out, at, 8);
        put(out, 0x07064b50u, 4);
        put(out, 0, 4);
        put(out, at + size, 8);
        put(out, 1, 4);
    }
    put(out, 0x06054b50u, 4);
    put(out, 0, 2);
    put(out, 0, 2);
    put(out, writer->files < MOST16 ? writer->files : MOST16, 2);
    put(out, writer->files < MOST16 ? writer->files : MOST16, 2);
    put(out, wide && size >= MOST32 ? MOST32 : size, 4);
    put(out, wide && at >= MOST32 ? MOST32 : at, 4);
    put(out, 0, 2);
}
