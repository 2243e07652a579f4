// The calls of the public header in any order, as a binding may make them: objects that are ended in any order, NULL,
// sizes and enums out of range, another worker's page, threads, cancelling, allocations that fail. Nothing crashes, and
// each call keeps its word: no result with a failure, an error with a sentence, none with PLATEN_OK. What the header
// forbids (the use of what has ended) is not done. With LC_ALL set, in that locale.
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "calls_held.h"

static void make_engine(void)
{
    struct platen_engine **at = &held.engines[pick(ENGINES)];
    platen_engine_free(*at);
    struct platen_engine_options o =
        PLATEN_ENGINE_OPTIONS(.labels = (uint32_t)number(), .arena_bytes = chance(2) ? 4 << 20 : 0,
                              .elements_per_label = 1 + pick(99), .diagnostics = pick(9), .font_at = no_font,
                              .reserved = chance(9), .copies = (uint32_t)number(), .dots_per_label = 1000000,
                              .decoded_graphics = 1 << 20, .stored_bytes = (size_t)1 << pick(20));
    struct platen_error *e = error_or_null();
    void *options = sized(&o, sizeof o);
    MADE(platen_engine_new(options, at, e), e, *at);
    free(options);
}

static struct platen_options parse_options(void)
{
    struct platen_options o = PLATEN_OPTIONS(.width_mm = chance(4) ? real() : 30, .height_mm = chance(4) ? real() : 20);
    o.dpmm = chance(4) ? real() : 0;
    o.quality = (enum platen_quality)small(1);
    o.profile = (enum platen_profile)small(1);
    o.rotation = chance(4) ? (uint32_t)number() : 90 * pick(4);
    o.fit_size = chance(4);
    o.collapse_copies = chance(2);
    o.has_time = chance(2);
    o.time = (int64_t)number();
    o.want_elements = !chance(3);
    o.verify = o.want_elements ? chance(3) : chance(20);
    o.rules = chance(3) ? word() : NULL;
    o.min_module_mm = chance(5) ? real() : 0;
    o.after = chance(3) ? any_document() : NULL;
    o.cancel = chance(2) ? &held.cancel : NULL;
    o.deadline_ns = chance(30) ? number() : 0;
    o.linter = chance(3);
    o.copy_input = chance(2);
    o.language = (enum platen_language)(chance(3) ? small(4) : 0);
    o.printer_model = chance(4) ? word() : NULL;
    o.reserved[1] = chance(60);
    return o;
}

static void parse(void)
{
    struct held_worker *w = any_worker();
    struct platen_options o = parse_options();
    void *options = sized(&o, sizeof o);
    size_t size;
    void *code = label_code(&size);
    struct platen_document *document;
    struct platen_error *e = error_or_null();
    platen_cancel_clear(&held.cancel);
    enum platen_status status = MADE(platen_parse(w->worker, code, size, options, &document, e), e, document);
    if (status == PLATEN_OK) {
        w->own = document;
        if (w->page_of == document)
            w->page = NULL;
    }
    bool copied = options && *(size_t *)options > offsetof(struct platen_options, copy_input) && o.copy_input;
    if (status == PLATEN_OK && !copied)
        held.inputs[held.input_count++] = code;
    else
        free(code);
    free(options);
}

static void detach(void)
{
    struct held_worker *w = any_worker();
    struct platen_document **to = &held.documents[pick(DOCUMENTS)], *document = w->own;
    size_t bytes;
    struct platen_error *e = error_or_null();
    enum platen_status status = platen_document_detach(&document, chance(2) ? &bytes : NULL, e);
    kept(status, e, DONE(status));
    if (status != PLATEN_OK)
        return;
    for (unsigned i = 0; i < WORKERS; i++)
        if (held.workers[i].page_of == w->own)
            held.workers[i].page_of = document;
    w->own = NULL;
    end_document(to);
    *to = document;
}

static void draw(void)
{
    struct held_worker *w = any_worker();
    const struct platen_document *document = any_document();
    const struct platen_page *page;
    struct platen_error *e = error_or_null();
    uint32_t index = chance(4) ? (uint32_t)number() : pick(3);
    enum platen_status status = MADE(platen_draw(w->worker, document, index, &page, e), e, page);
    if (status != PLATEN_OK && (!w->worker || !document))
        return; // it has the page that it had
    w->page = page;
    w->page_of = document;
}

static void detach_page(void)
{
    struct held_worker *w = any_worker();
    const struct platen_page **to = &held.pages[pick(PAGES)], *page = chance(4) ? any_page() : w->page, *before = page;
    struct platen_error *e = error_or_null();
    enum platen_status status = platen_page_detach(w->worker, &page, e);
    kept(status, e, DONE(status));
    if (status != PLATEN_OK || page == before)
        return;
    platen_page_free(*to);
    *to = page;
    w->page = chance(2) ? before : NULL; // it is gone, and says so
}

static void use_page(void)
{
    struct held_worker *w = any_worker();
    const struct platen_page *page = any_page();
    struct platen_error *e = error_or_null();
    unsigned what = pick(5);
    enum platen_status status = PLATEN_OK;
    if (what == 0) {
        struct platen_encode_options o = PLATEN_ENCODE_OPTIONS(.jpeg_quality = chance(3) ? (uint32_t)number() : 0,
                                                               .max_width = chance(3) ? (uint32_t)number() : 0);
        void *options = sized(&o, sizeof o);
        status = platen_encode(w->worker, page, (enum platen_format)small(3), options, &held.out, e);
        free(options);
    } else if (what == 1) {
        status = platen_pdf_part(w->worker, page, &held.part, e);
    } else if (what == 2) {
        struct platen_describe_options o = PLATEN_DESCRIBE_OPTIONS(.no_png = chance(2), .no_elements = chance(2));
        void *options = sized(&o, sizeof o);
        status = platen_describe_page(w->worker, any_document(), page, options, &held.out, e);
        free(options);
    } else if (what == 3) {
        unsigned i = pick(SNAPSHOTS);
        end_snapshot(i);
        status = platen_snapshot_new(page, &held.snapshots[i], e);
        kept(status, e, held.snapshots[i]);
    } else {
        look_at_page(page);
        return;
    }
    kept(status, e, DONE(status));
}

