// The simulator of the HTTP core: what its parts share. One thread, one seed, one run; the state is one global, since
// the seam's functions have no argument for it.
#ifndef SIM_H
#define SIM_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http/conn/conn.h"
#include "http/conn/head.h"
#include "http/conn/input.h"
#include "http/exchange/note.h"
#include "http/io/loop.h"
#include "http/server/server.h"

#define SIM_US 1000ull
#define SIM_MS 1000000ull
#define SIM_S 1000000000ull
#define SIM_NEVER UINT64_MAX
#define SLACK_NS (300 * SIM_MS) // loops look at deadlines every 64 ms, and may be late
#define SIM_NONE UINT32_MAX

#define SIM_CLIENTS 400
#define SIM_REQUESTS 64 // of one client
#define SIM_LOOPS 3
#define SIM_WORKERS 4
#define SIM_TOPICS 3
#define SIM_TURN_EVENTS 64
#define SIM_BAD_KINDS 20
#define SIM_EXIT_FOUND 3

// ---- random.c

struct sim_random {
    uint64_t state;
};

uint64_t sim_mix(uint64_t a, uint64_t b);
struct sim_random sim_stream(uint64_t seed, uint64_t name); // streams of one seed do not disturb each other
uint64_t sim_next(struct sim_random *random);
uint32_t sim_below(struct sim_random *random, uint32_t limit);                // 0 <= result < limit
uint64_t sim_range(struct sim_random *random, uint64_t least, uint64_t most); // both included
uint64_t sim_scale(struct sim_random *random, uint64_t least, uint64_t most); // each order of magnitude as likely
bool sim_chance(struct sim_random *random, uint32_t percent);
bool sim_rare(struct sim_random *random, uint32_t per_million);

// ---- trace.c

// `text` holds up to four '%', which the numbers take the places of.
void sim_note(const char *text, int64_t a, int64_t b, int64_t c, int64_t d);
// The run has failed: message, trace, how to run it again; ends the program.
_Noreturn void sim_fail(const char *format, ...) PL_PRINTF(1, 2);
void sim_trace_begin(bool print);
uint64_t sim_trace_digest(void);
void sim_catch_signals(void);

// ---- memory.c

void *sim_alloc(size_t size); // never fails, and never counts
void *sim_realloc(void *old, size_t size);
void sim_free(void *memory);
long sim_memory_live(void); // blocks that the code under test has

// ---- world.c

// What may be switched off to make a failing run smaller.
enum sim_part {
    SIM_PART_SHORT = 1,       // short reads and writes
    SIM_PART_RESET = 2,       // connections break
    SIM_PART_ACCEPT = 4,      // accept and watch fail
    SIM_PART_MEMORY = 8,      // allocations fail
    SIM_PART_SIGNAL = 16,     // the service is stopped
    SIM_PART_DEADLINE = 32,   // requests have a deadline
    SIM_PART_EVENTS = 64,     // event streams
    SIM_PART_STEPS = 128,     // answers in steps
    SIM_PART_ABUSE = 256,     // clients that misbehave
    SIM_PART_LIMITS = 512,    // small limits
    SIM_PART_PIPELINE = 1024, // several requests at once
    SIM_PART_WAITS = 2048,    // requests that wait for a topic
    SIM_PART_GZIP = 4096,     // bodies that are gzip-coded
    SIM_PART_LAST = 4096
};

struct sim_options {
    uint32_t clients;  // at most; 0: as the seed says
    uint32_t only;     // this client alone, or SIM_NONE
    uint32_t requests; // of one client, at most; 0: as the seed says
    uint64_t events;   // stop after so many; 0: no limit
    unsigned without;  // of enum sim_part
    bool trace, quiet;
    bool outside; // only what clients see is judged, not the server's books
};

