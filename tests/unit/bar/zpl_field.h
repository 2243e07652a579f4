// Barcodes as fields of ZPL give them, for tests whose cases are written as ^FD has them.
#ifndef PL_TEST_ZPL_FIELD_H
#define PL_TEST_ZPL_FIELD_H

#include "lang/zpl/barcode_field.h"
#include "unit.h"

static inline struct pl_barcode read_field(const struct zpl_barcode *field, struct pl_slice data,
                                           struct pl_arena *memory)
{
    struct pl_barcode out = field->symbol;
    struct pl_error err = {0};
    if (zpl_barcode_read(field, data, memory, &out, &err) != PL_OK)
        fail_msg("%s", err.message);
    return out;
}

// A field whose command gives a mode, or an escape character, and nothing else; 0: not given.
static inline struct pl_barcode field_of(enum pl_symbology symbology, const char *data, char mode, char escape,
                                         struct pl_arena *memory)
{
    struct zpl_barcode field;
    zpl_barcode_init(&field, symbology);
    field.mode = mode;
    field.escape = (uint8_t)escape;
    field.eci = true;
    if (symbology == PL_SYM_DATAMATRIX)
        field.symbol.datamatrix.quality = 200;
    return read_field(&field, pl_slice_cstr(data), memory);
}

#endif
