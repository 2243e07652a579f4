// `platen submit`: the documents of a batch become jobs. Each is confirmed by the broker and then noted in a journal.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "base/units.h"
#include "batch/names.h"
#include "broker_commands.h"
#include "cli/cli_options.h"
#include "cli/progress.h"
#include "cli/render_file.h"
#include "cli/row_source.h"
#include "client.h"
#include "journal.h"
#include "os/clock.h"
#include "pack.h"
#include "submit_job.h"
#include "submit_runs.h"
#include "work_job.h"

#define WINDOW 1000u               // jobs that are published and not confirmed
#define ROW_MAX ((size_t)64 << 20) // a larger one is not even read
#define SYNC_NS 500000000u
#define TOLD_MAX 20u
#define RECONNECT_REJECTIONS 4u
#define FILL (WINDOW / 4)             // so many places are free before rows are read for them
#define LIST_BYTES ((size_t)64 << 10) // of one message to the account
#define JOURNAL_KIND "platen-submit-2 "
#define GAVE_UP "gave up: the broker confirmed nothing for as long as --wait says"

static const char USAGE[] =
    "usage: platen submit FILE|DIR|ROWS... --batch NAME [options]\n"
    "\n"
    "Sends labels to RabbitMQ as jobs for `platen work`. Inputs as of `platen render`: label "
    "files, folders, *.ndjson,\n"
    "*.csv with --template, *.zip. A submitter that was killed continues where it stopped: what is "
    "confirmed is in a journal.\n"
    "\n"
    "  -o, --output OUT      wait for the results, too: as `platen collect -o OUT --delete`, FILE.pdf with --for-pdf;\n"
    "                        the batch is named like OUT where --batch does not name it\n" CLIENT_HELP
    "  --journal FILE        which jobs were sent (NAME.submitted)\n"
    "  --join                add to a batch that another submitter has begun\n"
    "  --missing-from OUT    send again what `platen collect -o OUT` has no good result of: missing and failed rows\n"
    "  --template FILE       label code with {{name}} for each row\n"
    "  --rows KIND           what standard input holds: ndjson, csv or zip\n"
    "  --for-pdf             for `platen collect -o FILE.pdf`\n"
    "  -q, --quiet           say nothing but errors\n"
    "  -f, --format FORMAT   png (default), jpeg, webp or pdf\n" CLI_LABELS_HELP "\n"
    "Exit status: 0 all were sent, 1 some were not, 2 wrong usage.\n";

enum { OPT_JOURNAL = OPT_OWN, OPT_JOIN, OPT_MISSING, OPT_TEMPLATE, OPT_ROWS, OPT_FOR_PDF };

struct sent {
    struct row_document document;
    uint64_t sequence, hash;
    uint64_t number; // of its publication; 0: it has to be published
    bool used;
    bool listed; // the batch's account has it
};

struct submit {
    struct client client;
    struct render_request request;
    struct render_inputs inputs;
    struct row_source source;
    struct template template;
    struct cli_input template_text;
    const char *journal_path, *missing, *template_path;
    char *output; // NULL: another command collects
    char *made_path;
    bool for_pdf, quiet, joins;
    enum row_kind rows;
    struct journal journal;
    int64_t time;           // the clock of the batch
    struct pl_id_set done;  // in the journal, or with a result
    struct pl_id_set seen;  // in this run
    struct pl_id_set known; // ids that this submitter has listed, in this run and before
    struct pl_id_set sent;  // lines of the journal: hash and id
    uint64_t token;         // of this submitter; the journal keeps it
    uint32_t attempt;       // of this run
    uint64_t account;       // number of the message to the account that is not confirmed; 0: none
    bool account_rejected;
    bool begun;   // the journal is of a run that has entered the batch
    bool entered; // this one has
    bool closed;  // and has sent all
    bool changed; // the input is not what the journal says; a line was printed
    struct sent window[WINDOW];
    uint32_t in_window;
    uint64_t sequence, confirmed, skipped, refused;
    struct progress_bar bar;
    uint64_t synced_ns;
    uint64_t pause_until_ns; // no job is sent before
    uint32_t rejections;     // in turn
    uint32_t reconnect_at;   // so many of them
    struct submit_runs runs;
};

// ---- jobs

