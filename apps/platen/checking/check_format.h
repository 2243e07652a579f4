// The outputs of `platen check`: text for people, JSON, JUnit, SARIF and GitHub's workflow commands.
//
// An output is its beginning, a part for each input, in their order, and its end. Parts can be made anywhere.
#ifndef PLATEN_CHECK_FORMAT_H
#define PLATEN_CHECK_FORMAT_H

#include "check_finding.h"

// In the text for people these bytes stand for colours, which only a terminal gets.
enum check_colour { CHECK_PLAIN = 1, CHECK_BOLD, CHECK_RED, CHECK_YELLOW, CHECK_BLUE, CHECK_DIM };

// All inputs together.
struct check_totals {
    uint64_t by_severity[PLATEN_ERROR + 1];
    uint64_t ignored, hidden, known, left_out, labels, files, files_with_findings;
    bool failed;               // there are findings at or above --fail-on
    const char *settings_file; // NULL: none
};

// `docs_url`: where this documentation is served, for links; NULL: not known.
void check_format_open(enum check_format format, const char *docs_url, struct pl_buf *out);
// The part of one input. It may be empty.
void check_format_input(enum check_format format, const char *path, const struct check_findings *all,
                        struct pl_buf *out);
// What stands between two parts that are not empty.
const char *check_format_between(enum check_format format);
void check_format_close(enum check_format format, const struct check_totals *totals, struct pl_buf *out);
// One line for people.
void check_format_summary(const struct check_totals *totals, struct pl_buf *out);

// Is there something to say about the place: is it one of several labels, or known on the label?
bool check_has_place(const struct check_findings *all, const struct check_finding *finding);
// "label 2 of 3 at 12.5, 30 mm", as far as it is known.
void check_put_place(struct pl_buf *out, const struct check_findings *all, const struct check_finding *finding);
// A path, or what standard input is called.
const char *check_shown_path(const char *path);

// Parts of check_format.c in files of their own.
void check_junit_input(const char *path, const struct check_findings *all, struct pl_buf *out);
void check_sarif_open(const char *docs_url, struct pl_buf *out);
void check_sarif_input(const char *path, const struct check_findings *all, struct pl_buf *out);
void check_sarif_close(const struct check_totals *totals, struct pl_buf *out);

#endif
