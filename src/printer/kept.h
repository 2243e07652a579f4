// What a printer has not printed when the service ends, as a file for the next start: the memory that its jobs continue
// from, labels that were drawn and wait, then jobs that were not drawn. Written and read on the same machine.
#ifndef PRINTER_KEPT_H
#define PRINTER_KEPT_H

#include "base/buf.h"
#include "printer/ring.h"

struct kept_job {
    uint64_t number;                   // of the service that kept it: labels and the rest of one job have the same
    uint32_t from;                     // labels of it that were drawn before
    bool quiet, lasts, prints, stores; // as struct printer_job has them
    uint64_t plain;
    char source[PRINTED_SOURCE_MAX + 1];
    struct pl_slice code;
};

void kept_begin(struct pl_buf *out, const struct pl_slice memory[PRINTED_MEMORY_PARTS]);
// Without the memory that it was drawn with: its picture is kept, its PDF is not.
void kept_put_label(struct pl_buf *out, const struct printed_label *label);
void kept_put_job(struct pl_buf *out, const struct kept_job *job);
void kept_end(struct pl_buf *out);
void kept_seal(uint8_t *file, size_t size); // the end does it: the head fits what follows it

struct kept_reader {
    struct pl_slice rest;
    uint64_t left; // records
    struct pl_slice memory[PRINTED_MEMORY_PARTS];
};

enum kept_kind { KEPT_LABEL, KEPT_JOB, KEPT_END, KEPT_BROKEN, KEPT_NO_MEMORY };

// KEPT_END: all of it can be read. KEPT_BROKEN: it is no such file, or a damaged one.
enum kept_kind kept_check(struct pl_slice bytes);
// False: it is no such file, or a damaged one. The slices are of `bytes`.
bool kept_open(struct kept_reader *reader, struct pl_slice bytes);
// The next one: *label is the caller's, *job has slices of the bytes.
enum kept_kind kept_next(struct kept_reader *reader, struct printed_label **label, struct kept_job *job);

#endif
