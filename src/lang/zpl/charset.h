// Character sets of ^CI: from the bytes of a field to characters.
#ifndef PL_ZPL_CHARSET_H
#define PL_ZPL_CHARSET_H

#include <stdint.h>

#include "lang/double_byte.h"

enum zpl_charset_kind {
    ZPL_CHARSET_BYTES, // one byte, one character, by a table
    ZPL_CHARSET_UTF8,
    ZPL_CHARSET_UTF16BE,
    ZPL_CHARSET_UTF16LE,
    ZPL_CHARSET_DOUBLE_BYTE,
};

struct zpl_charset_info {
    enum zpl_charset_kind kind;
    const uint16_t *high;                     // BYTES: characters of 0x80 to 0xFF; 0: none
    const struct pl_double_byte *double_byte; // DOUBLE_BYTE, by a table of the program's own
};

// The set that a field is read by.
struct zpl_charset {
    uint8_t set;                          // ^CI number
    const uint8_t *remap;                 // 256 bytes: what to print for a byte; NULL: each for itself
    const uint16_t *map;                  // 65536 characters, from a downloaded table of ^SE; NULL: none
    const struct zpl_charset_info *table; // one of the printer's own tables that ^SE chose; NULL: none
};

const struct zpl_charset_info *zpl_charset_info(const struct zpl_charset *charset);
// The encoding table of that name that printers come with; NULL: there is none.
const struct zpl_charset_info *zpl_charset_resident(const char *name);
// The character of a byte in a one-byte set, national replacements included.
uint32_t zpl_charset_byte(const struct zpl_charset *charset, uint8_t byte);
// All 256 at once.
void zpl_charset_table(const struct zpl_charset *charset, uint32_t out[256]);

#endif
