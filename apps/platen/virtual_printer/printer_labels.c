// The labels that were printed, over HTTP: lists, one as a file, waiting for the next, events.
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/ckd.h"
#include "base/fmt.h"
#include "printer_api.h"
#include "printer_api_parts.h"

#define LIST_MOST 500u
#define SEQ_MOST 9007199254740991u // what JSON's numbers hold in every language: 2^53 - 1
#define WAIT_MS 30000u
#define WAIT_MOST_MS 300000u

static bool has_text(struct pl_slice in, struct pl_slice text)
{
    return text.len == 0 || (in.len >= text.len && memmem(in.ptr, in.len, text.ptr, text.len));
}

// In the label code, or in what the label says.
static bool matches(const struct printed_label *l, struct pl_slice text)
{
    return has_text(blob_slice(l->zpl), text) || has_text(blob_slice(l->members), text);
}

// The first label after *after that matches, held for the caller; NULL: none yet, and *after is the last that was
// looked at. Texts are searched without the lock: the printer, and connections of all printers, would wait for it.
static struct printed_label *take_after(struct printer *p, uint64_t *after, struct pl_slice match)
{
    for (;;) {
        pthread_mutex_lock(&p->lock);
        struct printed_label *l = print_ring_after(&p->ring, *after);
        if (l)
            printed_label_hold(l);
        pthread_mutex_unlock(&p->lock);
        if (!l || matches(l, match))
            return l;
        *after = l->seq;
        printed_label_release(l);
    }
}

// A whole number of the query; *out stays where there is none. False: the problem is in res.
static bool read_number(const struct http_request *req, const char *name, uint64_t most, uint64_t *out,
                        struct http_response *res)
{
    struct pl_slice text;
    if (!http_query(req, name, &text) || (pl_parse_u64(text, out) && *out <= most))
        return true;
    http_problem(res, 400, "invalid_parameter", "'%s' must be a whole number from 0 to %llu.", name,
                 (unsigned long long)most);
    return false;
}

int printer_api_labels(struct http_request *req, struct http_response *res)
{
    struct printer *p = printer_api_named(req, res);
    uint64_t after = 0, limit = 100;
    struct pl_slice match = {0};
    if (!p || !read_number(req, "after", SEQ_MOST, &after, res) || !read_number(req, "limit", LIST_MOST, &limit, res))
        return http_status(res);
    http_query(req, "match", &match);
    struct pl_json_writer *out = http_json_begin(res);
    pl_json_object(out);
    pl_json_kv_array(out, "labels");
    uint64_t next = after;
    for (struct printed_label *l; limit > 0 && (l = take_after(p, &next, match)); limit--) {
        next = l->seq;
        printer_write_label(p, l, false, out);
        printed_label_release(l);
    }
    pthread_mutex_lock(&p->lock);
    const struct printed_label *last = print_ring_last(&p->ring);
    uint64_t last_seq = last ? last->seq : 0;
    pthread_mutex_unlock(&p->lock);
    pl_json_end(out);
    pl_json_kv_u64(out, "next", next);
    pl_json_kv_u64(out, "lastSeq", last_seq);
    pl_json_end(out);
    return http_json_send(res, 200);
}

static int send_label(struct printer *p, struct printed_label *l, struct http_response *res)
{
    struct pl_json_writer *out = http_json_begin(res);
    printer_write_label(p, l, true, out);
    printed_label_release(l);
    return http_json_send(res, 200);
}

int printer_api_next(struct http_request *req, struct http_response *res)
{
    struct printer *p = printer_api_named(req, res);
    uint64_t after = 0, seconds = WAIT_MS / 1000;
    struct pl_slice match = {0};
    if (!p || !read_number(req, "after", SEQ_MOST, &after, res) ||
        !read_number(req, "timeout", WAIT_MOST_MS / 1000, &seconds, res))
        return http_status(res);
    http_query(req, "match", &match);
    uint64_t seen = http_topic_count(req->server, printer_topic(p));
    req->note = PL_MAX(req->note, after); // labels that another event came with are not looked at again
    struct printed_label *l = take_after(p, &req->note, match);
    if (l)
        return send_label(p, l, res);
    if (req->wait_ended || seconds == 0)
        return http_problem(res, 404, "no_label", "No such label was printed in this time.");
    return http_wait(res, printer_topic(p), seen, seconds * 1000);
}

