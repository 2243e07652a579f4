// What the handlers of the printers' API share.
#ifndef PLATEN_PRINTER_API_PARTS_H
#define PLATEN_PRINTER_API_PARTS_H

#include "printer_hub.h"

struct printer_hub *printer_api_hub(const struct http_request *req);
// 200 with a copy of these bytes.
int printer_api_send_bytes(struct http_response *res, const char *type, struct pl_slice bytes);
// NULL: the problem is in res.
struct printer *printer_api_named(struct http_request *req, struct http_response *res);
// A whole number of the query, at most `most`; `fallback` if it is not there. False: it is none, or larger.
bool printer_api_number(const struct http_request *req, const char *name, uint64_t fallback, uint64_t most,
                        uint64_t *out);
int printer_api_bad_number(struct http_response *res, const char *name, uint64_t most);
// A label by its number or "latest", held for the caller.
bool printer_api_read_seq(struct printer *printer, struct pl_slice text, uint64_t *seq);
struct printed_label *printer_api_take_seq(struct printer *printer, uint64_t seq);

#endif
