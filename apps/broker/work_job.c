// Rendering a job.
#include "work_job.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/ckd.h"
#include "base/hash.h"
#include "base/json_writer.h"
#include "batch/zip_writer.h"
#include "renderer/render_problem.h"

void work_result_init(struct work_result *result)
{
    *result = (struct work_result){.type = "application/json", .ending = "json"};
    pl_buf_init(&result->body, WORK_RESULT_MAX);
}

void work_result_free(struct work_result *result)
{
    pl_buf_fini(&result->body);
}

void work_result_fail(struct work_result *result, const struct problem *problem)
{
    struct pl_json_writer json;
    result->failed = true;
    result->problem = *problem;
    result->type = "application/json";
    result->ending = "json";
    pl_buf_fini(&result->body);
    pl_buf_init(&result->body, WORK_RESULT_MAX);
    pl_json_writer_init(&json, &result->body);
    pl_json_object(&json);
    pl_json_kv_bool(&json, "ok", false);
    pl_json_kv_i64(&json, "status", problem->status);
    pl_json_kv_cstr(&json, "code", problem->code);
    pl_json_kv_cstr(&json, "error", problem->message);
    pl_json_end(&json);
    pl_buf_append_byte(&result->body, '\n');
}

struct job {
    struct renderer_link *link;
    struct pl_slice zpl;
    const struct work_request *request;
    struct pl_job time;
    uint64_t number;
    struct summary summary;
    struct label_part part;
    struct pl_zip_writer zip;
    struct platen_pdf *pdf;
    struct platen_buffer pdf_bytes;
    struct work_result *out;
};

static bool read_controls(const struct broker_message *message, bool parts, struct controls *c, struct problem *problem)
{
    controls_init(c);
    for (uint32_t i = 0; i < message->header_count; i++) {
        const struct broker_header *h = &message->headers[i];
        if (h->name.len > 2 && memcmp(h->name.ptr, "x-", 2) == 0)
            continue;
        if (!controls_set(c, h->name, (struct control_value){.text = h->value, .type = PL_JSON_STRING}, problem))
            return false;
    }
    if (c->format == OUTPUT_JSON || c->format == OUTPUT_BASE64)
        return problem_set(problem, 400, "unknown_format", "The formats of a job are png, jpeg, webp and pdf.");
    if (controls_of_pdf(c))
        return problem_set(problem, 400, "invalid_parameter",
                           "'%s' is not for jobs: `platen collect` lays out the pages of a PDF.", controls_of_pdf(c));
    if (!controls_has(c, CONTROL_TIME))
        c->time = (int64_t)time(NULL);
    c->filename = pl_slice_make("", 0);
    c->unknown_count = 0;
    memset(c->unknown, 0, sizeof c->unknown);
    return !parts || c->format == OUTPUT_PDF || problem_set(problem, 400, "unknown_format", "Parts are of a PDF.");
}

void work_request_read(const struct broker_message *job, struct work_request *out)
{
    struct pl_slice batch = pl_slice_make("", 0);
    *out = (struct work_request){.parts = job_wants_parts(job)};
    (void)broker_header_of(job, HEADER_BATCH, &batch);
    out->client = pl_hash_fnv1a(batch); // between two batches a renderer overwrites what is left in its memory
    if (read_controls(job, out->parts, &out->controls, &out->problem))
        out->problem.status = 0;
}

static enum platen_status ask(struct job *job, bool opens, uint32_t label, bool by_page, struct platen_error *err)
{
    struct render_ask ask;
    render_ask_init(&ask, RENDER_LABELS, job->number, job->request->client);
    control_values_copy(&ask.controls, &job->request->controls);
    ask.opens = opens;
    ask.labels.by_page = by_page;
    ask.labels.label = label;
    label_part_free(&job->part);
    label_part_init(&job->part);
    return renderer_ask(job->link, &ask, job->zpl, &job->time, &job->summary, &job->part, err);
}

static void fail(struct job *job, const struct platen_error *err)
{
    struct problem problem;
    api_problem_of(err, pl_slice_cstr("job"), &problem);
    work_result_fail(job->out, &problem);
    job->out->starved = err->status == RENDER_E_NONE;
    job->out->died = err->status == RENDER_E_DIED;
    job->out->again = err->status == RENDER_E_DIED || err->status == RENDER_E_KILLED ||
                      err->status == PLATEN_E_DEADLINE || job->out->starved;
}

static bool refuse(struct job *job, int status, const char *code, const char *message)
{
    struct problem problem;
    problem_set(&problem, status, code, "%s", message);
    work_result_fail(job->out, &problem);
    return false;
}

// Takes the label that was drawn into the result.
static bool put_label(struct job *job, uint32_t index, uint32_t count, uint32_t copies)
{
    struct platen_error err = {0};
    const struct platen_buffer *file = &job->part.file;
    struct pl_buf *out = &job->out->body;
    if (job->request->controls.strict && job->part.found.count > 0)
        return refuse(job, 400, "warnings", "'strict' is set and there are warnings.");
    if (job->request->controls.format == OUTPUT_PDF && !job->request->parts) {
        if (!job->pdf && platen_pdf_new("Labels", &job->pdf_bytes, &job->pdf, &err) != PLATEN_OK) {
            fail(job, &err);
            return false;
        }
        if (platen_pdf_add(job->pdf, file, copies, &err) != PLATEN_OK) {
            err.status = RENDER_E_DIED; // no renderer that is well makes such a part
            fail(job, &err);
            return false;
        }
        pl_buf_append(out, job->pdf_bytes.data, job->pdf_bytes.size);
        platen_pdf_take(job->pdf);
    } else {
        struct pl_slice bytes = pl_slice_make(file->data, file->size);
        if (job->request->parts) {
            // In their order, named by the number of copies.
            char name[48];
            int len = snprintf(name, sizeof name, "%u-%u.part", index + 1, copies);
            pl_zip_begin(&job->zip, pl_slice_make(name, (size_t)len), bytes, out);
        } else if (count > 1) {
            char name[32];
            int digits = snprintf(NULL, 0, "%u", count);
            int len =
                snprintf(name, sizeof name, "%0*u.%s", digits, index + 1, output_name(job->request->controls.format));
            pl_zip_begin(&job->zip, pl_slice_make(name, (size_t)len), bytes, out);
        }
        pl_buf_append_slice(out, bytes);
    }
    return !out->failed || refuse(job, 413, "limit_exceeded", "The labels are too large for one result.");
}

