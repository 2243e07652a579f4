// What the handlers of the printers' API share.
#ifndef PLATEN_PRINTER_API_PARTS_H
#define PLATEN_PRINTER_API_PARTS_H

#include "printer_hub.h"

struct printer_hub *printer_api_hub(const struct http_request *req);
// 200 with a copy of these bytes.
int printer_api_send_bytes(struct http_response *res, const char *type, struct pl_slice bytes);
// NULL: the problem is in res.
struct printer *printer_api_named(struct http_request *req, struct http_response *res);
// A label by its number or "latest", held for the caller; NULL: the problem is in res.
struct printed_label *printer_api_take_label(struct printer *printer, struct pl_slice text, struct http_response *res);

#endif
