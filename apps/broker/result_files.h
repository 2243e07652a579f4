// Results as files: named by id, each put in place as a whole.
#ifndef BROKER_RESULT_FILES_H
#define BROKER_RESULT_FILES_H

#include <stdbool.h>
#include <time.h>

#include "base/err.h"
#include "base/slice.h"

struct result_file {
    struct pl_slice id, body;
    struct pl_slice type;   // media type of the body
    struct pl_slice ending; // of the files
    bool ok;
    bool of_parts; // good ones of this job are parts of a PDF
};

#define RESULT_TORN ".platen-result-" // how names of files begin that are not whole

// Did a worker make it? Others can send to the same exchange, and what they send names files.
bool result_usable(const struct result_file *file);

// FOLDER/ID.png; several labels FOLDER/ID+1.png, ...; a problem FOLDER/ID.error.json. The first of several is written
// last. `durable`: they are on the disk when this returns.
enum pl_errc result_files_write(const char *folder, const struct result_file *file, bool durable,
                                struct pl_error *err) PL_MUST_USE;
// The same in ROOT/BATCH, which is made if it is not there, and durable with its names. A good result takes the place
// of a problem, and never the other way round.
enum pl_errc result_files_write_batch(const char *root, const char *batch, const struct result_file *file,
                                      struct pl_error *err) PL_MUST_USE;
void result_files_remove_error(const char *folder, struct pl_slice id);
// The names in a folder are on the disk. False: errno says why.
bool result_folder_sync(const char *folder);

// Removes files whose names begin so and that were last written at `older_than` or before.
void result_files_remove(const char *folder, const char *begin, time_t older_than);
// The same in the folders of all batches, for those whose writers must have ended.
void result_files_clean(const char *root);

#endif
