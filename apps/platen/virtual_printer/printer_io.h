// The thread of the printers' own sockets: raw connections, JSON, LPD, discovery. It reads, takes input apart and
// writes; it never draws. Connections are its own; others send it messages.
#ifndef PLATEN_PRINTER_IO_H
#define PLATEN_PRINTER_IO_H

#include "base/err.h"
#include "base/slice.h"

struct printer_hub;
struct printer_io;

// While there are no threads: the listeners of all printers. Fills in the addresses that they got.
enum pl_errc printer_io_open(struct printer_hub *hub, struct printer_io **out, struct pl_error *err) PL_MUST_USE;
bool printer_io_start(struct printer_io *io);
// Takes no more connections; those that are open end when all that they sent was taken. Then it is drained.
void printer_io_drain(struct printer_io *io);
bool printer_io_is_drained(struct printer_io *io);
// Ends all connections. What the system has acknowledged of their bytes is taken first.
void printer_io_stop(struct printer_io *io);
void printer_io_close(struct printer_io *io);

// One turn of its thread, and how long it may wait before the next; -1: until something happens.
struct http_ready_event;
void printer_io_turn(struct printer_io *io, const struct http_ready_event *events, int count);
int printer_io_wait_ms(const struct printer_io *io);
void printer_io_finish(struct printer_io *io); // its last turn

// From any thread.
struct printer_ports;
struct printer_ports printer_io_ports(struct printer_io *io); // for the printers
void printer_io_announce(struct printer_io *io);              // the printers that are there, by mDNS
void printer_io_wake(struct printer_io *io);                  // connections that waited for room try again
void printer_io_cut(struct printer_io *io, uint32_t index);   // ends the connections of a printer

#endif
