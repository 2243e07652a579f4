// Formatting that does not depend on the process's locale.
#ifndef PL_OS_LOCALE_H
#define PL_OS_LOCALE_H

#include <stdarg.h>
#include <stddef.h>

// vsnprintf in the C locale: a host in de_DE gets "0.5", not "0,5".
int pl_os_vsnprintf(char *out, size_t size, const char *fmt, va_list args) __attribute__((format(printf, 3, 0)));

#endif
