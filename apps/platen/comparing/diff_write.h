// The output of `platen diff`, as text or JSON. Pairs are compared in any order; what they say comes in theirs.
#ifndef PLATEN_DIFF_WRITE_H
#define PLATEN_DIFF_WRITE_H

#include <stdatomic.h>

#include "answer/compare_documents.h"
#include "base/buf.h"
#include "cli/cli_io.h"
#include "diff_files.h"

enum diff_end { DIFF_SAME, DIFF_DIFFERENT, DIFF_UNREADABLE };

// What a pair says; the last is DIFF_ENDS, by diff_say_end.
enum diff_kind { DIFF_MESSAGE, DIFF_LABEL, DIFF_PICTURE, DIFF_ENDS };

// Says it as a whole; `path` is that of a picture. False: there is no memory for it.
bool diff_say(const struct message_sink *sink, enum diff_kind kind, const char *path, const void *data, size_t size);
// It needs no memory: without an end, the next pair's parts would count as this one's.
void diff_say_end(const struct message_sink *sink, enum diff_end end);

struct diff_output {
    const struct diff_pairs *pairs;
    bool as_json, quiet;
    size_t count[DIFF_UNREADABLE + 1]; // of pairs, by how they end
    atomic_bool broken;                // nothing more can be written
    // What follows starts as 0.
    struct pl_buf out;
    struct pl_json_writer json;
    size_t at; // the pair that speaks
    bool begun, picture_failed;
};

void diff_output_open(struct diff_output *o, size_t most);
// The `say` of a sink: what pairs say, in their order.
void diff_output_take(void *user, const char *text, size_t len);
// Writes what is left. False: not all was compared or written; a line was printed.
bool diff_output_close(struct diff_output *o);

// Appends lines about a label that is not the same, or whose elements are not; nothing where all is.
void diff_write_label(struct pl_buf *out, const char *name, const struct compared_label *label);

#endif
