// What is asked of the printers over HTTP.
#include "printer_api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api.h"
#include "api_batch.h"
#include "base/ckd.h"
#include "printer_hub.h"
#include "printer_io.h"
#include "printer_outside.h"

#define LIST_MOST 500u
#define WAIT_MS 30000u
#define WAIT_MOST_MS 300000u

static struct printer_hub *hub_of(const struct http_request *req)
{
    struct service *service = req->app;
    return &service->hub;
}

// NULL: the problem is in res.
static struct printer *named(struct http_request *req, struct http_response *res)
{
    struct pl_slice name = {0};
    http_param(req, "name", &name);
    struct printer *p = printer_hub_find(hub_of(req), name);
    if (!p)
        http_problem(res, 404, "no_printer", "There is no printer '%.*s'.", (int)PL_MIN(name.len, (size_t)32),
                     (const char *)name.ptr);
    return p;
}

// Pages of other origins may not change anything: browsers tell whose page asks.
static bool from_elsewhere(struct http_request *req, struct http_response *res)
{
    struct pl_slice origin, host;
    if (!http_header(req, "Origin", &origin))
        return false; // no browser
    const uint8_t *at = memmem(origin.ptr, origin.len, "://", 3);
    struct pl_slice rest = at ? pl_slice_sub(origin, (size_t)(at - origin.ptr) + 3, origin.len) : origin;
    if (http_header(req, "Host", &host) && pl_slice_eq_nocase(rest, host))
        return false;
    http_problem(res, 403, "other_origin", "Pages of other origins may not do this.");
    return true;
}

static bool number_of(const struct http_request *req, const char *name, uint64_t fallback, uint64_t most, uint64_t *out)
{
    struct pl_slice text;
    *out = fallback;
    if (!http_query(req, name, &text) || text.len == 0)
        return true;
    uint64_t value = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9' || text.len > 19)
            return false;
        value = value * 10 + (uint64_t)(text.ptr[i] - '0');
    }
    *out = PL_MIN(value, most);
    return true;
}

static int bad_number(struct http_response *res, const char *name)
{
    return http_problem(res, 400, "invalid_parameter", "'%s' must be a whole number.", name);
}

// ---- printers

int printer_api_list(struct http_request *req, struct http_response *res)
{
    struct printer_hub *hub = hub_of(req);
    struct pl_json_writer *out = http_json_begin(res);
    pl_json_object(out);
    pl_json_key(out, "printers");
    pl_json_array(out);
    for (uint32_t i = 0; i < hub->count; i++) {
        struct printer *p = &hub->printers[i];
        pthread_mutex_lock(&p->lock);
        printer_write_state(p, false, out);
        pthread_mutex_unlock(&p->lock);
    }
    pl_json_end(out);
    pl_json_key(out, "printTo");
    pl_json_array(out);
    const char *list = hub->options.print_to;
    struct pl_slice entry;
    while (list && *list && http_option_entry(&list, &entry))
        pl_json_slice(out, entry);
    pl_json_end(out);
    pl_json_end(out);
    return http_json_send(res, 200);
}

static int send_state(struct printer *p, struct http_response *res)
{
    struct pl_json_writer *out = http_json_begin(res);
    pthread_mutex_lock(&p->lock);
    printer_write_state(p, true, out);
    pthread_mutex_unlock(&p->lock);
    return http_json_send(res, 200);
}

int printer_api_one(struct http_request *req, struct http_response *res)
{
    struct printer *p = named(req, res);
    return p ? send_state(p, res) : http_status(res);
}

// ---- labels

static bool has_text(struct pl_slice in, struct pl_slice text)
{
    return text.len == 0 || (in.len >= text.len && memmem(in.ptr, in.len, text.ptr, text.len));
}

// In the label code, or in what the label says.
static bool matches(const struct printed_label *l, struct pl_slice text)
{
    return has_text(blob_slice(l->zpl), text) || has_text(blob_slice(l->members), text);
}

