// The printers over HTTP: their state, and what changes it.
#include "printer_api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/api_body.h"
#include "base/ckd.h"
#include "base/fmt.h"
#include "printer_api_parts.h"
#include "printer_hub.h"
#include "printer_io.h"
#include "printer_outside.h"

#define TURN_MS 5000u // that a request waits for its turn among the jobs

struct printer_hub *printer_api_hub(const struct http_request *req)
{
    struct service *service = req->app;
    return service->hub;
}

int printer_api_send_bytes(struct http_response *res, const char *type, struct pl_slice bytes)
{
    void *copy = malloc(PL_MAX(bytes.len, (size_t)1));
    if (!copy)
        return http_problem_overloaded(res);
    if (bytes.len > 0)
        memcpy(copy, bytes.ptr, bytes.len);
    http_set_type(res, type);
    http_body_take(res, copy, bytes.len);
    return 200;
}

// NULL: the problem is in res.
struct printer *printer_api_named(struct http_request *req, struct http_response *res)
{
    struct pl_slice name = {0};
    http_param(req, "name", &name);
    struct printer *p = printer_hub_find(printer_api_hub(req), name);
    if (!p)
        http_problem(res, 404, "no_printer", "There is no printer '%.*s'.", (int)PL_MIN(name.len, (size_t)32),
                     (const char *)name.ptr);
    return p;
}

struct printed_label *printer_api_take_label(struct printer *p, struct pl_slice text, struct http_response *res)
{
    uint64_t seq = 0;
    bool is_last = pl_slice_eq_cstr(text, "latest"), is_one = is_last || pl_parse_u64(text, &seq);
    pthread_mutex_lock(&p->lock);
    const struct printed_label *last = is_last ? print_ring_last(&p->ring) : NULL;
    struct printed_label *l = is_one ? print_ring_find(&p->ring, last ? last->seq : seq) : NULL;
    if (l)
        printed_label_hold(l);
    pthread_mutex_unlock(&p->lock);
    if (!l)
        http_problem(res, 404, "no_label", "There is no such label, or it was dropped since.");
    return l;
}

// ---- printers

int printer_api_list(struct http_request *req, struct http_response *res)
{
    struct printer_hub *hub = printer_api_hub(req);
    struct pl_json_writer *out = http_json_begin(res);
    pl_json_object(out);
    pl_json_kv_array(out, "printers");
    for (uint32_t i = 0; i < hub->count; i++) {
        struct printer *p = &hub->printers[i];
        if (!atomic_load(&p->is_there))
            continue;
        pthread_mutex_lock(&p->lock);
        printer_write_state(p, false, out);
        pthread_mutex_unlock(&p->lock);
    }
    pl_json_end(out);
    pl_json_kv_u64(out, "spares", printer_hub_spares(hub));
    pl_json_kv_array(out, "printTo");
    const char *list = hub->options.print_to;
    struct pl_slice entry;
    while (list && *list && http_option_entry(&list, &entry))
        pl_json_slice(out, entry);
    pl_json_ends(out, 2);
    return http_json_send(res, 200);
}

// It will be done. `jobs`: how many there are; NULL: that is not said.
static int send_taken(struct http_response *res, const uint32_t *jobs)
{
    struct pl_json_writer *out = http_json_begin(res);
    pl_json_object(out);
    pl_json_kv_bool(out, "ok", true);
    if (jobs)
        pl_json_kv_u64(out, "jobs", *jobs);
    pl_json_end(out);
    return http_json_send(res, 202);
}

static int send_state(struct printer *p, int status, struct http_response *res)
{
    struct pl_json_writer *out = http_json_begin(res);
    pthread_mutex_lock(&p->lock);
    printer_write_state(p, true, out);
    pthread_mutex_unlock(&p->lock);
    return http_json_send(res, status);
}

int printer_api_one(struct http_request *req, struct http_response *res)
{
    struct printer *p = printer_api_named(req, res);
    return p ? send_state(p, 200, res) : http_status(res);
}

// The body; NULL: the problem is in res.
static const struct http_json *read_object(struct http_request *req, struct http_response *res)
{
    const struct http_json *body = http_request_json(req, res);
    if (!body || http_json_type(body) == HTTP_JSON_OBJECT)
        return body;
    http_problem(res, 400, "invalid_json", "The body must be one JSON object.");
    return NULL;
}

// ---- making one

// A member of the request's body. NULL: it is good; otherwise what it must be.
static const char *choose(struct printer_spec *spec, struct pl_slice key, const struct http_json *value)
{
    struct pl_slice text;
    char digits[24];
    int64_t number;
    if (pl_slice_eq_cstr(key, "dpmm")) {
        if (!http_json_integer(value, &number))
            return "a whole number";
        snprintf(digits, sizeof digits, "%lld", (long long)number);
        text = pl_slice_cstr(digits);
    } else if (!http_json_string(value, &text)) {
        return "a text";
    }
    return printer_spec_choose(spec, key, text);
}

