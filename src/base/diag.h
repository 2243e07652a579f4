// Diagnostics: what was odd in the input, where, and what was done instead. Collected on the way, never an error.
#ifndef PL_BASE_DIAG_H
#define PL_BASE_DIAG_H

#include <stdint.h>

#include "base/arena.h"
#include "base/slice.h"

enum pl_severity { PL_SEV_INFO, PL_SEV_WARNING, PL_SEV_ERROR };

enum pl_diag_id {
#define PL_DIAG(id, code, severity, summary) PL_DIAG_##id,
#include "base/diag_table.h"
#undef PL_DIAG
    PL_DIAG_COUNT
};

#define PL_COMMAND_NAME_MAX 16 // with the zero at its end

// Where something comes from in the input.
struct pl_source {
    uint32_t offset; // bytes from the start of the input
    uint32_t length;
    char command[PL_COMMAND_NAME_MAX]; // as the language writes it, terminated; empty where none applies
};

// Of a command: its bytes of the input. `recall`: where the text that it is in was recalled, which has the place of all
// that it holds; NULL: it is the input.
static inline struct pl_source pl_source_of(const struct pl_source *recall, size_t offset, size_t length,
                                            const char *command)
{
    struct pl_source s = recall ? *recall : (struct pl_source){(uint32_t)offset, (uint32_t)length, ""};
    size_t n = 0;
    for (; command[n] && n + 1 < sizeof s.command; n++)
        s.command[n] = command[n];
    s.command[n] = '\0';
    return s;
}

struct pl_diag {
    enum pl_diag_id id;
    enum pl_severity severity; // that of its kind, unless whoever found it knows better
    struct pl_source source;
    uint32_t line;       // from 1; set by pl_diags_locate
    uint32_t column;     // from 1, in bytes
    int32_t label;       // index of the label, or -1 outside of labels
    uint8_t parameter;   // from 1; 0: the command as a whole
    const char *message; // a sentence; lives in the arena
    int32_t element;     // index of the element on its label, or -1
    float missing_mm;    // how much is missing, where that is a length; 0: it is none
};

struct pl_diags {
    struct pl_arena *arena;
    struct pl_diag *items;
    uint32_t count;
    uint32_t capacity;
    uint32_t limit;   // how many are kept
    uint32_t dropped; // how many came after that (or found no memory)
    int32_t label;    // label that new diagnostics belong to
    int32_t element;  // and its element
};

struct pl_diag_info {
    const char *code; // snake_case, stable
    enum pl_severity severity;
    const char *summary;
};

void pl_diags_init(struct pl_diags *diags, struct pl_arena *arena, uint32_t limit);
// NULL: it was dropped.
struct pl_diag *pl_diag_add(struct pl_diags *diags, enum pl_diag_id id, struct pl_source source, unsigned parameter,
                            const char *fmt, ...) PL_PRINTF(5, 6);
// The start of a line of the input, and its number. PL_FIRST_LINE is the first one.
struct pl_line_mark {
    size_t start;
    uint32_t line;
    size_t read; // up to there no other line begins
};
#define PL_FIRST_LINE ((struct pl_line_mark){0, 1, 0})
// Moves on to the line that `to` is in; nothing happens where it was passed. LF, CR and CR LF end a line.
void pl_line_mark_move(struct pl_line_mark *at, struct pl_slice input, size_t to);
// Fills line and column of all diagnostics from the input. What was read before `mark` (may be NULL) is not read again,
// and it moves on to the last line that was found: whoever locates page after page reads the input once.
void pl_diags_locate(struct pl_diags *diags, struct pl_slice input, struct pl_line_mark *mark);
const struct pl_diag_info *pl_diag_info(enum pl_diag_id id);

#endif
