// A growing byte buffer with a mandatory maximum. A failed append makes the buffer fail for good; check once at the
// end.
#ifndef PL_BASE_BUF_H
#define PL_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/slice.h"

struct pl_buf {
    uint8_t *data;
    size_t len;
    size_t cap;
    size_t max;
    bool failed;          // an append met `max` or no memory; the content is no longer whole
    bool short_of_memory; // that was memory
};

void pl_buf_init(struct pl_buf *buf, size_t max);
void pl_buf_fini(struct pl_buf *buf);
void pl_buf_clear(struct pl_buf *buf);
// Empties it, but a failure stays: for texts of which any may fail, and which are looked at once, at their end.
static inline void pl_buf_rewind(struct pl_buf *buf)
{
    buf->len = 0;
}
// Makes room for `more` bytes after `len` and returns where to write them (then add to `len`), or NULL.
uint8_t *pl_buf_reserve(struct pl_buf *buf, size_t more);
void pl_buf_append(struct pl_buf *buf, const void *data, size_t len);
void pl_buf_append_slice(struct pl_buf *buf, struct pl_slice s);
void pl_buf_append_cstr(struct pl_buf *buf, const char *text);
void pl_buf_append_byte(struct pl_buf *buf, uint8_t byte);
void pl_buf_append_be32(struct pl_buf *buf, uint32_t value);
// Numbers without the locale: see fmt.h for the rules.
void pl_buf_append_u64(struct pl_buf *buf, uint64_t value);
void pl_buf_append_i64(struct pl_buf *buf, int64_t value);
// printf in the C locale.
void pl_buf_printf(struct pl_buf *buf, const char *fmt, ...) PL_PRINTF(2, 3);
void pl_buf_append_double(struct pl_buf *buf, double value);
void pl_buf_append_fixed(struct pl_buf *buf, double value, unsigned decimals);
// A JSON string with quotes; bytes that are not UTF-8 become U+FFFD.
void pl_buf_append_json_string(struct pl_buf *buf, struct pl_slice s);
// PL_OK, or the reason why the buffer failed.
enum pl_errc pl_buf_check(const struct pl_buf *buf, struct pl_error *err) PL_MUST_USE;
// The same, with a NUL behind the content that does not count in `len`: for callers who take it for a C string.
enum pl_errc pl_buf_terminate(struct pl_buf *buf, struct pl_error *err) PL_MUST_USE;

static inline struct pl_slice pl_buf_slice(const struct pl_buf *buf)
{
    return (struct pl_slice){buf->data, buf->len};
}

// For a buffer that another was written into: what was not whole there is not whole here.
static inline void pl_buf_inherit(struct pl_buf *buf, const struct pl_buf *part)
{
    buf->failed = buf->failed || part->failed;
    buf->short_of_memory = buf->short_of_memory || part->short_of_memory;
}

// The same for one that is no longer needed, which is freed.
static inline void pl_buf_take_over(struct pl_buf *buf, struct pl_buf *part)
{
    pl_buf_inherit(buf, part);
    pl_buf_fini(part);
}

#endif
