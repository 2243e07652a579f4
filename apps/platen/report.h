// Elements and diagnostics as JSON, and as Labelary's X-Warnings header.
#ifndef PLATEN_REPORT_H
#define PLATEN_REPORT_H

#include <platen/platen.h>

#include "controls.h"

// Appends one diagnostic as a JSON object.
void report_diagnostic(struct http_json_out *out, const struct platen_diagnostic *d);
// Appends the elements of a page as a JSON array.
void report_elements(struct http_json_out *out, const struct platen_page *page, const struct controls *controls);
// Diagnostics that the service itself finds: controls that do not exist, modules that are too narrow.
void report_unknown_controls(struct http_json_out *out, const struct controls *controls);
uint32_t report_narrow_modules(struct http_json_out *out, const struct platen_page *page, int32_t label,
                               const struct controls *controls, struct pl_slice zpl);
// The X-Warnings header: Labelary's form, at most 20.
struct warning_header {
    struct pl_buf text;
    uint32_t count; // all of them
};
void warning_header_add(struct warning_header *header, const struct platen_diagnostic *d);
void warning_header_add_unknown(struct warning_header *header, const struct controls *controls);

#endif
