// The account of a batch: its submitters, its rows, and what became of each row. A submitter lists a row before it
// sends its job, so a collector that reads the batch's queue in order knows each row before its result.
#ifndef BROKER_ACCOUNT_H
#define BROKER_ACCOUNT_H

#include "base/hmac.h"
#include "batch/names.h"

// What a row's job and result carry (HEADER_ROW). `submitter` is a random number of each submitter, which others do not
// know; `hash` is of the row's content; `attempt` is another one in each run of a submitter.
#define ACCOUNT_REFUSED 0 // the hash of a row that its submitter refused: a later run may send it
struct account_mark {
    uint64_t submitter, hash;
    uint32_t attempt;
    uint64_t proof; // of a job and its result: account_proof; 0: none
};
#define ACCOUNT_MARK_SIZE 43 // as text, with its NUL
void account_mark_write(const struct account_mark *mark, char out[ACCOUNT_MARK_SIZE]);
bool account_mark_read(struct pl_slice text, struct account_mark *out);
bool account_token_read(struct pl_slice text, uint64_t *out); // a submitter or a hash: 16 digits
// The same with the proof behind it; what has none is read, too.
#define ACCOUNT_PROVEN_SIZE (ACCOUNT_MARK_SIZE + 17)
void account_proven_write(const struct account_mark *mark, char out[ACCOUNT_PROVEN_SIZE]);
bool account_proven_read(struct pl_slice text, struct account_mark *out);

// A number as text that a submitter shares with the collectors of its batch: a random one, or made of the key of jobs
// (job_key.h). It is in the batch's queue and in their journals, so who can read those knows it, and who has the key;
// others do not. A row's job has a proof that is made with it, and its result has the same. So who has not seen the
// job, and knows no secret, cannot make its result.
#define ACCOUNT_SECRET_SIZE 33 // with its NUL; empty: none, as of submitters before 1.2.0
bool account_secret_read(struct pl_slice text, char out[ACCOUNT_SECRET_SIZE]);
// Of the row with this id, in all its attempts.
uint64_t account_proof(const char *secret, const struct account_mark *mark, struct pl_slice id);
// The same by a secret that was prepared with pl_hmac_prepare, for many rows.
uint64_t account_proof_by(const struct pl_hmac_key *key, const struct account_mark *mark, struct pl_slice id);

enum account_state {
    ACCOUNT_UNKNOWN,
    ACCOUNT_PENDING,
    ACCOUNT_GOOD,
    ACCOUNT_FAILED,
    ACCOUNT_CLASH // another submitter has listed another row under its id
};

struct account_row {
    uint64_t id, hash; // hash of the id; 0: an empty place
    uint32_t attempt;
    enum account_state state;
};

struct account_submitter {
    uint64_t token;
    uint64_t rows;  // that it has listed
    uint64_t total; // that it says it has listed, at its end
    bool closed;    // it has sent all
    char secret[ACCOUNT_SECRET_SIZE];
    struct pl_hmac_key key; // of it
};

struct account {
    struct account_row *rows; // by their ids
    size_t capacity, count;
    struct pl_id_set listed; // submitter, id and hash of each row that was listed
    struct account_submitter *submitters;
    size_t submitter_count;
    uint64_t pending, good, failed, clashes;
    bool cancelled; // nobody waits for what is pending
};

void account_free(struct account *account);
// A submitter begins or goes on: the batch is not complete before it ends. False: no memory.
bool account_open(struct account *account, uint64_t submitter);
// A row that is to be done, or once more: a failed one waits again. Its submitter begins or goes on. False: no
// memory.
bool account_list(struct account *account, const struct account_mark *mark, struct pl_slice id);
// The same for a row that others send again: its submitter has ended if it had. One that is not known is left out.
bool account_list_again(struct account *account, const struct account_mark *mark, struct pl_slice id);
// Notes the secret of a submitter that is not known yet; one that is known without a secret has none for ever. False:
// it is known with another one, or no memory.
bool account_share(struct account *account, uint64_t submitter, const char *secret);
// Has who made the result seen the row's job? True where its submitter has no secret, or is not known.
bool account_is_proven(const struct account *account, const struct account_mark *mark, struct pl_slice id);
// The submitter has ended; `total` is how many rows it has listed in all its runs.
bool account_close(struct account *account, uint64_t submitter, uint64_t total);

enum account_verdict {
    ACCOUNT_KEEP,    // it is the row's result
    ACCOUNT_KNOWN,   // the row has one that is as good, or this one is of an earlier attempt, or of a clash
    ACCOUNT_FOREIGN, // no submitter has listed it here
};
enum account_verdict account_judge(const struct account *account, const struct account_mark *mark, struct pl_slice id,
                                   bool ok);
// The row has this result now.
void account_settle(struct account *account, struct pl_slice id, bool ok);
enum account_state account_state_of(const struct account *account, const struct account_mark *mark, struct pl_slice id);

// All submitters have ended, and each row is good, failed or a clash; or the batch was cancelled.
bool account_is_settled(const struct account *account);
// Rows that submitters have listed to another collector.
uint64_t account_elsewhere(const struct account *account);
size_t account_index(const struct account *account, uint64_t submitter); // SIZE_MAX: it is not known

#endif
