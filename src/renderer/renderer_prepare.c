// What the keeper does before renderers are forked: the first label is drawn, and their worker is made.
#include "renderer/renderer.h"

// Libraries look at the processor and the system when they are first used (libdeflate reads a file for that, and is
// slow where it cannot): one label in every format is drawn before renderers are forked and confined. That the label is
// over a limit, which PLATEN_E_INVALID says of dots, is no lack of memory.
static bool is_warm(enum platen_status status)
{
    return status == PLATEN_OK || status == PLATEN_E_LIMIT || status == PLATEN_E_INVALID;
}

static bool warm_up(struct platen_worker *worker)
{
    static const char LABEL[] = "^XA^FO20,20^A0N,30^FDPlaten^FS^FO20,60^BY1^BCN,60^FD12345678^FS^XZ";
    const struct platen_options options =
        PLATEN_OPTIONS(.width_mm = 25, .height_mm = 25, .has_time = true, .want_elements = true, .verify = true);
    struct platen_document *document;
    const struct platen_page *page;
    struct platen_buffer out = {0};
    enum platen_status status = platen_parse(worker, LABEL, sizeof LABEL - 1, &options, &document, NULL);
    if (status != PLATEN_OK)
        return is_warm(status);
    status = platen_draw(worker, document, 0, &page, NULL);
    for (int format = PLATEN_PNG; format <= PLATEN_PDF && status == PLATEN_OK; format++)
        status = platen_encode(worker, page, (enum platen_format)format, NULL, &out, NULL);
    platen_buffer_free(&out);
    platen_document_free(document);
    platen_worker_trim(worker);
    return is_warm(status);
}

bool renderer_prepare(void *user)
{
    struct renderer_plan *plan = user;
    struct platen_worker *first;
    // By a worker of its own: one that was short of memory for a moment may remember a font as missing.
    bool warm = platen_worker_new(plan->engine, &first, NULL) == PLATEN_OK && warm_up(first);
    platen_worker_free(first);
    return warm && platen_worker_new(plan->engine, &plan->worker, NULL) == PLATEN_OK;
}
