// Which pages of other origins may ask, and which may read answers: --cors.
//
// A browser sends requests of any page to any address, this machine's too; it only keeps the answers from their
// scripts. So a route that changes something, waits or computes is not for pages of other origins unless --cors allows
// them: that holds for every route that does not have HTTP_ANY_PAGE. Browsers say whose page asks, and pages cannot
// change it: in Sec-Fetch-Site; in Origin, where they send no Sec-Fetch-Site (plain HTTP to another machine); and for
// pictures and links, which have no Origin, in Referer.
#ifndef HTTP_CORS_H
#define HTTP_CORS_H

#include <stdbool.h>

#include "base/err.h"

struct http_exchange;
struct http_server;

// Does --cors name origins? PL_E_INVALID with a sentence.
enum pl_errc http_cors_check(const struct http_server *s, struct pl_error *err) PL_MUST_USE;
// Checks it and makes the header lines (http_guard.cors).
enum pl_errc http_cors_prepare(struct http_server *s, struct pl_error *err) PL_MUST_USE;
// May the page that sent this request, if a page did, have it answered by a route without HTTP_ANY_PAGE?
bool http_cors_admits(const struct http_server *s, const struct http_exchange *ex);
// May it read the answer?
bool http_cors_open(const struct http_server *s, const struct http_exchange *ex);

#endif
