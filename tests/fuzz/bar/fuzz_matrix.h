// Shared by the fuzz targets of the matrix and stacked encoders: options from the first bytes, an arena that may fail.
#ifndef PL_FUZZ_MATRIX_H
#define PL_FUZZ_MATRIX_H

#include <stdint.h>
#include <stdlib.h>

#include "../../barcodes/decode.h"
#include "base/arena.h"
#include "base/slice.h"
#include "raster/bitmap.h"

struct fuzz_input {
    struct pl_arena arena;
    const uint8_t *bytes;
    size_t size;
};

static inline uint32_t take(struct fuzz_input *in)
{
    if (in->size == 0)
        return 0;
    in->size--;
    return *in->bytes++;
}

static inline void begin(struct fuzz_input *in, const uint8_t *bytes, size_t size)
{
    pl_arena_init(&in->arena, 8u << 20);
    in->bytes = bytes;
    in->size = size;
    uint32_t fail = take(in);
    in->arena.fail_at = fail < 32 ? fail : 0;
}

static inline struct pl_slice rest(const struct fuzz_input *in)
{
    return pl_slice_make(in->bytes, in->size);
}

// What an encoder may say, and that what it gives is a picture: some ink, and none right of the width.
static inline void check(struct fuzz_input *in, enum pl_errc code, const struct pl_bitmap *modules)
{
    if (code != PL_OK && code != PL_E_INVALID && !(code == PL_E_MEMORY && in->arena.fail_at != 0))
        abort();
    if (code == PL_OK && modules != NULL) {
        if (modules->width == 0 || modules->height == 0)
            abort();
        uint64_t any = 0;
        for (uint32_t y = 0; y < modules->height; y++) {
            const uint64_t *row = pl_bitmap_row(modules, y);
            for (uint32_t i = 0; i < modules->stride; i++)
                any |= row[i];
            if (modules->width % 64 != 0 && row[modules->width / 64] << modules->width % 64 != 0)
                abort();
        }
        if (any == 0)
            abort();
    }
    pl_arena_fini(&in->arena);
}

// What a reader has read must be the data.
static inline void check_decoded(bool good, const struct decoded *out, struct pl_slice data)
{
    if (!good || out->count != data.len)
        abort();
    for (size_t i = 0; i < data.len; i++)
        if (out->chars[i] != data.ptr[i])
            abort();
}

static inline struct decoded new_decoded(void)
{
    static uint16_t chars[16384];
    return (struct decoded){.chars = chars, .cap = 16384};
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#endif
