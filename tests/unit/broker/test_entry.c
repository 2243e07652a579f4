// Who enters and leaves a batch, and when its collector deletes it, in a simulated world: submitters with their
// journals, a collector with its fences, which expire, the broker's lock, queue and marks, which go with the queue;
// kills and cuts at each step, and batches that are deleted under their submitters. What is decided, and the order of
// the steps, are the real code's. Defects are brought back, and some seed finds each.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ending.h"
#include "entry.h"

#define SEEDS 30000u // one defect shows in a few of them alone
#define STEPS 2000u
#define SUBMITTERS 3u
#define COLLECTOR SUBMITTERS
#define NOBODY (SUBMITTERS + 1)
#define QUIET_ROUNDS 1000u // then nothing goes wrong any more, and each submitter has to end
#define QUIET_LATE 50u     // rounds until a fence is late
#define MESSAGES (2 * STEPS + QUIET_ROUNDS * (SUBMITTERS + 1))

enum defect {
    NONE,
    NOBODY_ASKS,   // whoever comes is let in
    NAME_ALONE,    // a batch of the journal's name is that of the journal
    NO_LOCK,       // several look for a batch and make it at the same time
    NOT_NOTED,     // who makes a batch does not note it before
    MARKS_REMAIN,  // when a batch goes
    MADE_EARLY,    // it is forgotten that a batch is being made before the journal says that it is
    LISTED_LAST,   // who comes to another batch leaves its mark before it lists its rows there
    LOCK_KEPT,     // until the fence comes: the collector waits for a submitter that needs the lock to leave
    UNLOCKED,      // the collector deletes the queue without the lock
    ONE_FENCE,     // or with the lock alone, without a fence under it
    END_FORGOTTEN, // who has ended when its connection is cut makes its batch again when that was deleted
    COMES_UNTOLD,  // who enters tells the account nothing before its first row
    DEFECTS
};

struct submitter {
    enum entry_step step;
    bool joins;
    struct entry run; // what it remembers and was told
    enum entry_verdict verdict;
    bool goes_on; // with a batch that nobody has finished making
    struct {
        bool making, marked, sent;
    } journal;
    bool told;          // its end, in this run
    unsigned listed_in; // the batch whose account has the rows of the journal, in truth
    bool leaves;
    enum leave_step leaving;
};

struct message {
    enum { ROWS, CLOSED, FENCE } kind;
    unsigned of; // a submitter, or the number of a fence; 0: it has expired
};

struct collector {
    enum ending state;
    unsigned fence;
    bool came, late, written;
    bool known[SUBMITTERS], open[SUBMITTERS]; // its account
};

struct world {
    enum defect defect;
    uint64_t random;
    struct submitter submitters[SUBMITTERS];
    unsigned locked_by;
    bool there, has_kind, marks[SUBMITTERS];
    unsigned batch;        // the number of the batch that is there or was there last; 0: none was
    unsigned maker, first; // who made it, and who has entered it first
    struct collector collector;
    struct message queue[MESSAGES];
    unsigned head, tail;
    bool quiet;
    bool ok;
};

static bool has_left(const struct submitter *s)
{
    return s->leaves && s->leaving == LEAVE_LEFT;
}

static void push(struct world *w, int kind, unsigned of)
{
    if (w->there)
        w->queue[w->tail++] = (struct message){kind, of};
}

static void unlock(struct world *w, unsigned who)
{
    if (w->locked_by == who)
        w->locked_by = NOBODY;
}

static unsigned chance(struct world *w, unsigned n)
{
    w->random = w->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((w->random >> 33) % n);
}

