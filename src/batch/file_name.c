// Ids as names of files, and the other way round.
#include "batch/names.h"

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

void pl_file_name(struct pl_slice id, struct pl_buf *out)
{
    for (size_t i = 0; i < id.len && i < PL_ID_MAX; i++) {
        uint8_t c = id.ptr[i];
        bool bad = c < 0x20 || c == 0x7F || c == '/' || c == '\\' || c == ':' || (c == '.' && i == 0);
        pl_buf_append_byte(out, bad ? '_' : c);
    }
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
