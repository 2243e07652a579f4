// Writing files as a whole.
#include "cli/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli_io.h"

static char *temporary_of(const char *path)
{
    char *name = NULL;
    if (asprintf(&name, "%s.%ld.tmp", path, (long)getpid()) >= 0)
        return name;
    errno = ENOMEM;
    return NULL;
}

#ifdef O_TMPFILE
// A file without a name, in the folder of `path`: it goes with its program. -1: this file system has none, or they
// could get no name later, which is given through /proc.
static int open_nameless(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = !slash ? strdup(".") : slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
    int fd = folder && access("/proc/self/fd", X_OK) == 0 ? open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666) : -1;
    free(folder);
    return fd;
}
#else
static int open_nameless(const char *path)
{
    (void)path;
    return -1;
}
#endif

bool whole_file_open(struct whole_file *file, const char *path)
{
    *file = (struct whole_file){.fd = -1, .path = path, .stream = cli_is_stream(path)};
    if (strcmp(path, "-") == 0) {
        file->fd = STDOUT_FILENO;
        return true;
    }
    if (file->stream) {
        file->fd = open(path, O_WRONLY | O_CLOEXEC);
        return file->fd >= 0;
    }
    file->fd = open_nameless(path);
    if (file->fd >= 0)
        return true;
    file->temporary = temporary_of(path);
    if (file->temporary)
        file->fd = open(file->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file->fd < 0) {
        int why = errno;
        free(file->temporary);
        errno = why;
        return false;
    }
    return true;
}

// Where there is no other file it gets its own name at once; an old one is replaced by renaming.
static int give_name(struct whole_file *file)
{
    char own[48];
    snprintf(own, sizeof own, "/proc/self/fd/%d", file->fd);
    if (linkat(AT_FDCWD, own, AT_FDCWD, file->path, AT_SYMLINK_FOLLOW) == 0)
        return 0;
    if (errno != EEXIST)
        return errno;
    char *temporary = temporary_of(file->path);
    if (!temporary)
        return errno;
    unlink(temporary); // of a program with the same number that was killed
    if (linkat(AT_FDCWD, own, AT_FDCWD, temporary, AT_SYMLINK_FOLLOW) != 0) {
        int why = errno;
        free(temporary);
        return why;
    }
    file->temporary = temporary;
    return 0;
}

bool whole_file_close(struct whole_file *file, bool keep)
{
    int failure = 0;
    if (file->fd < 0)
        return true;
    if (keep && !file->stream && !file->temporary)
        failure = give_name(file);
    if (file->fd != STDOUT_FILENO && close(file->fd) != 0 && !failure)
        failure = errno;
    if (keep && !failure && file->temporary && rename(file->temporary, file->path) != 0)
        failure = errno;
    if (file->temporary && (!keep || failure))
        unlink(file->temporary);
    free(file->temporary);
    *file = (struct whole_file){.fd = -1};
    errno = failure;
    return failure == 0;
}
