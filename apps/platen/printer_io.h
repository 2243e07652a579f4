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
void printer_io_stop(struct printer_io *io);
void printer_io_close(struct printer_io *io);

// From any thread. A connection that has gone takes nothing.
void printer_io_reply(struct printer_io *io, uint64_t connection, struct pl_slice text);
void printer_io_job_done(struct printer_io *io, uint64_t connection);
void printer_io_wake(struct printer_io *io);                // connections that waited for room try again
void printer_io_cut(struct printer_io *io, uint32_t index); // ends the connections of a printer
uint32_t printer_io_count(struct printer_io *io, uint32_t index);

#endif
