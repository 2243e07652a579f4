// Formatting that does not depend on the process's locale.
#include "os/locale.h"

#include <locale.h>
#include <stdio.h>

int pl_os_vsnprintf(char *out, size_t size, const char *fmt, va_list args)
{
    // The C locale is a constant of the C library: it takes no memory and need not be freed.
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = c ? uselocale(c) : (locale_t)0;
    int length = vsnprintf(out, size, fmt, args);
    if (before)
        uselocale(before);
    return length;
}
