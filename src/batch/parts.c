// Documents as parts of a multipart body.
#include "base/parameter.h"
#include "batch/reader.h"

#define HEADER_MAX ((size_t)8192)

// As it is written. False: there is none.
static bool parameter(struct pl_slice text, const char *name, struct pl_slice *out)
{
    struct pl_parameter found;
    if (!pl_parameter_find(text, name, &found))
        return false;
    *out = found.value;
    return true;
}

bool pl_parts_init(struct pl_parts *reader, struct pl_slice parameters)
{
    struct pl_slice boundary;
    *reader = (struct pl_parts){0};
    if (!parameter(parameters, "boundary", &boundary) || boundary.len == 0 || boundary.len > PL_PARTS_BOUNDARY_MAX)
        return false;
    for (size_t i = 0; i < boundary.len; i++) {
        if (boundary.ptr[i] < 0x20 || boundary.ptr[i] > 0x7E)
            return false;
    }
    memcpy(reader->delimiter, "\r\n--", 4);
    memcpy(reader->delimiter + 4, boundary.ptr, boundary.len);
    reader->delimiter_len = boundary.len + 4;
    return true;
}

static void read_header(struct pl_slice line, struct pl_batch_item *item)
{
    const uint8_t *colon = line.len > 0 ? memchr(line.ptr, ':', line.len) : NULL;
    size_t len = colon ? (size_t)(colon - line.ptr) : 0;
    if (!colon || !pl_slice_eq_nocase(pl_slice_sub(line, 0, len), pl_slice_cstr("content-disposition")))
        return;
    struct pl_slice value = pl_slice_sub(line, len + 1, line.len);
    const uint8_t *rest = value.len > 0 ? memchr(value.ptr, ';', value.len) : NULL;
    if (!rest)
        return;
    value = pl_slice_sub(value, (size_t)(rest - value.ptr), value.len);
    if (!parameter(value, "name", &item->name))
        item->name = pl_slice_make("", 0);
    if (!parameter(value, "filename", &item->file))
        item->file = pl_slice_make("", 0);
}

static enum pl_batch_found bad(struct pl_error *err, const char *message)
{
    (void)!pl_fail(err, PL_E_INVALID, "%s", message);
    return PL_BATCH_BAD;
}

// Finds the first delimiter, before which anything may stand.
static enum pl_batch_found find_first(struct pl_parts *reader, struct pl_slice window, bool ended, size_t *at,
                                      struct pl_error *err)
{
    size_t len = reader->delimiter_len;
    if (window.len < len && !ended) {
        *at = 0;
        return PL_BATCH_MORE;
    }
    // At the very start no line end comes before it.
    if (!reader->dropped && window.len >= len - 2 && memcmp(window.ptr, reader->delimiter + 2, len - 2) == 0) {
        *at = len - 2;
        reader->inside = true;
        return PL_BATCH_DOCUMENT;
    }
    const uint8_t *found = window.len >= len ? memmem(window.ptr, window.len, reader->delimiter, len) : NULL;
    if (!found) {
        *at = window.len >= len ? window.len - len + 1 : 0;
        reader->dropped = reader->dropped || *at > 0;
        return ended ? bad(err, "The multipart body does not hold its boundary.") : PL_BATCH_MORE;
    }
    *at = (size_t)(found - window.ptr) + len;
    reader->inside = true;
    return PL_BATCH_DOCUMENT;
}

// Header lines of a part that begins at `begin`, up to an empty one. *at is behind it, if a document was found.
static enum pl_batch_found read_headers(struct pl_slice window, size_t begin, bool ended, size_t *at,
                                        struct pl_batch_item *item, struct pl_error *err)
{
    for (;;) {
        const uint8_t *end = window.len > *at ? memmem(window.ptr + *at, window.len - *at, "\r\n", 2) : NULL;
        if (*at - begin > HEADER_MAX || (!end && window.len - begin > HEADER_MAX))
            return bad(err, "The multipart body is malformed: a part's header does not end.");
        if (!end)
            return ended ? bad(err, "The multipart body ends inside a part.") : PL_BATCH_MORE;
        struct pl_slice line = pl_slice_sub(window, *at, (size_t)(end - window.ptr) - *at);
        *at += line.len + 2;
        if (line.len == 0)
            return PL_BATCH_DOCUMENT;
        read_header(line, item);
    }
}

enum pl_batch_found pl_parts_next(struct pl_parts *reader, struct pl_slice window, bool ended, size_t *used,
                                  struct pl_batch_item *item, struct pl_error *err)
{
    size_t at = 0;
    *used = 0;
    if (!reader->inside) {
        enum pl_batch_found found = find_first(reader, window, ended, &at, err);
        *used = at;
        if (found != PL_BATCH_DOCUMENT)
            return found;
    }
    size_t begin = at;
    if (window.len - at >= 2 && memcmp(window.ptr + at, "--", 2) == 0)
        return PL_BATCH_END;
    while (at < window.len && (window.ptr[at] == ' ' || window.ptr[at] == '\t'))
        at++;
    if (at - begin > HEADER_MAX)
        return bad(err, "The multipart body is malformed after a boundary.");
    if (window.len - at < 2)
        return ended ? bad(err, "The multipart body ends without its last boundary.") : PL_BATCH_MORE;
    if (memcmp(window.ptr + at, "\r\n", 2) != 0)
        return bad(err, "The multipart body is malformed after a boundary.");
    *item = (struct pl_batch_item){.name = pl_slice_make("", 0), .file = pl_slice_make("", 0)};
    at += 2;
    enum pl_batch_found headers = read_headers(window, begin, ended, &at, item, err);
    if (headers != PL_BATCH_DOCUMENT)
        return headers;
    // An empty part's delimiter shares its line end with the header's end.
    size_t from = at - 2;
    size_t scanned = *used + reader->scanned;
    if (scanned > from)
        from = scanned;
    const uint8_t *end = window.len > from
                             ? memmem(window.ptr + from, window.len - from, reader->delimiter, reader->delimiter_len)
                             : NULL;
    if (!end) {
        size_t rest = window.len - *used;
        reader->scanned = rest > reader->delimiter_len ? rest - reader->delimiter_len : 0;
        return ended ? bad(err, "The multipart body ends inside a part.") : PL_BATCH_MORE;
    }
    size_t stop = (size_t)(end - window.ptr);
    item->data = stop > at ? pl_slice_sub(window, at, stop - at) : pl_slice_make("", 0);
    reader->scanned = 0;
    *used = stop + reader->delimiter_len;
    return PL_BATCH_DOCUMENT;
}
