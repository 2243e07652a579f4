// Preloading: the files of a folder become objects of drive E:.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "os/files.h"
#include "store/store.h"

static const struct {
    const char *ext;
    enum pl_object_kind kind;
} KINDS[] = {
    {"GRF", PL_OBJECT_FILE},   {"PNG", PL_OBJECT_FILE}, {"BMP", PL_OBJECT_FILE}, {"PCX", PL_OBJECT_FILE},
    {"ZPL", PL_OBJECT_FORMAT}, {"TTF", PL_OBJECT_FONT}, {"OTF", PL_OBJECT_FONT}, {"TTE", PL_OBJECT_FONT},
};

static enum pl_errc read_file(struct pl_store *store, struct pl_os_folder *folder, const char *name,
                              struct pl_slice *out, struct pl_error *err)
{
    uint64_t size;
    int file = pl_os_file_open(folder, name, &size);
    if (file < 0)
        return pl_fail(err, PL_E_IO, "%s: %s", name, strerror(errno));
    enum pl_errc code = PL_OK;
    uint8_t *bytes = NULL;
    if (size > store->quota) {
        code = pl_fail(err, PL_E_LIMIT, "%s is larger than the memory for stored objects", name);
    } else {
        bytes = pl_arena_alloc(store->arena, (size_t)size + 1, 16);
        if (!bytes)
            code = pl_fail_memory(err);
    }
    if (code == PL_OK && !pl_os_file_read(file, bytes, (size_t)size))
        code = pl_fail(err, PL_E_IO, "%s: %s", name, errno ? strerror(errno) : "became shorter while it was read");
    pl_os_file_close(file);
    *out = pl_slice_make(bytes, (size_t)size);
    return code;
}

static enum pl_errc load_file(struct pl_store *store, struct pl_os_folder *folder, const char *file, uint32_t *loaded,
                              struct pl_error *err)
{
    struct pl_object object = {.origin = UINT32_MAX, .prefixes = {'^', '~', ','}};
    bool whole = pl_object_name_parse(pl_slice_cstr(file), "", "", &object.name);
    size_t kind = 0;
    while (kind < sizeof(KINDS) / sizeof(KINDS[0]) && strcmp(KINDS[kind].ext, object.name.ext) != 0)
        kind++;
    if (kind == sizeof(KINDS) / sizeof(KINDS[0]) || !pl_os_folder_has_file(folder, file))
        return PL_OK;
    if (!whole || object.name.name_len == 0)
        return pl_fail(err, PL_E_INVALID, "%s: a stored object's name has 1 to %d letters and digits", file,
                       PL_STORE_NAME_MAX);
    object.name.drive = 'E';
    object.kind = KINDS[kind].kind;
    PL_TRY(read_file(store, folder, file, &object.bytes, err));
    object.cost = object.bytes.len;
    PL_TRY(pl_store_put(store, &object, err));
    (*loaded)++;
    return PL_OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

enum pl_errc pl_store_load_dir(struct pl_store *store, const char *path, uint32_t *loaded, struct pl_error *err)
{
    *loaded = 0;
    struct pl_os_folder *folder = pl_os_folder_open(path);
    if (!folder)
        return pl_fail(err, PL_E_IO, "%s: %s", path, strerror(errno));
    // Sorted, so that two files that make the same object give the same one on every machine.
    char **names = NULL;
    size_t count = 0, capacity = 0;
    enum pl_errc code = PL_OK;
    for (const char *name; code == PL_OK && (name = pl_os_folder_next(folder));) {
        if (name[0] == '.')
            continue;
        if (count == capacity) {
            size_t more = capacity ? capacity * 2 : 64;
            char **grown = more > PL_STORE_MAX_OBJECTS * 4u ? NULL : realloc(names, more * sizeof(*names));
            if (!grown) {
                code = pl_fail(err, PL_E_LIMIT, "%s holds too many files", path);
                break;
            }
            names = grown;
            capacity = more;
        }
        names[count] = strdup(name);
        if (!names[count++])
            code = pl_fail(err, PL_E_MEMORY, "no memory for the names in %s", path);
    }
    if (code == PL_OK && count > 0)
        qsort(names, count, sizeof(*names), by_name);
    for (size_t i = 0; i < count; i++) {
        if (code == PL_OK)
            code = load_file(store, folder, names[i], loaded, err);
        free(names[i]);
    }
    free(names);
    pl_os_folder_close(folder);
    return code;
}
