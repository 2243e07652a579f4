// What `platen check` finds in an input, gathered with its places and filtered by the settings.
#ifndef PLATEN_CHECK_FINDING_H
#define PLATEN_CHECK_FINDING_H

#include "base/arena.h"
#include "check_settings.h"

#define CHECK_FINDINGS_MAX 10000u // of an input that are shown; the others are counted

// Dots on the finished page.
struct check_box {
    int32_t x, y;
    uint32_t width, height;
};

struct check_finding {
    struct platen_diagnostic d;
    uint32_t order;        // in which it was found
    uint32_t column_utf16; // as editors and code hosts count, from 1; `d.column` counts bytes
    bool has_place;
    struct check_box place;
};

struct check_counts {
    uint32_t by_severity[PLATEN_ERROR + 1];
    uint32_t ignored;
    uint32_t left_out; // beyond CHECK_FINDINGS_MAX; they are in `by_severity`
    uint32_t hidden;   // errors of codes that --only leaves out
    uint32_t known;    // those that the baseline has
    uint32_t labels;
};

// Codes that comments of the input ignore: `^FX platen: ignore CODE[, CODE]`.
struct check_comment {
    uint32_t offset;
    struct check_codes codes;
};

struct check_findings {
    const struct check_settings *settings;
    const char *path;
    struct pl_arena *memory;
    double dpmm;
    struct check_finding *items;
    uint32_t count, capacity;
    struct check_counts counts;
    struct check_comment *comments; // by their offsets
    uint32_t comment_count;
    uint32_t *used; // of each entry of the baseline, how often it was found; NULL: none was
    bool short_of_memory;
};

// Adds one, unless the settings or a comment ignore it. Its texts are copied. `label` is the label that it is in, or
// NULL.
void check_findings_add(struct check_findings *all, const struct platen_diagnostic *d,
                        const struct platen_label *label);
// By label, then by place in the input.
void check_findings_sort(struct check_findings *all);
// The findings in [ranges[0], ranges[1]) and [ranges[2], ranges[3]) in that order, until more are added. No memory:
// NULL and a count of 0.
const struct check_finding *const *check_findings_ordered(struct check_findings *all, const uint32_t ranges[4],
                                                          uint32_t *count);
// Counts `column_utf16` of all of them. A byte that is no UTF-8 counts as one.
void check_findings_count_columns(struct check_findings *all, struct pl_slice zpl);
// Reads the comments of the input; what is wrong with them is a finding.
void check_findings_read_comments(struct check_findings *all, struct pl_slice zpl,
                                  const struct platen_document *document);

static inline uint32_t check_counts_shown(const struct check_counts *counts)
{
    return counts->by_severity[PLATEN_INFO] + counts->by_severity[PLATEN_WARNING] + counts->by_severity[PLATEN_ERROR];
}

static inline bool check_fails(const struct check_settings *settings, enum platen_severity severity)
{
    return severity >= settings->fail_on;
}

#endif
