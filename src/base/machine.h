// Functions that are compiled once more for the instructions of newer machines, and chosen when the program is loaded.
#ifndef PL_BASE_MACHINE_H
#define PL_BASE_MACHINE_H

#include <stdint.h> // says whether this is glibc

// Before a function in which drawing or compressing spends its time. On x86-64 such a function exists twice: for every
// machine, and for those of the last ten years (AVX2, BMI2), where it takes fewer instructions
// (tests/instructions). The results are the same: there is no arithmetic in them that depends on the machine. clang 14
// does not have it, and sanitizers come too late for the choice.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__) &&  \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define PL_BY_MACHINE __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define PL_BY_MACHINE
#endif

#endif