// Drawn again, with the memory that the printer had.
static int send_pdf(struct http_request *req, struct printer *p, const struct printed_label *l,
                    struct http_response *res)
{
    struct render_ask ask;
    struct memory_image image = {.number = l->memory_number};
    struct blob *memory[RENDER_MEMORY_PARTS] = {0};
    pthread_mutex_lock(&p->lock);
    bool kept = print_ring_memory(&p->ring, l->seq, memory);
    pthread_mutex_unlock(&p->lock);
    if (!kept)
        return http_problem(res, 404, "memory_dropped",
                            "What the printer had stored when it printed this label is no longer kept; its PNG is.");
    for (int i = 0; i < RENDER_MEMORY_PARTS; i++)
        image.parts[i] = blob_slice(memory[i]);
    struct service *service = req->app;
    struct summary summary = {0};
    struct label_part part;
    struct job_result result;
    struct platen_error err = {0};
    render_ask_init(&ask, RENDER_PRINTER_JOB,
                    atomic_fetch_add_explicit(&service->requests, 1, memory_order_relaxed) + 1,
                    ((uint64_t)1 << 62) + p->index);
    ask.job.memory = l->memory_number;
    ask.opens = true;
    ask.labels.end = END_NOW;
    ask.labels.label = l->index;
    ask.controls.format = OUTPUT_PDF;
    controls_set_size(&ask.controls, l->width_mm, l->height_mm);
    ask.controls.dpmm = l->dpmm;
    ask.controls.profile = p->spec.reference ? PLATEN_REFERENCE : PLATEN_PRINTER;
    ask.controls.language = p->spec.language;
    ask.controls.copies = COPIES_COLLAPSE;
    ask.controls.time = l->clock_s;
    label_part_init(&part);
    job_result_init(&result);
    enum platen_status status =
        renderer_ask_job(req->worker, &ask, &image, blob_slice(l->zpl), &req->job, &summary, &part, &result, &err);
    struct platen_buffer file = {0};
    struct platen_pdf *pdf = NULL;
    if (status == PLATEN_OK && part.drawn)
        status = platen_pdf_new("Label", &file, &pdf, &err);
    if (status == PLATEN_OK && pdf)
        status = platen_pdf_add(pdf, &part.file, 1, &err);
    if (status == PLATEN_OK && pdf)
        status = platen_pdf_finish(pdf, &err);
    bool good = status == PLATEN_OK && pdf;
    platen_pdf_free(pdf);
    if (good) {
        http_set_type(res, "application/pdf");
        http_body_take(res, file.data, file.size);
    } else {
        platen_buffer_free(&file);
        http_problem(res, 503, "render_failed", "The label could not be drawn again.");
    }
    label_part_free(&part);
    job_result_free(&result);
    summary_free(&summary);
    for (int i = 0; i < RENDER_MEMORY_PARTS; i++)
        blob_release(memory[i]);
    return good ? 200 : http_status(res);
}

int printer_api_label(struct http_request *req, struct http_response *res)
{
    struct printer *p = printer_api_named(req, res);
    struct pl_slice ext = {0};
    http_param(req, "file", &ext);
    bool has_dot = ext.len > 0 && memchr(ext.ptr, '.', ext.len);
    struct pl_slice seq = pl_slice_until(&ext, '.');
    if (!has_dot)
        ext = pl_slice_cstr("json");
    struct printed_label *l = p ? printer_api_take_label(p, seq, res) : NULL;
    if (!l)
        return http_status(res);
    int status;
    bool picture = pl_slice_eq_cstr(ext, "png") || pl_slice_eq_cstr(ext, "pdf");
    if (picture && l->refused[0])
        status = http_problem(res, 404, "refused", "This job was refused and has no picture: %s.", l->refused);
    else if (pl_slice_eq_cstr(ext, "png"))
        status = printer_api_send_bytes(res, "image/png", blob_slice(l->png));
    else if (pl_slice_eq_cstr(ext, "pdf"))
        status = send_pdf(req, p, l, res);
    else if (pl_slice_eq_cstr(ext, "zpl") || pl_slice_eq_cstr(ext, printer_language_name(&p->spec)))
        status = printer_api_send_bytes(res, "text/plain; charset=utf-8", blob_slice(l->zpl));
    else if (pl_slice_eq_cstr(ext, "json")) {
        printed_label_hold(l);
        status = send_label(p, l, res);
    } else
        status = http_problem(res, 404, "unknown_format", "Labels are there as png, pdf, zpl and json.");
    printed_label_release(l);
    return status;
}

int printer_api_events(struct http_request *req, struct http_response *res)
{
    struct pl_slice name;
    if (!http_param(req, "name", &name))
        return http_events_open(res, PRINTER_TOPIC_ALL);
    struct printer *p = printer_api_named(req, res);
    return p ? http_events_open(res, printer_topic(p)) : http_status(res);
}
