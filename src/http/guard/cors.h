// Which pages of other origins may read answers: --cors.
//
// Requests of such pages are answered all the same, as those of any client: a picture can stand in a page of another
// origin. What a browser keeps from its scripts is the answer.
#ifndef HTTP_CORS_H
#define HTTP_CORS_H

#include <stdbool.h>

#include "base/err.h"

struct http_exchange;
struct http_server;

// Checks --cors and makes the header lines (http_server.cors). PL_E_INVALID with a sentence.
enum pl_errc http_cors_prepare(struct http_server *s, struct pl_error *err) PL_MUST_USE;
// May the page that sent this request read the answer?
bool http_cors_open(const struct http_server *s, const struct http_exchange *ex);

#endif
