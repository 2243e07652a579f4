// `platen batch`: what became of batches, and what is to become of them.
#include "batch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/ckd.h"
#include "broker_commands.h"
#include "drain.h"
#include "journal.h"
#include "os/clock.h"
#include "submit_runs.h"
#include "work_job.h"

static const char USAGE[] =
    "usage: platen batch list|status|failed|retry|cancel|delete|replay [NAME] [options]\n"
    "\n"
    "Batches of `platen submit` on RabbitMQ. `list` names all of them. The others are of one batch:\n"
    "status: rows, how many are done, failed and waiting, the rate, the time left, which workers.\n"
    "failed: each row without a good result, with its reason, as CSV; in the folder or on the machine of its "
    "collector.\n"
    "retry: sends failed and missing rows again, or all, as the submitter's journal says; where `platen submit` was "
    "run.\n"
    "cancel: workers draw no more of it, its submitters and its collector end.\n"
    "delete: the same, and its results that nobody has collected are deleted.\n"
    "replay: dead letters are jobs again, and results that found no batch go to it, if the batch that they were sent "
    "for\n"
    "is there, and not another one of its name; of all batches or of one.\n"
    "\n"
    "  -o, --output OUT      of its collector (as the collector has told)\n"
    "  --journal FILE        of its submitter (NAME.submitted)\n"
    "  --all                 retry: also rows that have a good result; -o names a new output\n"
    "  --most N              replay: end where so many messages of a queue are left in it, 1 to 65535 "
    "(65535)\n" CLIENT_HELP "\n"
    "Exit status: 0 done, 1 not done, or failed rows, 2 wrong usage.\n";

int batch_fail(const char *message)
{
    fprintf(stderr, "platen batch: %s\n", message);
    return 1;
}

// ---- what is known

bool batch_look(struct batch *b)
{
    struct pl_error err = {0};
    while (client_connect(&b->client)) {
        enum pl_errc code = registry_read(b->client.broker, b->client.wait_ms, &b->registry, &err);
        if (code == PL_OK) {
            broker_close(&b->client.broker);
            client_progress(&b->client);
            return client_connect(&b->client);
        }
        registry_free(&b->registry);
        if (code == PL_E_DEADLINE) {
            (void)batch_fail(err.message);
            return false;
        }
        client_lost(&b->client, &err);
    }
    return false;
}

const struct registry_record *batch_collector(const struct batch *b, const char *name)
{
    const struct registry_record *last = NULL;
    for (size_t i = 0; i < b->registry.count; i++) {
        const struct registry_record *r = &b->registry.records[i];
        if (r->who == REGISTRY_COLLECTOR && strcmp(r->batch, name) == 0 && (!last || r->time_s >= last->time_s))
            last = r;
    }
    return last;
}

// A batch, of all records about it.
struct sum {
    uint64_t rows, sent, submitters;
    uint64_t open, sending; // submitters that have not sent all; those of them that have not given up
    const struct registry_record *collector;
};

static struct sum sum_of(const struct batch *b, const char *name)
{
    struct sum sum = {.collector = batch_collector(b, name)};
    for (size_t i = 0; i < b->registry.count; i++) {
        const struct registry_record *r = &b->registry.records[i];
        if (r->who != REGISTRY_SUBMITTER || strcmp(r->batch, name) != 0)
            continue;
        sum.rows += r->rows;
        sum.sent += r->sent;
        sum.submitters++;
        sum.open += !r->ended;
        sum.sending += !r->ended && !r->stopped;
    }
    if (sum.collector) // it knows which rows two submitters have sent
        sum.rows = sum.open ? PL_MAX(sum.rows, sum.collector->rows) : sum.collector->rows;
    return sum;
}

static const char *state_of(const struct sum *sum)
{
    return sum->collector && sum->collector->cancelled                 ? "cancelled"
           : sum->sending                                              ? "being sent"
           : sum->open                                                 ? "not all sent"
           : !sum->collector                                           ? "not collected"
           : !sum->collector->ended                                    ? "being collected"
           : sum->collector->good + sum->collector->failed < sum->rows ? "more was sent"
                                                                       : "collected";
}

// ---- list and status

