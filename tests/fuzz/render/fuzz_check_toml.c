// Fuzz target: the reader of settings ends on every text, stays within it, and its texts are whole.
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "checking/check_toml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    // Memory of its own, so that a byte too far is seen.
    uint8_t *own = malloc(size ? size : 1);
    if (!own)
        return 0;
    if (size)
        memcpy(own, data, size);
    struct toml_reader reader;
    toml_init(&reader, pl_slice_make(own, size));
    for (size_t events = 0;; events++) {
        enum toml_event event = toml_next(&reader);
        if (event == TOML_END || event == TOML_BAD) {
            if (event == TOML_BAD && (!reader.mistake || reader.line == 0 || reader.column == 0))
                abort();
            break;
        }
        if (events > size || reader.at > size || strlen(reader.key) >= TOML_KEY_MAX)
            abort();
        if ((event == TOML_STRING || event == TOML_ITEM) && !pl_utf8_valid(pl_slice_cstr(reader.text)))
            abort();
    }
    free(own);
    return 0;
}
