// Writing to a file, a pipe or a socket.
#ifndef PL_OS_WRITE_H
#define PL_OS_WRITE_H

#include <stdbool.h>
#include <stddef.h>

// All `size` bytes, also where they go in parts and where the descriptor does not block. False: errno has the reason.
bool pl_os_write(int fd, const void *data, size_t size);
// At the end of a program: what was printed must have arrived, since a full disk is no success. Returns the status with
// which the program ends.
int pl_os_finish_output(const char *program, int status);

#endif
