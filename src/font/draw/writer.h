// Inside src/font/draw: the writer of a thread.
#ifndef PL_FONT_DRAW_WRITER_H
#define PL_FONT_DRAW_WRITER_H

#include "font/draw/cache.h"
#include "font/draw/target.h"
#include "font/face/faces.h"

struct pl_writer {
    struct pl_faces faces;
    struct pl_cache *cache;
};

#endif
