// What leaves the printers: files (--state, --keep) and bytes for other machines (--forward, --print-to, --webhook).
// The service itself can open neither files nor connections once it runs; small processes do it, one for each kind, so
// that a host that does not answer delays no file. Messages wait in a bounded queue; what finds no room is dropped and
// counted. The lasting memory of a printer is not: the newest one takes the place of one that is not written yet.
#ifndef PLATEN_PRINTER_OUTSIDE_H
#define PLATEN_PRINTER_OUTSIDE_H

#include "http/http.h"
#include "printer/ring.h"

struct printer;
struct printer_hub;
struct printer_outside;

// While there are no threads. *out is NULL where nothing leaves.
enum pl_errc printer_outside_open(struct printer_hub *hub, struct printer_outside **out,
                                  struct pl_error *err) PL_MUST_USE;
bool printer_outside_start(struct printer_outside *outside); // its threads
// After what waits has gone out: until then, and for a few seconds at least. How much did not; standard error says so.
uint64_t printer_outside_stop(struct printer_outside *outside, uint64_t until_ns);
void printer_outside_close(struct printer_outside *outside);
// One step of a helper's thread.
enum helper_turn { HELPER_MORE, HELPER_FULL, HELPER_IDLE, HELPER_OVER };
enum helper_turn printer_outside_turn(struct printer_outside *outside, uint32_t helper);

// All may be called with NULL.
// Files of --state: the newest takes the place of one that is not written yet. False: it comes too late.
enum printer_save { SAVE_MEMORY, SAVE_JOBS, SAVES };
bool printer_outside_save(struct printer_outside *outside, uint32_t index, const char *printer, enum printer_save which,
                          struct blob *bytes);
// After the stop: is the file of SAVE_JOBS there? If not, it never will be.
bool printer_outside_saved(struct printer_outside *outside, uint32_t index);
// The label as files; without its JSON if that is too large. Why not all are kept; a constant; NULL: all are, as far as
// is known now.
const char *printer_outside_keep(struct printer_outside *outside, const struct printer *printer,
                                 const struct printed_label *label, const struct pl_buf *json);
// Why the folder of --keep has not all of it; a constant; NULL: it has, as far as is known now.
const char *printer_outside_not_kept(struct printer_outside *outside, const struct printed_label *label);
void printer_outside_forward(struct printer_outside *outside, const struct printer *printer, uint64_t job,
                             struct pl_slice code);
void printer_outside_webhook(struct printer_outside *outside, struct pl_slice json);
// What a printer's files and forwarded jobs have lost so far: dropped, not written, or not taken by the other machine.
struct printer_failures {
    uint64_t files, forwards;
};
void printer_outside_observe(
    struct printer_outside *outside); // counts in the metric what has failed since the last time
struct printer_failures printer_outside_failures(struct printer_outside *outside, uint32_t index);
// PRINTER_SENT_NOWHERE: the host is not one that --print-to names. PRINTER_NOT_SENT: too many jobs wait.
enum printer_sent { PRINTER_SENT, PRINTER_NOT_SENT, PRINTER_SENT_NOWHERE };
enum printer_sent printer_outside_print_to(struct printer_outside *outside, struct pl_slice host, struct pl_slice code);

#endif
