// Errors: the one way to fail.
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

#include "os/locale.h"

enum pl_errc pl_fail(struct pl_error *err, enum pl_errc code, const char *fmt, ...)
{
    if (err) {
        va_list args;
        va_start(args, fmt);
        err->code = code;
        if (pl_os_vsnprintf(err->message, sizeof err->message, fmt, args) < 0)
            err->message[0] = '\0';
        va_end(args);
    }
    return code;
}

const char *pl_errc_name(enum pl_errc code)
{
    switch (code) {
    case PL_OK:
        return "ok";
    case PL_E_MEMORY:
        return "memory";
    case PL_E_LIMIT:
        return "limit";
    case PL_E_INVALID:
        return "invalid";
    case PL_E_IO:
        return "io";
    case PL_E_NOT_FOUND:
        return "not_found";
    case PL_E_DEADLINE:
        return "deadline";
    case PL_E_CANCELLED:
        return "cancelled";
    case PL_E_BUG:
        return "bug";
    }
    return "unknown";
}
