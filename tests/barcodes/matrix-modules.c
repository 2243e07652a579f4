// Prints the modules of matrix and stacked symbols for the read-back test: a line of input names a symbology, its
// options and the data in hexadecimal; a line of output has width, height and the rows as 0 and 1, or '!' and why there
// is none.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bar/encode/aztec.h"
#include "bar/encode/datamatrix.h"
#include "bar/encode/pdf417.h"
#include "lang/zpl/barcode_field.h"

#define MAX_DATA 8192
#define MAX_SYMBOLS 60

static size_t from_hex(const char *hex, uint8_t *out)
{
    size_t count = 0;
    for (; count < MAX_DATA && hex[0] != '\0' && hex[1] != '\0'; hex += 2) {
        unsigned byte = 0;
        if (sscanf(hex, "%2x", &byte) != 1)
            break;
        out[count++] = (uint8_t)byte;
    }
    return count;
}

static void print_modules(const struct pl_bitmap *modules)
{
    printf("%" PRIu32 " %" PRIu32 " ", modules->width, modules->height);
    for (uint32_t y = 0; y < modules->height; y++)
        for (uint32_t x = 0; x < modules->width; x++)
            putchar(pl_bitmap_get(modules, x, y) ? '1' : '0');
}

static enum pl_errc encode(const char *kind, const uint32_t *n, struct pl_slice data, struct pl_arena *arena,
                           struct pl_bitmap *modules, uint32_t *count, struct pl_error *err)
{
    *count = 1;
    struct zpl_barcode field; // for the escapes of Data Matrix and Aztec
    struct pl_barcode read;
    if (strcmp(kind, "datamatrix") == 0) {
        struct pl_datamatrix_options options = {.columns = n[0], .rows = n[1], .rectangular = n[2] != 0};
        if (n[3] == 0)
            return pl_datamatrix_encode(pl_content_of(data), &options, arena, modules, err);
        zpl_barcode_init(&field, PL_SYM_DATAMATRIX);
        field.symbol.datamatrix.quality = 200;
        field.escape = (uint8_t)n[3];
        read = field.symbol;
        PL_TRY(zpl_barcode_read(&field, data, arena, &read, err));
        return pl_datamatrix_encode(read.content, &options, arena, modules, err);
    }
    struct pl_pdf417_options pdf = {.columns = n[0], .rows = n[1], .security = n[2], .truncated = n[3] != 0};
    if (strcmp(kind, "pdf417") == 0)
        return pl_pdf417_encode(data, &pdf, arena, modules, err);
    if (strcmp(kind, "pdf417-series") == 0)
        return pl_pdf417_encode_series(data, &pdf, MAX_SYMBOLS, arena, modules, count, err);
    if (strcmp(kind, "micropdf417") == 0) {
        struct pl_micropdf417_options options = {.size = (int32_t)n[0] - 1}; // 0: smallest
        return pl_micropdf417_encode(data, &options, arena, modules, err);
    }
    if (strcmp(kind, "aztec") == 0) {
        zpl_barcode_init(&field, PL_SYM_AZTEC);
        field.size = (int32_t)n[0];
        field.eci = n[1] != 0;
        read = field.symbol;
        PL_TRY(zpl_barcode_read(&field, data, arena, &read, err));
        struct pl_aztec_options options = {.percent = read.aztec.percent,
                                           .layers = read.aztec.layers,
                                           .compact = read.aztec.compact,
                                           .rune = read.aztec.rune};
        return pl_aztec_encode(read.content, &options, arena, modules, err);
    }
    return pl_fail(err, PL_E_NOT_FOUND, "no such symbology");
}

int main(void)
{
    static char line[2 * MAX_DATA + 256];
    static uint8_t bytes[MAX_DATA];
    static struct pl_bitmap modules[MAX_SYMBOLS];
    while (fgets(line, sizeof line, stdin) != NULL) {
        char kind[32];
        uint32_t n[4];
        int used = 0;
        if (sscanf(line, "%31s %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu32 " %n", kind, &n[0], &n[1], &n[2], &n[3],
                   &used) < 5)
            return EXIT_FAILURE;
        struct pl_arena arena;
        struct pl_error err = {0};
        uint32_t count = 0;
        pl_arena_init(&arena, (size_t)64 << 20);
        struct pl_slice data = pl_slice_make(bytes, from_hex(line + used, bytes));
        if (encode(kind, n, data, &arena, modules, &count, &err) != PL_OK) {
            printf("! %s\n", err.message);
        } else {
            for (uint32_t i = 0; i < count; i++) {
                print_modules(&modules[i]);
                putchar(i + 1 == count ? '\n' : ' ');
            }
        }
        pl_arena_fini(&arena);
    }
    return EXIT_SUCCESS;
}
