// Errors: memory, limits, I/O, time and our own bugs. Bad ZPL is never an error, it is a diagnostic (diag.h).
#ifndef PL_BASE_ERR_H
#define PL_BASE_ERR_H

#define PL_MUST_USE __attribute__((warn_unused_result))
#define PL_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

enum pl_errc {
    PL_OK = 0,
    PL_E_MEMORY,    // the system or the arena's hard limit refused memory
    PL_E_LIMIT,     // a configured limit was passed (labels, dots, stored or inflated bytes, ...)
    PL_E_INVALID,   // an argument of the caller is not acceptable
    PL_E_IO,        // a file, socket or system call failed
    PL_E_NOT_FOUND, // what was asked for does not exist
    PL_E_DEADLINE,  // the job's deadline passed
    PL_E_CANCELLED, // whoever asked has gone away
    PL_E_BUG        // an invariant of ours does not hold
};

struct pl_error {
    enum pl_errc code;
    char message[256];
};

// Fills `err` (which may be NULL) and returns `code`, so that failing is one line.
enum pl_errc pl_fail(struct pl_error *err, enum pl_errc code, const char *fmt, ...) PL_PRINTF(3, 4);
const char *pl_errc_name(enum pl_errc code);

// Hands an error on: `PL_TRY(pl_thing(..., err));`
#define PL_TRY(call)                                                                                                   \
    do {                                                                                                               \
        enum pl_errc pl_try_code_ = (call);                                                                            \
        if (pl_try_code_ != PL_OK)                                                                                     \
            return pl_try_code_;                                                                                       \
    } while (0)

#endif
