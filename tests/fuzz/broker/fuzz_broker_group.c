// Groups of rows that anybody may have written: each row lies in the message, and is the same when it is written again.
#include <stdlib.h>

#include "../../../apps/broker/group.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int ok)
{
    if (!ok)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pl_slice whole = pl_slice_make(data, size), rest = whole;
    struct group_row row, again;
    uint32_t count, read = 0;
    bool usable = group_usable(whole, &count);
    for (size_t before = rest.len; rest.len > 0 && group_next(&rest, &row); before = rest.len) {
        check(rest.len < before && row.id.ptr >= data && row.body.ptr + row.body.len <= data + size);
        read++;
        if (row.type.len + row.ending.len > 100) // its line may be too long then: no program of ours writes it
            continue;
        struct pl_buf text;
        pl_buf_init(&text, SIZE_MAX / 2);
        group_put(&text, &row);
        struct pl_slice copy = pl_buf_slice(&text);
        check(group_next(&copy, &again) && copy.len == 0 && again.sequence == row.sequence && again.ok == row.ok &&
              pl_slice_eq(again.id, row.id) && pl_slice_eq(again.body, row.body) && pl_slice_eq(again.type, row.type));
        pl_buf_fini(&text);
    }
    check(usable == (rest.len == 0 && read > 0 && read <= GROUP_ROWS_MOST));
    return 0;
}
