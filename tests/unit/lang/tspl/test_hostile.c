// TSPL that is cut off anywhere, has hostile counts or is as large as an input may be; and BITMAP beside ^GF.
#include <dirent.h>
#include <time.h>

#include "base/job.h"
#include "engine_fixture.h"
#include "guard_page.h"
#include "render/render.h"
#include "tspl_fixture.h"

#define FOLDER "tests/golden/tspl"
#ifdef PL_FUZZ
#define LARGEST (1u << 20) // with sanitizers each byte takes many times as long
#else
#define LARGEST (8u << 20)
#endif

static struct guard_page guard;

static void render(const void *tspl, size_t size, bool draw)
{
    const uint8_t *at = guard_page_put(&guard, tspl, size);
    assert_non_null(at);
    struct platen_document *d;
    struct platen_options options = PLATEN_OPTIONS(.language = PLATEN_LANGUAGE_TSPL);
    if (platen_parse(worker, at, size, &options, &d, NULL) != PLATEN_OK)
        return;
    const struct platen_page *page;
    for (uint32_t i = 0; draw && i < platen_label_count(d) && i < 4; i++)
        (void)platen_draw(worker, d, i, &page, NULL);
    platen_document_free(d);
}

static void goldens_that_end_at_a_guard_page(void **state)
{
    (void)state;
    DIR *dir = opendir(FOLDER);
    assert_non_null(dir);
    static char data[1 << 16];
    uint32_t count = 0;
    for (struct dirent *entry; (entry = readdir(dir));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".tspl") != 0)
            continue;
        char path[512];
        snprintf(path, sizeof path, FOLDER "/%s", entry->d_name);
        FILE *f = fopen(path, "rb");
        assert_non_null(f);
        size_t size = fread(data, 1, sizeof data, f);
        fclose(f);
        for (size_t n = 0; n <= size; n++)
            render(data, n, n % 16 == 0 || n == size);
        count++;
    }
    closedir(dir);
    assert_true(count >= 10);
}

static void hostile_counts(void **state)
{
    (void)state;
    static const char *const INPUTS[] = {
        "CLS\nBITMAP 0,0,65535,1048576,0,",
        "CLS\nBITMAP 0,0,99999999999,99999999999,0,abc",
        "CLS\nBITMAP -1,-99999999999,2,2,0,abcd\nPRINT 1",
        "DOWNLOAD \"A.BMP\",18446744073709551615,BM\nPUTBMP 1,1,\"A.BMP\"\nPRINT 1",
        "DOWNLOAD \"A.BMP\",99999999999999999999999,BM",
        "CLS\nMAXICODE 1,1,4,65535,x",
        "CLS\nPDF417 1,1,400,200,0,L2147483647,x",
        "CLS\nAZTEC 1,1,0,6,0,0,0,6,0,65535,x",
        "CLS\nQRCODE 1,1,H,4,M,0,\"B9999abc\"\nPRINT 1",
        "CLS\nTEXT 1e300,-1e300,\"3\",0,1e300,1e300,\"x\"\nPRINT 1",
        "CLS\nBOX -1048576,-1048576,1048576,1048576,10000,10000\nPRINT 1",
        "CLS\nDIAGONAL -1048576,-1048576,1048576,1048576,10000\nDIAGONAL 5,5,5,5,1\nPRINT 1",
        "CLS\nELLIPSE 0,0,1048576,1048576,10000\nCIRCLE -5,-5,1,10000\nPRINT 1",
        "CLS\nBLOCK 0,0,1,1,\"3\",90,10,10,-1000,\"a b c\"\nPRINT 1",
        "CLS\nBARCODE 1,1,\"EAN13+5\",32000,3,270,100,400,3,\"40063813339351299\"\nPRINT 1",
        "SIZE 1e9 mm,1e9 mm\nCLS\nBAR 1,1,9,9\nPRINT 1",
        "SIZE -5,-5\nREFERENCE 99999999,-99999999\nCLS\nBAR 1048576,1,9,9\nPRINT 1",
    };
    for (size_t i = 0; i < sizeof INPUTS / sizeof *INPUTS; i++)
        for (size_t n = 0; n <= strlen(INPUTS[i]); n++)
            render(INPUTS[i], n, n == strlen(INPUTS[i]));
}

