// A short message with an open file, from one process to another over a socket pair.
#ifndef PL_PROCESS_PASS_H
#define PL_PROCESS_PASS_H

#include <stdbool.h>
#include <stddef.h>

// `passed` is a descriptor, or -1. False: the other side has gone or does not read.
bool pl_pass_send(int fd, const void *message, size_t size, int passed);
// *passed is the descriptor that came along, or -1. False: the other side has gone.
bool pl_pass_receive(int fd, void *message, size_t size, int *passed);

#endif
