// What a renderer does beside drawing labels: label code to label code or tables, pictures and fonts to label code,
// comparing. One structure, filled from queries, bodies, forms, command lines and tools by one table of names.
#ifndef REQUEST_CONVERSION_H
#define REQUEST_CONVERSION_H

#include <platen/platen.h>

#include "request/controls.h"

enum conversion {
    CONVERT_NONE,
    CONVERT_CODE,    // platen_rewrite
    CONVERT_EXPLAIN, // platen_explain
    CONVERT_EXTRACT, // platen_extract
    CONVERT_GRAPHIC, // platen_graphic_new
    CONVERT_FONT,    // platen_font_code
    // For assistants (renderer_tools.c).
    CONVERT_PICTURE,  // one label as a picture, and its findings
    CONVERT_DOCUMENT, // all labels as a PDF
    CONVERT_CHECK,    // findings with fixes
    CONVERT_BARCODES, // what the barcodes read as
    CONVERT_GS1,      // GS1 data in its forms
    CONVERSION_COUNT
};

enum code_action { ACTION_FORMAT, ACTION_MINIFY, ACTION_EXPLAIN, ACTION_EXTRACT };

#define CONVERSION_TEXT 40
#define CONVERSION_RANGES 1024
#define FACE_MOST 65535 // fonts of a collection

// It crosses to the renderer as it is: no pointers.
struct conversion_request {
    uint32_t conversion;  // enum conversion
    uint32_t given;       // a bit for each field that was given, in the order of the route's table
    uint32_t action;      // enum code_action
    uint32_t graphics;    // enum platen_graphic_coding
    uint32_t table;       // enum platen_table
    uint32_t to_language; // enum platen_language; 0: it stays as it is
    uint32_t unit;        // enum platen_length_unit
    double target_dpmm;   // 0: as it is
    bool utf8;            // ^CI28 for UTF-8 code that chooses no character set
    bool has_rows;        // values follow the label code
    bool counts;          // RENDER_MEMBERS is the number of labels that the code prints
    uint32_t page;        // of CONVERT_PICTURE, and where CONTROL_PAGE is given of what is compared
    // For assistants.
    uint32_t max_width; // of CONVERT_PICTURE
    bool fix;           // CONVERT_CHECK: RENDER_FILE is the label code with the fixes
    // Comparing.
    bool pictures; // of both
    bool elements; // count, too
    bool brief;    // COMPARE_CHANGES_MAX changes at most
    uint64_t tolerance_dots;
    double tolerance_percent;
    // Pictures: struct platen_graphic_options.
    uint32_t dither, coding, form; // form: 0 ^GF, 1 ~DG; of fonts 0 ~DU, 1 ~DY
    uint32_t x, y;
    double threshold;
    bool invert, trim, exact_fit, bare;
    bool preview;               // members of JSON with a picture of the dots
    char name[CONVERSION_TEXT]; // of a stored graphic
    // Fonts: struct platen_font_options. `chars` follow the font, as rows follow label code.
    char path[CONVERSION_TEXT], letter[2], unicodes[CONVERSION_RANGES], instance[CONVERSION_TEXT];
    uint32_t face;
};

// The controls of one route, beside the render controls.
struct conversion_fields {
    const struct control_row *rows;
    size_t count;
};

extern const struct conversion_fields CODE_FIELDS, GRAPHIC_FIELDS, FONT_FIELDS, COMPARE_FIELDS;

// The row of this name, which is there.
const struct control_row *conversion_field(const struct conversion_fields *fields, const char *name);
// Sets a member by its row, of a command line: the last one of several counts. False: the text is not allowed.
bool conversion_take(struct conversion_request *request, const struct conversion_fields *fields,
                     const struct control_row *row, struct pl_slice text);
// Can what explains or extracts be written as this table?
bool conversion_has_table(const struct conversion_request *request);

// Options that this conversion has no use for get their defaults, and are noted in `controls`: by the names of the
// command line, or by those of HTTP.
void conversion_drop_useless(struct conversion_request *request, const struct conversion_fields *fields,
                             struct controls *controls, bool by_option);

// As options of libplaten; texts are those of the request.
struct platen_rewrite_options conversion_rewrite(const struct conversion_request *request,
                                                 const struct platen_options *options);
struct platen_graphic_options conversion_graphic(const struct conversion_request *request,
                                                 const struct platen_options *options);
struct platen_font_options conversion_font(const struct conversion_request *request, const char *chars);

// What the query gives wins over the body. Those that both give, with different values, are noted.
void conversion_override(struct conversion_request *body, const struct conversion_request *query,
                         const struct conversion_fields *fields, struct controls *notes);

// Sets a member by its name, which may be given twice only with the same value. *taken: the name is one of the fields.
// False: a problem (400) is in `problem`.
bool conversion_set(struct conversion_request *request, const struct conversion_fields *fields, struct pl_slice name,
                    struct control_value value, bool *taken, struct problem *problem);

#endif