static int list(struct batch *b)
{
    if (!batch_look(b))
        return 1;
    printf("%-30s %10s %10s %8s  %-16s %s\n", "batch", "rows", "done", "failed", "state", "last heard of");
    for (size_t i = 0; i < b->registry.count; i++) {
        const struct registry_record *r = &b->registry.records[i];
        uint64_t heard = r->time_s;
        bool first = true;
        for (size_t k = 0; k < b->registry.count; k++) {
            bool same = strcmp(b->registry.records[k].batch, r->batch) == 0;
            first = first && !(same && k < i);
            heard = same ? PL_MAX(heard, b->registry.records[k].time_s) : heard;
        }
        if (!first)
            continue;
        struct sum sum = sum_of(b, r->batch);
        char time_text[40];
        struct tm tm;
        const time_t at = (time_t)heard;
        strftime(time_text, sizeof time_text, "%Y-%m-%d %H:%M:%S", localtime_r(&at, &tm));
        printf("%-30s %10llu %10llu %8llu  %-16s %s\n", r->batch, (unsigned long long)sum.rows,
               (unsigned long long)(sum.collector ? sum.collector->good : 0),
               (unsigned long long)(sum.collector ? sum.collector->failed : 0), state_of(&sum), time_text);
    }
    return 0;
}

static void print_collected(const struct sum *sum)
{
    const struct registry_record *c = sum->collector;
    uint64_t ended = c->good + c->failed, waiting = sum->rows > ended ? sum->rows - ended : 0;
    printf("done       %llu\nfailed     %llu\nwaiting    %llu\n", (unsigned long long)c->good,
           (unsigned long long)c->failed, (unsigned long long)waiting);
    if (!c->ended && !c->cancelled) {
        printf("rate       %llu/s\n", (unsigned long long)c->rate);
        if (c->rate > 0)
            printf("time left  %llu s\n", (unsigned long long)((waiting + c->rate - 1) / c->rate));
    }
    if (c->workers[0])
        printf("workers    %s\n", c->workers);
    printf("collector  %s into %s, %s %lld s ago\n", c->host, c->output, c->ended ? "ended" : "heard of",
           (long long)(time(NULL) - (time_t)c->time_s));
}

// Of all queues of jobs.
static enum pl_errc find_jobs(struct batch *b, struct broker_queue *out, struct pl_error *err)
{
    for (uint32_t turn = 0; turn < BROKER_TURNS; turn++) {
        struct broker_queue queue;
        PL_TRY(broker_find_queue(b->client.broker, BROKER_OF_JOBS, broker_turn(turn), &queue, err));
        out->messages += queue.messages;
        out->consumers += queue.consumers;
    }
    return PL_OK;
}

static int status(struct batch *b)
{
    struct pl_error err = {0};
    struct broker_queue results = {0}, jobs = {0};
    const char *name = b->client.batch;
    if (!batch_look(b))
        return 1;
    if (broker_find_queue(b->client.broker, BROKER_OF_BATCH, name, &results, &err) != PL_OK ||
        find_jobs(b, &jobs, &err) != PL_OK)
        return batch_fail(err.message);
    struct sum sum = sum_of(b, name);
    if (!results.is_there && sum.submitters == 0 && !sum.collector) {
        fprintf(stderr, "platen batch: there is no batch %s at %s\n", name, broker_place(b->client.broker));
        return 1;
    }
    printf("batch      %s: %s\n", name, state_of(&sum));
    printf("rows       %llu, of %llu submitters", (unsigned long long)sum.rows, (unsigned long long)sum.submitters);
    if (sum.open)
        printf("; %llu of them have not sent all", (unsigned long long)sum.open);
    printf("\n");
    if (sum.collector)
        print_collected(&sum);
    if (results.is_there)
        printf("queue      %u messages; %s\n", results.messages,
               results.consumers ? "a collector is at work" : "no collector is at work");
    else
        printf("queue      deleted\n");
    printf("all jobs   %u messages of all batches wait; %s\n", jobs.messages,
           jobs.consumers ? "workers are there" : "no worker is there");
    return 0;
}

// ---- cancel and delete

enum pl_errc batch_send(const struct batch *b, struct broker *broker, enum broker_target target, const char *name,
                        const struct broker_message *message, bool *taken, struct pl_error *err)
{
    uint64_t number, sent_ns = pl_now_ns(), wait_ns = b->client.wait_ms * 1000000u;
    bool is_there = false, blocked = false;
    *taken = true;
    PL_TRY(broker_publish(broker, target, name, message, &number, err));
    while (!is_there || blocked) {
        struct broker_told told;
        enum broker_event event = broker_next(broker, 1000, &told, err);
        free(told.message.memory);
        if (event == BROKER_GONE)
            return err->code;
        if (event == BROKER_RETURNED)
            *taken = false;
        if (event == BROKER_REJECTED && told.number >= number)
            return pl_fail(err, PL_E_IO, "%s does not take messages now: is a queue full?", broker_place(broker));
        is_there = is_there || (event == BROKER_CONFIRMED && told.number >= number);
        blocked = event == BROKER_BLOCKED || (blocked && event != BROKER_UNBLOCKED);
        if ((!is_there || blocked) && wait_ns > 0 && pl_now_ns() - sent_ns > wait_ns)
            return pl_fail(err, PL_E_DEADLINE, "%s confirmed nothing for as long as --wait says", broker_place(broker));
    }
    return PL_OK;
}

