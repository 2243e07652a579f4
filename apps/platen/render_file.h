// Rendering one input of `platen render`: parse, draw, encode, write.
#ifndef PLATEN_RENDER_FILE_H
#define PLATEN_RENDER_FILE_H

#include "cli_options.h"
#include "shared_work.h"

struct render_request {
    struct cli_options common;
    uint32_t page;  // from 0
    bool all_pages; // every page in a file of its own (pdf, json and base64 always hold all)
    bool strict;    // warnings fail
    bool quiet;     // do not print diagnostics
    size_t input_limit;
    const struct platen_engine *engine;
    uint32_t jobs; // threads for the labels of one input
};

// Does one file of this format hold all labels?
bool render_holds_all(enum output output);

// Renders `input` to `output` ("-": standard output). With all_pages, page numbers are put before the extension. What
// there is to say is said by `voice`. False when something failed; lines were printed.
bool render_file(struct platen_worker *worker, const struct render_request *request, const char *input,
                 const char *output, const struct voice *voice);

#endif