int printer_api_labels(struct http_request *req, struct http_response *res)
{
    struct printer *p = named(req, res);
    uint64_t after, limit;
    struct pl_slice match = {0};
    if (!p)
        return http_status(res);
    if (!number_of(req, "after", 0, UINT64_MAX, &after))
        return bad_number(res, "after");
    if (!number_of(req, "limit", 100, LIST_MOST, &limit))
        return bad_number(res, "limit");
    http_query(req, "match", &match);
    struct pl_json_writer *out = http_json_begin(res);
    pl_json_object(out);
    pl_json_key(out, "labels");
    pl_json_array(out);
    uint64_t next = after;
    pthread_mutex_lock(&p->lock);
    for (const struct printed_label *l; limit > 0 && (l = print_ring_after(&p->ring, next));) {
        next = l->seq;
        if (!matches(l, match))
            continue;
        printer_write_label(p, l, false, out);
        limit--;
    }
    const struct printed_label *last = print_ring_last(&p->ring);
    uint64_t last_seq = last ? last->seq : 0;
    pthread_mutex_unlock(&p->lock);
    pl_json_end(out);
    pl_json_kv_u64(out, "next", next);
    pl_json_kv_u64(out, "lastSeq", last_seq);
    pl_json_end(out);
    return http_json_send(res, 200);
}

// The first label after `after` that matches, held for the caller; NULL: none yet.
static struct printed_label *take_after(struct printer *p, uint64_t after, struct pl_slice match)
{
    pthread_mutex_lock(&p->lock);
    struct printed_label *l = print_ring_after(&p->ring, after);
    while (l && !matches(l, match))
        l = print_ring_after(&p->ring, l->seq);
    if (l)
        printed_label_hold(l);
    pthread_mutex_unlock(&p->lock);
    return l;
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
    struct printer *p = named(req, res);
    uint64_t after, seconds;
    struct pl_slice match = {0};
    if (!p)
        return http_status(res);
    if (!number_of(req, "after", 0, UINT64_MAX, &after))
        return bad_number(res, "after");
    if (!number_of(req, "timeout", WAIT_MS / 1000, WAIT_MOST_MS / 1000, &seconds))
        return bad_number(res, "timeout");
    http_query(req, "match", &match);
    uint64_t seen = http_topic_count(req->server, printer_topic(p));
    struct printed_label *l = take_after(p, after, match);
    if (l)
        return send_label(p, l, res);
    if (req->wait_ended || seconds == 0)
        return http_problem(res, 404, "no_label", "No such label was printed in this time.");
    return http_wait(res, printer_topic(p), seen, seconds * 1000);
}

static bool read_seq(struct printer *p, struct pl_slice text, uint64_t *seq)
{
    if (pl_slice_eq_cstr(text, "latest")) {
        pthread_mutex_lock(&p->lock);
        const struct printed_label *last = print_ring_last(&p->ring);
        *seq = last ? last->seq : 0;
        pthread_mutex_unlock(&p->lock);
        return true;
    }
    *seq = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9' || text.len > 19)
            return false;
        *seq = *seq * 10 + (uint64_t)(text.ptr[i] - '0');
    }
    return text.len > 0;
}

static struct printed_label *take_seq(struct printer *p, uint64_t seq)
{
    pthread_mutex_lock(&p->lock);
    struct printed_label *l = print_ring_find(&p->ring, seq);
    if (l)
        printed_label_hold(l);
    pthread_mutex_unlock(&p->lock);
    return l;
}

static int send_bytes(struct http_response *res, const char *type, struct blob *bytes)
{
    void *copy = malloc(PL_MAX(blob_slice(bytes).len, (size_t)1));
    if (!copy)
        return http_problem_overloaded(res);
    memcpy(copy, blob_slice(bytes).ptr, blob_slice(bytes).len);
    http_set_type(res, type);
    http_body_take(res, copy, blob_slice(bytes).len);
    return 200;
}

