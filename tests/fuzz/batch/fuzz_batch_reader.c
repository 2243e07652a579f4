// Readers of batches: what is found in bytes that arrive in pieces is what is found when they are whole.
#include "../../unit/batch/arrivals.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct found whole, pieces;
    struct pl_error err;
    if (size < 2)
        return 0;
    enum kind kind = (enum kind)(data[0] % KIND_COUNT);
    struct pl_slice text = pl_slice_make(data + 2, size - 2);
    arrivals(kind, "boundary=b", text, size, &whole, &err);
    arrivals(kind, "boundary=b", text, 1u + data[1], &pieces, &err);
    if (whole.end != pieces.end || whole.count != pieces.count || whole.hash != pieces.hash)
        abort();
    return 0;
}
