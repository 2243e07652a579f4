// Making a job of a document: what is refused, and what its message says.
#include "submit_job.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "work_job.h"

static uint32_t count_labels(struct pl_slice zpl)
{
    uint32_t count = 0;
    for (size_t i = 0; i + 3 <= zpl.len; i++)
        count += zpl.ptr[i] == '^' && (zpl.ptr[i + 1] | 32) == 'x' && (zpl.ptr[i + 2] | 32) == 'z';
    return count;
}

const char *submit_job_refusal(const struct row_document *d)
{
    struct pl_slice zpl = pl_buf_slice(&d->zpl);
    if (d->failed)
        return d->problem.message;
    if (zpl.len == 0)
        return "there is no label code in it";
    if (zpl.len > SUBMIT_JOB_MAX)
        return "it is larger than the " PL_LIMIT_TEXT(PL_LIMIT_INPUT_MIB) " MiB that a job may have";
    return count_labels(zpl) > PL_LIMIT_LABELS
               ? "it has more than the " PL_LIMIT_TEXT(PL_LIMIT_LABELS) " labels that a job may have"
               : NULL;
}

static void put_text(struct broker_message *m, const char *name, const char *text)
{
    broker_add_header(m, name, pl_slice_cstr(text));
}

// Are workers to know of it? All that the document asks for, and defaults that workers may have otherwise.
static bool is_sent(const struct controls *c, enum control control)
{
    const struct control_row *row = control_row(control);
    switch (control) {
    case CONTROL_WIDTH_MM: // without one the label's language may state it
    case CONTROL_HEIGHT_MM:
    case CONTROL_PAGE:
    case CONTROL_RULES: // none is not the same as the default
        return controls_has(c, control);
    case CONTROL_TIME: // all jobs of a batch have the same
        return true;
    case CONTROL_FILENAME:
    case CONTROL_DOWNLOAD:
        return false;
    default:
        return row->scope != SCOPE_PDFS && (controls_has(c, control) || row->has_default);
    }
}

static void put_controls(const struct submit_job *job, struct broker_message *m, struct submit_texts *room)
{
    struct controls c = job->document->controls;
    struct pl_buf text;
    pl_buf_init(&text, CONTROL_TEXT_MAX - 1);
    if (!controls_has(&c, CONTROL_TIME))
        c.time = job->time;
    if (job->for_pdf)
        c.format = OUTPUT_PDF;
    c.given |= UINT64_C(1) << CONTROL_FORMAT;
    for (int i = 0; i < CONTROL_COUNT; i++) {
        const struct control_row *row = control_row((enum control)i);
        if (!is_sent(&c, (enum control)i))
            continue;
        pl_buf_clear(&text);
        control_write(row, (const char *)&c + row->offset, &text);
        memcpy(room->values[i], text.data, text.len);
        broker_add_header(m, row->name, pl_slice_make(room->values[i], text.len));
    }
    pl_buf_fini(&text);
}

void submit_job_message(const struct submit_job *job, struct submit_texts *room, struct broker_message *m)
{
    *m = (struct broker_message){.id = pl_buf_slice(&job->document->id),
                                 .type = pl_slice_cstr("application/zpl"),
                                 .body = pl_buf_slice(&job->document->zpl)};
    put_text(m, HEADER_BATCH, job->batch);
    snprintf(room->sequence, sizeof room->sequence, "%llu", (unsigned long long)job->sequence);
    put_text(m, HEADER_SEQUENCE, room->sequence);
    account_proven_write(&job->mark, room->mark);
    put_text(m, HEADER_ROW, room->mark);
    if (job->for_pdf)
        put_text(m, HEADER_PARTS, "true");
    put_controls(job, m, room);
}

bool submit_job_is_alike(const struct broker_message *a, const struct broker_message *b)
{
    bool alike = a->header_count == b->header_count && pl_slice_eq(a->type, b->type);
    for (uint32_t i = 0; i < a->header_count && alike; i++) {
        const struct broker_header *x = &a->headers[i], *y = &b->headers[i];
        bool of_row = pl_slice_eq_cstr(x->name, HEADER_ROW) || pl_slice_eq_cstr(x->name, HEADER_SEQUENCE);
        alike = pl_slice_eq(x->name, y->name) && (of_row || pl_slice_eq(x->value, y->value));
    }
    return alike;
}

uint64_t submit_job_hash(const struct submit_job *job)
{
    struct submit_texts room;
    struct broker_message m = {0};
    put_controls(job, &m, &room);
    uint64_t hash = pl_hash_fnv1a(pl_buf_slice(&job->document->zpl));
    bool has_time = controls_has(&job->document->controls, CONTROL_TIME);
    for (uint32_t i = 0; i < m.header_count; i++) {
        if (!has_time && pl_slice_eq_cstr(m.headers[i].name, control_row(CONTROL_TIME)->name))
            continue; // the batch's clock
        hash = pl_hash_mix(hash, pl_hash_fnv1a(m.headers[i].name));
        hash = pl_hash_mix(hash, pl_hash_fnv1a(m.headers[i].value));
    }
    hash = pl_hash_mix(hash, job->for_pdf);
    return hash != ACCOUNT_REFUSED ? hash : 1;
}
