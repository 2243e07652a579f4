// Stored objects as several chapters of commands handle them.
#ifndef PL_ZPL_CMD_STORE_H
#define PL_ZPL_CMD_STORE_H

#include "base/diag.h"
#include "store/store.h"

struct zpl;
struct zpl_args;

// Deletes all objects that the pattern means; what cannot be done is reported.
enum pl_errc zpl_delete_objects(struct zpl *z, const struct zpl_args *a,
                                const struct pl_object_name *pattern) PL_MUST_USE;
// Reports an object that is not there, and where one of its name is; `then` says what is done instead.
void zpl_report_missing(struct zpl *z, const struct zpl_args *a, unsigned parameter, enum pl_diag_id id,
                        const char *what, const struct pl_object_name *name, const char *then);

#endif
