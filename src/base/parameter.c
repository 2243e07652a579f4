// Finding a parameter of a header value.
#include "base/parameter.h"

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
