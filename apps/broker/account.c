// Keeping a batch's account.
#include "account.h"

#include <stdlib.h>
#include <string.h>

#include "base/fmt.h"

#define FIRST_ROWS ((size_t)1024)

// ---- marks

static void put_hex(uint64_t value, unsigned digits, char *out)
{
    for (; digits > 0; value >>= 4)
        out[--digits] = "0123456789abcdef"[value & 15];
}

void account_mark_write(const struct account_mark *mark, char out[ACCOUNT_MARK_SIZE])
{
    put_hex(mark->submitter, 16, out);
    out[16] = ' ';
    put_hex(mark->hash, 16, out + 17);
    out[33] = ' ';
    put_hex(mark->attempt, 8, out + 34);
    out[42] = '\0';
}

static bool read_hex(struct pl_slice text, uint64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < text.len; i++) {
        int digit = pl_hex_value(text.ptr[i]);
        if (digit < 0)
            return false;
        *out = *out << 4 | (uint64_t)digit;
    }
    return true;
}

bool account_token_read(struct pl_slice text, uint64_t *out)
{
    return text.len == 16 && read_hex(text, out);
}

bool account_mark_read(struct pl_slice text, struct account_mark *out)
{
    uint64_t attempt;
    if (text.len != ACCOUNT_MARK_SIZE - 1 || text.ptr[16] != ' ' || text.ptr[33] != ' ' ||
        !read_hex(pl_slice_sub(text, 0, 16), &out->submitter) || !read_hex(pl_slice_sub(text, 17, 16), &out->hash) ||
        !read_hex(pl_slice_sub(text, 34, 8), &attempt))
        return false;
    out->attempt = (uint32_t)attempt;
    out->proof = 0;
    return true;
}

void account_proven_write(const struct account_mark *mark, char out[ACCOUNT_PROVEN_SIZE])
{
    account_mark_write(mark, out);
    if (mark->proof == 0)
        return;
    out[ACCOUNT_MARK_SIZE - 1] = ' ';
    put_hex(mark->proof, 16, out + ACCOUNT_MARK_SIZE);
    out[ACCOUNT_PROVEN_SIZE - 1] = '\0';
}

bool account_proven_read(struct pl_slice text, struct account_mark *out)
{
    size_t end = ACCOUNT_MARK_SIZE - 1;
    if (!account_mark_read(pl_slice_sub(text, 0, end), out))
        return false;
    return text.len == end ||
           (text.ptr[end] == ' ' && account_token_read(pl_slice_sub(text, end + 1, text.len), &out->proof));
}

// ---- secrets

bool account_secret_read(struct pl_slice text, char out[ACCOUNT_SECRET_SIZE])
{
    uint64_t half;
    if (text.len != ACCOUNT_SECRET_SIZE - 1 || !account_token_read(pl_slice_sub(text, 0, 16), &half) ||
        !account_token_read(pl_slice_sub(text, 16, 16), &half))
        return false;
    memcpy(out, text.ptr, text.len);
    out[text.len] = '\0';
    return true;
}

uint64_t account_proof_by(const struct pl_hmac_key *key, const struct account_mark *mark, struct pl_slice id)
{
    char row[ACCOUNT_MARK_SIZE + PL_ID_MAX];
    uint8_t mac[PL_HMAC_BYTES];
    uint64_t proof = 0;
    if (id.len > PL_ID_MAX)
        return 0;
    enum { AT_ID = 34 }; // behind submitter, blank, hash, blank
    account_mark_write(mark, row);
    memcpy(row + AT_ID, id.ptr, id.len);
    pl_hmac_by(key, pl_slice_make(row, AT_ID + id.len), mac);
    for (int i = 0; i < 8; i++)
        proof = proof << 8 | mac[i];
    return proof ? proof : 1;
}

uint64_t account_proof(const char *secret, const struct account_mark *mark, struct pl_slice id)
{
    struct pl_hmac_key key;
    pl_hmac_prepare(&key, pl_slice_cstr(secret));
    return secret[0] ? account_proof_by(&key, mark, id) : 0;
}

// ---- submitters

size_t account_index(const struct account *account, uint64_t submitter)
{
    for (size_t i = 0; i < account->submitter_count; i++) {
        if (account->submitters[i].token == submitter)
            return i;
    }
    return SIZE_MAX;
}

