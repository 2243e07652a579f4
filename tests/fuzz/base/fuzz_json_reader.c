// Fuzz target: the strict JSON reader ends on every text, and what it accepts unescapes within its bounds.
#include <stdlib.h>

#include "base/json_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pl_json_reader reader;
    pl_json_reader_init(&reader, pl_slice_make(data, size));
    for (;;) {
        enum pl_json_event event = pl_json_next(&reader);
        if (event == PL_JSON_END || event == PL_JSON_BAD)
            return 0;
        if (event == PL_JSON_STRING || event == PL_JSON_KEY) {
            uint8_t *out = malloc(reader.token.len + 1);
            if (out && pl_json_unescape(reader.token, out) > reader.token.len)
                abort();
            free(out);
        }
    }
}