static void look(struct world *w, unsigned who)
{
    struct submitter *s = &w->submitters[who];
    s->run.there = w->there;
    s->run.has_mark = w->defect == NAME_ALONE ? s->run.begun : w->marks[who];
    s->run.has_kind = w->has_kind;
    s->run.was_sent = !s->run.entered && s->journal.sent;
    s->run.joins = s->joins || w->defect == NOBODY_ASKS;
    s->run.ended = s->told && w->defect != END_FORGOTTEN;
    s->verdict = entry_judge(&s->run);
    s->goes_on = (s->verdict == ENTRY_OWN && s->goes_on) || (w->there && s->run.making && !w->has_kind);
    if (entry_next(ENTRY_LOOK, &s->run, s->verdict) != ENTRY_REFUSED)
        return;
    // Who has made the batch alone, and was in none before it, goes on with it.
    w->ok = w->ok && !(w->there && w->maker == who && (w->first == who || w->first == NOBODY) && !s->journal.marked);
    unlock(w, who);
}

static void make(struct world *w, unsigned who)
{
    if (w->there)
        return;
    w->there = true;
    w->batch++;
    w->maker = who;
    w->first = NOBODY;
}

// A row goes into the batch that is there.
static void send(struct world *w, unsigned who)
{
    struct submitter *s = &w->submitters[who];
    if (!w->there || !w->marks[who]) { // the submitter notices that, and comes again
        s->step = ENTRY_LOCK;
        return;
    }
    // Into a batch of others only on purpose, and never without the rows that were sent before. Of two that were broken
    // off while they made the batch neither knows whose it is, and both may enter.
    w->ok = w->ok && (w->first == who || s->joins || s->goes_on);
    w->ok = w->ok && (!s->journal.sent || s->listed_in == w->batch);
    s->listed_in = w->batch;
    s->journal.sent = true;
    s->told = false;
    push(w, ROWS, who);
}

static void leave(struct world *w, unsigned who)
{
    struct submitter *s = &w->submitters[who];
    switch (s->leaving) {
    case LEAVE_LOCK:
        if (w->locked_by != NOBODY)
            return;
        w->locked_by = who;
        break;
    case LEAVE_LOOK:
        if (w->there && w->marks[who])
            break;
        unlock(w, who); // it comes again, on another connection
        s->step = ENTRY_LOCK;
        s->leaves = false;
        return;
    case LEAVE_TELL:
        push(w, CLOSED, who);
        s->told = true;
        break;
    case LEAVE_UNLOCK:
        unlock(w, who);
        break;
    case LEAVE_NOTE:
        break;
    case LEAVE_LEFT:
        return;
    }
    s->leaving++;
}

static void step(struct world *w, unsigned who)
{
    struct submitter *s = &w->submitters[who];
    if (s->leaves) {
        leave(w, who);
        return;
    }
    if (s->step == ENTRY_LOCK && w->defect != NO_LOCK) {
        if (w->locked_by != NOBODY)
            return;
        w->locked_by = who;
    }
    enum entry_step now = s->step;
    unsigned what;
    switch (now) {
    case ENTRY_LOOK:
        look(w, who);
        break;
    case ENTRY_NOTE:
        s->journal.making = s->journal.making || (!s->run.marked && w->defect != NOT_NOTED);
        s->run.making = true;
        break;
    case ENTRY_MAKE:
        make(w, who);
        break;
    case ENTRY_LIST:
        if (w->defect != LISTED_LAST)
            s->listed_in = w->batch;
        // All of it was collected: nobody draws it again, and who waits for it waits for ever.
        w->ok = w->ok && !(s->told && s->verdict != ENTRY_OWN);
        if (w->defect != COMES_UNTOLD || (s->verdict != ENTRY_OWN && s->journal.sent))
            push(w, ROWS, who);
        break;
    case ENTRY_MARK:
        w->marks[who] = w->there;
        w->first = w->first == NOBODY ? who : w->first;
        break;
    case ENTRY_KIND:
        w->has_kind = w->there;
        s->run.making = s->run.making && w->defect != MADE_EARLY;
        break;
    case ENTRY_UNLOCK:
        unlock(w, who);
        break;
    case ENTRY_JOURNAL:
        if (s->verdict == ENTRY_OVER) {
            s->leaves = true;
            s->leaving = LEAVE_LEFT;
            return;
        }
        s->journal.marked = s->run.marked = s->run.entered = true;
        s->run.making = false;
        if (w->defect == LISTED_LAST && s->verdict != ENTRY_OWN)
            s->listed_in = w->batch;
        break;
    case ENTRY_IN:
        what = w->quiet ? 0 : chance(w, 8);
        if (what == 0) {
            s->leaves = true;
            s->leaving = LEAVE_LOCK;
        } else if (what < 5) // or its next row has not come yet
            send(w, who);
        break;
    default:
        break;
    }
    if (s->step == now) // it may have to come again
        s->step = entry_next(now, &s->run, s->verdict);
}

