// Ids as names of files, and the other way round.
#include "batch/names.h"

#include <stdio.h>

#include "base/hash.h"

bool pl_id_usable(struct pl_slice id)
{
    if (id.len == 0 || id.len > PL_ID_MAX)
        return false;
    for (size_t i = 0; i < id.len; i++) {
        if (id.ptr[i] < 0x20 || id.ptr[i] == 0x7F)
            return false;
    }
    return true;
}

// What systems of files or the names of labels need for themselves, and what marks it.
static bool is_escaped(uint8_t c, size_t place)
{
    return c < 0x20 || c == 0x7F || (c == '.' && place == 0) || memchr("/\\:*?\"<>|%+", c, 11) != NULL;
}

void pl_file_name(struct pl_slice id, struct pl_buf *out)
{
    size_t start = out->len;
    for (size_t i = 0; i < id.len; i++) {
        if (is_escaped(id.ptr[i], i))
            pl_buf_printf(out, "%%%02X", id.ptr[i]);
        else
            pl_buf_append_byte(out, id.ptr[i]);
    }
    // Names of files end at 255 bytes, with all that stands behind the id.
    if (out->len - start > PL_ID_MAX) {
        out->len = start + PL_ID_MAX - 18;
        pl_buf_printf(out, "%%%%%016llx", (unsigned long long)pl_hash_fnv1a(id));
    }
}

void pl_label_file_name(struct pl_slice id, uint32_t index, uint32_t count, struct pl_buf *out)
{
    pl_file_name(id, out);
    if (count > 1)
        pl_buf_printf(out, "+%0*u", snprintf(NULL, 0, "%u", count), index + 1);
}

struct pl_slice pl_file_id(struct pl_slice path)
{
    size_t start = path.len, end = path.len;
    while (start > 0 && path.ptr[start - 1] != '/' && path.ptr[start - 1] != '\\')
        start--;
    for (size_t i = path.len; i > start + 1; i--) {
        if (path.ptr[i - 1] == '.') {
            end = i - 1;
            break;
        }
    }
    return pl_slice_sub(path, start, end - start);
}

bool pl_file_hidden(struct pl_slice path)
{
    static const char MAC[] = "__MACOSX/";
    size_t start = path.len;
    while (start > 0 && path.ptr[start - 1] != '/' && path.ptr[start - 1] != '\\')
        start--;
    return (start < path.len && path.ptr[start] == '.') ||
           (path.len >= sizeof MAC - 1 && memcmp(path.ptr, MAC, sizeof MAC - 1) == 0);
}
