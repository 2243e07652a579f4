// For tests that read numbers of files and of other programs: in the C locale, whatever that of the process is
// (tests/suites/12-unit-locales).
#ifndef PL_TESTS_C_LOCALE_H
#define PL_TESTS_C_LOCALE_H

#include <locale.h>

// The thread has the C locale until uselocale is called with what it returns.
static inline locale_t unit_c_locale(void)
{
    return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

#endif
