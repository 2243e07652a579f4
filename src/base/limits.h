// The limits of one render and their defaults: the only place that has them. The library, the service, the broker's
// worker, the virtual printers and the command line all read them here.
#ifndef PL_BASE_LIMITS_H
#define PL_BASE_LIMITS_H

#include <stddef.h>
#include <stdint.h>

struct pl_limits {
    size_t input_bytes;          // request body
    uint32_t labels;             // labels per request, copies included
    uint32_t copies;             // those of them that come of a ^PQ above 1
    uint64_t dots_per_label;     // width x height
    size_t decoded_graphics;     // bytes of decoded graphic data per request
    size_t stored_bytes;         // bytes of stored objects per request
    size_t arena_bytes;          // memory of one render
    uint32_t elements_per_label; // drawn fields of one label
    uint32_t recall_depth;       // ^XF inside ^XF
    uint32_t diagnostics;        // diagnostics kept; more are counted only
};

// Dots per millimetre, and the label where neither the caller nor its code says one.
#define PL_DPMM_MIN 1
#define PL_DPMM_MAX 48
#define PL_DEFAULT_DPMM 8
#define PL_DEFAULT_WIDTH_MM 101.6
#define PL_DEFAULT_HEIGHT_MM 152.4
#define PL_MODULE_MM_MAX 1000 // of min_module_mm: no label is as wide, and what is missing stays a number

// Plain numbers, so that help texts and defaults of options can be made of them.
#define PL_LIMIT_INPUT_MIB 8
#define PL_LIMIT_LABELS 500
#define PL_LIMIT_JOB_LABELS 10000 // that a job of a printer has written out
#define PL_LIMIT_DOTS 100000000
#define PL_LIMIT_GRAPHICS_MIB 64
#define PL_LIMIT_STORED_MIB 64
#define PL_LIMIT_MEMORY_MIB 256
#define PL_LIMIT_ELEMENTS 20000
#define PL_LIMIT_SECONDS 10 // of a request: it is no limit of the library, whose caller sets a deadline

#define PL_LIMIT_TEXT(limit) PL_LIMIT_TEXT_(limit) // "500"
#define PL_LIMIT_TEXT_(limit) #limit
#define PL_MIB(count) ((size_t)(count) << 20)

#define PL_LIMITS_DEFAULT                                                                                              \
    {                                                                                                                  \
        .input_bytes = PL_MIB(PL_LIMIT_INPUT_MIB), .labels = PL_LIMIT_LABELS, .copies = UINT32_MAX,                    \
        .dots_per_label = PL_LIMIT_DOTS, .decoded_graphics = PL_MIB(PL_LIMIT_GRAPHICS_MIB),                            \
        .stored_bytes = PL_MIB(PL_LIMIT_STORED_MIB), .arena_bytes = PL_MIB(PL_LIMIT_MEMORY_MIB),                       \
        .elements_per_label = PL_LIMIT_ELEMENTS, .recall_depth = 8, .diagnostics = 1000                                \
    }

#endif
