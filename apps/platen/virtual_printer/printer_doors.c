// Browser Print and the printer's web pages.
#include "printer_doors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/api_body.h"
#include "base/ckd.h"
#include "base/fmt.h"
#include "printer_api.h"
#include "printer_api_parts.h"
#include "printer_hub.h"

#define READ_WAIT_MS 1500u // for an answer that is on its way
#define PROVIDER "com.zebra.ds.webdriver.desktop.provider.DefaultDeviceProvider"
#define MAKER "Zebra Technologies"

// Any page may ask: that is what Browser Print is for, and why it is off unless asked for.
static void allow_pages(struct http_request *req, struct http_response *res)
{
    struct pl_slice origin;
    http_set_header(res, "Access-Control-Allow-Origin",
                    http_header(req, "Origin", &origin) ? origin : pl_slice_cstr("*"));
    http_set_header_cstr(res, "Access-Control-Allow-Private-Network", "true");
}

static struct printer *of_door(struct http_request *req)
{
    struct printer_hub *hub = printer_api_hub(req);
    return req->door >= 1 && req->door <= hub->count ? &hub->printers[req->door - 1] : NULL;
}

static void put_device(const struct printer *p, struct pl_json_writer *out)
{
    pl_json_object(out);
    pl_json_kv_cstr(out, "deviceType", "printer");
    pl_json_kv_cstr(out, "uid", p->serial);
    pl_json_kv_cstr(out, "name", p->spec.name);
    pl_json_kv_cstr(out, "connection", "network");
    pl_json_kv_u64(out, "version", 3);
    pl_json_kv_cstr(out, "provider", PROVIDER);
    pl_json_kv_cstr(out, "manufacturer", MAKER);
    pl_json_end(out);
}

int printer_door_available(struct http_request *req, struct http_response *res)
{
    const struct printer_hub *hub = printer_api_hub(req);
    allow_pages(req, res);
    struct pl_json_writer *out = http_json_begin(res);
    pl_json_object(out);
    pl_json_kv_array(out, "printer");
    for (uint32_t i = 0; i < hub->count; i++) {
        if (atomic_load(&hub->printers[i].is_there))
            put_device(&hub->printers[i], out);
    }
    pl_json_ends(out, 2);
    return http_json_send(res, 200);
}

static int send_text(struct http_response *res, struct pl_slice text)
{
    return printer_api_send_bytes(res, "text/plain; charset=utf-8", text);
}

// Zebra's own JavaScript asks for ?type=printer and reads JSON; the npm wrapper asks without and reads lines.
int printer_door_default(struct http_request *req, struct http_response *res)
{
    const struct printer *p = of_door(req);
    struct pl_slice type;
    if (!p)
        return http_problem(res, 404, "no_printer", "There is no such printer.");
    allow_pages(req, res);
    if (http_query(req, "type", &type)) {
        put_device(p, http_json_begin(res));
        return http_json_send(res, 200);
    }
    char text[512];
    int n =
        snprintf(text, sizeof text,
                 "Device:\n\tname: %s\n\tdeviceType: printer\n\tconnection: network\n\tuid: %s\n\tprovider: " PROVIDER
                 "\n\tmanufacturer: " MAKER,
                 p->spec.name, p->serial);
    return send_text(res, pl_slice_make(text, n > 0 ? PL_MIN((size_t)n, sizeof text - 1) : 0));
}

int printer_door_config(struct http_request *req, struct http_response *res)
{
    allow_pages(req, res);
    struct pl_json_writer *out = http_json_begin(res);
    pl_json_object(out);
    pl_json_kv_object(out, "application");
    pl_json_kv_cstr(out, "version", "1.3.2.489");
    pl_json_kv_u64(out, "apiLevel", 5);
    pl_json_kv_u64(out, "buildNumber", 489);
    pl_json_kv_cstr(out, "platform", "platen");
    pl_json_kv_object(out, "supportedConversions");
    pl_json_ends(out, 3);
    return http_json_send(res, 200);
}

