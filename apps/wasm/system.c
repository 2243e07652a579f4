// src/os where there is no system: clocks come from the host, and there are no files.
#include <errno.h>

#include <stdio.h>

#include "os/clock.h"
#include "os/files.h"
#include "os/locale.h"

__attribute__((import_module("host"), import_name("milliseconds"))) double host_milliseconds(void);
__attribute__((import_module("host"), import_name("seconds"))) double host_seconds(void);

uint64_t pl_now_ns(void)
{
    // 0 would mean that there is no clock.
    return (uint64_t)(host_milliseconds() * 1e6) + 1;
}

int64_t pl_os_seconds(void)
{
    return (int64_t)host_seconds();
}

const char *pl_os_fonts(void)
{
    return "";
}

bool pl_os_map(const char *path, uint64_t largest, const void **bytes, size_t *size)
{
    (void)path, (void)largest, (void)bytes, (void)size;
    errno = ENOENT;
    return false;
}

void pl_os_unmap(const void *bytes, size_t size)
{
    (void)bytes, (void)size;
}

struct pl_os_folder *pl_os_folder_open(const char *path)
{
    (void)path;
    errno = ENOENT;
    return NULL;
}

void pl_os_folder_close(struct pl_os_folder *folder)
{
    (void)folder;
}

const char *pl_os_folder_next(struct pl_os_folder *folder)
{
    (void)folder;
    return NULL;
}

bool pl_os_folder_has_file(struct pl_os_folder *folder, const char *name)
{
    (void)folder, (void)name;
    return false;
}

int pl_os_file_open(struct pl_os_folder *folder, const char *name, uint64_t *size)
{
    (void)folder, (void)name, (void)size;
    errno = ENOENT;
    return -1;
}

bool pl_os_file_read(int file, void *out, size_t size)
{
    (void)file, (void)out, (void)size;
    errno = EBADF;
    return false;
}

void pl_os_file_close(int file)
{
    (void)file;
}

// The C locale is the only one.
int pl_os_vsnprintf(char *out, size_t size, const char *fmt, va_list args)
{
    return vsnprintf(out, size, fmt, args);
}
