// Results as files: named by id, each put in place as a whole.
#ifndef BROKER_RESULT_FILES_H
#define BROKER_RESULT_FILES_H

#include <stdbool.h>

#include "base/err.h"
#include "base/slice.h"

struct result_file {
    struct pl_slice id, body;
    struct pl_slice type;   // media type of the body
    struct pl_slice ending; // of the files
    bool ok;
};

#define RESULT_TORN ".platen-result-" // how names of files begin that are not whole

// Did a worker make it? Others can send to the same exchange, and what they send names files.
bool result_usable(const struct result_file *file);

// FOLDER/ID.png; several labels FOLDER/ID+1.png, ...; a problem FOLDER/ID.error.json. The first of several is written
// last. `durable`: they are on the disk when this returns.
enum pl_errc result_files_write(const char *folder, const struct result_file *file, bool durable,
                                struct pl_error *err) PL_MUST_USE;

#endif