// The printer that a request names; without a name that of the door. NULL: it is unknown, and that was answered.
static struct printer *device_of(struct http_request *req, const struct http_json *body, struct http_response *res)
{
    struct printer_hub *hub = printer_api_hub(req);
    struct pl_slice uid;
    if (!http_json_string(http_json_get(http_json_get(body, "device"), "uid"), &uid))
        return of_door(req);
    for (uint32_t i = 0; i < hub->count; i++) {
        struct printer *p = &hub->printers[i];
        if (atomic_load(&p->is_there) && (pl_slice_eq_cstr(uid, p->serial) || pl_slice_eq_cstr(uid, p->spec.name)))
            return p;
    }
    http_problem(res, 403, "unknown_device", "Unauthorized device detected");
    allow_pages(req, res);
    return NULL;
}

static int write_code(struct http_request *req, struct printer *p, struct pl_slice code, struct http_response *res)
{
    const struct printer_source source = {.client = http_client_of(req), .browser = true, .text = "Browser Print"};
    uint32_t jobs;
    pthread_mutex_lock(&p->lock);
    pl_buf_clear(&p->browser_out); // answers to what was asked before
    pthread_mutex_unlock(&p->lock);
    allow_pages(req, res);
    enum printer_taken taken = printer_take(p, code, &source, &jobs);
    if (taken != PRINTER_TAKEN)
        return printer_not_taken(res, taken);
    return send_text(res, pl_slice_cstr("{}"));
}

int printer_door_write(struct http_request *req, struct http_response *res)
{
    struct http_part parts[8];
    size_t count = 0;
    struct pl_error err;
    struct http_json *body = NULL;
    struct pl_slice text = req->body, code = {0};
    // Files come as a part beside the JSON.
    if (pl_slice_eq_cstr(req->content_type, "multipart/form-data")) {
        if (http_multipart(req, parts, PL_COUNTOF(parts), &count, &err) != PL_OK)
            return http_problem(res, 400, "invalid_multipart", "%s", err.message);
        for (size_t i = 0; i < count; i++) {
            if (pl_slice_eq_cstr(parts[i].name, "json"))
                text = parts[i].data;
            else
                code = parts[i].data;
        }
    }
    if (http_json_parse(text, 0, &body, &err) != PL_OK)
        return http_problem(res, 400, "invalid_json", "%s", err.message);
    struct pl_slice url;
    bool given = http_json_string(http_json_get(body, "data"), &code) || code.ptr;
    struct printer *p = device_of(req, body, res);
    int status = http_status(res);
    if (p && !given) {
        status =
            http_json_string(http_json_get(body, "url"), &url)
                ? http_problem(res, 400, "url_not_supported",
                               "This printer fetches nothing from a URL. Send the label code as 'data' or as a file.")
                : http_problem(res, 400, "no_data", "The label code is missing: 'data', or a file.");
        allow_pages(req, res);
    } else if (p) {
        status = write_code(req, p, code, res);
    }
    http_json_free(body);
    return status;
}

// What the printer has answered; waits a moment for an answer that a job makes.
int printer_door_read(struct http_request *req, struct http_response *res)
{
    struct pl_error err;
    struct http_json *body = NULL;
    if (req->body.len > 0 && http_json_parse(req->body, 0, &body, &err) != PL_OK)
        return http_problem(res, 400, "invalid_json", "%s", err.message);
    struct printer *p = device_of(req, body, res);
    http_json_free(body);
    if (!p)
        return http_status(res);
    uint64_t seen = http_topic_count(req->server, printer_topic(p));
    struct pl_buf answer;
    pthread_mutex_lock(&p->lock);
    answer = p->browser_out;
    bool busy = p->job_count > 0 || p->busy;
    if (answer.len > 0)
        pl_buf_init(&p->browser_out, answer.max);
    pthread_mutex_unlock(&p->lock);
    if (answer.len == 0 && busy && !req->wait_ended)
        return http_wait(res, printer_topic(p), seen, READ_WAIT_MS);
    allow_pages(req, res);
    int status = send_text(res, answer.len > 0 ? pl_buf_slice(&answer) : pl_slice_make("", 0));
    if (answer.len > 0)
        pl_buf_fini(&answer);
    return status;
}

// ---- the printer's web pages

static struct printer *of_pages(struct http_request *req)
{
    struct printer_hub *hub = printer_api_hub(req);
    struct pl_slice name;
    if (req->door)
        return of_door(req);
    if (http_query(req, "printer", &name))
        return printer_hub_find(hub, name);
    for (uint32_t i = 0; i < hub->count; i++) {
        if (atomic_load(&hub->printers[i].is_there))
            return &hub->printers[i];
    }
    return NULL;
}