static void use_document(void)
{
    struct held_worker *w = any_worker();
    const struct platen_document *document = any_document();
    struct platen_error *e = error_or_null();
    struct platen_describe_options o = PLATEN_DESCRIBE_OPTIONS(.no_png = chance(2), .no_elements = chance(2));
    unsigned what = pick(6);
    enum platen_status status;
    if (what < 3)
        w->page = NULL; // they draw
    if (what == 0) {
        void *options = sized(&o, sizeof o);
        status = platen_describe(w->worker, document, options, &held.out, e);
        free(options);
    } else if (what == 1) {
        status = platen_extract(w->worker, document, (enum platen_table)small(2), &held.out, e);
    } else if (what == 2) {
        status = platen_memory(w->worker, document, (enum platen_memory_part)small(2), &held.out, e);
    } else if (what == 3) {
        status = platen_dump_scene(document, &held.out, e);
    } else if (what == 4) {
        if (document) // it may be of a detached one only while nobody draws
            platen_document_set_deadline((struct platen_document *)(uintptr_t)document, chance(9) ? number() : 0);
        return;
    } else {
        look_at_document(document);
        return;
    }
    kept(status, e, DONE(status));
}

// ---- threads

struct drawer {
    struct platen_worker *worker;
    const struct platen_document *document;
};

static void *draw_on_a_thread(void *arg)
{
    const struct drawer *d = arg;
    struct platen_buffer out = {0};
    for (uint32_t i = 0; i < 3; i++) {
        const struct platen_page *page;
        if (platen_draw(d->worker, d->document, i, &page, NULL) == PLATEN_OK)
            platen_encode(d->worker, page, (enum platen_format)(i % 4), NULL, &out, NULL);
    }
    platen_buffer_free(&out);
    return NULL;
}

static void draw_on_threads(void)
{
    struct drawer drawers[WORKERS];
    pthread_t threads[WORKERS];
    const struct platen_document *document = held.documents[pick(DOCUMENTS)];
    bool cancels = chance(2);
    unsigned count = 0;
    for (unsigned i = 0; i < WORKERS && document; i++) {
        if (!held.workers[i].worker)
            continue;
        held.workers[i].page = NULL;
        drawers[count] = (struct drawer){held.workers[i].worker, document};
        if (pthread_create(&threads[count], NULL, draw_on_a_thread, &drawers[count]) == 0)
            count++;
    }
    if (cancels)
        platen_cancel_set(&held.cancel);
    look_at_document(document);
    for (unsigned i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

static void use_worker(void)
{
    struct held_worker *w = any_worker();
    struct platen_limits limits;
    struct platen_options o = parse_options();
    uint32_t width, height;
    void *options = sized(&o, sizeof o);
    struct platen_error *e = error_or_null();
    enum platen_status status = platen_size_in_dots(any_engine(), options, &width, &height, e);
    kept(status, e, DONE(status));
    free(options);
    platen_engine_limits(any_engine(), &limits);
    platen_engine_object_count(any_engine());
    for (uint32_t i = 0; platen_worker_searched_at(w->worker, i, &width); i++) {
    }
    unsigned what = pick(6);
    if (what == 0)
        platen_worker_trim(w->worker);
    else if (what == 1)
        platen_worker_wipe(w->worker);
    else if (what == 2)
        platen_worker_forget_searched(w->worker);
    else if (what == 3)
        platen_worker_set_cancel(w->worker, chance(2) ? &held.cancel : NULL, chance(9) ? number() : 0);
    else if (what == 4)
        end_worker(w);
    else if (w->own)
        end_document(&w->own);
}

static void end_something(void)
{
    unsigned k = pick(8);
    if (k < DOCUMENTS)
        end_document(&held.documents[k]);
    else if (k < 6)
        end_snapshot(k - 4);
    else if (k == 6)
        (chance(2) ? platen_cancel_set : platen_cancel_clear)(&held.cancel);
    else
        look_at_tables();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    setlocale(LC_ALL, "");
    struct platen_engine_options options =
        PLATEN_ENGINE_OPTIONS(.labels = 20, .decoded_graphics = 1 << 20, .stored_bytes = 1 << 20,
                              .arena_bytes = 32 << 20, .elements_per_label = 300, .dots_per_label = 1000000);
    return platen_engine_new(&options, &lasting, NULL) == PLATEN_OK ? 0 : 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const CALL[])(void) = {
        parse,        parse,        parse,        draw,        draw,         draw,          use_page,
        use_page,     use_page,     detach,       detach_page, use_document, call_pdf,      call_pdf,
        call_compare, call_rewrite, call_graphic, use_worker,  make_engine,  end_something, draw_on_threads};
    choose_from(data, size);
    for (unsigned calls = 0; calls < CALLS && choices_left(); calls++) {
        unsigned call = pick(sizeof CALL / sizeof *CALL);
        starve(chance(6) ? 1 + pick(60) * (chance(2) ? 1 : 9) : 0, chance(2));
        CALL[call]();
        starve(0, false);
    }
    end_all();
    return 0;
}
