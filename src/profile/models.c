// The table of printer models. docs/fidelity.md has the sources of its figures.
#include "profile/models.h"

#include <string.h>

static const struct pl_model MODELS[] = {
    {"none", "no printer in particular", 0, 0, 0, false, true, true},
    {"zd411-203", "Zebra ZD411, 203 dpi", 8, 448, 0, false, false, true},
    {"zd411-300", "Zebra ZD411, 300 dpi", 12, 648, 0, false, false, true},
    {"zd421-203", "Zebra ZD421, 203 dpi", 8, 832, 0, false, false, true},
    {"zd421-300", "Zebra ZD421, 300 dpi", 12, 1296, 0, false, false, true},
    {"zd621-203", "Zebra ZD621, 203 dpi", 8, 832, 0, false, false, true},
    {"zd621-300", "Zebra ZD621, 300 dpi", 12, 1296, 0, false, false, true},
    {"zt230-203", "Zebra ZT230, 203 dpi", 8, 832, 991, false, false, true},
    {"zt230-300", "Zebra ZT230, 300 dpi", 12, 1248, 991, false, false, true},
    {"zt231-203", "Zebra ZT231, 203 dpi", 8, 832, 0, false, true, true},
    {"zt231-300", "Zebra ZT231, 300 dpi", 12, 1248, 0, false, true, true},
    {"zt411-203", "Zebra ZT411, 203 dpi", 8, 832, 0, false, true, true},
    {"zt411-300", "Zebra ZT411, 300 dpi", 12, 1248, 0, false, true, true},
    {"zt411-600", "Zebra ZT411, 600 dpi", 24, 2496, 0, false, true, true},
    {"zt421-203", "Zebra ZT421, 203 dpi", 8, 1344, 2591, false, true, true},
    {"zt421-300", "Zebra ZT421, 300 dpi", 12, 2016, 0, false, true, true},
    {"zq610plus-203", "Zebra ZQ610 Plus, 203 dpi", 8, 384, 0, true, false, false},
    {"zq620plus-203", "Zebra ZQ620 Plus, 203 dpi", 8, 576, 0, false, false, false},
    {"zq630plus-203", "Zebra ZQ630 Plus, 203 dpi", 8, 832, 0, false, true, false},
};

const struct pl_model *pl_models(uint32_t *count)
{
    *count = sizeof MODELS / sizeof MODELS[0];
    return MODELS;
}

const struct pl_model *pl_model_find(const char *name)
{
    for (uint32_t i = 0; i < sizeof MODELS / sizeof MODELS[0]; i++)
        if (strcmp(MODELS[i].name, name) == 0)
            return &MODELS[i];
    return NULL;
}
