// An output that is there as a whole or not at all: a reader finds the old content or the new one, a full disk leaves
// no torn file, and a program that is killed leaves nothing behind.
#ifndef PLATEN_WHOLE_FILE_H
#define PLATEN_WHOLE_FILE_H

#include <stdbool.h>

struct whole_file {
    int fd;
    const char *path;
    bool stream;     // standard output, a device, a pipe: written as it is
    char *temporary; // its name until the end; NULL: it has none
};

// "-" is standard output. False: errno says why.
bool whole_file_open(struct whole_file *file, const char *path);
// Puts it in place with `keep`, else it is as if it had never been. False: errno says why.
bool whole_file_close(struct whole_file *file, bool keep);

#endif
