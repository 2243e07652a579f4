// Rendering one input of `platen render`: parse, draw, encode, write.
#ifndef PLATEN_RENDER_FILE_H
#define PLATEN_RENDER_FILE_H

#include "cli/cli_io.h"
#include "cli/cli_options.h"

struct render_request {
    struct cli_options common;
    uint32_t page;  // from 0
    bool all_pages; // every page in a file of its own (pdf, json and base64 always hold all)
    bool strict;    // warnings fail
    bool quiet;     // do not print diagnostics
    size_t input_limit;
    const struct platen_engine *engine;
    uint32_t jobs;                 // threads for the labels of one input
    const struct cli_files *files; // NULL: those of the system
};

// The controls of one document, without those of the PDF that holds all.
struct controls render_controls(const struct render_request *request);

// Is `path` one that rendering an input to `output` may write?
bool render_writes(const struct render_request *request, const char *output, const char *path);

// Renders `input` to `output` ("-": standard output). With all_pages, page numbers are put before the extension.
// Messages go to `sink`. False when something failed; lines were printed.
bool render_file(struct platen_worker *worker, const struct render_request *request, const char *input,
                 const char *output, const struct message_sink *sink);

#endif