static enum pl_errc publish(struct submit *s, struct sent *sent, struct pl_error *err)
{
    const struct submit_job job = {.batch = s->client.batch,
                                   .document = &sent->document,
                                   .mark = {s->token, sent->hash, s->attempt},
                                   .sequence = sent->sequence,
                                   .time = s->time,
                                   .for_pdf = s->for_pdf};
    struct submit_texts room;
    struct broker_message message;
    submit_job_message(&job, &room, &message);
    return broker_publish(s->client.broker, BROKER_JOBS, NULL, &message, &sent->number, err);
}

static void refuse(struct submit *s, const struct row_document *d, const char *why)
{
    if (s->refused++ < TOLD_MAX)
        fprintf(stderr, "%splaten submit: %.*s: %s\n", s->bar.any ? "\r\033[K" : "", (int)d->id.len,
                (const char *)d->id.data, why);
}

// Is it a job? If not, why was printed.
static bool acceptable(struct submit *s, const struct row_document *d)
{
    const char *why = submit_job_refusal(d);
    if (why)
        refuse(s, d, why);
    return !why;
}

static bool is_new(struct submit *s, const struct row_document *d)
{
    enum pl_id_added added = pl_id_set_add(&s->seen, pl_buf_slice(&d->id));
    if (added == PL_ID_KNOWN)
        refuse(s, d, "another document before it has the same id");
    else if (added == PL_ID_NO_MEMORY)
        refuse(s, d, "not enough memory");
    return added == PL_ID_NEW;
}

// Was another row sent under this id? Then the input was changed, or it is not the one of the journal. Nothing more is
// sent: ids of rows behind it may have moved, too.
static bool is_changed(struct submit *s, const struct sent *sent)
{
    char line[PL_ID_MAX + 24];
    struct pl_slice id = pl_buf_slice(&sent->document.id);
    int len = snprintf(line, sizeof line, ROW_LINE, ROW_LINE_VALUES(sent->hash, id));
    if (!pl_id_set_has(&s->known, id) || pl_id_set_has(&s->sent, pl_slice_make(line, (size_t)len)))
        return false;
    fprintf(stderr,
            "%splaten submit: row %llu: %s has another row with the id '%.*s'. The input was changed, or it is another "
            "one: name another batch\n",
            s->bar.any ? "\r\033[K" : "", (unsigned long long)s->sequence, s->journal_path, (int)id.len,
            (const char *)id.ptr);
    return s->changed = true;
}

// Reads the next document that has to be sent. False: there is none.
static bool read_next(struct submit *s, struct sent *sent)
{
    while (!s->changed && row_source_next(&s->source, &sent->document)) {
        if (!is_new(s, &sent->document) || !acceptable(s, &sent->document))
            continue;
        s->sequence++;
        sent->hash = submit_job_hash(&(struct submit_job){.document = &sent->document, .for_pdf = s->for_pdf});
        if (is_changed(s, sent))
            return false;
        if (pl_id_set_has(&s->done, pl_buf_slice(&sent->document.id))) {
            s->skipped++;
            continue;
        }
        if (pl_id_set_add(&s->known, pl_buf_slice(&sent->document.id)) == PL_ID_NO_MEMORY) {
            refuse(s, &sent->document, "not enough memory");
            continue;
        }
        sent->sequence = submit_runs_place(&s->runs, s->sequence);
        sent->number = 0;
        sent->used = true;
        sent->listed = false;
        s->in_window++;
        return true;
    }
    return false;
}

// ---- confirmations

static void sync_journal(struct submit *s, bool now)
{
    uint64_t time = pl_now_ns();
    if (!now && time - s->synced_ns < SYNC_NS)
        return;
    s->synced_ns = time;
    if (!journal_sync(&s->journal))
        fprintf(stderr, "platen submit: %s: %s\n", s->journal.path, strerror(errno));
}

static bool is_about(const struct broker_told *told, uint64_t number)
{
    return number > 0 && (told->number == number || (told->all_before && number < told->number));
}