struct sim_world {
    uint64_t seed;
    uint32_t clients, loops, workers;
    // Sockets.
    size_t up_room, down_room;                // bytes that are on their way to the server, and to the client
    uint32_t short_read, short_write, breaks; // per million calls
    uint32_t accept_fails, watch_fails;
    uint32_t memory_fails, memory_after; // per million allocations, after so many
    bool memory_at_start;                // also while the server is set up
    uint32_t descriptors;                // that the system has for connections
    // Time.
    uint64_t loop_latency, client_latency; // at most
    uint64_t signal_ns;                    // 0: the end of the run
    uint64_t deadline_ms;
    uint64_t publish_ns; // mean time between two events; 0: none
    // Clients.
    bool polite;    // all of them
    bool tight;     // limits may be met by polite clients
    bool streaming; // large answers for slow readers that are fast enough
    bool waiting;   // many requests that wait, and few workers that are busy
    bool tight_memory;
    bool logs;          // the access log is on
    uint64_t freeze_ns; // when the whole machine stands still for a while; 0: never
    uint64_t abrupt_ns; // when the server is torn down in the middle; 0: never
    uint32_t requests;
    size_t answer_most, body_most, event_most;
    bool shared_address; // all clients have one
    bool crowd;          // two thirds of them have
    bool has_steps, has_events, has_slow, has_waits, has_gzip;
    bool has_keys;    // requests need an API key
    uint32_t reloads; // times that SIGHUP comes
    uint64_t slow_ns; // how long slow work takes
    struct http_config config;
    uint64_t patience_ns; // in which every client that waits must see something happen
};

void sim_world_make(struct sim_world *world, uint64_t seed, const struct sim_options *options);
void sim_world_print(const struct sim_world *world);

// ---- request.c

enum sim_kind {
    SIM_ECHO_INLINE,
    SIM_ECHO_SHORT, // inline when its body is short
    SIM_ECHO_WORKER,
    SIM_WHOLE_INLINE,
    SIM_WHOLE_ARENA,
    SIM_WHOLE_TAKEN,
    SIM_WHOLE_JSON,
    SIM_STEPS,
    SIM_STREAM, // its body is echoed in steps, while it arrives
    SIM_WAIT,   // its handler waits for events of its topic
    SIM_EVENTS,
    SIM_PROBLEM,
    SIM_SLOW, // works longer than the deadline, if there is one
    SIM_PUBLISH,
    SIM_HEALTH,
    SIM_METRICS,
    SIM_NOT_FOUND,
    SIM_WRONG_METHOD,
    SIM_OPTIONS,
    SIM_TOO_LARGE, // its body is
    SIM_BAD,       // not HTTP as it should be
    SIM_KINDS
};

enum sim_step_end {
    SIM_END_WRITTEN, // the answer is what was written
    SIM_END_BODY,    // before the start: the last step sets a body
    SIM_END_PROBLEM, // before the start: the last step sets a problem
    SIM_END_FAILED   // the step returns FAILED, at `fail_at`
};

struct sim_request {
    uint32_t client, index;
    uint8_t kind;
    bool head_only, http10, keep_alive, says_close, expects, chunked;
    bool with_id;     // X-Request-Id is sent
    uint8_t bad;      // which fault; SIM_BAD only
    bool gzip;        // its body is gzip-coded
    bool damaged;     // and the code is not right
    uint32_t wakes;   // SIM_WAIT: events that it waits for
    uint64_t wait_ms; // for so long at the most
    uint8_t end;      // enum sim_step_end
    uint32_t topic;
    uint32_t body_len, answer_len, filler;
    uint32_t start_at, fail_at, step_len, writes, hold;
    uint64_t work_ns;
    // What happened.
    bool impatient;                // does not wait for 100 Continue
    bool inlined;                  // its steps run on the loop
    bool empty_line, whole_target; // before the request line; as a proxy asks
    // SIM_WAIT: when it began to wait; events of its topic then, when a worker took it, and when its handler last ran.
    uint64_t wait_from, wait_base, looked, wait_seen;
    uint8_t logged;
    int logged_status;
    uint64_t logged_bytes, answer_bytes;
    uint32_t takes_before; // requests that workers had taken when it joined their queue
    bool head_out, sent, got_continue, answered, ran, started, taken, told_deadline, told_memory, told_cancelled;
    uint8_t states; // of its steps that live
    size_t offered; // bytes of its body when it was given to the workers
    int status;
    uint32_t serial;              // of its connection
    uint64_t closed_ns;           // when the server closed that; 0: not yet
    uint64_t busy_ns, busy_since; // time with the workers and in their queue
    uint64_t head_ns, pushed_ns;  // when its head was sent, and when it was given to the workers
    uint64_t first_ns, sent_ns;   // when its first byte and its last one were sent
    uint64_t event_base;          // events of its topic before
    uint64_t event_bytes;         // and bytes of them
};

