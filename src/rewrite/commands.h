// Label code as a list of commands that can be changed and written again.
#ifndef PL_REWRITE_COMMANDS_H
#define PL_REWRITE_COMMANDS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/job.h"
#include "lang/zpl/cmd_table.h"

struct rw_command {
    const struct zpl_row *row; // NULL: unknown
    struct pl_slice *items;    // parameters, without blanks around them where these mean nothing
    uint32_t item_count;
    uint32_t start, end;         // in the text that was read
    uint32_t origin, origin_end; // in the code of the caller
    struct pl_slice data;        // field data, comment or payload; of other commands empty
    struct pl_slice skipped;     // text before it that belongs to no command
    char prefix;                 // '^' or '~'
    uint8_t first, second;       // second 0: ^A without a font's letter
    uint8_t caret, tilde, comma; // as they were when it was read
    uint8_t kind;                // enum zpl_lex_kind
    bool has_data;               // of a payload: the delimiter before it is there
    bool counted;                // the payload is counted bytes
    bool unnamed;                // ^A without a font's letter: `second` is not written
    bool left_out;               // it is not written
    bool moved;                  // the field that it begins, or whose place it is, has its place
    bool no_parameters;          // the command has none: its one item is text that stands behind it
    bool bare;                   // no data, which is not the same as a line end: none may follow
};

// Where in the caller's code a command comes from that was written at an offset.
struct rw_place {
    uint32_t offset, origin, origin_end;
};
struct rw_places {
    struct pl_arena *arena;
    struct rw_place *items;
    uint32_t count, capacity;
};

// A command that comes before the one at an index.
struct rw_insertion {
    struct rw_insertion *next;
    struct rw_command *command;
    uint32_t index;
};

struct rw_document {
    struct pl_arena *arena;
    struct pl_arena_mark start; // what the arena held before the commands
    struct pl_diags *diags;     // notes for the caller
    const struct pl_job *job;
    struct pl_slice input;
    const struct rw_places *places; // NULL: the input is the caller's code
    struct rw_command *commands;
    uint32_t count;
    uint32_t capacity;
    struct rw_insertion *inserted, **inserted_end; // not among the commands yet, in the order in which they came
    struct pl_slice rest;                          // text behind the last command
    uint8_t prefixes[3];                           // in force at the end: format prefix, control prefix and delimiter
    bool overlong;        // a label has ink beyond its ^LL, which therefore says nothing of the size
    bool torn;            // `rest` begins with counted bytes that break off: nothing may follow it
    size_t decoded_limit; // bytes of decoded graphics, of one pass
};

// Reads all of doc->input.
enum pl_errc rw_read(struct rw_document *doc, struct pl_error *err) PL_MUST_USE;
// A command to be added before the one at `index`; `items` is text of its parameters, as one. NULL: no memory. Indexes
// stay as they are until rw_apply_insertions puts all of them among the commands; of one index the first comes first.
struct rw_command *rw_insert(struct rw_document *doc, uint32_t index, const char *name, const char *items);
enum pl_errc rw_apply_insertions(struct rw_document *doc, struct pl_error *err) PL_MUST_USE;

static inline bool rw_is(const struct rw_command *c, const char *name)
{
    return c->prefix == name[0] && c->first == (uint8_t)name[1] && c->second == (uint8_t)name[2];
}

static inline bool rw_is_font(const struct rw_command *c)
{
    return c->prefix == '^' && c->first == 'A' && c->second != '@';
}

// A barcode of any kind, but not ^BY.
static inline bool rw_is_barcode(const struct rw_command *c)
{
    return c->prefix == '^' && c->first == 'B' && c->second != 'Y' && c->row;
}

// Is the parameter there, and does it hold more than blanks?
static inline bool rw_has(const struct rw_command *c, uint32_t item)
{
    return item < c->item_count && c->items[item].len > 0;
}

static inline struct pl_source rw_source(const struct rw_command *c)
{
    struct pl_source s = {.offset = c->origin, .length = c->origin_end - c->origin};
    s.command[0] = c->prefix;
    s.command[1] = (char)c->first;
    s.command[2] = (char)c->second;
    return s;
}

// ~JR where ^CC was changed before it: it ends at the prefix of before, and what follows has that of the start.
static inline bool rw_resets_prefix(const struct rw_command *c)
{
    return rw_is(c, "~JR") && c->caret != '^';
}

// Sets a parameter; those before it that are missing become empty. False: no memory.
bool rw_set_item(struct rw_document *doc, struct rw_command *c, uint32_t item, struct pl_slice text);

enum rw_layout {
    RW_LINES,  // one field a line
    RW_COMPACT // as short as it gets
};
// Appends the code. `places` (may be NULL) gets where each command was written.
void rw_write(const struct rw_document *doc, enum rw_layout layout, struct pl_buf *out, struct rw_places *places);
// False: no memory.
bool rw_places_add(struct rw_places *places, size_t offset, const struct rw_command *c);
// Where text from an offset on comes from: `places` say it (NULL: from itself).
struct pl_source rw_origin(const struct rw_places *places, uint32_t offset, uint32_t length);
// Leaves out what changes no label: comments, text between commands, empty parameters at the end.
void rw_strip(struct rw_document *doc);
// Drops blanks at the end of texts where they cannot be seen.
void rw_trim_texts(struct rw_document *doc);

#endif
