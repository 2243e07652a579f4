// What a team decides about findings: severities of its own, and a baseline of findings that are known.
#ifndef PLATEN_CHECK_POLICY_H
#define PLATEN_CHECK_POLICY_H

#include "base/arena.h"
#include "check_codes.h"

#define CHECK_SEVERITIES_MAX 256u
#define CHECK_ANY_CODE UINT32_MAX

enum { CHECK_OFF = -1 }; // a level below all severities: the finding is ignored

// [PATTERN:]CODE[@COMMAND]=LEVEL
struct check_severity {
    const char *pattern; // of the path, as the shell has them; `*` also stands for folders. NULL: all files
    uint32_t code;       // or CHECK_ANY_CODE
    char command[8];     // of the element's field, "" for all
    int level;           // enum platen_severity or CHECK_OFF
};

struct check_severities {
    struct check_severity items[CHECK_SEVERITIES_MAX];
    uint32_t count;
};

// A path as patterns and the baseline have it: `./labels` is `labels`.
const char *check_policy_path(const char *path);

// Adds one. False, with a sentence in `why`.
bool check_severities_add(struct check_severities *list, const char *text, struct pl_arena *memory, struct pl_buf *why);
// The level of a finding: the last rule that matches decides, without one its own severity.
int check_severities_level(const struct check_severities *list, const char *path, const struct platen_diagnostic *d);

// How many findings of a kind in a file are known.
struct check_known {
    const char *path, *code, *command;
    uint32_t count;
};

struct check_baseline {
    struct check_known *items; // by path, code and command
    uint32_t count;
};

// Reads what --format baseline wrote. False, with a sentence in `why`.
bool check_baseline_parse(struct check_baseline *baseline, char *text, struct pl_arena *memory, struct pl_buf *why);
// The entry of this kind of finding; NULL: it is new.
const struct check_known *check_baseline_find(const struct check_baseline *baseline, const char *path,
                                              const struct platen_diagnostic *d);

#endif
