// Reads the JSON of requests item by item, without a tree: one object, or an array of them.
#ifndef GRAIN_READER_H
#define GRAIN_READER_H

#include "base/err.h"
#include "base/json_reader.h"
#include "grain/calc.h"

struct grain_reader {
    struct pl_json_reader json;
    size_t items; // read so far
    bool batch;   // the text is an array
};

enum grain_read { GRAIN_READ_ITEM, GRAIN_READ_END, GRAIN_READ_BAD };

// Finds out whether the text is one calculation or a batch.
void grain_reader_init(struct grain_reader *reader, struct pl_slice text);
// The next item. GRAIN_READ_BAD: `err` holds PL_E_INVALID with a sentence (not JSON, not UTF-8, a name twice in one
// item, nested too deeply, text after the end) or PL_E_LIMIT (more than GRAIN_BATCH_MAX items). A value of the wrong
// kind is no error here but in grain_calculate.
enum grain_read grain_reader_next(struct grain_reader *reader, struct grain_request *request, struct pl_error *err);

#endif
