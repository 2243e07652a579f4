// Golden scenes: every label of tests/golden/tspl is interpreted and compared with the dump beside it, and again with
// every allocation failing in turn. GOLDEN_UPDATE=1 writes the dumps anew: look at the difference before committing it.
#include <dirent.h>

#include "tspl_fixture.h"

#define FOLDER "tests/golden/tspl"

static char *read_whole(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    char *data = calloc(1, 1u << 20);
    assert_non_null(data);
    *size = fread(data, 1, (1u << 20) - 1, f);
    fclose(f);
    return data;
}

static void dump(const struct run *r, struct pl_buf *out)
{
    pl_scene_dump(&r->scene, out);
    for (uint32_t i = 0; i < r->diags.count; i++) {
        const struct pl_diag *d = &r->diags.items[i];
        pl_buf_printf(out, "diag %u+%u %s %s\n", d->source.offset, d->source.length, pl_diag_info(d->id)->code,
                      d->message);
    }
    pl_buf_append_byte(out, '\0');
    assert_false(out->failed);
}

static void fail_each_allocation(const char *tspl, size_t size, uint64_t allocations)
{
    uint64_t stride = allocations / 300 + 1;
    for (uint64_t n = 1; n <= allocations; n += stride) {
        struct run r;
        run_init(&r);
        r.arena.fail_at = n;
        run_bytes(&r, tspl, size);
        // Diagnostics that find no memory are only counted, so the end may still be good.
        assert_true(r.code == PL_E_MEMORY || r.code == PL_OK || r.code == PL_E_LIMIT);
        run_end(&r);
    }
}

static void compare(const char *name)
{
    char path[512];
    size_t size, expected_size;
    snprintf(path, sizeof path, FOLDER "/%s.tspl", name);
    char *tspl = read_whole(path, &size);
    assert_non_null(tspl);
    struct run r;
    run_init(&r);
    run_bytes(&r, tspl, size);
    assert_int_equal(r.code, PL_OK);
    struct pl_buf out;
    pl_buf_init(&out, (size_t)16 << 20);
    dump(&r, &out);
    uint64_t allocations = r.arena.allocations;
    run_end(&r);
    snprintf(path, sizeof path, FOLDER "/%s.scene", name);
    if (getenv("GOLDEN_UPDATE")) {
        FILE *f = fopen(path, "wb");
        assert_non_null(f);
        fwrite(out.data, 1, out.len - 1, f);
        fclose(f);
    }
    char *expected = read_whole(path, &expected_size);
    if (!expected)
        fail_msg("%s is missing; run with GOLDEN_UPDATE=1 and look at it", path);
    assert_string_equal((const char *)out.data, expected);
    fail_each_allocation(tspl, size, allocations);
    free(expected);
    pl_buf_fini(&out);
    free(tspl);
}

static void goldens(void **state)
{
    (void)state;
    DIR *dir = opendir(FOLDER);
    assert_non_null(dir);
    uint32_t count = 0;
    for (struct dirent *entry; (entry = readdir(dir));) {
        char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".tspl") != 0)
            continue;
        *dot = '\0';
        compare(entry->d_name);
        count++;
    }
    closedir(dir);
    assert_true(count >= 10);
}

// Every sample is interpreted without an unknown command.
static void samples(void **state)
{
    (void)state;
    char folder[512], path[1024];
    const char *shared = getenv("PLATEN_SHARED");
    snprintf(folder, sizeof folder, "%s/languages/tspl/samples", shared ? shared : "../shared");
    DIR *dir = opendir(folder);
    if (!dir)
        skip();
    uint32_t count = 0;
    for (struct dirent *entry; (entry = readdir(dir));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".tspl") != 0)
            continue;
        size_t size;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        char *tspl = read_whole(path, &size);
        assert_non_null(tspl);
        struct run r;
        run_init(&r);
        run_bytes(&r, tspl, size);
        assert_int_equal(r.code, PL_OK);
        if (run_count(&r, PL_DIAG_UNKNOWN_COMMAND) > 0)
            fail_msg("%s has an unknown command", entry->d_name);
        // The one program with a loop is reported; all others print.
        bool program = strcmp(entry->d_name, "man-for-next.tspl") == 0;
        assert_int_equal(r.scene.label_count == 0, program);
        assert_int_equal(run_count(&r, PL_DIAG_UNSUPPORTED) > 0,
                         program || strcmp(entry->d_name, "man-aztec.tspl") == 0);
        run_end(&r);
        free(tspl);
        count++;
    }
    closedir(dir);
    assert_true(count >= 18);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(goldens), cmocka_unit_test(samples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
