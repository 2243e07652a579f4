// Writing graphic data.
#include "picture/graphic_code.h"

#include <string.h>

#include "base/base64.h"
#include "base/ckd.h"
#include "base/deflate.h"
#include "base/hash.h"
#include "platen/platen.h"

static const char DIGITS[] = "0123456789ABCDEF";

static void write_hex(const struct pl_graphic_rows *rows, struct pl_buf *out)
{
    size_t size = pl_graphic_size(rows);
    uint8_t *to = pl_buf_reserve(out, size * 2);
    if (!to)
        return;
    for (size_t i = 0; i < size; i++) {
        *to++ = (uint8_t)DIGITS[rows->bytes[i] >> 4];
        *to++ = (uint8_t)DIGITS[rows->bytes[i] & 15];
    }
    out->len += size * 2;
}

// A digit so many times: z is 400, g is 20, Y is 19, G is 1. One or two are shorter as they are.
static void put_run(struct pl_buf *out, unsigned digit, uint32_t count)
{
    char text = DIGITS[digit];
    for (; count > 400; count -= 400) {
        pl_buf_append_byte(out, 'z');
        pl_buf_append_byte(out, (uint8_t)text);
    }
    if (count > 2) {
        if (count >= 20)
            pl_buf_append_byte(out, (uint8_t)('g' + count / 20 - 1));
        if (count % 20)
            pl_buf_append_byte(out, (uint8_t)('G' + count % 20 - 1));
        count = 1;
    }
    for (; count > 0; count--)
        pl_buf_append_byte(out, (uint8_t)text);
}

static unsigned nibble(const uint8_t *row, uint32_t i)
{
    return i % 2 ? row[i / 2] & 15u : row[i / 2] >> 4;
}

static void write_run_row(const uint8_t *row, uint32_t digits, struct pl_buf *out)
{
    for (uint32_t at = 0; at < digits;) {
        unsigned digit = nibble(row, at);
        uint32_t end = at + 1;
        while (end < digits && nibble(row, end) == digit)
            end++;
        if (end == digits && (digit == 0 || digit == 15))
            pl_buf_append_byte(out, digit ? '!' : ',');
        else
            put_run(out, digit, end - at);
        at = end;
    }
}

static void write_runs(const struct pl_graphic_rows *rows, struct pl_buf *out)
{
    const uint8_t *row = rows->bytes;
    for (uint32_t y = 0; y < rows->height; y++, row += rows->row_bytes) {
        if (y > 0 && memcmp(row, row - rows->row_bytes, rows->row_bytes) == 0)
            pl_buf_append_byte(out, ':');
        else
            write_run_row(row, rows->row_bytes * 2, out);
    }
}

static void write_z64(const struct pl_graphic_rows *rows, struct pl_buf *out)
{
    struct pl_buf packed;
    pl_buf_init(&packed, out->max);
    struct pl_deflater *deflater = pl_deflater_new_best();
    if (deflater)
        pl_deflate_text(deflater, pl_slice_make(rows->bytes, pl_graphic_size(rows)), &packed);
    else
        packed.failed = packed.short_of_memory = true;
    pl_deflater_free(deflater);
    pl_buf_append_cstr(out, ":Z64:");
    size_t size = pl_base64_encoded_size(packed.len);
    uint8_t *to = packed.failed ? NULL : pl_buf_reserve(out, size);
    if (to) {
        pl_base64_encode(pl_buf_slice(&packed), (char *)to);
        out->len += size;
        pl_buf_printf(out, ":%04X", pl_crc16_xmodem(0, pl_slice_make(out->data + out->len - size, size)));
    }
    pl_buf_take_over(out, &packed);
}

static void write_as(const struct pl_graphic_rows *rows, enum platen_graphic_coding coding, struct pl_buf *out)
{
    if (coding == PLATEN_GRAPHIC_HEX)
        write_hex(rows, out);
    else if (coding == PLATEN_GRAPHIC_Z64)
        write_z64(rows, out);
    else
        write_runs(rows, out);
}

// Run lengths win ties: every printer takes them. Plain hex is never shorter than they are.
static enum platen_graphic_coding write_smallest(const struct pl_graphic_rows *rows, struct pl_buf *out)
{
    struct pl_buf z64;
    pl_buf_init(&z64, out->max);
    size_t before = out->len;
    write_runs(rows, out);
    write_z64(rows, &z64);
    bool shorter = !z64.failed && z64.len < out->len - before;
    if (shorter) {
        out->len = before;
        pl_buf_append_slice(out, pl_buf_slice(&z64));
    }
    pl_buf_fini(&z64);
    return shorter ? PLATEN_GRAPHIC_Z64 : PLATEN_GRAPHIC_ACS;
}

enum pl_errc pl_graphic_write(const struct pl_graphic_rows *rows, enum platen_graphic_coding coding, struct pl_buf *out,
                              enum platen_graphic_coding *used, struct pl_error *err)
{
    if (coding == PLATEN_GRAPHIC_SMALLEST)
        coding = write_smallest(rows, out);
    else
        write_as(rows, coding, out);
    if (used)
        *used = coding == PLATEN_GRAPHIC_KEEP ? PLATEN_GRAPHIC_ACS : coding;
    return pl_buf_check(out, err);
}

const char *platen_graphic_coding_name(enum platen_graphic_coding coding)
{
    static const char *const NAMES[] = {"keep", "acs", "hex", "z64", "smallest"};
    return (unsigned)coding < PL_COUNTOF(NAMES) ? NAMES[coding] : "";
}