static int not_made(struct http_response *res, const struct printer_spec *spec, enum printer_made made)
{
    switch (made) {
    case PRINTER_MADE_NAME_TAKEN:
        return http_problem(res, 409, "printer_exists", "There is a printer '%s'.", spec->name);
    case PRINTER_MADE_NONE_LEFT:
        return http_problem(res, 409, "no_spare_printer",
                            "There is no spare printer left: --printer with spare=on sets how many there are.");
    case PRINTER_MADE_TOO_LARGE:
        return http_problem(res, 400, "invalid_parameter",
                            "'size' is less than a dot, or over the limit of --max-dots.");
    default:
        return printer_not_taken(res, PRINTER_TAKEN_BUSY);
    }
}

int printer_api_make(struct http_request *req, struct http_response *res)
{
    struct printer_hub *hub = printer_api_hub(req);
    struct printer_spec spec;
    const uint32_t index = printer_hub_spare(hub, &spec);
    struct pl_slice key;
    const struct http_json *value;
    void *iter = NULL;
    if (!pl_slice_eq_cstr(req->content_type, "application/json"))
        return http_problem(res, 415, "unsupported_media_type", "Content-Type must be application/json.");
    const struct http_json *body = read_object(req, res);
    if (!body)
        return http_status(res);
    while (http_json_next(body, &iter, &key, &value)) {
        const char *allowed = choose(&spec, key, value);
        if (allowed)
            return http_problem(res, 400, "invalid_parameter", "'%.*s' must be %s.", (int)PL_MIN(key.len, (size_t)32),
                                (const char *)key.ptr, allowed);
    }
    if (!spec.name[0])
        return http_problem(res, 400, "missing_parameter", "'name' is missing: the printer's name.");
    enum printer_made made = printer_hub_make(hub, index, &spec);
    if (made != PRINTER_MADE)
        return not_made(res, &spec, made);
    printer_tell_changes(&hub->printers[index]);
    return send_state(&hub->printers[index], 201, res);
}

// ---- changes

int printer_api_clear(struct http_request *req, struct http_response *res)
{
    struct printer *p = printer_api_named(req, res);
    if (!p)
        return http_status(res);
    pthread_mutex_lock(&p->lock);
    print_ring_clear(&p->ring);
    pthread_mutex_unlock(&p->lock);
    printer_hub_changed(printer_api_hub(req), p);
    return send_state(p, 200, res);
}

static bool is_object_name(struct pl_slice name)
{
    for (size_t i = 0; i < name.len; i++) {
        uint8_t c = name.ptr[i];
        bool good =
            pl_is_letter(c) || pl_is_digit(c) || c == ':' || c == '.' || c == '*' || c == '?' || c == '_' || c == '-';
        if (!good)
            return false;
    }
    return name.len >= 3 && name.len <= 32 && name.ptr[1] == ':';
}

// The state after the client's job that req->note names, whose turn is waited for. 202: it has not come yet.
static int send_state_after(struct http_request *req, struct printer *p, uint64_t client, struct http_response *res)
{
    uint64_t seen = http_topic_count(req->server, printer_topic(p));
    if (printer_has_done(p, client, req->note))
        return send_state(p, 200, res);
    if (!req->wait_ended)
        return http_wait(res, printer_topic(p), seen, TURN_MS);
    return send_taken(res, NULL);
}

// 0: there is no memory.
static uint64_t submit_forgetting(struct printer *p, uint64_t client, struct pl_slice name)
{
    const struct printer_source self = {.client = client, .text = "api"};
    struct pl_buf code;
    pl_buf_init(&code, 256);
    pl_buf_append_cstr(&code, "\x02\x1eID");
    pl_buf_append_slice(&code, name);
    pl_buf_append_byte(&code, 0x03);
    struct printer_job *job = code.failed ? NULL : printer_job_new(pl_buf_slice(&code), &self);
    pl_buf_fini(&code);
    if (!job)
        return 0;
    job->quiet = job->lasts = job->is_awaited = true;
    return printer_submit(p, job);
}

int printer_api_forget(struct http_request *req, struct http_response *res)
{
    struct printer *p = printer_api_named(req, res);
    struct pl_slice name = pl_slice_cstr("R:*.*");
    if (!p)
        return http_status(res);
    http_query(req, "object", &name);
    if (!is_object_name(name))
        return http_problem(res, 400, "invalid_parameter", "'object' must be a name such as R:LOGO.GRF or E:*.*.");
    if (p->spec.language != PLATEN_LANGUAGE_ZPL)
        return http_problem(
            res, 400, "invalid_parameter",
            "Objects are deleted by name where the printer reads ZPL; a reset makes this one forget all.");
    const uint64_t client = http_client_of(req);
    if (!req->waited) {
        if (!printer_has_room(p, client))
            return printer_not_taken(res, PRINTER_TAKEN_BUSY);
        req->note = submit_forgetting(p, client, name);
    }
    return req->note ? send_state_after(req, p, client, res) : http_problem_overloaded(res);
}

