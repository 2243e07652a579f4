// The render controls of the HTTP API: one table of names, aliases, bounds and defaults, from which queries, JSON
// bodies and multipart parts are read and the documents are written.
#ifndef PLATEN_CONTROLS_H
#define PLATEN_CONTROLS_H

#include <platen/platen.h>

#include "base/json_reader.h"
#include "http/http.h"
#include "problem.h"

enum output { OUTPUT_PNG, OUTPUT_JPEG, OUTPUT_WEBP, OUTPUT_PDF, OUTPUT_JSON, OUTPUT_BASE64, OUTPUT_COUNT };

enum control {
    CONTROL_FORMAT,
    CONTROL_WIDTH_MM,
    CONTROL_HEIGHT_MM,
    CONTROL_DPMM,
    CONTROL_PAGE,
    CONTROL_DOWNLOAD,
    CONTROL_FILENAME,
    CONTROL_ROTATION,
    CONTROL_QUALITY,
    CONTROL_PROFILE,
    CONTROL_JPEG_QUALITY,
    CONTROL_COPIES,
    CONTROL_STRICT,
    CONTROL_TIME,
    CONTROL_MIN_MODULE_MM,
    CONTROL_VERIFY,
    CONTROL_RULES,
    CONTROL_SIZE,
    CONTROL_PAGE_SIZE,
    CONTROL_PAGE_ORIENTATION,
    CONTROL_PAGE_LAYOUT,
    CONTROL_PAGE_ALIGN,
    CONTROL_PAGE_VERTICAL_ALIGN,
    CONTROL_PAGE_MARGIN_MM,
    CONTROL_PAGE_GAP_MM,
    CONTROL_PAGE_ORDER,
    CONTROL_PAGE_START,
    CONTROL_LABEL_BORDER,
    CONTROL_CUT_MARKS,
    CONTROL_FIT,
    CONTROL_PDFA,
    CONTROL_COUNT
};

enum control_type { CONTROL_IS_NUMBER, CONTROL_IS_INTEGER, CONTROL_IS_BOOLEAN, CONTROL_IS_WORD, CONTROL_IS_TEXT };

struct control_info {
    const char *name;
    const char *aliases[3];
    enum control_type type;
    const char *fallback; // the default, as JSON; NULL: none
    const char *allowed;  // "a number above 0", "one of ..." for messages and documents
    const char *summary;  // for the documents
    const char *schema;   // JSON Schema members: "\"type\":\"number\",\"exclusiveMinimum\":0"
};

const struct control_info *control_info(enum control control);

#define CONTROLS_UNKNOWN_MAX 8
#define CONTROLS_USELESS_MAX 16

struct controls {
    uint64_t given; // bit per control
    enum output format;
    double width_mm, height_mm;
    double dpmm;
    uint64_t page;
    bool download;
    struct pl_slice filename;
    uint32_t rotation;
    bool grayscale;
    bool printer; // the profile
    uint32_t jpeg_quality;
    bool collapse;
    bool strict;
    int64_t time; // seconds since 1970
    double min_module_mm;
    bool verify;
    uint32_t rules; // index of the rule set (platen_rule_set_at)
    bool fit_size;  // widthMm and heightMm count where they are given
    struct platen_pdf_layout layout;
    bool landscape; // the page of the layout
    // Names that are no controls, for a warning; the first few.
    struct pl_slice unknown[CONTROLS_UNKNOWN_MAX];
    uint32_t unknown_count;
    // Names of options and headers that were given and have no effect on this output, for a warning.
    const char *useless[CONTROLS_USELESS_MAX];
    uint32_t useless_count;
};

void controls_init(struct controls *controls);
static inline bool controls_has(const struct controls *controls, enum control control)
{
    return controls->given >> control & 1;
}

// A value as it came: from JSON with its type, from elsewhere as text.
struct control_value {
    struct pl_slice text;
    enum pl_json_event type; // PL_JSON_STRING for text from queries and parts
    bool json;
    struct pl_slice raw; // of an object or array: its JSON
};

// Sets a control by its name or an alias; unknown names are noted. Returns like those below.
bool controls_set(struct controls *controls, struct pl_slice name, struct control_value value, struct problem *problem);

// Each returns true, or false with a problem (400) that names the control and what is allowed.
bool controls_from_query(struct controls *controls, const struct http_request *req, struct problem *problem);
bool controls_from_part(struct controls *controls, const struct http_part *part, struct problem *problem);
// One JSON object of controls and other members. `own` is asked first: it sets *taken where the member is its own, and
// returns like the others.
typedef bool controls_member(void *user, struct pl_slice name, struct control_value value, bool *taken,
                             struct problem *problem);
bool controls_from_object(struct controls *controls, struct pl_slice text, struct pl_arena *arena, controls_member *own,
                          void *user, struct problem *problem);
// A member that must be a string: label code. Its text lives in the arena or in the object's text.
bool controls_text_member(struct pl_slice name, struct control_value value, struct pl_slice *out,
                          struct problem *problem);
// The JSON body of RenderRequest: controls, the ZPL itself and values to fill in. The texts of `zpl` and `rows` live in
// the request's arena or body.
bool controls_from_json(struct controls *controls, struct http_request *req, struct pl_slice *zpl,
                        struct pl_slice *rows, struct problem *problem);
// `name` must outlive the controls.
void controls_note_useless(struct controls *controls, const char *name);
// What the query gives wins over what the body gives.
void controls_merge(struct controls *into, const struct controls *from);

// YYYY-MM-DD, then optionally T or a space and HH:MM[:SS], then optionally Z: the clock on the printer's wall. Or
// seconds since 1970.
bool controls_parse_time(struct pl_slice text, int64_t *seconds);
// The pages of a PDF; false: one label a page, and no PDF/A.
bool controls_layout(const struct controls *controls, struct platen_pdf_layout *out);
// Does it concern PDFs alone?
static inline bool control_is_of_pdf(enum control control)
{
    return control >= CONTROL_PAGE_SIZE && control <= CONTROL_PDFA;
}
// The first control that concerns PDFs alone and is given; NULL: none.
const char *controls_of_pdf(const struct controls *controls);
// The name of a rule set, in any case.
bool controls_parse_rules(struct pl_slice text, uint32_t *index);
#define RULES_LIST "none, default, gs1-retail, gs1-logistics, healthcare, ups, usps, fedex or dhl"

bool output_by_name(struct pl_slice name, enum output *out); // any case, also "jpg"
bool output_is_picture(enum output output);                  // of one label
const char *output_name(enum output output);
const char *output_mime(enum output output);
#define OUTPUT_LIST "png, jpeg, webp, pdf, json, base64"

#endif
