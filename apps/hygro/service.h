// What the files of the grain service share.
#ifndef HYGRO_SERVICE_H
#define HYGRO_SERVICE_H

#include "grain/fields.h"
#include "http/http.h"

// The parts of the page's template for one language: literal text, each but the last followed by a value.
struct hygro_page;

struct hygro_service {
    struct hygro_page *page;
    struct http_counter *calculations;
    struct http_counter *refusals;
};

// Routes.
int hygro_api_calculate_get(struct http_request *req, struct http_response *res);
int hygro_api_calculate_post(struct http_request *req, struct http_response *res);
int hygro_api_table(struct http_request *req, struct http_response *res);
// Of every tool of grain/tools.h: the last part of its path is the id.
int hygro_api_tool(struct http_request *req, struct http_response *res);
int hygro_api_hours(struct http_request *req, struct http_response *res);
int hygro_mcp_post(struct http_request *req, struct http_response *res);
int hygro_page_get(struct http_request *req, struct http_response *res);
int hygro_page_post(struct http_request *req, struct http_response *res);

// Once, before the first POST /mcp (mcp.c).
enum pl_errc hygro_mcp_prepare(struct pl_error *err) PL_MUST_USE;

// A parameter of the output, with the two words that it may have.
struct hygro_choice {
    const char *name, *first, *second;
    bool is_second;
    bool given;
    bool repeated; // with two values
    bool unknown;  // a value was neither
};

// Takes the value when the name is that of a choice; false: it is of none.
bool hygro_choice_take(struct hygro_choice *choices, size_t count, struct pl_slice name, struct pl_slice value);
// False: one is repeated or unknown, and the request is answered with 400.
bool hygro_choices_check(const struct hygro_choice *choices, size_t count, enum grain_lang lang,
                         struct http_response *res);

// The file of a request for hours: the body, or a part of a form, whose other parts become fields or choices (tools.c).
// Fails with PL_E_INVALID or, when it has too many parts, PL_E_LIMIT.
enum pl_errc hygro_hours_file(struct http_request *req, struct grain_fields *fields, struct hygro_choice *choices,
                              size_t choice_count, struct pl_slice *text, struct pl_error *err) PL_MUST_USE;

// A warning as one of X-Warnings, for answers that have no other place for it. In English: the header is ASCII
// (tools.c).
void hygro_note_row(struct pl_buf *out, const char *label, const struct pl_buf *sentence);

// Answers what is no fault of the fields or the file. Memory that lacks is the service's matter: 503 (tools.c).
int hygro_problem(struct http_response *res, const struct pl_error *err);

// The template of the page, cut into its parts. Fails with PL_E_BUG when it names a value that there is not.
enum pl_errc hygro_page_new(struct pl_slice html, struct hygro_page **page, struct pl_error *err) PL_MUST_USE;
void hygro_page_free(struct hygro_page *page);

// Content-Security-Policy of the page: nothing from elsewhere, nothing inline.
extern const char hygro_page_policy[];

#endif
