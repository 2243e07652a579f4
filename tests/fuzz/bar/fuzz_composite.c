// Fuzz target: CC-A of any bytes, and of bytes as a composite symbol hands them over.
#include "bar/encode/composite_a.h"
#include "bar/encode/gs1.h"
#include "fuzz_matrix.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct fuzz_input in;
    struct pl_error err;
    struct pl_bitmap modules;
    begin(&in, bytes, size);
    uint32_t how = take(&in), columns = how % 8;
    struct pl_slice elements = rest(&in);
    if (how & 8) {
        uint8_t *bracketed = pl_arena_alloc(&in.arena, elements.len * 5 + 1, 1), *joined = NULL;
        uint32_t dropped;
        size_t length = bracketed ? pl_gs1_bracket(elements, bracketed, &dropped) : 0;
        if (length > 0)
            joined = pl_arena_alloc(&in.arena, length, 1);
        if (joined)
            elements = pl_slice_make(joined, pl_gs1_join(pl_slice_make(bracketed, length), joined));
    }
    enum pl_errc code = pl_composite_a_encode(elements, columns, &in.arena, &modules, &err);
    if (code == PL_OK && modules.width != pl_composite_a_width(columns))
        abort();
    check(&in, code, &modules);
    return 0;
}
