// The page that `platen check --report DIR` writes: each label with findings, and a crop of every place.
#ifndef PLATEN_CHECK_REPORT_H
#define PLATEN_CHECK_REPORT_H

#include "check_format.h"

struct check_report {
    struct pl_buf out; // the part of one input; empty where it has no findings
    const char *path;
    size_t item;       // number of the input: makes names of pictures unique
    uint32_t pictures; // so far
};

// The findings of a label, in the order of the other outputs.
struct check_report_list {
    const struct check_finding *const *items;
    uint32_t count;
};

void check_report_init(struct check_report *report, const char *path, size_t item, size_t max);
void check_report_fini(struct check_report *report);
// Adds a label with its picture, while its page is there.
void check_report_label(struct check_report *report, struct platen_worker *worker, const struct platen_page *page,
                        const struct check_findings *all, const struct check_report_list *list);
// Adds findings without a picture.
void check_report_findings(struct check_report *report, const struct check_findings *all,
                           const struct check_report_list *list);
void check_report_end(struct check_report *report);

// The page around the parts.
void check_report_open(struct pl_buf *out);
void check_report_close(const struct check_totals *totals, uint64_t left_out, struct pl_buf *out);

#endif
