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

// Folder and name. malloc'ed; NULL: a line was printed.
char *path_join(const char *folder, const char *name);

// False: a line was printed.
typedef bool path_list_adder(struct path_list *list, const char *path);
// Adds a path as it is.
path_list_adder path_list_add;
// Adds a file, or the label files of a folder in the order of their names.
path_list_adder path_list_add_input;
// The same with the folders in it, but those that are links or whose names begin with a dot. A folder that cannot be
// read or has no label files is added itself, and is reported when it is read.
path_list_adder path_list_add_tree;
// Adds all of a command line.
bool path_list_add_all(struct path_list *list, path_list_adder *add, int count, char **paths);
// Adds the wanted files of all these folders, in no order, and to `unread` the folders that cannot be read; NULL: that
// fails. False: a line was printed.
bool path_list_walk(struct path_list *files, struct path_list *unread, const char *folder,
                    bool (*is_wanted)(const char *path));
void path_list_free(struct path_list *list);

// "-", standard input, is none.
bool is_folder(const char *path);

#endif
