// The files that `platen diff` compares: two, or those of two folders by their names.
#ifndef PLATEN_DIFF_FILES_H
#define PLATEN_DIFF_FILES_H

#include <stdbool.h>
#include <stddef.h>

struct diff_pair {
    char *name;        // relative to the folders; of two files NULL
    char *paths[2];    // NULL: there is none on this side
    bool keeps_ending; // the picture of "x.zpl" is "x.zpl.png": "x.png" could also be that of "x.epl"
};

struct diff_pairs {
    struct diff_pair *items;
    size_t count;
    bool folders;
};

// False: a line was printed.
bool diff_pairs_read(struct diff_pairs *pairs, const char *a, const char *b);
void diff_pairs_free(struct diff_pairs *pairs);

#endif
