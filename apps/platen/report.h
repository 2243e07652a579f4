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
// Calls `found` with a finding for each barcode whose module is narrower than minModuleMm, when that is given.
void report_narrow_modules(const struct platen_page *page, int32_t label, const struct controls *controls,
                           struct pl_slice zpl, void (*found)(void *context, const struct platen_diagnostic *d),
                           void *context);
// The X-Warnings header: Labelary's form, at most 20.
struct warning_header {
    struct pl_buf text;
    uint32_t count; // all of them
    uint32_t shown; // those in the text
};
void warning_header_add(struct warning_header *header, const struct platen_diagnostic *d);
void warning_header_add_unknown(struct warning_header *header, const struct controls *controls);
// Appends what another header holds.
void warning_header_join(struct warning_header *header, const struct warning_header *more);

#endif
