// A reader of src/batch fed in pieces: what it finds must not depend on how the bytes arrive.
#ifndef PL_TESTS_ARRIVALS_H
#define PL_TESTS_ARRIVALS_H

#include <stdlib.h>

#include "base/csv.h"
#include "base/hash.h"
#include "batch/reader.h"

enum kind { KIND_LINES, KIND_PARTS, KIND_ZIP, KIND_CSV, KIND_COUNT };

struct found {
    enum pl_batch_found end;
    uint32_t count;
    uint64_t hash;
    char text[4096]; // names and data of the first ones
};

static inline void found_add(struct found *found, struct pl_slice s)
{
    size_t len = strlen(found->text);
    found->hash = found->hash * 31 + pl_hash_fnv1a(s);
    if (len + s.len + 2 < sizeof found->text && (s.len == 0 || !memchr(s.ptr, 0, s.len))) {
        if (s.len > 0)
            memcpy(found->text + len, s.ptr, s.len);
        memcpy(found->text + len + s.len, "|", 2);
    }
}

// Reads `text`, of which `step` bytes more arrive each time. Behind the window lies memory of nobody.
static inline void arrivals(enum kind kind, const char *boundary, struct pl_slice text, size_t step,
                            struct found *found, struct pl_error *err)
{
    static const enum pl_batch_found FOUND[] = {[PL_CSV_ROW] = PL_BATCH_DOCUMENT,
                                                [PL_CSV_MORE] = PL_BATCH_MORE,
                                                [PL_CSV_END] = PL_BATCH_END,
                                                [PL_CSV_BAD] = PL_BATCH_BAD};
    struct pl_lines lines = {0};
    struct pl_multipart parts;
    struct pl_zip_reader zip;
    struct pl_csv csv;
    size_t begin = 0, have = 0;
    *found = (struct found){.end = PL_BATCH_MORE};
    pl_zip_reader_init(&zip, 1u << 20);
    pl_csv_init(&csv);
    if (kind == KIND_PARTS && !pl_multipart_init(&parts, pl_slice_cstr(boundary)))
        found->end = PL_BATCH_BAD;
    while (found->end != PL_BATCH_END && found->end != PL_BATCH_BAD) {
        size_t len = have - begin, used = 0;
        uint8_t *copy = malloc(len ? len : 1);
        if (!copy)
            abort();
        if (len > 0)
            memcpy(copy, text.ptr + begin, len);
        struct pl_slice window = pl_slice_make(copy, len);
        struct pl_batch_item item = {0};
        bool ended = have == text.len;
        found->end = kind == KIND_LINES   ? pl_lines_next(&lines, window, ended, &used, &item, err)
                     : kind == KIND_PARTS ? pl_parts_next(&parts, window, ended, &used, &item, err)
                     : kind == KIND_ZIP   ? pl_zip_next(&zip, window, ended, &used, &item, err)
                                          : FOUND[pl_csv_next(&csv, window, ended, &used, err)];
        if (used > len || (ended && found->end == PL_BATCH_MORE))
            abort();
        if (found->end == PL_BATCH_DOCUMENT) {
            found->count++;
            found_add(found, item.name);
            if (kind == KIND_CSV) {
                for (uint32_t i = 0; i < csv.count; i++)
                    found_add(found, csv.fields[i]);
            } else {
                found_add(found, item.data);
            }
        } else if (found->end == PL_BATCH_MORE) {
            have = text.len - have < step ? text.len : have + step;
        }
        begin += used;
        free(copy);
    }
    pl_zip_reader_fini(&zip);
    pl_csv_fini(&csv);
}

#endif
