// Label code of arbitrary bytes is written anew in every way: it ends, and formatting it twice changes nothing. The
// first byte chooses what is done.
#include <stdlib.h>
#include <string.h>

#include "../../unit/guard_page.h"
#include "platen/platen.h"

static struct platen_engine *engine;
static struct platen_worker *worker;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    struct platen_engine_options options =
        PLATEN_ENGINE_OPTIONS(.labels = 20, .decoded_graphics = 1 << 20, .stored_bytes = 1 << 20,
                              .arena_bytes = 32 << 20, .elements_per_label = 300, .diagnostics = 50);
    if (platen_engine_new(&options, &engine, NULL) != PLATEN_OK ||
        platen_worker_new(engine, &worker, NULL) != PLATEN_OK)
        abort();
    return 0;
}

static void format_twice(const struct platen_rewritten *first)
{
    size_t size, again_size;
    struct platen_rewritten *second;
    const char *code = platen_rewritten_code(first, &size);
    if (platen_rewrite(worker, code, size, NULL, &second, NULL) != PLATEN_OK)
        return;
    const char *again = platen_rewritten_code(second, &again_size);
    if (again_size != size || memcmp(code, again, size) != 0)
        abort();
    platen_rewritten_free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct guard_page guard;
    data = size > 0 ? guard_page_put(&guard, data, size) : NULL;
    if (!data)
        return 0;
    uint8_t how = data[0];
    data++;
    size--;
    struct platen_rewrite_options options =
        PLATEN_REWRITE_OPTIONS(.width_mm = 30, .height_mm = 25, .layout = how & 1 ? PLATEN_LAYOUT_COMPACT : 0);
    options.graphics = (enum platen_graphic_coding)((how >> 1) % 5);
    options.target_dpmm = how & 16 ? 12 : 0;
    options.rotation = (how >> 6) * 90u;
    size_t half = size;
    if (how & 32) {
        const uint8_t *split = size ? memchr(data, 0, size) : NULL;
        half = split ? (size_t)(split - data) : size / 2;
        options.rows = data + half;
        options.rows_size = size - half;
    }
    // Another language goes with none of the others.
    if (how & 8 && !(how & (16 | 32 | 128 | 64)))
        options.to_language = (enum platen_language)(1 + (how >> 1) % 3);
    struct platen_rewritten *out;
    enum platen_status status = platen_rewrite(worker, data, half, &options, &out, NULL);
    if (status == PLATEN_E_BUG)
        abort();
    if (status == PLATEN_OK && how == 0)
        format_twice(out);
    platen_rewritten_free(status == PLATEN_OK ? out : NULL);
    struct platen_buffer words = {0};
    platen_explain(worker, data, half, 8, how & 1 ? PLATEN_TABLE_JSON : PLATEN_TABLE_TEXT, &words, NULL);
    platen_buffer_free(&words);
    return 0;
}
