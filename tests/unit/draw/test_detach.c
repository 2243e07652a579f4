// Documents that are detached from the worker that parsed them, and PDFs that are taken piece by piece.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/job.h"
#include "engine_fixture.h"
#include "font/draw/writer.h"
#include "render/render.h"
#include "unit.h"

// A graphic, a stored format, a saved picture, a font and findings: all that a document can hold.
static const char LABELS[] =
    "~DGR:A.GRF,8,1,FF818181818181FF"
    "~DBR:TIMES.FNT,26,36,22,10,2,XYZ,#0025.5.16.2.5.18. 00FF 00FF FF00 FF00 FFFF "
    "#0037.4.24.3.6.26. 00FF00 0F00F0 0F00F0 00FF00"
    "^XA^DFR:F.ZPL^FS^FO10,10^FN1^A0N,30,30^FS^XZ"
    "^XA^XFR:F.ZPL^FN1^FDrecalled^FS^FO50,50^A@N,,,R:TIMES.FNT^FD%7%7^FS^FO50,90^FR^ADN,36,20^FDdevice^FS"
    "^FO200,50^BY2^BCN,60,Y^FD>;123456^FS^FO300,400^XGR:A.GRF,3,3^FS^ISR:P.GRF,Y^FS^XZ"
    "^XA^ILR:P.GRF^FS^FO10,600^BEN,60^FD123456789012^FS^FO50,650^A@N,,,R:TIMES.FNT^FD7%7^FS^QQ^PQ2^XZ"
    "^XA^FO20,20^A0N,60,50^FDThird^FS^FO20,100^A0N,300,200^FDwider than the label is^FS^XZ";

static const char OTHER[] =
    "~DGR:A.GRF,8,1,0000000000000000^XA^FO9,9^A0N,90,70^FDother text^FS^FO300,400^XGR:A.GRF^FS^XZ";

static const struct platen_options OPTIONS =
    PLATEN_OPTIONS(.width_mm = 80, .height_mm = 90, .want_elements = true, .has_time = true);

static struct platen_document *parse(struct platen_worker *with, const char *zpl)
{
    struct platen_document *document;
    struct platen_error err;
    if (platen_parse(with, zpl, strlen(zpl), &OPTIONS, &document, &err) != PLATEN_OK)
        fail_msg("%s", err.message);
    return document;
}

static void detach(struct platen_document **document, size_t *bytes)
{
    struct platen_error err;
    if (platen_document_detach(document, bytes, &err) != PLATEN_OK)
        fail_msg("%s", err.message);
}

static void png(struct platen_worker *with, const struct platen_document *document, uint32_t label,
                struct platen_buffer *out)
{
    const struct platen_page *page;
    struct platen_error err;
    if (platen_draw(with, document, label, &page, &err) != PLATEN_OK ||
        platen_encode(with, page, PLATEN_PNG, NULL, out, &err) != PLATEN_OK)
        fail_msg("%s", err.message);
}

static void assert_same(const struct platen_buffer *a, const struct platen_buffer *b)
{
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->data, b->data, a->size);
}

#define COUNT 3
static struct platen_buffer wanted[COUNT]; // of a document that stays with its worker

static int set_up(void **state)
{
    if (engine_set_up(state) != 0)
        return 1;
    struct platen_document *d = parse(worker, LABELS);
    assert_int_equal(platen_label_count(d), COUNT);
    for (uint32_t i = 0; i < COUNT; i++)
        png(worker, d, i, &wanted[i]);
    platen_document_free(d);
    return 0;
}

static int tear_down(void **state)
{
    for (uint32_t i = 0; i < COUNT; i++)
        platen_buffer_free(&wanted[i]);
    return engine_tear_down(state);
}

