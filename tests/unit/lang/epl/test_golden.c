// Golden scenes of EPL2: every label of tests/golden/epl is interpreted and compared with the dump beside it, and again
// with every allocation failing in turn. GOLDEN_UPDATE=1 writes the dumps anew: look at the difference before
// committing it.
#include <dirent.h>

#include "epl_fixture.h"

#define FOLDER "tests/golden/epl"
#define MAX_GOLDENS 512

static char names[MAX_GOLDENS][128];

static uint8_t *read_whole(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    rewind(f);
    uint8_t *data = malloc((size_t)size + 1);
    assert_non_null(data);
    *len = fread(data, 1, (size_t)size, f);
    data[*len] = '\0';
    fclose(f);
    return data;
}

static void compare_golden(void **state)
{
    const char *name = *state;
    char path[256];
    snprintf(path, sizeof(path), FOLDER "/%s.epl", name);
    size_t len, expected_len = 0;
    uint8_t *epl = read_whole(path, &len);
    assert_non_null(epl);
    struct run r;
    run_init(&r);
    run_epl_bytes(&r, epl, len);
    struct pl_buf dump;
    pl_buf_init(&dump, (size_t)64 << 20);
    if (r.code == PL_OK)
        run_dump(&r, pl_slice_make(epl, len), &dump);
    else
        pl_buf_printf(&dump, "error %s: %s\n", pl_errc_name(r.code), r.err.message);
    pl_buf_append_byte(&dump, '\0');
    assert_false(dump.failed);

    snprintf(path, sizeof(path), FOLDER "/%s.scene", name);
    if (getenv("GOLDEN_UPDATE")) {
        FILE *f = fopen(path, "wb");
        assert_non_null(f);
        fwrite(dump.data, 1, dump.len - 1, f);
        fclose(f);
    }
    char *expected = (char *)read_whole(path, &expected_len);
    if (!expected)
        fail_msg("%s is missing; run with GOLDEN_UPDATE=1 and look at it", path);
    assert_string_equal((const char *)dump.data, expected);
    free(expected);

    // Every allocation fails once: no crash, and a clear error.
    uint64_t allocations = r.arena.allocations;
    run_end(&r);
    uint64_t stride = allocations / 300 + 1;
    for (uint64_t n = 1; n <= allocations; n += stride) {
        run_init(&r);
        r.arena.fail_at = n;
        run_epl_bytes(&r, epl, len);
        // Diagnostics that find no memory are only counted, so the end may still be good.
        assert_true(r.code == PL_E_MEMORY || r.code == PL_OK || r.code == PL_E_LIMIT);
        run_end(&r);
    }
    pl_buf_fini(&dump);
    free(epl);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

int main(void)
{
    size_t count = 0;
    DIR *dir = opendir(FOLDER);
    if (!dir) {
        fprintf(stderr, FOLDER " is not there\n");
        return 1;
    }
    for (struct dirent *entry; (entry = readdir(dir)) && count < MAX_GOLDENS;) {
        size_t len = strlen(entry->d_name);
        if (len > 4 && len < sizeof(names[0]) && strcmp(entry->d_name + len - 4, ".epl") == 0) {
            memcpy(names[count], entry->d_name, len - 4);
            names[count][len - 4] = '\0';
            count++;
        }
    }
    closedir(dir);
    qsort(names, count, sizeof(names[0]), by_name);
    struct CMUnitTest *tests = calloc(count + 1, sizeof(*tests));
    if (!tests)
        return 1;
    for (size_t i = 0; i < count; i++)
        tests[i] = (struct CMUnitTest){names[i], compare_golden, NULL, NULL, names[i]};
    int failed = _cmocka_run_group_tests("golden", tests, count, NULL, NULL);
    free(tests);
    return failed;
}
