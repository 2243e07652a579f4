// The json and base64 results: metadata, a PNG per label, elements and diagnostics. Written label by label, by the
// service and by `platen render`.
#ifndef PLATEN_RESULT_JSON_H
#define PLATEN_RESULT_JSON_H

#include <platen/platen.h>

#include "label_part.h"
#include "summary.h"

// A result while it is written. The whole is: open, then for each page its head and its label's members, then close.
struct result_json {
    const struct controls *controls;
    const struct platen_engine *engine;
    struct findings findings; // of the parse
    uint32_t first, count;    // labels that are in it
    struct pl_buf warnings;   // of the labels noted so far, as JSON objects with commas
    uint32_t left_out;        // how many more there were than that may hold
};

// From the object's brace to the bracket of its pages.
void result_json_open(struct result_json *result, uint32_t pages, struct pl_buf *out);
// Ends the page before, if there is one, and begins the next.
void result_json_page(uint32_t page, struct pl_buf *out);
// Keeps the diagnostics of a label for the end. Labels come in order.
void result_json_note(struct result_json *result, const struct label_part *part);
void result_json_forget(struct result_json *result); // all of them
// Is this finding of the parse in none of the labels: of no label, or of one that is not in the result?
bool result_json_outside(const struct result_json *result, const struct platen_diagnostic *d);
// "warnings":[...], all diagnostics: those that belong to no label first; then "warningsLeftOut" where there are some.
void result_json_put_warnings(const struct result_json *result, struct pl_buf *out);
// From the end of the last page on.
void result_json_close(const struct result_json *result, struct pl_buf *out);

#endif
