// The file of kept jobs: any bytes are read to an end without reading beyond them; what is read is written and read as
// the same.
#include <stdlib.h>
#include <string.h>

#include "printer/kept.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// All that is in it, written again. False: it is broken.
static bool again(struct pl_slice bytes, struct pl_buf *out)
{
    struct kept_reader reader;
    if (!kept_open(&reader, bytes))
        return false;
    kept_begin(out, reader.memory);
    for (;;) {
        struct printed_label *label = NULL;
        struct kept_job job;
        switch (kept_next(&reader, &label, &job)) {
        case KEPT_LABEL:
            kept_put_label(out, label);
            printed_label_release(label);
            break;
        case KEPT_JOB:
            kept_put_job(out, &job);
            break;
        case KEPT_END:
            kept_end(out);
            return true;
        case KEPT_BROKEN:
        case KEPT_NO_MEMORY:
            return false;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pl_buf file, one, other;
    pl_buf_init(&file, 1 << 24);
    pl_buf_init(&one, 1 << 24);
    pl_buf_init(&other, 1 << 24);
    again(pl_slice_make(data, size), &one);
    // Behind a head that fits, or the checksum would hide everything.
    pl_buf_append(&file, data, size);
    kept_seal(file.data, file.len);
    pl_buf_clear(&one);
    if (again(pl_buf_slice(&file), &one) &&
        (!again(pl_buf_slice(&one), &other) || !pl_slice_eq(pl_buf_slice(&one), pl_buf_slice(&other))))
        abort();
    pl_buf_fini(&file);
    pl_buf_fini(&one);
    pl_buf_fini(&other);
    return 0;
}
