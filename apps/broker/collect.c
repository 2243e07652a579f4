// `platen collect`: the results of a batch become files, a ZIP or a PDF. A result is acknowledged when it is on the
// disk and in the journal, so a collector may be killed at any time, and of each id one result is kept.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "batch/names.h"
#include "broker_commands.h"
#include "cli/cli_io.h"
#include "cli/cli_options.h"
#include "cli/progress.h"
#include "client.h"
#include "failures.h"
#include "journal.h"
#include "os/clock.h"
#include "pack.h"
#include "pieces.h"
#include "result_files.h"
#include "work_job.h"

#define PREFETCH 500u
#define GROUP 250u // results that go to the disk together
#define GROUP_NS 200000000u
#define TOLD_MAX 20u
#define GROUP_LINES ((size_t)1 << 20)
#define CLOSED "closed\t" // begins a line of the journal: submitter, tab, how many rows it has listed
#define PACKED "packed"   // a line of the journal: OUT is there, with all results before this line
#define JOURNAL_KIND "platen-collect-2 "
#define ABSENT_MS 500u     // between two looks for a batch that is not there
#define SUBMITTER_SHIFT 48 // of a place in the output: above it is the number of the submitter

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

struct collect {
    struct client client;
    char *output;
    bool packs;               // into a ZIP or PDF, from a folder beside it
    struct cli_options sheet; // the pages of a PDF
    bool deletes, quiet;
    char folder[4000];
    int folder_fd;
    struct journal journal;
    struct pl_buf lines; // of the results that are not on the disk yet
    struct account account;
    uint64_t told, duplicates;
    uint64_t strange; // messages that no worker has sent
    uint64_t foreign; // results of rows that were listed to another collector, in OUT.foreign
    char fence[24];   // on the way; empty: none is
    bool fence_came;  // all that was sent before it has come, too
    bool done;        // and the account was settled then
    bool told_of_others, told_of_absence;
    bool was_connected;
    bool packed;    // OUT has all results
    bool no_memory; // for the journal
    uint64_t last_tag, group_began_ns;
    uint32_t group;
    struct progress_bar bar;
};

static bool ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a > b && strcasecmp(text + a - b, end) == 0;
}

// ---- results

// What is written goes to the disk, then into the journal, and is acknowledged then.
static enum pl_errc finish_group(struct collect *c, struct pl_error *err)
{
    if (c->group == 0)
        return PL_OK;
    if (syncfs(c->folder_fd) != 0)
        return pl_fail(err, PL_E_BUG, "%s: %s", c->folder, strerror(errno));
    if (c->lines.len > 0 && !c->lines.failed)
        journal_add(&c->journal, "%.*s", (int)c->lines.len, (const char *)c->lines.data);
    if (c->lines.failed || !journal_sync(&c->journal))
        return pl_fail(err, PL_E_BUG, "%s: %s", c->journal.path, strerror(errno));
    pl_buf_clear(&c->lines);
    c->group = 0;
    return c->client.broker ? broker_acknowledge(c->client.broker, c->last_tag, true, err) : PL_OK;
}

static void tell(struct collect *c, struct pl_slice id, struct pl_slice what)
{
    if (c->quiet || c->told++ >= TOLD_MAX)
        return;
    fputs(c->bar.any ? "\r\033[Kplaten collect: " : "platen collect: ", stderr);
    broker_print(stderr, id, PL_ID_MAX);
    fputs(": ", stderr);
    broker_print(stderr, what, 300);
    fputc('\n', stderr);
}

// A result of a row that this output does not know: it is no part of it, and is not lost.
static enum pl_errc put_aside(struct collect *c, const struct result_file *result, struct pl_error *err)
{
    char folder[4100];
    snprintf(folder, sizeof folder, "%s.foreign", c->output);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return pl_fail(err, PL_E_BUG, "%s: %s", folder, strerror(errno));
    c->foreign++;
    return result_files_write(folder, result, true, err) == PL_OK ? PL_OK : (err->code = PL_E_BUG);
}

