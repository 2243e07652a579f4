// floor FILE WIDTH_MM HEIGHT_MM DPMM: the time to compress the finished bitmap alone, in microseconds: by the
// renderer's own encoder, and by libdeflate at level 1 on the same rows. Last line: both medians.
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "enc/rows_deflate.h"
#include "platen/platen.h"

#define RUNS 201

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times)
{
    qsort(times, RUNS, sizeof *times, by_value);
    return times[RUNS / 2];
}

static int die(const char *what)
{
    fprintf(stderr, "floor: %s\n", what);
    return 1;
}

static double time_own(const struct pl_bitmap *bits)
{
    static double times[RUNS];
    struct pl_arena scratch;
    struct pl_buf out;
    pl_arena_init(&scratch, (size_t)64 << 20);
    pl_buf_init(&out, (size_t)64 << 20);
    for (int i = -1; i < RUNS; i++) { // one to warm up
        double start = now_us();
        pl_buf_clear(&out);
        if (pl_rows_deflate(bits, NULL, &scratch, &out, NULL) != PL_OK)
            exit(die("compressing failed"));
        if (i >= 0)
            times[i] = now_us() - start;
    }
    pl_buf_fini(&out);
    pl_arena_fini(&scratch);
    return median(times);
}

static double time_libdeflate(const struct pl_bitmap *bits)
{
    static double times[RUNS];
    size_t row = ((size_t)bits->width + 7) / 8 + 1, size = row * bits->height;
    uint8_t *raw = malloc(size), *out = malloc(size + 4096);
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(1);
    if (!raw || !out || !c)
        exit(die("no memory"));
    for (uint32_t y = 0; y < bits->height; y++) {
        raw[y * row] = 0;
        for (size_t i = 0; i + 1 < row; i++)
            raw[y * row + 1 + i] = (uint8_t) ~(pl_bitmap_row(bits, y)[i / 8] >> (56 - i % 8 * 8));
    }
    for (int i = -1; i < RUNS; i++) {
        double start = now_us();
        if (libdeflate_zlib_compress(c, raw, size, out, size + 4096) == 0)
            exit(die("compressing failed"));
        if (i >= 0)
            times[i] = now_us() - start;
    }
    libdeflate_free_compressor(c);
    free(raw);
    free(out);
    return median(times);
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return die("usage: floor FILE WIDTH_MM HEIGHT_MM DPMM");
    FILE *f = fopen(argv[1], "rb");
    if (!f)
        return die("the file cannot be read");
    static char zpl[8 << 20];
    size_t size = fread(zpl, 1, sizeof zpl, f);
    fclose(f);
    struct platen_engine *engine;
    struct platen_worker *worker;
    struct platen_document *document;
    const struct platen_page *page;
    struct platen_error err;
    struct platen_options options =
        PLATEN_OPTIONS(.width_mm = atof(argv[2]), .height_mm = atof(argv[3]), .dpmm = (uint32_t)atoi(argv[4]));
    if (platen_engine_new(NULL, &engine, &err) != PLATEN_OK || platen_worker_new(engine, &worker, &err) != PLATEN_OK ||
        platen_parse(worker, zpl, size, &options, &document, &err) != PLATEN_OK ||
        platen_draw(worker, document, 0, &page, &err) != PLATEN_OK)
        return die(err.message);
    struct platen_bitmap b;
    platen_page_bitmap(page, &b);
    // The encoder only reads.
    struct pl_bitmap bits = {b.width, b.height, b.words_per_row, (uint64_t *)(uintptr_t)b.words};
    double own = time_own(&bits), libdeflate = time_libdeflate(&bits);
    printf("own libdeflate-1\n%.2f %.2f\n", own, libdeflate);
    platen_document_free(document);
    platen_worker_free(worker);
    platen_engine_free(engine);
    return 0;
}
