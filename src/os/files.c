// Files and folders, to read.
#include "os/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

const char *pl_os_fonts(void)
{
    const char *folder = getenv("PLATEN_FONTS");
    return folder && folder[0] ? folder : "/usr/share/fonts/truetype";
}

bool pl_os_map(const char *path, uint64_t largest, const void **bytes, size_t *size)
{
    errno = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe without a writer would wait for one
    if (fd < 0)
        return false;
    struct stat st;
    bool mapped = false;
    if (fstat(fd, &st) == 0 && !S_ISREG(st.st_mode))
        errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
    else if (errno == 0 && (uint64_t)st.st_size > largest)
        errno = EFBIG;
    else if (errno == 0 && st.st_size > 0) {
        void *memory = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        mapped = memory != MAP_FAILED;
        if (mapped) {
            *bytes = memory;
            *size = (size_t)st.st_size;
        }
    }
    int reason = errno;
    close(fd);
    errno = reason;
    return mapped;
}

void pl_os_unmap(const void *bytes, size_t size)
{
    munmap((void *)(uintptr_t)bytes, size);
}

// A folder is the system's own stream of names, under a name of ours.
struct pl_os_folder *pl_os_folder_open(const char *path)
{
    return (struct pl_os_folder *)opendir(path);
}

void pl_os_folder_close(struct pl_os_folder *folder)
{
    closedir((DIR *)folder);
}

const char *pl_os_folder_next(struct pl_os_folder *folder)
{
    const struct dirent *entry = readdir((DIR *)folder);
    return entry ? entry->d_name : NULL;
}

bool pl_os_folder_has_file(struct pl_os_folder *folder, const char *name)
{
    struct stat st;
    return fstatat(dirfd((DIR *)folder), name, &st, 0) == 0 && S_ISREG(st.st_mode);
}

int pl_os_file_open(struct pl_os_folder *folder, const char *name, uint64_t *size)
{
    int fd = openat(dirfd((DIR *)folder), name, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    struct stat st;
    if (fstat(fd, &st) != 0) {
        int why = errno;
        close(fd);
        errno = why;
        return -1;
    }
    *size = st.st_size < 0 ? UINT64_MAX : (uint64_t)st.st_size;
    return fd;
}

bool pl_os_file_read(int file, void *out, size_t size)
{
    uint8_t *to = out;
    while (size > 0) {
        ssize_t n = read(file, to, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n == 0)
            errno = 0;
        if (n <= 0)
            return false;
        to += n;
        size -= (size_t)n;
    }
    return true;
}

void pl_os_file_close(int file)
{
    close(file);
}
