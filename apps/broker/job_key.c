// The key of jobs.
#include "job_key.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/hmac.h"
#include "broker.h"

#define KEY_LEAST 16u // bytes: who tries keys must not find it

enum pl_errc job_key_load(struct job_key *key, const char *path, struct pl_error *err)
{
    PL_TRY(broker_read_secret(path, key->text, sizeof key->text, err));
    struct stat st;
    if (stat(path, &st) == 0 && (st.st_mode & (S_IROTH | S_IWOTH)))
        fprintf(stderr, "platen: --job-key-file: everybody on this machine can read or write %s: chmod o= it\n", path);
    if (strlen(key->text) >= KEY_LEAST)
        return PL_OK;
    key->text[0] = '\0';
    return pl_fail(err, PL_E_INVALID, "%s: a key has 16 to 511 characters in one line", path);
}

void job_key_secret(const struct job_key *key, uint64_t submitter, char out[ACCOUNT_SECRET_SIZE])
{
    char name[48];
    uint8_t mac[PL_HMAC_BYTES];
    int len = snprintf(name, sizeof name, "platen submitter %016llx", (unsigned long long)submitter);
    pl_hmac_sha256(pl_slice_cstr(key->text), pl_slice_make(name, (size_t)len), mac);
    for (size_t i = 0; i < ACCOUNT_SECRET_SIZE / 2; i++)
        snprintf(out + 2 * i, 3, "%02x", mac[i]);
}

bool job_key_proves(const struct job_key *key, const struct account_mark *mark, struct pl_slice id)
{
    char secret[ACCOUNT_SECRET_SIZE];
    if (!key->text[0])
        return true;
    job_key_secret(key, mark->submitter, secret);
    return id.len <= PL_ID_MAX && mark->proof == account_proof(secret, mark, id);
}
