// `platen submit`: the documents of a batch become jobs. Each is confirmed by the broker and then noted in a journal.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static const char USAGE[] =
    "usage: platen submit FILE|DIR|ROWS... --batch NAME [options]\n"
    "\n"
    "Sends labels to RabbitMQ as jobs for `platen work`. Inputs as of `platen render`: label "
    "files, folders, *.ndjson,\n"
    "*.csv with --template, *.zip. A submitter that was killed continues where it stopped: what is "
    "confirmed is in a journal.\n"
    "\n" CLIENT_HELP "  --journal FILE        which jobs were sent (NAME.submitted)\n"
    "  --missing-from OUT    send again what `platen collect -o OUT` has no result of\n"
    "  --template FILE       label code with {{name}} for each row\n"
    "  --rows KIND           what standard input holds: ndjson, csv or zip\n"
    "  --for-pdf             for `platen collect -o FILE.pdf`\n"
    "  -q, --quiet           say nothing but errors\n"
    "  -f, --format FORMAT   png (default), jpeg, webp or pdf\n" CLI_LABELS_HELP "\n"
    "Exit status: 0 all were sent, 1 some were not, 2 wrong usage.\n";

enum { OPT_JOURNAL = OPT_OWN, OPT_MISSING, OPT_TEMPLATE, OPT_ROWS, OPT_FOR_PDF };

struct sent {
    struct row_document document;
    uint64_t sequence;
    uint64_t number; // of its publication; 0: it has to be published
    bool used;
};

