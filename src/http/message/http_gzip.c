// gzip by libdeflate, for src/http.
#include <libdeflate.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/ckd.h"
#include "http/message/gzip.h"

enum pl_errc http_gunzip(struct pl_slice in, size_t max, uint8_t **out, size_t *out_len, struct pl_error *err)
{
    *out = NULL;
    *out_len = 0;
    if (in.len < 18)
        return pl_fail(err, PL_E_INVALID, "The body is not gzip data.");
    // The last four bytes state the size; the statement may lie, so it is only where the search for room starts.
    const uint8_t *tail = in.ptr + in.len - 4;
    size_t room = (size_t)tail[0] | (size_t)tail[1] << 8 | (size_t)tail[2] << 16 | (size_t)tail[3] << 24;
    // Deflate cannot expand by more than about 1032 times.
    size_t most = in.len > SIZE_MAX / 1032 ? SIZE_MAX : in.len * 1032;
    if (room > most)
        return pl_fail(err, PL_E_INVALID, "The gzip data is damaged.");
    if (room > max)
        return pl_fail(err, PL_E_LIMIT, "The body inflates to more than %zu bytes.", max);
    struct libdeflate_decompressor *inflater = libdeflate_alloc_decompressor();
    uint8_t *data = malloc(room + 1);
    enum pl_errc code = PL_OK;
    if (!inflater || !data) {
        code = pl_fail_memory(err);
    } else {
        size_t used = 0;
        enum libdeflate_result result =
            libdeflate_gzip_decompress_ex(inflater, in.ptr, in.len, data, room, &used, out_len);
        if (result == LIBDEFLATE_INSUFFICIENT_SPACE || result == LIBDEFLATE_SHORT_OUTPUT)
            code = pl_fail(err, PL_E_INVALID, "The gzip data is longer than it states.");
        else if (result != LIBDEFLATE_SUCCESS)
            code = pl_fail(err, PL_E_INVALID, "The gzip data is damaged.");
        else if (used != in.len)
            code = pl_fail(err, PL_E_INVALID, "Bytes follow the gzip data.");
    }
    libdeflate_free_decompressor(inflater);
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
    struct libdeflate_compressor *deflater = libdeflate_alloc_compressor(12);
    if (!deflater)
        return pl_fail_memory(err);
    size_t bound = libdeflate_gzip_compress_bound(deflater, in.len);
    uint8_t *data = malloc(bound);
    if (data) {
        size_t len = libdeflate_gzip_compress(deflater, in.ptr, in.len, data, bound);
        if (len > 0 && len < in.len - in.len / 10) {
            *out = data;
            *out_len = len;
            data = NULL;
        }
    }
    free(data);
    libdeflate_free_compressor(deflater);
    return PL_OK;
}
