// Double-byte character sets through the C library's iconv.
#include "os/iconv.h"

#include <errno.h>
#include <iconv.h>
#include <pthread.h>
#include <string.h>

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define UTF32 "UTF-32LE"
#else
#define UTF32 "UTF-32BE"
#endif

// An open converter keeps the C library's table loaded; nothing else is done with it.
static struct {
    const char *name;
    iconv_t converter;
} held[PL_OS_ICONV_SETS];
static size_t held_count;
static pthread_mutex_t held_lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_held(const char *name)
{
    // Callers ask for the same names again and again, mostly with the same strings.
    for (size_t i = 0; i < held_count; i++) {
        if (held[i].name == name)
            return true;
    }
    for (size_t i = 0; i < held_count; i++) {
        if (strcmp(held[i].name, name) == 0)
            return true;
    }
    return false;
}

bool pl_os_iconv_hold(const char *name)
{
    bool no_memory = false;
    pthread_mutex_lock(&held_lock);
    if (held_count < PL_OS_ICONV_SETS && !is_held(name)) {
        errno = 0;
        iconv_t converter = iconv_open(UTF32, name);
        // A module that could not be loaded for want of memory is EINVAL too, as a set that there is not.
        if (converter == (iconv_t)-1 && errno != ENOMEM)
            converter = iconv_open(UTF32, name);
        // A set that this system lacks stays unknown, and is not asked for again.
        no_memory = converter == (iconv_t)-1 && errno == ENOMEM;
        if (!no_memory) {
            held[held_count].name = name;
            held[held_count++].converter = converter;
        }
    }
    pthread_mutex_unlock(&held_lock);
    return !no_memory;
}

size_t pl_os_iconv_decode(const char *name, const uint8_t *in, size_t size, uint32_t *out, size_t *bad)
{
    iconv_t cd = iconv_open(UTF32, name);
    if (cd == (iconv_t)-1)
        return SIZE_MAX;
    // iconv's input is char ** for historical reasons; it does not write to it.
    char *from = (char *)(uintptr_t)in;
    size_t left = size;
    char *to = (char *)out;
    size_t room = size * sizeof(uint32_t);
    // What malloc may have left in errno is looked at when the whole input has been read.
    int kept_errno = errno;
    while (left > 0 && room >= sizeof(uint32_t)) {
        if (iconv(cd, &from, &left, &to, &room) != (size_t)-1 || errno == E2BIG)
            break;
        // A byte that begins nothing: mark it and go on behind it.
        uint32_t mark = 0xFFFD;
        memcpy(to, &mark, sizeof(mark));
        to += sizeof(mark);
        room -= sizeof(mark);
        from++;
        left--;
        (*bad)++;
    }
    iconv_close(cd);
    errno = kept_errno;
    return (size_t)((uint32_t *)(void *)to - out);
}