enum pl_errc batch_lock(const struct batch *b, struct broker *broker, const char *name, struct pl_error *err)
{
    const uint64_t began_ns = pl_now_ns(), wait_ns = b->client.wait_ms * 1000000u;
    bool locked = false;
    for (;;) {
        PL_TRY(broker_lock_batch(broker, name, &locked, err));
        if (locked)
            return PL_OK;
        if (wait_ns > 0 && pl_now_ns() - began_ns > wait_ns)
            return pl_fail(err, PL_E_DEADLINE, "another program is making or deleting batch %s: run it again", name);
        client_rest(BROKER_LOCK_TRY_MS);
    }
}

// Workers leave its jobs out from now on, and its submitters end.
static enum pl_errc stop_submitters(struct batch *b, struct pl_buf *names, struct pl_error *err)
{
    for (size_t i = 0; i < b->registry.count; i++) {
        const struct registry_record *r = &b->registry.records[i];
        if (r->who != REGISTRY_SUBMITTER || strcmp(r->batch, b->client.batch) != 0)
            continue;
        PL_TRY(broker_cancel_submitter(b->client.broker, r->name, err));
        pl_buf_printf(names, "%s\n", r->name);
    }
    return names->failed ? pl_fail_memory(err) : PL_OK;
}

static enum pl_errc tell_collector(struct batch *b, const struct pl_buf *names, bool *taken, struct pl_error *err)
{
    struct broker_message m = {
        .id = pl_slice_cstr(KIND_CANCELLED), .type = pl_slice_cstr("text/plain"), .body = pl_buf_slice(names)};
    broker_add_header(&m, HEADER_KIND, pl_slice_cstr(KIND_CANCELLED));
    broker_add_header(&m, HEADER_BATCH, pl_slice_cstr(b->client.batch));
    return batch_send(b, b->client.broker, BROKER_BATCH, b->client.batch, &m, taken, err);
}

static int cancel(struct batch *b)
{
    struct pl_error err = {0};
    struct pl_buf names;
    bool taken = false;
    if (!batch_look(b))
        return 1;
    pl_buf_init(&names, (size_t)1 << 20);
    enum pl_errc code = stop_submitters(b, &names, &err);
    size_t count = names.len;
    if (code == PL_OK && count > 0)
        code = tell_collector(b, &names, &taken, &err);
    pl_buf_fini(&names);
    if (code != PL_OK)
        return batch_fail(err.message);
    if (count == 0)
        return batch_fail("no submitter of this batch is known");
    printf("batch %s is cancelled%s\n", b->client.batch, taken ? "" : "; its queue was deleted before");
    return 0;
}

// Is it the journal of one of the batch's submitters? Its title has the submitter's number.
struct journal_search {
    const struct batch *batch;
    bool is_its;
};

static void look_at_title(void *user, struct pl_slice title)
{
    struct journal_search *search = user;
    const struct registry *registry = &search->batch->registry;
    for (size_t i = 0; i < registry->count; i++) {
        const struct registry_record *r = &registry->records[i];
        search->is_its =
            search->is_its || (r->who == REGISTRY_SUBMITTER && strcmp(r->batch, search->batch->client.batch) == 0 &&
                               r->name[0] && memmem(title.ptr, title.len, r->name, strlen(r->name)));
    }
}

static void ignore_line(void *user, struct pl_slice line)
{
    (void)user;
    (void)line;
}

// The name of the batch is free when its submitter's journal is gone, too. One that is elsewhere is named when it is
// used.
static enum pl_errc remove_journal(const struct batch *b, struct pl_error *err)
{
    char path[BROKER_BATCH_MAX + 16], kind[160];
    struct journal_search search = {.batch = b};
    snprintf(path, sizeof path, "%s.submitted", b->client.batch);
    snprintf(kind, sizeof kind, SUBMIT_JOURNAL "%s", b->client.batch);
    const char *journal = b->journal ? b->journal : path;
    const struct journal_reader reader = {look_at_title, ignore_line, &search};
    enum pl_errc code = journal_read(journal, kind, &reader, err);
    if (code == PL_E_INVALID && !b->journal) // by chance, somebody's file has this name
        return PL_OK;
    PL_TRY(code);
    return search.is_its && unlink(journal) != 0 ? pl_fail(err, PL_E_IO, "%s: %s", journal, strerror(errno)) : PL_OK;
}

