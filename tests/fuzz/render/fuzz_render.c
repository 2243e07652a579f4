// Whole renders of arbitrary bytes: parse, draw, checks, encode. The first byte chooses how. The bytes end at a page
// that nobody may read.
#include <stdlib.h>

#include "../../unit/guard_page.h"
#include "platen/platen.h"

static struct platen_engine *engine;
static struct platen_worker *worker;
static struct platen_buffer bytes;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    // Small limits: what they guard is tried often, and an execution stays short.
    struct platen_engine_options options =
        PLATEN_ENGINE_OPTIONS(.labels = 20, .decoded_graphics = 1 << 20, .stored_bytes = 1 << 20,
                              .arena_bytes = 32 << 20, .elements_per_label = 300, .diagnostics = 50);
    if (platen_engine_new(&options, &engine, NULL) != PLATEN_OK ||
        platen_worker_new(engine, &worker, NULL) != PLATEN_OK)
        abort();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    static struct guard_page guard;
    data = guard_page_put(&guard, data, size);
    if (!data)
        return 0;
    uint8_t how = data[0];
    struct platen_options options =
        PLATEN_OPTIONS(.width_mm = 30, .height_mm = 25, .dpmm = how & 8 ? 12 : 8,
                       .quality = (how & 3) == 1 ? PLATEN_GRAYSCALE : PLATEN_BITONAL, .rotation = (how >> 6) * 90u,
                       .want_elements = how & 16, .profile = how & 4 ? PLATEN_PRINTER : PLATEN_REFERENCE,
                       .collapse_copies = how & 32, .verify = how & 64, .has_time = true);
    struct platen_document *document;
    enum platen_status status = platen_parse(worker, data + 1, size - 1, &options, &document, NULL);
    if (status == PLATEN_E_BUG)
        abort();
    if (status != PLATEN_OK)
        return 0;
    for (uint32_t i = 0; i < platen_label_count(document); i++) {
        const struct platen_page *page;
        status = platen_draw(worker, document, i, &page, NULL);
        if (status == PLATEN_OK)
            status = platen_encode(worker, page, (how & 3) == 2 ? PLATEN_PDF : PLATEN_PNG, NULL, &bytes, NULL);
        if (status == PLATEN_E_BUG)
            abort();
    }
    platen_document_free(document);
    return 0;
}
