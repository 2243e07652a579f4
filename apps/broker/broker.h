// A connection to RabbitMQ: what the commands on it may ask for. librabbitmq is known to rabbitmq*.c alone.
#ifndef BROKER_BROKER_H
#define BROKER_BROKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/slice.h"

#define BROKER_DEFAULT_URL "amqp://guest:guest@127.0.0.1:5672/"

struct broker_options {
    const char *urls; // amqp://user:password@host:port/vhost or amqps://; several, parted by commas, are tried in turn
    const char *ca;   // file of authorities for amqps; NULL: the system's
    const char *cert; // of the client; NULL: none
    const char *key;  // of the client
    const char *password_file; // wins over the password in the address; NULL: none
    const char *prefix;        // of the names of queues and exchanges
    uint32_t heartbeat_s;
    struct broker *beside; // holds a lock, and is served while another connection is waited for; NULL: there is none
};

#define BROKER_HEADERS_MAX 40u

struct broker_header {
    struct pl_slice name, value; // numbers as text
};

// A message that came, or is to be sent.
struct broker_message {
    struct pl_slice id, type, body; // type: the media type
    struct broker_header headers[BROKER_HEADERS_MAX];
    uint32_t header_count;
    uint64_t expires_ms; // of one to be sent: the broker drops it if nobody has got it until then; 0: it stays
    // Of one that came:
    uint64_t tag;
    uint32_t consumer; // that got it
    bool redelivered;
    bool is_direct; // it was sent to the queue by its name, over no exchange: workers have no right to do so
    void *memory;   // all of it; free()
};

// False: there is no header of that name.
bool broker_header_of(const struct broker_message *message, const char *name, struct pl_slice *value);
void broker_add_header(struct broker_message *message, const char *name, struct pl_slice value);

// Text of others for a terminal or a log: `most` bytes at most, without control characters.
void broker_print(FILE *out, struct pl_slice text, size_t most);
// Copies the text to *at, which moves behind it.
struct pl_slice broker_copy_text(uint8_t **at, struct pl_slice from);
// Copies what the message refers to into memory of its own, which is message->memory then. False: no memory.
bool broker_copy(struct broker_message *message);
// Keeps the message without its body. False: no memory, nothing has changed.
bool broker_drop_body(struct broker_message *message);

enum broker_event {
    BROKER_NOTHING,
    BROKER_DELIVERY,
    BROKER_CONFIRMED, // the broker has it: `number`, or all up to it
    BROKER_REJECTED,  // the broker does not want it: the same
    BROKER_RETURNED,  // nobody would get `message`; a confirmation of it follows
    BROKER_BLOCKED,   // the broker takes no messages for now: text
    BROKER_UNBLOCKED,
    BROKER_CANCELLED, // a consumer has ended, as it was asked to
    BROKER_GONE // the connection is over: err; PL_E_INVALID as of broker_open; PL_E_LIMIT: a message was too large
};

struct broker_told {
    struct broker_message message; // DELIVERY, RETURNED; the caller frees message.memory
    uint64_t number;               // CONFIRMED, REJECTED
    bool all_before;
    char text[128]; // BLOCKED
};

// Is CONFIRMED or REJECTED about the publication of this number? 0: none.
static inline bool broker_tells_of(const struct broker_told *told, uint64_t number)
{
    return number > 0 && (told->number == number || (told->all_before && number < told->number));
}

// The first line of a file that holds a password or a key: size - 2 bytes at most, and no NUL.
enum pl_errc broker_read_secret(const char *path, char *out, size_t size, struct pl_error *err) PL_MUST_USE;

struct broker;

// How many addresses there are. 0: one of them is malformed, and *err says so.
uint32_t broker_addresses(const struct broker_options *options, struct pl_error *err);

// Connects to the address `*turn` of the list, and moves it on. PL_E_INVALID: trying again is no use (credentials,
// certificate, address).
enum pl_errc broker_open(const struct broker_options *options, uint32_t *turn, struct broker **out,
                         struct pl_error *err) PL_MUST_USE;
void broker_close(struct broker **broker);             // NULL afterwards; it may be that before
const char *broker_place(const struct broker *broker); // "host:port"

// Batches take turns: what a submitter sends goes to the first queue of jobs, and behind its first thousands of rows to
// the next ones. A worker takes from all of them in turn, so that a small batch waits for the beginnings of others
// alone.
#define BROKER_TURNS 3u
// The queue's own part of the names BROKER_OF_JOBS.TURN and "retry.TURN"; NULL: the first has none.
const char *broker_turn(uint32_t turn);

