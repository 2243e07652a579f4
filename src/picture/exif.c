// How a picture must be turned to stand upright: the orientation that cameras write into JPEG, PNG and WebP files.
#include <string.h>

#include "picture/decoders.h"

#define UPRIGHT 1
#define TAG_ORIENTATION 0x0112
#define TYPE_SHORT 3

static uint32_t number(const uint8_t *p, size_t bytes, bool big_endian)
{
    uint32_t value = 0;
    for (size_t i = 0; i < bytes; i++)
        value |= (uint32_t)p[i] << 8 * (big_endian ? bytes - 1 - i : i);
    return value;
}

// Of a TIFF head with its first directory.
static uint32_t orientation_of(struct pl_slice tiff)
{
    static const char NAME[] = "Exif\0";
    if (tiff.len >= sizeof NAME && memcmp(tiff.ptr, NAME, sizeof NAME) == 0)
        tiff = pl_slice_sub(tiff, sizeof NAME, tiff.len);
    if (tiff.len < 8 || (memcmp(tiff.ptr, "II*", 4) != 0 && memcmp(tiff.ptr, "MM\0*", 4) != 0))
        return UPRIGHT;
    bool big = tiff.ptr[0] == 'M';
    uint32_t at = number(tiff.ptr + 4, 4, big);
    if (at > tiff.len - 2)
        return UPRIGHT;
    uint32_t count = number(tiff.ptr + at, 2, big);
    const uint8_t *entry = tiff.ptr + at + 2;
    for (size_t left = tiff.len - at - 2; count > 0 && left >= 12; count--, entry += 12, left -= 12) {
        if (number(entry, 2, big) != TAG_ORIENTATION || number(entry + 2, 2, big) != TYPE_SHORT)
            continue;
        uint32_t value = number(entry + 8, 2, big);
        return value >= 1 && value <= 8 ? value : UPRIGHT;
    }
    return UPRIGHT;
}

// The segments of a JPEG before its picture.
static uint32_t of_jpeg(struct pl_slice file)
{
    size_t at = 2;
    while (file.len - at >= 4 && file.ptr[at] == 0xFF && file.ptr[at + 1] != 0xDA) {
        uint32_t length = number(file.ptr + at + 2, 2, true);
        if (file.ptr[at + 1] == 0xFF) { // a fill byte
            at++;
            continue;
        }
        if (length < 2 || length > file.len - at - 2)
            break;
        struct pl_slice body = pl_slice_sub(file, at + 4, length - 2);
        if (file.ptr[at + 1] == 0xE1 && body.len > 6 && memcmp(body.ptr, "Exif", 5) == 0)
            return orientation_of(body);
        at += 2 + (size_t)length;
    }
    return UPRIGHT;
}

// The chunks of a PNG or a WebP.
static uint32_t of_chunks(struct pl_slice file, bool png)
{
    size_t at = png ? 8 : 12;
    while (file.len - at >= 8) {
        const uint8_t *head = file.ptr + at;
        uint32_t length = number(png ? head : head + 4, 4, png);
        if (length > file.len - at - 8)
            break;
        if (memcmp(png ? head + 4 : head, png ? "eXIf" : "EXIF", 4) == 0)
            return orientation_of(pl_slice_sub(file, at + 8, length));
        size_t whole = 8 + (size_t)length + (png ? 4 : length % 2); // a checksum; an even length
        if (whole > file.len - at)
            break;
        at += whole;
    }
    return UPRIGHT;
}

uint32_t pl_picture_orientation(struct pl_slice file)
{
    if (file.len > 4 && memcmp(file.ptr, "\xFF\xD8\xFF", 3) == 0)
        return of_jpeg(file);
    if (file.len > 8 && memcmp(file.ptr, "\x89PNG", 4) == 0)
        return of_chunks(file, true);
    if (file.len > 12 && memcmp(file.ptr, "RIFF", 4) == 0)
        return of_chunks(file, false);
    return UPRIGHT;
}
