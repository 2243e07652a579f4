// One virtual printer: its state has one owner, the printer, behind one lock. Connections give it jobs (whole units of
// label code); its thread has them drawn by a renderer of its own, keeps what they leave in its memory, and prints the
// labels: that is, puts them into the ring, unless it is stopped. The front never reads label code: memory, pictures
// and descriptions are bytes that a renderer made.
#ifndef PLATEN_PRINTER_H
#define PLATEN_PRINTER_H

#include <pthread.h>

#include "base/turns.h"
#include "http/http.h"
#include "printer/face.h"
#include "printer/job_state.h"
#include "printer/ring.h"
#include "printer/sgd.h"
#include "printer/splitter.h"
#include "printer_spec.h"
#include "renderer/renderer_link.h"

#define PRINTER_QUEUES_MOST 8u // for clients that have nothing in the queue: its usual bytes so many times
#define PRINTER_SELF 0u        // the client of the printer's own jobs

struct printer_hub;

// Who sent a job: where answers go.
struct printer_source {
    uint64_t connection; // of printer_io.h; 0: none
    bool browser;        // answers wait for a /read of Browser Print
    uint64_t client;     // whose turn it takes
    uint64_t preview;    // the request that waits for its label; 0: none
    char text[PRINTED_SOURCE_MAX + 1];
};

struct printer_job {
    struct printer_job *next;
    enum printer_job_state state;
    uint64_t number; // grows in the order of the jobs of a printer
    struct pl_buf code;
    struct printer_source source;
    uint64_t round;      // of turns.h
    uint32_t from;       // labels of it that were drawn: they are not drawn again
    bool quiet;          // the printer's own: nothing of it is listed but labels
    bool lasts;          // ~JA does not cancel it
    bool sets;           // a setting by SGD
    bool is_barrier;     // all that is accepted later is drawn later
    bool resets;         // it switches the printer off and on, and does nothing else
    bool holds_input;    // connections are not read until it is done
    bool of_start;       // every start has one of its own
    bool forwarded;      // --forward has had it
    bool unanswered;     // there was no memory for what it answers
    bool is_awaited;     // those who wait are told when it is done
    bool prints;         // it ends with a command that prints: without a label it is listed
    bool stores;         // of other languages than ZPL: it stores or deletes, and nothing else
    bool is_other;       // no ZPL: it is listed if it is recognised as another language
    bool forgets;        // of other languages than ZPL: what the printer holds is gone before it
    size_t plain;        // of other languages than ZPL: bytes before the first counted one; 0: all
    const char *refused; // not to be carried out, but listed with this reason; a constant
};

// Who has the connections. Called from any thread, also with the printer's lock held.
struct printer_ports {
    void *user;
    bool (*reply)(void *user, uint64_t connection, struct pl_slice text); // false: there was no memory
    void (*done)(void *user, struct printer_job *job);                    // takes it over
    void (*room)(void *user);                                             // jobs have room again
};

// What stops a printer or changes how it behaves.
struct printer_faults {
    bool paper_out, ribbon_out, head_open, paused;
    bool buffer_full; // takes no more bytes
    bool silent;      // answers nothing
    bool refuses;     // connections are reset
    uint32_t slow_ms; // for each label
};

struct printer_list {
    struct printed_label *first, *last;
    uint32_t count;
    uint64_t labels; // with copies
    size_t bytes;
};

struct printer {
    struct printer_hub *hub;
    uint32_t index;
    struct printer_spec spec;
    char address[64];        // that it listens on
    uint16_t port, lpd_port; // 0: there is none
    char serial[16];
    uint8_t mac[6];
    uint32_t width, length; // of its media, in dots
    atomic_bool is_there;   // others than spare printers are from the start, those once they are made
    pthread_t thread;
    struct renderer_link link; // of its thread
    bool started;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    // All below is behind the lock.
    bool stopping;
    struct printer_faults faults;
    struct printer_prefixes prefixes;
    struct printer_forms forms; // behind the lock by its guard
    uint64_t forms_number;      // of the memory that they were read out of
    struct platen_settings settings;
    struct printer_job *first, *last; // jobs that wait, in the order of turns
    struct turns turns;               // of their clients
    uint32_t job_count;
    size_t job_bytes;
    bool full;                  // too many wait: clients with a fair share in the queue are not read
    bool busy;                  // with a job
    bool job_lasts;             // that one does: ~JA does not cancel it
    atomic_bool job_cancelled;  // that one; set with the lock held, read by who waits for its renderer
    pthread_mutex_t setting;    // held by who sets a value of SGD, from reading what is to setting what will be
    struct sgd_values expected; // what SGD has set: shown while jobs that set it wait
    uint32_t settings_waiting;  // such jobs
    uint32_t resets_waiting;    // jobs that hold the input
    bool expects;               // `expected` has been set since the printer was switched on
    // The last job that lasts and was carried out, by the place of its client: a client's jobs are done in their order.
    uint64_t done_jobs[TURNS_PLACES];
    uint64_t epoch;              // counts ~JA: what was begun before is gone
    struct printer_list waiting; // labels that wait to be printed
    uint64_t next_print_ns;
    uint64_t memory_number;
    struct blob *memory[RENDER_MEMORY_PARTS];
    struct blob *stored; // JSON: an array of the stored objects
    uint32_t graphics;   // among them
    struct print_ring ring;
    uint64_t printed, printed_dots; // since it was switched on
    uint64_t refused;
    uint32_t partial;                       // connections that have begun a format
    uint64_t full_until_ns;                 // somebody's input was refused a moment ago, for want of room
    atomic_uint connections;                // that are open
    atomic_size_t input_bytes;              // that they hold: units that have not ended, and answers that are not read
    struct blob *redo[RENDER_MEMORY_PARTS]; // the memory before the first job of the queue, which was begun; NULL: none
    uint64_t started_ns;
    struct pl_buf browser_out; // answers for Browser Print
    bool changed;              // its state has, and nobody was told yet
};

