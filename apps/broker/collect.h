// `platen collect`: what its files share.
#ifndef BROKER_COLLECT_H
#define BROKER_COLLECT_H

#include "account.h"
#include "cli/cli_options.h"
#include "cli/progress.h"
#include "client.h"
#include "ending.h"
#include "group.h"
#include "journal.h"
#include "pack.h"

// Begins a line of the journal: submitter, tab, how many rows it has listed.
#define COLLECT_CLOSED "closed\t"
#define COLLECT_OPEN "open\t"     // submitter, tab, "-": it has begun or goes on, and has listed nothing since then
#define COLLECT_AGAIN "again\t"   // as a row (failures.h), but sent again by others
#define COLLECT_SECRET "secret\t" // submitter, tab, its secret
#define COLLECT_CANCELLED "cancelled"
#define COLLECT_KIND "platen-collect-2 " // how the title of the journal begins; the batch follows
#define COLLECT_WORKERS 32u

struct collect_worker {
    char name[80];
    uint64_t results;
};

struct collect {
    struct client client;
    const char *output;
    bool packs;               // into a ZIP or PDF, from a folder beside it
    struct cli_options sheet; // the pages of a PDF
    bool deletes, quiet;
    char folder[4000];
    char journal_path[4200];
    int folder_fd;
    struct journal journal;
    struct pl_buf lines; // of the results that are not on the disk yet
    struct account account;
    uint64_t told, duplicates;
    uint64_t strange; // messages that no worker has sent
    uint64_t forged;  // results of rows whose job their maker has not seen
    uint64_t foreign; // results of rows that were listed to another collector, in OUT.foreign
    enum ending ending;
    uint64_t ending_ns; // when that began, or its last fence was sent
    char fence[24];     // the last one that was sent
    bool fence_came;
    bool written;    // OUT.failed.csv is, of a batch that was complete, and nothing has come since then
    uint64_t listed; // rows in it
    bool told_of_others, told_of_absence, told_of_emptiness;
    bool was_connected;
    bool packed;     // OUT has all results
    bool any_failed; // a result was an error, now or before
    bool no_memory;  // for the journal
    uint64_t last_tag, group_began_ns;
    uint32_t group;                   // messages that are not acknowledged
    uint32_t group_rows;              // and results in them
    int data_fd;                      // results that are packed later, one behind the other
    struct pl_buf data;               // the last of them, which are not in the file yet
    uint64_t data_end;                // with these
    bool data_written, files_written; // since the last group
    struct pack_checker checker;
    struct platen_pdf_layout layout;
    struct packer *packer; // NULL: nothing is packed
    // For `platen batch status`.
    struct collect_worker workers[COLLECT_WORKERS];
    uint32_t worker_count;
    uint64_t told_ns, told_ended, rate;
    struct broker *news; // a connection of its own: during an alarm RabbitMQ reads nothing more from those that publish
    bool news_blocked;
    struct progress_bar bar;
};

// Takes a message: a result, or what submitters say of the batch.
enum pl_errc collect_take(struct collect *c, const struct broker_message *m, struct pl_error *err) PL_MUST_USE;
// What is written goes to the disk, then into the journal, and is acknowledged then.
enum pl_errc collect_finish_group(struct collect *c, struct pl_error *err) PL_MUST_USE;

// A line of the journal, for its reader; `user` is the collector.
void collect_read_line(void *user, struct pl_slice line);

// ---- collect_gather.c

// Until each row has a result, or the rest will not come; over as many connections as it takes. False: it gave up; a
// line was printed.
bool collect_gather(struct collect *c);
// Submitters that have not listed all their rows.
uint64_t collect_open_submitters(const struct collect *c);
// Writes OUT.failed.csv.
enum pl_errc collect_write_failures(struct collect *c, struct pl_error *err) PL_MUST_USE;
// What may take long is done before the batch is locked.
enum pl_errc collect_prepare_for_lock(struct collect *c, struct pl_error *err) PL_MUST_USE;

// ---- news for `platen batch` (collect_news.c)

void collect_count_worker(struct collect *c, struct pl_slice name);
// A record, if it is time for one, or `now`.
void collect_tell(struct collect *c, bool now);

#endif