static int no_pages(struct http_response *res)
{
    return http_problem(res, 404, "not_found", "There is nothing at this path.");
}

int printer_door_pstprnt(struct http_request *req, struct http_response *res)
{
    const struct printer_source source = {.client = http_client_of(req), .text = "web page"};
    struct printer *p = of_pages(req);
    uint32_t jobs;
    struct problem problem;
    if (!p || !printer_api_hub(req)->options.web_pages)
        return no_pages(res);
    if (!api_code_check(req->body, &problem))
        return http_problem(res, problem.status, problem.code, "%s", problem.message);
    enum printer_taken taken = printer_take(p, req->body, &source, &jobs);
    if (taken != PRINTER_TAKEN)
        return printer_not_taken(res, taken);
    http_set_type(res, "text/html; charset=utf-8");
    http_body_borrow(res, pl_slice_cstr("<HTML><BODY>Job sent.</BODY></HTML>\r\n"));
    return 200;
}

// What other fields of the form begin with.
static const char *const FORM_FIELDS[] = {"data=", "dev=", "oname=", "otype=", "prev=", "pw=", "username="};

static bool begins_field(struct pl_slice text)
{
    for (size_t i = 0; i < PL_COUNTOF(FORM_FIELDS); i++) {
        size_t n = strlen(FORM_FIELDS[i]);
        if (text.len >= n && memcmp(text.ptr, FORM_FIELDS[i], n) == 0)
            return true;
    }
    return false;
}

// Where the field ends that begins the text: at the '&' before another one.
static size_t field_length(struct pl_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '&' && begins_field(pl_slice_sub(text, i + 1, text.len)))
            return i;
    }
    return text.len;
}

// Encoded label code has no '^': clients that do not encode send it, and mean every '&', '+' and '%' as it is.
static bool is_encoded(struct pl_slice value)
{
    return !memchr(value.ptr, '^', value.len);
}

static bool decode(struct http_request *req, struct pl_slice value, struct pl_slice *out)
{
    uint8_t *to = pl_arena_alloc(req->arena, value.len + 1, 1);
    size_t at = 0;
    if (!to)
        return false;
    for (size_t i = 0; i < value.len; i++) {
        int high = value.ptr[i] == '%' && value.len - i > 2 ? pl_hex_value(value.ptr[i + 1]) : -1;
        int low = high >= 0 ? pl_hex_value(value.ptr[i + 2]) : -1;
        if (low >= 0) {
            to[at++] = (uint8_t)(high * 16 + low);
            i += 2;
            continue;
        }
        to[at++] = value.ptr[i] == '+' ? ' ' : value.ptr[i];
    }
    *out = pl_slice_make(to, at);
    return true;
}

// The label code of the form. False: there is none.
static bool form_data(struct http_request *req, struct pl_slice *out)
{
    static const char NAME[] = "data=";
    struct pl_slice rest = req->body;
    while (rest.len > 0) {
        size_t n = field_length(rest);
        if (n >= sizeof NAME - 1 && memcmp(rest.ptr, NAME, sizeof NAME - 1) == 0) {
            *out = pl_slice_sub(rest, sizeof NAME - 1, n - (sizeof NAME - 1));
            return out->len == 0 || !is_encoded(*out) || decode(req, *out, out);
        }
        rest = pl_slice_sub(rest, n < rest.len ? n + 1 : n, rest.len);
    }
    return false;
}

// The label that the request's own code was printed as, held for the caller; NULL: it is not there yet.
static struct printed_label *take_preview(struct printer *p, uint64_t preview)
{
    struct printed_label *found = NULL;
    pthread_mutex_lock(&p->lock);
    for (uint32_t i = p->ring.count; i > 0 && !found; i--) {
        struct printed_label *l = print_ring_at(&p->ring, i - 1);
        found = l->preview == preview ? l : NULL;
    }
    if (found)
        printed_label_hold(found);
    pthread_mutex_unlock(&p->lock);
    return found;
}

static int send_preview(struct printed_label *label, struct http_response *res)
{
    char text[512];
    unsigned long long seq = label->seq;
    int n = snprintf(text, sizeof text,
                     "<HTML><BODY><DIV><IMG SRC=\"png?prev=Y&dev=R&oname=__TMP%llu&otype=PNG\" ALT=\"R:__TMP%llu.PNG\" "
                     "WIDTH=\"100%%\" BORDER=\"2\"></DIV></BODY></HTML>\r\n",
                     seq, seq);
    int status =
        label->refused[0]
            ? http_problem(res, 400, "refused", "The label code was refused: %s.", label->refused)
            : printer_api_send_bytes(res, "text/html; charset=utf-8", pl_slice_make(text, n > 0 ? (size_t)n : 0));
    printed_label_release(label);
    return status;
}