static void a_detached_document_leaves_its_worker_free(void **state)
{
    (void)state;
    struct platen_worker *second;
    struct platen_buffer bytes = {0}, other = {0};
    assert_int_equal(platen_worker_new(engine, &second, NULL), PLATEN_OK);
    struct platen_document *d = parse(worker, LABELS);
    uint32_t findings = platen_diagnostic_count(d);
    assert_true(findings > 0);
    png(worker, d, 0, &bytes);
    assert_int_equal(worker->writer->faces.job_face_count, 1); // the font of this document is open
    size_t size = 0, again = 0;
    detach(&d, &size);
    assert_int_equal(worker->writer->faces.job_face_count, 0);
    assert_in_range(size, 1000, 1 << 20);
    // The same worker parses and draws others meanwhile, which would write over memory that is still its own.
    for (int round = 0; round < 3; round++) {
        struct platen_document *o = parse(worker, OTHER);
        png(worker, o, 0, &other);
        for (uint32_t i = 0; i < COUNT; i++) {
            png(i % 2 ? worker : second, d, i, &bytes);
            assert_same(&bytes, &wanted[i]);
        }
        png(worker, o, 0, &other);
        platen_document_free(o);
        // No font of a document stays in a worker that has turned to others, or is told to let go.
        assert_int_equal(worker->writer->faces.job_face_count, 0);
        platen_worker_trim(second);
        assert_int_equal(second->writer->faces.job_face_count, 0);
    }
    assert_int_equal(platen_diagnostic_count(d), findings);
    for (uint32_t i = 0; i < findings; i++) {
        struct platen_diagnostic found;
        assert_true(platen_diagnostic_at(d, i, &found));
        assert_true(strlen(found.message) > 5);
    }
    assert_int_equal(platen_page_count(d), COUNT + 1);
    struct platen_document *before = d;
    detach(&d, &again); // once more: nothing to do
    assert_ptr_equal(d, before);
    assert_int_equal(again, size);
    // Its worker may even end first.
    platen_worker_free(second);
    assert_int_equal(platen_worker_new(engine, &second, NULL), PLATEN_OK);
    struct platen_document *e = parse(second, LABELS);
    detach(&e, NULL);
    platen_worker_free(second);
    png(worker, e, 1, &bytes);
    assert_same(&bytes, &wanted[1]);
    platen_document_free(e);
    platen_document_free(d);
    platen_buffer_free(&bytes);
    platen_buffer_free(&other);
}

static uint32_t open_fonts(const struct platen_worker *of)
{
    return of->writer->faces.job_face_count;
}

static void a_font_stays_open_between_labels_of_a_document_that_another_worker_parsed(void **state)
{
    (void)state;
    struct platen_worker *second;
    struct platen_buffer bytes = {0};
    assert_int_equal(platen_worker_new(engine, &second, NULL), PLATEN_OK);
    struct platen_document *d = parse(worker, LABELS);
    png(second, d, 0, &bytes);
    assert_int_equal(open_fonts(second), 1);
    const struct pl_face *face = second->writer->faces.job_faces[0];
    png(second, d, 1, &bytes);
    assert_same(&bytes, &wanted[1]);
    assert_int_equal(open_fonts(second), 1);
    assert_ptr_equal(second->writer->faces.job_faces[0], face);
    // The worker's own label code comes after it.
    struct platen_document *own = parse(second, OTHER);
    assert_int_equal(open_fonts(second), 0);
    png(second, d, 0, &bytes);
    platen_document_free(own);
    assert_int_equal(open_fonts(second), 0);
    // A document at the same address with other fonts of the same name; the first one's memory is gone meanwhile.
    png(second, d, 0, &bytes);
    platen_document_free(d);
    struct platen_document *next = parse(worker, LABELS);
    assert_ptr_equal(next, d);
    for (uint32_t i = 0; i < COUNT; i++) {
        png(second, next, i, &bytes);
        assert_same(&bytes, &wanted[i]);
        assert_int_equal(open_fonts(second), 1);
    }
    // Trimmed while the document lives, a worker opens its fonts again; its own document's stay open.
    platen_worker_trim(second);
    assert_int_equal(open_fonts(second), 0);
    png(second, next, 0, &bytes);
    assert_same(&bytes, &wanted[0]);
    png(worker, next, 0, &bytes);
    platen_worker_trim(worker);
    assert_int_equal(open_fonts(worker), 1);
    platen_document_free(next);
    platen_worker_free(second);
    platen_buffer_free(&bytes);
}

static void count_given_up(void *context, uint64_t face_key)
{
    (void)face_key;
    ++*(uint32_t *)context;
}

