// Label code of others, from one language to another: the picture is the same, or each difference is named.
#include "unit.h"

#include <dirent.h>
#include <stdio.h>

#include "convert_fixture.h"

static char *read_whole(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        fail_msg("%s cannot be read", path);
    char *data = malloc(1 << 20);
    *size = fread(data, 1, 1 << 20, f);
    fclose(f);
    return data;
}

static uint32_t check_samples(const char *folder, const char *ending)
{
    char path[1024];
    uint32_t count = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ending) != 0)
            continue;
        size_t size;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        char *code = read_whole(path, &size);
        struct converted z = convert(code, size, PLATEN_LANGUAGE_DETECT, PLATEN_LANGUAGE_ZPL);
        if (z.notes == 0 && !is_same(code, size, PLATEN_LANGUAGE_DETECT, &z, PLATEN_LANGUAGE_ZPL))
            fail_msg("%s: other dots, and nobody named them", entry->d_name);
        free(z.code);
        free(code);
        count++;
    }
    if (dir)
        closedir(dir);
    return count;
}

static void samples_are_the_same_or_named(void **state)
{
    (void)state;
    static const char *const FOLDERS[][2] = {{"epl", ".txt"}, {"tspl", ".tspl"}, {"cpcl", ".cpcl"}};
    const char *shared = getenv("PLATEN_SHARED") ? getenv("PLATEN_SHARED") : "../shared";
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof FOLDERS / sizeof *FOLDERS; i++) {
        char folder[512];
        snprintf(folder, sizeof folder, "%s/languages/%s/samples", shared, FOLDERS[i][0]);
        count += check_samples(folder, FOLDERS[i][1]);
    }
    if (count == 0)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_the_same_or_named),
    };
    return cmocka_run_group_tests(tests, engine_set_up, engine_tear_down);
}
