// Ids as names of files, and the other way round.
#include "batch/names.h"

#include <stdio.h>

#include "base/hmac.h"
#include "base/utf8.h"

#define DIGEST_BYTES 16u // of SHA-256: with half of it two ids of the same name could be found

bool pl_id_usable(struct pl_slice id)
{
    if (id.len == 0 || id.len > PL_ID_MAX || !pl_utf8_valid(id))
        return false;
    for (size_t i = 0; i < id.len; i++) {
        if (id.ptr[i] < 0x20 || id.ptr[i] == 0x7F)
            return false;
    }
    return true;
}

// What systems of files or the names of labels need for themselves, and what marks it.
static bool is_escaped(uint8_t c, size_t place)
{
    return c < 0x20 || c == 0x7F || (c == '.' && place == 0) || memchr("/\\:*?\"<>|%+", c, 11) != NULL;
}

void pl_file_name(struct pl_slice id, struct pl_buf *out)
{
    size_t start = out->len;
    for (size_t i = 0; i < id.len; i++) {
        if (is_escaped(id.ptr[i], i))
            pl_buf_printf(out, "%%%02X", id.ptr[i]);
        else
            pl_buf_append_byte(out, id.ptr[i]);
    }
    // Names of files end at 255 bytes, with all that stands behind the id.
    if (out->len - start > PL_ID_MAX) {
        uint8_t digest[PL_HMAC_BYTES];
        pl_hmac_sha256(pl_slice_make("", 0), id, digest);
        out->len = start + PL_ID_MAX - 2 - 2 * DIGEST_BYTES;
        // Not within a character.
        while (out->len > start && (out->data[out->len] & 0xC0) == 0x80)
            out->len--;
        pl_buf_append_cstr(out, "%%");
        for (unsigned i = 0; i < DIGEST_BYTES; i++)
            pl_buf_printf(out, "%02x", digest[i]);
    }
}

void pl_label_file_name(struct pl_slice id, uint32_t index, uint32_t count, struct pl_buf *out)
{
    pl_file_name(id, out);
    if (count > 1)
        pl_buf_printf(out, "+%0*u", snprintf(NULL, 0, "%u", count), index + 1);
}

struct pl_slice pl_file_id(struct pl_slice path)
{
    size_t start = path.len, end = path.len;
    while (start > 0 && path.ptr[start - 1] != '/' && path.ptr[start - 1] != '\\')
        start--;
    for (size_t i = path.len; i > start + 1; i--) {
        if (path.ptr[i - 1] == '.') {
            end = i - 1;
            break;
        }
    }
    return pl_slice_sub(path, start, end - start);
}

struct pl_slice pl_file_text(struct pl_slice name, struct pl_buf *room)
{
    static const uint16_t CODE_PAGE_437[128] = {
        0xC7,   0xFC,   0xE9,   0xE2,   0xE4,   0xE0,   0xE5,   0xE7,   0xEA,   0xEB,   0xE8,   0xEF,   0xEE,
        0xEC,   0xC4,   0xC5,   0xC9,   0xE6,   0xC6,   0xF4,   0xF6,   0xF2,   0xFB,   0xF9,   0xFF,   0xD6,
        0xDC,   0xA2,   0xA3,   0xA5,   0x20A7, 0x192,  0xE1,   0xED,   0xF3,   0xFA,   0xF1,   0xD1,   0xAA,
        0xBA,   0xBF,   0x2310, 0xAC,   0xBD,   0xBC,   0xA1,   0xAB,   0xBB,   0x2591, 0x2592, 0x2593, 0x2502,
        0x2524, 0x2561, 0x2562, 0x2556, 0x2555, 0x2563, 0x2551, 0x2557, 0x255D, 0x255C, 0x255B, 0x2510, 0x2514,
        0x2534, 0x252C, 0x251C, 0x2500, 0x253C, 0x255E, 0x255F, 0x255A, 0x2554, 0x2569, 0x2566, 0x2560, 0x2550,
        0x256C, 0x2567, 0x2568, 0x2564, 0x2565, 0x2559, 0x2558, 0x2552, 0x2553, 0x256B, 0x256A, 0x2518, 0x250C,
        0x2588, 0x2584, 0x258C, 0x2590, 0x2580, 0x3B1,  0xDF,   0x393,  0x3C0,  0x3A3,  0x3C3,  0xB5,   0x3C4,
        0x3A6,  0x398,  0x3A9,  0x3B4,  0x221E, 0x3C6,  0x3B5,  0x2229, 0x2261, 0xB1,   0x2265, 0x2264, 0x2320,
        0x2321, 0xF7,   0x2248, 0xB0,   0x2219, 0xB7,   0x221A, 0x207F, 0xB2,   0x25A0, 0xA0};
    if (pl_utf8_valid(name))
        return name;
    pl_buf_clear(room);
    for (size_t i = 0; i < name.len; i++) {
        uint8_t text[4];
        uint32_t c = name.ptr[i] < 0x80 ? name.ptr[i] : CODE_PAGE_437[name.ptr[i] - 0x80];
        pl_buf_append(room, text, pl_utf8_put(c, text));
    }
    return room->failed ? pl_slice_make("", 0) : pl_buf_slice(room);
}

bool pl_file_hidden(struct pl_slice path)
{
    static const char MAC[] = "__MACOSX/";
    size_t start = path.len;
    while (start > 0 && path.ptr[start - 1] != '/' && path.ptr[start - 1] != '\\')
        start--;
    return (start < path.len && path.ptr[start] == '.') ||
           (path.len >= sizeof MAC - 1 && memcmp(path.ptr, MAC, sizeof MAC - 1) == 0);
}
