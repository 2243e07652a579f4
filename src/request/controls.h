// The render controls of all programs, by the table in control_rows.h.
#ifndef REQUEST_CONTROLS_H
#define REQUEST_CONTROLS_H

#include <platen/platen.h>

#include "base/arena.h"
#include "base/limits.h"
#include "request/control.h"

enum output { OUTPUT_PNG, OUTPUT_JPEG, OUTPUT_WEBP, OUTPUT_PDF, OUTPUT_JSON, OUTPUT_BASE64, OUTPUT_COUNT };
#define OUTPUT_WORDS "png jpeg/jpg webp pdf json base64"
#define OUTPUT_LIST "png, jpeg, webp, pdf, json, base64"

enum { COPIES_EXPAND, COPIES_COLLAPSE }; // of struct control_values, copies

enum control {
#define ROW(id, type, member, ...) CONTROL_##id,
#define ROW_AT(id, member, ...) CONTROL_##id,
#define PAIR_AT(id, member, ...) CONTROL_##id,
#include "request/control_rows.h"
#undef ROW
#undef ROW_AT
#undef PAIR_AT
    CONTROL_COUNT
};

// Values only, no pointers: they cross to renderers as they are.
#define ROW(id, type, member, ...) type member;
#define ROW_AT(id, member, ...)
#define PAIR_AT(id, member, ...)
struct control_values {
    uint64_t given; // a bit for each control
    struct platen_pdf_layout layout;
#include "request/control_rows.h"
};

#define CONTROLS_UNKNOWN_MAX 8
#define CONTROLS_USELESS_MAX 64
#define CONTROLS_OVERRIDDEN_MAX 16

struct controls {
    union {
        struct control_values values;
        struct { // the same members, by their own names
            uint64_t given;
            struct platen_pdf_layout layout;
#include "request/control_rows.h"
        };
    };
    struct pl_slice filename;
    // Names that are no controls, for a warning; the first few.
    struct pl_slice unknown[CONTROLS_UNKNOWN_MAX];
    uint32_t unknown_count;
    // Names of options and headers that were given and have no effect on this output, for a warning.
    const char *useless[CONTROLS_USELESS_MAX];
    uint32_t useless_count;
    // Names that the query gives, and the body with another value; the first few.
    struct pl_slice overridden[CONTROLS_OVERRIDDEN_MAX];
    uint32_t overridden_count;
    bool path_format;      // the path's format was used, and query or body name another
    const char *body_note; // how the body was read, where its content type says otherwise; NULL: as it says
};
#undef ROW
#undef ROW_AT
#undef PAIR_AT

const struct control_row *control_row(enum control control);

void controls_init(struct controls *controls);
static inline bool control_values_have(const struct control_values *values, enum control control)
{
    return values->given >> control & 1;
}
static inline bool controls_has(const struct controls *controls, enum control control)
{
    return control_values_have(&controls->values, control);
}
// Value by value into zeroed memory: nothing that lies between them goes along.
void control_values_copy(struct control_values *into, const struct controls *from);

// Sets a control, which may be given twice only with the same value. False: a problem (400) names it and what is
// allowed. `name` is how it was called.
bool controls_set_one(struct controls *controls, enum control control, struct pl_slice name, struct control_value value,
                      struct problem *problem);
// Sets a control by its name or an alias; unknown names are noted. Returns like the one above.
bool controls_set(struct controls *controls, struct pl_slice name, struct control_value value, struct problem *problem);
// One JSON object of controls and other members. `own` is asked first: it sets *taken where the member is its own, and
// returns like the others.
typedef bool controls_member(void *user, struct pl_slice name, struct control_value value, bool *taken,
                             struct problem *problem);
bool controls_from_object(struct controls *controls, struct pl_slice text, struct pl_arena *arena, controls_member *own,
                          void *user, struct problem *problem);
// The same for an object that messages call `what` ("row"), of up to `most` members.
bool controls_from_members(struct controls *controls, const char *what, uint32_t most, struct pl_slice text,
                           struct pl_arena *arena, controls_member *own, void *user, struct problem *problem);
// A member that must be a string: label code. Its text lives in the arena or in the object's text.
bool controls_text_member(struct pl_slice name, struct control_value value, struct pl_slice *out,
                          struct problem *problem);
// `name` must outlive the controls.
void controls_note_useless(struct controls *controls, const char *name);
// As if it had not been given.
void controls_reset(struct controls *controls, enum control control);
void controls_note_overridden(struct controls *controls, const char *name);
// A name that is not read here: known controls have no effect, others do not exist.
void controls_note_name(struct controls *controls, struct pl_slice name);
// The format of the path, which wins over that of query and body.
void controls_take_path_format(struct controls *controls, enum output format);
// What `from` gives wins.
void controls_merge(struct controls *into, const struct controls *from);
// The same for a query, which wins over a body: those that both give, with different values, are noted.
void controls_override(struct controls *body, const struct controls *query);

// The pages of a PDF; false: one label a page, and no PDF/A.
bool controls_layout(const struct control_values *values, struct platen_pdf_layout *out);
// The name of the first control that concerns PDFs alone and is given; NULL: none.
const char *controls_of_pdf(const struct controls *controls);
// Without these: what one document is given whose labels a PDF holds.
struct controls controls_without_pdf(const struct controls *controls);

// A size that is not the default one: it counts as given.
void controls_set_size(struct control_values *values, double width_mm, double height_mm);

// As options of libplaten, without clock, cancellation and deadline: what is given, and 0 for what is not.
struct platen_options controls_given_options(const struct control_values *values);
// The same for an answer: sizes have their defaults, and barcodes are checked only where the answer tells of it.
struct platen_options controls_options(const struct control_values *values);
struct platen_encode_options controls_encoding(const struct control_values *values);
// How the labels are described.
struct platen_describe_options controls_description(const struct control_values *values);

bool output_by_name(struct pl_slice name, enum output *out); // any case, also "jpg"
bool output_is_picture(enum output output);                  // of one label
bool output_holds_all(enum output output);                   // one file has all labels
enum platen_format output_format(enum output output);        // of the pictures in it: json and base64 hold PNGs
const char *output_name(enum output output);
const char *output_mime(enum output output);

#endif
