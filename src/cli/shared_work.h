// Work that several threads share out among them, item by item, and whose messages come in the order of the items.
#ifndef PLATEN_SHARED_WORK_H
#define PLATEN_SHARED_WORK_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "platen/platen.h"

// Where messages go: to `say`, or into the messages of an item of some work. Without both, and without a sink (NULL),
// they go to standard error.
struct message_sink {
    struct shared_work *work;
    size_t item;
    void (*say)(void *user, const char *text, size_t len); // comes before `work`
    void *user;
};

// One message, whole lines. The message of an item is kept while earlier items are not done. Where much is kept
// already, the caller waits for the item's turn.
void message_print(const struct message_sink *sink, const char *fmt, ...) PL_PRINTF(2, 3);

struct shared_work {
    pthread_mutex_t lock;
    pthread_cond_t turn_moved;
    const struct message_sink *sink; // where the messages go
    struct item_messages *kept;
    size_t kept_bytes;
    size_t next; // to be taken
    size_t turn; // the first item that is not done: its messages go out at once
    size_t end;  // behind the last item that counts
    size_t count;
};

// False: there is not enough memory.
bool shared_work_init(struct shared_work *work, size_t count, const struct message_sink *sink);
void shared_work_fini(struct shared_work *work);
// The next item. False when there is none left. Each one taken must be ended by shared_work_done.
bool shared_work_take(struct shared_work *work, size_t *item);
void shared_work_done(struct shared_work *work, size_t item);
// As if the work had ended with this item: nothing behind it begins any more, and what is said there is not heard.
void shared_work_stop(struct shared_work *work, size_t item);
// A message of an item, from a thread that must not wait. False: it would have to; nothing was printed or kept.
bool shared_work_offer(struct shared_work *work, size_t item, const char *text, size_t len);

#define SHARED_WORK_THREADS_MAX 256u

// Work for threads that each have a renderer.
struct shared_run {
    const struct platen_engine *engine;
    struct platen_worker *worker; // of the calling thread; NULL: it makes one, as the others do
    uint32_t jobs;                // threads at most, the calling one included
    size_t count;                 // of items
    const struct message_sink *sink;
    // Does the item sink->item; its messages go to `sink`. False: it failed.
    bool (*item)(void *user, struct platen_worker *worker, const struct message_sink *sink);
    void (*progress)(void *user, size_t done, size_t count,
                     size_t failed); // after each item, on any thread; may be NULL
    void *user;
};

// Returns how many items failed or were not begun.
size_t shared_work_run(const struct shared_run *run);

#endif
