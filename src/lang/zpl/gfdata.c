// Graphic data: from text, :B64:, :Z64: or raw bytes to bitmaps and files.
#include "lang/zpl/gfdata.h"

#include <string.h>

#include "base/base64.h"
#include "base/ckd.h"
#include "base/deflate.h"
#include "base/fmt.h"
#include "base/hash.h"

bool zpl_gf_is_wrapped(struct pl_slice payload)
{
    payload = pl_slice_trim(payload);
    return payload.len >= 5 && payload.ptr[0] == ':' && payload.ptr[4] == ':' &&
           (payload.ptr[1] == 'B' || payload.ptr[1] == 'Z' || payload.ptr[1] == 'b' || payload.ptr[1] == 'z') &&
           payload.ptr[2] == '6' && payload.ptr[3] == '4';
}

// How many bytes from `from` on are no white space, by eights as far as they go.
static size_t dark_bytes(struct pl_slice text, size_t from)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones * 0x80;
    size_t i = from;
    for (; text.len - i >= 8; i += 8) {
        uint64_t eight;
        memcpy(&eight, text.ptr + i, 8);
        // A byte above the blank reaches its top bit; one that has it already is left to the loop below.
        if (((((eight & ~tops) + ones * (0x7F - ' ')) & ~eight) & tops) != tops)
            break;
    }
    while (i < text.len && text.ptr[i] > ' ')
        i++;
    return i - from;
}

// CRC-16 over the Base64 text without white space, as ZB64 wants it.
static uint16_t text_crc(struct pl_slice text)
{
    uint16_t crc = 0;
    for (size_t at = 0; at < text.len;) {
        size_t count = dark_bytes(text, at);
        crc = pl_crc16_xmodem(crc, pl_slice_sub(text, at, count));
        at += count + 1;
    }
    return crc;
}

// The same by CRC-16/X-25 with its bytes swapped, which a popular generator sends and printers take.
static uint16_t text_crc_x25(struct pl_slice text)
{
    uint16_t crc = 0xFFFF;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] <= ' ')
            continue;
        // One byte without a table: polynomial x^16 + x^12 + x^5 + 1, lowest bit first.
        uint8_t x = (uint8_t)(crc ^ text.ptr[i]);
        x = (uint8_t)(x ^ x << 4);
        crc = (uint16_t)(crc >> 8 ^ x << 8 ^ x << 3 ^ x >> 4);
    }
    crc = (uint16_t)~crc;
    return (uint16_t)(crc << 8 | crc >> 8);
}

static void check_crc(const struct zpl_gf *gf, struct pl_slice base64, struct pl_slice tail)
{
    tail = pl_slice_trim(tail);
    unsigned stated = 0;
    bool readable = tail.len >= 4;
    for (size_t i = 0; i < 4 && readable; i++) {
        int v = pl_hex_value(tail.ptr[i]);
        readable = v >= 0;
        stated = stated << 4 | (unsigned)(v & 15);
    }
    uint16_t actual = text_crc(base64);
    if (!readable)
        pl_diag_add(gf->diags, PL_DIAG_CRC_MISMATCH, gf->source, 0,
                    "%s: the data carries no checksum of four hex digits.", gf->source.command);
    else if (stated != actual && stated != text_crc_x25(base64))
        pl_diag_add(gf->diags, PL_DIAG_CRC_MISMATCH, gf->source, 0,
                    "%s: the checksum is %04X, but the data gives %04X.", gf->source.command, stated, actual);
}

// The bytes behind :B64: or :Z64:, at most `capacity` of them for :Z64:. They live in the arena.
static enum pl_errc unwrap(const struct zpl_gf *gf, struct pl_slice payload, uint64_t capacity, struct pl_slice *out,
                           struct pl_error *err)
{
    payload = pl_slice_trim(payload);
    bool compressed = (payload.ptr[1] | 32) == 'z';
    struct pl_slice body = pl_slice_sub(payload, 5, payload.len);
    const uint8_t *colon = memchr(body.ptr, ':', body.len);
    struct pl_slice base64 = pl_slice_make(body.ptr, colon ? (size_t)(colon - body.ptr) : body.len);
    struct pl_slice tail = colon ? pl_slice_sub(body, base64.len + 1, body.len) : pl_slice_make(body.ptr, 0);
    check_crc(gf, base64, tail);

