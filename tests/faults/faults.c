// Preloaded into a program under test: makes system calls and allocations fail as a control file says. The file is
// mapped, so a test steers a program that is running, even one that may open no files, and reads back what was done.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))
#define DESCRIPTORS 4096

// Words of the control file; tests/faults/faulty.js has the same list.
enum word {
    SEED,
    IO_CHANCE,     // of 10,000 calls on connections and files
    ACCEPT_CHANCE, // of 10,000 calls
    ALLOC_CHANCE,  // of 1,000,000 calls
    ALLOC_AT,      // the call that fails, counted from 1; 0 is none
    ALLOC_ON,      // not 0: all calls after that one fail too
    ROOM,          // bytes that files still take, plus one; 0 is no bound
    NO_FILTER,     // not 0: system calls cannot be filtered
    NO_FLAGS,      // not 0: the file system has no RENAME_NOREPLACE
    COUNT_ALLOC = 16,
    COUNT_ALLOC_FAILED,
    COUNT_READ,
    COUNT_WRITE,
    COUNT_ACCEPT,
    COUNT_NO_SPACE,
    WORDS = 32,
};

static _Atomic uint32_t *control;

// What the connections of the program asked of epoll: a call that was cut short is told about again, as the kernel
// would once there is more to read or more room.
static struct {
    int epoll_fd;
    struct epoll_event event;
} watched[DESCRIPTORS];

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

__attribute__((constructor)) static void attach(void)
{
    const char *path = getenv("FAULTS_CONTROL");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    void *map = (void *)syscall(SYS_mmap, NULL, WORDS * sizeof(uint32_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (map != MAP_FAILED)
        control = map;
}

static uint32_t setting(enum word word)
{
    return control ? atomic_load_explicit(&control[word], memory_order_relaxed) : 0;
}

static void count(enum word word)
{
    atomic_fetch_add_explicit(&control[word], 1, memory_order_relaxed);
}

static uint32_t random_below(uint32_t bound)
{
    static _Atomic uint64_t drawn;
    uint64_t x = (uint64_t)setting(SEED) << 32 | atomic_fetch_add_explicit(&drawn, 1, memory_order_relaxed);
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u + 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((x ^ x >> 31) % bound);
}

static int happens(enum word chance, uint32_t of)
{
    uint32_t value = setting(chance);
    return value > 0 && random_below(of) < value;
}

// ---- memory

static int no_memory(void)
{
    if (!control)
        return 0;
    uint32_t number = atomic_fetch_add_explicit(&control[COUNT_ALLOC], 1, memory_order_relaxed) + 1;
    uint32_t at = setting(ALLOC_AT);
    int fails = (at > 0 && (number == at || (number > at && setting(ALLOC_ON)))) || happens(ALLOC_CHANCE, 1000000);
    if (fails) {
        count(COUNT_ALLOC_FAILED);
        errno = ENOMEM;
    }
    return fails;
}

PUBLIC void *malloc(size_t size)
{
    return no_memory() ? NULL : __libc_malloc(size);
}

PUBLIC void *calloc(size_t number, size_t size)
{
    return no_memory() ? NULL : __libc_calloc(number, size);
}

PUBLIC void *realloc(void *old, size_t size)
{
    return no_memory() ? NULL : __libc_realloc(old, size);
}

PUBLIC void *aligned_alloc(size_t alignment, size_t size)
{
    return no_memory() ? NULL : __libc_memalign(alignment, size);
}

PUBLIC void *memalign(size_t alignment, size_t size)
{
    return no_memory() ? NULL : __libc_memalign(alignment, size);
}

PUBLIC int posix_memalign(void **out, size_t alignment, size_t size)
{
    if (no_memory())
        return ENOMEM;
    void *memory = __libc_memalign(alignment, size);
    if (!memory)
        return ENOMEM;
    *out = memory;
    return 0;
}

PUBLIC void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    if (no_memory())
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, at, size, protection, flags, fd, offset);
}

PUBLIC int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument)
{
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    return no_memory() ? EAGAIN : real(thread, attributes, run, argument);
}

// ---- the process

PUBLIC int prctl(int option, ...)
{
    va_list more;
    unsigned long values[4];
    va_start(more, option);
    for (int i = 0; i < 4; i++)
        values[i] = va_arg(more, unsigned long);
    va_end(more);
    if (option == PR_SET_NO_NEW_PRIVS && setting(NO_FILTER)) {
        errno = EINVAL;
        return -1;
    }
    return (int)syscall(SYS_prctl, option, values[0], values[1], values[2], values[3]);
}

// ---- connections and files

PUBLIC int epoll_ctl(int epoll_fd, int operation, int fd, struct epoll_event *event)
{
    long result = syscall(SYS_epoll_ctl, epoll_fd, operation, fd, event);
    if (result == 0 && fd >= 0 && fd < DESCRIPTORS) {
        watched[fd].epoll_fd = operation == EPOLL_CTL_DEL ? 0 : epoll_fd;
        if (operation != EPOLL_CTL_DEL)
            watched[fd].event = *event;
    }
    return (int)result;
}