static bool put_labels(struct job *job, uint32_t count, bool one)
{
    struct platen_error err = {0};
    const struct controls *c = &job->request->controls;
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0 && ask(job, false, i, false, &err) != PLATEN_OK) {
            fail(job, &err);
            return false;
        }
        if (!put_label(job, i, count, one || c->copies == COPIES_COLLAPSE ? 1 : job->summary.copies[i]))
            return false;
    }
    return true;
}

// Writes the end of the result, behind the last label.
static bool end_body(struct job *job, uint32_t count)
{
    struct platen_error err = {0};
    struct work_result *out = job->out;
    if (job->pdf) {
        if (platen_pdf_finish(job->pdf, &err) != PLATEN_OK) {
            fail(job, &err);
            return false;
        }
        pl_buf_append(&out->body, job->pdf_bytes.data, job->pdf_bytes.size);
    } else if (count > 1 || job->request->parts) {
        pl_zip_end(&job->zip, &out->body);
    }
    return !out->body.failed || refuse(job, 413, "limit_exceeded", "The labels are too large for one result.");
}

static bool draw_all(struct job *job)
{
    struct platen_error err = {0};
    const struct controls *c = &job->request->controls;
    bool one = controls_has(c, CONTROL_PAGE);
    struct problem problem;
    uint32_t first = one ? (uint32_t)PL_MIN(c->page, (uint64_t)UINT32_MAX) : 0;
    if (ask(job, true, first, one, &err) != PLATEN_OK) {
        fail(job, &err);
        return false;
    }
    if (job->summary.pages == 0 || (one && c->page >= job->summary.pages)) {
        api_no_page(c->page, &job->summary, &problem);
        work_result_fail(job->out, &problem);
        return false;
    }
    uint32_t count = one ? 1 : job->summary.labels;
    if (one)
        first = summary_label_of_page(&job->summary, first, c->copies == COPIES_COLLAPSE);
    if (c->strict && summary_warnings_outside(&job->summary, first, count) > 0)
        return refuse(job, 400, "warnings", "'strict' is set and there are warnings.");
    if (!put_labels(job, count, one) || !end_body(job, count))
        return false;
    struct work_result *out = job->out;
    out->labels = count;
    out->pages = one ? 1 : job->summary.pages;
    out->ending = job->request->parts ? "part" : output_name(c->format);
    out->type = (count > 1 && !job->pdf) || job->request->parts ? "application/zip" : output_mime(c->format);
    return true;
}

bool job_is_group(const struct broker_message *job)
{
    return pl_slice_eq_cstr(job->type, GROUP_TYPE);
}

void job_single(const struct broker_message *group, const struct group_row *row, struct job_texts *room,
                struct broker_message *out)
{
    static const char *const OF_ROWS[] = {HEADER_GROUP, HEADER_ROW, HEADER_SEQUENCE, HEADER_TRIES};
    *out = (struct broker_message){.id = row->id, .type = pl_slice_cstr("application/zpl"), .body = row->body};
    for (uint32_t i = 0; i < group->header_count; i++) {
        bool is_left_out = false;
        for (size_t k = 0; k < PL_COUNTOF(OF_ROWS); k++)
            is_left_out = is_left_out || pl_slice_eq_cstr(group->headers[i].name, OF_ROWS[k]);
        if (!is_left_out)
            out->headers[out->header_count++] = group->headers[i];
    }
    snprintf(room->sequence, sizeof room->sequence, "%llu", (unsigned long long)row->sequence);
    account_proven_write(&row->mark, room->mark);
    broker_add_header(out, HEADER_SEQUENCE, pl_slice_cstr(room->sequence));
    broker_add_header(out, HEADER_ROW, pl_slice_cstr(room->mark));
}

bool job_wants_parts(const struct broker_message *job)
{
    struct pl_slice parts;
    return broker_header_of(job, HEADER_PARTS, &parts) && pl_slice_eq_cstr(parts, "true");
}

void work_render(struct renderer_link *link, const struct work_request *request, struct pl_slice zpl, uint64_t number,
                 uint64_t timeout_ms, struct work_result *out)
{
    struct job job = {.link = link,
                      .zpl = zpl,
                      .request = request,
                      .number = number,
                      .time = {.deadline_ns = pl_now_ns() + timeout_ms * 1000000u},
                      .out = out};
    if (request->problem.status != 0) {
        work_result_fail(out, &request->problem);
        return;
    }
    if (zpl.len == 0) {
        (void)refuse(&job, 400, "missing_zpl", "The job has no label code.");
        return;
    }
    label_part_init(&job.part);
    pl_zip_writer_init(&job.zip);
    (void)draw_all(&job);
    platen_pdf_free(job.pdf);
    platen_buffer_free(&job.pdf_bytes);
    pl_zip_writer_fini(&job.zip);
    label_part_free(&job.part);
    summary_free(&job.summary);
}