bool printer_init(struct printer *printer, struct printer_hub *hub, uint32_t index, const struct printer_spec *spec);
// Of what it was described as: size in dots, serial number and network address. With the lock held, or before it is
// used.
void printer_describe(struct printer *printer, const struct printer_spec *spec);
void printer_fini(struct printer *printer);
bool printer_start(struct printer *printer); // its renderer and its thread
// One step of its thread, with the lock held: prints a label or draws a job. False: there is nothing to do now.
bool printer_turn(struct printer *printer, struct renderer_link *link);
// Nothing waits that it could print or draw now.
bool printer_is_idle(struct printer *printer);
// And it takes no more either: whoever sends to it waits in vain.
bool printer_is_stuck(struct printer *printer);
// All are asked before the first is waited for: none begins another job. The one that is being drawn goes back to the
// queue.
void printer_ask_to_stop(struct printer *printer);
void printer_stop(struct printer *printer); // waits for its thread

// printer_leave.c: what an end of the service leaves. Its thread has ended.
enum pl_errc printer_load_left(struct printer *printer, struct pl_slice file, struct pl_error *err) PL_MUST_USE;
// As a file for the next start. False: nothing is left, or there is no memory for it.
bool printer_keep_left(struct printer *printer, struct pl_buf *file);
void printer_name_left(struct printer *printer); // all that is left is said to be not printed
// Something that was accepted is not printed. `which`: what of the job, ", label 2"; empty: all of it.
void printer_name_lost(struct printer *printer, uint64_t job, const char *source, size_t bytes, const char *which,
                       const char *reason);

// Takes the job over; its number, a new one if it has none. From any thread.
uint64_t printer_submit(struct printer *printer, struct printer_job *job);
// Code that stores joins the job that waits last, if that is of the same sender and stores, too: the memory is written
// once for all of them. False: it is to be a job of its own.
bool printer_join(struct printer *printer, struct pl_slice code, const struct printer_source *source);
struct printer_job *printer_job_new(struct pl_slice code, const struct printer_source *source);
void printer_job_free(struct printer_job *job);
// Is there room for more jobs of this client?
bool printer_has_room(struct printer *printer, uint64_t client);
// And is it switched on? Otherwise connections are not read: who asks for a setting is told what it is after a reset.
bool printer_takes_input(struct printer *printer, uint64_t client);
// The same for a request of so many bytes: until it is released, they count for other requests as if they were queued.
bool printer_reserve(struct printer *printer, uint64_t client, size_t bytes);
void printer_release(struct printer *printer, uint64_t client, size_t bytes);
// A splitter for its language; it is initialised.
void printer_reads(struct printer *printer, struct printer_splitter *splitter);
// A unit of its input, from any listener. Label code becomes a job, which takes `bytes` over; all else is obeyed at
// once, and answered in `out`. The number of jobs (0 or 1); -1: there was no memory for it.
int printer_take_unit(struct printer *printer, struct printer_splitter *splitter, enum printer_unit unit,
                      struct pl_buf *bytes, const struct printer_source *source, struct pl_buf *out);
void printer_control(struct printer *printer, struct pl_slice what, const struct printer_source *source,
                     struct pl_buf *out);
void printer_sgd(struct printer *printer, struct pl_slice line, const struct printer_source *source,
                 struct pl_buf *out);
void printer_json(struct printer *printer, struct pl_slice json, const struct printer_source *source,
                  struct pl_buf *out);
// Those who watch are told once of all that changed by the units above.
void printer_tell_changes(struct printer *printer);
// all: also what lasts, and the ring. The number of the job after which it is as new; 0: no memory for it.
uint64_t printer_power_cycle(struct printer *printer, bool all);
bool printer_has_done(struct printer *printer, uint64_t client, uint64_t job); // a job that lasts
// With the lock held.
void printer_face(const struct printer *printer, struct printer_face *face);
bool printer_is_stopped(const struct printer *printer);
const char *printer_state_word(const struct printer *printer);
void printer_list_clear(struct printer_list *list);

#endif