PUBLIC int close(int fd)
{
    if (fd >= 0 && fd < DESCRIPTORS)
        watched[fd].epoll_fd = 0;
    return (int)syscall(SYS_close, fd);
}

static int is_connection(int fd)
{
    return fd >= 0 && fd < DESCRIPTORS && watched[fd].epoll_fd > 0 && (watched[fd].event.events & EPOLLET);
}

static void tell_again(int fd)
{
    if (is_connection(fd))
        syscall(SYS_epoll_ctl, watched[fd].epoll_fd, EPOLL_CTL_MOD, fd, &watched[fd].event);
}

static int is_file_or_pipe(int fd)
{
    struct stat st;
    return fstat(fd, &st) == 0 && (S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode));
}

// Decides about one call: -1 with errno, or how many of `size` bytes it may move. `again` is set when it was cut.
static ssize_t cut(int fd, size_t size, enum word counter, int *again)
{
    int connection = is_connection(fd);
    *again = 0;
    if (size == 0 || !happens(IO_CHANCE, 10000) || (!connection && !is_file_or_pipe(fd)))
        return (ssize_t)size;
    count(counter);
    uint32_t kind = random_below(connection ? 4 : 3);
    if (kind == 0) {
        errno = EINTR;
        return -1;
    }
    *again = connection;
    if (kind == 3) {
        tell_again(fd);
        errno = EAGAIN;
        return -1;
    }
    // Most cuts are near one of the ends, where the mistakes are.
    uint32_t most = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
    uint32_t bound = kind == 1 && most > 8 ? 8 : most;
    return (ssize_t)(1 + random_below(bound));
}

static ssize_t finish(int fd, long result, int again)
{
    if (again) {
        int kept = errno;
        tell_again(fd);
        errno = kept;
    }
    return (ssize_t)result;
}

PUBLIC ssize_t read(int fd, void *buffer, size_t size)
{
    int again;
    ssize_t part = cut(fd, size, COUNT_READ, &again);
    return part < 0 ? -1 : finish(fd, syscall(SYS_read, fd, buffer, (size_t)part), again);
}

PUBLIC ssize_t recv(int fd, void *buffer, size_t size, int flags)
{
    int again;
    ssize_t part = cut(fd, size, COUNT_READ, &again);
    return part < 0 ? -1 : finish(fd, syscall(SYS_recvfrom, fd, buffer, (size_t)part, flags, NULL, NULL), again);
}

// How much of `size` a file still takes; -1 and errno when it is full.
static ssize_t room_for(int fd, size_t size)
{
    struct stat st;
    uint32_t room = setting(ROOM);
    if (room == 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return (ssize_t)size;
    if (room == 1) {
        count(COUNT_NO_SPACE);
        errno = ENOSPC;
        return -1;
    }
    size_t part = size < room - 1 ? size : room - 1;
    atomic_store(&control[ROOM], room - (uint32_t)part);
    return (ssize_t)part;
}

PUBLIC ssize_t write(int fd, const void *buffer, size_t size)
{
    int again;
    ssize_t part = cut(fd, size, COUNT_WRITE, &again);
    if (part > 0)
        part = room_for(fd, (size_t)part);
    return part < 0 ? -1 : finish(fd, syscall(SYS_write, fd, buffer, (size_t)part), again);
}

PUBLIC ssize_t send(int fd, const void *buffer, size_t size, int flags)
{
    int again;
    ssize_t part = cut(fd, size, COUNT_WRITE, &again);
    return part < 0 ? -1 : finish(fd, syscall(SYS_sendto, fd, buffer, (size_t)part, flags, NULL, 0), again);
}

PUBLIC ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    int again;
    struct iovec parts[8];
    struct msghdr shorter = *message;
    size_t size = 0, number = 0;
    for (size_t i = 0; i < message->msg_iovlen; i++)
        size += message->msg_iov[i].iov_len;
    ssize_t part = cut(fd, size, COUNT_WRITE, &again);
    if (part < 0)
        return -1;
    for (size_t left = (size_t)part; left > 0 && number < 8; number++) {
        parts[number] = message->msg_iov[number];
        if (parts[number].iov_len > left)
            parts[number].iov_len = left;
        left -= parts[number].iov_len;
    }
    shorter.msg_iov = parts;
    shorter.msg_iovlen = number;
    return finish(fd, syscall(SYS_sendmsg, fd, &shorter, flags), again);
}

PUBLIC int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
    if (flags != 0 && setting(NO_FLAGS)) {
        errno = EINVAL;
        return -1;
    }
    return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
}

PUBLIC int accept4(int fd, __SOCKADDR_ARG address, socklen_t *size, int flags)
{
    static const int REASONS[] = {EMFILE, ENFILE, ECONNABORTED, EINTR, ENOBUFS, EAGAIN};
    if (happens(ACCEPT_CHANCE, 10000)) {
        count(COUNT_ACCEPT);
        errno = REASONS[random_below(sizeof REASONS / sizeof REASONS[0])];
        return -1;
    }
    return (int)syscall(SYS_accept4, fd, address.__sockaddr__, size, flags);
}