    uint8_t *bytes = pl_arena_alloc(gf->img->arena, base64.len / 4 * 3 + 3, 16);
    if (!bytes)
        return pl_fail_memory(err);
    size_t used;
    size_t len = pl_base64_decode(base64, bytes, &used);
    if (pl_slice_trim(pl_slice_sub(base64, used, base64.len)).len > 0)
        pl_diag_add(gf->diags, PL_DIAG_GRAPHIC_DATA, gf->source, 0, "%s: the Base64 data breaks off at byte %zu.",
                    gf->source.command, used);
    if (!compressed) {
        *out = pl_slice_make(bytes, len);
        return PL_OK;
    }
    uint8_t *plain = pl_arena_zalloc(gf->img->arena, (size_t)capacity + 1, 16);
    if (!plain)
        return pl_fail_memory(err);
    size_t written;
    enum pl_inflate_result result = pl_inflate(pl_slice_make(bytes, len), plain, (size_t)capacity, &written);
    if (result == PL_INFLATE_NO_MEMORY)
        return pl_fail_memory(err);
    if (result == PL_INFLATE_BAD) {
        pl_diag_add(gf->diags, PL_DIAG_GRAPHIC_DATA, gf->source, 0, "%s: the compressed data is damaged.",
                    gf->source.command);
        written = (size_t)capacity;
    } else if (result == PL_INFLATE_TOO_LONG) {
        pl_diag_add(gf->diags, PL_DIAG_GRAPHIC_DATA, gf->source, 0,
                    "%s: the compressed data holds more than the %llu bytes stated; the rest was left out.",
                    gf->source.command, (unsigned long long)capacity);
    }
    *out = pl_slice_make(plain, written);
    return PL_OK;
}

enum pl_errc zpl_gf_inflate(const struct zpl_gf *gf, struct pl_slice data, uint64_t total, struct pl_slice *out,
                            struct pl_error *err)
{
    *out = pl_slice_make(NULL, 0);
    bool stream = data.len > 2 && (data.ptr[0] & 0x0F) == 8 && (data.ptr[0] << 8 | data.ptr[1]) % 31 == 0;
    if (!stream || total > gf->img->limit)
        return PL_OK;
    PL_TRY(pl_img_charge(gf->img, total, err));
    uint8_t *plain = pl_arena_zalloc(gf->img->arena, (size_t)total + 1, 16);
    if (!plain)
        return pl_fail_memory(err);
    size_t written;
    enum pl_inflate_result result = pl_inflate(data, plain, (size_t)total, &written);
    if (result == PL_INFLATE_NO_MEMORY)
        return pl_fail_memory(err);
    if (result == PL_INFLATE_OK && written == total)
        *out = pl_slice_make(plain, written);
    return PL_OK;
}

// The data goes on where the graphic ends: printers leave that out, so the count is of another picture.
static void tell_more(const struct zpl_gf *gf, uint64_t rows, uint64_t stated)
{
    if (rows)
        pl_diag_add(gf->diags, PL_DIAG_GRAPHIC_DATA, gf->source, 0,
                    "%s: the data goes on for %llu row%s behind the %llu bytes stated; the rest was left out.",
                    gf->source.command, (unsigned long long)rows, rows == 1 ? "" : "s", (unsigned long long)stated);
}

