// No memory in the libraries behind libplaten: from the n-th allocation of a call on all fail, for every n. The call
// then gives PLATEN_E_MEMORY or PLATEN_E_LIMIT, or the same bytes as ever. The system's functions are replaced here, so
// for FreeType, HarfBuzz, libwebp and zxing-cpp, too.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platen/platen.h"
#include "unit.h"

#include "engine_fixture.h"

// glibc's own names of what is replaced.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t align, size_t size);

static uint32_t calls, fail_at; // fail_at 0: never

static bool refuse(void)
{
    calls++;
    if (fail_at == 0 || calls < fail_at)
        return false;
    errno = ENOMEM;
    return true;
}

#pragma GCC visibility push(default)
void *malloc(size_t size)
{
    return refuse() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return refuse() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return refuse() ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t align, size_t size)
{
    return refuse() ? NULL : __libc_memalign(align, size);
}
#pragma GCC visibility pop

static void *file;
static size_t file_size;

static void read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    file = malloc((size_t)8 << 20);
    assert_non_null(file);
    file_size = fread(file, 1, (size_t)8 << 20, f);
    fclose(f);
    assert_true(file_size > 0);
}

typedef enum platen_status call(struct platen_buffer *out, struct platen_error *err);

// Returns how many allocations the call makes.
static uint32_t starve(call *function)
{
    struct platen_buffer want = {0}, got = {0};
    struct platen_error err;
    assert_int_equal(function(&want, &err), PLATEN_OK);
    for (uint32_t n = 1;; n++) {
        calls = 0;
        fail_at = n;
        platen_buffer_free(&got);
        enum platen_status status = function(&got, &err);
        uint32_t made = calls;
        fail_at = 0;
        if (status == PLATEN_OK) {
            assert_int_equal(got.size, want.size);
            assert_memory_equal(got.data, want.data, want.size);
        } else if (status != PLATEN_E_MEMORY && status != PLATEN_E_LIMIT) {
            print_error("allocation %u: %s\n", n, err.message);
            assert_int_equal(status, PLATEN_E_MEMORY);
        }
        if (made < n) { // nothing was refused
            assert_int_equal(status, PLATEN_OK);
            platen_buffer_free(&want);
            platen_buffer_free(&got);
            return n;
        }
    }
}

static enum platen_status font_part(struct platen_buffer *out, struct platen_error *err)
{
    struct platen_font_options options = PLATEN_FONT_OPTIONS(.chars = "Hello 123");
    return platen_font_code(engine, file, file_size, &options, out, err);
}

static void a_part_of_a_font_crashed_or_had_other_bytes(void **state)
{
    (void)state;
    read_file("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf");
    assert_true(starve(font_part) > 100);
    free(file);
}

static enum platen_status verified(struct platen_buffer *out, struct platen_error *err)
{
    static const char ZPL[] = "^XA^FO50,50^BY3^BCN,100^FD12345678^FS^FO50,250^BQN,2,6^FDQA,hello^FS^XZ";
    struct platen_options options = PLATEN_OPTIONS(.verify = true, .want_elements = true, .has_time = true);
    struct platen_worker *fresh; // a warm one allocates less
    struct platen_document *document = NULL;
    enum platen_status status = platen_worker_new(engine, &fresh, err);
    if (status != PLATEN_OK)
        return status;
    status = platen_parse(fresh, ZPL, strlen(ZPL), &options, &document, err);
    if (status == PLATEN_OK)
        status = platen_describe(fresh, document, NULL, out, err);
    platen_document_free(document);
    platen_worker_free(fresh);
    return status;
}

static void verify_aborted(void **state)
{
    (void)state;
    assert_true(starve(verified) > 100);
}

static enum platen_status picture(struct platen_buffer *out, struct platen_error *err)
{
    // A lossy WebP of 16 x 16 shades. Of lossless ones libwebp 1.2 itself crashes at one of its allocations.
    static const uint8_t WEBP[] = {
#include "small_webp.inc"
    };
    struct platen_graphic *graphic;
    enum platen_status status = platen_graphic_new(engine, WEBP, sizeof WEBP, NULL, &graphic, err);
    if (status == PLATEN_OK) {
        size_t size;
        const char *code = platen_graphic_code(graphic, &size);
        out->data = __libc_malloc(size);
        memcpy(out->data, code, size);
        out->size = out->capacity = size;
    }
    platen_graphic_free(graphic);
    return status;
}

static void a_webp_was_damaged_where_memory_failed(void **state)
{
    (void)state;
    assert_true(starve(picture) > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_part_of_a_font_crashed_or_had_other_bytes),
                                       cmocka_unit_test(verify_aborted),
                                       cmocka_unit_test(a_webp_was_damaged_where_memory_failed)};
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
