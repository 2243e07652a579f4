// SGD of a printer: lines and JSON.
#include <string.h>

#include "base/ckd.h"
#include "http/message/json.h"
#include "printer.h"
#include "printer/sgd.h"
#include "printer_hub.h"

#define JSON_VALUES 1000u

static void values_of(struct printer *p, struct sgd_values *values)
{
    struct printer_face face;
    pthread_mutex_lock(&p->lock);
    printer_face(p, &face);
    pthread_mutex_unlock(&p->lock);
    *values = (struct sgd_values){.width = face.width,
                                  .length = face.length,
                                  .darkness_tenths = face.darkness_tenths,
                                  .speed = face.speed,
                                  .mode = face.mode,
                                  .tracking = face.tracking,
                                  .media = face.media};
}

// The label code that sets it takes its turn; whoever asks meanwhile is told what will be.
static void set(struct printer *p, struct pl_slice code, const struct sgd_values *values, uint64_t client)
{
    const struct printer_source self = {.client = client, .text = "SGD"};
    // A unit of JSON may set a thousand values.
    struct printer_job *job = printer_has_room(p, client) ? printer_job_new(code, &self) : NULL;
    if (!job)
        return;
    job->quiet = job->lasts = job->sets = true;
    pthread_mutex_lock(&p->lock);
    p->expected = *values;
    p->expects = true;
    p->settings_waiting++;
    pthread_mutex_unlock(&p->lock);
    printer_submit(p, job);
}

static void act(struct printer *p, struct pl_slice name, struct pl_slice value, const struct printer_source *source,
                bool *known)
{
    struct pl_buf code;
    struct sgd_values values;
    pl_buf_init(&code, 256);
    // Otherwise one of two that set different values at once would bring back the other's old one.
    pthread_mutex_lock(&p->setting);
    values_of(p, &values);
    enum sgd_action action = sgd_act(name, value, known, &code, &values);
    if (action == SGD_CODE && !code.failed && p->spec.language == PLATEN_LANGUAGE_ZPL) // it is code of ZPL
        set(p, pl_buf_slice(&code), &values, source->client);
    pthread_mutex_unlock(&p->setting);
    switch (action) {
    case SGD_CODE:
        break;
    case SGD_PAUSE: {
        struct pl_buf none;
        pl_buf_init(&none, 16);
        bool on = pl_slice_eq_nocase(value, pl_slice_cstr("true")) || pl_slice_eq_cstr(value, "1");
        printer_control(p, pl_slice_cstr(on ? "PP" : "PS"), source, &none);
        pl_buf_fini(&none);
        break;
    }
    case SGD_RESET:
        printer_power_cycle(p, false);
        break;
    case SGD_CONFIG:
        printer_control(p, pl_slice_cstr("WC"), source, &code);
        break;
    case SGD_NOTHING:
        break;
    }
    pl_buf_fini(&code);
}

static bool get(struct printer *p, struct pl_slice name, struct pl_buf *value)
{
    struct printer_face face;
    pthread_mutex_lock(&p->lock);
    printer_face(p, &face);
    bool known = sgd_get(&face, name, value);
    pthread_mutex_unlock(&p->lock);
    return known;
}

static bool is_silent(struct printer *p)
{
    pthread_mutex_lock(&p->lock);
    bool silent = p->faults.silent;
    pthread_mutex_unlock(&p->lock);
    return silent;
}

void printer_sgd(struct printer *p, struct pl_slice line, const struct printer_source *source, struct pl_buf *out)
{
    struct sgd_line sgd;
    bool known = true;
    sgd_read(line, &sgd);
    if (sgd.verb == SGD_SET || sgd.verb == SGD_DO)
        act(p, sgd.name, sgd.value, source, &known);
    if ((sgd.verb != SGD_GET && sgd.verb != SGD_DO) || is_silent(p))
        return;
    pl_buf_append_byte(out, '"');
    if (sgd.verb == SGD_GET && !get(p, sgd.name, out))
        pl_buf_append_byte(out, '?');
    else if (sgd.verb == SGD_DO && !known)
        pl_buf_append_byte(out, '?');
    pl_buf_append_byte(out, '"');
}

// All names that begin with one, as {"device":null} and {"allvalues":null} ask.
struct branch {
    struct printer *printer;
    struct pl_slice name;
    struct pl_json_writer *out;
};

static void put_value(struct printer *p, struct pl_slice name, struct pl_json_writer *out)
{
    struct pl_buf value;
    char key[128];
    pl_buf_init(&value, 65536);
    size_t n = PL_MIN(name.len, sizeof key - 1);
    memcpy(key, name.ptr, n);
    key[n] = '\0';
    bool known = get(p, name, &value);
    pl_json_key(out, key);
    if (known)
        pl_json_slice(out, pl_buf_slice(&value));
    else
        pl_json_null(out);
    pl_buf_take_over(out->buf, &value);
}

static void put_branch(void *user, const char *name)
{
    const struct branch *b = user;
    if (strlen(name) > b->name.len && strncmp(name, (const char *)b->name.ptr, b->name.len) == 0 &&
        (b->name.len == 0 || name[b->name.len] == '.'))
        put_value(b->printer, pl_slice_cstr(name), b->out);
}

static void put_member(struct printer *p, struct pl_slice name, const struct http_json *value,
                       const struct printer_source *source, struct pl_json_writer *out)
{
    struct pl_slice text;
    bool known;
    if (http_json_string(value, &text)) {
        act(p, name, text, source, &known);
        put_value(p, name, out);
        return;
    }
    struct pl_buf probe;
    pl_buf_init(&probe, 65536);
    bool all = pl_slice_eq_cstr(name, "allvalues") || pl_slice_eq_cstr(name, "allconfig");
    struct branch branch = {p, all ? pl_slice_make("", 0) : name, out};
    if (!all && get(p, name, &probe))
        put_value(p, name, out);
    else
        sgd_names(put_branch, &branch);
    pl_buf_fini(&probe);
}

void printer_json(struct printer *p, struct pl_slice json, const struct printer_source *source, struct pl_buf *out)
{
    struct http_json *document;
    struct pl_error err;
    enum pl_errc code = http_json_parse(json, JSON_VALUES, &document, &err);
    if (code == PL_E_MEMORY)
        out->failed = out->short_of_memory = true; // its connection ends: the next answer would be taken for this one
    if (code != PL_OK)
        return;
    struct pl_json_writer writer;
    void *iter = NULL;
    struct pl_slice name;
    const struct http_json *value;
    size_t before = out->len;
    bool any = false;
    pl_json_writer_init(&writer, out);
    pl_json_object(&writer);
    while (http_json_next(document, &iter, &name, &value)) {
        put_member(p, name, value, source, &writer);
        any = true;
    }
    pl_json_end(&writer);
    // "{}" alone only says that JSON follows.
    if (!any || is_silent(p))
        out->len = before;
    http_json_free(document);
}
