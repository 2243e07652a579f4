// `platen collect`: the results of a batch become files, a ZIP or a PDF. A result is acknowledged when it is on the
// disk and in the journal, so a collector may be killed at any time, and of each id one result is kept.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "batch/names.h"
#include "broker_commands.h"
#include "cli/cli_options.h"
#include "cli/progress.h"
#include "client.h"
#include "journal.h"
#include "os/clock.h"
#include "pack.h"
#include "result_files.h"
#include "work_job.h"

#define PREFETCH 500u
#define GROUP 250u // results that go to the disk together
#define GROUP_NS 200000000u
#define TOLD_MAX 20u
#define MANIFEST "manifest\t" // begins a line of the journal: how many there are
#define PACKED "packed"       // the journal's last line: OUT is there, and the folder is of no use

static const char USAGE[] =
    "usage: platen collect --batch NAME -o DIR|FILE.zip|FILE.pdf [options]\n"
    "\n"
    "Gathers the results of a batch from RabbitMQ until all are there: files named by their ids, ID.error.json where "
    "a\n"
    "job failed. A collector that was killed continues where it stopped. A PDF needs `platen submit --for-pdf`.\n"
    "\n"
    "  -o, --output OUT      folder, ZIP or PDF\n" CLIENT_HELP
    "  --delete              delete the batch's queue when all results are there\n"
    "  -q, --quiet           say nothing but errors\n"
    "\n" CLI_SHEETS_HELP "\n"
    "Exit status: 0 all results are there and good, 1 some are missing or are errors, 2 wrong usage.\n";

struct collect {
    struct client client;
    const char *output;
    bool packs;               // into a ZIP or PDF, from a folder beside it
    struct cli_options sheet; // the pages of a PDF
    bool deletes, quiet;
    char folder[4000];
    int folder_fd;
    struct journal journal;
    struct pl_buf lines; // of the results that are not on the disk yet
    struct pl_id_set ids;
    uint64_t expected;
    bool has_expected; // the submitter has told
    uint64_t good, errors, duplicates, before;
    uint64_t counted; // results of jobs that the submitter has numbered: what others ask for ends no batch
    uint64_t strange; // messages that no worker has sent
    bool told_of_others;
    bool was_connected;
    bool packed; // OUT was there when the collector was killed
    uint64_t last_tag, group_began_ns;
    uint32_t group;
    struct progress_bar bar;
};

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

// Text of others for a terminal.
static void print_safe(const char *before, struct pl_slice text, size_t most)
{
    fputs(before, stderr);
    for (size_t i = 0; i < text.len && i < most; i++)
        fputc(text.ptr[i] >= 0x20 && text.ptr[i] != 0x7F ? text.ptr[i] : ' ', stderr);
}

static void tell(const struct collect *c, struct pl_slice id, struct pl_slice what)
{
    if (c->quiet || c->errors + c->strange > TOLD_MAX)
        return;
    print_safe(c->bar.any ? "\r\033[Kplaten collect: " : "platen collect: ", id, PL_ID_MAX);
    print_safe(": ", what, 300);
    fputc('\n', stderr);
}

static enum pl_errc keep(struct collect *c, const struct broker_message *m, const struct result_file *result,
                         struct pl_error *err)
{
    struct pl_slice text;
    uint64_t sequence = 0;
    struct result_file file = *result;
    if (broker_header_of(m, HEADER_SEQUENCE, &text) && !pl_parse_u64(text, &sequence))
        sequence = 0;
    if (c->packs && file.ok) { // as it came, until it is packed
        file.type = pl_slice_cstr("application/octet-stream");
        file.ending = pl_slice_cstr("result");
    }
    // Not as an error of the connection: what cannot be written now is not in the journal, and comes again.
    if (result_files_write(c->folder, &file, false, err) != PL_OK)
        return err->code = PL_E_BUG;
    if (pl_id_set_add(&c->ids, m->id) == PL_ID_NO_MEMORY)
        return pl_fail(err, PL_E_BUG, "not enough memory");
    *(file.ok ? &c->good : &c->errors) += 1;
    c->counted += sequence > 0;
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

static enum pl_errc take(struct collect *c, const struct broker_message *m, struct pl_error *err)
{
    struct pl_slice text;
    if (c->group == 0)
        c->group_began_ns = pl_now_ns();
    c->group++;
    c->last_tag = m->tag;
    client_progress(&c->client);
    if (broker_header_of(m, HEADER_KIND, &text) && pl_slice_eq_cstr(text, "manifest")) {
        if (broker_header_of(m, HEADER_COUNT, &text) && pl_parse_u64(text, &c->expected)) {
            c->has_expected = true;
            pl_buf_printf(&c->lines, MANIFEST "%llu\n", (unsigned long long)c->expected);
        }
        return PL_OK;
    }
    struct result_file result = {.id = m->id, .body = m->body, .type = m->type, .ending = pl_slice_cstr("bin")};
    (void)broker_header_of(m, HEADER_ENDING, &result.ending);
    result.ok = broker_header_of(m, HEADER_OK, &text) && pl_slice_eq_cstr(text, "true");
    if (!result_usable(&result)) {
        c->strange++;
        tell(c, m->id, pl_slice_cstr("this is no result of a worker; it is dropped"));
        return PL_OK;
    }
    if (pl_id_set_has(&c->ids, m->id)) {
        c->duplicates++;
        return PL_OK;
    }
    return keep(c, m, &result, err);
}

static bool complete(const struct collect *c)
{
    return c->has_expected && c->counted >= c->expected;
}

static enum pl_errc gather(struct collect *c, struct pl_error *err)
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
    uint32_t consumer;
    PL_TRY(broker_consume(c->client.broker, c->client.batch, PREFETCH, &consumer, err));
    while (!complete(c) || c->group > 0) {
        struct broker_told told;
        enum broker_event event = broker_next(c->client.broker, 100, &told, err);
        if (event == BROKER_GONE)
            return err->code;
        if (event == BROKER_DELIVERY || event == BROKER_RETURNED) {
            enum pl_errc code = event == BROKER_DELIVERY ? take(c, &told.message, err) : PL_OK;
            free(told.message.memory);
            PL_TRY(code);
        }
        if (c->group >= GROUP || complete(c) || (c->group > 0 && pl_now_ns() - c->group_began_ns > GROUP_NS))
            PL_TRY(finish_group(c, err));
        progress_tell(&c->bar, c->has_expected && c->expected ? (double)c->counted / (double)c->expected : -1,
                      c->ids.count, (size_t)c->errors);
        if (client_gives_up(&c->client))
            return pl_fail(err, PL_E_DEADLINE, "gave up: nothing came for as long as --wait says");
    }
    return PL_OK;
}