static void confirm(struct submit *s, const struct broker_told *told, bool accepted)
{
    if (is_about(told, s->account)) {
        s->account = 0;
        s->account_rejected = !accepted;
    }
    for (uint32_t i = 0; i < WINDOW; i++) {
        struct sent *sent = &s->window[i];
        if (!sent->used || !is_about(told, sent->number))
            continue;
        sent->number = 0;
        if (!accepted)
            continue; // it is sent again
        s->rejections = 0;
        s->reconnect_at = RECONNECT_REJECTIONS;
        journal_add(&s->journal, ROW_LINE "\n", ROW_LINE_VALUES(sent->hash, pl_buf_slice(&sent->document.id)));
        sent->used = false;
        s->in_window--;
        s->confirmed++;
        client_progress(&s->client);
    }
    sync_journal(s, false);
    progress_tell(&s->bar, row_source_part(&s->source), (size_t)(s->confirmed + s->skipped), (size_t)s->refused);
}

// The queue is full, or has lost too many nodes.
static void pause_sending(struct submit *s)
{
    if (pl_now_ns() < s->pause_until_ns)
        return; // of others that were sent together
    s->pause_until_ns = pl_now_ns() + (uint64_t)broker_pause_ms(s->rejections++) * 1000000u;
    if (s->rejections == 1)
        fprintf(stderr, "%splaten submit: %s does not take more jobs now: is the queue full? Waiting\n",
                s->bar.any ? "\r\033[K" : "", broker_place(s->client.broker));
}

static enum pl_errc fail_returned(const struct submit *s, struct broker_told *told, struct pl_error *err)
{
    free(told->message.memory);
    // What follows would be lost, too; connecting again declares the queues.
    return pl_fail(err, PL_E_IO, "%s: a queue was deleted; it is made again", broker_place(s->client.broker));
}

static enum pl_errc listen_to(struct submit *s, uint32_t wait_ms, struct pl_error *err)
{
    struct broker_told told;
    enum broker_event event;
    while ((event = broker_next(s->client.broker, wait_ms, &told, err)) != BROKER_NOTHING) {
        wait_ms = 0;
        if (event == BROKER_GONE)
            return err->code;
        if (event == BROKER_CONFIRMED || event == BROKER_REJECTED)
            confirm(s, &told, event == BROKER_CONFIRMED);
        if (event == BROKER_REJECTED)
            pause_sending(s);
        if (event == BROKER_RETURNED)
            return fail_returned(s, &told, err);
        if (event == BROKER_BLOCKED)
            fprintf(stderr, "platen submit: %s takes no messages for now (%s); waiting\n",
                    broker_place(s->client.broker), told.text);
        if (event == BROKER_UNBLOCKED)
            fprintf(stderr, "platen submit: %s takes messages again\n", broker_place(s->client.broker));
        if (event == BROKER_DELIVERY)
            free(told.message.memory);
    }
    return PL_OK;
}

// ---- the account of the batch

static enum pl_errc wait_for_account(struct submit *s, struct pl_error *err)
{
    while (s->account > 0) {
        PL_TRY(listen_to(s, 200, err));
        if (client_gives_up(&s->client))
            return pl_fail(err, PL_E_DEADLINE, GAVE_UP);
    }
    if (s->account_rejected)
        return pl_fail(err, PL_E_IO, "%s does not take the account of the batch now", broker_place(s->client.broker));
    return PL_OK;
}

// Tells the collector, and waits until the broker has it.
static enum pl_errc tell_collector(struct submit *s, const char *kind, struct pl_slice body, struct pl_error *err)
{
    char count[24], token[24];
    struct broker_message m = {.id = pl_slice_cstr(kind), .type = pl_slice_cstr("text/plain"), .body = body};
    snprintf(count, sizeof count, "%zu", s->known.count);
    snprintf(token, sizeof token, "%016llx", (unsigned long long)s->token);
    broker_add_header(&m, HEADER_KIND, pl_slice_cstr(kind));
    broker_add_header(&m, HEADER_BATCH, pl_slice_cstr(s->client.batch));
    broker_add_header(&m, HEADER_SUBMITTER, pl_slice_cstr(token));
    broker_add_header(&m, HEADER_COUNT, pl_slice_cstr(count));
    if (s->for_pdf)
        broker_add_header(&m, HEADER_PARTS, pl_slice_cstr("true"));
    s->account_rejected = false;
    PL_TRY(broker_publish(s->client.broker, BROKER_BATCH, s->client.batch, &m, &s->account, err));
    return wait_for_account(s, err);
}

