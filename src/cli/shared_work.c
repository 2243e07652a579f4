// Work that several threads share out among them, item by item, and whose messages come in the order of the items.
//
// Items are taken in their order, so the first one that is not done is always in the hands of a running thread. It
// never waits, which is why whoever waits for it does not wait forever.
#include "cli/shared_work.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"

#define KEPT_BYTES_MAX ((size_t)4 << 20)

struct item_messages {
    char *text;
    size_t len;
    bool done;
};

bool shared_work_init(struct shared_work *work, size_t count, const struct voice *voice)
{
    *work = (struct shared_work){.voice = voice, .end = count, .count = count};
    work->kept = calloc(PL_MAX(count, 1), sizeof *work->kept);
    if (!work->kept)
        return false;
    pthread_mutex_init(&work->lock, NULL);
    pthread_cond_init(&work->turn_moved, NULL);
    return true;
}

void shared_work_fini(struct shared_work *work)
{
    for (size_t i = 0; i < work->count; i++)
        free(work->kept[i].text);
    free(work->kept);
    pthread_mutex_destroy(&work->lock);
    pthread_cond_destroy(&work->turn_moved);
}

bool shared_work_take(struct shared_work *work, size_t *item)
{
    pthread_mutex_lock(&work->lock);
    bool any = work->next < work->end;
    if (any)
        *item = work->next++;
    pthread_mutex_unlock(&work->lock);
    return any;
}

// With the lock held.
static void speak(struct shared_work *work, const char *text, size_t len)
{
    voice_print(work->voice, "%.*s", (int)len, text);
}

// What the item has said so far is told and forgotten. With the lock held.
static void tell(struct shared_work *work, size_t item)
{
    struct item_messages *kept = &work->kept[item];
    if (kept->len > 0 && item < work->end)
        speak(work, kept->text, kept->len);
    work->kept_bytes -= kept->len;
    free(kept->text);
    kept->text = NULL;
    kept->len = 0;
}

void shared_work_done(struct shared_work *work, size_t item)
{
    pthread_mutex_lock(&work->lock);
    work->kept[item].done = true;
    if (item == work->turn) {
        while (work->turn < work->count && work->kept[work->turn].done)
            tell(work, work->turn++);
        if (work->turn < work->count)
            tell(work, work->turn);
        pthread_cond_broadcast(&work->turn_moved);
    }
    pthread_mutex_unlock(&work->lock);
}

void shared_work_stop(struct shared_work *work, size_t item)
{
    pthread_mutex_lock(&work->lock);
    work->end = PL_MIN(work->end, item + 1);
    pthread_cond_broadcast(&work->turn_moved);
    pthread_mutex_unlock(&work->lock);
}

// False: there is no room for it. With the lock held.
static bool keep(struct shared_work *work, size_t item, const char *text, size_t len)
{
    struct item_messages *kept = &work->kept[item];
    char *longer = work->kept_bytes + len <= KEPT_BYTES_MAX ? realloc(kept->text, kept->len + len) : NULL;
    if (!longer)
        return false;
    memcpy(longer + kept->len, text, len);
    kept->text = longer;
    kept->len += len;
    work->kept_bytes += len;
    return true;
}

static void print_in_turn(struct shared_work *work, size_t item, const char *text, size_t len)
{
    pthread_mutex_lock(&work->lock);
    bool kept = item != work->turn && item < work->end && keep(work, item, text, len);
    while (!kept && item != work->turn && item < work->end)
        pthread_cond_wait(&work->turn_moved, &work->lock);
    if (!kept && item < work->end)
        speak(work, text, len);
    pthread_mutex_unlock(&work->lock);
}

bool shared_work_offer(struct shared_work *work, size_t item, const char *text, size_t len)
{
    pthread_mutex_lock(&work->lock);
    bool heard = item == work->turn || item >= work->end;
    if (item == work->turn)
        speak(work, text, len);
    else if (!heard)
        heard = len == 0 || keep(work, item, text, len);
    pthread_mutex_unlock(&work->lock);
    return heard;
}

void voice_print(const struct voice *voice, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (!voice || (!voice->work && !voice->say)) {
        vfprintf(stderr, fmt, args);
    } else {
        char *text;
        int len = vasprintf(&text, fmt, args);
        if (len >= 0) {
            if (voice->say)
                voice->say(voice->user, text, (size_t)len);
            else
                print_in_turn(voice->work, voice->item, text, (size_t)len);
            free(text);
        }
    }
    va_end(args);
}