static enum pl_errc keep(struct collect *c, const struct broker_message *m, const struct account_mark *mark,
                         const struct result_file *result, struct pl_error *err)
{
    struct pl_slice text;
    uint64_t sequence = 0;
    struct result_file file = *result;
    if (broker_header_of(m, HEADER_SEQUENCE, &text) && !pl_parse_u64(text, &sequence))
        sequence = 0;
    sequence += (uint64_t)account_index(&c->account, mark->submitter) << SUBMITTER_SHIFT;
    if (c->packs && file.ok) { // as it came, until it is packed
        file.type = pl_slice_cstr("application/octet-stream");
        file.ending = pl_slice_cstr("result");
    }
    // Not as an error of the connection: what cannot be written now is not in the journal, and comes again.
    if (result_files_write(c->folder, &file, false, err) != PL_OK)
        return err->code = PL_E_BUG;
    if (file.ok) // a row that was tried again
        result_files_remove_error(c->folder, m->id);
    account_settle(&c->account, m->id, file.ok);
    c->packed = false;
    if (!file.ok)
        tell(c, m->id, m->body);
    bool several = pl_slice_eq_cstr(m->type, "application/zip");
    pl_buf_printf(&c->lines, "%llu\t%s\t%s\t%.*s\t", (unsigned long long)sequence, file.ok ? "ok" : "error",
                  several ? "application/zip" : "application/octet-stream", (int)result->ending.len,
                  (const char *)result->ending.ptr);
    pl_buf_append_slice(&c->lines, m->id);
    pl_buf_append_byte(&c->lines, '\n');
    return PL_OK;
}

static enum pl_errc take_rows(struct collect *c, struct pl_slice body, struct pl_error *err)
{
    for (const uint8_t *end; body.len > 0 && (end = memchr(body.ptr, '\n', body.len));) {
        struct pl_slice line = pl_slice_sub(body, 0, (size_t)(end - body.ptr));
        struct account_mark mark;
        struct pl_slice id = pl_slice_sub(line, ACCOUNT_MARK_SIZE, line.len);
        body = pl_slice_sub(body, line.len + 1, body.len);
        if (!account_mark_read(pl_slice_sub(line, 0, ACCOUNT_MARK_SIZE - 1), &mark) || !pl_id_usable(id))
            continue;
        if (!account_list(&c->account, &mark, id))
            return pl_fail(err, PL_E_MEMORY, "not enough memory");
        pl_buf_printf(&c->lines, ROW_OF_JOURNAL "%.*s\n", (int)line.len, (const char *)line.ptr);
    }
    return PL_OK;
}

// What submitters tell, and the collector itself.
static enum pl_errc take_note(struct collect *c, const struct broker_message *m, struct pl_slice kind,
                              struct pl_error *err)
{
    struct pl_slice text = pl_slice_cstr("");
    uint64_t submitter = 0, total = 0;
    if (pl_slice_eq_cstr(kind, KIND_FENCE)) {
        c->fence_came = c->fence_came || (c->fence[0] && pl_slice_eq_cstr(m->id, c->fence));
        return PL_OK;
    }
    bool parts = broker_header_of(m, HEADER_PARTS, &text) && pl_slice_eq_cstr(text, "true");
    if (c->packs && parts != ends_with(c->output, ".pdf"))
        return pl_fail(err, PL_E_INVALID,
                       parts ? "the batch was sent for a PDF: -o must be a FILE.pdf"
                             : "a PDF is made of a batch that `platen submit --for-pdf` has sent; this one was sent "
                               "without it: -o must be a folder or a FILE.zip");
    if (pl_slice_eq_cstr(kind, KIND_ROWS))
        return take_rows(c, m->body, err);
    if (!pl_slice_eq_cstr(kind, KIND_CLOSED) || !broker_header_of(m, HEADER_SUBMITTER, &text) ||
        !account_token_read(text, &submitter) || !broker_header_of(m, HEADER_COUNT, &text) ||
        !pl_parse_u64(text, &total)) {
        c->strange++;
        return PL_OK;
    }
    if (!account_close(&c->account, submitter, total))
        return pl_fail(err, PL_E_MEMORY, "not enough memory");
    pl_buf_printf(&c->lines, CLOSED "%016llx\t%llu\n", (unsigned long long)submitter, (unsigned long long)total);
    return PL_OK;
}

static enum pl_errc drop(struct collect *c, const struct broker_message *m)
{
    c->strange++;
    tell(c, m->id, pl_slice_cstr("this is no result of a worker; it is dropped"));
    return PL_OK;
}

