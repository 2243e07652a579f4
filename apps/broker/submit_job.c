// Making a job of a document: what is refused, and what its message says.
#include "submit_job.h"

#include <stdio.h>

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

static void put_number(struct broker_message *m, const char *name, double value, struct submit_numbers *room)
{
    char *text = room->text[room->count++];
    broker_add_header(m, name, pl_slice_make(text, pl_format_double(value, text)));
}

// What the document asks for, in full: workers may have other defaults.
static void put_controls(const struct submit_job *job, struct broker_message *m, struct submit_numbers *room)
{
    const struct controls *c = &job->document->controls;
    const char *name, *summary;
    put_text(m, "format", output_name(job->for_pdf ? OUTPUT_PDF : c->format));
    if (!c->fit_size || controls_has(c, CONTROL_WIDTH_MM))
        put_number(m, "widthMm", c->width_mm, room);
    if (!c->fit_size || controls_has(c, CONTROL_HEIGHT_MM))
        put_number(m, "heightMm", c->height_mm, room);
    if (c->fit_size)
        put_text(m, "size", "auto");
    put_number(m, "dpmm", c->dpmm, room);
    put_number(m, "rotation", c->rotation, room);
    put_text(m, "quality", c->grayscale ? "grayscale" : "bitonal");
    put_text(m, "profile", c->printer ? "printer" : "reference");
    put_number(m, "jpegQuality", c->jpeg_quality, room);
    put_text(m, "copies", c->collapse ? "collapse" : "expand");
    put_text(m, "strict", c->strict ? "true" : "false");
    put_text(m, "verify", c->verify ? "true" : "false");
    if (controls_has(c, CONTROL_RULES) && platen_rule_set_at(c->rules, &name, &summary))
        put_text(m, "rules", name);
    if (controls_has(c, CONTROL_MIN_MODULE_MM))
        put_number(m, "minModuleMm", c->min_module_mm, room);
    if (controls_has(c, CONTROL_PAGE))
        put_number(m, "page", (double)c->page, room);
    put_number(m, "time", (double)(controls_has(c, CONTROL_TIME) ? c->time : job->time), room);
}

void submit_job_message(const struct submit_job *job, struct submit_numbers *room, struct broker_message *m)
{
    room->count = 0;
    *m = (struct broker_message){.id = pl_buf_slice(&job->document->id),
                                 .type = pl_slice_cstr("application/zpl"),
                                 .body = pl_buf_slice(&job->document->zpl)};
    put_text(m, HEADER_BATCH, job->batch);
    snprintf(room->sequence, sizeof room->sequence, "%llu", (unsigned long long)job->sequence);
    put_text(m, HEADER_SEQUENCE, room->sequence);
    if (job->for_pdf)
        put_text(m, HEADER_PARTS, "true");
    put_controls(job, m, room);
}