static size_t find_or_add(struct account *account, uint64_t submitter)
{
    size_t index = account_index(account, submitter), count = account->submitter_count;
    if (index != SIZE_MAX)
        return index;
    struct account_submitter *more = realloc(account->submitters, (count + 1) * sizeof *more);
    if (!more)
        return SIZE_MAX;
    account->submitters = more;
    more[count] = (struct account_submitter){.token = submitter};
    return account->submitter_count++;
}

// It begins or goes on. Its index; SIZE_MAX: no memory.
static size_t open_submitter(struct account *account, uint64_t submitter)
{
    size_t index = find_or_add(account, submitter);
    if (index != SIZE_MAX)
        account->submitters[index].closed = false;
    return index;
}

bool account_open(struct account *account, uint64_t submitter)
{
    return open_submitter(account, submitter) != SIZE_MAX;
}

// ---- rows

static struct account_row *place_of(const struct account *account, uint64_t key)
{
    size_t mask = account->capacity - 1, i = (size_t)key & mask;
    while (account->rows[i].id != 0 && account->rows[i].id != key)
        i = (i + 1) & mask;
    return &account->rows[i];
}

static struct account_row *find(const struct account *account, struct pl_slice id)
{
    struct account_row *row = account->capacity > 0 ? place_of(account, pl_id_hash(id)) : NULL;
    return row && row->id != 0 ? row : NULL;
}

static bool grow(struct account *account)
{
    struct account larger = {.capacity = account->capacity ? account->capacity * 2 : FIRST_ROWS};
    larger.rows = calloc(larger.capacity, sizeof *larger.rows);
    if (!larger.rows)
        return false;
    for (size_t i = 0; i < account->capacity; i++) {
        if (account->rows[i].id != 0)
            *place_of(&larger, account->rows[i].id) = account->rows[i];
    }
    free(account->rows);
    account->rows = larger.rows;
    account->capacity = larger.capacity;
    return true;
}

// What `listed` holds of a row: not its attempt.
struct listed_key {
    uint64_t submitter, hash, id;
};

static struct listed_key listed_key(const struct account_mark *mark, struct pl_slice id)
{
    return (struct listed_key){mark->submitter, mark->hash, pl_id_hash(id)};
}

static bool was_listed_as(const struct account *account, struct account_mark mark, uint64_t hash, struct pl_slice id)
{
    mark.hash = hash;
    struct listed_key key = listed_key(&mark, id);
    return pl_id_set_has(&account->listed, pl_slice_make(&key, sizeof key));
}

static bool is_listed(const struct account *account, const struct account_mark *mark, struct pl_slice id)
{
    return was_listed_as(account, *mark, mark->hash, id);
}

// Of a row that was refused: has its submitter sent it in another run?
static bool is_superseded(const struct account *account, const struct account_mark *mark, const struct account_row *row,
                          struct pl_slice id)
{
    return mark->hash == ACCOUNT_REFUSED && row->hash != ACCOUNT_REFUSED &&
           was_listed_as(account, *mark, row->hash, id);
}

static uint64_t *count_of(struct account *account, enum account_state state)
{
    return state == ACCOUNT_GOOD ? &account->good : state == ACCOUNT_FAILED ? &account->failed : &account->pending;
}

static void move(struct account *account, struct account_row *row, enum account_state state)
{
    *count_of(account, row->state) -= 1;
    row->state = state;
    *count_of(account, state) += 1;
}

bool account_list(struct account *account, const struct account_mark *mark, struct pl_slice id)
{
    size_t index = open_submitter(account, mark->submitter);
    if (index == SIZE_MAX || (account->count >= account->capacity / 2 && !grow(account)))
        return false;
    struct listed_key key = listed_key(mark, id);
    enum pl_id_added added = pl_id_set_add(&account->listed, pl_slice_make(&key, sizeof key));
    if (added == PL_ID_NO_MEMORY)
        return false;
    account->submitters[index].rows += added == PL_ID_NEW;
    struct account_row *row = place_of(account, key.id);
    if (row->id == 0) {
        *row = (struct account_row){key.id, mark->hash, mark->attempt, ACCOUNT_PENDING};
        account->count++;
        account->pending++;
        return true;
    }
    if (row->hash == ACCOUNT_REFUSED && was_listed_as(account, *mark, ACCOUNT_REFUSED, id))
        row->hash = mark->hash; // it is sent now
    if (row->hash != mark->hash) {
        account->clashes += added == PL_ID_NEW && !is_superseded(account, mark, row, id);
    } else if (row->attempt != mark->attempt) {
        row->attempt = mark->attempt;
        if (row->state == ACCOUNT_FAILED)
            move(account, row, ACCOUNT_PENDING);
    }
    return true;
}

