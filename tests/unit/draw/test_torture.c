// Memory that fails: every allocation of a render in turn, from the arenas and from the system, gives an error and
// nothing worse; and a warm worker asks the system for nothing at all.
#include <stdlib.h>
#include <string.h>

#include "render/render.h"
#include "starve.h"
#include "unit.h"

static const char LABEL[] =
    "~DGR:A.GRF,8,1,FF818181818181FF^XA^DFR:F.ZPL^FS^FO10,10^FN1^A0N,30,30^FS^XZ^XA^XFR:F.ZPL^FN1^FDrecalled^FS"
    "^FO50,50^A0N,40,30^FDSome text^FS^FO50,90^FR^ADN,36,20^FDdevice^FS^FO50,150^GB100,50,4,B,3^FS"
    "^FO200,50^BY2^BCN,60,Y^FD>;123456^FS^FO50,250^BQN,2,4^FDQA,hello^FS^FO250,250^BXN,4,200^FDdata^FS"
    "^FO400,250^B7N,4,2,4^FDpdf^FS^FO50,400^FB200,3,0,C^A0N,25,25^FDa block of words in three lines^FS"
    "^FO300,400^XGR:A.GRF,3,3^FS^FO400,400^GFA,8,8,1,FF818181818181FF^FS^ISR:P.GRF,N^FS^XZ"
    "^XA^ILR:P.GRF^FS^FO10,600^BEN,60^FD123456789012^FS^PQ2^XZ";

// All labels, in all formats (of a detached document then); whatever fails is the result.
static struct platen_error why;

static enum platen_status render_all(struct platen_worker *worker, enum platen_quality quality, bool all_formats,
                                     struct platen_buffer *bytes)
{
    struct platen_document *document;
    struct platen_options options =
        PLATEN_OPTIONS(.width_mm = 80, .height_mm = 90, .quality = quality, .want_elements = true, .has_time = true);
    enum platen_status status = platen_parse(worker, LABEL, sizeof LABEL - 1, &options, &document, &why);
    if (status != PLATEN_OK)
        return status;
    if (all_formats)
        status = platen_document_detach(&document, NULL, &why);
    for (uint32_t i = 0; i < platen_label_count(document) && status == PLATEN_OK; i++) {
        const struct platen_page *page;
        status = platen_draw(worker, document, i, &page, &why);
        for (int f = PLATEN_PNG; f <= (all_formats ? PLATEN_PDF : PLATEN_PNG) && status == PLATEN_OK; f++)
            status = platen_encode(worker, page, (enum platen_format)f, NULL, bytes, &why);
    }
    platen_document_free(document);
    return status;
}

static void failing_arenas_give_errors(void **state)
{
    (void)state;
    struct platen_engine *engine;
    struct platen_worker *worker;
    struct platen_buffer bytes = {0};
    assert_int_equal(platen_engine_new(NULL, &engine, NULL), PLATEN_OK);
    assert_int_equal(platen_worker_new(engine, &worker, NULL), PLATEN_OK);
    struct pl_arena *arenas[] = {&worker->document_arena, &worker->page_arena, &worker->scratch};
    for (size_t a = 0; a < 3; a++) {
        uint64_t n = 1;
        for (;; n++) {
            arenas[a]->allocations = 0;
            arenas[a]->fail_at = n;
            enum platen_status status = render_all(worker, PLATEN_BITONAL, false, &bytes);
            bool reached = arenas[a]->allocations >= n;
            arenas[a]->fail_at = 0;
            // A diagnostic that finds no memory is only counted, so the render may be whole all the same.
            if (status != PLATEN_OK)
                assert_int_equal(status, PLATEN_E_MEMORY);
            if (!reached)
                break;
            if (n > 200)
                n += n / 40; // the later ones by samples
        }
        assert_true(n > 3);
        assert_int_equal(render_all(worker, PLATEN_BITONAL, false, &bytes), PLATEN_OK);
    }
    platen_buffer_free(&bytes);
    platen_worker_free(worker);
    platen_engine_free(engine);
}

static void failing_system_memory_gives_errors(void **state)
{
    (void)state;
    for (uint64_t n = 1;; n += 1 + n / 30) {
        struct platen_engine *engine;
        struct platen_worker *worker = NULL;
        struct platen_buffer bytes = {0};
        starve(n, true);
        enum platen_status status = platen_engine_new(NULL, &engine, NULL);
        if (status == PLATEN_OK)
            status = platen_worker_new(engine, &worker, NULL);
        if (status == PLATEN_OK)
            status = render_all(worker, n % 2 ? PLATEN_GRAYSCALE : PLATEN_BITONAL, true, &bytes);
        bool reached = starve_count() >= n;
        starve(0, false);
        platen_buffer_free(&bytes);
        platen_worker_free(worker);
        platen_engine_free(engine);
        if (!reached) {
            assert_int_equal(status, PLATEN_OK);
            break;
        }
        if (status != PLATEN_OK && status != PLATEN_E_MEMORY)
            fail_msg("allocation %u: %s", (unsigned)n, why.message);
    }
}

static void a_warm_worker_asks_the_system_for_nothing(void **state)
{
    (void)state;
    struct platen_engine *engine;
    struct platen_worker *worker;
    struct platen_buffer bytes = {0};
    assert_int_equal(platen_engine_new(NULL, &engine, NULL), PLATEN_OK);
    assert_int_equal(platen_worker_new(engine, &worker, NULL), PLATEN_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(render_all(worker, PLATEN_BITONAL, false, &bytes), PLATEN_OK);
    starve(0, false);
    assert_int_equal(render_all(worker, PLATEN_BITONAL, false, &bytes), PLATEN_OK);
    assert_int_equal(starve_count(), 0);
    platen_buffer_free(&bytes);
    platen_worker_free(worker);
    platen_engine_free(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failing_arenas_give_errors),
        cmocka_unit_test(failing_system_memory_gives_errors),
        cmocka_unit_test(a_warm_worker_asks_the_system_for_nothing),
    };
    return cmocka_run_group_tests_name("torture", tests, NULL, NULL);
}