// "Preview Label": the picture is that of the label the printer prints for it.
int printer_door_zpl(struct http_request *req, struct http_response *res)
{
    struct printer *p = of_pages(req);
    struct printer_hub *hub = printer_api_hub(req);
    struct pl_slice code;
    uint32_t jobs;
    struct printer_source source = {.client = http_client_of(req), .text = "preview"};
    struct problem problem;
    if (!p || !hub->options.web_pages)
        return no_pages(res);
    uint64_t seen = http_topic_count(req->server, printer_topic(p));
    if (!form_data(req, &code))
        return http_problem(res, 400, "no_data", "The form needs 'data'.");
    if (!api_code_check(code, &problem))
        return http_problem(res, problem.status, problem.code, "%s", problem.message);
    // The first time it is sent; then its label is waited for.
    if (!req->waited)
        req->note = atomic_fetch_add(&hub->previews, 1) + 1;
    source.preview = req->note;
    enum printer_taken taken = req->waited ? PRINTER_TAKEN : printer_take(p, code, &source, &jobs);
    if (taken != PRINTER_TAKEN)
        return printer_not_taken(res, taken);
    struct printed_label *label = take_preview(p, req->note);
    if (label)
        return send_preview(label, res);
    if (req->wait_ended)
        return http_problem(res, 503, "no_label", "No label came of it in time.");
    return http_wait(res, printer_topic(p), seen, 5000);
}

int printer_door_png(struct http_request *req, struct http_response *res)
{
    struct printer *p = of_pages(req);
    struct pl_slice name = {0};
    if (!p || !printer_api_hub(req)->options.web_pages)
        return no_pages(res);
    http_query(req, "oname", &name);
    uint64_t seq = 0;
    for (size_t i = 5; i < name.len && i < 24; i++)
        seq = seq * 10 + (uint64_t)(name.ptr[i] - '0') % 10;
    pthread_mutex_lock(&p->lock);
    const struct printed_label *l = print_ring_find(&p->ring, seq);
    struct blob *png = l ? blob_hold(l->png) : NULL;
    pthread_mutex_unlock(&p->lock);
    if (!png)
        return http_problem(res, 404, "no_label", "There is no such picture.");
    int status = printer_api_send_bytes(res, "image/png", blob_slice(png));
    blob_release(png);
    return status;
}

int printer_door_page(struct http_request *req, struct http_response *res)
{
    struct printer *p = of_pages(req);
    struct printer_face face;
    struct pl_buf text;
    if (!p || !printer_api_hub(req)->options.web_pages)
        return no_pages(res);
    pl_buf_init(&text, 65536);
    pthread_mutex_lock(&p->lock);
    printer_face(p, &face);
    pl_buf_printf(&text,
                  "<HTML><HEAD><TITLE>%s</TITLE></HEAD><BODY><H1>Zebra Technologies<BR>ZTC %s-%s</H1><H2>%s</H2><PRE>",
                  p->spec.name, face.model, face.dpmm == 8 ? "203dpi" : printer_dpi_name(face.dpmm), p->spec.name);
    struct pl_buf rows;
    pl_buf_init(&rows, 65536);
    printer_reply_configuration(&face, &rows);
    pthread_mutex_unlock(&p->lock);
    for (size_t i = 0; i < rows.len; i++) {
        uint8_t c = rows.data[i];
        if (c == '<' || c == '&')
            pl_buf_append_cstr(&text, c == '<' ? "&lt;" : "&amp;");
        else if (c >= 0x20 || c == '\n' || c == '\r')
            pl_buf_append_byte(&text, c);
    }
    pl_buf_append_cstr(&text, "</PRE></BODY></HTML>\r\n");
    int status = text.failed || rows.failed
                     ? http_problem_overloaded(res)
                     : printer_api_send_bytes(res, "text/html; charset=utf-8", pl_buf_slice(&text));
    pl_buf_fini(&rows);
    pl_buf_fini(&text);
    return status;
}
