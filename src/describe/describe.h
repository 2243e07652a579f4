// The JSON description of a document in pieces, for a writer that makes it label by label and where the labels are
// drawn elsewhere. platen_describe (description.c) makes it whole from the same pieces.
//
//   {head, "labels":[ {"index":0, members of the label}, … ], "warnings":[ … ]}
#ifndef PL_DESCRIBE_DESCRIBE_H
#define PL_DESCRIBE_DESCRIBE_H

#include <platen/platen.h>

#include "base/json_writer.h"

// ---- a label, where it is drawn

// Members x, y, width and height of the object that is open.
void pl_describe_box(struct pl_json_writer *out, int64_t x, int64_t y, uint32_t width, uint32_t height);
#define PL_NO_FIX ((struct pl_slice){0})
// Appends one diagnostic as a JSON object. `fix` is that of pl_fix_describe, or empty.
void pl_describe_diagnostic(struct pl_json_writer *out, const struct platen_diagnostic *d, struct pl_slice fix);
// Appends the elements of a page as a JSON array. With options.min_module_mm, barcodes get "moduleOk".
void pl_describe_elements(struct pl_json_writer *out, const struct platen_page *page);
// Told of each diagnostic that is found or written.
struct pl_diagnostic_watch {
    void (*seen)(void *context, const struct platen_diagnostic *d);
    void *context;
};
// Appends the diagnostics of a label as a JSON array: what parsing found in it and what drawing found.
// Returns their number. `also` is told of each; its `seen` may be NULL.
uint32_t pl_describe_warnings(const struct platen_document *document, const struct platen_page *page,
                              struct pl_diagnostic_watch also, struct pl_buf *out);
// Appends the members of a label's object, without its index. `warnings` is the array of pl_describe_warnings.
void pl_describe_members(const struct platen_document *document, const struct platen_page *page,
                         const struct platen_describe_options *options, struct pl_slice png, struct pl_slice warnings,
                         struct pl_buf *out);

// ---- commands

// What stands between a command's name and its first parameter, or between two parameters, as it is typed.
const char *pl_describe_separator(enum platen_language language, bool is_first);

// "The ZPL prints no label: it needs …", with the commands of the language. `of` is behind its name: " of 'a'", or "".
void pl_describe_no_label(enum platen_language language, const char *of, char *out, size_t room);

// ---- two labels compared

// Adds what differs to the object that is open. Without elements on both sides "changes" is null. At most *room changes
// are told, which is reduced by them, and "changesLeftOut" counts the others; NULL: all are.
void pl_describe_comparison(struct pl_json_writer *out, const struct platen_comparison *comparison, double dpmm,
                            uint32_t *room);

// ---- the whole, where it is written

struct pl_description {
    const struct platen_diagnostic *findings; // of the parse
    uint32_t finding_count;
    const struct platen_document *document; // that was parsed; NULL: it is elsewhere
    const char *const *fixes;               // then the JSON of each finding's fix, or ""; NULL: none has one
    uint32_t first, count;                  // labels that are in it
    struct pl_buf warnings; // of the labels noted so far, as JSON objects with commas; its maximum is the caller's
    uint32_t left_out;      // how many more there were than that may hold
};

// From the object's brace to the bracket of its labels. `label` has no member at its default of 0; its language is the
// one that the document was read as.
void pl_description_open(const struct platen_engine *engine, const struct platen_options *label,
                         const struct platen_describe_options *options, uint32_t pages, struct pl_buf *out);
// Ends the page before, unless this is the first, and begins the next. `page` is its number in the document.
void pl_description_page(uint32_t page, bool first, struct pl_buf *out);
// Keeps the diagnostics of a label for the end: the array of pl_describe_warnings and its length. Labels come in order.
void pl_description_note(struct pl_description *description, struct pl_slice warnings, uint32_t warning_count);
void pl_description_forget(struct pl_description *description); // all of them
// Is this finding of the parse in none of the labels: of no label, or of one that is not in the description?
bool pl_description_outside(const struct pl_description *description, const struct platen_diagnostic *d);
// "warnings":[...], all diagnostics: the caller's own first, then those that belong to no label, then those of the
// labels; then "warningsLeftOut" where there are some.
void pl_description_warnings(const struct pl_description *description, const struct platen_diagnostic *own,
                             uint32_t own_count, struct pl_buf *out);
// From the end of the last label on.
void pl_description_close(const struct pl_description *description, const struct platen_diagnostic *own,
                          uint32_t own_count, struct pl_buf *out);

#endif
