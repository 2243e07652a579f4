// What the system is asked for: files, folders, clocks, character sets.
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "os/clock.h"
#include "os/files.h"
#include "os/once.h"

static char folder_path[] = "/tmp/platen-os-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder_path, name);
    return path;
}

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder_path))
        return -1;
    FILE *f = fopen(path_of("five"), "w");
    if (!f)
        return -1;
    fputs("12345", f);
    fclose(f);
    f = fopen(path_of("empty"), "w");
    return f ? fclose(f) : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path_of("five"));
    unlink(path_of("empty"));
    return rmdir(folder_path);
}

static void a_file_is_mapped_whole_or_not_at_all(void **state)
{
    (void)state;
    const void *bytes;
    size_t size;
    assert_true(pl_os_map(path_of("five"), 5, &bytes, &size));
    assert_int_equal(size, 5);
    assert_memory_equal(bytes, "12345", 5);
    pl_os_unmap(bytes, size);
    assert_false(pl_os_map(path_of("five"), 4, &bytes, &size));
    assert_false(pl_os_map(path_of("empty"), 5, &bytes, &size));
    assert_false(pl_os_map(path_of("none"), 5, &bytes, &size));
    assert_int_equal(errno, ENOENT);
    assert_false(pl_os_map(folder_path, 1 << 20, &bytes, &size));
}

static void a_folder_is_listed_and_its_files_read(void **state)
{
    (void)state;
    struct pl_os_folder *folder = pl_os_folder_open(folder_path);
    assert_non_null(folder);
    unsigned files = 0;
    for (const char *name; (name = pl_os_folder_next(folder));)
        files += pl_os_folder_has_file(folder, name);
    assert_int_equal(files, 2); // and not "." and ".."
    uint64_t size;
    int file = pl_os_file_open(folder, "five", &size);
    assert_true(file >= 0 && size == 5);
    char text[8];
    assert_true(pl_os_file_read(file, text, 3));
    assert_memory_equal(text, "123", 3);
    // More than there is: not a failure of the system, and said so.
    assert_false(pl_os_file_read(file, text, 3));
    assert_int_equal(errno, 0);
    pl_os_file_close(file);
    assert_true(pl_os_file_open(folder, "none", &size) < 0);
    assert_int_equal(errno, ENOENT);
    pl_os_folder_close(folder);
    assert_null(pl_os_folder_open("/nonexistent/folder"));
}

static void clocks_go_on(void **state)
{
    (void)state;
    uint64_t before = pl_now_ns();
    assert_true(before > 0 && pl_now_ns() >= before);
    assert_true(pl_os_seconds() > INT64_C(1700000000));
}

static int made;

static void make(void)
{
    made++;
}

static void once_is_once(void **state)
{
    (void)state;
    static struct pl_once once = PL_ONCE_INIT;
    pl_once(&once, make);
    pl_once(&once, make);
    assert_int_equal(made, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_mapped_whole_or_not_at_all),
        cmocka_unit_test(a_folder_is_listed_and_its_files_read),
        cmocka_unit_test(clocks_go_on),
        cmocka_unit_test(once_is_once),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