// Drawn again, with the memory that the printer had.
static int send_pdf(struct http_request *req, struct printer *p, const struct printed_label *l,
                    struct http_response *res)
{
    struct render_ask ask;
    struct memory_image image = {.number = l->memory_number};
    for (int i = 0; i < RENDER_MEMORY_PARTS; i++)
        image.parts[i] = blob_slice(l->memory[i]);
    struct service *service = req->app;
    struct summary summary = {0};
    struct label_part part;
    struct job_result result;
    struct platen_error err = {0};
    bool drawn = false;
    memset(&ask, 0, sizeof ask);
    ask.request = atomic_fetch_add_explicit(&service->requests, 1, memory_order_relaxed) + 1;
    ask.client = ((uint64_t)1 << 62) + p->index;
    ask.memory = l->memory_number;
    ask.opens = ask.draws = ask.ends = true;
    ask.label = l->index;
    ask.deadline_ns = req->job.deadline_ns;
    ask.controls.format = OUTPUT_PDF;
    ask.controls.width_mm = l->width_mm;
    ask.controls.height_mm = l->height_mm;
    ask.controls.dpmm = l->dpmm;
    ask.controls.printer = !p->spec.reference;
    ask.controls.collapse = true;
    ask.controls.time = (int64_t)(l->time_ms / 1000);
    label_part_init(&part);
    job_result_init(&result);
    enum platen_status status = renderer_ask_job(req->worker, &ask, &image, blob_slice(l->zpl), &req->job, &summary,
                                                 &part, &drawn, &result, &err);
    struct platen_buffer file = {0};
    struct platen_pdf *pdf = NULL;
    if (status == PLATEN_OK && drawn)
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
    return good ? 200 : http_status(res);
}

int printer_api_label(struct http_request *req, struct http_response *res)
{
    struct printer *p = named(req, res);
    struct pl_slice file = {0}, seq_text, ext;
    uint64_t seq;
    if (!p)
        return http_status(res);
    http_param(req, "file", &file);
    const uint8_t *dot = file.len > 0 ? memchr(file.ptr, '.', file.len) : NULL;
    seq_text = pl_slice_sub(file, 0, dot ? (size_t)(dot - file.ptr) : file.len);
    ext = dot ? pl_slice_sub(file, (size_t)(dot - file.ptr) + 1, file.len) : pl_slice_cstr("json");
    struct printed_label *l = read_seq(p, seq_text, &seq) ? take_seq(p, seq) : NULL;
    if (!l)
        return http_problem(res, 404, "no_label", "There is no such label, or it was dropped since.");
    int status;
    bool picture = pl_slice_eq_cstr(ext, "png") || pl_slice_eq_cstr(ext, "pdf");
    if (picture && l->refused[0])
        status = http_problem(res, 404, "refused", "This job was refused and has no picture: %s.", l->refused);
    else if (pl_slice_eq_cstr(ext, "png"))
        status = send_bytes(res, "image/png", l->png);
    else if (pl_slice_eq_cstr(ext, "pdf"))
        status = send_pdf(req, p, l, res);
    else if (pl_slice_eq_cstr(ext, "zpl"))
        status = send_bytes(res, "text/plain; charset=utf-8", l->zpl);
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
    struct printer *p = named(req, res);
    return p ? http_events_open(res, printer_topic(p)) : http_status(res);
}

// ---- changes

int printer_api_clear(struct http_request *req, struct http_response *res)
{
    struct printer *p = named(req, res);
    if (!p || from_elsewhere(req, res))
        return http_status(res);
    pthread_mutex_lock(&p->lock);
    print_ring_clear(&p->ring);
    pthread_mutex_unlock(&p->lock);
    printer_hub_changed(hub_of(req), p);
    return send_state(p, res);
}

static bool is_object_name(struct pl_slice name)
{
    for (size_t i = 0; i < name.len; i++) {
        uint8_t c = name.ptr[i];
        bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ':' ||
                    c == '.' || c == '*' || c == '?' || c == '_' || c == '-';
        if (!good)
            return false;
    }
    return name.len >= 3 && name.len <= 32 && name.ptr[1] == ':';
}