static void put_row(const struct submit *s, uint64_t hash, struct pl_slice id, struct pl_buf *out)
{
    char mark[ACCOUNT_MARK_SIZE];
    account_mark_write(&(struct account_mark){s->token, hash, s->attempt}, mark);
    pl_buf_printf(out, "%s\t%.*s\n", mark, (int)id.len, (const char *)id.ptr);
}

// Rows of the window that the account does not have yet. Their jobs are sent when it has them.
static enum pl_errc list_window(struct submit *s, struct pl_error *err)
{
    struct pl_buf body;
    pl_buf_init(&body, SIZE_MAX / 2);
    for (uint32_t i = 0; i < WINDOW; i++) {
        if (s->window[i].used && !s->window[i].listed)
            put_row(s, s->window[i].hash, pl_buf_slice(&s->window[i].document.id), &body);
    }
    enum pl_errc code = body.failed ? pl_fail_memory(err) : PL_OK;
    if (code == PL_OK && body.len > 0)
        code = tell_collector(s, KIND_ROWS, pl_buf_slice(&body), err);
    for (uint32_t i = 0; i < WINDOW && code == PL_OK; i++)
        s->window[i].listed = true;
    pl_buf_fini(&body);
    return code;
}

struct listing {
    struct submit *submit;
    struct pl_buf body;
    enum pl_errc code;
    struct pl_error *err;
};

static void list_line(void *user, struct pl_slice line)
{
    struct listing *l = user;
    struct account_mark mark;
    struct pl_slice id;
    if (l->code != PL_OK || !row_line_read(line, &mark.hash, &id))
        return;
    put_row(l->submit, mark.hash, id, &l->body);
    if (l->body.len > LIST_BYTES) {
        l->code = tell_collector(l->submit, KIND_ROWS, pl_buf_slice(&l->body), l->err);
        pl_buf_clear(&l->body);
    }
}

// The batch's queue was deleted, and the account with it: all rows of the journal are listed again.
static enum pl_errc list_again(struct submit *s, struct pl_error *err)
{
    struct listing l = {.submit = s, .err = err};
    char kind[160];
    snprintf(kind, sizeof kind, JOURNAL_KIND "%s", s->client.batch);
    for (uint32_t i = 0; i < WINDOW; i++)
        s->window[i].listed = false;
    sync_journal(s, true);
    pl_buf_init(&l.body, SIZE_MAX / 2);
    enum pl_errc code =
        journal_read(s->journal_path, kind, &(struct journal_reader){.line = list_line, .user = &l}, err);
    if (code == PL_OK)
        code = l.body.failed ? pl_fail_memory(err) : l.code;
    if (code == PL_OK && l.body.len > 0)
        code = tell_collector(s, KIND_ROWS, pl_buf_slice(&l.body), err);
    pl_buf_fini(&l.body);
    return code;
}

// May this submitter add to the batch? Declares its queue.
static enum pl_errc enter_batch(struct submit *s, struct pl_error *err)
{
    bool there = s->client.batch_is_there;
    if (!s->entered) {
        if (there && !s->begun && !s->joins && !s->missing)
            return pl_fail(err, PL_E_INVALID,
                           "batch %s is there already, and %s knows nothing of it: --join adds to it, or name another "
                           "batch",
                           s->client.batch, s->journal_path);
        if (!there && s->sent.count > 0 && !s->missing)
            return pl_fail(err, PL_E_INVALID,
                           "batch %s was collected and deleted, or has expired: name another one, or remove %s to send "
                           "all again",
                           s->client.batch, s->journal_path);
        submit_runs_begin(&s->runs, &s->journal);
        sync_journal(s, true);
        s->entered = true;
    }
    PL_TRY(broker_declare_batch(s->client.broker, s->client.batch, err));
    return there ? PL_OK : list_again(s, err);
}

// ---- the whole

// Rows for the places that are free.
static void fill_window(struct submit *s, bool *more)
{
    if (s->in_window > WINDOW - FILL)
        return; // later, and more at once
    for (uint32_t i = 0; i < WINDOW && *more; i++) {
        if (s->window[i].used)
            continue;
        if (s->in_window > 0 && row_source_waits(&s->source))
            return;
        *more = read_next(s, &s->window[i]);
    }
}

