// Hostile inputs of every kind under a short limit: none may hold its thread longer than 100 ms beyond it.
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/job.h"
#include "engine_fixture.h"
#include "render/render.h"
#include "unit.h"

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
enum { GRACE_MS = 1000, THOROUGH = 0 }; // everything takes several times as long
#else
enum { GRACE_MS = 250, THOROUGH = 1 }; // of processor time, which a busy machine makes twice as much of
#endif

static char *zpl;
static size_t length;

static void put(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void put(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    length += (size_t)vsnprintf(zpl + length, (8u << 20) - length, format, args);
    va_end(args);
}

static void repeat(const char *text, size_t times)
{
    size_t n = strlen(text);
    for (size_t i = 0; i < times && length + n < (8u << 20); i++) {
        memcpy(zpl + length, text, n);
        length += n;
    }
}

// Looks at the worker's own time when the deadline comes: others may have the core, so the clock on the wall says
// little.
struct watch {
    pthread_t thread;
    clockid_t clock;
    uint64_t deadline_ns;
    double cpu_ms; // at the deadline
};

static double cpu_ms(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void *watch(void *arg)
{
    struct watch *w = arg;
    struct timespec until = {(time_t)(w->deadline_ns / 1000000000), (long)(w->deadline_ns % 1000000000)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) != 0)
        ;
    w->cpu_ms = cpu_ms(w->clock);
    return NULL;
}

static struct watch watched;

static uint64_t start(int limit_ms)
{
    watched.deadline_ns = pl_now_ns() + UINT64_C(1000000) * (uint64_t)limit_ms;
    assert_int_equal(pthread_getcpuclockid(pthread_self(), &watched.clock), 0);
    assert_int_equal(pthread_create(&watched.thread, NULL, watch, &watched), 0);
    return watched.deadline_ns;
}

enum { TRIES = 3 };

// Whether the thread stopped soon after its deadline. A machine under load may be late once; what is late each time
// fails.
static bool stop(const char *name, const char *stage, int limit_ms, int try)
{
    double end = cpu_ms(watched.clock);
    bool late = pl_now_ns() > watched.deadline_ns;
    pthread_join(watched.thread, NULL);
    double over = late ? end - watched.cpu_ms : 0;
    if (getenv("SHOW_TIMES") && over > 10)
        printf("%-30s %-9s %5d ms: %4.0f ms over\n", name, stage, limit_ms, over);
    if (over > GRACE_MS && try == TRIES)
        fail_msg("%s: %s went on for %.0f ms after a limit of %d ms", name, stage, over, limit_ms);
    return over <= GRACE_MS;
}

struct setting {
    enum platen_quality quality;
    bool large; // 9590 x 9590 dots: near the limit
    bool report;
    enum platen_format format;
    uint32_t rotation;
};

#define LONG_NS UINT64_C(60000000000)

// Parses and draws, each under the limit.
static bool try_within(const char *name, struct setting s, int limit_ms, int try)
{
    struct platen_options options =
        PLATEN_OPTIONS(.quality = s.quality, .want_elements = s.report, .rotation = s.rotation);
    if (s.large) {
        options.width_mm = options.height_mm = 400;
        options.dpmm = 24;
    }
    struct platen_document *d = NULL;
    const struct platen_page *page;
    options.deadline_ns = start(limit_ms);
    enum platen_status status = platen_parse(worker, zpl, length, &options, &d, NULL);
    bool soon = stop(name, "parsing", limit_ms, try);
    if (status == PLATEN_OK && platen_label_count(d) > 0) {
        platen_document_set_deadline(d, start(limit_ms));
        (void)platen_draw(worker, d, 0, &page, NULL);
        soon = stop(name, "drawing", limit_ms, try) && soon;
    }
    platen_document_free(d);
    return soon;
}

static void run_within(const char *name, struct setting s, int limit_ms)
{
    for (int try = 1; try <= TRIES && !try_within(name, s, limit_ms, try); try++)
        ;
}

static void encode_within(const char *name, const struct platen_page *page, enum platen_format format, int limit_ms)
{
    bool soon = false;
    for (int try = 1; try <= TRIES && !soon; try++) {
        struct platen_buffer out = {0};
        ((struct platen_page *)page)->job.deadline_ns = start(limit_ms);
        (void)platen_encode(worker, page, format, NULL, &out, NULL);
        soon = stop(name, "encoding", limit_ms, try);
        platen_buffer_free(&out);
    }
}

static void run(const char *name, struct setting s)
{
    run_within(name, s, 20);
    if (THOROUGH)
        run_within(name, s, 150);
}

static int set_up(void **state)
{
    zpl = malloc(8u << 20);
    return !zpl || engine_set_up(state);
}

static int tear_down(void **state)
{
    free(zpl);
    return engine_tear_down(state);
}

static void begin(const char *head)
{
    length = 0;
    repeat(head, 1);
}

static void embedded_fields(void **state)
{
    (void)state;
    const char *name = "embedded_fields";
    begin("^XA^FN1^FD");
    repeat("0123456789", 6000);
    repeat("^FS", 1);
    for (int i = 0; i < 300; i++) {
        put("^FO1,%d^FE^FD", i);
        repeat("#1,F,1,0#", 2000);
        repeat("#1#^FS", 1);
    }
    repeat("^XZ", 1);
    run(name, (struct setting){0});
}

static void serial_numbers(void **state)
{
    (void)state;
    const char *name = "serial_numbers";
    begin("^XA");
    for (int i = 0; i < 3000; i++)
        put("^FO1,%d^SN%d,1,Y^FS", i, i);
    repeat("^PQ99999^XZ", 1);
    run(name, (struct setting){0});
}

static void stored_pictures(void **state)
{
    (void)state;
    const char *name = "stored_pictures";
    // A white page of 92 million dots is a small file.
    struct platen_options options = PLATEN_OPTIONS(.width_mm = 400, .height_mm = 400, .dpmm = 24);
    struct platen_document *d;
    const struct platen_page *page;
    struct platen_buffer png = {0};
    assert_int_equal(platen_parse(worker, "^XA^FO1,1^GB9,9,9^FS^XZ", 23, &options, &d, NULL), PLATEN_OK);
    assert_int_equal(platen_draw(worker, d, 0, &page, NULL), PLATEN_OK);
    assert_int_equal(platen_encode(worker, page, PLATEN_PNG, NULL, &png, NULL), PLATEN_OK);
    platen_document_free(d);
    length = 0;
    put("~DYR:A.PNG,A,P,%zu,,", png.size);
    for (size_t i = 0; i < png.size; i++)
        put("%02X", png.data[i]);
    platen_buffer_free(&png);
    repeat("^XA^FO0,0^XGR:A.PNG^FS^XZ", 1);
    run(name, (struct setting){.large = true});
}

static void pictures_of_pictures(void **state)
{
    (void)state;
    const char *name = "pictures_of_pictures";
    begin("^XA^FO0,0^GB9300,9300,9300^FS^ISR:S.GRF,N^XZ");
    for (int i = 0; i < 20; i++) {
        repeat("^XA", 1);
        repeat("^ILR:S.GRF^FS", 60);
        repeat("^XZ", 1);
    }
    run(name, (struct setting){.large = true, .report = true});
}

static void graphics_magnified(void **state)
{
    (void)state;
    const char *name = "graphics_magnified";
    begin("~DGR:A.GRF,80000,100,");
    repeat("F0", 80000);
    repeat("^XA", 1);
    repeat("^FO9,9^XGR:A.GRF,10,10^FS", 15000);
    repeat("^XZ", 1);
    run(name, (struct setting){.large = true});
    run(name, (struct setting){.large = true, .quality = PLATEN_GRAYSCALE});
}

static void shapes(void **state)
{
    (void)state;
    const char *name = "shapes";
    begin("^XA");
    for (int i = 0; i < 15000; i++)
        put("^FO%d,%d^%s^GB9300,9300,%d,%s,8^FS^FO0,%d^GE4000,4000,%d^FS^FO9,9^GD9000,9000,%d^FS", i % 50, i % 70,
            i % 3 ? "FR" : "FX", i % 2 ? 9300 : 3, i % 2 ? "W" : "B", i % 90, 1 + i % 300, 1 + i % 3000);
    repeat("^XZ", 1);
    run(name, (struct setting){.large = true, .report = true});
    run(name, (struct setting){.large = true, .quality = PLATEN_GRAYSCALE});
}

static void barcodes(const char *name, const char *field, const char *word, size_t size)
{
    begin("^XA");
    for (int i = 0; i < 400; i++) {
        put("^FO%d,%d%s", i % 50, i, field);
        repeat(word, size / strlen(word));
        put("%d^FS", i);
    }
    repeat("^XZ", 1);
    run(name, (struct setting){.large = true, .report = true});
}

static void barcodes_of_all_kinds(void **state)
{
    (void)state;
    barcodes("QR", "^BQN,2,20^FDHA,", "x9Y", 2700);
    barcodes("QR, mixed", "^BQN,2,20^FDD010100,HM,", "N1,Ax,", 1200);
    barcodes("PDF417", "^B7N,40,8,30,90^FD", "Ab9,", 2500);
    barcodes("PDF417, automatic", "^B7N,4,0^FD", "Ab9,", 1500);
    barcodes("MicroPDF417", "^BFN,40,32^FD", "Ab9,", 200);
    barcodes("Data Matrix", "^BXN,20,200^FD", "Ab9,", 2000);
    barcodes("Data Matrix, X12", "^BXN,20,200^FD", "A9 ", 3000);
    barcodes("Data Matrix 140", "^BXN,20,140^FD", "Ab9,", 400);
    barcodes("Aztec", "^BON,20,N,0^FD", "Ab9,", 2500);
    barcodes("CODABLOCK F", "^BBN,30,,,,F^FD", "Ab9,", 2500);
    barcodes("CODABLOCK A", "^BBN,30,,60,,A^FD", "AB9-", 1200);
    barcodes("Code 49", "^B4N,20,A,A^FD", "AB9-", 48);
    barcodes("Code 128", "^BCN,900,Y,N,N,A^FD", "Ab9123,", 2000);
    barcodes("MaxiCode", "^BD4^FD", "AB9-", 80);
    barcodes("DataBar", "^BRN,6,2,2,25,22^FD01", "12345678901231", 14);
    barcodes("Code 39", "^B3N,Y,900^FD", "AB9-", 80);
}

static void blocks_of_text(void **state)
{
    (void)state;
    const char *name = "blocks_of_text";
    begin("^XA^FO0,0^FB9000,9999,0,J^A0N,20^FD");
    repeat("many words ", 5000);
    repeat("^FS^XZ", 1);
    run(name, (struct setting){.large = true});
    begin("^XA");
    for (int i = 0; i < 400; i++) {
        put("^FO0,%d^TBN,700,9000^A0N,10^FD", i);
        repeat("i ", 4500);
        repeat("^FS", 1);
    }
    repeat("^XZ", 1);
    run(name, (struct setting){.quality = PLATEN_GRAYSCALE});
}

static void objects_by_wildcard(void **state)
{
    (void)state;
    const char *name = "objects_by_wildcard";
    begin("");
    for (int i = 0; i < 8000; i++)
        put("~DGR:A%dAAAAAAAAB.GRF,1,1,FF", i);
    for (int i = 0; i < 4000; i++)
        repeat("^IDR:*A*A*A*A*A*C.*^TOR:*A*A*A*A*A*C.*,E:*.*", 1);
    repeat("^XA^FO1,1^FDx^FS^XZ", 1);
    run(name, (struct setting){0});
}

static void forms_that_recall_forms(void **state)
{
    (void)state;
    const char *name = "forms_that_recall_forms";
    begin("^XA^DFR:F0.ZPL^FS^FO0,0^GB9,9,9^FS^XZ");
    for (int i = 1; i < 8; i++) {
        put("^XA^DFR:F%d.ZPL^FS", i);
        for (int k = 0; k < 12; k++)
            put("^XFR:F%d.ZPL^FS", i - 1);
        repeat("^XZ", 1);
    }
    repeat("^XA^XFR:F7.ZPL^FS^XZ", 1);
    run(name, (struct setting){0});
}

static void commands_without_end(void **state)
{
    (void)state;
    static const char *const UNITS[] = {
        "^FS", "^", "^CC^", "^ZQ1\n", "^FO", "^FH", "~DY", "^GFA", "^CI0,1,2,3,4,5,6,7,8,9"};
    for (size_t i = 0; i < sizeof UNITS / sizeof *UNITS; i++) {
        begin("^XA");
        repeat(UNITS[i], (8u << 20) / strlen(UNITS[i]) - 40);
        repeat("^FO1,1^GB9,9,9^FS^XZ", 1);
        run(UNITS[i], (struct setting){0});
    }
}

static void characters_of_all_sets(void **state)
{
    (void)state;
    const char *name = "characters_of_all_sets";
    static const int SETS[] = {0, 14, 15, 16, 26, 28, 29};
    for (size_t k = 0; k < sizeof SETS / sizeof *SETS; k++) {
        length = 0;
        put("^XA^CI%d^SEE:BIG5.DAT", SETS[k]);
        for (int i = 0; i < 120; i++) {
            put("^FO0,%d^FB9,9^FD", i);
            repeat("\xA4\xA4\\", 20000);
            repeat("^FS", 1);
        }
        repeat("^XZ", 1);
        run(name, (struct setting){0});
    }
}

static void overlaps(void **state)
{
    (void)state;
    const char *name = "overlaps";
    begin("^XA");
    for (int i = 0; i < 19000; i++)
        put("^FO%d,0^GB99,99^FS", i % 90);
    repeat("^XZ", 1);
    run(name, (struct setting){.report = true});
}

static void formats(void **state)
{
    (void)state;
    // Noise over the largest page: what compressors like least.
    uint32_t state_ = 1;
    length = 0;
    put("^XA^FO0,0^GFA,3900000,3900000,1195,");
    for (int i = 0; i < 3900000 * 2 - 1000; i++) {
        state_ = state_ * 1103515245u + 12345;
        zpl[length++] = "0123456789ABCDEF"[state_ >> 20 & 15];
    }
    repeat("0", 1000);
    repeat("^FS^FO0,3300^GB9500,6000,9^FS^XZ", 1);
    for (int smooth = 0; smooth < 2; smooth++) {
        struct platen_options options = PLATEN_OPTIONS(.width_mm = 400, .height_mm = 400, .dpmm = 24);
        options.quality = smooth ? PLATEN_GRAYSCALE : PLATEN_BITONAL;
        options.deadline_ns = pl_now_ns() + LONG_NS;
        struct platen_document *d;
        const struct platen_page *page;
        assert_int_equal(platen_parse(worker, zpl, length, &options, &d, NULL), PLATEN_OK);
        assert_int_equal(platen_draw(worker, d, 0, &page, NULL), PLATEN_OK);
        for (int format = PLATEN_PNG; format <= PLATEN_PDF; format++) {
            char what[40];
            snprintf(what, sizeof what, "%s%s", platen_format_name((enum platen_format)format),
                     smooth ? ", smooth" : "");
            for (int limit = 10; limit <= (THOROUGH ? 640 : 40); limit *= 4)
                encode_within(what, page, (enum platen_format)format, limit);
        }
        platen_document_free(d);
    }
}

// After all elements are drawn: transformations of the page, and the report.
static void finished_pages(void **state)
{
    (void)state;
    begin("^XA^POI^PMY^FO9,9^GB9000,9000,9^FS^FO900,900^BY9^BCN,5000,N^FDABC^FS^XZ");
    for (int limit = 5; limit < 900; limit = THOROUGH ? limit * 3 / 2 + 1 : limit * 6) {
        run_within("a page", (struct setting){.large = true, .report = true}, limit);
        run_within("a page, turned", (struct setting){.large = true, .rotation = 90}, limit);
        run_within("a page, smooth", (struct setting){.large = true, .quality = PLATEN_GRAYSCALE}, limit);
        run_within("a page, smooth and turned",
                   (struct setting){.large = true, .quality = PLATEN_GRAYSCALE, .rotation = 270}, limit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(embedded_fields),
        cmocka_unit_test(serial_numbers),
        cmocka_unit_test(stored_pictures),
        cmocka_unit_test(pictures_of_pictures),
        cmocka_unit_test(graphics_magnified),
        cmocka_unit_test(shapes),
        cmocka_unit_test(barcodes_of_all_kinds),
        cmocka_unit_test(blocks_of_text),
        cmocka_unit_test(objects_by_wildcard),
        cmocka_unit_test(forms_that_recall_forms),
        cmocka_unit_test(commands_without_end),
        cmocka_unit_test(characters_of_all_sets),
        cmocka_unit_test(overlaps),
        cmocka_unit_test(formats),
        cmocka_unit_test(finished_pages),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