struct submit {
    struct client client;
    struct render_request request;
    struct render_inputs inputs;
    struct row_source source;
    struct template template;
    struct cli_input template_text;
    const char *journal_path, *missing, *template_path;
    char *made_path;
    bool for_pdf, quiet;
    enum row_kind rows;
    struct journal journal;
    int64_t time;           // the clock of the batch
    struct pl_id_set done;  // in the journal, or with a result
    struct pl_id_set seen;  // in this run
    struct pl_id_set known; // jobs of the batch, in this run and before: what the collector waits for
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

// Reads the next document that has to be sent. False: there is none.
static bool read_next(struct submit *s, struct sent *sent)
{
    while (row_source_next(&s->source, &sent->document)) {
        if (!is_new(s, &sent->document) || !acceptable(s, &sent->document))
            continue;
        s->sequence++;
        if (pl_id_set_add(&s->known, pl_buf_slice(&sent->document.id)) == PL_ID_NO_MEMORY) {
            refuse(s, &sent->document, "not enough memory");
            continue;
        }
        if (pl_id_set_has(&s->done, pl_buf_slice(&sent->document.id))) {
            s->skipped++;
            continue;
        }
        sent->sequence = submit_runs_place(&s->runs, s->sequence);
        sent->number = 0;
        sent->used = true;
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

static void confirm(struct submit *s, const struct broker_told *told, bool accepted)
{
    for (uint32_t i = 0; i < WINDOW; i++) {
        struct sent *sent = &s->window[i];
        if (!sent->used || sent->number == 0 ||
            !(sent->number == told->number || (told->all_before && sent->number < told->number)))
            continue;
        sent->number = 0;
        if (!accepted)
            continue; // it is sent again
        s->rejections = 0;
        s->reconnect_at = RECONNECT_REJECTIONS;
        journal_add(&s->journal, "%.*s\n", (int)sent->document.id.len, (const char *)sent->document.id.data);
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

// ---- the whole

static enum pl_errc send_all(struct submit *s, bool *more, struct pl_error *err)
{
    while (*more || s->in_window > 0) {
        for (uint32_t i = 0; i < WINDOW && pl_now_ns() >= s->pause_until_ns; i++) {
            struct sent *sent = &s->window[i];
            if (!sent->used && *more)
                *more = read_next(s, sent);
            if (sent->used && sent->number == 0) {
                PL_TRY(publish(s, sent, err));
                if (i % 64 == 63)
                    PL_TRY(listen_to(s, 0, err));
            }
        }
        if (client_gives_up(&s->client))
            return pl_fail(err, PL_E_DEADLINE, "gave up: the broker confirmed nothing for as long as --wait says");
        PL_TRY(listen_to(s, s->in_window > 0 ? 200 : 0, err));
        if (s->rejections >= s->reconnect_at) {
            // RabbitMQ 3.10 does not tell a connection that the limit of a queue was raised.
            s->reconnect_at = s->rejections + RECONNECT_REJECTIONS;
            return pl_fail(err, PL_E_IO, "%s still takes no jobs", broker_place(s->client.broker));
        }
    }
    return PL_OK;
}

// Tells the collector how many there are.
static enum pl_errc send_manifest(struct submit *s, struct pl_error *err)
{
    char count[24];
    uint64_t number;
    struct broker_message m = {
        .id = pl_slice_cstr("manifest"), .type = pl_slice_cstr("text/plain"), .body = pl_slice_cstr("")};
    broker_add_header(&m, HEADER_KIND, pl_slice_cstr("manifest"));
    broker_add_header(&m, HEADER_BATCH, pl_slice_cstr(s->client.batch));
    snprintf(count, sizeof count, "%zu", s->known.count);
    broker_add_header(&m, HEADER_COUNT, pl_slice_cstr(count));
    PL_TRY(broker_publish(s->client.broker, BROKER_BATCH, s->client.batch, &m, &number, err));
    for (;;) {
        struct broker_told told;
        enum broker_event event = broker_next(s->client.broker, 200, &told, err);
        if (event == BROKER_GONE)
            return err->code;
        if (event == BROKER_RETURNED)
            return fail_returned(s, &told, err);
        if (event == BROKER_DELIVERY)
            free(told.message.memory);
        bool mine = told.number == number || (told.all_before && told.number > number);
        if (event == BROKER_CONFIRMED && mine)
            return PL_OK;
        if (event == BROKER_REJECTED && mine)
            return pl_fail(err, PL_E_IO, "%s does not take the end of the batch now", broker_place(s->client.broker));
        if (client_gives_up(&s->client))
            return pl_fail(err, PL_E_DEADLINE, "gave up: the broker confirmed nothing for as long as --wait says");
    }
}

static bool run(struct submit *s)
{
    struct pl_error err = {0};
    bool more = true;
    while (client_connect(&s->client)) {
        for (uint32_t i = 0; i < WINDOW; i++)
            s->window[i].number = 0; // what was not confirmed is sent again
        enum pl_errc code = send_all(s, &more, &err);
        sync_journal(s, true);
        if (code == PL_OK && s->source.broken)
            return false;
        if (code == PL_OK)
            code = send_manifest(s, &err);
        if (code == PL_OK)
            return true;
        if (code == PL_E_DEADLINE || code == PL_E_INVALID) { // another try would end in the same way
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
    const uint8_t *last = memrchr(title.ptr, ' ', title.len);
    if (last)
        (void)pl_parse_i64(pl_slice_make(last + 1, title.len - (size_t)(last + 1 - title.ptr)), &s->time);
}

static void read_done(void *user, struct pl_slice line)
{
    struct submit *s = user;
    if (submit_runs_read(&s->runs, line))
        return;
    (void)pl_id_set_add(&s->known, line);
    if (!s->missing) // what was sent counts only where nobody knows the results
        (void)pl_id_set_add(&s->done, line);
}

// A line of a collector.
static void read_result(void *user, struct pl_slice line)
{
    struct submit *s = user;
    struct pack_row row;
    if (pack_row_read(line, &row))
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
    snprintf(kind, sizeof kind, "platen-collect %s", s->client.batch);
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
    snprintf(kind, sizeof kind, "platen-submit %s", s->client.batch);
    snprintf(title, sizeof title, "%s %lld", kind, (long long)s->time);
    enum pl_errc code = journal_open(&s->journal, s->journal_path, kind, title, &reader, &err);
    if (code == PL_OK)
        submit_runs_begin(&s->runs, &s->journal);
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

// 0: go on; otherwise the exit status plus one.
static int read_arguments(struct submit *s, int argc, char **argv)
{
    static const struct option OPTIONS[] = {CLI_CONTROLS(GROUP_LABELS),
                                            CLI_LIMIT_OPTIONS,
                                            CLIENT_OPTIONS,
                                            {"journal", required_argument, NULL, OPT_JOURNAL},
                                            {"missing-from", required_argument, NULL, OPT_MISSING},
                                            {"template", required_argument, NULL, OPT_TEMPLATE},
                                            {"rows", required_argument, NULL, OPT_ROWS},
                                            {"for-pdf", no_argument, NULL, OPT_FOR_PDF},
                                            {"quiet", no_argument, NULL, 'q'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    for (int option; (option = cli_getopt(argc, argv, "f:qh", OPTIONS)) != -1;) {
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
    enum output output = s->request.common.controls.format;
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
    progress_begin(&s->bar, !s->quiet);
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
    int status = read_arguments(s, argc, argv);
    status = status ? status - 1 : submit_all(s);
    journal_close(&s->journal);
    row_source_free(&s->source);
    template_free(&s->template);
    cli_input_free(&s->template_text);
    render_inputs_free(&s->inputs);
    pl_id_set_free(&s->done);
    pl_id_set_free(&s->seen);
    pl_id_set_free(&s->known);
    free(s->made_path);
    free(s);
    return status;
}
