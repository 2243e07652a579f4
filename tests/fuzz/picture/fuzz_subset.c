// Fuzz target: fonts of arbitrary bytes to label code, whole and in part.
#include <stdlib.h>

#include "../../unit/guard_page.h"
#include "platen/platen.h"

static struct platen_engine *engine;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    if (platen_engine_new(NULL, &engine, NULL) != PLATEN_OK)
        abort();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct guard_page guard;
    struct platen_buffer out = {0};
    const struct platen_font_options part = PLATEN_FONT_OPTIONS(.chars = "AZ", .unicodes = "0030-0039");
    data = guard_page_put(&guard, data, size);
    if (!data)
        return 0;
    if (platen_font_code(engine, data, size, size % 4 ? &part : NULL, &out, NULL) == PLATEN_E_BUG)
        abort();
    platen_buffer_free(&out);
    return 0;
}
