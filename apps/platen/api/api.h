// The render API: what its files share.
#ifndef PLATEN_API_H
#define PLATEN_API_H

#include <platen/platen.h>

#include "answer/warning_header.h"
#include "http/http.h"
#include "renderer/renderer_link.h"
#include "repeat_guard.h"
#include "request/conversion.h"

struct printer_hub;

// The running service: http_request.app.
struct service {
    struct platen_engine *engine;
    struct platen_engine_options engine_options; // filled by the command line
    uint64_t render_ms;
    size_t request_arena;
    struct renderers renderers;
    atomic_uint_fast64_t requests;              // the number of the last one that went to a renderer
    struct repeat_guard repeats;                // label code that renderers did not survive
    struct http_counter *renders[OUTPUT_COUNT]; // answered renders by format
    struct http_counter *labels;                // labels drawn
    struct http_histogram *render_time;
    struct printer_hub *hub; // virtual printers; serve.c owns them
};

// One request to render, understood: what api_render.c works on.
struct render_call {
    struct http_request *req;
    struct http_response *res;
    struct controls controls;
    struct pl_slice zpl;
    uint64_t number;     // as renderers know it
    bool labelary;       // the Labelary-compatible API: its own defaults, headers and JSON
    bool size_found;     // that of the labels, by the renderer; it is in `controls`
    bool single_page;    // a PDF of only `controls.page`
    bool warn;           // X-Warnings tells what is wrong with the labels, not only with the request
    uint64_t first_size; // of `zpl`: the label code; what is behind it are values to fill in. 0: none are
};

// One request with label code, or another input, and what is asked for it.
struct convert_call {
    struct render_call call; // call.zpl: the input
    struct conversion_request request;
    const struct conversion_fields *fields;
    const char *source;        // name of the member that holds them: "zpl"
    const char *rows_name;     // of a text that goes along: "data", "chars"; NULL: none
    struct pl_slice rows;      // that text
    bool has_source, has_rows; // they were given
};

// As the answer to a request. Returns false.
bool problem_answer(const struct problem *problem, struct http_response *res);
#define API_PARTS_MAX 32
// The parts of a body that is multipart/form-data. False: the problem is in res.
bool api_parts(struct render_call *call, struct http_part parts[API_PARTS_MAX], size_t *count);
// The controls of the query. False: the problem says why.
bool api_read_query(struct controls *controls, const struct http_request *req, struct problem *problem);
// Reads body, query and headers. False: the problem is in res.
bool api_read_request(struct render_call *call);
// Reads query and body: options, the bytes, and the values of 'data'. A body of another type than JSON and
// forms is the input itself. False: the problem is in res.
bool convert_read(struct convert_call *c);
// Of `offered`, the format that Accept weighs highest, the first named of equal ones; offered[0] when it names none.
enum output api_accepted(const struct http_request *req, const enum output *offered, size_t count);
// Both byte strings, one behind the other, in the request's arena, as its code. False: no memory, told.
bool api_join(struct render_call *call, struct pl_slice a, struct pl_slice b);
// Renders and answers. Returns the status.
int api_answer(struct render_call *call);

http_handler api_render;        // POST /api/render
http_handler api_render_format; // POST /api/render/{format}
http_handler api_check;         // POST /api/check
http_handler api_compare;       // POST /api/compare
http_handler api_batch;         // POST /api/batch
http_handler api_zpl;           // POST /api/zpl
http_handler api_image;         // POST /api/image
http_handler api_graphics;      // POST /v1/graphics
http_handler api_font;          // POST /api/font
http_handler api_fonts;         // POST /v1/fonts
http_handler api_labelary;      // /v1/printers/...

#endif
