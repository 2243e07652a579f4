// Code 128 and QR symbols compared module for module with the vectors of shared/barcodes.
#include <stdio.h>
#include <stdlib.h>

#include "bar/encode/code128.h"
#include "bar/encode/qr.h"
#include "unit.h"

static FILE *open_vectors(void)
{
    const char *root = getenv("PLATEN_SHARED");
    char path[1024];
    snprintf(path, sizeof path, "%s/barcodes/oracle_vectors.tsv", root && *root ? root : "../shared");
    return fopen(path, "r");
}

static unsigned hex_digit(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c | 32) - 'a' + 10;
}

static bool same(const struct pl_bitmap *modules, const char *rows)
{
    for (uint32_t y = 0; y < modules->height; y++) {
        for (uint32_t x = 0; x < modules->width; x++) {
            char c = rows[x / 4];
            if (c == 0 || c == '/' || (hex_digit(c) >> (3 - x % 4) & 1) != (unsigned)pl_bitmap_get(modules, x, y))
                return false;
        }
        rows += (modules->width + 3) / 4;
        if (*rows++ != (y + 1 == modules->height ? 0 : '/'))
            return false;
    }
    return true;
}

static enum pl_errc encode(const char *options, struct pl_slice data, struct pl_arena *arena, struct pl_bitmap *out)
{
    if (strncmp(options, "ec=", 3) == 0) {
        struct pl_qr_segment segment = {.automatic = true, .data = data};
        struct pl_qr_options qr = {.level = options[3] == 'L' ? PL_QR_L : PL_QR_M, .mask = -1};
        struct pl_qr_symbol symbol;
        enum pl_errc code = pl_qr_encode(&segment, 1, &qr, arena, &symbol, NULL);
        *out = symbol.modules;
        return code;
    }
    struct pl_code128 code;
    enum pl_errc result = pl_code128_encode(pl_content_of(data), false, arena, &code, NULL);
    return result == PL_OK ? pl_code128_modules(&code, arena, out, NULL) : result;
}

// All vectors of one symbology are equal.
static void check_symbology(const char *name)
{
    FILE *file = open_vectors();
    if (!file)
        skip();
    static char line[1 << 16];
    unsigned seen = 0, wrong = 0;
    struct pl_arena arena;
    pl_arena_init(&arena, 64u << 20);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        char *field[8], *rest = line;
        for (int i = 0; i < 8; i++)
            field[i] = strsep(&rest, "\t");
        if (!field[7] || strcmp(field[1], name) != 0)
            continue;
        uint8_t data[4096];
        size_t n = 0;
        for (const char *hex = field[4]; hex[0] && hex[1]; hex += 2)
            data[n++] = (uint8_t)(hex_digit(hex[0]) << 4 | hex_digit(hex[1]));
        struct pl_bitmap modules;
        seen++;
        if (encode(field[2], pl_slice_make(data, n), &arena, &modules) != PL_OK || !same(&modules, field[7])) {
            print_message("%s %s %s: differs: %.*s\n", name, field[0], field[2], (int)n, (const char *)data);
            wrong++;
        }
        pl_arena_reset(&arena, 1u << 20);
    }
    pl_arena_fini(&arena);
    fclose(file);
    print_message("%s: %u of %u vectors equal\n", name, seen - wrong, seen);
    assert_true(seen > 50);
    assert_int_equal(wrong, 0);
}

static void code128_equals_every_vector(void **state)
{
    (void)state;
    check_symbology("c128");
}

static void qr_equals_every_vector(void **state)
{
    (void)state;
    check_symbology("qr");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(code128_equals_every_vector),
                                       cmocka_unit_test(qr_equals_every_vector)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
