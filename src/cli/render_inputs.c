// Which files there are to render, and what their pictures are called.
#include "cli/render_inputs.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool render_inputs_add_path(struct render_inputs *inputs, const char *path)
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

void render_inputs_free(struct render_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        free(inputs->paths[i]);
    free(inputs->paths);
    *inputs = (struct render_inputs){0};
}

bool render_is_label_file(const char *name)
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

char *render_path_join(const char *folder, const char *name)
{
    char *full;
    bool slash = folder[0] != '\0' && folder[strlen(folder) - 1] == '/'; // as the user wrote it
    if (asprintf(&full, slash ? "%s%s" : "%s/%s", folder, name) >= 0)
        return full;
    fprintf(stderr, "platen: %s: not enough memory\n", folder);
    return NULL;
}

// A pattern that the shell has not expanded. False: it matches nothing.
static bool add_matches(struct render_inputs *inputs, const char *pattern, bool *ok)
{
    glob_t found;
    if (!strpbrk(pattern, "*?[") || glob(pattern, 0, NULL, &found) != 0)
        return false;
    for (size_t i = 0; i < found.gl_pathc && *ok; i++)
        *ok = render_inputs_add(inputs, found.gl_pathv[i]);
    inputs->folder = true;
    globfree(&found);
    return true;
}

bool render_inputs_add(struct render_inputs *inputs, const char *path)
{
    struct stat st;
    bool matched = true;
    if (strcmp(path, "-") != 0 && stat(path, &st) != 0 && add_matches(inputs, path, &matched))
        return matched;
    if (strcmp(path, "-") == 0 || stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
        return render_inputs_add_path(inputs, path); // a missing file is reported when it is read
    inputs->folder = true;
    DIR *dir = opendir(path);
    if (!dir) {
        fprintf(stderr, "platen: %s: %s\n", path, strerror(errno));
        return false;
    }
    size_t first = inputs->count;
    bool ok = true;
    for (struct dirent *entry; ok && (entry = readdir(dir));) {
        if (!render_is_label_file(entry->d_name))
            continue;
        char *full = render_path_join(path, entry->d_name);
        ok = full && render_inputs_add_path(inputs, full);
        free(full);
    }
    closedir(dir);
    if (inputs->count > first)
        qsort(inputs->paths + first, inputs->count - first, sizeof *inputs->paths, by_name);
    if (ok && inputs->count == first) {
        fprintf(stderr,
                "platen: %s: no label files (*.zpl, *.epl, *.tspl, *.cpcl, *.txt, *.prn, *.lbl) in this folder\n",
                path);
        return false;
    }
    return ok;
}

bool render_inputs_add_all(struct render_inputs *inputs, int count, char **paths)
{
    for (int i = 0; i < count; i++) {
        if (!render_inputs_add(inputs, paths[i])) {
            render_inputs_free(inputs);
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
static bool list_folder(struct render_inputs *inputs, struct render_inputs *folders, const char *path)
{
    DIR *dir = opendir(path);
    if (!dir)
        return render_inputs_add_path(inputs, path);
    bool ok = true;
    for (struct dirent *entry; ok && (entry = readdir(dir));) {
        if (entry->d_name[0] == '.')
            continue;
        char *full = render_path_join(path, entry->d_name);
        ok = full != NULL;
        if (ok && is_folder(full, false))
            ok = render_inputs_add_path(folders, full);
        else if (ok && render_is_label_file(entry->d_name) && !is_folder(full, true))
            ok = render_inputs_add_path(inputs, full);
        free(full);
    }
    closedir(dir);
    return ok;
}

bool render_inputs_add_tree(struct render_inputs *inputs, const char *path)
{
    if (strcmp(path, "-") == 0 || !is_folder(path, true))
        return render_inputs_add_path(inputs, path);
    struct render_inputs folders = {0};
    size_t first = inputs->count;
    bool ok = render_inputs_add_path(&folders, path);
    for (size_t i = 0; ok && i < folders.count; i++)
        ok = list_folder(inputs, &folders, folders.paths[i]);
    render_inputs_free(&folders);
    inputs->folder = true;
    if (ok && inputs->count == first)
        ok = render_inputs_add_path(inputs, path);
    else if (inputs->count > first)
        qsort(inputs->paths + first, inputs->count - first, sizeof *inputs->paths, by_name);
    return ok;
}

char *render_output_path(const char *out_dir, const char *input, enum output output)
{
    const char *slash = strrchr(input, '/'), *name = slash ? slash + 1 : input;
    if (strcmp(input, "-") == 0)
        name = "stdin";
    const char *dot = strrchr(name, '.');
    size_t stem = dot && dot != name ? (size_t)(dot - name) : strlen(name);
    char *out;
    return asprintf(&out, "%s/%.*s.%s", out_dir, (int)stem, name, output_name(output)) < 0 ? NULL : out;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const char *const *)a)[0], ((const char *const *)b)[0]);
}

bool render_outputs_clash(const struct render_inputs *inputs, const char *out_dir, enum output output)
{
    size_t count = inputs->count;
    const char *(*pairs)[2] = calloc(count, sizeof *pairs); // output and input
    bool clash = !pairs;
    for (size_t i = 0; i < count && pairs; i++) {
        pairs[i][1] = inputs->paths[i];
        pairs[i][0] = render_output_path(out_dir, pairs[i][1], output);
        clash = clash || !pairs[i][0];
    }
    if (clash) {
        fprintf(stderr, "platen: not enough memory\n");
    } else {
        qsort(pairs, count, sizeof *pairs, by_path);
        for (size_t i = 1; i < count && !clash; i++) {
            clash = strcmp(pairs[i - 1][0], pairs[i][0]) == 0;
            if (clash)
                fprintf(stderr, "platen render: %s and %s would both become %s\n", pairs[i - 1][1], pairs[i][1],
                        pairs[i][0]);
        }
    }
    for (size_t i = 0; i < count && pairs; i++)
        free((char *)pairs[i][0]);
    free(pairs);
    return clash;
}
