// A small limit of memory: whether a label is drawn depends on the label, not on those that its worker drew before.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "platen/platen.h"
#include "unit.h"

#define MOST ((size_t)4 << 20)

static void put(char *code, size_t *len, const char *fmt, ...) PL_PRINTF(3, 4);
static void put(char *code, size_t *len, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(code + *len, MOST - *len, fmt, args);
    va_end(args);
    assert_true(n > 0 && (size_t)n < MOST - *len);
    *len += (size_t)n;
}

// Labels that need much memory for different things: pictures, tall pages, many and large texts in several fonts, and
// characters whose font stays open for the next label.
static char *make(unsigned kind, size_t *len)
{
    char *code = malloc(MOST);
    assert_non_null(code);
    *len = 0;
    put(code, len, "^XA");
    unsigned n = kind / 4 + 1;
    switch (kind % 4) {
    case 0:
        put(code, len, "^FO0,0^GFA,%u,%u,200,", n * 150000, n * 150000);
        memset(code + *len, 'A', n * 300000);
        *len += n * 300000;
        put(code, len, "^FS");
        break;
    case 1:
        put(code, len, "^LL%u^PW2400^FO50,50^A0N,%u,400^FDHello^FS", n * 4000, n * 1000);
        put(code, len, "^FO100,%u^GB500,200,100^FS", n * 4000 - 300);
        break;
    case 2:
        put(code, len, "^CI28^FO50,50^A0N,%u^FD\u4F60\u597D\u4E16\u754C^FS", n * 30);
        break;
    default:
        for (unsigned i = 0; i < n * 25; i++)
            put(code, len, "^FO%u,10^A%cN,%u^FDTexts of large size^FS", i * 10, "0AP"[i % 3], 100 + i * 3);
    }
    put(code, len, "^XZ");
    return code;
}

static bool is_drawn(struct platen_worker *worker, const char *code, size_t len, bool grey)
{
    struct platen_options options =
        PLATEN_OPTIONS(.dpmm = 24, .fit_size = true, .quality = grey ? PLATEN_GRAYSCALE : PLATEN_BITONAL);
    struct platen_document *document;
    const struct platen_page *page;
    struct platen_error err;
    enum platen_status status = platen_parse(worker, code, len, &options, &document, &err);
    if (status == PLATEN_OK)
        status = platen_draw(worker, document, 0, &page, &err);
    struct platen_buffer out = {0};
    if (status == PLATEN_OK)
        status = platen_encode(worker, page, PLATEN_PNG, NULL, &out, &err);
    if (status == PLATEN_OK)
        status = platen_pdf_part(worker, page, &out, &err);
    platen_buffer_free(&out);
    assert_true(status == PLATEN_OK || status == PLATEN_E_MEMORY);
    platen_document_free(document);
    return status == PLATEN_OK;
}

static void a_verdict_is_that_of_the_label_alone(void **state)
{
    (void)state;
    enum { KINDS = 16 };
    char *code[KINDS];
    size_t len[KINDS];
    unsigned drawn = 0, refused = 0;
    for (unsigned i = 0; i < KINDS; i++)
        code[i] = make(i, &len[i]);
    for (size_t limit = (size_t)1536 << 10; limit <= (size_t)4 << 20; limit += (size_t)640 << 10) {
        struct platen_engine_options limits = PLATEN_ENGINE_OPTIONS(.arena_bytes = limit);
        struct platen_engine *engine;
        struct platen_worker *worker;
        bool alone[KINDS];
        assert_int_equal(platen_engine_new(&limits, &engine, NULL), PLATEN_OK);
        for (unsigned i = 0; i < KINDS; i++) {
            assert_int_equal(platen_worker_new(engine, &worker, NULL), PLATEN_OK);
            alone[i] = is_drawn(worker, code[i], len[i], i % 2);
            *(alone[i] ? &drawn : &refused) += 1;
            platen_worker_free(worker);
        }
        // In many orders, each behind a longer past.
        assert_int_equal(platen_worker_new(engine, &worker, NULL), PLATEN_OK);
        for (unsigned i = 0; i < KINDS * 6; i++) {
            unsigned at = i % 2 ? i / 2 % KINDS : i / 2 / KINDS + i / 2 % KINDS;
            at %= KINDS;
            if (is_drawn(worker, code[at], len[at], at % 2) != alone[at])
                fail_msg("label %u of the limit %zu is %s alone, but not as number %u", at, limit,
                         alone[at] ? "drawn" : "refused", i);
        }
        platen_worker_free(worker);
        platen_engine_free(engine);
    }
    assert_true(drawn > 9 && refused > 9); // the limits are between the needs
    for (unsigned i = 0; i < KINDS; i++)
        free(code[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_verdict_is_that_of_the_label_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
