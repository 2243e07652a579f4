// All virtual printers of the service.
#ifndef PLATEN_PRINTER_HUB_H
#define PLATEN_PRINTER_HUB_H

#include "printer.h"

struct printer_io;
struct printer_outside;

// Of the command line.
struct printer_options {
    const char *printers;  // --printer
    const char *state_dir; // --state
    const char *keep_dir;  // --keep
    const char *forward, *print_to, *webhook, *webhook_secret;
    uint32_t ring_labels;
    size_t ring_bytes;
    bool browser_print, web_pages;
    const char *discovery, *mdns;
    size_t input_bytes, client_bytes; // of unfinished formats and unread answers: of all connections, of one client's
    uint32_t client_connections;
    uint64_t format_ms; // silence in an unfinished format
};

struct printer_hub {
    struct printer_options options;
    struct printer_spec specs[PRINTERS_MAX]; // of --printer, read by printer_hub_check
    uint32_t spec_count;
    struct http_server *server;
    const struct platen_engine *engine;
    struct renderers *renderers;
    uint64_t render_ms;
    size_t unit_bytes;  // of one job
    uint32_t jobs_most; // that wait for a printer; then connections are not read; 0: as many as usual
    size_t jobs_bytes;  // the same for their label code
    uint32_t count;
    struct printer *printers;
    struct printer_io *io;
    struct printer_outside *outside;
    const struct http_seam *seam;      // the world of their sockets
    struct printer_ports ports;        // their connections, for the printers
    atomic_uint_fast64_t drain_end_ns; // by then all that was accepted is printed; 0: nobody has asked to stop
    atomic_uint_fast64_t lost;         // what was accepted and neither printed nor kept
    atomic_uint_fast64_t seq, memory_numbers, job_numbers, requests, previews;
    atomic_bool hurried;                 // nobody is waited for any more
    atomic_bool begun, started, stopped; // started: the printers have the jobs that --state kept
    atomic_bool closed;                  // after that: what was left is kept or named
    int state_lock;                      // of the folder of --state; 0: none
    atomic_bool is_making;               // a spare printer, by one thread at a time
    struct http_counter *labels, *jobs, *refused, *connections;
};

#define PRINTER_TOPIC_ALL 1u
static inline uint32_t printer_topic(const struct printer *printer)
{
    return 2 + printer->index;
}

// Reads the descriptions of printers; are they and all addresses well formed?
enum pl_errc printer_hub_check(struct printer_hub *hub, struct pl_error *err) PL_MUST_USE;
// After that, while there are no threads: opens the listeners.
enum pl_errc printer_hub_open(struct printer_hub *hub, struct http_server *server, struct pl_error *err) PL_MUST_USE;
// Threads. By the first worker, before the service is confined.
enum pl_errc printer_hub_start(struct printer_hub *hub, struct pl_error *err) PL_MUST_USE;
// From any thread: no more connections are taken; what was accepted is printed by then.
void printer_hub_drain(struct printer_hub *hub, uint64_t end_ns);
bool printer_hub_is_drained(struct printer_hub *hub);
// The time is over now: what is not printed is kept or named, or was before. False: there are no printers. Safe in a
// signal's handler.
bool printer_hub_hurry(struct printer_hub *hub);
void printer_hub_stop(struct printer_hub *hub); // after that, or when the time is over
// What is left is kept or named.
void printer_hub_close(struct printer_hub *hub);
struct printer *printer_hub_find(struct printer_hub *hub, struct pl_slice name);
uint32_t printer_hub_spares(const struct printer_hub *hub); // that are not made yet
// The next spare printer, and what --printer says of it, without its name; the number of printers: there is none left.
uint32_t printer_hub_spare(const struct printer_hub *hub, struct printer_spec *spec);
// Makes that one a printer as `spec` describes, which has a name now. From any thread.
enum printer_made {
    PRINTER_MADE,
    PRINTER_MADE_NONE_LEFT,
    PRINTER_MADE_NAME_TAKEN,
    PRINTER_MADE_TOO_LARGE,
    PRINTER_MADE_BUSY
};
enum printer_made printer_hub_make(struct printer_hub *hub, uint32_t index, const struct printer_spec *spec);

// printer_events.c: a label was printed, or the printer's state has changed: events go out. Without the printer's lock.
void printer_hub_printed(struct printer_hub *hub, struct printer *printer, struct printed_label *label);
void printer_hub_changed(struct printer_hub *hub, struct printer *printer);

// printer_json.c: with the printer's lock held where it reads the printer.
void printer_write_label(const struct printer *printer, const struct printed_label *label, bool whole,
                         struct pl_json_writer *out);
void printer_write_state(const struct printer *printer, bool whole, struct pl_json_writer *out);

#endif
