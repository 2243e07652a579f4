// What zxing-cpp gives, in the form that read.h promises.
#include "bar/encode/codablock.h"
#include "bar/encode/upce.h"
#include "check/gs1.h"
#include "check/readers.h"

static void insert(struct pl_read_text *text, uint32_t at, const char *more, uint32_t length)
{
    if (text->length + length > PL_READ_MAX_DATA)
        return;
    memmove(text->data + at + length, text->data + at, text->length - at);
    memcpy(text->data + at, more, length);
    text->length += length;
}

// "(01)...(10)..." as an element string: GS behind what has no fixed length.
static void unbracket(struct pl_read_text *text)
{
    uint32_t n = 0, digits;
    const struct pl_gs1_identifier *before = NULL;
    for (uint32_t i = 0; i < text->length;) {
        for (digits = 0; text->data[i] == '(' && i + 1 + digits < text->length && digits < 4 &&
                         pl_is_digit(text->data[i + 1 + digits]);)
            digits++;
        bool closed = digits >= 2 && i + 1 + digits < text->length && text->data[i + 1 + digits] == ')';
        const struct pl_gs1_identifier *row = closed ? pl_gs1_find(pl_slice_make(text->data + i + 1, digits)) : NULL;
        if (!row) {
            text->data[n++] = text->data[i++];
            continue;
        }
        // There is room: two brackets have gone.
        if (before && !(before->flags & PL_GS1_PREDEFINED))
            text->data[n++] = 0x1D;
        memmove(text->data + n, text->data + i + 1, digits);
        n += digits;
        i += digits + 2;
        before = row;
    }
    text->length = n;
}

// What zxing gives, in the form of read.h: it has UPC-A with 13 digits, DataBar as a GTIN, and the elements of DataBar
// Expanded in brackets.
void pl_read_normalise(enum pl_check_symbology symbology, struct pl_read_text *text, bool *gs1)
{
    switch (symbology) {
    case PL_CHECK_UPCA:
        if (text->length == 13 && text->data[0] == '0')
            memmove(text->data, text->data + 1, --text->length);
        break;
    case PL_CHECK_DATABAR:
    case PL_CHECK_DATABAR_TRUNCATED:
    case PL_CHECK_DATABAR_STACKED:
    case PL_CHECK_DATABAR_STACKED_OMNI:
        // The linkage flag of a composite is the first of 14 digits to zxing, and it works out the check digit with it.
        if (text->length == 15 && text->data[0] == '1') {
            memmove(text->data, text->data + 1, --text->length);
            text->data[13] = (uint8_t)pl_gs1_check_digit(pl_slice_make(text->data, 13));
        }
        if (text->length == 14)
            insert(text, 0, "01", 2);
        *gs1 = true;
        break;
    case PL_CHECK_DATABAR_EXPANDED:
        unbracket(text);
        *gs1 = true;
        break;
    default:
        break;
    }
}

bool pl_read_upce_form(uint8_t digits[12])
{
    uint8_t six[6];
    if (!pl_upce_shorten(digits + 1, six))
        return false;
    memcpy(digits + 1, six, sizeof six);
    digits[7] = digits[11];
    return true;
}

void pl_read_upca_form(const uint8_t eight[8], uint8_t digits[12])
{
    pl_upce_expand(eight, digits);
    digits[11] = eight[7];
}

static struct pl_slice without_blanks(struct pl_slice s)
{
    while (s.len > 0 && s.ptr[s.len - 1] == ' ')
        s.len--;
    return s;
}

bool pl_read_is_block(struct pl_slice data, struct pl_slice read, bool has_checks)
{
    uint8_t block[PL_READ_MAX_DATA];
    read = without_blanks(read);
    if (pl_slice_eq(without_blanks(data), read))
        return true;
    // Blanks at the end are not read, and the last check character may be one.
    for (size_t length = read.len; has_checks && length <= read.len + 1 && length <= sizeof block; length++)
        if (pl_codablock_a_text(data, length, block) && pl_slice_eq(without_blanks(pl_slice_make(block, length)), read))
            return true;
    return false;
}
