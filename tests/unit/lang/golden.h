// Golden scenes of a language: every label of its folder is interpreted and compared with the dump beside it, and again
// with every allocation failing in turn. GOLDEN_UPDATE=1 writes the dumps anew: look at the difference before
// committing it. Samples of others are interpreted without an unknown command.
#ifndef PL_TEST_GOLDEN_H
#define PL_TEST_GOLDEN_H

#include <dirent.h>

#include "lang_fixture.h"

#define GOLDENS_MOST 512

struct golden {
    const char *folder, *ending; // "tests/golden/epl", ".epl"
    pl_lang_interpret *interpret;
};

static struct golden golden;
static char golden_names[GOLDENS_MOST][128];

static inline uint8_t *golden_read(const char *path, size_t *length)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    rewind(f);
    uint8_t *data = malloc((size_t)size + 1);
    assert_non_null(data);
    *length = fread(data, 1, (size_t)size, f);
    data[*length] = '\0';
    fclose(f);
    return data;
}

// Every allocation fails once: no crash, and a clear error.
static inline void golden_fail_each_allocation(const uint8_t *code, size_t length, uint64_t allocations)
{
    uint64_t stride = allocations / 300 + 1;
    for (uint64_t n = 1; n <= allocations; n += stride) {
        struct run r;
        run_init(&r);
        r.arena.fail_at = n;
        run_with(&r, golden.interpret, code, length);
        // Diagnostics that find no memory are only counted, so the end may still be good.
        assert_true(r.code == PL_E_MEMORY || r.code == PL_OK || r.code == PL_E_LIMIT);
        run_end(&r);
    }
}

static inline void golden_compare(void **state)
{
    const char *name = *state;
    char path[256];
    size_t length = 0, expected_length = 0;
    snprintf(path, sizeof path, "%s/%s%s", golden.folder, name, golden.ending);
    uint8_t *code = golden_read(path, &length);
    assert_non_null(code);
    struct run r;
    run_init(&r);
    run_with(&r, golden.interpret, code, length);
    struct pl_buf dump;
    pl_buf_init(&dump, (size_t)64 << 20);
    if (r.code == PL_OK)
        run_dump(&r, pl_slice_make(code, length), &dump);
    else
        pl_buf_printf(&dump, "error %s: %s\n", pl_errc_name(r.code), r.err.message);
    pl_buf_append_byte(&dump, '\0');
    assert_false(dump.failed);
    uint64_t allocations = r.arena.allocations;
    run_end(&r);

    snprintf(path, sizeof path, "%s/%s.scene", golden.folder, name);
    if (getenv("GOLDEN_UPDATE")) {
        FILE *f = fopen(path, "wb");
        assert_non_null(f);
        fwrite(dump.data, 1, dump.len - 1, f);
        fclose(f);
    }
    char *expected = (char *)golden_read(path, &expected_length);
    if (!expected)
        fail_msg("%s is missing; run with GOLDEN_UPDATE=1 and look at it", path);
    assert_string_equal((const char *)dump.data, expected);
    free(expected);
    golden_fail_each_allocation(code, length, allocations);
    pl_buf_fini(&dump);
    free(code);
}

static inline int golden_by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

// Names of the files of a folder that end like that, without the ending, in order.
static inline size_t golden_list(const char *folder, const char *ending)
{
    size_t count = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir)) && count < GOLDENS_MOST;) {
        size_t length = strlen(entry->d_name), end = strlen(ending);
        if (length <= end || length >= sizeof golden_names[0] || strcmp(entry->d_name + length - end, ending) != 0)
            continue;
        memcpy(golden_names[count], entry->d_name, length - end);
        golden_names[count++][length - end] = '\0';
    }
    if (dir)
        closedir(dir);
    qsort(golden_names, count, sizeof golden_names[0], golden_by_name);
    return count;
}

// Each golden label is a test; `least` of them are there.
static inline int golden_main(struct golden of, size_t least)
{
    golden = of;
    size_t count = golden_list(of.folder, of.ending);
    if (count < least) {
        fprintf(stderr, "%s has %zu labels\n", of.folder, count);
        return 1;
    }
    struct CMUnitTest *tests = calloc(count + 1, sizeof(*tests));
    if (!tests)
        return 1;
    for (size_t i = 0; i < count; i++)
        tests[i] = (struct CMUnitTest){golden_names[i], golden_compare, NULL, NULL, golden_names[i]};
    int failed = _cmocka_run_group_tests("golden", tests, count, NULL, NULL);
    free(tests);
    return failed;
}

// Every sample of a language in ../shared is interpreted; `look` sees each. Skipped where there are none.
static inline void golden_samples(const char *language, pl_lang_interpret *interpret, size_t least,
                                  void (*look)(const char *name, const struct run *r))
{
    char folder[512], path[1024], ending[16];
    const char *shared = getenv("PLATEN_SHARED");
    snprintf(folder, sizeof folder, "%s/languages/%s/samples", shared ? shared : "../shared", language);
    snprintf(ending, sizeof ending, ".%s", language);
    size_t count = golden_list(folder, ending);
    if (count == 0)
        skip();
    assert_true(count >= least);
    for (size_t i = 0; i < count; i++) {
        size_t length = 0;
        snprintf(path, sizeof path, "%s/%.127s%s", folder, golden_names[i], ending);
        uint8_t *code = golden_read(path, &length);
        assert_non_null(code);
        struct run r;
        run_init(&r);
        run_with(&r, interpret, code, length);
        assert_int_equal(r.code, PL_OK);
        if (run_count(&r, PL_DIAG_UNKNOWN_COMMAND) > 0)
            fail_msg("%s has an unknown command", golden_names[i]);
        look(golden_names[i], &r);
        run_end(&r);
        free(code);
    }
}

#endif