static void sets_and_copies_are_cut_to_the_limit(void **state)
{
    (void)state;
    struct run r;
    run_text(&r, "CLS\nBAR 1,1,9,9\nPRINT 999999999,999999999\n");
    assert_int_equal(r.scene.label_count, 1);
    assert_int_equal(r.scene.labels[0].copies, PL_LIMIT_LABELS);
    assert_int_equal(run_count(&r, PL_DIAG_COPIES_CUT), 1);
    run_end(&r);
    run_text(&r, "SET COUNTER @1 1\n@1=\"0\"\nCLS\nTEXT 1,1,\"1\",0,1,1,@1\nPRINT 999999999\n");
    assert_int_equal(r.scene.label_count, PL_LIMIT_LABELS);
    run_end(&r);
}

// As large as an input may be: ends, with labels or at a limit, in the memory that a render has.
static void inputs_of_8_mb(void **state)
{
    (void)state;
    static const char *const PIECES[] = {
        "TEXT 1,1,\"3\",0,1,1,\"x\"\n",
        "CLS\nBAR 1,1,2,2\nPRINT 1\n",
        "\"",
        "TEXT \"\n",
        "A$=A$+\"x\"\n",
        "((((",
        "SET COUNTER @1 1\n@1=\"9\"\n",
        "BITMAP 0,0,1,1,0,\x7F\n",
        "DOWNLOAD \"A.BAS\"\nCLS\nEOP\n",
        ",,,,",
        "\\[\"]",
        "A\\[\"]\n",
        "TEXT 1,1,\"3\",0,1,1,@1+@1+@1\nSET COUNTER @1 1\n@1=\"123456789\"\n",
        "X",
        "\r\n",
        "QRCODE 1,1,H,4,A,0,\"\n",
    };
    char *data = malloc(LARGEST);
    assert_non_null(data);
    for (size_t i = 0; i < sizeof PIECES / sizeof *PIECES; i++) {
        size_t piece = strlen(PIECES[i]), size = 0;
        // Each of these lines looks for its quote's end in the 8 KiB behind it.
        size_t most = strcmp(PIECES[i], "A\\[\"]\n") == 0 ? LARGEST / 8 : LARGEST;
        for (; size + piece <= most; size += piece)
            memcpy(data + size, PIECES[i], piece);
        struct run r;
        run_init(&r);
        run_bytes(&r, data, size);
        assert_true(r.code == PL_OK || r.code == PL_E_LIMIT || r.code == PL_E_MEMORY);
        run_end(&r);
        // A deadline that has passed ends it at the first look at the clock.
        static const struct pl_job LATE = {.deadline_ns = 1};
        run_init(&r);
        r.job = &LATE;
        run_bytes(&r, data, size);
        bool one_statement = r.code == PL_OK && r.scene.label_count == 0;
        assert_true(r.code == PL_E_DEADLINE || one_statement);
        run_end(&r);
    }
    free(data);
}

