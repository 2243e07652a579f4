// Multicast DNS: a printer answers questions for its services, as DNS-SD says them.
#ifndef PRINTER_MDNS_H
#define PRINTER_MDNS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"

#define MDNS_PORT 5353u
#define MDNS_PACKET 1400u // bytes of an answer at most

struct mdns_printer {
    const char *name;  // of the instance: letters, digits, - and _
    const char *host;  // without ".local"
    const char *model; // "ZT410"
    uint8_t ip[4];     // that it is reached at, in the order of the network
    uint16_t port;     // raw
    uint16_t lpd_port; // 0: it takes no LPD
};

enum mdns_reach { MDNS_SILENT, MDNS_TO_ALL, MDNS_TO_ASKER };

// What the printer answers to a packet, into `out`. A question that did not come from port 5353 is one of plain DNS:
// its number and questions are repeated.
enum mdns_reach mdns_answer(const struct mdns_printer *printer, struct pl_slice packet, bool plain_dns,
                            struct pl_buf *out);
// Everything that it has, unasked: when it comes, and with `leaves` when it goes.
void mdns_announce(const struct mdns_printer *printer, bool leaves, struct pl_buf *out);

#endif
