// Microseconds per symbol, our encoders beside libzint on the same data, in turn within one run: data in, modules out.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bar/encode/aztec.h"
#include "bar/encode/bar_zint.h"
#include "bar/encode/code128.h"
#include "bar/encode/datamatrix.h"
#include "bar/encode/pdf417.h"
#include "bar/encode/qr.h"
#include "base/job.h"

// libzint's numbers of what is not taken from it.
enum {
    ZINT_CODE128 = 20,
    ZINT_PDF417 = 55,
    ZINT_QR = 58,
    ZINT_DATAMATRIX = 71,
    ZINT_MICROPDF417 = 84,
    ZINT_AZTEC = 92
};

struct contest {
    const char *name;
    const char *data;
    enum pl_errc (*ours)(struct pl_slice data, struct pl_arena *arena, struct pl_bitmap *out);
    int zint, option_1, option_2;
};

static enum pl_errc code128(struct pl_slice data, struct pl_arena *arena, struct pl_bitmap *out)
{
    struct pl_code128 code;
    enum pl_errc result = pl_code128_encode(pl_content_of(data), false, arena, &code, NULL);
    return result == PL_OK ? pl_code128_modules(&code, arena, out, NULL) : result;
}

static enum pl_errc qr(struct pl_slice data, struct pl_arena *arena, struct pl_bitmap *out)
{
    struct pl_qr_segment segment = {.automatic = true, .data = data};
    struct pl_qr_options options = {.level = PL_QR_M, .mask = -1};
    struct pl_qr_symbol symbol;
    enum pl_errc result = pl_qr_encode(&segment, 1, &options, arena, &symbol, NULL);
    *out = symbol.modules;
    return result;
}

static enum pl_errc datamatrix(struct pl_slice data, struct pl_arena *arena, struct pl_bitmap *out)
{
    return pl_datamatrix_encode(pl_content_of(data), &(struct pl_datamatrix_options){0}, arena, out, NULL);
}

static enum pl_errc pdf417(struct pl_slice data, struct pl_arena *arena, struct pl_bitmap *out)
{
    return pl_pdf417_encode(data, &(struct pl_pdf417_options){.columns = 6, .security = 3}, arena, out, NULL);
}

static enum pl_errc micropdf417(struct pl_slice data, struct pl_arena *arena, struct pl_bitmap *out)
{
    return pl_micropdf417_encode(data, &(struct pl_micropdf417_options){.size = -1}, arena, out, NULL);
}

static enum pl_errc aztec(struct pl_slice data, struct pl_arena *arena, struct pl_bitmap *out)
{
    return pl_aztec_encode(pl_content_of(data), &(struct pl_aztec_options){.percent = 23}, arena, out, NULL);
}

#define TRACKING "1Z680RA4DL08720000"
#define URL "https://example.com/track/48213?parcel=00340434161094042557&lang=en"
#define SENTENCE                                                                                                       \
    "Grain that is stored dry keeps; grain that is stored damp does not. Measure before you close the door, and "      \
    "measure again when the weather turns, for air carries more water than it shows."

static const struct contest contests[] = {
    {"Code 128, 18 characters", TRACKING, code128, ZINT_CODE128, 0, 0},
    {"QR version 2", TRACKING, qr, ZINT_QR, 2, 0},
    {"QR version 5", URL, qr, ZINT_QR, 2, 0},
    {"QR version 10", SENTENCE, qr, ZINT_QR, 2, 0},
    {"Data Matrix, 18 characters", TRACKING, datamatrix, ZINT_DATAMATRIX, 0, 0},
    {"Data Matrix, 185 characters", SENTENCE, datamatrix, ZINT_DATAMATRIX, 0, 0},
    {"PDF417, 18 characters", TRACKING, pdf417, ZINT_PDF417, 3, 6},
    {"PDF417, 185 characters", SENTENCE, pdf417, ZINT_PDF417, 3, 6},
    {"MicroPDF417, 18 characters", TRACKING, micropdf417, ZINT_MICROPDF417, 0, 0},
    {"Aztec, 18 characters", TRACKING, aztec, ZINT_AZTEC, 0, 0},
    {"Aztec, 185 characters", SENTENCE, aztec, ZINT_AZTEC, 0, 0},
};

static double run_ours(const struct contest *c, struct pl_arena *arena, uint32_t rounds)
{
    uint64_t start = pl_now_ns();
    for (uint32_t i = 0; i < rounds; i++) {
        struct pl_bitmap modules;
        if (c->ours(pl_slice_cstr(c->data), arena, &modules) != PL_OK)
            exit(1);
        pl_arena_reset(arena, 8u << 20);
    }
    return (double)(pl_now_ns() - start) / 1000.0 / rounds;
}

static double run_zint(const struct contest *c, struct pl_arena *arena, uint32_t rounds)
{
    struct pl_zint_job job = {.symbology = (enum pl_zint_id)c->zint,
                              .data = pl_slice_cstr(c->data),
                              .option_1 = c->option_1,
                              .option_2 = c->option_2};
    static struct pl_zint_symbol symbol;
    uint64_t start = pl_now_ns();
    for (uint32_t i = 0; i < rounds; i++) {
        if (pl_zint_encode(&job, arena, &symbol, NULL) != PL_OK)
            exit(1);
        pl_arena_reset(arena, 8u << 20);
    }
    return (double)(pl_now_ns() - start) / 1000.0 / rounds;
}

int main(int argc, char **argv)
{
    uint32_t rounds = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 500;
    struct pl_arena arena;
    pl_arena_init(&arena, 256u << 20);
    printf("%-30s %10s %10s %8s\n", "µs per symbol, best of 7", "platen", "libzint", "ratio");
    for (size_t i = 0; i < sizeof contests / sizeof *contests; i++) {
        double ours = 1e9, zint = 1e9;
        for (int turn = 0; turn < 7; turn++) {
            double a = run_ours(&contests[i], &arena, rounds), b = run_zint(&contests[i], &arena, rounds);
            ours = a < ours ? a : ours;
            zint = b < zint ? b : zint;
        }
        printf("%-29s %10.2f %10.2f %7.1fx\n", contests[i].name, ours, zint, zint / ours);
    }
    pl_arena_fini(&arena);
    return 0;
}