// Each line opened a quote that looked for its end in all that follows; reading a program did not look at the clock.
static void open_quotes_on_the_lines_of_a_program(void **state)
{
    (void)state;
    static const char HEAD[] = "DOWNLOAD \"A.BAS\"\n", LINE[] = "A\\[\"]\n", TAIL[] = "EOP\nRUN \"A.BAS\"\n";
    double seconds[2];
    for (int i = 0; i < 2; i++) {
        size_t lines = i == 0 ? 15000 : 120000, size = strlen(HEAD);
        char *data = malloc(lines * strlen(LINE) + 100);
        assert_non_null(data);
        memcpy(data, HEAD, size);
        for (size_t n = 0; n < lines; n++, size += strlen(LINE))
            memcpy(data + size, LINE, strlen(LINE));
        memcpy(data + size, TAIL, strlen(TAIL));
        struct run r;
        run_init(&r);
        clock_t from = clock();
        run_bytes(&r, data, size + strlen(TAIL));
        seconds[i] = (double)(clock() - from) / CLOCKS_PER_SEC;
        assert_int_equal(r.code, PL_OK);
        run_end(&r);
        static const struct pl_job LATE = {.deadline_ns = 1};
        run_init(&r);
        r.job = &LATE;
        from = clock();
        run_bytes(&r, data, size + strlen(TAIL));
        assert_int_equal(r.code, PL_E_DEADLINE);
        if (i == 1) // not after the whole program
            assert_true((double)(clock() - from) / CLOCKS_PER_SEC < seconds[i] / 2);
        run_end(&r);
        free(data);
    }
    if (seconds[1] > 24 * seconds[0])
        fail_msg("%f s, and %f s for eight times as much", seconds[0], seconds[1]);
}

static const struct pl_bitmap *draw(const char *code, size_t size, enum platen_language language,
                                    struct platen_document **d)
{
    struct platen_options options = PLATEN_OPTIONS(.language = language, .width_mm = 50, .height_mm = 30);
    const struct platen_page *page;
    assert_int_equal(platen_parse(worker, code, size, &options, d, NULL), PLATEN_OK);
    assert_int_equal(platen_draw(worker, *d, 0, &page, NULL), PLATEN_OK);
    return &page->drawn.bits;
}

// The same graphic by BITMAP and by ^GF gives the same dots.
static void bitmap_is_drawn_as_gf_is(void **state)
{
    (void)state;
    enum { ROWS = 24, PER_ROW = 8 };
    char tspl[512], zpl[1024];
    uint8_t black[ROWS * PER_ROW];
    for (size_t i = 0; i < sizeof black; i++)
        black[i] = (uint8_t)(i * 37 + i / 3);
    size_t n = (size_t)snprintf(tspl, sizeof tspl, "CLS\r\nBITMAP 40,50,%d,%d,0,", PER_ROW, ROWS);
    size_t m = (size_t)snprintf(zpl, sizeof zpl, "^XA^FO40,50^GFA,%d,%d,%d,", ROWS * PER_ROW, ROWS * PER_ROW, PER_ROW);
    for (size_t i = 0; i < sizeof black; i++) {
        tspl[n++] = (char)~black[i];
        m += (size_t)snprintf(zpl + m, sizeof zpl - m, "%02X", black[i]);
    }
    n += (size_t)snprintf(tspl + n, sizeof tspl - n, "PRINT 1,1\r\n"); // no line end behind the data
    m += (size_t)snprintf(zpl + m, sizeof zpl - m, "^FS^XZ");
    struct platen_document *d;
    const struct pl_bitmap *bits = draw(tspl, n, PLATEN_LANGUAGE_TSPL, &d);
    size_t size = (size_t)bits->stride * bits->height * sizeof(uint64_t);
    uint64_t *kept = malloc(size);
    assert_non_null(kept);
    memcpy(kept, bits->words, size);
    assert_true(pl_bitmap_has_ink(bits, (struct pl_box){40, 50, 104, 74}));
    platen_document_free(d);
    bits = draw(zpl, m, PLATEN_LANGUAGE_ZPL, &d);
    assert_memory_equal(kept, bits->words, size);
    platen_document_free(d);
    free(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goldens_that_end_at_a_guard_page),      cmocka_unit_test(hostile_counts),
        cmocka_unit_test(sets_and_copies_are_cut_to_the_limit),  cmocka_unit_test(inputs_of_8_mb),
        cmocka_unit_test(open_quotes_on_the_lines_of_a_program), cmocka_unit_test(bitmap_is_drawn_as_gf_is),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
