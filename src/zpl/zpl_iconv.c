// Double-byte character sets through the C library's iconv, which does not depend on the locale.
#include <errno.h>
#include <iconv.h>

#include "zpl/charset.h"

size_t zpl_iconv_decode(const char *name, struct pl_slice in, uint32_t *out, size_t *bad)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    iconv_t cd = iconv_open("UTF-32LE", name);
#else
    iconv_t cd = iconv_open("UTF-32BE", name);
#endif
    if (cd == (iconv_t)-1)
        return SIZE_MAX;
    // iconv's input is char ** for historical reasons; it does not write to it.
    char *from = (char *)(uintptr_t)in.ptr;
    size_t left = in.len;
    char *to = (char *)out;
    size_t room = in.len * sizeof(uint32_t);
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
    return (size_t)((uint32_t *)(void *)to - out);
}