void sim_request_make(struct sim_request *r, uint32_t client, uint32_t index, struct sim_random *random,
                      const struct sim_world *world, uint32_t bad); // bad: how many of a hundred are
// The request as bytes; *head is where its body begins. `out` is grown as needed.
size_t sim_request_write(const struct sim_request *r, struct sim_random *random, uint8_t **out, size_t *cap,
                         size_t *head);
// Bytes `at` to `at + len` of a request's body and of the answer to it.
void sim_body(const struct sim_request *r, size_t at, uint8_t *out, size_t len);
void sim_answer_body(const struct sim_request *r, size_t at, uint8_t *out, size_t len);
size_t sim_answer_len(const struct sim_request *r);
size_t sim_id(const struct sim_request *r, char *out); // at most 16 bytes, with the NUL
struct sim_request *sim_request_find(struct pl_slice id);
bool sim_on_worker(const struct sim_request *r);
bool sim_steps_cut(const struct sim_request *r); // its steps fail after the start
// Data of an event: a function of its topic and number.
#define SIM_EVENT_MAX 8192
size_t sim_event_data(uint32_t topic, uint64_t number, char *out);
const char *sim_event_name(uint64_t number);

// Requests that are not HTTP as it should be, with what is answered.
struct sim_bad {
    int status;
    bool fatal; // the connection ends
    const char *text;
};
extern const struct sim_bad sim_bads[SIM_BAD_KINDS];

// ---- net.c

struct sim_bytes {
    uint8_t *data;
    size_t cap, at, len; // a ring
};

struct sim_link {
    uint32_t slot; // where the simulator keeps it
    bool used;
    uint32_t client, serial;
    uint32_t place;        // of its address
    struct sim_link *next; // of the backlog, or of those to be used again
    int fd;                // the server's; -1 before it is accepted and after it was closed
    struct sim_bytes up, down;
    bool accepted, watched, server_ended, server_closed, client_ended, client_closed, broken;
    bool refused;                                         // the server closed it without looking
    bool evicted;                                         // the server closed it, perhaps to make room
    bool starved;                                         // or because an allocation failed
    bool lost;                                            // bytes to the client were lost when it broke
    bool faulty;                                          // a fault was injected
    bool reset_at_exit;                                   // what the server asked for
    bool late;                                            // the client sent after the server had closed
    uint64_t opened_ns, accepted_ns, ended_ns, closed_ns; // ended: the server sends no more
    uint64_t active_ns;                                   // when the server last read or sent something
    uint64_t over_ns;                                     // since when it has nothing to do but to be closed; 0: it has
    // The poller's part.
    int poller;
    void *tag;
    bool changed, listed, wants_room;
    struct sockaddr_storage address;
};

extern const struct http_seam sim_seam;
void sim_net_begin(void);
void sim_net_check_closed(void);
void sim_net_fini(void);
int sim_net_listener(void);
// NULL: nobody listens.
struct sim_link *sim_link_open(uint32_t client, uint32_t place, const struct sockaddr_storage *address);
size_t sim_link_send(struct sim_link *link, const uint8_t *data, size_t len); // how many were taken
size_t sim_link_receive(struct sim_link *link, uint8_t *room, size_t size);
void sim_link_end(struct sim_link *link);               // the client sends no more
void sim_link_close(struct sim_link *link, bool reset); // the client has gone
bool sim_link_over(const struct sim_link *link);        // nothing will come any more
void sim_link_room(uint32_t slot, uint32_t serial);     // the time has come to tell that there is room again
void sim_signal(int number);
bool sim_poller_ready(int poller);
int sim_poller_take(int poller, struct http_ready_event *events, int most);
uint32_t sim_open_descriptors(void); // of connections
uint32_t sim_open_of(uint32_t place);
struct sim_link *sim_link_of(int fd);

