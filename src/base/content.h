// What a barcode holds: bytes and, between them, marks for what no byte can say. No language's escapes are in it.
#ifndef PL_BASE_CONTENT_H
#define PL_BASE_CONTENT_H

#include <stdbool.h>

#include "base/slice.h"

// A code is a byte (0 to 255) or a mark: its kind in the highest byte, its number in the lower three.
enum {
    PL_MARK_FNC1 = 1 << 24,   // and with the numbers 1 to 3: FNC2 to FNC4
    PL_MARK_ECI = 2 << 24,    // the bytes behind it are in the character set of this number, 0 to 999999
    PL_MARK_APPEND = 3 << 24, // Data Matrix in a row of symbols: its sequence byte and the two bytes of the file
    PL_MARK_READER = 4 << 24, // the symbol is an instruction to the reader
    PL_MARK_SHIFT = 5 << 24   // the shift (from 0) of a symbology that has several: Code 93, Code 49
};

static inline uint32_t pl_mark_kind(uint32_t code)
{
    return code & 0xFF000000u;
}

static inline uint32_t pl_mark_number(uint32_t code)
{
    return code & 0x00FFFFFFu;
}

// Either bytes alone, as nearly always, or codes.
struct pl_content {
    struct pl_slice bytes;
    const uint32_t *codes; // NULL: `bytes` is all
    size_t count;          // of the codes
};

static inline struct pl_content pl_content_of(struct pl_slice bytes)
{
    return (struct pl_content){.bytes = bytes};
}

static inline size_t pl_content_length(const struct pl_content *c)
{
    return c->codes ? c->count : c->bytes.len;
}

static inline uint32_t pl_content_at(const struct pl_content *c, size_t i)
{
    return c->codes ? c->codes[i] : c->bytes.ptr[i];
}

// QR Code: data in parts, each with a mode.
enum pl_qr_mode { PL_QR_NUMERIC, PL_QR_ALNUM, PL_QR_BYTE, PL_QR_KANJI };
struct pl_qr_segment {
    enum pl_qr_mode mode;
    bool automatic;       // may be split and merged: `mode` is not binding
    struct pl_slice data; // Kanji: pairs of Shift JIS bytes
    bool declared;        // the data names `mode`, which is binding for some though `automatic` is set
};

#endif
