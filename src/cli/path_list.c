// Lists of paths: the files that a command line means.
#include "cli/path_list.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "answer/languages.h"

bool path_list_add(struct path_list *inputs, const char *path)
{
    char **paths = realloc(inputs->paths, (inputs->count + 1) * sizeof *paths);
    char *copy = paths ? strdup(path) : NULL;
    if (paths)
        inputs->paths = paths;
    if (!copy) {
        fprintf(stderr, "platen: %s: not enough memory\n", path);
        return false;
    }
    inputs->paths[inputs->count++] = copy;
    return true;
}

void path_list_free(struct path_list *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        free(inputs->paths[i]);
    free(inputs->paths);
    *inputs = (struct path_list){0};
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char *path_join(const char *folder, const char *name)
{
    char *full;
    bool slash = folder[0] != '\0' && folder[strlen(folder) - 1] == '/'; // as the user wrote it
    if (asprintf(&full, slash ? "%s%s" : "%s/%s", folder, name) >= 0)
        return full;
    fprintf(stderr, "platen: %s: not enough memory\n", folder);
    return NULL;
}

// A pattern that the shell has not expanded. False: it matches nothing.
static bool add_matches(struct path_list *inputs, const char *pattern, bool *ok)
{
    glob_t found;
    if (!strpbrk(pattern, "*?[") || glob(pattern, 0, NULL, &found) != 0)
        return false;
    for (size_t i = 0; i < found.gl_pathc && *ok; i++)
        *ok = path_list_add_input(inputs, found.gl_pathv[i]);
    inputs->folder = true;
    globfree(&found);
    return true;
}

bool path_list_add_input(struct path_list *inputs, const char *path)
{
    struct stat st;
    bool matched = true;
    if (strcmp(path, "-") != 0 && stat(path, &st) != 0 && add_matches(inputs, path, &matched))
        return matched;
    if (strcmp(path, "-") == 0 || stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
        return path_list_add(inputs, path); // a missing file is reported when it is read
    inputs->folder = true;
    DIR *dir = opendir(path);
    if (!dir) {
        fprintf(stderr, "platen: %s: %s\n", path, strerror(errno));
        return false;
    }
    size_t first = inputs->count;
    bool ok = true;
    for (struct dirent *entry; ok && (entry = readdir(dir));) {
        if (!is_label_file(entry->d_name))
            continue;
        char *full = path_join(path, entry->d_name);
        ok = full && path_list_add(inputs, full);
        free(full);
    }
    closedir(dir);
    if (inputs->count > first)
        qsort(inputs->paths + first, inputs->count - first, sizeof *inputs->paths, by_name);
    if (ok && inputs->count == first) {
        char files[LANGUAGES_TEXT_MAX];
        fprintf(stderr, "platen: %s: no label files (%s) in this folder\n", path, language_list(files, true));
        return false;
    }
    return ok;
}

bool path_list_add_inputs(struct path_list *inputs, int count, char **paths)
{
    for (int i = 0; i < count; i++) {
        if (!path_list_add_input(inputs, paths[i])) {
            path_list_free(inputs);
            return false;
        }
    }
    return true;
}

static bool is_folder(const char *path, bool follow)
{
    struct stat st;
    return (follow ? stat(path, &st) : lstat(path, &st)) == 0 && S_ISDIR(st.st_mode);
}

// Its label files go to `inputs`, its folders to `folders`. False: a line was printed.
static bool list_folder(struct path_list *inputs, struct path_list *folders, const char *path)
{
    DIR *dir = opendir(path);
    if (!dir)
        return path_list_add(inputs, path);
    bool ok = true;
    for (struct dirent *entry; ok && (entry = readdir(dir));) {
        if (entry->d_name[0] == '.')
            continue;
        char *full = path_join(path, entry->d_name);
        ok = full != NULL;
        if (ok && is_folder(full, false))
            ok = path_list_add(folders, full);
        else if (ok && is_label_file(entry->d_name) && !is_folder(full, true))
            ok = path_list_add(inputs, full);
        free(full);
    }
    closedir(dir);
    return ok;
}

bool path_list_add_tree(struct path_list *inputs, const char *path)
{
    if (strcmp(path, "-") == 0 || !is_folder(path, true))
        return path_list_add(inputs, path);
    struct path_list folders = {0};
    size_t first = inputs->count;
    bool ok = path_list_add(&folders, path);
    for (size_t i = 0; ok && i < folders.count; i++)
        ok = list_folder(inputs, &folders, folders.paths[i]);
    path_list_free(&folders);
    inputs->folder = true;
    if (ok && inputs->count == first)
        ok = path_list_add(inputs, path);
    else if (inputs->count > first)
        qsort(inputs->paths + first, inputs->count - first, sizeof *inputs->paths, by_name);
    return ok;
}
