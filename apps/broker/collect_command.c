// `platen collect`: the results of a batch become files, a ZIP or a PDF. A result is acknowledged when it is on the
// disk and in the journal, so a collector may be killed at any time, and of each id one result is kept.
#include "collect.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fmt.h"
#include "broker_commands.h"
#include "failures.h"
#include "pack.h"
#include "pieces.h"
#include "result_files.h"

#define PACKED "packed" // a line of the journal: OUT is there, with all results before this line

static const char USAGE[] =
    "usage: platen collect --batch NAME -o DIR|FILE.zip|FILE.pdf [options]\n"
    "\n"
    "Gathers the results of a batch from RabbitMQ until each row of each submitter has one: files named by their ids,\n"
    "ID.error.json where a row failed. OUT.failed.csv lists the rows that failed or are missing, with their reasons.\n"
    "A collector that was killed continues where it stopped. A PDF needs `platen submit --for-pdf`.\n"
    "\n"
    "  -o, --output OUT      folder, ZIP or PDF\n" CLIENT_HELP
    "  --delete              delete the batch's queue when all results are there\n"
    "  -q, --quiet           say nothing but errors\n"
    "\n" CLI_SHEETS_HELP "\n"
    "Exit status: 0 each row has a good result, 1 some are missing or failed, 2 wrong usage.\n";

static void tell_not_deleted(const struct collect *c)
{
    fprintf(stderr, "platen collect: the queue of batch %s is not deleted\n", c->client.batch);
}

// False: the connection was lost, and the lock with it, so the queue may have more now.
static bool delete_queue(struct collect *c)
{
    struct pl_error err = {0};
    enum pl_errc code = PL_OK;
    if (c->client.batch_is_there) // or it was deleted before
        code = broker_delete_batch(c->client.broker, c->client.batch, &err);
    if (code == PL_E_INVALID) { // it may not
        fprintf(stderr, "platen collect: %s\n", err.message);
        tell_not_deleted(c);
    }
    if (code == PL_OK || code == PL_E_INVALID)
        return true;
    client_progress(&c->client);
    client_lost(&c->client, &err);
    return false;
}

// A line of the journal that begins with `kind` and a submitter; `rest` is behind it.
static bool read_of_submitter(struct pl_slice line, const char *kind, uint64_t *submitter, struct pl_slice *rest)
{
    size_t len = strlen(kind), skipped = len + 16 + 1; // and a tab
    *rest = pl_slice_sub(line, skipped, line.len);
    return line.len > skipped && memcmp(line.ptr, kind, len) == 0 &&
           account_token_read(pl_slice_sub(line, len, 16), submitter);
}

void collect_read_line(void *user, struct pl_slice line)
{
    struct collect *c = user;
    struct pack_row row;
    if (pl_slice_eq_cstr(line, PACKED)) {
        c->packed = true;
        return;
    }
    c->account.cancelled = c->account.cancelled || pl_slice_eq_cstr(line, COLLECT_CANCELLED);
    struct account_mark mark;
    struct pl_slice id, rest;
    uint64_t submitter, total;
    char secret[ACCOUNT_SECRET_SIZE];
    bool ok = true;
    if (failures_row_read(line, ROW_OF_JOURNAL, &mark, &id)) {
        ok = account_list(&c->account, &mark, id);
    } else if (failures_row_read(line, COLLECT_AGAIN, &mark, &id)) {
        ok = account_list_again(&c->account, &mark, id);
    } else if (pack_row_read(line, &row)) {
        account_settle(&c->account, row.id, row.ok);
        c->any_failed = c->any_failed || !row.ok;
        c->packed = false;
    } else if (read_of_submitter(line, COLLECT_SECRET, &submitter, &rest) && account_secret_read(rest, secret)) {
        ok = account_share(&c->account, submitter, secret);
    } else if (read_of_submitter(line, COLLECT_OPEN, &submitter, &rest)) {
        ok = account_open(&c->account, submitter);
    } else if (read_of_submitter(line, COLLECT_CLOSED, &submitter, &rest) && pl_parse_u64(rest, &total)) {
        ok = account_close(&c->account, submitter, total);
    }
    c->no_memory = c->no_memory || !ok;
}

