// The calls of the public header in any order, as a binding may make them: objects that are ended in any order, NULL,
// sizes and enums out of range, another worker's page, threads, cancelling, allocations that fail. Nothing crashes, and
// each call keeps its word: no result with a failure, an error with a sentence, none with PLATEN_OK. What the header
// forbids (the use of what has ended) is not done. With LC_ALL set, in that locale.
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "calls_choice.h"
#include "platen/platen.h"

enum { ENGINES = 2, WORKERS = 3, DOCUMENTS = 4, PAGES = 3, SNAPSHOTS = 3, CALLS = 64 };

struct held_worker {
    struct platen_worker *worker;
    struct platen_document *own; // its document; NULL: none
    const struct platen_page *page;
    const struct platen_document *page_of;
};

static struct {
    struct platen_engine *engines[ENGINES];
    struct held_worker workers[WORKERS];
    struct platen_document *documents[DOCUMENTS]; // detached
    const struct platen_page *pages[PAGES];       // detached
    struct platen_snapshot *snapshots[SNAPSHOTS];
    struct platen_comparison *comparison;
    const struct platen_snapshot *compared[2];
    struct platen_pdf *pdf;
    struct platen_buffer pdf_out, part, out;
    struct platen_rewritten *rewritten;
    struct platen_graphic *graphic;
    struct platen_cancel cancel;
    void *inputs[CALLS]; // label code that documents may point to
    unsigned input_count;
} held;

static struct platen_engine *lasting; // with fonts of the system; making one takes long

// ---- what a call must keep

static struct platen_error err;

static struct platen_error *error_or_null(void)
{
    memset(&err, 0x5A, sizeof err);
    return chance(8) ? NULL : &err;
}

// `at` is what error_or_null gave; `result` what the call should have made (any pointer, if it makes none).
static enum platen_status kept(enum platen_status status, const struct platen_error *at, const void *result)
{
    if (status == PLATEN_E_BUG || (status == PLATEN_OK) != (result != NULL))
        abort();
    if (at && status == PLATEN_OK && (unsigned char)at->message[0] != 0x5A)
        abort();
    if (at && status != PLATEN_OK &&
        (at->status != status || !memchr(at->message, 0, sizeof at->message) || !*at->message))
        abort();
    return status;
}

#define DONE(status) ((status) == PLATEN_OK ? "" : NULL)
// For a call that makes something.
static enum platen_status of_call;
#define MADE(call, at, result) (of_call = (call), kept(of_call, at, result))

// ---- ends

static void end_comparison(void)
{
    platen_comparison_free(held.comparison);
    held.comparison = NULL;
}

static void end_snapshot(unsigned i)
{
    if (held.comparison && (held.compared[0] == held.snapshots[i] || held.compared[1] == held.snapshots[i]))
        end_comparison();
    platen_snapshot_free(held.snapshots[i]);
    held.snapshots[i] = NULL;
}

// Pages that workers have of it may not be used any more.
static void forget_pages_of(const struct platen_document *document)
{
    for (unsigned i = 0; i < WORKERS; i++)
        if (held.workers[i].page_of == document)
            held.workers[i].page = NULL;
}

static void end_document(struct platen_document **document)
{
    forget_pages_of(*document);
    platen_document_free(*document);
    *document = NULL;
}

static void end_worker(struct held_worker *w)
{
    if (w->own)
        forget_pages_of(w->own);
    if (w->own && chance(2))
        platen_document_free(w->own);
    platen_worker_free(w->worker);
    *w = (struct held_worker){0};
}

static void end_pdf(void)
{
    platen_pdf_free(held.pdf);
    held.pdf = NULL;
    platen_buffer_free(&held.pdf_out);
}

// In an order that the input chooses.
static void end_all(void)
{
    for (unsigned left = 0xFFFF; left;) {
        unsigned k = pick(16);
        while (!(left >> k & 1))
            k = (k + 1) % 16;
        left &= ~(1u << k);
        if (k < DOCUMENTS)
            end_document(&held.documents[k]);
        else if (k < 7)
            end_worker(&held.workers[k - 4]);
        else if (k < 10)
            end_snapshot(k - 7);
        else if (k < 13)
            platen_page_free(held.pages[k - 10]);
        else if (k == 13)
            end_pdf();
        else
            platen_engine_free(held.engines[k - 14]);
    }
    platen_rewritten_free(held.rewritten);
    platen_graphic_free(held.graphic);
    platen_buffer_free(&held.part);
    platen_buffer_free(&held.out);
    for (unsigned i = 0; i < held.input_count; i++)
        free(held.inputs[i]);
    memset(&held, 0, sizeof held);
}

// ---- objects to call with

