// A lane of `platen work`: what its files share. The talker alone touches slots and the connection.
#ifndef BROKER_WORK_LANE_H
#define BROKER_WORK_LANE_H

#include "cancelled.h"
#include "work.h"

//   WAITING    delivered, not begun, or to be tried again
//   RENDERING  with the renderer
//   PUBLISHED  its result, or then its dead letter, is on the way: the broker has to confirm it
enum slot_state { SLOT_FREE, SLOT_WAITING, SLOT_RENDERING, SLOT_PUBLISHED };

struct slot {
    enum slot_state state;
    struct broker_message job;
    uint64_t order;      // of arrival
    uint32_t turn;       // the queue that it came from
    uint64_t deliveries; // before this one
    uint64_t tries;      // by workers that put it to the end of the queue
    uint64_t came_ns;
    uint64_t took_ns;        // to render it; 0: it was not rendered
    uint64_t number;         // of the publication that is not confirmed
    struct pl_slice sent_id; // of that
    bool stale;              // its connection is over
    bool refused;            // nobody takes the publication: it is tried again
    bool died_here;          // its renderer has ended once in this worker
    bool cancelled;          // its batch was, before it was begun
    bool oversized;          // it came with more label code than a job may have, which was dropped
    bool is_strange;         // nobody who has the workers' key has sent it
    bool is_retry;           // it is on the way to the end of the queue, instead of a result
    bool is_dead;            // a dead letter belongs to it, with `problem` as its reason
    bool dead_is_sent;       // that one is on the way
    struct problem problem;
    // Of its result.
    bool failed;
    uint32_t labels;
    uint64_t bytes;
    // Of a group. What became of the rows before `at` is stored, of those before `next` it is on the way.
    bool is_group;
    bool splits;           // its rows become jobs of their own
    bool malformed;        // it has no rows
    uint32_t row_count;    // of all its rows; 1 of other jobs
    uint32_t rows, errors; // in the results that are on the way
    size_t at, next;
    struct group_row trouble; // a row that has no result yet; no id: none
    bool trouble_is_dead;     // and gets none: a dead letter belongs to it
    // Of one that is larger than a message: `rest` is what it is, from `sent` on it has to be published.
    struct work_result rest;
    size_t sent;
    uint64_t piece_name;
};

#define LANE_SUBMITTERS 16u

struct consumer {
    uint32_t number;
    bool open; // it was not cancelled
};

struct lane {
    struct work *work;
    uint32_t index;
    pthread_t talker, drawer;
    struct renderer_link link;
    int done; // eventfd: the drawer has finished
    // Between the two threads.
    pthread_mutex_t lock;
    pthread_cond_t go;
    const struct broker_message *task; // NULL: none
    size_t task_at;                    // of a group: where to begin
    bool ends;
    struct work_result result;
    uint64_t result_ns; // that it took
    // The talker's.
    struct broker *broker;
    struct slot *slots;
    uint32_t slot_count;
    uint64_t arrivals;
    uint64_t *settled; // tags of jobs that are done and not acknowledged yet; there is room for those of all slots
    uint32_t settled_count;
    struct slot *busy;                   // that the drawer has
    struct slot *pieces;                 // of which the result is published piece by piece; no other is begun then
    struct consumer first[BROKER_TURNS]; // of one job each
    struct consumer more;                // of the rest of --prefetch
    uint32_t more_turn;                  // the queue of `more`
    uint32_t last_turn;                  // that of the job whose result was stored last
    uint64_t begun[BROKER_TURNS];        // when a job of this queue was begun, in turns
    uint64_t turns;
    uint32_t cancelled; // consumers that may still get jobs: the broker has not answered
    bool grouped;       // the last message had several rows
    bool holds_groups;  // `more` is of so few messages as are enough if they are groups
    bool quick;         // the last result was stored, of an ordinary job that took little time
    bool blocked;       // the broker takes no messages, and answers nothing
    struct cancelled submitters[LANE_SUBMITTERS]; // whose jobs came last
    uint64_t connected_ns;                        // since when
    uint64_t pause_until_ns;
    uint32_t turn, tries; // of connecting
    uint32_t store_tries; // of handing in a result
    char last_error[256], last_trouble[256];
};

// ---- slots (work_slots.c)

// A message that has come.
void slot_take(struct lane *lane, struct slot *slot, const struct broker_message *job);
void slot_free(struct lane *lane, struct slot *slot);
struct slot *lane_free_slot(struct lane *lane);
// The one to begin: those that were delivered often come last.
struct slot *lane_waiting_slot(struct lane *lane);
struct slot *lane_newest_waiting_slot(struct lane *lane);
uint32_t lane_waiting(const struct lane *lane); // how many
// May a suspect be begun? Not before all ordinary jobs are done, nor while more can come.
bool lane_is_clear_for(const struct lane *lane, const struct slot *suspect);
bool lane_is_open(const struct lane *lane);       // may more come?
uint32_t lane_held(const struct lane *lane);      // jobs that the broker has delivered on this connection
uint64_t lane_first_tag(const struct lane *lane); // of those; UINT64_MAX: there is none
bool slot_is_suspect(const struct slot *slot);