enum account_verdict account_judge(const struct account *account, const struct account_mark *mark, struct pl_slice id,
                                   bool ok)
{
    const struct account_row *row = find(account, id);
    if (!row || !is_listed(account, mark, id))
        return ACCOUNT_FOREIGN;
    if (row->hash != mark->hash || row->state == ACCOUNT_GOOD)
        return ACCOUNT_KNOWN;
    // An error of an earlier attempt does not end a later one.
    return ok || (row->state == ACCOUNT_PENDING && row->attempt == mark->attempt) ? ACCOUNT_KEEP : ACCOUNT_KNOWN;
}

void account_settle(struct account *account, struct pl_slice id, bool ok)
{
    struct account_row *row = find(account, id);
    if (row && row->state != ACCOUNT_GOOD)
        move(account, row, ok ? ACCOUNT_GOOD : ACCOUNT_FAILED);
}

enum account_state account_state_of(const struct account *account, const struct account_mark *mark, struct pl_slice id)
{
    const struct account_row *row = find(account, id);
    if (!row)
        return ACCOUNT_UNKNOWN;
    return row->hash == mark->hash || is_superseded(account, mark, row, id) ? row->state : ACCOUNT_CLASH;
}

// ---- what submitters tell

bool account_share(struct account *account, uint64_t submitter, const char *secret)
{
    size_t index = account_index(account, submitter);
    bool is_new = index == SIZE_MAX;
    if (is_new)
        index = find_or_add(account, submitter);
    if (index == SIZE_MAX)
        return false;
    if (is_new) {
        memcpy(account->submitters[index].secret, secret, strlen(secret) + 1);
        pl_hmac_prepare(&account->submitters[index].key, pl_slice_cstr(secret));
    }
    const char *known = account->submitters[index].secret;
    return !known[0] || pl_secret_eq(pl_slice_cstr(known), pl_slice_cstr(secret));
}

bool account_is_proven(const struct account *account, const struct account_mark *mark, struct pl_slice id)
{
    size_t index = account_index(account, mark->submitter);
    const struct account_submitter *submitter = index != SIZE_MAX ? &account->submitters[index] : NULL;
    bool has_secret = submitter && submitter->secret[0];
    return id.len <= PL_ID_MAX && (!has_secret || mark->proof == account_proof_by(&submitter->key, mark, id));
}

bool account_close(struct account *account, uint64_t submitter, uint64_t total)
{
    size_t index = find_or_add(account, submitter);
    if (index == SIZE_MAX)
        return false;
    account->submitters[index].closed = true;
    account->submitters[index].total = total;
    return true;
}

bool account_list_again(struct account *account, const struct account_mark *mark, struct pl_slice id)
{
    size_t index = account_index(account, mark->submitter);
    if (index == SIZE_MAX || !is_listed(account, mark, id))
        return true;
    bool closed = account->submitters[index].closed;
    bool ok = account_list(account, mark, id);
    account->submitters[index].closed = closed;
    return ok;
}

bool account_is_settled(const struct account *account)
{
    if (account->cancelled)
        return true;
    for (size_t i = 0; i < account->submitter_count; i++) {
        if (!account->submitters[i].closed)
            return false;
    }
    return account->submitter_count > 0 && account->pending == 0;
}

uint64_t account_elsewhere(const struct account *account)
{
    uint64_t count = 0;
    for (size_t i = 0; i < account->submitter_count; i++) {
        const struct account_submitter *s = &account->submitters[i];
        count += s->closed && s->total > s->rows ? s->total - s->rows : 0;
    }
    return count;
}

void account_free(struct account *account)
{
    free(account->rows);
    free(account->submitters);
    pl_id_set_free(&account->listed);
    *account = (struct account){0};
}
