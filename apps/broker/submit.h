// `platen submit`: what its files share.
#ifndef BROKER_SUBMIT_H
#define BROKER_SUBMIT_H

#include "cancelled.h"
#include "cli/cli_io.h"
#include "cli/cli_options.h"
#include "cli/path_list.h"
#include "cli/progress.h"
#include "cli/row_source.h"
#include "client.h"
#include "job_key.h"
#include "submit_job.h"
#include "submit_runs.h"

#define SUBMIT_WINDOW 1000u                  // jobs that are published and not confirmed
#define SUBMIT_GROUP_LEAST 50u               // rows in one message at first, unless --group says otherwise
#define SUBMIT_GROUP_MOST 250u               // and later
#define SUBMIT_RECONNECT 4u                  // rejections in turn after which it connects again
#define SUBMIT_MAKING "\tmaking"             // a line of the journal: the batch may be there without marks
#define SUBMIT_MARKED "\tentered"            // a line of the journal: the batch has the mark of this submitter
#define SUBMIT_CLOSED "\tclosed"             // a line of the journal: the account has the end of the rows before it
#define SUBMIT_LIST_BYTES ((size_t)64 << 10) // of one message to the account, more or less
#define SUBMIT_GAVE_UP "gave up: the broker confirmed nothing for as long as --wait says"

struct sent {
    struct row_document document;
    uint64_t sequence, hash, proof;
    uint64_t number; // of its publication; 0: it has to be published
    uint32_t turn;   // the queue that it goes to
    bool used;
    bool listed; // the batch's account has it
};

struct submit {
    struct client client;
    struct cli_options options;
    struct path_list inputs;
    struct row_source source;
    struct template template;
    const char *journal_path, *missing, *template_path;
    struct job_key key;
    const char *output; // NULL: another command collects
    char *made_path;
    bool for_pdf, quiet, joins;
    bool again;     // also what was sent before
    uint32_t group; // rows in one message at most; 0: more and more
    enum row_kind rows;
    struct journal journal;
    struct pl_buf refusals;           // lines for the account that are not sent yet
    int64_t time;                     // the clock of the batch
    struct pl_id_set done;            // in the journal, or with a result
    struct pl_id_set seen;            // in this run
    struct pl_id_set known;           // ids that this submitter has listed, in this run and before
    struct pl_id_set sent;            // lines of the journal: hash and id
    uint64_t token;                   // of this submitter; the journal keeps it
    char secret[ACCOUNT_SECRET_SIZE]; // and this
    struct pl_hmac_key key_of_rows;   // made of the secret
    uint32_t attempt;                 // of this run
    uint64_t account;                 // number of the message to the account that is not confirmed; 0: none
    bool account_rejected;
    bool blocked; // the broker reads nothing more from this connection for now
    struct cancelled cancelled;
    uint64_t told_ns; // when the registry had its last record
    bool begun;       // the journal is of a run that has entered the batch
    bool marked;      // and has left a mark there, which the batch has as long as it is the same one
    bool entered;     // this one has
    bool making;      // it makes the batch, or a run before it did and was broken off
    bool closed;      // the account has its end: no row was listed behind it, in this run or before
    bool told;        // this run has told it, and the broker perhaps knows it
    bool over;        // it does, and the batch was collected and deleted since then
    bool left;        // this run has sent all and told it
    bool stopped;     // it ends without that
    bool changed;     // the input is not what the journal says; a line was printed
    struct sent window[SUBMIT_WINDOW];
    uint32_t in_window;
    uint64_t sequence, confirmed, skipped, refused, noted;
    struct progress_bar bar;
    uint64_t synced_ns;
    uint64_t pause_until_ns; // no job is sent before
    uint32_t rejections;     // in turn
    uint32_t reconnect_at;   // so many of them
    struct submit_runs runs;
};

// Sends all rows and ends the submitter's part of the account. False: it could not; a line was printed.
bool submit_run(struct submit *s);
// What the broker has to say, after `wait_ms` at most.
enum pl_errc submit_listen(struct submit *s, uint32_t wait_ms, struct pl_error *err) PL_MUST_USE;
void submit_sync_journal(struct submit *s, bool now);

// ---- the account of the batch (submit_account.c)

// May this submitter add to the batch? Declares its queue.
enum pl_errc submit_enter(struct submit *s, struct pl_error *err) PL_MUST_USE;
// Notes a row that is no job, for the next message.
void submit_note_refusal(struct submit *s, struct pl_slice id, const char *why);
// Lists rows that were refused, and rows of the window that the account does not have yet. Their jobs are sent when it
// has them. Now and then it asks whether the batch was cancelled (PL_E_INVALID), and tells `platen batch` how it goes.
enum pl_errc submit_list_window(struct submit *s, struct pl_error *err) PL_MUST_USE;
// All rows are sent.
enum pl_errc submit_leave(struct submit *s, struct pl_error *err) PL_MUST_USE;
// It ends before that: `platen batch` is told, and the account, if this run has listed no row.
void submit_stop(struct submit *s);

#endif