static enum pl_errc publish_window(struct submit *s, struct pl_error *err)
{
    for (uint32_t i = 0; i < WINDOW && pl_now_ns() >= s->pause_until_ns; i++) {
        struct sent *sent = &s->window[i];
        if (!sent->used || sent->number > 0)
            continue;
        PL_TRY(publish(s, sent, err));
        if (i % 64 == 63)
            PL_TRY(listen_to(s, 0, err));
    }
    return PL_OK;
}

static enum pl_errc send_all(struct submit *s, bool *more, struct pl_error *err)
{
    while (*more || s->in_window > 0) {
        fill_window(s, more);
        PL_TRY(list_window(s, err));
        PL_TRY(publish_window(s, err));
        if (client_gives_up(&s->client))
            return pl_fail(err, PL_E_DEADLINE, GAVE_UP);
        PL_TRY(listen_to(s, s->in_window > 0 ? 200 : 0, err));
        if (s->rejections >= s->reconnect_at) {
            // RabbitMQ 3.10 does not tell a connection that the limit of a queue was raised.
            s->reconnect_at = s->rejections + RECONNECT_REJECTIONS;
            return pl_fail(err, PL_E_IO, "%s still takes no jobs", broker_place(s->client.broker));
        }
    }
    return PL_OK;
}

static bool run(struct submit *s)
{
    struct pl_error err = {0};
    bool more = true;
    while (client_connect(&s->client)) {
        for (uint32_t i = 0; i < WINDOW; i++)
            s->window[i].number = 0; // what was not confirmed is sent again
        s->account = 0;
        enum pl_errc code = enter_batch(s, &err);
        if (code == PL_OK)
            code = send_all(s, &more, &err);
        sync_journal(s, true);
        if (code == PL_OK && (s->source.broken || s->changed))
            return false;
        if (code == PL_OK)
            code = tell_collector(s, KIND_CLOSED, pl_slice_cstr(""), &err);
        s->closed = code == PL_OK;
        if (code == PL_OK)
            return true;
        if (code == PL_E_DEADLINE || code == PL_E_INVALID ||
            code == PL_E_LIMIT) { // another try would end in the same way
            fprintf(stderr, "platen submit: %s\n", err.message);
            return false;
        }
        client_lost(&s->client, &err);
    }
    return false;
}

// ---- journals

static void read_title(void *user, struct pl_slice title)
{
    struct submit *s = user;
    struct account_mark mark;
    // "... TIME TOKEN", as open_journals writes it.
    const uint8_t *token = memrchr(title.ptr, ' ', title.len);
    const uint8_t *time = token ? memrchr(title.ptr, ' ', (size_t)(token - title.ptr)) : NULL;
    if (!time)
        return;
    (void)pl_parse_i64(pl_slice_make(time + 1, (size_t)(token - time - 1)), &s->time);
    if (account_token_read(pl_slice_make(token + 1, title.len - (size_t)(token + 1 - title.ptr)), &mark.submitter))
        s->token = mark.submitter;
}

static void read_done(void *user, struct pl_slice line)
{
    struct submit *s = user;
    uint64_t hash;
    struct pl_slice id;
    s->begun = true;
    if (submit_runs_read(&s->runs, line) || !row_line_read(line, &hash, &id))
        return;
    (void)pl_id_set_add(&s->known, id);
    (void)pl_id_set_add(&s->sent, line);
    if (!s->missing) // what was sent counts only where nobody knows the results
        (void)pl_id_set_add(&s->done, id);
}

// A line of a collector.
static void read_result(void *user, struct pl_slice line)
{
    struct submit *s = user;
    struct pack_row row;
    if (pack_row_read(line, &row) && row.ok)
        (void)pl_id_set_add(&s->done, row.id);
}

// The collector of `--missing-from` may be at work: its journal is only read.
static enum pl_errc read_results(struct submit *s, struct pl_error *err)
{
    char kind[160], *path = NULL;
    struct stat st;
    bool folder = stat(s->missing, &st) == 0 && S_ISDIR(st.st_mode);
    if (asprintf(&path, folder ? "%s/.platen-collect" : "%s.parts/.platen-collect", s->missing) < 0)
        return pl_fail(err, PL_E_MEMORY, "not enough memory");
    snprintf(kind, sizeof kind, "platen-collect-2 %s", s->client.batch);
    enum pl_errc code = journal_read(path, kind, &(struct journal_reader){.line = read_result, .user = s}, err);
    free(path);
    return code;
}

