// Files and folders, to read. What fails leaves its reason in errno.
#ifndef PL_OS_FILES_H
#define PL_OS_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A plain file of 1 to `largest` bytes as memory that is only read. False: it is not there, is none of this kind, or
// (errno is ENOMEM) there was no room for it.
bool pl_os_map(const char *path, uint64_t largest, const void **bytes, size_t *size);
void pl_os_unmap(const void *bytes, size_t size);
// The folder of the system's font files, $PLATEN_FONTS if that is set.
const char *pl_os_fonts(void);

struct pl_os_folder;

// NULL: it cannot be read.
struct pl_os_folder *pl_os_folder_open(const char *path);
void pl_os_folder_close(struct pl_os_folder *folder);
// The next name, in no order; NULL at the end. It is good until the next call.
const char *pl_os_folder_next(struct pl_os_folder *folder);
bool pl_os_folder_has_file(struct pl_os_folder *folder, const char *name); // a plain one

// A file of the folder, open to be read from its beginning; negative: it cannot be.
int pl_os_file_open(struct pl_os_folder *folder, const char *name, uint64_t *size);
// All `size` bytes, however they come. False: the file ended before (errno is 0) or cannot be read.
bool pl_os_file_read(int file, void *out, size_t size);
void pl_os_file_close(int file);

#endif
