// Parts of a multipart body, and parameters of header values.
#include "base/multipart.h"

#define HEADER_MAX ((size_t)8192)

// The value behind the '=' at text[at - 1]. Returns where it ends.
static size_t read_value(struct pl_slice text, size_t at, struct pl_parameter *out)
{
    bool quoted = at < text.len && text.ptr[at] == '"';
    size_t start = at += quoted;
    while (at < text.len && text.ptr[at] != (quoted ? '"' : ';'))
        at += quoted && text.ptr[at] == '\\' && at + 1 < text.len ? 2u : 1u;
    struct pl_slice value = pl_slice_sub(text, start, at - start);
    bool open = quoted && at == text.len;
    *out = (struct pl_parameter){quoted ? value : pl_slice_trim(value), quoted, open};
    return at + (quoted && !open);
}

bool pl_parameter_find(struct pl_slice text, const char *name, struct pl_parameter *out)
{
    size_t at = 0;
    while (at < text.len) {
        while (at < text.len && (text.ptr[at] == ' ' || text.ptr[at] == '\t' || text.ptr[at] == ';'))
            at++;
        size_t start = at;
        while (at < text.len && text.ptr[at] != '=' && text.ptr[at] != ';')
            at++;
        struct pl_slice key = pl_slice_trim(pl_slice_sub(text, start, at - start));
        if (at == text.len || text.ptr[at] == ';')
            continue;
        struct pl_parameter value;
        at = read_value(text, at + 1, &value);
        if (pl_slice_eq_nocase(key, pl_slice_cstr(name))) {
            *out = value;
            return true;
        }
    }
    return false;
}

bool pl_multipart_init(struct pl_multipart *reader, struct pl_slice parameters)
{
    struct pl_parameter found;
    *reader = (struct pl_multipart){0};
    if (!pl_parameter_find(parameters, "boundary", &found) || found.value.len == 0 || found.value.len > PL_BOUNDARY_MAX)
        return false;
    for (size_t i = 0; i < found.value.len; i++) {
        if (found.value.ptr[i] < 0x20 || found.value.ptr[i] > 0x7E)
            return false;
    }
    memcpy(reader->delimiter, "\r\n--", 4);
    memcpy(reader->delimiter + 4, found.value.ptr, found.value.len);
    reader->delimiter_len = found.value.len + 4;
    return true;
}

static void read_header(struct pl_slice line, struct pl_part *part)
{
    struct pl_slice name = pl_slice_until(&line, ':');
    if (pl_slice_eq_nocase(name, pl_slice_cstr("content-type"))) {
        part->content_type = pl_slice_trim(line);
    } else if (pl_slice_eq_nocase(name, pl_slice_cstr("content-disposition"))) {
        part->disposition = pl_slice_trim(pl_slice_until(&line, ';'));
        part->parameters = line;
    }
}

static enum pl_multipart_found bad(struct pl_error *err, const char *message)
{
    (void)!pl_fail(err, PL_E_INVALID, "%s", message);
    return PL_MULTIPART_BAD;
}

// Finds the first delimiter, before which anything may stand.
static enum pl_multipart_found find_first(struct pl_multipart *reader, struct pl_slice window, bool ended, size_t *at,
                                          struct pl_error *err)
{
    size_t len = reader->delimiter_len;
    if (window.len < len && !ended) {
        *at = 0;
        return PL_MULTIPART_MORE;
    }
    // At the very start no line end comes before it.
    if (!reader->dropped && window.len >= len - 2 && memcmp(window.ptr, reader->delimiter + 2, len - 2) == 0) {
        *at = len - 2;
        reader->inside = true;
        return PL_MULTIPART_PART;
    }
    const uint8_t *found = window.len >= len ? memmem(window.ptr, window.len, reader->delimiter, len) : NULL;
    if (!found) {
        *at = window.len >= len ? window.len - len + 1 : 0;
        reader->dropped = reader->dropped || *at > 0;
        return ended ? bad(err, "The multipart body does not hold its boundary.") : PL_MULTIPART_MORE;
    }
    *at = (size_t)(found - window.ptr) + len;
    reader->inside = true;
    return PL_MULTIPART_PART;
}

// Header lines of a part that begins at `begin`, up to an empty one. *at is behind it, if a part was found.
static enum pl_multipart_found read_headers(struct pl_slice window, size_t begin, bool ended, size_t *at,
                                            struct pl_part *part, struct pl_error *err)
{
    for (;;) {
        const uint8_t *end = window.len > *at ? memmem(window.ptr + *at, window.len - *at, "\r\n", 2) : NULL;
        if (*at - begin > HEADER_MAX || (!end && window.len - begin > HEADER_MAX))
            return bad(err, "The multipart body is malformed: a part's header does not end.");
        if (!end)
            return ended ? bad(err, "The multipart body ends inside a part.") : PL_MULTIPART_MORE;
        struct pl_slice line = pl_slice_sub(window, *at, (size_t)(end - window.ptr) - *at);
        *at += line.len + 2;
        if (line.len == 0)
            return PL_MULTIPART_PART;
        read_header(line, part);
    }
}

enum pl_multipart_found pl_multipart_next(struct pl_multipart *reader, struct pl_slice window, bool ended, size_t *used,
                                          struct pl_part *part, struct pl_error *err)
{
    size_t at = 0;
    *used = 0;
    if (!reader->inside) {
        enum pl_multipart_found found = find_first(reader, window, ended, &at, err);
        *used = at;
        if (found != PL_MULTIPART_PART)
            return found;
    }
    size_t begin = at;
    if (window.len - at >= 2 && memcmp(window.ptr + at, "--", 2) == 0)
        return PL_MULTIPART_END;
    while (at < window.len && (window.ptr[at] == ' ' || window.ptr[at] == '\t'))
        at++;
    if (at - begin > HEADER_MAX)
        return bad(err, "The multipart body is malformed after a boundary.");
    if (window.len - at < 2)
        return ended ? bad(err, "The multipart body ends without its last boundary.") : PL_MULTIPART_MORE;
    if (memcmp(window.ptr + at, "\r\n", 2) != 0)
        return bad(err, "The multipart body is malformed after a boundary.");
    *part = (struct pl_part){0};
    at += 2;
    enum pl_multipart_found headers = read_headers(window, begin, ended, &at, part, err);
    if (headers != PL_MULTIPART_PART)
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
        return ended ? bad(err, "The multipart body ends inside a part.") : PL_MULTIPART_MORE;
    }
    size_t stop = (size_t)(end - window.ptr);
    part->data = stop > at ? pl_slice_sub(window, at, stop - at) : pl_slice_make("", 0);
    reader->scanned = 0;
    *used = stop + reader->delimiter_len;
    return PL_MULTIPART_PART;
}