static bool open_journals(struct submit *s)
{
    struct pl_error err = {0};
    char title[256], kind[160];
    const struct journal_reader reader = {read_title, read_done, s};
    if (!s->journal_path) {
        if (asprintf(&s->made_path, "%s.submitted", s->client.batch) < 0)
            return false;
        s->journal_path = s->made_path;
    }
    const struct platen_options *render = &s->request.common.render;
    s->time = render->has_time ? render->time : (int64_t)time(NULL);
    if (getrandom(&s->token, sizeof s->token, 0) != (ssize_t)sizeof s->token ||
        getrandom(&s->attempt, sizeof s->attempt, 0) != (ssize_t)sizeof s->attempt)
        return false;
    snprintf(kind, sizeof kind, JOURNAL_KIND "%s", s->client.batch);
    snprintf(title, sizeof title, "%s %lld %016llx", kind, (long long)s->time, (unsigned long long)s->token);
    enum pl_errc code = journal_open(&s->journal, s->journal_path, kind, title, &reader, &err);
    if (code == PL_OK && s->missing)
        code = read_results(s, &err);
    if (code != PL_OK)
        fprintf(stderr, "platen submit: %s\n", err.message);
    return code == PL_OK;
}

// ---- arguments

static int usage_error(const char *message)
{
    fprintf(stderr, "platen submit: %s\n", message);
    return 3;
}

// `-o`: what it says of the batch. False: its name cannot be that of a batch.
static bool name_by_output(struct submit *s)
{
    const char *slash = strrchr(s->output, '/');
    size_t len = strlen(s->output);
    if (!s->client.batch)
        s->client.batch = slash ? slash + 1 : s->output;
    s->for_pdf = s->for_pdf || (len > 4 && strcasecmp(s->output + len - 4, ".pdf") == 0);
    return broker_batch_usable(pl_slice_cstr(s->client.batch));
}

static int check_arguments(struct submit *s, int argc, char **argv)
{
    enum output output = s->request.common.controls.format;
    if (s->output && !name_by_output(s))
        return usage_error("-o: its name cannot be that of a batch: add --batch NAME");
    if (!s->client.batch)
        return usage_error("--batch names the batch");
    if (output == OUTPUT_JSON || output == OUTPUT_BASE64)
        return usage_error("--format: must be png, jpeg, webp or pdf");
    if (optind == argc)
        return usage_error("name files, folders or rows");
    if (!client_check(&s->client))
        return 3;
    for (int i = optind; i < argc; i++) {
        submit_runs_add_input(&s->runs, argv[i]);
        if (!render_inputs_add(&s->inputs, argv[i]))
            return 2;
    }
    return 0;
}

