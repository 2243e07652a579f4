// A key that submitters and workers share (--job-key-file). A submitter makes its secret of it, so a worker can tell
// whether a job is of somebody who has the key.
#ifndef BROKER_JOB_KEY_H
#define BROKER_JOB_KEY_H

#include "account.h"
#include "base/err.h"

struct job_key {
    char text[513]; // empty: there is none
};

// Reads the first line of the file.
enum pl_errc job_key_load(struct job_key *key, const char *path, struct pl_error *err) PL_MUST_USE;
void job_key_secret(const struct job_key *key, uint64_t submitter, char out[ACCOUNT_SECRET_SIZE]);
// Is the job of this row of somebody who has the key, or has seen such a job? True where there is none.
bool job_key_proves(const struct job_key *key, const struct account_mark *mark, struct pl_slice id);

#endif
