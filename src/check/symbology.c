// Names and shapes of symbologies.
#include "check/symbology.h"

static const struct {
    const char *name;
    enum pl_check_shape shape;
} table[PL_CHECK_SYMBOLOGY_COUNT] = {
#define ROW(id, name, shape) [PL_CHECK_##id] = {name, PL_SHAPE_##shape},
    PL_CHECK_SYMBOLOGIES(ROW)
#undef ROW
};

enum pl_check_symbology pl_check_symbology_of(const char *name)
{
    unsigned i = 0;
    while (i < PL_CHECK_SYMBOLOGY_COUNT && strcmp(table[i].name, name) != 0)
        i++;
    return (enum pl_check_symbology)i;
}

const char *pl_check_symbology_name(enum pl_check_symbology symbology)
{
    return (unsigned)symbology < PL_CHECK_SYMBOLOGY_COUNT ? table[symbology].name : "";
}

enum pl_check_shape pl_check_shape_of(enum pl_check_symbology symbology)
{
    return (unsigned)symbology < PL_CHECK_SYMBOLOGY_COUNT ? table[symbology].shape : PL_SHAPE_LINEAR;
}
