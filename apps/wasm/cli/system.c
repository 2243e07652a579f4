// What the command line asks of a system, where the system is a JavaScript program with WASI's calls
// (packages/platen/src/cli/wasi.ts): there are no processes.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wasi/api.h>
#include <wasi/libc-find-relpath.h>

#include "runner/confined.h"

// Names of temporary files have the process's number in them. WASI has none: any number serves that others do not have.
pid_t getpid(void)
{
    static uint32_t number;
    if (number == 0 && __wasi_random_get((uint8_t *)&number, sizeof number) != 0)
        abort();
    return (pid_t)(number & 0x3FFFFFFF);
}

// The C library would look for a folder that it was handed and take away the slash of an absolute path. Paths go to the
// host as they are, with the number of the folder where it begins.
#define FOLDER 3
int __wasilibc_find_relpath(const char *path, const char **prefix, char **relative, size_t size)
{
    (void)size;
    *prefix = "";
    *relative = (char *)(uintptr_t)path;
    return FOLDER;
}

// The C library's is "/".
char *getcwd(char *out, size_t size)
{
    const char *folder = getenv("PWD"); // the host sets it
    if (!out || !folder || strlen(folder) >= size) {
        errno = folder ? ERANGE : ENOENT;
        return NULL;
    }
    return strcpy(out, folder);
}

bool confined_can(void)
{
    return false;
}

size_t confined_run(const struct run *run, const struct confined_work *work)
{
    (void)run, (void)work;
    fprintf(stderr, "platen: --timeout needs processes, and WebAssembly has none; --render-timeout limits the time of "
                    "an input\n");
    exit(2);
}