int printer_api_forget(struct http_request *req, struct http_response *res)
{
    static const struct printer_source SELF = {.text = "api"};
    struct printer *p = named(req, res);
    struct pl_slice name = pl_slice_cstr("R:*.*");
    if (!p || from_elsewhere(req, res))
        return http_status(res);
    http_query(req, "object", &name);
    if (!is_object_name(name))
        return http_problem(res, 400, "invalid_parameter", "'object' must be a name such as R:LOGO.GRF or E:*.*.");
    struct pl_buf code;
    pl_buf_init(&code, 256);
    pl_buf_append_cstr(&code, "\x02\x1eID");
    pl_buf_append_slice(&code, name);
    pl_buf_append_byte(&code, 0x03);
    struct printer_job *job = code.failed ? NULL : printer_job_new(p, pl_buf_slice(&code), &SELF);
    pl_buf_fini(&code);
    if (!job)
        return http_problem_overloaded(res);
    job->quiet = true;
    printer_submit(p, job);
    return http_problem(res, 202, "accepted", "The objects are deleted in turn with the jobs before.");
}

int printer_api_reset(struct http_request *req, struct http_response *res)
{
    struct printer *p = named(req, res);
    struct pl_slice memory;
    if (!p || from_elsewhere(req, res))
        return http_status(res);
    // ?memory=keep: as if it were switched off and on.
    bool keep = http_query(req, "memory", &memory) && pl_slice_eq_cstr(memory, "keep");
    printer_power_cycle(p, !keep);
    return send_state(p, res);
}

struct into_job {
    struct printer *printer;
    struct printer_source source;
    uint32_t jobs;
    bool starved;
};

static void take_unit(void *user, enum printer_unit unit, struct pl_buf *bytes)
{
    struct into_job *in = user;
    struct pl_buf answer;
    pl_buf_init(&answer, 65536);
    const char *refused = unit == PRINTER_UNIT_TOO_LARGE    ? "the format or download is over the limit of --max-body"
                          : unit == PRINTER_UNIT_UNFINISHED ? "the request ended before the format's ^XZ"
                                                            : NULL;
    if (unit == PRINTER_UNIT_CONTROL) {
        printer_control(in->printer, pl_buf_slice(bytes), &in->source, &answer);
    } else if (unit == PRINTER_UNIT_SGD) {
        printer_sgd(in->printer, pl_buf_slice(bytes), &in->source, &answer);
    } else if (unit == PRINTER_UNIT_JSON) {
        printer_json(in->printer, pl_buf_slice(bytes), &in->source, &answer);
    } else {
        struct printer_job *job = printer_job_new(in->printer, pl_buf_slice(bytes), &in->source);
        in->starved = in->starved || !job;
        if (job) {
            job->refused = refused;
            in->jobs++;
            printer_submit(in->printer, job);
        }
    }
    if (in->source.browser && answer.len > 0 && !answer.failed) {
        pthread_mutex_lock(&in->printer->lock);
        pl_buf_append_slice(&in->printer->browser_out, pl_buf_slice(&answer));
        pthread_mutex_unlock(&in->printer->lock);
    }
    pl_buf_fini(&answer);
}

bool printer_take(struct printer *p, struct pl_slice code, const char *source, bool browser, uint32_t *jobs)
{
    struct printer_splitter splitter;
    struct into_job in = {.printer = p, .source = {.browser = browser}};
    snprintf(in.source.text, sizeof in.source.text, "%s", source);
    printer_splitter_init(&splitter, p->hub->unit_bytes);
    pthread_mutex_lock(&p->lock);
    splitter.prefixes = p->prefixes;
    pthread_mutex_unlock(&p->lock);
    printer_splitter_feed(&splitter, code, take_unit, &in);
    printer_splitter_end(&splitter, take_unit, &in);
    pthread_mutex_lock(&p->lock);
    p->prefixes = splitter.prefixes;
    pthread_mutex_unlock(&p->lock);
    printer_splitter_fini(&splitter);
    *jobs = in.jobs;
    return !in.starved;
}