// ---- app.c

extern const struct http_app sim_app;
uint64_t sim_work_time(const struct http_exchange *ex);             // how long a worker has it
struct sim_request *sim_request_of(const struct http_exchange *ex); // NULL: of none that is known
void sim_publish(uint32_t topic);

// ---- answer.c

enum sim_answer_state {
    SIM_A_HEAD,
    SIM_A_BODY,  // `left` more bytes
    SIM_A_CLOSE, // until the end of the stream
    SIM_A_CHUNK, // the line with a chunk's size
    SIM_A_DATA,  // `left` more bytes of a chunk
    SIM_A_DATA_END,
    SIM_A_LAST, // the empty line after the last chunk
    SIM_A_CUT   // told that it is cut off: only the end may follow
};

struct sim_answer {
    enum sim_answer_state state;
    bool started, chunked, close, has_length, to_end, refusal, finished;
    int status;
    uint64_t bytes; // so far
    uint64_t left, body_at, length;
    char line[40]; // of a chunk's size, or its end
    size_t line_len;
    size_t head_len, text_len;
    char head[HTTP_HEAD_MAX + 64];
    char text[SIM_EVENT_MAX + 16]; // of a problem; a line of an event stream
    // Event stream.
    uint64_t event_id, event_last, event_base;
    size_t event_len, event_lines;
    char event_name[16];
    char event_data[SIM_EVENT_MAX + 16];
};

struct sim_client;
void sim_answer_begin(struct sim_client *c); // a new connection
void sim_answer_feed(struct sim_client *c, const uint8_t *data, size_t len);
void sim_answer_end(struct sim_client *c, bool broken); // the connection is over: was that right?
void sim_answer_print_tallies(void);
void sim_answer_check_events(const struct sim_client *c); // has it got all that was published?

// ---- client.c

enum sim_reading { SIM_READ_ALL, SIM_READ_SLOWLY, SIM_READ_LATE, SIM_READ_NEVER, SIM_READ_UP_TO };
enum sim_leaving {
    SIM_LEAVE_AFTER,          // when all is answered
    SIM_LEAVE_HALF,           // sends its end after the last request, reads on
    SIM_LEAVE_RESET_SENT,     // resets at byte `leave_at` of what it sends
    SIM_LEAVE_CLOSE_SENT,     // the same with an orderly close
    SIM_LEAVE_RESET_RECEIVED, // at a byte of what it gets
    SIM_LEAVE_STOP            // sends nothing more after that byte, and waits
};

struct sim_client {
    uint32_t index;
    struct sim_random random;
    struct sim_request requests[SIM_REQUESTS];
    uint32_t request_count, per_connection, connections, depth;
    uint8_t reading, leaving;
    uint64_t leave_at, read_stop;
    uint32_t send_most, read_most;
    uint64_t send_pause, read_pause, think_most, stay_ns;
    uint32_t gives_up; // percent of the time of a request that waits, after which it leaves; 0: it does not
    bool abuses, listens, waits_for_end, steady;
    bool reads_last; // not before it has ended its side, or the moment that a server must grant is over
    uint32_t place;
    struct sockaddr_storage address;
    char address_text[HTTP_TEXT_LEN];
    // The connection.
    struct sim_link *link;
    bool done;
    uint32_t connection;                     // how many it has had
    uint32_t first, sending, answering, end; // requests
    uint8_t *out;
    size_t out_len, out_at, out_cap, out_head;
    bool written; // `out` is of the request `sending`
    uint64_t sent, received;
    uint64_t quiet_ns; // since when it has sent nothing and nothing was owed to it
    uint64_t think_until, send_at, read_at, close_at, continue_at, half_at;
    uint64_t progress_ns;
    bool ended, closing; // closing: an answer said that it is the last
    bool checking;
    bool slow_send, slow_read, stopped;
    uint64_t act_at;
    uint32_t act_turn; // events of former times are void
    struct sim_answer answer;
};

