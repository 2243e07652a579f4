// The API of the virtual printers.
#ifndef PLATEN_PRINTER_API_H
#define PLATEN_PRINTER_API_H

#include "http/http.h"

http_handler printer_api_list;     // GET /api/printers
http_handler printer_api_make;     // POST /api/printers
http_handler printer_api_one;      // GET /api/printers/{name}
http_handler printer_api_labels;   // GET /api/printers/{name}/labels
http_handler printer_api_next;     // GET /api/printers/{name}/labels/next
http_handler printer_api_label;    // GET /api/printers/{name}/labels/{file}
http_handler printer_api_events;   // GET /api/printers/{name}/events
http_handler printer_api_clear;    // DELETE /api/printers/{name}/labels
http_handler printer_api_forget;   // DELETE /api/printers/{name}/memory
http_handler printer_api_reset;    // POST /api/printers/{name}/reset
http_handler printer_api_print;    // POST /api/printers/{name}/print
http_handler printer_api_print_to; // POST /api/printers/{name}/labels/{seq}/print-to
http_handler printer_api_send;     // POST /api/print
http_handler printer_api_state;    // PUT /api/printers/{name}/state

struct printer;
struct printer_source;
// Label code that came whole, as by HTTP: taken apart and given to the printer.
// Others than PRINTER_TAKEN: nothing or not all of it was taken.
enum printer_taken { PRINTER_TAKEN, PRINTER_TAKEN_NO_MEMORY, PRINTER_TAKEN_TOO_MANY, PRINTER_TAKEN_BUSY };
enum printer_taken printer_take(struct printer *printer, struct pl_slice code, const struct printer_source *source,
                                uint32_t *jobs);
// What a request gets whose label code was not taken.
int printer_not_taken(struct http_response *res, enum printer_taken taken);

#endif
