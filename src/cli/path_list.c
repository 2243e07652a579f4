// Lists of paths: the files that a command line means.
#include "cli/path_list.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool path_list_add(struct path_list *list, const char *path)
{
    char **paths = realloc(list->paths, (list->count + 1) * sizeof *paths);
    char *copy = paths ? strdup(path) : NULL;
    if (paths)
        list->paths = paths;
    if (!copy) {
        fprintf(stderr, "platen: %s: not enough memory\n", path);
        return false;
    }
    list->paths[list->count++] = copy;
    return true;
}

void path_list_free(struct path_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->paths[i]);
    free(list->paths);
    *list = (struct path_list){0};
}

bool is_label_file(const char *name)
{
    static const char *const ENDINGS[] = {".zpl", ".epl", ".tspl", ".cpcl", ".txt", ".prn", ".lbl"};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && dot != name && i < sizeof ENDINGS / sizeof ENDINGS[0]; i++) {
        if (strcasecmp(dot, ENDINGS[i]) == 0)
            return true;
    }
    return false;
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
static bool add_matches(struct path_list *list, const char *pattern, bool *ok)
{
    glob_t found;
    if (!strpbrk(pattern, "*?[") || glob(pattern, 0, NULL, &found) != 0)
        return false;
    for (size_t i = 0; i < found.gl_pathc && *ok; i++)
        *ok = path_list_add_input(list, found.gl_pathv[i]);
    list->folder = true;
    globfree(&found);
    return true;
}

bool path_list_add_input(struct path_list *list, const char *path)
{
    struct stat st;
    bool matched = true;
    if (strcmp(path, "-") != 0 && stat(path, &st) != 0 && add_matches(list, path, &matched))
        return matched;
    if (strcmp(path, "-") == 0 || stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
        return path_list_add(list, path); // a missing file is reported when it is read
    list->folder = true;
    DIR *dir = opendir(path);
    if (!dir) {
        fprintf(stderr, "platen: %s: %s\n", path, strerror(errno));
        return false;
    }
    size_t first = list->count;
    bool ok = true;
    for (struct dirent *entry; ok && (entry = readdir(dir));) {
        if (!is_label_file(entry->d_name))
            continue;
        char *full = path_join(path, entry->d_name);
        ok = full && path_list_add(list, full);
        free(full);
    }
    closedir(dir);
    if (list->count > first)
        qsort(list->paths + first, list->count - first, sizeof *list->paths, by_name);
    if (ok && list->count == first) {
        fprintf(stderr,
                "platen: %s: no label files (*.zpl, *.epl, *.tspl, *.cpcl, *.txt, *.prn, *.lbl) in this folder\n",
                path);
        return false;
    }
    return ok;
}

bool path_list_add_all(struct path_list *list, path_list_adder *add, int count, char **paths)
{
    bool ok = true;
    for (int i = 0; ok && i < count; i++)
        ok = add(list, paths[i]);
    return ok;
}

static bool is_folder(const char *path, bool follow)
{
    struct stat st;
    return (follow ? stat(path, &st) : lstat(path, &st)) == 0 && S_ISDIR(st.st_mode);
}

// Its label files go to `list`, its folders to `folders`. False: a line was printed.
static bool list_folder(struct path_list *list, struct path_list *folders, const char *path)
{
    DIR *dir = opendir(path);
    if (!dir)
        return path_list_add(list, path);
    bool ok = true;
    for (struct dirent *entry; ok && (entry = readdir(dir));) {
        if (entry->d_name[0] == '.')
            continue;
        char *full = path_join(path, entry->d_name);
        ok = full != NULL;
        if (ok && is_folder(full, false))
            ok = path_list_add(folders, full);
        else if (ok && is_label_file(entry->d_name) && !is_folder(full, true))
            ok = path_list_add(list, full);
        free(full);
    }
    closedir(dir);
    return ok;
}

bool path_list_add_tree(struct path_list *list, const char *path)
{
    if (strcmp(path, "-") == 0 || !is_folder(path, true))
        return path_list_add(list, path);
    struct path_list folders = {0};
    size_t first = list->count;
    bool ok = path_list_add(&folders, path);
    for (size_t i = 0; ok && i < folders.count; i++)
        ok = list_folder(list, &folders, folders.paths[i]);
    path_list_free(&folders);
    list->folder = true;
    if (ok && list->count == first)
        ok = path_list_add(list, path);
    else if (list->count > first)
        qsort(list->paths + first, list->count - first, sizeof *list->paths, by_name);
    return ok;
}
