// How printers are found: Zebra's discovery, and multicast DNS. On the thread of the printers' sockets.
#ifndef PLATEN_PRINTER_DISCOVERY_H
#define PLATEN_PRINTER_DISCOVERY_H

#include <stdbool.h>

#include "base/err.h"

struct printer_hub;

bool printer_discovery_prepare(int fd); // so that packets tell which address they came to
void printer_answer_probes(struct printer_hub *hub, int fd);

// A socket on the interface that has the address of --printer-mdns.
enum pl_errc printer_mdns_open(struct printer_hub *hub, int *fd, struct pl_error *err) PL_MUST_USE;
void printer_mdns_answer(struct printer_hub *hub, int fd);
void printer_mdns_announce(struct printer_hub *hub, int fd, bool leaves);

#endif