// Once, what came after the 64th font of a document was drawn in another font, unless another worker drew it.
static void more_fonts_than_are_open_at_a_time_draw_alike(void **state)
{
    (void)state;
    enum { FONTS = PL_MAX_JOB_FACES + 6 };
    struct pl_buf zpl;
    struct platen_buffer alone = {0}, after_others = {0};
    pl_buf_init(&zpl, 1 << 20);
    for (int i = 0; i < FONTS; i++)
        pl_buf_printf(&zpl, "~DBR:F%d.FNT,26,36,22,10,1,XYZ,#0025.5.16.2.5.18. %02XFF 00FF FF00 FF00 FFFF\n", i, i);
    for (int i = 0; i < FONTS; i++) // on the last labels the fonts of the first ones once more
        pl_buf_printf(&zpl, "^XA^FO50,50^A@N,,,R:F%d.FNT^FD%%%%^FS^FO50,99^A@N,,,R:F%d.FNT^FD%%^FS^XZ", i,
                      FONTS - 1 - i);
    pl_buf_append_byte(&zpl, 0);
    assert_false(zpl.failed);
    struct platen_document *d = parse(worker, (const char *)zpl.data);
    assert_int_equal(platen_label_count(d), FONTS);
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < FONTS; i++) {
            struct platen_worker *fresh;
            const struct platen_page *page;
            assert_int_equal(platen_draw(worker, d, i, &page, NULL), PLATEN_OK);
            assert_int_equal(platen_page_diagnostic_count(page), 0);
            assert_int_equal(platen_encode(worker, page, PLATEN_PNG, NULL, &after_others, NULL), PLATEN_OK);
            assert_int_equal(platen_worker_new(engine, &fresh, NULL), PLATEN_OK);
            png(fresh, d, i, &alone);
            platen_worker_free(fresh);
            assert_same(&after_others, &alone);
        }
    }
    assert_int_equal(open_fonts(worker), PL_MAX_JOB_FACES);
    // The glyph cache is told of each font that gives up its place: at the end of the document nothing may be left.
    struct platen_worker *own;
    uint32_t given_up = 0;
    assert_int_equal(platen_worker_new(engine, &own, NULL), PLATEN_OK);
    assert_ptr_equal(own->writer->faces.giving_up_context, own->writer->cache);
    own->writer->faces.giving_up = count_given_up;
    own->writer->faces.giving_up_context = &given_up;
    for (uint32_t i = 0; i < FONTS / 2; i++) {
        const struct platen_page *page;
        assert_int_equal(platen_draw(own, d, i, &page, NULL), PLATEN_OK);
    }
    assert_int_equal(given_up, FONTS - PL_MAX_JOB_FACES);
    platen_worker_free(own);
    platen_document_free(d);
    pl_buf_fini(&zpl);
    platen_buffer_free(&alone);
    platen_buffer_free(&after_others);
}

struct share {
    struct platen_document *document;
    struct platen_buffer pages[COUNT];
    bool last; // frees the document
};

static void *draw_and_free(void *arg)
{
    struct share *share = arg;
    struct platen_worker *own;
    if (platen_worker_new(engine, &own, NULL) != PLATEN_OK)
        return "no worker";
    for (uint32_t i = 0; i < COUNT; i++) {
        const struct platen_page *page;
        if (platen_draw(own, share->document, i, &page, NULL) != PLATEN_OK ||
            platen_encode(own, page, PLATEN_PNG, NULL, &share->pages[i], NULL) != PLATEN_OK)
            return "failed";
    }
    platen_worker_free(own);
    if (share->last)
        platen_document_free(share->document);
    return NULL;
}

