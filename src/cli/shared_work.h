// Work that several threads share out among them, item by item, and whose messages come in the order of the items.
#ifndef PLATEN_SHARED_WORK_H
#define PLATEN_SHARED_WORK_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

// Who speaks: an item of some work, or whoever has its own way to be heard. Messages go to standard error where there
// is no voice (NULL) or neither of the two.
struct voice {
    struct shared_work *work;
    size_t item;
    void (*say)(void *user, const char *text, size_t len); // comes before `work`
    void *user;
};

// One message, whole lines. When earlier items are not done yet it is kept for later; the voice waits for its turn when
// much is kept already.
void voice_print(const struct voice *voice, const char *fmt, ...) PL_PRINTF(2, 3);

struct shared_work {
    pthread_mutex_t lock;
    pthread_cond_t turn_moved;
    const struct voice *voice; // where the messages go
    struct item_messages *kept;
    size_t kept_bytes;
    size_t next; // to be taken
    size_t turn; // the first item that is not done: its messages go out at once
    size_t end;  // behind the last item that counts
    size_t count;
};

// False: there is not enough memory.
bool shared_work_init(struct shared_work *work, size_t count, const struct voice *voice);
void shared_work_fini(struct shared_work *work);
// The next item. False when there is none left. Each one taken must be ended by shared_work_done.
bool shared_work_take(struct shared_work *work, size_t *item);
void shared_work_done(struct shared_work *work, size_t item);
// As if the work had ended with this item: nothing behind it begins any more, and what is said there is not heard.
void shared_work_stop(struct shared_work *work, size_t item);
// What an item says, from a thread that must not wait. False: it would have to, and nothing was said.
bool shared_work_offer(struct shared_work *work, size_t item, const char *text, size_t len);

#endif
