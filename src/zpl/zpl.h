// The ZPL II language: bytes in, scene and diagnostics out.
#ifndef PL_ZPL_ZPL_H
#define PL_ZPL_ZPL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/job.h"
#include "base/limits.h"
#include "base/slice.h"
#include "profile/profile.h"
#include "scene/scene.h"
#include "store/store.h"

// What an answer to the host is made of.
enum pl_zpl_reply {
    PL_ZPL_REPLY_TEXT,          // its text, as it is
    PL_ZPL_REPLY_CONFIGURATION, // ^HH: who runs the printer knows the rest of what it says
    PL_ZPL_REPLY_XML            // ^HZ: the same in XML; its text is the letter of the part
};

struct zpl; // all that the interpreter of one input knows

struct pl_zpl_options {
    const struct pl_profile *profile; // goes on into the scene
    double dpmm;
    uint32_t width, height;  // the label in dots, for commands that need it
    struct pl_limits limits; // labels, elements_per_label, decoded_graphics and recall_depth are held here
    int64_t time;            // the printer's clock, in seconds since 1970 UTC; read as the local time of the printer
    bool collapse_copies;    // ^PQ is not cut to the label limit, since nobody will expand it
    // The printer is as this input left it, and answers its host (memory.h). It outlives the scene, and `store` has its
    // store as base. NULL: power-on, and no host.
    const struct zpl *after;
    const struct zpl **end; // where the interpreter leaves itself for the next input; lives in the arena. May be NULL
    bool linter;            // findings as the reference's linter words and places them
};

// Interprets all of `input`. Scene, diagnostics and what they point to live in `arena`, or borrow from `input` and
// `store`, so both must outlive the scene. Objects that the input stores are put into `store` and stay there.
enum pl_errc pl_zpl_interpret(struct pl_slice input, const struct pl_zpl_options *options, struct pl_store *store,
                              struct pl_arena *arena, struct pl_diags *diags, const struct pl_job *job,
                              struct pl_scene *out, struct pl_error *err) PL_MUST_USE;

// The command table, for `platen commands`, the page's completion and docs/commands.md.
enum pl_zpl_support { PL_ZPL_FULL, PL_ZPL_PARTIAL, PL_ZPL_NO_EFFECT };

enum pl_zpl_param_type {
    PL_ZPL_DOTS,   // a length in dots; ^MU scales it
    PL_ZPL_NUMBER, // a count, ratio or code
    PL_ZPL_CHOICE, // one of the characters in `values`
    PL_ZPL_CHAR,   // any one character
    PL_ZPL_TEXT,   // free text
    PL_ZPL_OBJECT, // d:name.ext
    PL_ZPL_DATA    // the payload
};

struct pl_zpl_param {
    const char *name;
    enum pl_zpl_param_type type;
    int32_t min, max;     // of numbers
    const char *values;   // of choices: the allowed characters
    const char *fallback; // default as text; "" where it is required or has none
};

struct pl_zpl_command {
    char prefix; // '^' or '~'
    char name[3];
    char title[5]; // "^FO"; "^A" for all of ^A0, ^AA …
    enum pl_zpl_support support;
    const char *summary;
    const char *note;                  // what is missing, or why there is no effect; may be empty
    const struct pl_zpl_param *params; // one without a name: there are none
    uint32_t param_count;
};

uint32_t pl_zpl_command_count(void);
// In the order of the table: '^' before '~', names in order.
const struct pl_zpl_command *pl_zpl_command_at(uint32_t index);

#endif
