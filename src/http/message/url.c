// Percent-decoding and query strings.
#include "http/message/url.h"

#include "base/fmt.h"
#include "http/http.h"

enum pl_errc http_url_decode(struct pl_arena *arena, struct pl_slice text, bool plus, struct pl_slice *out,
                             struct pl_error *err)
{
    *out = text;
    if (text.len == 0 || (!memchr(text.ptr, '%', text.len) && !(plus && memchr(text.ptr, '+', text.len))))
        return PL_OK;
    uint8_t *decoded = pl_arena_alloc(arena, text.len, 1);
    if (!decoded)
        return pl_fail_memory(err);
    size_t len = 0;
    for (size_t i = 0; i < text.len; i++) {
        uint8_t byte = text.ptr[i];
        if (byte == '%') {
            int high = i + 2 < text.len ? pl_hex_value(text.ptr[i + 1]) : -1;
            int low = i + 2 < text.len ? pl_hex_value(text.ptr[i + 2]) : -1;
            if (high < 0 || low < 0)
                return pl_fail(err, PL_E_INVALID, "A '%%' is not followed by two hexadecimal digits.");
            byte = (uint8_t)(high << 4 | low);
            if (byte == 0)
                return pl_fail(err, PL_E_INVALID, "There is a %%00.");
            i += 2;
        } else if (plus && byte == '+') {
            byte = ' ';
        }
        decoded[len++] = byte;
    }
    *out = pl_slice_make(decoded, len);
    return PL_OK;
}

enum pl_errc http_query_split(struct pl_arena *arena, struct pl_slice query, struct http_pair *pairs, size_t max,
                              size_t *count, struct pl_error *err)
{
    *count = 0;
    while (query.len > 0) {
        struct pl_slice value = pl_slice_until(&query, '&');
        if (value.len == 0)
            continue;
        if (*count == max)
            return pl_fail(err, PL_E_LIMIT, "The query has too many parameters.");
        struct http_pair *pair = &pairs[*count];
        PL_TRY(http_url_decode(arena, pl_slice_until(&value, '='), true, &pair->name, err));
        PL_TRY(http_url_decode(arena, value, true, &pair->value, err));
        (*count)++;
    }
    return PL_OK;
}
