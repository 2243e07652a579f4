// LPD (RFC 1179): the data files of jobs, as they arrive. Control files are taken and thrown away.
#ifndef PRINTER_LPD_H
#define PRINTER_LPD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct lpd_sink {
    size_t (*data)(void *user, struct pl_slice bytes); // how many it takes; fewer than all: set `pauses`
    void (*file_end)(void *user, bool whole);          // not whole: it broke off, or the client says so
    void *user;
};

struct lpd {
    uint8_t state;
    uint8_t line[256];
    uint16_t line_len;
    bool in_job;    // "receive a printer job" was accepted
    bool is_data;   // the file that arrives is a data file
    bool until_end; // without a stated length
    uint64_t length, left;
    bool pauses; // set by the sink: it takes no more now
};

// Takes bytes off the front of *bytes: all, unless the sink pauses. Answers go to `out`. False: the connection is to be
// closed.
bool lpd_feed(struct lpd *lpd, struct pl_slice *bytes, const struct lpd_sink *sink, struct pl_buf *out);
void lpd_end(struct lpd *lpd, const struct lpd_sink *sink);
bool lpd_is_between(const struct lpd *lpd); // with nothing of a line or a file

#endif