int printer_api_print(struct http_request *req, struct http_response *res)
{
    struct printer *p = named(req, res);
    uint32_t jobs;
    if (!p || from_elsewhere(req, res))
        return http_status(res);
    if (!printer_has_room(p))
        return http_problem(res, 503, "printer_busy", "The printer takes no more jobs at the moment.");
    char source[PRINTED_SOURCE_MAX + 1];
    snprintf(source, sizeof source, "%.*s", (int)PL_MIN(req->client.len, (size_t)48), (const char *)req->client.ptr);
    if (!printer_take(p, req->body, source, false, &jobs))
        return http_problem_overloaded(res);
    struct pl_json_writer *out = http_json_begin(res);
    pl_json_object(out);
    pl_json_kv_bool(out, "ok", true);
    pl_json_kv_u64(out, "jobs", jobs);
    pl_json_end(out);
    return http_json_send(res, 202);
}

static int send_to(struct http_request *req, struct http_response *res, struct pl_slice code)
{
    struct pl_slice host = {0};
    http_query(req, "host", &host);
    if (!printer_outside_print_to(hub_of(req)->outside, host, code))
        return http_problem(res, 403, "host_not_allowed", "--print-to does not name this host.");
    struct pl_json_writer *out = http_json_begin(res);
    pl_json_object(out);
    pl_json_kv_bool(out, "ok", true);
    pl_json_end(out);
    return http_json_send(res, 202);
}

int printer_api_send(struct http_request *req, struct http_response *res)
{
    return from_elsewhere(req, res) ? http_status(res) : send_to(req, res, req->body);
}

int printer_api_print_to(struct http_request *req, struct http_response *res)
{
    struct printer *p = named(req, res);
    struct pl_slice text = {0};
    uint64_t seq;
    if (!p || from_elsewhere(req, res))
        return http_status(res);
    http_param(req, "seq", &text);
    struct printed_label *l = read_seq(p, text, &seq) ? take_seq(p, seq) : NULL;
    if (!l)
        return http_problem(res, 404, "no_label", "There is no such label, or it was dropped since.");
    int answer = send_to(req, res, blob_slice(l->zpl));
    printed_label_release(l);
    return answer;
}

static bool read_fault(struct printer_faults *f, struct pl_slice key, const struct http_json *value, bool *cut)
{
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {{"paperOut", &f->paper_out},        {"ribbonOut", &f->ribbon_out},
                 {"headOpen", &f->head_open},        {"paused", &f->paused},
                 {"bufferFull", &f->buffer_full},    {"silent", &f->silent},
                 {"refuseConnections", &f->refuses}, {"cutConnections", cut}};
    for (size_t i = 0; i < PL_COUNTOF(flags); i++) {
        if (pl_slice_eq_cstr(key, flags[i].name))
            return http_json_boolean(value, flags[i].flag);
    }
    int64_t ms;
    if (!pl_slice_eq_cstr(key, "slowMs") || !http_json_integer(value, &ms) || ms < 0 || ms > 3600000)
        return false;
    f->slow_ms = (uint32_t)ms;
    return true;
}

int printer_api_state(struct http_request *req, struct http_response *res)
{
    struct printer *p = named(req, res);
    if (!p || from_elsewhere(req, res))
        return http_status(res);
    const struct http_json *body = http_request_json(req, res);
    if (!body)
        return http_status(res);
    struct printer_faults faults;
    pthread_mutex_lock(&p->lock);
    faults = p->faults;
    pthread_mutex_unlock(&p->lock);
    void *iter = NULL;
    struct pl_slice key;
    const struct http_json *value;
    bool cut = false;
    while (http_json_next(body, &iter, &key, &value)) {
        if (!read_fault(&faults, key, value, &cut))
            return http_problem(res, 400, "invalid_parameter",
                                "'%.*s' is not part of a printer's state, or its value is of another kind: paperOut, "
                                "ribbonOut, headOpen, paused, bufferFull, silent, refuseConnections, cutConnections "
                                "(true or false), slowMs (0 to 3600000).",
                                (int)PL_MIN(key.len, (size_t)32), (const char *)key.ptr);
    }
    pthread_mutex_lock(&p->lock);
    p->faults = faults;
    pthread_cond_signal(&p->wake);
    pthread_mutex_unlock(&p->lock);
    if (cut)
        printer_io_cut(hub_of(req)->io, p->index);
    printer_io_wake(hub_of(req)->io);
    printer_hub_changed(hub_of(req), p);
    return send_state(p, res);
}
