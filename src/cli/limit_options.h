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
#define LIMIT_OPTIONS(type, engine, one)                                                                               \
    {"max-dots",                                                                                                       \
     HTTP_OPT_U64,                                                                                                     \
     offsetof(type, engine.dots_per_label),                                                                            \
     1,                                                                                                                \
     (uint64_t)1 << 34,                                                                                                \
     PL_LIMIT_TEXT(PL_LIMIT_DOTS),                                                                                     \
     "dotsPerLabel",                                                                                                   \
     "dots of one label, width times height",                                                                          \
     NULL},                                                                                                            \
        {"max-graphics",                                                                                               \
         HTTP_OPT_SIZE,                                                                                                \
         offsetof(type, engine.decoded_graphics),                                                                      \
         1,                                                                                                            \
         LIMIT_GIB(4),                                                                                                 \
         PL_LIMIT_TEXT(PL_LIMIT_GRAPHICS_MIB) "MiB",                                                                   \
         "decodedGraphicsBytes",                                                                                       \
         "bytes of decoded graphics of one " one,                                                                      \
         NULL},                                                                                                        \
        {"max-stored",                                                                                                 \
         HTTP_OPT_SIZE,                                                                                                \
         offsetof(type, engine.stored_bytes),                                                                          \
         1,                                                                                                            \
         LIMIT_GIB(4),                                                                                                 \
         PL_LIMIT_TEXT(PL_LIMIT_STORED_MIB) "MiB",                                                                     \
         "storedObjectsBytes",                                                                                         \
         "bytes of stored objects of one " one,                                                                        \
         NULL},                                                                                                        \
        {"max-elements",                                                                                               \
         HTTP_OPT_U32,                                                                                                 \
         offsetof(type, engine.elements_per_label),                                                                    \
         1,                                                                                                            \
         10000000,                                                                                                     \
         PL_LIMIT_TEXT(PL_LIMIT_ELEMENTS),                                                                             \
         "elementsPerLabel",                                                                                           \
         "fields drawn on one label",                                                                                  \
         NULL},                                                                                                        \
    {                                                                                                                  \
        "max-memory", HTTP_OPT_SIZE, offsetof(type, engine.arena_bytes), 1 << 20, LIMIT_GIB(64),                       \
            PL_LIMIT_TEXT(PL_LIMIT_MEMORY_MIB) "MiB", "renderMemoryBytes", "memory of one render", NULL                \
    }

#endif
