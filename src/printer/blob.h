// Bytes that several hold: the last one frees them.
#ifndef PRINTER_BLOB_H
#define PRINTER_BLOB_H

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/slice.h"

struct blob {
    atomic_uint holders;
    size_t size;
    uint8_t data[];
};

// NULL: no memory.
static inline struct blob *blob_new(struct pl_slice bytes)
{
    struct blob *blob = malloc(sizeof *blob + bytes.len);
    if (!blob)
        return NULL;
    atomic_init(&blob->holders, 1);
    blob->size = bytes.len;
    if (bytes.len > 0)
        memcpy(blob->data, bytes.ptr, bytes.len);
    return blob;
}

static inline struct blob *blob_hold(struct blob *blob)
{
    if (blob)
        atomic_fetch_add_explicit(&blob->holders, 1, memory_order_relaxed);
    return blob;
}

static inline void blob_release(struct blob *blob)
{
    if (blob && atomic_fetch_sub_explicit(&blob->holders, 1, memory_order_acq_rel) == 1)
        free(blob);
}

// A blob of these bytes: `old`, held once more, if it has them. NULL: no memory.
static inline struct blob *blob_again(struct blob *old, struct pl_slice bytes)
{
    if (old && old->size == bytes.len && (bytes.len == 0 || memcmp(old->data, bytes.ptr, bytes.len) == 0))
        return blob_hold(old);
    return blob_new(bytes);
}

static inline struct pl_slice blob_slice(const struct blob *blob)
{
    return blob ? pl_slice_make(blob->data, blob->size) : pl_slice_make("", 0);
}

#endif