// ---- the whole

static bool run(struct collect *c)
{
    struct pl_error err = {0};
    while (!complete(c)) {
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

// Packing may have taken longer than a connection without a sign of life lasts: a second try has a new one.
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
    if (!pack_row_read(line, &row)) {
        size_t len = strlen(MANIFEST);
        if (line.len > len && memcmp(line.ptr, MANIFEST, len) == 0 &&
            pl_parse_u64(pl_slice_sub(line, len, line.len), &c->expected))
            c->has_expected = true;
        return;
    }
    if (pl_id_set_add(&c->ids, row.id) == PL_ID_NEW) {
        *(row.ok ? &c->good : &c->errors) += 1;
        c->counted += row.sequence > 0;
        c->before++;
    }
}

static bool open_output(struct collect *c, char *journal_path, size_t size)
{
    struct pl_error err = {0};
    char kind[160];
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
    snprintf(kind, sizeof kind, "platen-collect %s", c->client.batch);
    if (journal_open(&c->journal, journal_path, kind, kind, &(struct journal_reader){.line = read_line, .user = c},
                     &err) != PL_OK) {
        fprintf(stderr, "platen collect: %s\n", err.message);
        return false;
    }
    // Of a collector that was killed: this one has the journal to itself.
    result_files_remove_torn(c->folder, (time_t)INT64_MAX);
    return true;
}

static bool ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a > b && strcasecmp(text + a - b, end) == 0;
}

static int report(struct collect *c, bool ok)
{
    bool whole = ok && complete(c);
    if (c->strange > 0)
        fprintf(stderr, "platen collect: %llu messages of others were dropped\n", (unsigned long long)c->strange);
    if (!c->quiet)
        fprintf(stderr, "%llu results, %llu of them errors; %llu duplicates; %s\n",
                (unsigned long long)(c->good + c->errors), (unsigned long long)c->errors,
                (unsigned long long)c->duplicates, whole ? "none missing" : "some are missing");
    if (!whole && c->has_expected && c->counted < c->expected)
        fprintf(stderr,
                "platen collect: %llu of %llu are missing: `platen submit ... --missing-from %s` sends them again\n",
                (unsigned long long)(c->expected - c->counted), (unsigned long long)c->expected, c->output);
    return whole && c->errors == 0 ? 0 : 1;
}

static int collect_all(struct collect *c)
{
    char journal_path[4200];
    struct pl_error err = {0};
    struct platen_pdf_layout layout;
    bool has_layout = controls_layout(&c->sheet.controls.values, &layout);
    if (!open_output(c, journal_path, sizeof journal_path))
        return 1;
    progress_begin(&c->bar, !c->quiet);
    bool ok = run(c);
    progress_end(&c->bar, c->ids.count, (size_t)c->errors);
    if (ok && c->packs && !c->packed) {
        ok = pack(c->folder, journal_path, c->output, ends_with(c->output, ".pdf"), has_layout ? &layout : NULL,
                  &err) == PL_OK;
        if (!ok)
            fprintf(stderr, "platen collect: %s\n", err.message);
        else
            journal_add(&c->journal, PACKED "\n");
        c->packed = ok && journal_sync(&c->journal);
    }
    // After the results are in place; one that was killed before it came to this is started again for it.
    if (ok && c->deletes)
        delete_queue(c);
    if (c->packed)
        pack_remove_folder(c->folder);
    journal_close(&c->journal);
    return report(c, ok);
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
    pl_id_set_free(&c->ids);
    free(c);
    return status;
}