// Keeps what is the result of a row.
static enum pl_errc take_result(struct collect *c, const struct broker_message *m, struct pl_slice body,
                                struct pl_error *err)
{
    struct pl_slice text;
    struct account_mark mark;
    bool has_mark = broker_header_of(m, HEADER_ROW, &text) && account_mark_read(text, &mark);
    struct result_file result = {.id = m->id, .body = body, .type = m->type, .ending = pl_slice_cstr("bin")};
    (void)broker_header_of(m, HEADER_ENDING, &result.ending);
    result.ok = broker_header_of(m, HEADER_OK, &text) && pl_slice_eq_cstr(text, "true");
    if (!has_mark || !result_usable(&result))
        return drop(c, m);
    switch (account_judge(&c->account, &mark, m->id, result.ok)) {
    case ACCOUNT_KEEP:
        return keep(c, m, &mark, &result, err);
    case ACCOUNT_FOREIGN:
        return put_aside(c, &result, err);
    case ACCOUNT_KNOWN:
        c->duplicates++;
        break;
    }
    return PL_OK;
}

static enum pl_errc take_piece(struct collect *c, const struct broker_message *m, struct pl_slice text,
                               struct pl_error *err)
{
    struct piece piece;
    struct cli_input file;
    char path[4200];
    bool whole = false;
    if (!piece_read(text, &piece))
        return drop(c, m);
    enum pl_errc code = piece_write(c->folder, &piece, m->body, path, sizeof path, &whole, err);
    if (code == PL_E_INVALID)
        return drop(c, m);
    if (code != PL_OK || !whole)
        return code;
    if (!cli_read(path, (size_t)piece.total + 1, &file, NULL))
        return pl_fail(err, PL_E_BUG, "%s cannot be read", path);
    code = file.size == piece.total ? take_result(c, m, pl_slice_make(file.data, file.size), err) : drop(c, m);
    cli_input_free(&file);
    // Pieces that are acknowledged do not come again: the file goes when its result is in the journal.
    if (code == PL_OK)
        code = finish_group(c, err);
    if (code == PL_OK)
        (void)unlink(path);
    return code;
}

static enum pl_errc take(struct collect *c, const struct broker_message *m, struct pl_error *err)
{
    struct pl_slice text;
    if (c->group == 0)
        c->group_began_ns = pl_now_ns();
    c->group++;
    c->last_tag = m->tag;
    client_progress(&c->client);
    if (broker_header_of(m, HEADER_KIND, &text))
        return take_note(c, m, text, err);
    if (broker_header_of(m, HEADER_PIECE, &text))
        return take_piece(c, m, text, err);
    return take_result(c, m, m->body, err);
}

// Is the batch complete? The queue is read in order, so a fence comes behind all that was sent before it: also the
// first rows of a submitter of which nothing has come yet.
static enum pl_errc look_for_end(struct collect *c, struct pl_error *err)
{
    bool settled = account_is_settled(&c->account);
    if (c->fence_came) {
        c->fence_came = false;
        c->fence[0] = '\0';
        c->done = settled;
    }
    if (!settled || c->done || c->fence[0])
        return PL_OK;
    uint64_t chance, number;
    if (getrandom(&chance, sizeof chance, 0) != (ssize_t)sizeof chance)
        return pl_fail(err, PL_E_BUG, "no random numbers");
    snprintf(c->fence, sizeof c->fence, "%016llx", (unsigned long long)chance);
    struct broker_message m = {
        .id = pl_slice_cstr(c->fence), .type = pl_slice_cstr("text/plain"), .body = pl_slice_cstr("")};
    broker_add_header(&m, HEADER_KIND, pl_slice_cstr(KIND_FENCE));
    return broker_publish(c->client.broker, BROKER_BATCH, c->client.batch, &m, &number, err);
}