// Killed and started again, or its connection is cut. The lock goes with the connection.
static void interrupt(struct world *w, unsigned who, bool killed)
{
    struct submitter *s = &w->submitters[who];
    if ((s->step == ENTRY_REFUSED || has_left(s)) && !killed)
        return;
    // Its user removes the journal, and it is another one.
    if (s->step == ENTRY_REFUSED && !w->marks[who] && w->maker != who && w->first != who)
        *s = (struct submitter){.joins = s->joins};
    s->step = ENTRY_LOCK;
    s->leaves = false;
    s->told = s->told && !killed;
    if (killed) // the next run has its journal
        s->run = (struct entry){.begun = s->journal.making || s->journal.marked,
                                .marked = s->journal.marked,
                                .making = s->journal.making && !s->journal.marked};
    unlock(w, who);
}

static void delete_batch(struct world *w)
{
    w->there = w->has_kind = false;
    for (unsigned i = 0; i < SUBMITTERS && w->defect != MARKS_REMAIN; i++)
        w->marks[i] = false;
    w->head = w->tail;
    w->collector = (struct collector){.fence = w->collector.fence}; // the next one has another output
}

static void take(struct world *w)
{
    struct collector *c = &w->collector;
    const struct message *m = &w->queue[w->head++];
    if (m->kind == FENCE) {
        c->came = c->came || m->of == c->fence;
        return;
    }
    c->known[m->of] = true;
    c->open[m->of] = m->kind == ROWS;
    c->written = false;
}

// May it send rows, whose jobs give results that would go with the queue?
static bool is_inside(const struct world *w, unsigned who)
{
    const struct submitter *s = &w->submitters[who];
    return w->marks[who] && s->step == ENTRY_IN && !(s->leaves && s->leaving > LEAVE_TELL);
}

// Whoever was in the batch has left, and has its rows in the output.
static void delete_collected(struct world *w)
{
    for (unsigned i = w->head; i < w->tail; i++)
        w->ok = w->ok && w->queue[i].kind == FENCE;
    for (unsigned who = 0; who < SUBMITTERS; who++)
        w->ok = w->ok && !is_inside(w, who);
    unlock(w, COLLECTOR);
    delete_batch(w);
}

static void collect(struct world *w)
{
    struct collector *c = &w->collector;
    if (!w->there)
        return;
    if (c->state == ENDING_COMPLETE) {
        delete_collected(w);
        return;
    }
    for (unsigned i = chance(w, 8); i > 0 && w->head < w->tail; i--)
        take(w);
    struct ending_view view = {
        .came = c->came, .late = c->late, .deletes = w->defect != UNLOCKED, .written = c->written};
    for (unsigned i = 0; i < SUBMITTERS; i++)
        view.settled = view.settled || c->known[i];
    for (unsigned i = 0; i < SUBMITTERS; i++)
        view.settled = view.settled && !c->open[i];
    if (c->state == ENDING_LOCKING && view.settled && view.written && w->locked_by == NOBODY) {
        w->locked_by = COLLECTOR;
        view.locked = true;
    }
    view.came = view.came || (w->defect == ONE_FENCE && c->state == ENDING_LOCKED);
    enum ending next = ending_next(c->state, &view);
    if (w->defect == LOCK_KEPT && c->state == ENDING_LOCKED && next == ENDING_OPEN && !view.came)
        next = ENDING_LOCKED;
    if (c->state == ENDING_LOCKED && next == ENDING_OPEN)
        unlock(w, COLLECTOR);
    bool is_open = false;
    for (unsigned i = 0; i < SUBMITTERS; i++)
        is_open = is_open || c->open[i];
    bool again = view.late && (view.settled || w->defect != LOCK_KEPT);
    if (ending_has_fence(next) && (next != c->state || again)) {
        c->fence += next != c->state;
        push(w, FENCE, c->fence);
    }
    w->ok = w->ok && !(is_open && w->locked_by == COLLECTOR); // who is in needs the lock to leave
    c->written = c->written || (next == ENDING_LOCKING && c->state == ENDING_FENCED);
    c->late = c->late && next == c->state && !again;
    c->came = false;
    c->state = next;
}