static const struct platen_engine *any_engine(void)
{
    unsigned i = pick(8);
    return i < ENGINES ? held.engines[i] : i == 7 && chance(4) ? NULL : lasting;
}

static struct held_worker *any_worker(void)
{
    struct held_worker *w = &held.workers[pick(WORKERS)];
    if (!w->worker && platen_worker_new(any_engine(), &w->worker, NULL) != PLATEN_OK)
        w->worker = NULL;
    return w;
}

static const struct platen_document *any_document(void)
{
    unsigned i = pick(DOCUMENTS + WORKERS);
    for (unsigned k = 0; k < DOCUMENTS + WORKERS; k++, i = (i + 1) % (DOCUMENTS + WORKERS)) {
        const struct platen_document *d = i < DOCUMENTS ? held.documents[i] : held.workers[i - DOCUMENTS].own;
        if (d || chance(16))
            return d;
    }
    return NULL;
}

static const struct platen_page *any_page(void)
{
    unsigned i = pick(PAGES + WORKERS);
    for (unsigned k = 0; k < PAGES + WORKERS; k++, i = (i + 1) % (PAGES + WORKERS)) {
        const struct platen_page *p = i < PAGES ? held.pages[i] : held.workers[i - PAGES].page;
        if (p || chance(16))
            return p;
    }
    return NULL;
}

// ---- calls

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
    if (status == PLATEN_OK || (w->worker && document))
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

static void compare(void)
{
    struct platen_error *e = error_or_null();
    if (chance(4)) {
        size_t size;
        void *file = chance(2) ? own_copy(held.out.data, size = held.out.size) : picture_file(&size);
        unsigned i = pick(SNAPSHOTS);
        end_snapshot(i);
        MADE(platen_snapshot_of_picture(any_engine(), file, size, &held.snapshots[i], e), e, held.snapshots[i]);
        free(file);
        return;
    }
    struct platen_compare_options o = PLATEN_COMPARE_OPTIONS(.tolerance_dots = number(), .elements = chance(2));
    o.tolerance_percent = chance(3) ? real() : 0;
    o.cancel = chance(3) ? &held.cancel : NULL;
    o.deadline_ns = chance(20) ? number() : 0;
    void *options = sized(&o, sizeof o);
    end_comparison();
    held.compared[0] = held.snapshots[pick(SNAPSHOTS)];
    held.compared[1] = held.snapshots[pick(SNAPSHOTS)];
    MADE(platen_compare(held.compared[0], held.compared[1], options, &held.comparison, e), e, held.comparison);
    free(options);
    look_at_comparison(held.comparison);
    e = error_or_null();
    enum platen_status status = platen_comparison_picture(held.comparison, &held.out, e);
    kept(status, e, DONE(status));
}

static void make_pdf(void)
{
    struct platen_error *e = error_or_null();
    if (!held.pdf || chance(6)) {
        end_pdf();
        MADE(platen_pdf_new(chance(3) ? NULL : word(), &held.pdf_out, &held.pdf, e), e, held.pdf);
        if (chance(3))
            platen_pdf_set_cancel(held.pdf, &held.cancel, chance(20) ? number() : 0);
        return;
    }
    struct platen_pdf_layout l =
        PLATEN_PDF_LAYOUT(.page_width_mm = real(), .page_height_mm = real(), .columns = pick(4));
    l.rows = (uint32_t)number();
    l.margin_mm = chance(3) ? real() : 0;
    l.gap_x_mm = chance(3) ? real() : 0;
    l.across = (enum platen_align)small(3);
    l.border = (enum platen_border)small(2);
    l.first = pick(5);
    l.cut_marks = chance(2);
    l.shrink = chance(2);
    l.archive = chance(2);
    void *layout = sized(&l, sizeof l);
    enum platen_status status = PLATEN_OK;
    switch (pick(6)) {
    case 0:
        status = platen_pdf_set_layout(held.pdf, layout, e);
        break;
    case 1:
        status = platen_pdf_layout_check(layout, real(), real(), e);
        break;
    case 2:
        platen_pdf_take(held.pdf);
        if (chance(2))
            platen_buffer_free(&held.pdf_out);
        break;
    case 3:
        status = platen_pdf_finish(held.pdf, e);
        break;
    default: {
        struct platen_buffer damaged = {own_copy(held.part.data, held.part.size), held.part.size, held.part.size};
        for (unsigned i = chance(4) ? pick(9) : 0; i > 0 && damaged.size > 0; i--)
            damaged.data[number() % damaged.size] = (uint8_t)number();
        damaged.size -= chance(6) && damaged.size > 0 ? number() % damaged.size : 0;
        uint32_t copies = chance(5) ? (uint32_t)number() : pick(4);
        status = platen_pdf_add(held.pdf, &damaged, copies > 70000 && copies < 8388608 ? 9 : copies, e);
        free(damaged.data);
    }
    }
    kept(status, e, DONE(status));
    free(layout);
}

