// What targets of encoders share: memory for the picture, for the encoder and for what it makes.
#ifndef PL_FUZZ_ENC_H
#define PL_FUZZ_ENC_H

#include <stdlib.h>

#include "base/arena.h"
#include "base/buf.h"

static struct pl_arena arena, scratch;
static struct pl_buf out;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    pl_arena_init(&arena, (size_t)16 << 20);
    pl_arena_init(&scratch, (size_t)16 << 20);
    pl_buf_init(&out, (size_t)16 << 20);
    return 0;
}

// Before each input.
static void forget_the_last(void)
{
    pl_arena_reset(&arena, (size_t)1 << 20);
    pl_arena_reset(&scratch, (size_t)1 << 20);
    pl_buf_clear(&out);
}

#endif
