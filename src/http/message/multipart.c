// multipart/form-data (RFC 7578): parts of a body that is whole in memory.
#include "base/parameter.h"
#include "http/http.h"

#define MAX_BOUNDARY 70
#define MAX_PART_HEADER 4096

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

static bool read_boundary(const struct http_request *req, char *delimiter, size_t *len)
{
    struct pl_slice boundary;
    if (!pl_slice_eq_cstr(req->content_type, "multipart/form-data") ||
        !parameter(req->arena, req->content_param, "boundary", &boundary) || boundary.len == 0 ||
        boundary.len > MAX_BOUNDARY)
        return false;
    for (size_t i = 0; i < boundary.len; i++) {
        if (boundary.ptr[i] < 0x20 || boundary.ptr[i] > 0x7E)
            return false;
    }
    memcpy(delimiter, "\r\n--", 4);
    memcpy(delimiter + 4, boundary.ptr, boundary.len);
    *len = boundary.len + 4;
    return true;
}

// One header line of a part.
static void part_header(struct pl_arena *arena, struct pl_slice line, struct http_part *part, bool *named)
{
    const uint8_t *colon = line.len ? memchr(line.ptr, ':', line.len) : NULL;
    if (!colon)
        return;
    size_t len = (size_t)(colon - line.ptr);
    struct pl_slice name = pl_slice_sub(line, 0, len);
    struct pl_slice value = pl_slice_trim(pl_slice_sub(line, len + 1, line.len));
    if (pl_slice_eq_nocase(name, pl_slice_cstr("content-disposition"))) {
        const uint8_t *semicolon = value.len ? memchr(value.ptr, ';', value.len) : NULL;
        size_t kind = semicolon ? (size_t)(semicolon - value.ptr) : value.len;
        if (!pl_slice_eq_nocase(pl_slice_trim(pl_slice_sub(value, 0, kind)), pl_slice_cstr("form-data")))
            return;
        struct pl_slice rest = pl_slice_sub(value, kind, value.len);
        *named = parameter(arena, rest, "name", &part->name);
        if (!parameter(arena, rest, "filename", &part->filename))
            part->filename = pl_slice_make("", 0);
    } else if (pl_slice_eq_nocase(name, pl_slice_cstr("content-type"))) {
        part->content_type = value;
    }
}

// Headers of a part from *at, which moves to its data.
static enum pl_errc part_headers(struct pl_arena *arena, struct pl_slice body, size_t *at, struct http_part *part,
                                 struct pl_error *err)
{
    bool named = false;
    size_t start = *at;
    for (;;) {
        size_t rest = body.len - *at;
        const uint8_t *end = rest ? memmem(body.ptr + *at, rest, "\r\n", 2) : NULL;
        if (!end || *at - start > MAX_PART_HEADER)
            return pl_fail(err, PL_E_INVALID, "The multipart body is malformed: a part's header does not end.");
        size_t len = (size_t)(end - body.ptr) - *at;
        struct pl_slice line = pl_slice_sub(body, *at, len);
        *at += len + 2;
        if (len == 0)
            break;
        if (len > MAX_PART_HEADER)
            return pl_fail(err, PL_E_INVALID, "The multipart body is malformed: a part's header is too long.");
        part_header(arena, line, part, &named);
    }
    if (!named)
        return pl_fail(err, PL_E_INVALID, "A part of the multipart body has no name.");
    return PL_OK;
}

enum pl_errc http_multipart(const struct http_request *req, struct http_part *parts, size_t max, size_t *count,
                            struct pl_error *err)
{
    char delimiter[MAX_BOUNDARY + 4];
    size_t delimiter_len;
    struct pl_slice body = req->body;
    *count = 0;
    if (!read_boundary(req, delimiter, &delimiter_len))
        return pl_fail(err, PL_E_INVALID, "The multipart body has no usable boundary.");
    // The first delimiter may stand at the very start, where no line end comes before it.
    size_t at;
    if (body.len >= delimiter_len - 2 && memcmp(body.ptr, delimiter + 2, delimiter_len - 2) == 0) {
        at = delimiter_len - 2;
    } else {
        const uint8_t *first = body.len ? memmem(body.ptr, body.len, delimiter, delimiter_len) : NULL;
        if (!first)
            return pl_fail(err, PL_E_INVALID, "The multipart body does not hold its boundary.");
        at = (size_t)(first - body.ptr) + delimiter_len;
    }
    for (;;) {
        if (body.len - at >= 2 && memcmp(body.ptr + at, "--", 2) == 0)
            return PL_OK;
        while (at < body.len && (body.ptr[at] == ' ' || body.ptr[at] == '\t'))
            at++;
        if (body.len - at < 2 || memcmp(body.ptr + at, "\r\n", 2) != 0)
            return pl_fail(err, PL_E_INVALID, "The multipart body is malformed after a boundary.");
        at += 2;
        if (*count == max)
            return pl_fail(err, PL_E_LIMIT, "The multipart body has more than %zu parts.", max);
        struct http_part *part = &parts[*count];
        *part =
            (struct http_part){pl_slice_make("", 0), pl_slice_make("", 0), pl_slice_make("", 0), pl_slice_make("", 0)};
        PL_TRY(part_headers(req->arena, body, &at, part, err));
        // An empty part's delimiter shares its line end with the header's end.
        const uint8_t *end = memmem(body.ptr + at - 2, body.len - at + 2, delimiter, delimiter_len);
        if (!end)
            return pl_fail(err, PL_E_INVALID, "The multipart body ends inside a part.");
        size_t stop = (size_t)(end - body.ptr);
        part->data = stop >= at ? pl_slice_sub(body, at, stop - at) : pl_slice_make("", 0);
        (*count)++;
        at = stop + delimiter_len;
    }
}
