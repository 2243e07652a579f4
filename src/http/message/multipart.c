// multipart/form-data (RFC 7578): parts of a body that is whole in memory.
#include "base/multipart.h"
#include "http/http.h"

// The value of `name` in "a=b; name=\"c\"", without the backslashes of quotes.
static bool parameter(struct pl_arena *arena, struct pl_slice text, const char *name, struct pl_slice *out)
{
    struct pl_parameter found;
    if (!pl_parameter_find(text, name, &found) || found.open)
        return false;
    *out = found.value;
    if (!found.quoted)
        return true;
    uint8_t *plain = pl_arena_alloc(arena, found.value.len + 1, 1);
    if (!plain)
        return false;
    size_t len = 0;
    for (size_t i = 0; i < found.value.len; i++) {
        const uint8_t *c = found.value.ptr + i;
        if (*c == '\\' && i + 1 < found.value.len && (c[1] == '"' || c[1] == '\\'))
            i++;
        plain[len++] = found.value.ptr[i];
    }
    *out = pl_slice_make(plain, len);
    return true;
}

// A part of a form has a name.
static bool read_part(struct pl_arena *arena, const struct pl_part *found, struct http_part *part)
{
    *part = (struct http_part){.content_type = found->content_type, .data = found->data};
    (void)parameter(arena, found->parameters, "filename", &part->filename);
    return pl_slice_eq_nocase(found->disposition, pl_slice_cstr("form-data")) &&
           parameter(arena, found->parameters, "name", &part->name);
}

enum pl_errc http_multipart(const struct http_request *req, struct http_part *parts, size_t max, size_t *count,
                            struct pl_error *err)
{
    struct pl_multipart reader;
    struct pl_part found;
    struct pl_slice rest = req->body;
    *count = 0;
    if (!pl_slice_eq_cstr(req->content_type, "multipart/form-data") || !pl_multipart_init(&reader, req->content_param))
        return pl_fail(err, PL_E_INVALID, "The multipart body has no usable boundary.");
    for (size_t used;; rest = pl_slice_sub(rest, used, rest.len)) {
        enum pl_multipart_found next = pl_multipart_next(&reader, rest, true, &used, &found, err);
        if (next != PL_MULTIPART_PART)
            return next == PL_MULTIPART_END ? PL_OK : PL_E_INVALID;
        if (*count == max)
            return pl_fail(err, PL_E_LIMIT, "The multipart body has more than %zu parts.", max);
        if (!read_part(req->arena, &found, &parts[(*count)++]))
            return pl_fail(err, PL_E_INVALID, "A part of the multipart body has no name.");
    }
}