// Waits until the batch is there. One that is complete and is not there was deleted by this collector.
static enum pl_errc wait_for_batch(struct collect *c, struct pl_error *err)
{
    while (!c->client.batch_is_there) {
        if (account_is_settled(&c->account)) {
            c->done = true;
            return PL_OK;
        }
        if (!c->told_of_absence)
            fprintf(stderr, "platen collect: there is no batch %s at %s: waiting for its submitter\n", c->client.batch,
                    broker_place(c->client.broker));
        c->told_of_absence = true;
        if (client_gives_up(&c->client))
            return pl_fail(err, PL_E_DEADLINE, "gave up: there is no batch %s", c->client.batch);
        client_rest(ABSENT_MS);
        PL_TRY(broker_find_batch(c->client.broker, c->client.batch, &c->client.batch_is_there,
                                 &c->client.other_collectors, err));
    }
    return PL_OK;
}

static void tell_of_others(struct collect *c)
{
    if (c->client.other_collectors > 0 && !c->told_of_others) {
        // The broker may not have noticed yet that a connection of this one is over.
        fprintf(
            stderr,
            c->was_connected
                ? "platen collect: batch %s still has a collector, perhaps this one's lost connection: results come "
                  "when the broker has noticed its end\n"
                : "platen collect: another collector is at work on batch %s: it gets all results, and this one waits "
                  "until it has ended\n",
            c->client.batch);
        c->told_of_others = true;
    }
    c->was_connected = true;
}

static enum pl_errc listen_to(struct collect *c, struct pl_error *err)
{
    struct broker_told told;
    enum broker_event event = broker_next(c->client.broker, 100, &told, err);
    if (event == BROKER_GONE)
        return err->code;
    enum pl_errc code = event == BROKER_DELIVERY ? take(c, &told.message, err) : PL_OK;
    free(told.message.memory);
    return code;
}

static enum pl_errc gather(struct collect *c, struct pl_error *err)
{
    uint32_t consumer;
    c->fence[0] = '\0';
    c->fence_came = false;
    PL_TRY(wait_for_batch(c, err));
    if (c->done)
        return PL_OK;
    tell_of_others(c);
    // Where the exchange was deleted and made again, the queue has to be bound again.
    PL_TRY(broker_declare_batch(c->client.broker, c->client.batch, err));
    PL_TRY(broker_consume(c->client.broker, c->client.batch, PREFETCH, &consumer, err));
    while (!c->done || c->group > 0) {
        PL_TRY(look_for_end(c, err));
        PL_TRY(listen_to(c, err));
        if (c->group >= GROUP || c->done || c->lines.len > GROUP_LINES ||
            (c->group > 0 && pl_now_ns() - c->group_began_ns > GROUP_NS))
            PL_TRY(finish_group(c, err));
        uint64_t ended = c->account.good + c->account.failed;
        progress_tell(&c->bar, c->account.count ? (double)ended / (double)c->account.count : -1, (size_t)ended,
                      (size_t)c->account.failed);
        if (client_gives_up(&c->client))
            return pl_fail(err, PL_E_DEADLINE, "gave up: nothing came for as long as --wait says");
    }
    return PL_OK;
}

// ---- the whole

static bool run(struct collect *c)
{
    struct pl_error err = {0};
    while (!c->done) {
        if (!client_connect(&c->client))
            return false;
        enum pl_errc code = gather(c, &err);
        if (code == PL_OK)
            break;
        // Another try would end in the same way.
        if (code == PL_E_BUG || code == PL_E_DEADLINE || code == PL_E_MEMORY || code == PL_E_INVALID) {
            fprintf(stderr, "platen collect: %s\n", err.message);
            return false;
        }
        client_lost(&c->client, &err);
        // What is written stays; it will come again and be known.
        if (finish_group(c, &err) != PL_OK) {
            fprintf(stderr, "platen collect: %s\n", err.message);
            return false;
        }
    }
    return true;
}

static void delete_queue(struct collect *c)
{
    struct pl_error err = {0};
    client_progress(&c->client);
    for (bool again = true; c->client.broker || client_connect(&c->client); again = false) {
        if (broker_delete_batch(c->client.broker, c->client.batch, &err) == PL_OK)
            return;
        if (!again) {
            fprintf(stderr, "platen collect: %s\n", err.message);
            break;
        }
        client_lost(&c->client, &err);
    }
    fprintf(stderr, "platen collect: the queue of batch %s is not deleted\n", c->client.batch);
}

