// What the front asks of a renderer and what comes back. Both are the same program, so structs travel as they are; but
// the front believes nothing: a renderer may have been taken over by the label that it drew.
#ifndef PLATEN_RENDER_JOB_H
#define PLATEN_RENDER_JOB_H

#include <platen/platen.h>

#include <string.h>

#include "answer/label_part.h"
#include "process/turns.h"
#include "request/conversion.h"

#define RENDER_MEMORY_PARTS 3 // of enum platen_memory_part

enum render_kind {
    RENDER_LABELS,      // the labels of a document, one at a time
    RENDER_PRINTER_JOB, // the same; the label code continues where the jobs before it ended (renderer_memory.h)
    RENDER_COMPARISON,  // two label codes: RENDER_MEMBERS are those of the answer
    RENDER_CONVERSION   // RENDER_FILE is what came of it
};

// When the renderer forgets the document.
enum render_end { END_LATER, END_NOW, END_WITH_LAST }; // END_WITH_LAST: if the label that is drawn is the last one

struct render_labels {
    uint32_t label; // to be drawn; with `by_page` a page
    enum label_content content;
    enum render_end end;
    bool by_page;
    bool page_findings; // findings for the header: those of the drawing, without those of the parse
    bool linter;        // findings as Labelary's linter has them
    bool apart;         // of JSON: the picture is in RENDER_FILE, not in the members
    bool fills;         // values follow the label code, which are filled into it
};

struct render_printer_job {
    struct render_labels labels;                // first, as in the union
    uint64_t memory;                            // the memory that it starts with, as a number
    uint64_t memory_after;                      // the number of what it leaves, if that differs
    uint64_t memory_sizes[RENDER_MEMORY_PARTS]; // of its parts, which come before the label code, with `brings_memory`
    bool brings_memory;
    bool keeps_memory; // it is asked for again; otherwise it is forgotten with the request
    bool recognises;   // the language of the label code may be another than that of the printer: looks_like is wanted
    uint64_t plain;    // then: bytes of it before those of its first graphic or file, which are of no language; 0: all
};

// It crosses as bytes: no pointers, and render_ask_init makes all of it zero.
struct render_ask {
    enum render_kind kind;
    bool opens;           // understand the label code that follows, and report what it holds
    bool shared;          // the label code is in the memory that both share
    uint64_t request;     // number of the request: a renderer keeps its document until it is asked for another one
    uint64_t client;      // whose it is: between two clients the renderer overwrites what is left in its memory
    uint64_t zpl_size;    // with `opens`: bytes of label code that follow
    uint64_t first_size;  // bytes of the first text, where two follow: label code and values, or two label codes
    uint64_t deadline_ns; // on the monotonic clock; that of the job for which it is asked
    struct control_values controls;
    union {
        struct render_labels labels; // RENDER_LABELS, and the start of RENDER_PRINTER_JOB
        struct render_printer_job job;
        struct conversion_request conversion; // RENDER_CONVERSION and RENDER_COMPARISON
    };
};

// Is it answered whole, without a document?
static inline bool render_ask_is_whole(const struct render_ask *ask)
{
    return ask->kind == RENDER_COMPARISON || ask->kind == RENDER_CONVERSION;
}

// `request` and `client` are as in the struct.
static inline void render_ask_init(struct render_ask *ask, enum render_kind kind, uint64_t request, uint64_t client)
{
    memset(ask, 0, sizeof *ask);
    ask->kind = kind;
    ask->request = request;
    ask->client = client;
    ask->opens = render_ask_is_whole(ask);
}

// Is a label drawn, or a whole answer made?
static inline bool render_ask_draws(const struct render_ask *ask)
{
    return render_ask_is_whole(ask) || ask->labels.content != LABEL_NOTHING;
}

static inline bool render_ask_ends(const struct render_ask *ask)
{
    return render_ask_is_whole(ask) || ask->labels.end == END_NOW;
}

// The bytes that follow an answer, in this order, unless they are `shared`.
enum render_section {
    RENDER_COPIES,   // uint32_t for each label
    RENDER_FINDINGS, // of the parse: struct render_finding and its texts, for each
    RENDER_MEMBERS,  // of the label's object in JSON
    RENDER_WARNINGS, // of the label, a JSON array
    RENDER_HEADER,   // of the label, for X-Warnings
    RENDER_FILE,     // the picture, or the part of a PDF
    RENDER_MEMORY,   // the first of RENDER_MEMORY_PARTS: those that differ from what the job started with
    RENDER_REPLIES = RENDER_MEMORY + RENDER_MEMORY_PARTS, // struct render_reply and its text, for each
    RENDER_STORED,                                        // the stored objects, a JSON array; where they have changed
    RENDER_SECTIONS
};

// Bytes of it may be anything, so there is no bool in it: one that is neither 0 nor 1 is undefined.
struct render_answer {
    struct platen_error err; // status PLATEN_OK: all is there that was asked for
    uint64_t sizes[RENDER_SECTIONS];
    uint64_t opening_ns;        // with `opens`: what understanding took
    double width_mm, height_mm; // with `opens`: of the pages, before rotation
    uint32_t language;          // with `opens`: enum platen_language
    uint32_t looks_like;        // of a printer's job: the language that its beginning is recognised as; 0: not asked
    uint32_t pages, labels;     // with `opens`
    uint32_t finding_count, findings_dropped;
    uint32_t label;                      // that was drawn
    uint32_t warning_count;              // in RENDER_WARNINGS
    uint32_t header_count, header_shown; // of RENDER_HEADER
    uint8_t drawn;                       // false: there is no such page
    uint8_t shared;                      // the sections lie one behind the other in the memory that both share
    uint8_t forgot;                      // it has not got the document any more: the label code is wanted again
    uint8_t retires;                     // the renderer has worked for long and should be replaced
    uint8_t changed;                     // PLATEN_CHANGED_...: which parts of the memory follow
    struct platen_settings settings;     // of a printer's job: those that hold after it
};

struct render_reply {
    uint32_t kind; // enum platen_reply_kind
    uint32_t size;
};

_Static_assert(sizeof(struct render_ask) <= PL_SHARED_HEAD && sizeof(struct render_answer) <= PL_SHARED_HEAD,
               "heads fit into the memory that both share");

struct render_finding {
    uint32_t code, message, command, fix; // bytes of the texts that follow, each with its NUL
    uint32_t severity;
    uint32_t offset, length, line, column, parameter;
    int32_t label;
};

#endif