// No submitter is between its look for the batch and its mark there, or it would make the batch again without its rows;
// and none makes the batch between this look for it and its end.
static int delete_locked(struct batch *b)
{
    struct pl_error err = {0};
    struct pl_buf names;
    bool taken;
    if (!batch_look(b))
        return 1;
    const struct sum sum = sum_of(b, b->client.batch);
    bool is_there = b->client.batch_is_there;
    if (!is_there && sum.submitters == 0 && !sum.collector)
        return batch_fail("there is no such batch");
    if (b->client.other_collectors > 0)
        return batch_fail("a collector is at work on it: cancel it first");
    pl_buf_init(&names, (size_t)1 << 20);
    bool is_over = sum.collector && sum.collector->ended && sum.open == 0;
    enum pl_errc code = is_over ? PL_OK : stop_submitters(b, &names, &err);
    if (code == PL_OK && is_there)
        code = broker_delete_batch(b->client.broker, b->client.batch, &err);
    // Before the records go, which tell whose it is: one that was killed here is run again.
    if (code == PL_OK)
        code = remove_journal(b, &err);
    struct registry_record record = {0};
    snprintf(record.batch, sizeof record.batch, "%s", b->client.batch);
    if (code == PL_OK)
        code = registry_tell(b->client.broker, REGISTRY_DELETED, &record, &err);
    // An answer to any question comes behind it.
    const struct broker_message end = {
        .id = pl_slice_cstr("end"), .type = pl_slice_cstr("text/plain"), .body = pl_slice_cstr("")};
    if (code == PL_OK)
        code = batch_send(b, b->client.broker, BROKER_BATCH, b->client.batch, &end, &taken, &err);
    pl_buf_fini(&names);
    if (code != PL_OK)
        return batch_fail(err.message);
    printf("batch %s is deleted\n", b->client.batch);
    return 0;
}

static int delete_batch(struct batch *b)
{
    struct pl_error err = {0};
    if (!client_connect(&b->client))
        return 1;
    struct broker *lock = b->client.broker; // a connection of its own: looking closes the other one
    b->client.broker = NULL;
    enum pl_errc code = batch_lock(b, lock, b->client.batch, &err);
    b->client.options.beside = lock;
    int status = code == PL_OK ? delete_locked(b) : batch_fail(err.message);
    broker_close(&b->client.broker); // before the one that it serves
    b->client.options.beside = NULL;
    broker_close(&lock);
    return status;
}

// ---- the whole

static const struct verb {
    const char *name;
    int (*run)(struct batch *b);
    bool needs_name;
} VERBS[] = {{"list", list, false},          {"status", status, true}, {"failed", batch_failed, true},
             {"retry", batch_retry, true},   {"cancel", cancel, true}, {"delete", delete_batch, true},
             {"replay", batch_replay, false}};

_Static_assert(offsetof(struct batch, client) == 0, "rows of the client");
static const struct cli_row ROWS[] = {
    CLIENT_ROWS,
    {"output", 'o', CLI_TO_TEXT(struct batch, output)},
    {"journal", '\0', CLI_TO_TEXT(struct batch, journal)},
    {"all", '\0', CLI_TO_FLAG(struct batch, all)},
    {"most", '\0', CLI_TO_COUNT(struct batch, most, 1, DRAIN_MOST, "must be a number from 1 to 65535")},
};
static const struct cli_command COMMAND = {"batch", USAGE, CLI_ROWS(ROWS)};

// 0: go on; otherwise the exit status plus one.
static int read_arguments(struct batch *b, int argc, char **argv, const struct verb **verb)
{
    client_arguments(argc, argv);
    int status = cli_arguments(&COMMAND, argc, argv, b, NULL);
    if (status)
        return status;
    const char *word = optind < argc ? argv[optind++] : "";
    for (size_t i = 0; i < PL_COUNTOF(VERBS) && !*verb; i++)
        *verb = strcmp(word, VERBS[i].name) == 0 ? &VERBS[i] : NULL;
    if (!*verb)
        return cli_usage_error(&COMMAND, "say list, status, failed, retry, cancel, delete or replay");
    if (optind < argc && !client_read_batch(b, argv[optind++]))
        return cli_usage_error(&COMMAND, "--batch: " CLIENT_BATCH_RULE);
    if (optind < argc || ((*verb)->needs_name && !b->client.batch))
        return cli_usage_error(&COMMAND, "name one batch");
    return client_check(&b->client) ? 0 : CLI_WRONG_USAGE;
}

int command_batch(int argc, char **argv)
{
    struct batch b = {0};
    const struct verb *verb = NULL;
    client_init(&b.client, "batch");
    b.client.declares = true;
    b.client.wait_ms = 30000;
    int result = read_arguments(&b, argc, argv, &verb);
    result = result ? result - 1 : verb->run(&b);
    broker_close(&b.client.broker);
    registry_free(&b.registry);
    return fflush(stdout) == 0 ? result : 1;
}
