// Arithmetic that says when it would overflow. All sizes that depend on input go through here.
#ifndef PL_BASE_CKD_H
#define PL_BASE_CKD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_CKD_ADD(result, a, b) (!__builtin_add_overflow((a), (b), (result)))
#define PL_CKD_MUL(result, a, b) (!__builtin_mul_overflow((a), (b), (result)))

static inline int64_t pl_clamp_i64(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

static inline int32_t pl_clamp_i32(int64_t value, int32_t low, int32_t high)
{
    return (int32_t)pl_clamp_i64(value, low, high);
}

// The nearest number that has room.
static inline int32_t pl_saturate_i32(int64_t value)
{
    return pl_clamp_i32(value, INT32_MIN, INT32_MAX);
}

#define PL_MIN(a, b) ((a) < (b) ? (a) : (b))
#define PL_MAX(a, b) ((a) > (b) ? (a) : (b))
#define PL_COUNTOF(array) (sizeof(array) / sizeof((array)[0]))
// offsetof for tables of values that are written through it: the member must have this type.
#define PL_OFFSET(as, type, member)                                                                                    \
    (offsetof(type, member) + 0 * sizeof(struct {                                                                      \
                                  _Static_assert(_Generic(((type *)0)->member, as : 1, default : 0),                   \
                                                 #member " has another type");                                         \
                                  int unused;                                                                          \
                              }))

#endif
