// Doors that clients of Zebra's printers use over HTTP: Browser Print on the printers' own ports, and the printer's web
// pages.
#ifndef PLATEN_PRINTER_DOORS_H
#define PLATEN_PRINTER_DOORS_H

#include "http/http.h"

// Browser Print: on connections that came by a printer's port (http_request.door).
http_handler printer_door_available; // GET /available
http_handler printer_door_default;   // GET /default
http_handler printer_door_config;    // GET /config
http_handler printer_door_write;     // POST /write
http_handler printer_door_read;      // POST /read
// The printer's web pages, with --printer-pages.
http_handler printer_door_pstprnt; // POST /pstprnt, POST /printer/pstprnt
http_handler printer_door_zpl;     // POST /zpl, POST /printer/zpl
http_handler printer_door_png;     // GET /png, GET /printer/png
http_handler printer_door_page;    // GET /config.html

#endif
