// The file of what was not printed: a line that names the format, a head that shows any damage, then records of numbers
// and counted bytes.
#include "printer/kept.h"

#include <string.h>

#include "base/hash.h"

static const char MAGIC[] = "platen-jobs-2\n";

// Behind the first line.
struct file_head {
    uint64_t sum;   // of all that follows this number
    uint64_t size;  // of all that follows the head
    uint64_t count; // of records
};
#define HEAD_AT (sizeof MAGIC - 1)
#define BODY_AT (HEAD_AT + sizeof(struct file_head))

enum { RECORD_END, RECORD_LABEL, RECORD_JOB };

#define LABEL_BLOBS 4

// Numbers of a record, before its texts.
struct label_head {
    uint64_t job, time_s, width_um, height_um;
    uint32_t index, copies, dpmm, length_dots;
};
struct job_head {
    uint64_t number;
    uint32_t from;
    uint8_t quiet, lasts, marks;
    uint8_t has_plain; // a number follows
};
enum { MARK_PRINTS = 1, MARK_STORES = 2 };

// ---- writing

static void put_bytes(struct pl_buf *out, struct pl_slice bytes)
{
    uint64_t size = bytes.len;
    pl_buf_append(out, &size, sizeof size);
    pl_buf_append_slice(out, bytes);
}

void kept_begin(struct pl_buf *out, const struct pl_slice memory[PRINTED_MEMORY_PARTS])
{
    const struct file_head head = {0};
    pl_buf_append_cstr(out, MAGIC);
    pl_buf_append(out, &head, sizeof head);
    for (int i = 0; i < PRINTED_MEMORY_PARTS; i++)
        put_bytes(out, memory[i]);
}

static void begin_record(struct pl_buf *out, uint8_t record)
{
    struct file_head head;
    pl_buf_append_byte(out, record);
    if (out->failed)
        return;
    memcpy(&head, out->data + HEAD_AT, sizeof head);
    head.count++;
    memcpy(out->data + HEAD_AT, &head, sizeof head);
}

// A damaged file may hold any number; no label is a kilometre long.
static uint64_t micrometres(double mm)
{
    return mm > 0 && mm < 1e6 ? (uint64_t)(mm * 1000 + 0.5) : 0;
}

void kept_put_label(struct pl_buf *out, const struct printed_label *l)
{
    struct label_head head;
    memset(&head, 0, sizeof head);
    head.job = l->job;
    head.time_s = (uint64_t)l->clock_s;
    head.width_um = micrometres(l->width_mm);
    head.height_um = micrometres(l->height_mm);
    head.index = l->index;
    head.copies = l->copies;
    head.dpmm = l->dpmm;
    head.length_dots = l->length_dots;
    begin_record(out, RECORD_LABEL);
    pl_buf_append(out, &head, sizeof head);
    put_bytes(out, pl_slice_cstr(l->source));
    put_bytes(out, pl_slice_cstr(l->refused));
    put_bytes(out, blob_slice(l->zpl));
    put_bytes(out, blob_slice(l->png));
    put_bytes(out, blob_slice(l->members));
    put_bytes(out, blob_slice(l->warnings));
}

void kept_put_job(struct pl_buf *out, const struct kept_job *job)
{
    struct job_head head = {.number = job->number,
                            .from = job->from,
                            .quiet = job->quiet,
                            .lasts = job->lasts,
                            .marks = (uint8_t)((job->prints ? MARK_PRINTS : 0) | (job->stores ? MARK_STORES : 0)),
                            .has_plain = job->plain > 0};
    begin_record(out, RECORD_JOB);
    pl_buf_append(out, &head, sizeof head);
    if (head.has_plain)
        pl_buf_append(out, &job->plain, sizeof job->plain);
    put_bytes(out, pl_slice_cstr(job->source));
    put_bytes(out, job->code);
}

void kept_end(struct pl_buf *out)
{
    pl_buf_append_byte(out, RECORD_END);
    if (!out->failed)
        kept_seal(out->data, out->len);
}

void kept_seal(uint8_t *file, size_t size)
{
    struct file_head head;
    if (size < BODY_AT)
        return;
    memcpy(&head, file + HEAD_AT, sizeof head);
    head.size = size - BODY_AT;
    memcpy(file + HEAD_AT, &head, sizeof head);
    head.sum = pl_hash_fnv1a(pl_slice_make(file + HEAD_AT + sizeof head.sum, size - HEAD_AT - sizeof head.sum));
    memcpy(file + HEAD_AT, &head, sizeof head);
}

// ---- reading

static bool take(struct kept_reader *r, void *room, size_t size)
{
    if (r->rest.len < size)
        return false;
    memcpy(room, r->rest.ptr, size);
    r->rest = pl_slice_sub(r->rest, size, r->rest.len);
    return true;
}