static void rewrite(void)
{
    struct held_worker *w = any_worker();
    size_t size, rows_size, length;
    void *code = label_code(&size), *rows = chance(4) ? label_code(&rows_size) : NULL;
    const char *const TEXT_ROWS = chance(2) ? "[{\"name\":\"Ann\",\"other\":1}]" : "name,other\nAnn,2\n";
    struct platen_rewrite_options o = PLATEN_REWRITE_OPTIONS(.layout = (enum platen_layout)small(1));
    o.graphics = (enum platen_graphic_coding)small(4);
    o.dpmm = chance(4) ? real() : 0;
    o.target_dpmm = chance(3) ? real() : 0;
    o.width_mm = chance(4) ? real() : 0;
    o.rotation = chance(3) ? 90 * pick(5) : 0;
    o.unverified = chance(2);
    o.to_utf8 = chance(4);
    o.fit_size = chance(6);
    o.rows = rows ? rows : chance(3) ? TEXT_ROWS : NULL;
    o.rows_size = rows ? rows_size : o.rows ? strlen(TEXT_ROWS) : chance(9) ? (size_t)number() : 0;
    o.cancel = chance(3) ? &held.cancel : NULL;
    o.deadline_ns = chance(20) ? number() : 0;
    o.language = (enum platen_language)(chance(3) ? small(4) : 0);
    o.to_language = (enum platen_language)(chance(4) ? small(4) : 0);
    void *options = sized(&o, sizeof o);
    struct platen_error *e = error_or_null();
    platen_rewritten_free(held.rewritten);
    MADE(platen_rewrite(w->worker, code, size, options, &held.rewritten, e), e, held.rewritten);
    w->page = NULL;
    struct platen_diagnostic note;
    platen_rewritten_note_at(held.rewritten, (uint32_t)number(), &note);
    if (strlen(platen_rewritten_code(held.rewritten, &length)) > length)
        abort();
    e = error_or_null();
    enum platen_status status =
        platen_explain(w->worker, code, size, chance(2) ? real() : 0, (enum platen_table)small(2), &held.out, e);
    kept(status, e, DONE(status));
    free(options);
    free(rows);
    free(code);
}

static void make_graphic(void)
{
    size_t size;
    void *file = picture_file(&size);
    struct platen_graphic_options o = PLATEN_GRAPHIC_OPTIONS(.dither = (enum platen_dither)small(4));
    o.coding = (enum platen_graphic_coding)small(4);
    o.threshold = chance(3) ? real() : 0;
    o.width_mm = chance(3) ? real() : 0;
    o.height_mm = chance(3) ? real() : 0;
    o.dpmm = chance(3) ? real() : 0;
    o.rotation = chance(3) ? (uint32_t)number() : 90 * pick(4);
    o.x = (uint32_t)number();
    o.invert = chance(2);
    o.trim = chance(2);
    o.exact_fit = chance(2);
    o.stored = chance(2);
    o.bare = chance(2);
    o.name = chance(2) ? word() : NULL;
    o.cancel = chance(3) ? &held.cancel : NULL;
    void *options = sized(&o, sizeof o);
    struct platen_error *e = error_or_null();
    platen_graphic_free(held.graphic);
    MADE(platen_graphic_new(any_engine(), file, size, options, &held.graphic, e), e, held.graphic);
    free(options);
    size_t length;
    struct platen_graphic_info info;
    platen_graphic_info(held.graphic, &info);
    if (strlen(platen_graphic_code(held.graphic, &length)) > length ||
        strlen(platen_graphic_data(held.graphic, NULL)) > length)
        abort();
    platen_graphic_coded_size(held.graphic, (enum platen_graphic_coding)small(4));
    platen_graphic_ink(held.graphic, (uint32_t)number(), (uint32_t)number());
    struct platen_font_options f =
        PLATEN_FONT_OPTIONS(.path = chance(2) ? word() : NULL, .chars = chance(2) ? word() : NULL);
    f.unicodes = chance(2) ? word() : NULL;
    f.letter = (char)number();
    f.notes = chance(2) ? &held.part : NULL;
    options = sized(&f, sizeof f);
    e = error_or_null();
    enum platen_status status = platen_font_code(any_engine(), file, size, options, &held.out, e);
    kept(status, e, DONE(status));
    free(options);
    free(file);
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
        parse,    parse,    parse,        draw,        draw,         draw,          use_page,
        use_page, use_page, detach,       detach_page, use_document, make_pdf,      make_pdf,
        compare,  rewrite,  make_graphic, use_worker,  make_engine,  end_something, draw_on_threads};
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
