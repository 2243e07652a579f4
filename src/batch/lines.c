// Documents as lines: NDJSON.
#include "batch/reader.h"

enum pl_batch_found pl_lines_next(struct pl_lines *reader, struct pl_slice window, bool ended, size_t *used,
                                  struct pl_batch_item *item, struct pl_error *err)
{
    size_t at = 0;
    (void)err;
    for (;;) {
        size_t from = at > reader->scanned ? at : reader->scanned;
        const uint8_t *end = window.len > from ? memchr(window.ptr + from, '\n', window.len - from) : NULL;
        if (!end && !ended) {
            reader->scanned = window.len - at;
            *used = at;
            return PL_BATCH_MORE;
        }
        size_t stop = end ? (size_t)(end - window.ptr) : window.len;
        struct pl_slice line = pl_slice_sub(window, at, stop - at);
        if (!reader->begun && line.len >= 3 && memcmp(line.ptr, "\xEF\xBB\xBF", 3) == 0)
            line = pl_slice_sub(line, 3, line.len);
        reader->begun = true;
        line = pl_slice_trim(line);
        at = end ? stop + 1 : stop;
        reader->scanned = 0;
        *used = at;
        if (line.len > 0) {
            *item = (struct pl_batch_item){.data = line};
            return PL_BATCH_DOCUMENT;
        }
        if (!end)
            return PL_BATCH_END;
    }
}
