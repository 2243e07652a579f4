// The inputs of `platen render`, and the names of their outputs.
#ifndef PLATEN_RENDER_INPUTS_H
#define PLATEN_RENDER_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "request/controls.h"

struct render_inputs {
    char **paths;
    size_t count;
    bool folder; // some came from a folder
};

// Adds a path as it is. False: a line was printed.
bool render_inputs_add_path(struct render_inputs *inputs, const char *path);
// Folder and name. malloc'ed; NULL: a line was printed.
char *render_path_join(const char *folder, const char *name);
// Adds a file, or the label files of a folder in the order of their names. False: a line was printed.
bool render_inputs_add(struct render_inputs *inputs, const char *path);
// Those of a command line; what was added is freed where one fails.
bool render_inputs_add_all(struct render_inputs *inputs, int count, char **paths);
// The same with the folders in it, but those that are links or whose names begin with a dot. A folder that cannot be
// read or has no label files is added itself, and is reported when it is read.
bool render_inputs_add_tree(struct render_inputs *inputs, const char *path);
void render_inputs_free(struct render_inputs *inputs);

// By its ending: *.zpl, *.epl, *.tspl, *.cpcl, *.txt, *.prn, *.lbl.
bool render_is_label_file(const char *name);

// "out/label.png" for out_dir "out" and input "inbox/label.zpl". malloc'ed; NULL: no memory.
char *render_output_path(const char *out_dir, const char *input, enum output output);
// Two inputs of one name, from different folders, would overwrite each other. True: a line was printed.
bool render_outputs_clash(const struct render_inputs *inputs, const char *out_dir, enum output output);

#endif