// ---- what a lane asks for, and what it gives back (work_hold.c)

// One job of each queue, where none was asked for.
enum pl_errc lane_open(struct lane *lane, struct pl_error *err) PL_MUST_USE;
// How many jobs the lane should hold now.
enum pl_errc lane_adjust(struct lane *lane, struct pl_error *err) PL_MUST_USE;
// What a worker does that ends: what was begun is finished, the rest goes back with the connection, or before where a
// job takes long. True: the connection may be closed, or is over (err->code). *close_ns is 0 at first.
bool lane_leave(struct lane *lane, uint64_t *close_ns, struct pl_error *err);

// ---- batches that were cancelled (work_cancelled.c)

// Asks now and then whether the job's submitter was cancelled; `slot->cancelled` says what is known.
enum pl_errc lane_look_at_submitter(struct lane *lane, struct slot *slot, struct pl_error *err) PL_MUST_USE;
// What the broker says to the questions. True: the message was one.
bool lane_question_returned(struct lane *lane, const struct broker_message *message);
void lane_question_confirmed(struct lane *lane, const struct broker_told *told, bool accepted);

// ---- groups (work_group.c)

// What a job or row gets that nobody has sent who has the workers' key.
void lane_refuse_stranger(struct problem *out);
// Draws rows of the lane's task from `at` on, until they are done, take long or are large, or one is in trouble.
void lane_draw_group(struct lane *lane, const struct broker_message *group, size_t at, struct work_result *out);
// Hands in what the drawer has made of a group.
enum pl_errc lane_finish_group(struct lane *lane, struct slot *slot, struct work_result *result,
                               struct pl_error *err) PL_MUST_USE;
// The last step of a group is stored, or it has to be split: the next step.
enum pl_errc lane_go_on_with_group(struct lane *lane, struct slot *slot, struct pl_error *err) PL_MUST_USE;

// ---- results (work_results.c)

// A result is stored and its job acknowledged.
enum pl_errc lane_settle(struct lane *lane, struct slot *slot, struct pl_error *err) PL_MUST_USE;
// A row of a group as a job of its own: to the end of the queue, or to the dead letters.
enum pl_errc lane_send_row(struct lane *lane, struct slot *slot, const struct group_row *row, bool is_dead,
                           struct pl_error *err) PL_MUST_USE;
// The results of a group's rows.
enum pl_errc lane_publish_group(struct lane *lane, struct slot *slot, const struct work_result *result,
                                struct pl_error *err) PL_MUST_USE;
// Stores a result as files. False: *why says why.
bool lane_store(const struct work *work, const struct broker_message *job, struct pl_slice id,
                const struct work_result *result, struct pl_error *why);
// What the batch is told of a result that is stored as files.
void lane_note(const struct work *work, const struct broker_message *job, struct work_result *note);

// Hands in the result of a job, and its dead letter if there has to be one. The job is acknowledged when both are
// stored.
enum pl_errc lane_hand_in(struct lane *lane, struct slot *slot, struct work_result *result,
                          struct pl_error *err) PL_MUST_USE;
// Puts the job to the end of the queue, some time later: others come first.
enum pl_errc lane_retry(struct lane *lane, struct slot *slot, struct pl_error *err) PL_MUST_USE;
// The same for a job that gets no rendering: `slot->problem` is its result.
enum pl_errc lane_hand_in_problem(struct lane *lane, struct slot *slot, struct pl_error *err) PL_MUST_USE;
// A dead letter, and no result.
enum pl_errc lane_bury(struct lane *lane, struct slot *slot, struct pl_error *err) PL_MUST_USE;
// Neither: nobody wants its result. `counter` counts it.
enum pl_errc lane_drop(struct lane *lane, struct slot *slot, struct http_counter *counter,
                       struct pl_error *err) PL_MUST_USE;
enum pl_errc lane_give_back(struct lane *lane, struct slot *slot, struct pl_error *err) PL_MUST_USE;
enum pl_errc lane_confirm(struct lane *lane, const struct broker_told *told, bool refused,
                          struct pl_error *err) PL_MUST_USE;
// Acknowledges what is done. The broker keeps one record of several jobs that it is told of at once.
enum pl_errc lane_acknowledge(struct lane *lane, struct pl_error *err) PL_MUST_USE;
void lane_note_return(struct lane *lane, const struct broker_message *message);
// The worker's own trouble, not the job's: it waits here, and uses up no delivery.
void lane_try_later(struct lane *lane, struct slot *slot, const char *why);

#endif
