// Lists of paths: the files that a command line means, or those below a folder.
#ifndef PLATEN_PATH_LIST_H
#define PLATEN_PATH_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct path_list {
    char **paths;
    size_t count;
    bool folder; // some came from a folder
};

// Adds a path as it is. False: a line was printed.
bool path_list_add(struct path_list *inputs, const char *path);
// Folder and name. malloc'ed; NULL: a line was printed.
char *path_join(const char *folder, const char *name);
// Adds a file, or the label files of a folder in the order of their names. False: a line was printed.
bool path_list_add_input(struct path_list *inputs, const char *path);
// Those of a command line; what was added is freed where one fails.
bool path_list_add_inputs(struct path_list *inputs, int count, char **paths);
// The same with the folders in it, but those that are links or whose names begin with a dot. A folder that cannot be
// read or has no label files is added itself, and is reported when it is read.
bool path_list_add_tree(struct path_list *inputs, const char *path);
void path_list_free(struct path_list *inputs);

#endif
