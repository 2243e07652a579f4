// Names of stored objects: taking them apart, writing them, matching wildcards.
#include "store/store.h"

static bool is_name_char(uint8_t c)
{
    return c > ' ' && c < 0x7F && c != ':' && c != '.' && c != ',';
}

static char upper(uint8_t c)
{
    return (char)pl_upper(c);
}

// Copies what may stand in a name, in upper case. Returns false when something was left out.
static bool copy_part(struct pl_slice from, char *to, uint8_t *len, size_t max)
{
    bool whole = true;
    size_t n = 0;
    for (size_t i = 0; i < from.len; i++) {
        if (!is_name_char(from.ptr[i])) {
            whole = whole && from.ptr[i] <= ' ';
            continue;
        }
        if (n == max) {
            whole = false;
            break;
        }
        to[n++] = upper(from.ptr[i]);
    }
    to[n] = '\0';
    *len = (uint8_t)n;
    return whole;
}

bool pl_object_name_parse(struct pl_slice text, const char *default_name, const char *default_ext,
                          struct pl_object_name *out)
{
    *out = (struct pl_object_name){0};
    text = pl_slice_trim(text);
    if (text.len >= 2 && text.ptr[1] == ':') {
        out->drive = upper(text.ptr[0]);
        text = pl_slice_sub(text, 2, text.len);
    }
    // The last dot parts name and extension, so that a name with a dot in it keeps its end.
    size_t dot = text.len;
    while (dot > 0 && text.ptr[dot - 1] != '.')
        dot--;
    struct pl_slice name = dot > 0 ? pl_slice_sub(text, 0, dot - 1) : text;
    struct pl_slice ext = dot > 0 ? pl_slice_sub(text, dot, text.len) : pl_slice_make(text.ptr, 0);
    bool whole = copy_part(name, out->name, &out->name_len, PL_STORE_NAME_MAX);
    whole = copy_part(ext, out->ext, &out->ext_len, PL_STORE_EXT_MAX) && whole;
    if (out->name_len == 0)
        copy_part(pl_slice_cstr(default_name), out->name, &out->name_len, PL_STORE_NAME_MAX);
    if (out->ext_len == 0)
        copy_part(pl_slice_cstr(default_ext), out->ext, &out->ext_len, PL_STORE_EXT_MAX);
    return whole;
}

size_t pl_object_name_format(const struct pl_object_name *name, char out[PL_OBJECT_NAME_TEXT_MAX])
{
    size_t n = 0;
    if (name->drive) {
        out[n++] = name->drive;
        out[n++] = ':';
    }
    memcpy(out + n, name->name, name->name_len);
    n += name->name_len;
    if (name->ext_len > 0) {
        out[n++] = '.';
        memcpy(out + n, name->ext, name->ext_len);
        n += name->ext_len;
    }
    out[n] = '\0';
    return n;
}

bool pl_object_name_has_wildcard(const struct pl_object_name *name)
{
    return memchr(name->name, '*', name->name_len) || memchr(name->name, '?', name->name_len) ||
           memchr(name->ext, '*', name->ext_len) || memchr(name->ext, '?', name->ext_len);
}

// Greedy matching with one point to come back to: no recursion, at most pattern x text steps.
static bool matches(const char *pattern, const char *text)
{
    const char *star = NULL, *resume = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            resume = text;
        } else if (*pattern == '?' || *pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++resume;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

bool pl_object_name_matches(const struct pl_object_name *pattern, const struct pl_object_name *name)
{
    if (pattern->drive && pattern->drive != '*' && pattern->drive != name->drive)
        return false;
    return matches(pattern->name, name->name) && matches(pattern->ext, name->ext);
}
