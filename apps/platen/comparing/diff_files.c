// Pairing the files of two folders, with those of the folders in them. A picture pairs with the label file of its name.
#include "diff_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "answer/languages.h"
#include "cli/path_list.h"

static bool complain(const char *path, const char *why)
{
    fprintf(stderr, "platen: %s: %s\n", path, why);
    return false;
}

static bool is_compared(const char *path)
{
    struct stat st;
    const char *dot = strrchr(path, '.');
    return (is_label_file(path) || (dot && strcasecmp(dot, ".png") == 0)) && stat(path, &st) == 0 &&
           S_ISREG(st.st_mode);
}

// All files below a folder, by their paths from there.
static bool find_files(const char *top, struct path_list *files)
{
    const size_t length = strlen(top), begin = length + (top[length - 1] != '/');
    bool ok = path_list_walk(files, NULL, top, is_compared);
    for (size_t i = 0; i < files->count; i++)
        memmove(files->paths[i], files->paths[i] + begin, strlen(files->paths[i] + begin) + 1);
    return ok;
}

static size_t stem(const char *name)
{
    return (size_t)(strrchr(name, '.') - name); // every name in a list has an ending
}

// By the name without its ending: "label.zpl" and "label.png" are a pair.
static int order_stems(const char *a, const char *b)
{
    size_t m = stem(a), n = stem(b);
    int by = memcmp(a, b, m < n ? m : n);
    return by != 0 ? by : (m > n) - (m < n);
}

static int by_name(const void *left, const void *right)
{
    const char *a = *(char *const *)left, *b = *(char *const *)right;
    int by = order_stems(a, b);
    return by != 0 ? by : strcmp(a, b);
}

static bool is_picture(const char *name)
{
    return strcasecmp(name + stem(name), ".png") == 0;
}

static bool has_name(const struct path_list *list, const char *name)
{
    return list->count > 0 && bsearch(&name, list->paths, list->count, sizeof *list->paths, by_name);
}

// Of "label.txt" and "label.zpl" on both sides, those of one name are a pair; a picture pairs with either, unless that
// has a partner of its own name.
static bool pairs_with(const struct path_list lists[2], const char *a, const char *b)
{
    if (strcmp(a, b) == 0)
        return true;
    return order_stems(a, b) == 0 && (is_picture(a) || is_picture(b)) && !has_name(&lists[1], a) &&
           !has_name(&lists[0], b);
}

static bool add_pair(struct diff_pairs *pairs, const char *folders[2], const char *a, const char *b)
{
    struct diff_pair *pair = &pairs->items[pairs->count++];
    *pair = (struct diff_pair){.name = strdup(a ? a : b),
                               .paths = {a ? path_join(folders[0], a) : NULL, b ? path_join(folders[1], b) : NULL}};
    if (pair->name && (!a || pair->paths[0]) && (!b || pair->paths[1]))
        return true;
    return complain(a ? a : b, "not enough memory");
}

static bool pair_lists(struct diff_pairs *pairs, const char *folders[2], struct path_list lists[2])
{
    const struct path_list *a = &lists[0], *b = &lists[1];
    pairs->items = calloc(a->count + b->count + 1, sizeof *pairs->items);
    if (!pairs->items)
        return complain(folders[0], "not enough memory");
    bool ok = true;
    for (size_t i = 0, k = 0; ok && (i < a->count || k < b->count);) {
        const char *left = i < a->count ? a->paths[i] : NULL, *right = k < b->count ? b->paths[k] : NULL;
        bool pair = left && right && pairs_with(lists, left, right);
        int by = pair ? 0 : !right ? -1 : !left ? 1 : by_name(&left, &right);
        ok = add_pair(pairs, folders, by <= 0 ? left : NULL, by >= 0 ? right : NULL);
        i += by <= 0;
        k += by >= 0;
    }
    return ok;
}

static void name_pictures(struct diff_pairs *pairs)
{
    struct diff_pair *last = NULL, *const end = pairs->items + pairs->count;
    for (struct diff_pair *pair = pairs->items; pair < end; pair++) {
        if (!pair->paths[0] || !pair->paths[1])
            continue; // no picture
        if (last && order_stems(last->name, pair->name) == 0)
            last->keeps_ending = pair->keeps_ending = true;
        last = pair;
    }
    // "x.zpl.png" may be a pair of its own, which is then behind "x.zpl".
    for (struct diff_pair *pair = pairs->items; pair < end; pair++) {
        const size_t length = strlen(pair->name);
        int by;
        for (struct diff_pair *other = pair + 1;
             pair->keeps_ending && other < end && (by = strncmp(other->name, pair->name, length)) <= 0; other++)
            other->keeps_ending = other->keeps_ending || (by == 0 && stem(other->name) == length);
    }
}

static bool read_folders(struct diff_pairs *pairs, const char *folders[2])
{
    struct path_list lists[2] = {{0}};
    bool ok = true;
    for (int side = 0; side < 2 && ok; side++) {
        ok = find_files(folders[side], &lists[side]);
        if (ok && lists[side].count > 0)
            qsort(lists[side].paths, lists[side].count, sizeof *lists[side].paths, by_name);
    }
    if (ok && lists[0].count + lists[1].count == 0) {
        char files[LANGUAGES_TEXT_MAX];
        fprintf(stderr, "platen: %s: no label files (%s) in either folder\n", folders[0], language_list(files, true));
        ok = false;
    }
    ok = ok && pair_lists(pairs, folders, lists);
    if (ok)
        name_pictures(pairs);
    path_list_free(&lists[0]);
    path_list_free(&lists[1]);
    return ok;
}

bool diff_pairs_read(struct diff_pairs *pairs, const char *a, const char *b)
{
    const char *both[2] = {a, b};
    pairs->folders = is_folder(a);
    if (pairs->folders != is_folder(b))
        return complain(pairs->folders ? b : a, "a folder can only be compared with a folder");
    if (pairs->folders)
        return read_folders(pairs, both);
    pairs->items = calloc(1, sizeof *pairs->items);
    if (!pairs->items)
        return complain(a, "not enough memory");
    pairs->count = 1;
    pairs->items[0].paths[0] = strdup(a);
    pairs->items[0].paths[1] = strdup(b);
    return (pairs->items[0].paths[0] && pairs->items[0].paths[1]) || complain(a, "not enough memory");
}

void diff_pairs_free(struct diff_pairs *pairs)
{
    for (size_t i = 0; i < pairs->count; i++) {
        free(pairs->items[i].name);
        free(pairs->items[i].paths[0]);
        free(pairs->items[i].paths[1]);
    }
    free(pairs->items);
}
