// `platen render` for many documents: rows of files, and outputs that hold all labels.
#ifndef PLATEN_RENDER_MANY_H
#define PLATEN_RENDER_MANY_H

#include "answer/batch_answer.h"
#include "cli/row_source.h"
#include "render_file.h"

struct render_many {
    const struct render_request *request;
    const struct platen_engine *engine;
    const struct path_list *inputs;
    const char *out_dir;       // a file for each label; NULL: all in one
    const char *output;        // that one; "-" is standard output
    enum batch_kind kind;      // of it
    enum row_kind standard;    // what standard input is
    const char *template_path; // NULL: none
    uint32_t jobs;
    uint64_t timeout_ms; // for each document, in processes; 0: in threads, by the limits of the request
    bool skip_existing;
};

// The exit status.
int render_many_run(struct render_many *run);

#endif
