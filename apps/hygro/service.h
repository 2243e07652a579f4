// What the files of the grain service share.
#ifndef HYGRO_SERVICE_H
#define HYGRO_SERVICE_H

#include "grain/calc.h"
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
int hygro_page_get(struct http_request *req, struct http_response *res);

// The template of the page, cut into its parts. Fails with PL_E_BUG when it names a value that there is not.
enum pl_errc hygro_page_new(struct pl_slice html, struct hygro_page **page, struct pl_error *err) PL_MUST_USE;
void hygro_page_free(struct hygro_page *page);

// Content-Security-Policy of the page: nothing from elsewhere, nothing inline.
extern const char hygro_page_policy[];

#endif
