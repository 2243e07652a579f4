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

#endif
