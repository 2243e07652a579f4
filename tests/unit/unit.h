// cmocka with what it wants included before it; include this instead of <cmocka.h>.
#ifndef PL_TESTS_UNIT_H
#define PL_TESTS_UNIT_H

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <time.h>

// Processor time of the test, for limits of what a computation may take: the clock also counts what others do on the
// machine.
static inline uint64_t unit_processor_ms(void)
{
    return (uint64_t)clock() * 1000 / CLOCKS_PER_SEC;
}

#endif
