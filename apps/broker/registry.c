// Writing and reading the records of batches.
#include "registry.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "drain.h"
#include "os/clock.h"
#include "work_job.h"

// A record is not worth more.
#define LAST_WAIT_NS UINT64_C(10000000000)

static const char *const WHO[] = {"submitter", "collector", "deleted"};

// Fields of a record, as headers of its message.
static const struct {
    const char *header;
    size_t at, size; // size 0: a number; 1: a flag
} FIELDS[] = {
#define TEXT(header, member)                                                                                           \
    {                                                                                                                  \
        header, offsetof(struct registry_record, member), sizeof((struct registry_record *)0)->member                  \
    }
#define NUMBER(header, member)                                                                                         \
    {                                                                                                                  \
        header, offsetof(struct registry_record, member), 0                                                            \
    }
#define FLAG(header, member)                                                                                           \
    {                                                                                                                  \
        header, offsetof(struct registry_record, member), 1                                                            \
    }
    TEXT(HEADER_BATCH, batch),
    TEXT("x-platen-name", name),
    TEXT(HEADER_HOST, host),
    TEXT(HEADER_OUTPUT, output),
    TEXT("x-platen-workers", workers),
    NUMBER(HEADER_TIME, time_s),
    NUMBER("x-platen-rows", rows),
    NUMBER("x-platen-sent", sent),
    NUMBER("x-platen-good", good),
    NUMBER("x-platen-failed", failed),
    NUMBER("x-platen-rate", rate),
    FLAG("x-platen-ended", ended),
    FLAG("x-platen-cancelled", cancelled),
    FLAG("x-platen-stopped", stopped),
};

void registry_own_name(char *out, size_t size)
{
    char host[65] = "";
    (void)gethostname(host, sizeof host - 1);
    snprintf(out, size, "%s:%d", host, (int)getpid());
}

// Nobody hears of what the broker tells meanwhile: it is the last that this program says.
static enum pl_errc wait_until_taken(struct broker *broker, uint64_t number, struct pl_error *err)
{
    const uint64_t end_ns = pl_now_ns() + LAST_WAIT_NS;
    struct broker_told told = {0};
    while (pl_now_ns() < end_ns) {
        enum broker_event event = broker_next(broker, 200, &told, err);
        if (event == BROKER_GONE)
            return err->code;
        if (event == BROKER_DELIVERY || event == BROKER_RETURNED)
            free(told.message.memory);
        else if ((event == BROKER_CONFIRMED || event == BROKER_REJECTED) && broker_tells_of(&told, number))
            break;
    }
    return PL_OK;
}

enum pl_errc registry_tell(struct broker *broker, enum registry_who who, struct registry_record *record,
                           struct pl_error *err)
{
    char rooms[PL_COUNTOF(FIELDS)][24];
    uint64_t number;
    registry_own_name(record->host, sizeof record->host);
    record->time_s = (uint64_t)time(NULL);
    struct broker_message m = {
        .id = pl_slice_cstr(WHO[who]), .type = pl_slice_cstr("text/plain"), .body = pl_slice_cstr("")};
    for (size_t i = 0; i < PL_COUNTOF(FIELDS); i++) {
        const char *at = (const char *)record + FIELDS[i].at;
        if (FIELDS[i].size == 0)
            snprintf(rooms[i], sizeof rooms[i], "%llu", (unsigned long long)*(const uint64_t *)(const void *)at);
        else if (FIELDS[i].size == 1)
            snprintf(rooms[i], sizeof rooms[i], "%s", *(const bool *)at ? "true" : "false");
        broker_add_header(&m, FIELDS[i].header, pl_slice_cstr(FIELDS[i].size > 1 ? at : rooms[i]));
    }
    PL_TRY(broker_publish(broker, BROKER_QUEUE, BROKER_OF_REGISTRY, &m, &number, err));
    return record->ended || record->stopped ? wait_until_taken(broker, number, err) : PL_OK;
}

// What is printed, or names a queue, has no control characters. False: no program of ours has written it.
static bool read_record(const struct broker_message *m, struct registry_record *out)
{
    size_t who = 0;
    while (who < PL_COUNTOF(WHO) && !pl_slice_eq_cstr(m->id, WHO[who]))
        who++;
    *out = (struct registry_record){.who = (enum registry_who)who, .tag = m->tag};
    bool ok = who < PL_COUNTOF(WHO);
    for (size_t i = 0; i < PL_COUNTOF(FIELDS) && ok; i++) {
        char *at = (char *)out + FIELDS[i].at;
        struct pl_slice text = pl_slice_cstr("");
        if (!broker_header_of(m, FIELDS[i].header, &text))
            continue;
        if (FIELDS[i].size == 0) {
            ok = pl_parse_u64(text, (uint64_t *)(void *)at);
        } else if (FIELDS[i].size == 1) {
            *(bool *)at = pl_slice_eq_cstr(text, "true");
        } else {
            ok = text.len < FIELDS[i].size;
            for (size_t k = 0; k < text.len && ok; k++)
                at[k] = (char)(text.ptr[k] >= 0x20 && text.ptr[k] != 0x7F ? text.ptr[k] : '?');
        }
    }
    return ok && broker_batch_usable(pl_slice_cstr(out->batch)) &&
           strspn(out->name, "0123456789abcdef") == strlen(out->name);
}

static bool is_same(const struct registry_record *a, const struct registry_record *b)
{
    return a->who == b->who && strcmp(a->batch, b->batch) == 0 && strcmp(a->name, b->name) == 0;
}

// All that is known of a batch goes, and this record, too.
static enum pl_errc forget(struct registry *r, struct drain *d, const struct registry_record *deleted,
                           struct pl_error *err)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->count; i++) {
        if (strcmp(r->records[i].batch, deleted->batch) == 0)
            PL_TRY(drain_take(d, r->records[i].tag, err));
        else
            r->records[kept++] = r->records[i];
    }
    r->count = kept;
    return drain_take(d, deleted->tag, err);
}

static enum pl_errc visit(void *user, struct drain *d, const struct broker_message *m, struct pl_error *err)
{
    struct registry *r = user;
    struct registry_record record;
    if (!read_record(m, &record))
        return drain_take(d, m->tag, err);
    if (record.who == REGISTRY_DELETED)
        return forget(r, d, &record, err);
    for (size_t i = 0; i < r->count; i++) {
        if (is_same(&r->records[i], &record)) {
            PL_TRY(drain_take(d, r->records[i].tag, err));
            r->records[i] = record;
            return PL_OK;
        }
    }
    if (r->count == r->capacity) {
        size_t more = r->capacity ? r->capacity * 2 : 16;
        struct registry_record *records = realloc(r->records, more * sizeof *records);
        if (!records)
            return pl_fail_memory(err);
        r->records = records;
        r->capacity = more;
    }
    r->records[r->count++] = record;
    return PL_OK;
}

enum pl_errc registry_read(struct broker *broker, uint64_t wait_ms, struct registry *out, struct pl_error *err)
{
    enum drain_end end;
    struct drain d = {.broker = broker, .what = BROKER_OF_REGISTRY, .wait_ms = wait_ms};
    *out = (struct registry){0};
    PL_TRY(drain_queue(&d, visit, out, &end, err));
    return end == DRAIN_WHOLE
               ? PL_OK
               : pl_fail(err, PL_E_DEADLINE,
                         "%s did not tell all that it knows of batches: it takes no messages now, or another program "
                         "reads the queue of records",
                         broker_place(broker));
}

void registry_free(struct registry *registry)
{
    free(registry->records);
    *registry = (struct registry){0};
}