void sim_clients_begin(void);
void sim_clients_fini(void);
void sim_client_wake(struct sim_client *c, uint64_t time);
void sim_client_act(struct sim_client *c);
void sim_client_notify(uint32_t client); // something happened to its connection
void sim_client_check(struct sim_client *c);
bool sim_client_sends_slowly(const struct sim_client *c, const struct sim_request *r);
void sim_client_leave(struct sim_client *c, bool reset);

// ---- books.c

void sim_books_check(bool all);
void sim_books_taken(const struct http_exchange *ex); // a worker has taken it from the queue of new requests
void sim_books_check_rest(void);
void sim_keys_load(void); // other keys, with the one that clients have
#define SIM_KEY "the key of the clients"

// ---- log.c

void sim_log_begin(void);
void sim_log_read(void);  // what was written since the last time
void sim_log_check(void); // was every answer written once?
void sim_log_end(void);

// ---- run.c

enum sim_event_kind {
    SIM_EV_CLIENT,
    SIM_EV_CHECK,
    SIM_EV_POLL,
    SIM_EV_TURN,
    SIM_EV_WORKER,
    SIM_EV_ROOM,
    SIM_EV_SIGNAL,
    SIM_EV_RELOAD,
    SIM_EV_PUBLISH,
    SIM_EV_FREEZE
};

struct sim_loop {
    int poller;
    bool polled; // has taken events and not yet looked at them
    bool ended;
    uint64_t poll_at;
    uint32_t poll_turn;
    struct http_ready_event events[SIM_TURN_EVENTS];
    int event_count;
};

enum sim_worker_state { SIM_WORKER_SLEEPS, SIM_WORKER_WAKES, SIM_WORKER_RUNS, SIM_WORKER_BETWEEN };

struct sim_worker {
    struct http_exchange *ex;
    enum sim_worker_state state;
};

struct sim_totals {
    uint64_t seeds, events, requests, answers, refusals, cuts, connections, faults, published, told;
};

struct sim {
    struct sim_world world;
    struct sim_options options;
    uint64_t now_ns;
    struct http_server *server;
    struct sim_random net, memory, order;
    bool memory_armed, starved, running;
    uint64_t allocations;
    // When something last happened that excuses a refusal or a cut; 0: never.
    uint64_t starved_ns, budget_ns, evicting_ns, queue_full_ns, frozen_ns;
    struct sim_client *clients[SIM_CLIENTS];
    uint32_t clients_done;
    struct sim_loop loops[SIM_LOOPS];
    struct sim_worker workers[SIM_WORKERS];
    struct http_exchange **live; // exchanges that are not in a free list
    size_t live_count, live_cap;
    uint32_t published, listeners;
    uint64_t event_numbers[SIM_TOPICS], event_bytes[SIM_TOPICS];
    uint64_t event_times[SIM_TOPICS][64]; // of the last ones
    uint64_t leaving_ns, door_ns;         // of the drain; 0: not yet
    struct {
        uint32_t pushed[TURNS_PLACES],
            taken[TURNS_PLACES]; // into and from the workers' queue, by the place of the client
        uint16_t places[4096];   // of those that were taken, in their order
        uint32_t count;
    } turns;
    uint32_t streak; // requests that were taken in a row while answers waited for their next step
    bool signalled;
    uint32_t reloads;  // SIGHUPs that the server has heard
    long blocks;       // of memory when the server had been started
    long lazy_blocks;  // and those that it has made later for good: counters
    uint64_t queue_ns; // time in the queue of the request that a worker runs; SIM_NEVER: none runs
    uint32_t states;   // of answers in steps that live
    struct sim_totals totals;
    uint64_t *failure; // where the kind of a failure is told
};

extern struct sim sim;

void sim_at(uint64_t time, enum sim_event_kind kind, uint32_t index, uint32_t turn);
void sim_loop_notify(int poller);
void sim_run(uint64_t seed, const struct sim_options *options);
void sim_fini(void);

#endif