enum pl_errc zpl_gf_bitmap(const struct zpl_gf *gf, struct pl_slice payload, bool raw, uint64_t total,
                           uint64_t bytes_per_row, const struct pl_bitmap **out, struct pl_error *err)
{
    *out = NULL;
    if (bytes_per_row == 0 || bytes_per_row > 99999 || total < bytes_per_row) {
        pl_diag_add(gf->diags, PL_DIAG_GRAPHIC_DATA, gf->source, 0,
                    "%s: %llu bytes in rows of %llu make no picture; nothing was drawn.", gf->source.command,
                    (unsigned long long)total, (unsigned long long)bytes_per_row);
        return PL_OK;
    }
    uint64_t rows = total / bytes_per_row;
    // A height that no label has: a typing error or a trap.
    if (rows > 65535 || rows * bytes_per_row > gf->img->limit) {
        pl_diag_add(gf->diags, PL_DIAG_LIMIT_REACHED, gf->source, 0,
                    "%s: a graphic of %llu bytes is too large; nothing was drawn.", gf->source.command,
                    (unsigned long long)total);
        return PL_OK;
    }
    uint32_t width = (uint32_t)bytes_per_row * 8, height = (uint32_t)rows, bpr = (uint32_t)bytes_per_row;
    if (raw || zpl_gf_is_wrapped(payload)) {
        struct pl_slice bytes = payload;
        if (!raw) {
            PL_TRY(pl_img_charge(gf->img, rows * bytes_per_row, err));
            PL_TRY(unwrap(gf, payload, rows * bytes_per_row, &bytes, err));
        }
        if (bytes.len < rows * bytes_per_row)
            pl_diag_add(gf->diags, PL_DIAG_GRAPHIC_DATA, gf->source, 0,
                        "%s: %zu bytes of graphic data came where %llu were stated; the rest is white.",
                        gf->source.command, bytes.len, (unsigned long long)(rows * bytes_per_row));
        tell_more(gf, bytes.len > rows * bytes_per_row ? (bytes.len - rows * bytes_per_row) / bytes_per_row : 0, total);
        return pl_img_from_rows(gf->img, bytes, width, height, bpr, out, err);
    }
    struct pl_bitmap *bm;
    PL_TRY(pl_img_open(gf->img, width, height, &bm, err));
    bool odd;
    uint64_t behind;
    uint32_t touched = zpl_gf_hex(payload, (uint8_t *)bm->words, height, bpr, (size_t)bm->stride * 8, &odd, &behind);
    pl_img_close(bm);
    // Data that breaks off is an aborted transfer: Labelary draws nothing then, and the manual says the same of ~DG.
    const bool broken = touched < height;
    if (odd)
        pl_diag_add(gf->diags, PL_DIAG_GRAPHIC_DATA, gf->source, 0,
                    "%s: the graphic data has characters that are neither hex digits nor run lengths%s.",
                    gf->source.command, broken ? ", and too few of these: nothing was drawn" : "");
    else if (broken)
        pl_diag_add(gf->diags, PL_DIAG_GRAPHIC_DATA, gf->source, 0,
                    "%s: the graphic data fills %u of %u rows; a transfer that breaks off draws nothing.",
                    gf->source.command, touched, height);
    else
        tell_more(gf, behind, total);
    if (broken)
        return PL_OK;
    *out = bm;
    return PL_OK;
}

enum pl_errc zpl_gf_file(const struct zpl_gf *gf, struct pl_slice payload, uint64_t expected, uint64_t limit,
                         struct pl_slice *out, struct pl_error *err)
{
    if (expected > limit) {
        pl_diag_add(gf->diags, PL_DIAG_LIMIT_REACHED, gf->source, 0, "%s: a file of %llu bytes is too large.",
                    gf->source.command, (unsigned long long)expected);
        *out = pl_slice_make(NULL, 0);
        return PL_OK;
    }
    if (zpl_gf_is_wrapped(payload)) {
        // Without a stated size: as much as a good compressor makes of this much text, and a little.
        uint64_t capacity = expected ? expected : PL_MIN(limit, (uint64_t)payload.len * 16 + 1024);
        PL_TRY(pl_img_charge(gf->img, capacity, err));
        return unwrap(gf, payload, capacity, out, err);
    }
    uint8_t *bytes = pl_arena_alloc(gf->img->arena, payload.len / 2 + 1, 16);
    if (!bytes)
        return pl_fail_memory(err);
    PL_TRY(pl_img_charge(gf->img, payload.len / 2, err));
    size_t n = 0;
    int high = -1;
    for (size_t i = 0; i < payload.len; i++) {
        int v = pl_hex_value(payload.ptr[i]);
        if (v < 0)
            continue;
        if (high < 0) {
            high = v;
        } else {
            bytes[n++] = (uint8_t)(high << 4 | v);
            high = -1;
        }
    }
    *out = pl_slice_make(bytes, n);
    return PL_OK;
}