// Queues, exchanges and dead letters; all are there afterwards, as they should be.
enum pl_errc broker_declare(struct broker *broker, struct pl_error *err) PL_MUST_USE;
// Are the exchanges there that a worker sends to? Makes nothing.
enum pl_errc broker_check(struct broker *broker, struct pl_error *err) PL_MUST_USE;
// Is the queue PREFIX.WHAT or PREFIX.WHAT.NAME there (BROKER_OF_...), and what has it? Makes nothing.
#define BROKER_OF_JOBS "jobs"
#define BROKER_OF_BATCH "results" // with the name of the batch
#define BROKER_OF_DEAD "dead"
#define BROKER_OF_UNROUTED "unrouted"
#define BROKER_OF_REGISTRY "batches"
struct broker_queue {
    bool is_there;
    uint32_t messages, consumers;
};
enum pl_errc broker_find_queue(struct broker *broker, const char *what, const char *name, struct broker_queue *out,
                               struct pl_error *err) PL_MUST_USE;
enum pl_errc broker_declare_batch(struct broker *broker, const char *batch, struct pl_error *err) PL_MUST_USE;
// The same for one that is there.
enum pl_errc broker_bind_batch(struct broker *broker, const char *batch, struct pl_error *err) PL_MUST_USE;
enum pl_errc broker_delete_batch(struct broker *broker, const char *batch, struct pl_error *err) PL_MUST_USE;
// One connection at a time looks for a batch and makes it. Not *locked: another one does so now. The lock goes with the
// connection.
enum pl_errc broker_lock_batch(struct broker *broker, const char *batch, bool *locked,
                               struct pl_error *err) PL_MUST_USE;
#define BROKER_LOCK_TRY_MS 100u // between two tries
enum pl_errc broker_unlock_batch(struct broker *broker, const char *batch, struct pl_error *err) PL_MUST_USE;
// What is said of a batch: PREFIX.WHAT.NAME. It is gone when the batch's queue is, so a batch that is made under the
// same name later has none of its marks.
#define BROKER_MARK_ENTERED "entered" // with the number of a submitter that has
#define BROKER_MARK_PDF "for-pdf"     // with the name of the batch: its results are parts of a PDF
#define BROKER_MARK_FILES "for-files" // or they are not
enum pl_errc broker_mark_batch(struct broker *broker, const char *batch, const char *what, const char *name,
                               struct pl_error *err) PL_MUST_USE;
enum pl_errc broker_find_mark(struct broker *broker, const char *what, const char *name, bool *is_there,
                              struct pl_error *err) PL_MUST_USE;
// Jobs and results of this submitter are not wanted any more: a message to BROKER_QUESTIONS by its name is no longer
// returned.
enum pl_errc broker_cancel_submitter(struct broker *broker, const char *submitter, struct pl_error *err) PL_MUST_USE;
// From a queue as of broker_find_queue. There may be several consumers, each with its own prefetch; *consumer is the
// number of the new one.
enum pl_errc broker_consume(struct broker *broker, const char *what, const char *name, uint32_t prefetch,
                            uint32_t *consumer, struct pl_error *err) PL_MUST_USE;
// No more deliveries to it once CANCELLED has come, but for what the broker has on the way: that counts as delivered.
enum pl_errc broker_cancel(struct broker *broker, uint32_t consumer, struct pl_error *err) PL_MUST_USE;

int broker_descriptor(const struct broker *broker);
bool broker_has_input(const struct broker *broker); // without asking the system
bool broker_is_encrypted(const struct broker *broker);
enum broker_event broker_next(struct broker *broker, uint32_t wait_ms, struct broker_told *told, struct pl_error *err);

enum broker_target {
    BROKER_JOBS,
    BROKER_RESULTS,
    BROKER_DEAD,
    BROKER_RETRY,
    BROKER_BATCH,
    BROKER_QUESTIONS, // by the name of a submitter
    BROKER_QUEUE      // by BROKER_OF_...
};
// `batch` is where results go; BROKER_BATCH is its queue, and if that is not there, the message is returned. Of
// BROKER_JOBS and BROKER_RETRY it is broker_turn(). *number is what CONFIRMED will tell.
enum pl_errc broker_publish(struct broker *broker, enum broker_target target, const char *batch,
                            const struct broker_message *message, uint64_t *number, struct pl_error *err) PL_MUST_USE;
enum pl_errc broker_acknowledge(struct broker *broker, uint64_t tag, bool all_before, struct pl_error *err) PL_MUST_USE;
enum pl_errc broker_give_back(struct broker *broker, uint64_t tag, struct pl_error *err) PL_MUST_USE;

// The largest message that the broker takes, if an error of PL_E_LIMIT says so; 0: it does not.
size_t broker_message_limit(const struct pl_error *err);

// Time to wait before the next try: doubled each time, with a part left to chance.
uint32_t broker_pause_ms(uint32_t tries);

#define BROKER_BATCH_MAX 100u
// Letters, digits, '-', '_' and '.', which is not the first: it also names folders.
bool broker_batch_usable(struct pl_slice batch);

#endif