// Where results wait to be packed.
static bool open_data(struct collect *c)
{
    struct stat st;
    c->data_fd = openat(c->folder_fd, PACK_DATA, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (c->data_fd < 0 || fstat(c->data_fd, &st) != 0)
        return false;
    c->data_end = (uint64_t)st.st_size;
    return fsync(c->folder_fd) == 0; // its name
}

static bool open_output(struct collect *c)
{
    char kind[160];
    struct pl_error err = {0};
    snprintf(c->folder, sizeof c->folder, "%s%s", c->output, c->packs ? ".parts" : "");
    if (pack_is_taken(c->output)) {
        fprintf(stderr,
                "platen collect: %s is there already, and its collector has ended: remove it, or name another file\n",
                c->output);
        return false;
    }
    bool made = mkdir(c->folder, 0777) == 0 || errno == EEXIST;
    c->folder_fd = made ? open(c->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (c->folder_fd < 0 || (c->packs && !open_data(c))) {
        fprintf(stderr, "platen collect: %s: %s\n", c->folder, strerror(errno));
        return false;
    }
    snprintf(c->journal_path, sizeof c->journal_path, "%s/" PACK_JOURNAL, c->folder);
    snprintf(kind, sizeof kind, COLLECT_KIND "%s", c->client.batch);
    if (journal_open(&c->journal, c->journal_path, kind, kind,
                     &(struct journal_reader){.line = collect_read_line, .user = c}, &err) != PL_OK) {
        fprintf(stderr, "platen collect: %s\n", err.message);
        return false;
    }
    if (c->no_memory) {
        fprintf(stderr, "platen collect: not enough memory\n");
        return false;
    }
    // Of a collector that was killed: this one has the journal to itself.
    result_files_remove(c->folder, RESULT_TORN, (time_t)INT64_MAX);
    return true;
}

// Who has not ended, and what is not here.
static void report_missing(const struct collect *c)
{
    uint64_t open = collect_open_submitters(c), elsewhere = account_elsewhere(&c->account);
    if (open > 0)
        fprintf(stderr, "platen collect: %llu submitters have not sent all: start them again\n",
                (unsigned long long)open);
    if (elsewhere > 0)
        fprintf(stderr,
                "platen collect: %llu rows were listed to another collector of the batch: continue with its output\n",
                (unsigned long long)elsewhere);
    if (c->account.pending > 0)
        fprintf(stderr,
                "platen collect: %llu of %zu are missing: `platen submit ... --missing-from %s` sends them again\n",
                (unsigned long long)c->account.pending, c->account.count, c->output);
}

static int report(struct collect *c, bool ok)
{
    const struct account *a = &c->account;
    bool whole = ok && (a->pending == 0 || a->cancelled) && account_elsewhere(a) == 0;
    uint64_t errors = a->failed + a->clashes;
    if (c->strange > 0)
        fprintf(stderr, "platen collect: %llu messages of others were dropped\n", (unsigned long long)c->strange);
    if (c->forged > 0)
        fprintf(stderr, "platen collect: %llu results without the proof of their row were refused\n",
                (unsigned long long)c->forged);
    if (c->foreign > 0)
        fprintf(stderr, "platen collect: %llu results are of rows that were not listed here: they are in %s.foreign\n",
                (unsigned long long)c->foreign, c->output);
    if (!c->quiet)
        fprintf(stderr, "%llu results, %llu of them errors; %llu duplicates; %s\n",
                (unsigned long long)(a->good + errors), (unsigned long long)errors, (unsigned long long)c->duplicates,
                !whole         ? "some are missing"
                : a->cancelled ? "the batch was cancelled"
                               : "none missing");
    if (!whole)
        report_missing(c);
    if (c->listed > 0)
        fprintf(stderr, "platen collect: %llu rows failed or are missing: %s.failed.csv says why\n",
                (unsigned long long)c->listed, c->output);
    if (errors > 0 && c->packed)
        fprintf(stderr, "platen collect: %s is kept: `platen submit ... --missing-from %s` tries failed rows again\n",
                c->folder, c->output);
    return whole && errors == 0 && c->foreign == 0 && !a->cancelled ? 0 : 1;
}

static void begin_packing(struct collect *c)
{
    bool has_layout = controls_layout(&c->sheet.controls.values, &c->layout);
    packer_free(c->packer);
    bool has_rows = c->account.good + c->account.failed > 0;
    c->packer = c->packs ? packer_new(c->folder, c->output, has_layout ? &c->layout : NULL, has_rows) : NULL;
}

// False: it was not packed, and the reason was printed.
static bool pack_output(struct collect *c)
{
    struct pl_error err = {0};
    if (!c->packer || packer_finish(c->packer, c->journal_path, &err) != PL_OK) {
        fprintf(stderr, "platen collect: %s\n", c->packer ? err.message : "not enough memory");
        return false;
    }
    journal_add(&c->journal, PACKED "\n");
    c->packed = journal_sync(&c->journal);
    if (!c->packed)
        fprintf(stderr, "platen collect: %s: %s\n", c->journal_path, strerror(errno));
    return c->packed;
}

// Gathers until the batch is complete, and packs. Before its queue is deleted it is looked at once more: a submitter
// may have come while the output was packed.
static bool gather_and_pack(struct collect *c)
{
    struct pl_error err = {0};
    for (;;) {
        begin_packing(c);
        if (!collect_gather(c))
            return false;
        if (!c->packs || c->packed)
            return true;
        if (!pack_output(c))
            return false;
        if (!c->deletes)
            return true;
        if (collect_prepare_for_lock(c, &err) != PL_OK) {
            fprintf(stderr, "platen collect: %s\n", err.message);
            return false;
        }
        broker_close(&c->client.broker); // packing may have taken longer than a connection without a sign of life lasts
        client_progress(&c->client);
    }
}

static int collect_all(struct collect *c)
{
    struct pl_error err = {0};
    if (!open_output(c))
        return 1;
    bool ok;
    do {
        progress_begin_lines(&c->bar, !c->quiet);
        ok = gather_and_pack(c);
        progress_end(&c->bar, (size_t)(c->account.good + c->account.failed), (size_t)c->account.failed);
        // One that was killed before it came to this is started again for it.
    } while (ok && c->deletes && account_elsewhere(&c->account) == 0 && !delete_queue(c));
    if (!ok && c->written) { // all that has come is in the output: it gave up to delete the queue
        tell_not_deleted(c);
        ok = true;
    }
    // Before anything is removed that tells the reasons.
    if (!c->written && collect_write_failures(c, &err) != PL_OK) {
        fprintf(stderr, "platen collect: %s\n", err.message);
        ok = false;
    }
    if (!c->written && (c->was_connected || ok)) // or nothing is known of the batch, and an older record stays
        collect_tell(c, true);
    bool whole = ok && account_elsewhere(&c->account) == 0;
    bool failed = c->account.failed + c->account.clashes + c->account.pending > 0;
    if (whole) // of results whose workers were killed
        result_files_remove(c->folder, PIECES_BEGIN, (time_t)INT64_MAX);
    if (whole && c->packed && !failed)
        pack_remove_folder(c->folder);
    journal_close(&c->journal);
    return report(c, ok);
}

_Static_assert(offsetof(struct collect, client) == 0, "rows of the client");
static const struct cli_row ROWS[] = {
    CLIENT_ROWS,
    CLI_ROW_GROUPS(GROUP_SHEETS),
    {"output", 'o', CLI_TO_TEXT(struct collect, output)},
    {"delete", '\0', CLI_TO_FLAG(struct collect, deletes)},
    {"quiet", 'q', CLI_TO_FLAG(struct collect, quiet)},
};
static const struct cli_command COMMAND = {"collect", USAGE, CLI_ROWS(ROWS)};

static int read_arguments(struct collect *c, int argc, char **argv)
{
    client_arguments(argc, argv);
    int status = cli_arguments(&COMMAND, argc, argv, c, &c->sheet);
    if (status)
        return status;
    if (!client_check(&c->client))
        return CLI_WRONG_USAGE;
    if (!c->client.batch || !c->output || optind < argc)
        return cli_usage_error(&COMMAND, "give --batch NAME and -o DIR, FILE.zip or FILE.pdf");
    if (strlen(c->output) > 3500)
        return cli_usage_error(&COMMAND, "-o: the path is too long");
    for (char *end = strchr(c->output, '\0'); end > c->output + 1 && end[-1] == '/'; end--)
        end[-1] = '\0'; // names of other files begin with it
    c->packs = pack_is_file(c->output);
    if (controls_of_pdf(&c->sheet.controls) && !pack_is_pdf(c->output))
        return cli_usage_error(&COMMAND, "the options of a PDF's pages, such as --page-size, need -o FILE.pdf");
    return 0;
}

int command_collect(int argc, char **argv)
{
    struct collect *c = calloc(1, sizeof *c);
    if (!c) {
        fprintf(stderr, "platen collect: not enough memory\n");
        return 1;
    }
    c->folder_fd = c->data_fd = -1;
    c->sheet = cli_options_init();
    pl_buf_init(&c->lines, (size_t)16 << 20);
    pl_buf_init(&c->data, SIZE_MAX / 2);
    client_init(&c->client, "collect");
    int status = read_arguments(c, argc, argv);
    status = status ? status - 1 : collect_all(c);
    broker_close(&c->client.broker);
    broker_close(&c->news);
    if (c->folder_fd >= 0)
        close(c->folder_fd);
    if (c->data_fd >= 0)
        close(c->data_fd);
    pl_buf_fini(&c->lines);
    pl_buf_fini(&c->data);
    pack_checker_free(&c->checker);
    packer_free(c->packer);
    account_free(&c->account);
    free(c);
    return status;
}
