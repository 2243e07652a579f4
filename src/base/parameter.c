// Finding a parameter of a header value.
#include "base/parameter.h"

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
        bool quoted = ++at < text.len && text.ptr[at] == '"';
        start = at += quoted;
        while (at < text.len && text.ptr[at] != (quoted ? '"' : ';'))
            at += quoted && text.ptr[at] == '\\' && at + 1 < text.len ? 2u : 1u;
        at = at < text.len ? at : text.len;
        struct pl_slice value = pl_slice_sub(text, start, at - start);
        bool open = quoted && at == text.len;
        at += quoted && !open;
        if (pl_slice_eq_nocase(key, pl_slice_cstr(name))) {
            *out = (struct pl_parameter){quoted ? value : pl_slice_trim(value), quoted, open};
            return true;
        }
    }
    return false;
}
