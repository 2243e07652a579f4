// One pair of files of `platen diff`: read, drawn and compared.
#ifndef PLATEN_DIFF_PAIR_H
#define PLATEN_DIFF_PAIR_H

#include "cli/cli_options.h"
#include "diff_write.h"

// The same for all pairs.
struct diff_request {
    struct cli_options common;
    struct platen_compare_options options;
    const char *picture;
    bool json, quiet, one_page, folders;
    uint32_t page;
    const struct platen_engine *engine;
    size_t input_limit, output_limit;
};

// Says parts of what it finds, and at last how the pair ends.
void diff_pair_compare(const struct diff_request *request, const struct diff_pair *pair, struct platen_worker *worker,
                       const struct message_sink *sink);

#endif