int printer_api_reset(struct http_request *req, struct http_response *res)
{
    struct printer *p = printer_api_named(req, res);
    struct pl_slice memory;
    if (!p)
        return http_status(res);
    // ?memory=keep: as if it were switched off and on.
    bool keep = http_query(req, "memory", &memory);
    if (keep && !pl_slice_eq_nocase(memory, pl_slice_cstr("keep")))
        return http_problem(res, 400, "invalid_parameter",
                            "'memory' must be keep; without it the printer forgets all that it stored.");
    if (!req->waited) {
        req->note = printer_power_cycle(p, !keep);
        printer_tell_changes(p);
    }
    return req->note ? send_state_after(req, p, PRINTER_SELF, res) : http_problem_overloaded(res);
}

// Whatever is printed was called label code, or nothing at all.
static bool is_label_code(const struct http_request *req, struct http_response *res)
{
    struct problem problem;
    if (req->body.len == 0)
        problem_set(&problem, 400, "missing_zpl", "There is no label code in the request.");
    else if (!api_body_is_code(req->content_type))
        problem_set(&problem, 415, "unsupported_media_type",
                    "The body is printed as it is: Content-Type must be text/plain, application/zpl, "
                    "application/x-zpl, application/octet-stream or application/x-www-form-urlencoded.");
    else if (api_code_check(req->body, &problem))
        return true;
    return problem_answer(&problem, res);
}

int printer_api_print(struct http_request *req, struct http_response *res)
{
    struct printer *p = printer_api_named(req, res);
    uint32_t jobs;
    if (!p || !is_label_code(req, res))
        return http_status(res);
    struct printer_source source = {.client = http_client_of(req)};
    snprintf(source.text, sizeof source.text, "%.*s", (int)PL_MIN(req->client.len, (size_t)48),
             (const char *)req->client.ptr);
    enum printer_taken taken = printer_take(p, req->body, &source, &jobs);
    if (taken != PRINTER_TAKEN)
        return printer_not_taken(res, taken);
    return send_taken(res, &jobs);
}

static int send_to(struct http_request *req, struct http_response *res, struct pl_slice code)
{
    struct pl_slice host = {0};
    http_query(req, "host", &host);
    if (host.len == 0)
        return http_problem(res, 400, "missing_parameter",
                            "'host' is missing: the query names the printer, as in ?host=10.0.0.7:9100. It is one of "
                            "those of --print-to, which GET /api/printers lists as printTo.");
    enum printer_sent sent = printer_outside_print_to(printer_api_hub(req)->outside, host, code);
    if (sent == PRINTER_SENT_NOWHERE)
        return http_problem(
            res, 403, "host_not_allowed",
            "--print-to does not name this host; GET /api/printers lists those that it names as printTo.");
    if (sent == PRINTER_NOT_SENT)
        return printer_not_taken(res, PRINTER_TAKEN_BUSY);
    return send_taken(res, NULL);
}

int printer_api_send(struct http_request *req, struct http_response *res)
{
    return is_label_code(req, res) ? send_to(req, res, req->body) : http_status(res);
}

int printer_api_print_to(struct http_request *req, struct http_response *res)
{
    struct printer *p = printer_api_named(req, res);
    struct pl_slice seq = {0};
    http_param(req, "seq", &seq);
    struct printed_label *l = p ? printer_api_take_label(p, seq, res) : NULL;
    if (!l)
        return http_status(res);
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
    struct printer *p = printer_api_named(req, res);
    if (!p)
        return http_status(res);
    if (!api_body_is_code(req->content_type) && !pl_slice_eq_cstr(req->content_type, "application/json"))
        return http_problem(res, 415, "unsupported_media_type", "Content-Type must be application/json.");
    const struct http_json *body = read_object(req, res);
    if (!body)
        return http_status(res);
    void *iter = NULL;
    struct pl_slice key;
    const struct http_json *value;
    bool cut = false;
    // Locked until it is written back: what the printer or another client changes meanwhile is not lost.
    pthread_mutex_lock(&p->lock);
    struct printer_faults faults = p->faults;
    while (http_json_next(body, &iter, &key, &value)) {
        if (!read_fault(&faults, key, value, &cut)) {
            pthread_mutex_unlock(&p->lock);
            return http_problem(res, 400, "invalid_parameter",
                                "'%.*s' is not part of a printer's state, or its value is of another kind: paperOut, "
                                "ribbonOut, headOpen, paused, bufferFull, silent, refuseConnections, cutConnections "
                                "(true or false), slowMs (0 to 3600000).",
                                (int)PL_MIN(key.len, (size_t)32), (const char *)key.ptr);
        }
    }
    if (faults.slow_ms != p->faults.slow_ms)
        p->next_print_ns = 0; // the pause after the last label was that of the old speed
    p->faults = faults;
    pthread_cond_signal(&p->wake);
    pthread_mutex_unlock(&p->lock);
    if (cut)
        printer_io_cut(printer_api_hub(req)->io, p->index);
    printer_io_wake(printer_api_hub(req)->io);
    printer_hub_changed(printer_api_hub(req), p);
    return send_state(p, 200, res);
}
