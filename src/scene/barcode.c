// A barcode with nothing given; names of the symbologies.
#include "scene/barcode.h"

#include <assert.h>

#include "base/ckd.h"

void pl_barcode_init(struct pl_barcode *barcode, enum pl_symbology symbology)
{
    struct pl_barcode *b = barcode;
    assert((unsigned)symbology < PL_SYM_COUNT);
    *b = (struct pl_barcode){.symbology = symbology, .height = -1};
    switch (symbology) {
    case PL_SYM_AZTEC:
        b->aztec.magnification = b->aztec.append_count = -1;
        break;
    case PL_SYM_CODABLOCK:
        b->codablock.columns = b->codablock.rows = -1;
        break;
    case PL_SYM_CODE49:
        b->code49.start_mode = -1;
        break;
    case PL_SYM_DATABAR:
        b->databar.form = b->databar.magnification = b->databar.separator = b->databar.segments_per_row = -1;
        break;
    case PL_SYM_DATAMATRIX:
        b->datamatrix.quality = b->datamatrix.columns = b->datamatrix.rows = b->datamatrix.format = -1;
        break;
    case PL_SYM_MAXICODE:
        b->maxicode.mode = b->maxicode.append_index = b->maxicode.append_count = -1;
        break;
    case PL_SYM_MICROPDF417:
        b->micropdf417.size_number = b->micropdf417.columns = -1;
        break;
    case PL_SYM_PDF417:
        b->pdf417.security = b->pdf417.columns = b->pdf417.rows = -1;
        break;
    case PL_SYM_QR:
        b->qr.mask = b->qr.magnification = b->qr.append_index = b->qr.append_count = -1;
        break;
    case PL_SYM_TLC39:
        b->tlc39.narrow = b->tlc39.ratio_tenths = b->tlc39.micro_module = b->tlc39.micro_height = -1;
        break;
    default: // no numbers of its own
        break;
    }
}

const char *pl_symbology_name(enum pl_symbology symbology)
{
    static const char *const NAMES[] = {
#define PL_SYMBOLOGY_NAME(id, name) [PL_SYM_##id] = name,
        PL_SYMBOLOGIES(PL_SYMBOLOGY_NAME)
#undef PL_SYMBOLOGY_NAME
    };
    return (unsigned)symbology < PL_SYM_COUNT ? NAMES[symbology] : "unknown";
}

uint32_t pl_barcode_wide(const struct pl_barcode *b, uint32_t module)
{
    return b->wide ? b->wide : module * (uint32_t)pl_clamp_i64(b->ratio_tenths, 20, 30) / 10;
}
