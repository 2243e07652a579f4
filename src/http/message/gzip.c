// gzip: request bodies, and documents made at start.
#include "http/message/gzip.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/ckd.h"
#include "base/deflate.h"

enum pl_errc http_gunzip(struct pl_slice in, size_t max, uint8_t **out, size_t *out_len, struct pl_error *err)
{
    *out = NULL;
    *out_len = 0;
    if (in.len < 18)
        return pl_fail(err, PL_E_INVALID, "The body is not gzip data.");
    // The last four bytes state the size of the last member; the statement may lie, so it is only where the search for
    // room starts.
    const uint8_t *tail = in.ptr + in.len - 4;
    size_t room = (size_t)tail[0] | (size_t)tail[1] << 8 | (size_t)tail[2] << 16 | (size_t)tail[3] << 24;
    // Deflate cannot expand by more than about 1032 times.
    size_t most = in.len > SIZE_MAX / 1032 ? SIZE_MAX : in.len * 1032;
    if (room > most)
        return pl_fail(err, PL_E_INVALID, "The gzip data is damaged.");
    room = PL_MIN(PL_MAX(room, in.len), max);
    uint8_t *data = malloc(room + 1);
    enum pl_inflate_result result = data ? pl_gunzip(in, data, room, out_len) : PL_INFLATE_NO_MEMORY;
    while (result == PL_INFLATE_TOO_LONG && room < max) {
        free(data);
        room = room > max / 2 ? max : room * 2;
        data = malloc(room + 1);
        result = data ? pl_gunzip(in, data, room, out_len) : PL_INFLATE_NO_MEMORY;
    }
    enum pl_errc code = PL_OK;
    if (result == PL_INFLATE_TOO_LONG)
        code = pl_fail(err, PL_E_LIMIT, "The body inflates to more than %zu bytes.", max);
    else if (result == PL_INFLATE_BAD)
        code = pl_fail(err, PL_E_INVALID, "The gzip data is damaged, or other bytes follow it.");
    else if (result == PL_INFLATE_NO_MEMORY)
        code = pl_fail_memory(err);
    if (code != PL_OK) {
        free(data);
        return code;
    }
    *out = data;
    return PL_OK;
}

enum pl_errc http_gzip(struct pl_slice in, uint8_t **out, size_t *out_len, struct pl_error *err)
{
    *out = NULL;
    *out_len = 0;
    uint8_t *data;
    size_t len;
    if (!pl_gzip(in, &data, &len))
        return pl_fail_memory(err);
    if (len == 0 || len >= in.len - in.len / 10) {
        free(data);
        return PL_OK;
    }
    *out = data;
    *out_len = len;
    return PL_OK;
}
