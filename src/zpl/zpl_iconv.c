// Double-byte character sets through the C library's iconv, which does not depend on the locale.
#include <errno.h>
#include <iconv.h>
#include <pthread.h>

#include "zpl/charset.h"
#include "zpl/zpl.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define UTF32 "UTF-32LE"
#else
#define UTF32 "UTF-32BE"
#endif

// A converter of each set that stays open: it keeps the C library's tables loaded, so that none is looked for in the
// file system later, when a sandbox may forbid it.
static const char *const SETS[] = {"GB18030", "CP932", "EUC-JP", "CP949", "JOHAB", "BIG5", "BIG5-HKSCS"}; // charset.c's
static struct {
    iconv_t converter;
    bool tried;
} kept[sizeof SETS / sizeof SETS[0]];
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;

enum pl_errc pl_zpl_preload(struct pl_error *err)
{
    bool no_memory = false;
    pthread_mutex_lock(&kept_lock);
    for (size_t i = 0; i < sizeof SETS / sizeof SETS[0] && !no_memory; i++) {
        if (kept[i].tried)
            continue;
        errno = 0;
        kept[i].converter = iconv_open(UTF32, SETS[i]);
        // Without memory the next call tries again; a set that this system lacks stays unknown.
        no_memory = kept[i].converter == (iconv_t)-1 && errno == ENOMEM;
        kept[i].tried = !no_memory;
    }
    pthread_mutex_unlock(&kept_lock);
    return no_memory ? pl_fail_memory(err) : PL_OK;
}

size_t zpl_iconv_decode(const char *name, struct pl_slice in, uint32_t *out, size_t *bad)
{
    iconv_t cd = iconv_open(UTF32, name);
    if (cd == (iconv_t)-1)
        return SIZE_MAX;
    // iconv's input is char ** for historical reasons; it does not write to it.
    char *from = (char *)(uintptr_t)in.ptr;
    size_t left = in.len;
    char *to = (char *)out;
    size_t room = in.len * sizeof(uint32_t);
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
