// Zebra's discovery on UDP 4201.
#ifndef PRINTER_DISCOVERY_H
#define PRINTER_DISCOVERY_H

#include "printer/face.h"

#define DISCOVERY_ANSWER 375

bool discovery_is_probe(struct pl_slice packet);
// `ip` is the address that it is reached at, in the order of the network.
void discovery_answer(const struct printer_face *face, const uint8_t ip[4], uint8_t out[DISCOVERY_ANSWER]);

#endif
