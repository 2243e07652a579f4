// Matrix and stacked symbols compared module for module with the vectors and measured symbols of shared/barcodes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bar/encode/aztec.h"
#include "bar/encode/datamatrix.h"
#include "bar/encode/pdf417.h"
#include "unit.h"
#include "zpl_field.h"

#define MAX_FIELDS 16

struct row {
    char *field[MAX_FIELDS];
    int count;
};

static FILE *open_shared(const char *name)
{
    const char *root = getenv("PLATEN_SHARED");
    char path[1024];
    snprintf(path, sizeof path, "%s/barcodes/%s", root != NULL && *root != '\0' ? root : "../shared", name);
    return fopen(path, "r");
}

static void split(char *line, struct row *row)
{
    row->count = 0;
    line[strcspn(line, "\n")] = '\0';
    while (line != NULL && row->count < MAX_FIELDS)
        row->field[row->count++] = strsep(&line, "\t");
}

static unsigned hex_digit(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c | 32) - 'a' + 10;
}

static size_t from_hex(const char *hex, uint8_t *out)
{
    size_t n = 0;
    for (; hex[0] != '\0' && hex[1] != '\0'; hex += 2)
        out[n++] = (uint8_t)(hex_digit(hex[0]) << 4 | hex_digit(hex[1]));
    return n;
}

// Rows as hexadecimal digits or as 0/1, '/' between them.
static bool same_modules(const struct pl_bitmap *modules, const char *rows, bool hex)
{
    for (uint32_t y = 0; y < modules->height; y++) {
        for (uint32_t x = 0; x < modules->width; x++) {
            char c = rows[hex ? x / 4 : x];
            if (c == '\0' || c == '/')
                return false;
            bool want = hex ? hex_digit(c) >> (3 - x % 4) & 1 : c == '1';
            if (want != pl_bitmap_get(modules, x, y))
                return false;
        }
        rows += hex ? (modules->width + 3) / 4 : modules->width;
        if (*rows != (y + 1 == modules->height ? '\0' : '/'))
            return false;
        rows++;
    }
    return true;
}

static bool encode_vector(const struct row *row, struct pl_slice data, struct pl_arena *arena,
                          struct pl_bitmap *modules)
{
    struct pl_error err = {0};
    const char *kind = row->field[1], *options = row->field[2];
    if (strcmp(kind, "dm") == 0)
        return pl_datamatrix_encode(pl_content_of(data), &(struct pl_datamatrix_options){0}, arena, modules, &err) ==
               PL_OK;
    if (strcmp(options, "mode=MICRO") == 0)
        return pl_micropdf417_encode(data, &(struct pl_micropdf417_options){.size = -1}, arena, modules, &err) == PL_OK;
    if (strcmp(kind, "pdf") == 0)
        return pl_pdf417_encode(data, &(struct pl_pdf417_options){.columns = 6, .security = 3}, arena, modules, &err) ==
               PL_OK;
    if (strcmp(kind, "aztec") == 0)
        return pl_aztec_encode(pl_content_of(data), &(struct pl_aztec_options){0}, arena, modules, &err) == PL_OK;
    return false;
}

// 0: all rows of this kind. Says every row that differs.
static void check_vectors(const char *kind, const char *options)
{
    FILE *file = open_shared("oracle_vectors.tsv");
    if (file == NULL)
        skip();
    char *line = NULL;
    size_t capacity = 0;
    unsigned total = 0, same = 0;
    while (getline(&line, &capacity, file) > 0) {
        struct row row;
        split(line, &row);
        if (row.count < 8 || strcmp(row.field[1], kind) != 0 || strcmp(row.field[2], options) != 0)
            continue;
        uint8_t bytes[4096];
        size_t length = from_hex(row.field[4], bytes);
        struct pl_arena arena;
        pl_arena_init(&arena, 64u << 20);
        struct pl_bitmap modules = {0};
        total++;
        if (encode_vector(&row, pl_slice_make(bytes, length), &arena, &modules) &&
            same_modules(&modules, row.field[7], true))
            same++;
        else
            print_message("vector %s (%s): differs, ours %u x %u, wanted %s x %s: %.*s\n", row.field[0], row.field[3],
                          modules.width, modules.height, row.field[5], row.field[6], (int)length, (char *)bytes);
        pl_arena_fini(&arena);
    }
    free(line);
    fclose(file);
    print_message("%s %s: %u of %u vectors\n", kind, options, same, total);
    assert_true(total > 0);
    assert_int_equal(same, total);
}

static void datamatrix_equals_vectors(void **state)
{
    (void)state;
    check_vectors("dm", "force=SQUARE");
}

static void pdf417_equals_vectors(void **state)
{
    (void)state;
    check_vectors("pdf", "ec=3;cols=6");
}

static void micropdf417_equals_vectors(void **state)
{
    (void)state;
    check_vectors("pdf", "mode=MICRO");
}

static void aztec_equals_vectors(void **state)
{
    (void)state;
    check_vectors("aztec", "pct=23");
}

// The field data of a measured label; control bytes are written <1E> there.
static size_t field_data(const char *zpl, uint8_t *out)
{
    const char *at = strstr(zpl, "^FD");
    assert_non_null(at);
    const char *end = strstr(at, "^FS");
    assert_non_null(end);
    size_t n = 0;
    for (at += 3; at < end; at++) {
        if (at[0] == '<' && end - at > 3 && at[3] == '>' && strspn(at + 1, "0123456789ABCDEF") == 2) {
            from_hex((char[]){at[1], at[2], '\0'}, out + n++);
            at += 3;
        } else {
            out[n++] = (uint8_t)*at;
        }
    }
    return n;
}

