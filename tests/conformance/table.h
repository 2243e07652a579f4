// The table of a conformance run: rows of the index with their scores, groups, thresholds, reports.
#ifndef CONFORMANCE_TABLE_H
#define CONFORMANCE_TABLE_H

#include <stdio.h>

#include "picture.h"

struct row {
    const char *folder; // of the set that the row comes from
    char id[128], group[32], zpl[192], png[192];
    uint32_t dpmm, page;
    double width_mm, height_mm;
    double peer_overlap; // the best open peer's score on the same image; negative: none
    struct score bitonal, grey;
    char error[256];  // why there is no score
    bool old_qr_mask; // made before the reference changed its choice of QR masks: QR symbols do not count
};

struct table {
    struct row *rows;
    size_t count;
};

// Adds the rows of FOLDER/index.tsv. A carrier label of an earlier set that this one has too is shown by this one's
// picture.
bool table_read(const char *folder, struct table *out);
void table_free(struct table *table);
// Means per group and the worst twenty labels.
void table_print(const struct table *table, FILE *out);
bool table_write_scores(const struct table *table, const char *path);
bool table_write_html(const struct table *table, const char *folder);
// One line a group: name, least mean overlap, least overlap of a label, greatest mean diff32. Prints what fails, and
// the counts that the test script reads.
bool thresholds_check(const struct table *table, const char *path);
// Lifts each threshold to what was reached; never lowers one.
bool thresholds_raise(const struct table *table, const char *path);

#endif
