// The simulator of the virtual printers: what its parts share. One thread, one seed, one run; the state is one global,
// since the functions of the seam have no argument for it.
#ifndef PRINTER_SIM_H
#define PRINTER_SIM_H

#include "base/ckd.h"
#include "virtual_printer/printer_hub.h"
#include "virtual_printer/printer_io.h"
#include "virtual_printer/printer_io_parts.h"
#include "virtual_printer/printer_outside.h"
#include "virtual_printer/printer_process.h"

#define SIM_MS 1000000ull
#define SIM_S 1000000000ull
#define SIM_NEVER UINT64_MAX

#define PSIM_PRINTERS 2
#define PSIM_LINKS 64
#define PSIM_JOBS 512
#define PSIM_LABELS 4 // of a job
#define PSIM_HELPERS 4
#define PSIM_FILES 8
#define PSIM_VALUES 512 // of a setting
#define PSIM_SENT 512   // by print-to

// random.c
struct sim_random {
    uint64_t state;
};
uint64_t sim_mix(uint64_t a, uint64_t b);
struct sim_random sim_stream(uint64_t seed, uint64_t name);
uint64_t sim_next(struct sim_random *random);
uint32_t sim_below(struct sim_random *random, uint32_t limit);
uint64_t sim_range(struct sim_random *random, uint64_t least, uint64_t most);
bool sim_chance(struct sim_random *random, uint32_t percent);
bool sim_rare(struct sim_random *random, uint32_t per_million);

// What the seed chooses.
struct psim_world {
    uint64_t seed;
    uint32_t printers, clients, hoarders;
    bool has_state, has_keep, has_forward, has_print_to, has_webhook;
    uint8_t peers[PSIM_HELPERS]; // enum psim_peer
    bool folder_breaks;          // files of kept jobs cannot be written
    uint32_t memory_fails;       // per million allocations
    uint32_t descriptors;
    uint32_t client_connections;
    bool spread;  // hoarders have an address each
    bool shared;  // some who behave have the hoarders' address
    bool cancels; // somebody sends ~JA
    size_t up_room, down_room;
    uint64_t render_ns; // at most, for a label
    uint64_t signal_ns, drain_ns;
    bool patient;        // the signal comes when all who behave are done
    uint32_t jobs_most;  // that wait for a printer
    size_t jobs_bytes;   // the same; 0: very many
    uint32_t hangups;    // SIGHUP comes so often
    bool group;          // the signal of the end comes to all processes, as by a terminal
    bool paused;         // a printer is, now and then
    uint32_t io_percent; // of its turns the thread of the sockets gets
};

enum psim_peer { PEER_FAST, PEER_SLOW, PEER_HANGS, PEER_DIES };
enum psim_way { WAY_RAW, WAY_JSON, WAY_LPD, WAY_HTTP, WAY_PRINT_TO };

// A job that a client has made, and what became of its labels.
struct psim_job {
    uint32_t client, printer, labels;
    enum psim_way way;
    uint32_t order;  // of its client
    bool accepted;   // all of its bytes were acknowledged, or answered with 202
    bool excused;    // its client or a limit has ended it, visibly
    uint64_t number; // of the life that it is in
    uint32_t printed[PSIM_LABELS], named[PSIM_LABELS], refused, cancelled;
    uint32_t forwarded;
    uint32_t place, draws; // whose turn it takes; how many draws there were when it came
};

struct psim_link {
    bool used;
    uint32_t client;
    struct io_listener *listener;
    bool accepted, watched, muted, client_ended, client_gone, server_ended, server_closed, server_reset, told_end;
    bool edge; // there is something that the poller has not told
    uint8_t *up, *down;
    size_t up_len, up_at; // of what the system has acknowledged
    size_t down_len;      // that the client has not read
    void *tag;
    struct sockaddr_storage address;
};

struct psim {
    struct psim_world world;
    uint64_t now_ns;
    struct sim_random order, net, memory;
    bool memory_armed, starved;
    struct printer_hub *hub;
    struct psim_link links[PSIM_LINKS];
    struct psim_job jobs[PSIM_JOBS];
    uint32_t job_count;
    struct {
        uint32_t printer, place;
    } draws[PSIM_JOBS * 2]; // in their order
    uint32_t draw_count;
    uint32_t scraps;                  // jobs without a number: a client was cut off in the first bytes of one
    bool refused_place[TURNS_PLACES]; // refusals of this one had turns, too
    bool refused[128];                // clients of whom something was refused and listed
    int life;                         // 1 or 2
    bool waker_set, listening[8];
    bool busy[PSIM_PRINTERS], ended, ending;
    uint64_t steps, turned_ns;
    const char *failure;
    uint32_t depth;
};
extern struct psim psim;

_Noreturn void psim_fail(const char *format, ...) PL_PRINTF(1, 2);
void psim_note(const char *format, ...) PL_PRINTF(1, 2);

// printer_net.c
extern const struct http_seam psim_seam;
void psim_net_begin(void);
int psim_poll(struct http_ready_event *events, int most);
struct psim_link *psim_connect(uint32_t client, uint32_t listener, uint8_t network);
size_t psim_send(struct psim_link *link, const void *bytes, size_t size); // how many were acknowledged
void psim_end(struct psim_link *link);
void psim_leave(struct psim_link *link);                           // the client closes
size_t psim_read(struct psim_link *link, void *room, size_t most); // how many
void psim_forget(struct psim_link *link);                          // the client has closed, and nobody has it any more
void *psim_alloc(size_t size);
void psim_free(void *memory);
long psim_live(void);

// printer_peers.c: the renderer, files, helpers.
void psim_peers_begin(void);
void psim_peers_turn(void);
struct psim_job *psim_job_of(struct pl_slice code);
bool psim_has_kept(uint32_t printer);
void psim_counts_draw(uint32_t printer, uint32_t place); // a job of that place has its turn
void psim_signal_group(int number);                      // all processes get it

// printer_asks.c: the JSON port, print-to, limits of the queue.
void psim_asks_begin(void);
uint32_t psim_write_document(char *out, size_t room);
size_t psim_check_answer(struct pl_slice text, uint32_t asked); // of the JSON port; how long it is; 0: it is not whole
void psim_submits(const struct printer *printer, const struct printer_job *job);
uint32_t psim_draws_settings(uint32_t printer, struct pl_slice memory, struct pl_slice code);
void psim_has_drawn(uint32_t printer);
void psim_check_queue(const struct printer *printer);
void psim_check_refusal(const struct printer *printer, uint64_t client);
void psim_print_to(struct printer *printer);
void psim_printed_to(const char *host, struct pl_slice code);
const char *psim_print_to_hosts(void);
void psim_check_sent(uint64_t named); // beside those that were sent

// printer_main.c
void psim_run_until(uint64_t time);

#endif