static void a_detached_document_is_drawn_and_freed_on_other_threads(void **state)
{
    (void)state;
    struct platen_document *d = parse(worker, LABELS);
    detach(&d, NULL);
    struct share shares[3] = {{.document = d}, {.document = d}, {.document = d, .last = true}};
    pthread_t threads[2];
    struct platen_document *o = parse(worker, OTHER);
    struct platen_buffer bytes = {0};
    void *result;
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, draw_and_free, &shares[i]), 0);
    png(worker, o, 0, &bytes);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], &result);
        assert_null(result);
    }
    assert_int_equal(pthread_create(&threads[0], NULL, draw_and_free, &shares[2]), 0);
    pthread_join(threads[0], &result);
    assert_null(result);
    for (int i = 0; i < 3; i++) {
        for (uint32_t k = 0; k < COUNT; k++) {
            assert_same(&shares[i].pages[k], &wanted[k]);
            platen_buffer_free(&shares[i].pages[k]);
        }
    }
    platen_document_free(o);
    platen_buffer_free(&bytes);
}

static void a_deadline_can_be_moved(void **state)
{
    (void)state;
    const struct platen_page *page;
    struct platen_document *d = parse(worker, LABELS);
    for (int detached = 0; detached < 2; detached++) {
        platen_document_set_deadline(d, 1);
        assert_int_equal(platen_draw(worker, d, 0, &page, NULL), PLATEN_E_DEADLINE);
        platen_document_set_deadline(d, pl_now_ns() + UINT64_C(60000000000));
        assert_int_equal(platen_draw(worker, d, 0, &page, NULL), PLATEN_OK);
        platen_document_set_deadline(d, 0);
        assert_int_equal(platen_draw(worker, d, 0, &page, NULL), PLATEN_OK);
        detach(&d, NULL);
    }
    platen_document_free(d);
}

enum taking { AT_ONCE, TAKEN, TAKEN_AND_FREED };

// The document of all labels, taken after each call or not at all.
static void make_pdf(const struct platen_document *d, enum taking taking, struct platen_buffer *whole)
{
    struct platen_pdf *pdf;
    struct platen_buffer out = {0}, part = {0};
    whole->size = 0;
    for (uint32_t i = 0; i <= COUNT + 1; i++) {
        const struct platen_page *page;
        if (i == 0) {
            assert_int_equal(platen_pdf_new("Labels", &out, &pdf, NULL), PLATEN_OK);
        } else if (i <= COUNT) {
            assert_int_equal(platen_draw(worker, d, i - 1, &page, NULL), PLATEN_OK);
            assert_int_equal(platen_pdf_part(worker, page, &part, NULL), PLATEN_OK);
            assert_int_equal(platen_pdf_add(pdf, &part, i, NULL), PLATEN_OK);
        } else {
            assert_int_equal(platen_pdf_finish(pdf, NULL), PLATEN_OK);
        }
        if (taking == AT_ONCE && i <= COUNT)
            continue;
        assert_true(out.size > 0);
        whole->data = realloc(whole->data, whole->size + out.size);
        assert_non_null(whole->data);
        memcpy(whole->data + whole->size, out.data, out.size);
        whole->size += out.size;
        if (taking == TAKEN_AND_FREED)
            platen_buffer_free(&out);
        platen_pdf_take(pdf);
        assert_int_equal(out.size, 0);
    }
    platen_pdf_free(pdf);
    platen_buffer_free(&out);
    platen_buffer_free(&part);
}

static void a_pdf_taken_in_pieces_is_the_same(void **state)
{
    (void)state;
    struct platen_document *d = parse(worker, LABELS);
    struct platen_buffer whole = {0}, pieces = {0};
    make_pdf(d, AT_ONCE, &whole);
    assert_true(whole.size > 3000);
    make_pdf(d, TAKEN, &pieces);
    assert_same(&whole, &pieces);
    make_pdf(d, TAKEN_AND_FREED, &pieces);
    assert_same(&whole, &pieces);
    platen_buffer_free(&whole);
    platen_buffer_free(&pieces);
    platen_document_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_detached_document_leaves_its_worker_free),
        cmocka_unit_test(a_font_stays_open_between_labels_of_a_document_that_another_worker_parsed),
        cmocka_unit_test(more_fonts_than_are_open_at_a_time_draw_alike),
        cmocka_unit_test(a_detached_document_is_drawn_and_freed_on_other_threads),
        cmocka_unit_test(a_deadline_can_be_moved),
        cmocka_unit_test(a_pdf_taken_in_pieces_is_the_same),
    };
    return cmocka_run_group_tests_name("detach", tests, set_up, tear_down);
}
