// Names of the symbologies.
#include "scene/barcode.h"

const char *pl_symbology_name(enum pl_symbology symbology)
{
    static const char *const NAMES[] = {
#define PL_SYMBOLOGY_NAME(id, name) [PL_SYM_##id] = name,
        PL_SYMBOLOGIES(PL_SYMBOLOGY_NAME)
#undef PL_SYMBOLOGY_NAME
    };
    return (unsigned)symbology < PL_SYM_COUNT ? NAMES[symbology] : "unknown";
}