static void read_line(void *user, struct pl_slice line)
{
    struct collect *c = user;
    struct pack_row row;
    if (pl_slice_eq_cstr(line, PACKED)) {
        c->packed = true;
        return;
    }
    struct account_mark mark;
    struct pl_slice id;
    size_t len = strlen(CLOSED);
    uint64_t submitter, total;
    bool ok = true;
    if (failures_row_read(line, &mark, &id)) {
        ok = account_list(&c->account, &mark, id);
    } else if (pack_row_read(line, &row)) {
        account_settle(&c->account, row.id, row.ok);
        c->packed = false;
    } else if (line.len > len + 17 && memcmp(line.ptr, CLOSED, len) == 0 &&
               account_token_read(pl_slice_sub(line, len, 16), &submitter) &&
               pl_parse_u64(pl_slice_sub(line, len + 17, line.len), &total)) {
        ok = account_close(&c->account, submitter, total);
    }
    c->no_memory = c->no_memory || !ok;
}

static bool open_output(struct collect *c, char *journal_path, size_t size, const char *kind)
{
    struct pl_error err = {0};
    snprintf(c->folder, sizeof c->folder, "%s%s", c->output, c->packs ? ".parts" : "");
    if (c->packs && access(c->output, F_OK) == 0 && access(c->folder, F_OK) != 0) {
        fprintf(stderr,
                "platen collect: %s is there already, and its collector has ended: remove it, or name another file\n",
                c->output);
        return false;
    }
    if (mkdir(c->folder, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "platen collect: %s: %s\n", c->folder, strerror(errno));
        return false;
    }
    c->folder_fd = open(c->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (c->folder_fd < 0) {
        fprintf(stderr, "platen collect: %s: %s\n", c->folder, strerror(errno));
        return false;
    }
    snprintf(journal_path, size, "%s/.platen-collect", c->folder);
    if (journal_open(&c->journal, journal_path, kind, kind, &(struct journal_reader){.line = read_line, .user = c},
                     &err) != PL_OK) {
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
    uint64_t open = 0, elsewhere = account_elsewhere(&c->account);
    for (size_t i = 0; i < c->account.submitter_count; i++)
        open += !c->account.submitters[i].closed;
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

static int report(struct collect *c, bool ok, uint64_t listed)
{
    const struct account *a = &c->account;
    bool whole = ok && c->done && a->pending == 0 && account_elsewhere(a) == 0;
    uint64_t errors = a->failed + a->clashes;
    if (c->strange > 0)
        fprintf(stderr, "platen collect: %llu messages of others were dropped\n", (unsigned long long)c->strange);
    if (c->foreign > 0)
        fprintf(stderr, "platen collect: %llu results are of rows that were not listed here: they are in %s.foreign\n",
                (unsigned long long)c->foreign, c->output);
    if (!c->quiet)
        fprintf(stderr, "%llu results, %llu of them errors; %llu duplicates; %s\n",
                (unsigned long long)(a->good + errors), (unsigned long long)errors, (unsigned long long)c->duplicates,
                whole ? "none missing" : "some are missing");
    if (!whole)
        report_missing(c);
    if (listed > 0)
        fprintf(stderr, "platen collect: %llu rows failed or are missing: %s.failed.csv says why\n",
                (unsigned long long)listed, c->output);
    if (errors > 0 && c->packed)
        fprintf(stderr, "platen collect: %s is kept: `platen submit ... --missing-from %s` tries failed rows again\n",
                c->folder, c->output);
    return whole && errors == 0 && c->foreign == 0 ? 0 : 1;
}

// Gathers until the batch is complete, and packs. Before its queue is deleted it is looked at once more: a submitter
// may have come while the output was packed.
static bool gather_and_pack(struct collect *c, const char *journal_path, struct pl_error *err)
{
    struct platen_pdf_layout layout;
    bool has_layout = controls_layout(&c->sheet.controls.values, &layout);
    for (;;) {
        if (!run(c))
            return false;
        if (!c->packs || c->packed)
            return true;
        if (pack(c->folder, journal_path, c->output, ends_with(c->output, ".pdf"), has_layout ? &layout : NULL, err) !=
            PL_OK) {
            fprintf(stderr, "platen collect: %s\n", err->message);
            return false;
        }
        journal_add(&c->journal, PACKED "\n");
        c->packed = journal_sync(&c->journal);
        if (!c->deletes)
            return true;
        c->done = false;
        broker_close(c->client.broker); // packing may have taken longer than a connection without a sign of life lasts
        c->client.broker = NULL;
        client_progress(&c->client);
    }
}

static int collect_all(struct collect *c)
{
    char journal_path[4200], failed_path[4200], kind[160];
    struct pl_error err = {0};
    uint64_t listed = 0;
    snprintf(kind, sizeof kind, JOURNAL_KIND "%s", c->client.batch);
    snprintf(failed_path, sizeof failed_path, "%s.failed.csv", c->output);
    if (!open_output(c, journal_path, sizeof journal_path, kind))
        return 1;
    progress_begin_lines(&c->bar, !c->quiet);
    bool ok = gather_and_pack(c, journal_path, &err);
    progress_end(&c->bar, (size_t)(c->account.good + c->account.failed), (size_t)c->account.failed);
    // Before anything is removed that tells the reasons.
    bool named = failures_write(&c->account, journal_path, kind, c->folder, failed_path, &listed, &err) == PL_OK;
    if (!named)
        fprintf(stderr, "platen collect: %s\n", err.message);
    bool whole = ok && named && account_elsewhere(&c->account) == 0;
    bool failed = c->account.failed + c->account.clashes > 0;
    // One that was killed before it came to this is started again for it.
    if (whole && c->deletes)
        delete_queue(c);
    if (whole) // of results whose workers were killed
        result_files_remove(c->folder, PIECES_BEGIN, (time_t)INT64_MAX);
    if (whole && c->packed && !failed)
        pack_remove_folder(c->folder);
    journal_close(&c->journal);
    return report(c, ok && named, listed);
}

static int usage_error(const char *message)
{
    fprintf(stderr, "platen collect: %s\n", message);
    return 3;
}

static int read_arguments(struct collect *c, int argc, char **argv)
{
    static const struct option OPTIONS[] = {CLIENT_OPTIONS,
                                            CLI_CONTROLS(GROUP_SHEETS),
                                            {"output", required_argument, NULL, 'o'},
                                            {"delete", no_argument, NULL, 'd'},
                                            {"quiet", no_argument, NULL, 'q'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    for (int option; (option = cli_getopt(argc, argv, "o:qh", OPTIONS)) != -1;) {
        bool bad = false;
        if (client_option(&c->client, option, optarg, &bad)) {
            if (bad)
                return 3;
            continue;
        }
        switch (option) {
        case 'o':
            c->output = optarg;
            break;
        case 'd':
            c->deletes = true;
            break;
        case 'q':
            c->quiet = true;
            break;
        case 'h':
            cli_help(stdout, USAGE);
            return 1;
        default:
            if (cli_option(option, optarg, &c->sheet) != CLI_TAKEN)
                return 3;
        }
    }
    if (!client_check(&c->client))
        return 3;
    if (!c->client.batch || !c->output || optind < argc)
        return usage_error("give --batch NAME and -o DIR, FILE.zip or FILE.pdf");
    if (strlen(c->output) > 3500)
        return usage_error("-o: the path is too long");
    for (size_t len = strlen(c->output); len > 1 && c->output[len - 1] == '/'; len--)
        c->output[len - 1] = '\0'; // names of other files begin with it
    c->packs = ends_with(c->output, ".zip") || ends_with(c->output, ".pdf");
    if (controls_of_pdf(&c->sheet.controls) && !ends_with(c->output, ".pdf"))
        return usage_error("the options of a PDF's pages, such as --page-size, need -o FILE.pdf");
    return 0;
}

int command_collect(int argc, char **argv)
{
    struct collect *c = calloc(1, sizeof *c);
    if (!c) {
        fprintf(stderr, "platen collect: not enough memory\n");
        return 1;
    }
    c->folder_fd = -1;
    c->sheet = cli_options_init();
    pl_buf_init(&c->lines, (size_t)16 << 20);
    client_init(&c->client, "collect");
    int status = read_arguments(c, argc, argv);
    status = status ? status - 1 : collect_all(c);
    broker_close(c->client.broker);
    if (c->folder_fd >= 0)
        close(c->folder_fd);
    pl_buf_fini(&c->lines);
    account_free(&c->account);
    free(c);
    return status;
}