// 0: go on; otherwise the exit status plus one.
static int read_arguments(struct submit *s, int argc, char **argv)
{
    static const struct option OPTIONS[] = {CLI_CONTROLS(GROUP_LABELS),
                                            CLI_LIMIT_OPTIONS,
                                            CLIENT_OPTIONS,
                                            {"journal", required_argument, NULL, OPT_JOURNAL},
                                            {"join", no_argument, NULL, OPT_JOIN},
                                            {"missing-from", required_argument, NULL, OPT_MISSING},
                                            {"template", required_argument, NULL, OPT_TEMPLATE},
                                            {"rows", required_argument, NULL, OPT_ROWS},
                                            {"for-pdf", no_argument, NULL, OPT_FOR_PDF},
                                            {"output", required_argument, NULL, 'o'},
                                            {"quiet", no_argument, NULL, 'q'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    for (int option; (option = cli_getopt(argc, argv, "f:o:qh", OPTIONS)) != -1;) {
        bool bad = false;
        if (client_option(&s->client, option, optarg, &bad)) {
            if (bad)
                return 3;
            continue;
        }
        switch (option) {
        case OPT_JOURNAL:
            s->journal_path = optarg;
            break;
        case OPT_JOIN:
            s->joins = true;
            break;
        case OPT_OBJECTS:
            return usage_error("--objects is for `platen work`: a job takes no objects with it");
        case OPT_MISSING:
            s->missing = optarg;
            break;
        case OPT_TEMPLATE:
            s->template_path = optarg;
            break;
        case OPT_ROWS:
            if (!row_kind_by_name(optarg, &s->rows))
                return usage_error("--rows: must be " ROW_KIND_LIST);
            break;
        case OPT_FOR_PDF:
            s->for_pdf = true;
            break;
        case 'o':
            s->output = optarg;
            break;
        case 'q':
            s->quiet = true;
            break;
        case 'h':
            cli_help(stdout, USAGE);
            return 1;
        default:
            if (cli_option(option, optarg, &s->request.common) != CLI_TAKEN)
                return 3;
        }
    }
    return check_arguments(s, argc, argv);
}

static int submit_all(struct submit *s)
{
    struct controls controls = render_controls(&s->request);
    row_source_init(&s->source, &s->inputs, &controls, ROW_MAX);
    s->source.standard = s->rows ? s->rows : ROW_LINES;
    if (s->template_path) {
        if (!cli_read(s->template_path, SUBMIT_JOB_MAX, &s->template_text, NULL) ||
            !template_read(&s->template, pl_slice_make(s->template_text.data, s->template_text.size),
                           &s->request.common.limits))
            return 1;
        s->source.template = &s->template;
    }
    if (!open_journals(s))
        return 1;
    for (uint32_t i = 0; i < WINDOW; i++)
        row_document_init(&s->window[i].document);
    progress_begin_lines(&s->bar, !s->quiet);
    bool ok = run(s);
    progress_end(&s->bar, (size_t)(s->confirmed + s->skipped), (size_t)s->refused);
    if (!s->quiet)
        fprintf(stderr, "%llu sent, %llu were sent before, %llu refused; batch %s has %llu jobs\n",
                (unsigned long long)s->confirmed, (unsigned long long)s->skipped, (unsigned long long)s->refused,
                s->client.batch, (unsigned long long)s->known.count);
    for (uint32_t i = 0; i < WINDOW; i++)
        row_document_free(&s->window[i].document);
    broker_close(s->client.broker);
    return ok && s->refused == 0 ? 0 : 1;
}

// The results, by `platen collect` with the same options of the broker. All are there and good: the journal has done
// its work, and the name of the batch is free.
static int collect_output(const struct submit *s)
{
    const struct broker_options *o = &s->client.options;
    char wait[40], name[] = "platen collect", quiet[] = "-q", delete[] = "--delete";
    char *args[24] = {name, delete};
    int count = 2;
    snprintf(wait, sizeof wait, "%llums", (unsigned long long)s->client.wait_ms);
    const char *const PAIRS[][2] = {{"--batch", s->client.batch},
                                    {"-o", s->output},
                                    {"--broker", o->urls},
                                    {"--password-file", o->password_file},
                                    {"--ca", o->ca},
                                    {"--cert", o->cert},
                                    {"--key", o->key},
                                    {"--prefix", o->prefix},
                                    {"--wait", s->client.wait_ms ? wait : NULL}};
    for (size_t i = 0; i < PL_COUNTOF(PAIRS); i++) {
        for (int k = 0; k < 2 && PAIRS[i][1]; k++)
            args[count++] = (char *)(uintptr_t)PAIRS[i][k];
    }
    if (s->quiet)
        args[count++] = quiet;
    args[count] = NULL;
    optind = 0; // getopt begins anew
    int status = command_collect(count, args);
    if (status == 0)
        (void)unlink(s->journal_path);
    return status;
}

int command_submit(int argc, char **argv)
{
    struct submit *s = calloc(1, sizeof *s);
    if (!s) {
        fprintf(stderr, "platen submit: not enough memory\n");
        return 1;
    }
    s->request.common = cli_options_init();
    s->reconnect_at = RECONNECT_REJECTIONS;
    client_init(&s->client, "submit");
    s->client.declares = true;
    int status = read_arguments(s, argc, argv);
    bool starts = status == 0;
    status = starts ? submit_all(s) : status - 1;
    journal_close(&s->journal);
    // Rows that were refused are told; the others are sent.
    if (starts && s->output && s->closed)
        status |= collect_output(s);
    row_source_free(&s->source);
    template_free(&s->template);
    cli_input_free(&s->template_text);
    render_inputs_free(&s->inputs);
    pl_id_set_free(&s->done);
    pl_id_set_free(&s->seen);
    pl_id_set_free(&s->known);
    pl_id_set_free(&s->sent);
    free(s->made_path);
    free(s);
    return status;
}
