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

static bool complain(const char *path, const char *why)
{
    fprintf(stderr, "platen: %s: %s\n", path, why);
    return false;
}

bool is_folder(const char *path)
{
    struct stat st;
    return strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool path_list_add(struct path_list *list, const char *path)
{
    char **paths = realloc(list->paths, (list->count + 1) * sizeof *paths);
    char *copy = paths ? strdup(path) : NULL;
    if (paths)
        list->paths = paths;
    if (!copy)
        return complain(path, "not enough memory");
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
    complain(folder, "not enough memory");
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
    if (!is_folder(path))
        return path_list_add(list, path); // a missing file is reported when it is read
    list->folder = true;
    DIR *dir = opendir(path);
    if (!dir)
        return complain(path, strerror(errno));
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
        char files[LANGUAGES_TEXT_MAX];
        fprintf(stderr, "platen: %s: no label files (%s) in this folder\n", path, language_list(files, true));
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

// Its wanted files go to `files`, its folders to `folders`.
static bool list_folder(struct path_list *files, struct path_list *folders, DIR *dir, const char *path,
                        bool (*is_wanted)(const char *path))
{
    bool ok = true;
    struct stat st;
    for (struct dirent *entry; ok && (entry = readdir(dir));) {
        if (entry->d_name[0] == '.')
            continue;
        char *full = path_join(path, entry->d_name);
        ok = full != NULL;
        if (ok && lstat(full, &st) == 0 && S_ISDIR(st.st_mode))
            ok = path_list_add(folders, full);
        else if (ok && is_wanted(full))
            ok = path_list_add(files, full);
        free(full);
    }
    closedir(dir);
    return ok;
}

bool path_list_walk(struct path_list *files, struct path_list *unread, const char *folder,
                    bool (*is_wanted)(const char *path))
{
    struct path_list folders = {0};
    bool ok = path_list_add(&folders, folder);
    for (size_t i = 0; ok && i < folders.count; i++) {
        const char *path = folders.paths[i];
        DIR *dir = opendir(path);
        if (dir)
            ok = list_folder(files, &folders, dir, path, is_wanted);
        else
            ok = unread ? path_list_add(unread, path) : complain(path, strerror(errno));
    }
    path_list_free(&folders);
    return ok;
}

static bool is_label_input(const char *path)
{
    return is_label_file(path) && !is_folder(path);
}

bool path_list_add_tree(struct path_list *list, const char *path)
{
    if (!is_folder(path))
        return path_list_add(list, path);
    size_t first = list->count;
    bool ok = path_list_walk(list, list, path, is_label_input);
    list->folder = true;
    if (ok && list->count == first)
        ok = path_list_add(list, path);
    else if (list->count > first)
        qsort(list->paths + first, list->count - first, sizeof *list->paths, by_name);
    return ok;
}
