// The limits of a render as options: the same names, bounds and defaults for `serve`, `work` and the command line.
#ifndef PLATEN_LIMIT_OPTIONS_H
#define PLATEN_LIMIT_OPTIONS_H

#include <stddef.h>

#include "base/limits.h"
#include "http/http.h"
#include "platen/platen.h"

#define LIMIT_LABELS_MOST 1000000u
#define LIMIT_MS_MOST 86400000u
#define LIMIT_GIB(count) ((uint64_t)(count) << 30)

// Rows of struct http_option. `engine` is a struct platen_engine_options in `type`; `one` is what they are limits of.
#define LIMIT_ROW(what, name, value, health, help)                                                                     \
    {                                                                                                                  \
        name, what, value, health, help, NULL                                                                          \
    }
#define LIMIT_OPTIONS(type, engine, one)                                                                               \
    LIMIT_ROW(HTTP_U64(type, engine.dots_per_label, 1, (uint64_t)1 << 34), "max-dots", PL_LIMIT_TEXT(PL_LIMIT_DOTS),   \
              "dotsPerLabel", "dots of one label, width times height"),                                                \
        LIMIT_ROW(HTTP_SIZE(type, engine.decoded_graphics, 1, LIMIT_GIB(4)), "max-graphics",                           \
                  PL_LIMIT_TEXT(PL_LIMIT_GRAPHICS_MIB) "MiB", "decodedGraphicsBytes",                                  \
                  "bytes of decoded graphics of one " one),                                                            \
        LIMIT_ROW(HTTP_SIZE(type, engine.stored_bytes, 1, LIMIT_GIB(4)), "max-stored",                                 \
                  PL_LIMIT_TEXT(PL_LIMIT_STORED_MIB) "MiB", "storedObjectsBytes",                                      \
                  "bytes of stored objects of one " one),                                                              \
        LIMIT_ROW(HTTP_U32(type, engine.elements_per_label, 1, 10000000), "max-elements",                              \
                  PL_LIMIT_TEXT(PL_LIMIT_ELEMENTS), "elementsPerLabel", "fields drawn on one label"),                  \
        LIMIT_ROW(HTTP_SIZE(type, engine.arena_bytes, 1 << 20, LIMIT_GIB(64)), "max-memory",                           \
                  PL_LIMIT_TEXT(PL_LIMIT_MEMORY_MIB) "MiB", "renderMemoryBytes", "memory of one render")

#endif
