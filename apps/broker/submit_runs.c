// Numbering the documents of several runs.
#include "submit_runs.h"

#include <string.h>

#include "account.h"
#include "base/hash.h"

#define RUN_BITS 32      // of a place: above them is the number of the run
#define LINE "\tinputs " // no id has a tab

void submit_runs_add_input(struct submit_runs *runs, const char *name)
{
    runs->inputs = runs->inputs * 0x9E3779B97F4A7C15u + pl_hash_fnv1a(pl_slice_cstr(name));
}

bool submit_runs_read(struct submit_runs *runs, struct pl_slice line)
{
    char own[64];
    if (line.len == 0 || line.ptr[0] != '\t')
        return false;
    snprintf(own, sizeof own, LINE "%016llx", (unsigned long long)runs->inputs);
    if (!runs->is_known && pl_slice_eq_cstr(line, own)) {
        runs->is_known = true;
        runs->own = runs->count;
    }
    runs->count++;
    return true;
}

void submit_runs_begin(struct submit_runs *runs, struct journal *journal)
{
    if (runs->is_known)
        return;
    runs->own = runs->count;
    journal_add(journal, LINE "%016llx\n", (unsigned long long)runs->inputs);
}

bool row_line_read(struct pl_slice line, uint64_t *hash, struct pl_slice *id)
{
    if (line.len < 18 || line.ptr[16] != '\t')
        return false;
    *id = pl_slice_sub(line, 17, line.len);
    return account_token_read(pl_slice_sub(line, 0, 16), hash);
}

uint64_t submit_runs_place(const struct submit_runs *runs, uint64_t number)
{
    return (runs->own << RUN_BITS) + number;
}