static void cut_collector(struct world *w)
{
    w->collector.state = ENDING_OPEN;
    w->collector.came = w->collector.late = false;
    unlock(w, COLLECTOR);
}

// Time in which a fence has become late, and perhaps has expired.
static void pass_time(struct world *w, bool expired)
{
    w->collector.late = true;
    for (unsigned i = w->head; i < w->tail && expired; i++) {
        if (w->queue[i].kind == FENCE)
            w->queue[i].of = 0;
    }
}

// Does each submitter end when nothing goes wrong any more?
static bool come_to_rest(struct world *w)
{
    w->quiet = true;
    for (unsigned i = 1; i <= QUIET_ROUNDS; i++) {
        unsigned ended = 0;
        for (unsigned who = 0; who < SUBMITTERS; who++) {
            step(w, who);
            ended += has_left(&w->submitters[who]) || w->submitters[who].step == ENTRY_REFUSED;
        }
        if (ended == SUBMITTERS)
            return true;
        collect(w);
        if (i % QUIET_LATE == 0)
            pass_time(w, false);
    }
    return false;
}

static bool simulate(uint64_t seed, enum defect defect)
{
    struct world w = {.defect = defect,
                      .random = seed * 2654435761u + 1,
                      .locked_by = NOBODY,
                      .maker = NOBODY,
                      .first = NOBODY,
                      .ok = true};
    for (unsigned i = 0; i < SUBMITTERS; i++)
        w.submitters[i].joins = seed % 2 || chance(&w, 4) == 0;
    for (unsigned i = 0; i < STEPS && w.ok; i++) {
        unsigned who = chance(&w, SUBMITTERS), what = chance(&w, 100);
        if (what < 65)
            step(&w, who);
        else if (what < 81)
            collect(&w);
        else if (what < 84)
            pass_time(&w, what > 81);
        else if (what < 85)
            cut_collector(&w);
        else if (what < 96)
            interrupt(&w, who, what < 91);
        else if (w.locked_by == NOBODY)
            delete_batch(&w);
    }
    return w.ok && come_to_rest(&w);
}

// The first seed that shows the defect; 0: none does.
static unsigned first_seed(enum defect defect)
{
    for (unsigned seed = 1; seed <= SEEDS; seed++)
        if (!simulate(seed, defect))
            return seed;
    return 0;
}

static void no_seed_shows_a_batch_of_strangers_or_one_that_refuses_its_maker(void **state)
{
    (void)state;
    assert_int_equal(first_seed(NONE), 0);
}

static void seeds_find_each_defect(void **state)
{
    (void)state;
    for (enum defect defect = NOBODY_ASKS; defect < DEFECTS; defect++) {
        unsigned first = first_seed(defect);
        print_message("defect %d: found by seed %u\n", (int)defect, first);
        assert_true(first > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_seed_shows_a_batch_of_strangers_or_one_that_refuses_its_maker),
        cmocka_unit_test(seeds_find_each_defect),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
