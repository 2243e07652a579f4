// What every process that the program forks for itself does first.
#ifndef PL_PROCESS_CHILD_H
#define PL_PROCESS_CHILD_H

#include <sys/types.h>

// Ends this process when `parent` ends, however that ends.
void pl_child_end_with(pid_t parent);
// Closes all descriptors from `first` on.
void pl_child_close_from(int first);

#endif
