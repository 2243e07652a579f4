// A C++ program with libplaten: renders a label of its own and prints how many bytes its PNG has.
#include <platen/platen.h>

#include <cstdio>
#include <cstring>

int main()
{
    static const char zpl[] = "^XA^FO50,50^A0N,40^FDC++^FS^XZ";
    platen_error err = {};
    platen_engine *engine = nullptr;
    platen_worker *worker = nullptr;
    platen_document *document = nullptr;
    const platen_page *page = nullptr;
    platen_engine_options engine_options = {};
    platen_options options = {};
    platen_cancel cancel = {};
    engine_options.size = sizeof engine_options;
    options.size = sizeof options;
    options.cancel = &cancel;
    if (platen_engine_new(&engine_options, &engine, &err) != PLATEN_OK ||
        platen_worker_new(engine, &worker, &err) != PLATEN_OK ||
        platen_parse(worker, zpl, std::strlen(zpl), &options, &document, &err) != PLATEN_OK) {
        std::fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    std::printf("%u label, version %s\n", platen_label_count(document), platen_version());
    platen_cancel_set(&cancel);
    if (platen_draw(worker, document, 0, &page, &err) != PLATEN_E_CANCELLED) {
        std::fprintf(stderr, "platen_cancel_set does not cancel\n");
        return 1;
    }
    platen_document_free(document);
    platen_worker_free(worker);
    platen_engine_free(engine);
    return 0;
}