static bool take_bytes(struct kept_reader *r, struct pl_slice *out)
{
    uint64_t size;
    if (!take(r, &size, sizeof size) || size > r->rest.len)
        return false;
    *out = pl_slice_sub(r->rest, 0, (size_t)size);
    r->rest = pl_slice_sub(r->rest, (size_t)size, r->rest.len);
    return true;
}

// A text without a zero byte, that has room for its end.
static bool take_text(struct kept_reader *r, char *room, size_t size)
{
    struct pl_slice text;
    if (!take_bytes(r, &text) || text.len >= size || memchr(text.ptr, 0, text.len))
        return false;
    memcpy(room, text.ptr, text.len);
    room[text.len] = '\0';
    return true;
}

bool kept_open(struct kept_reader *r, struct pl_slice bytes)
{
    char magic[sizeof MAGIC - 1];
    struct file_head head;
    *r = (struct kept_reader){.rest = bytes};
    if (!take(r, magic, sizeof magic) || memcmp(magic, MAGIC, sizeof magic) != 0 || !take(r, &head, sizeof head) ||
        head.size != r->rest.len ||
        head.sum != pl_hash_fnv1a(pl_slice_sub(bytes, HEAD_AT + sizeof head.sum, bytes.len)))
        return false;
    r->left = head.count;
    for (int i = 0; i < PRINTED_MEMORY_PARTS; i++) {
        if (!take_bytes(r, &r->memory[i]))
            return false;
    }
    return true;
}

static enum kept_kind next_label(struct kept_reader *r, struct printed_label **out)
{
    struct label_head head;
    struct pl_slice texts[LABEL_BLOBS];
    struct printed_label *l = printed_label_new();
    if (!l)
        return KEPT_NO_MEMORY;
    bool whole = take(r, &head, sizeof head) && take_text(r, l->source, sizeof l->source) &&
                 take_text(r, l->refused, sizeof l->refused);
    for (int i = 0; i < LABEL_BLOBS; i++)
        whole = whole && take_bytes(r, &texts[i]);
    if (!whole) {
        printed_label_release(l);
        return KEPT_BROKEN;
    }
    l->job = head.job;
    l->clock_s = (int64_t)head.time_s;
    l->width_mm = (double)head.width_um / 1000;
    l->height_mm = (double)head.height_um / 1000;
    l->index = head.index;
    l->copies = head.copies;
    l->dpmm = head.dpmm;
    l->length_dots = head.length_dots;
    l->failed = l->refused[0] != '\0'; // no other refusal is kept
    struct blob **blobs[LABEL_BLOBS] = {&l->zpl, &l->png, &l->members, &l->warnings};
    for (int i = 0; i < LABEL_BLOBS; i++) {
        if (texts[i].len > 0 && !(*blobs[i] = blob_new(texts[i]))) {
            printed_label_release(l);
            return KEPT_NO_MEMORY;
        }
    }
    *out = l;
    return KEPT_LABEL;
}

static enum kept_kind next_job(struct kept_reader *r, struct kept_job *job)
{
    struct job_head head;
    job->plain = 0;
    if (!take(r, &head, sizeof head) || (head.has_plain && !take(r, &job->plain, sizeof job->plain)) ||
        !take_text(r, job->source, sizeof job->source) || !take_bytes(r, &job->code))
        return KEPT_BROKEN;
    job->number = head.number;
    job->from = head.from;
    job->quiet = head.quiet != 0;
    job->lasts = head.lasts != 0;
    job->prints = head.marks & MARK_PRINTS;
    job->stores = head.marks & MARK_STORES;
    return KEPT_JOB;
}

enum kept_kind kept_next(struct kept_reader *r, struct printed_label **label, struct kept_job *job)
{
    uint8_t record;
    if (!take(r, &record, 1) || (record == RECORD_END) != (r->left == 0))
        return KEPT_BROKEN;
    r->left--;
    switch (record) {
    case RECORD_END:
        return r->rest.len == 0 ? KEPT_END : KEPT_BROKEN;
    case RECORD_LABEL:
        return next_label(r, label);
    case RECORD_JOB:
        return next_job(r, job);
    default:
        return KEPT_BROKEN;
    }
}

enum kept_kind kept_check(struct pl_slice bytes)
{
    struct kept_reader reader;
    struct printed_label *label = NULL;
    struct kept_job job;
    enum kept_kind kind = KEPT_BROKEN;
    if (!kept_open(&reader, bytes))
        return KEPT_BROKEN;
    while ((kind = kept_next(&reader, &label, &job)) < KEPT_END) {
        if (kind == KEPT_LABEL)
            printed_label_release(label);
    }
    return kind;
}