// The comma-separated parameter `index` of the barcode command, or -1 if it is missing or not a number.
static long parameter(const char *zpl, const char *command, int index)
{
    const char *at = strstr(zpl, command);
    assert_non_null(at);
    for (at += strlen(command); index > 0; index--) {
        at += strcspn(at, ",^");
        if (*at != ',')
            return -1;
        at++;
    }
    return *at >= '0' && *at <= '9' ? strtol(at, NULL, 10) : -1;
}

static uint32_t number_or_zero(long value)
{
    return value > 0 ? (uint32_t)value : 0;
}

static bool encode_measured(const char *symbology, const char *zpl, struct pl_arena *arena, struct pl_bitmap *modules)
{
    uint8_t bytes[4096];
    struct pl_slice data = pl_slice_make(bytes, field_data(zpl, bytes));
    struct pl_error err = {0};
    struct zpl_barcode field;
    if (strcmp(symbology, "DataMatrix") == 0) {
        struct pl_datamatrix_options options = {
            .columns = number_or_zero(parameter(zpl, "^BX", 3)),
            .rows = number_or_zero(parameter(zpl, "^BX", 4)),
        };
        zpl_barcode_init(&field, PL_SYM_DATAMATRIX);
        field.symbol.datamatrix.quality = 200;
        field.escape = strstr(zpl, ",_^FD") != NULL ? '_' : '~';
        return pl_datamatrix_encode(read_field(&field, data, arena).content, &options, arena, modules, &err) == PL_OK;
    }
    if (strcmp(symbology, "PDF417") == 0) {
        struct pl_pdf417_options options = {
            .security = number_or_zero(parameter(zpl, "^B7", 2)),
            .columns = number_or_zero(parameter(zpl, "^B7", 3)),
            .rows = number_or_zero(parameter(zpl, "^B7", 4)),
        };
        zpl_barcode_init(&field, PL_SYM_PDF417);
        return pl_pdf417_encode(read_field(&field, data, arena).content.bytes, &options, arena, modules, &err) == PL_OK;
    }
    if (strcmp(symbology, "MicroPDF417") == 0) {
        struct pl_micropdf417_options options = {.size = (int32_t)parameter(zpl, "^BF", 2)};
        zpl_barcode_init(&field, PL_SYM_MICROPDF417);
        return pl_micropdf417_encode(read_field(&field, data, arena).content.bytes, &options, arena, modules, &err) ==
               PL_OK;
    }
    if (strcmp(symbology, "Aztec") == 0) {
        const char *command = strstr(zpl, "^BO") != NULL ? "^BO" : "^B0";
        zpl_barcode_init(&field, PL_SYM_AZTEC);
        field.size = (int32_t)number_or_zero(parameter(zpl, command, 3));
        struct pl_barcode symbol = read_field(&field, data, arena);
        struct pl_aztec_options options = {.percent = symbol.aztec.percent,
                                           .layers = symbol.aztec.layers,
                                           .compact = symbol.aztec.compact,
                                           .rune = symbol.aztec.rune};
        return pl_aztec_encode(symbol.content, &options, arena, modules, &err) == PL_OK;
    }
    return false;
}

static void check_measured(const char *symbology)
{
    FILE *file = open_shared("patterns.tsv");
    if (file == NULL)
        skip();
    char *line = NULL;
    size_t capacity = 0;
    unsigned total = 0, same = 0;
    while (getline(&line, &capacity, file) > 0) {
        struct row row;
        split(line, &row);
        if (row.count < 12 || strcmp(row.field[3], symbology) != 0)
            continue;
        struct pl_arena arena;
        pl_arena_init(&arena, 64u << 20);
        struct pl_bitmap modules = {0};
        total++;
        if (encode_measured(symbology, row.field[2], &arena, &modules) && same_modules(&modules, row.field[11], false))
            same++;
        else
            print_message("measured %s: differs, ours %u x %u: %s\n", row.field[0], modules.width, modules.height,
                          row.field[2]);
        pl_arena_fini(&arena);
    }
    free(line);
    fclose(file);
    print_message("%s: %u of %u measured symbols\n", symbology, same, total);
    assert_true(total > 0);
    assert_int_equal(same, total);
}

static void measured_datamatrix(void **state)
{
    (void)state;
    check_measured("DataMatrix");
}

static void measured_pdf417(void **state)
{
    (void)state;
    check_measured("PDF417");
}

static void measured_micropdf417(void **state)
{
    (void)state;
    check_measured("MicroPDF417");
}

static void measured_aztec(void **state)
{
    (void)state;
    check_measured("Aztec");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(datamatrix_equals_vectors),  cmocka_unit_test(pdf417_equals_vectors),
        cmocka_unit_test(micropdf417_equals_vectors), cmocka_unit_test(aztec_equals_vectors),
        cmocka_unit_test(measured_datamatrix),        cmocka_unit_test(measured_pdf417),
        cmocka_unit_test(measured_micropdf417),       cmocka_unit_test(measured_aztec),
    };
    return cmocka_run_group_tests_name("matrix_vectors", tests, NULL, NULL);
}
