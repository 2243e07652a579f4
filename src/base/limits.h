// The hard limits of one render, with their defaults. Each is a flag and an environment variable of the
// service.
#ifndef PL_BASE_LIMITS_H
#define PL_BASE_LIMITS_H

#include <stddef.h>
#include <stdint.h>

struct pl_limits {
    size_t input_bytes;          // request body
    uint32_t labels;             // labels per request, copies included
    uint64_t dots_per_label;     // width x height
    size_t decoded_graphics;     // bytes of decoded graphic data per request
    size_t stored_bytes;         // bytes of stored objects per request
    size_t arena_bytes;          // memory of one render
    uint32_t elements_per_label; // drawn fields of one label
    uint32_t recall_depth;       // ^XF inside ^XF
    uint32_t diagnostics;        // diagnostics kept; more are counted only
};

#define PL_LIMITS_DEFAULT                                                                                              \
    {                                                                                                                  \
        .input_bytes = 8u << 20, .labels = 500, .dots_per_label = 100000000u, .decoded_graphics = 64u << 20,           \
        .stored_bytes = 64u << 20, .arena_bytes = (size_t)256 << 20, .elements_per_label = 20000, .recall_depth = 8,   \
        .diagnostics = 1000                                                                                            \
    }

#endif
