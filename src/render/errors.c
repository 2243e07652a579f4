// Statuses and errors of the public header, and the version that messages name.
#include <stdarg.h>
#include <stdio.h>

#include "os/locale.h"
#include "render/render.h"

// The public codes are the inner ones under public names.
_Static_assert((int)PLATEN_OK == PL_OK && (int)PLATEN_E_MEMORY == PL_E_MEMORY && (int)PLATEN_E_LIMIT == PL_E_LIMIT &&
                   (int)PLATEN_E_INVALID == PL_E_INVALID && (int)PLATEN_E_IO == PL_E_IO &&
                   (int)PLATEN_E_NOT_FOUND == PL_E_NOT_FOUND && (int)PLATEN_E_DEADLINE == PL_E_DEADLINE &&
                   (int)PLATEN_E_CANCELLED == PL_E_CANCELLED && (int)PLATEN_E_BUG == PL_E_BUG,
               "status codes differ");

enum platen_status pl_public_status(enum pl_errc code, const struct pl_error *from, struct platen_error *to)
{
    if (code != PL_OK && to) {
        to->status = (enum platen_status)code;
        snprintf(to->message, sizeof to->message, "%s", from->message);
    }
    return (enum platen_status)code;
}

enum platen_status pl_public_fail(struct platen_error *err, enum platen_status status, const char *fmt, ...)
{
    if (err) {
        va_list args;
        va_start(args, fmt);
        err->status = status;
        pl_os_vsnprintf(err->message, sizeof err->message, fmt, args);
        va_end(args);
    }
    return status;
}

enum platen_status pl_null_argument(struct platen_error *err, const char *function)
{
    return pl_public_fail(err, PLATEN_E_INVALID, "%s was given NULL where it needs an object", function);
}

enum platen_status pl_page_gone(struct platen_error *err)
{
    return pl_public_fail(err, PLATEN_E_INVALID, "the page is gone: its worker was trimmed, drew again or detached it");
}

const char *platen_status_name(enum platen_status status)
{
    return pl_errc_name((enum pl_errc)status);
}

const char *platen_version(void)
{
    return PROJECT_VERSION;
}
