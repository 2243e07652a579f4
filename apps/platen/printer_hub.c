// All virtual printers: set up, started, stopped; what is told of them.
#include "printer_hub.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "os/files.h"
#include "printer_io.h"
#include "printer_outside.h"

#define STATE_BYTES ((uint64_t)1 << 30)
#define LABEL_JSON_BYTES ((size_t)16 << 20) // of one label, for files and the webhook

// What --state kept of a printer. None is none.
static enum pl_errc load_state(struct printer_hub *hub, struct printer *p, struct pl_error *err)
{
    char path[4096];
    const void *bytes;
    size_t size;
    const char *dir = hub->options.state_dir;
    if (!dir || !*dir)
        return PL_OK;
    int n = snprintf(path, sizeof path, "%s/%s.zpl", dir, p->spec.name);
    if (n < 0 || (size_t)n >= sizeof path)
        return pl_fail(err, PL_E_INVALID, "--state: the path is too long");
    if (!pl_os_map(path, STATE_BYTES, &bytes, &size))
        return errno == ENOMEM ? pl_fail_memory(err)
               : errno == 0 || errno == ENOENT
                   ? PL_OK
                   : pl_fail(err, PL_E_IO, "--state: cannot read %s: %s", path, strerror(errno));
    struct blob *lasting = blob_new(pl_slice_make(bytes, size));
    pl_os_unmap(bytes, size);
    if (!lasting)
        return pl_fail_memory(err);
    blob_release(p->memory[0]);
    p->memory[0] = lasting;
    return PL_OK;
}

// What it holds and which settings it has is known after a job that changes nothing.
static enum pl_errc submit_first(struct printer *p, struct pl_error *err)
{
    static const struct printer_source SELF = {.text = "start"};
    struct printer_job *job = printer_job_new(pl_slice_cstr("\x10JR"), &SELF);
    if (!job)
        return pl_fail_memory(err);
    job->quiet = true;
    printer_submit(p, job);
    return PL_OK;
}

enum pl_errc printer_hub_open(struct printer_hub *hub, struct http_server *server, struct pl_error *err)
{
    struct printer_spec *specs = calloc(PRINTERS_MAX, sizeof *specs);
    uint32_t count = 0;
    hub->server = server;
    if (!specs)
        return pl_fail_memory(err);
    enum pl_errc code = printer_specs_read(hub->options.printers, specs, &count, err);
    if (code == PL_OK && count > 0) {
        struct http_metrics *metrics = http_server_metrics(server);
        hub->labels = http_metric_counter(metrics, "printer_labels_total", "Labels that the printers printed.", NULL);
        hub->jobs = http_metric_counter(metrics, "printer_jobs_total", "Formats and downloads for the printers.", NULL);
        hub->refused = http_metric_counter(metrics, "printer_refused_total", "Jobs that were not carried out.", NULL);
        hub->connections = http_metric_gauge(metrics, "printer_connections", "Raw connections open now.", NULL);
        hub->printers = calloc(count, sizeof *hub->printers);
        if (!hub->printers)
            code = pl_fail_memory(err);
    }
    for (uint32_t i = 0; code == PL_OK && i < count; i++) {
        hub->count++;
        if (!printer_init(&hub->printers[i], hub, i, &specs[i]))
            code = pl_fail_memory(err);
        else if (hub->printers[i].width == 0)
            code = pl_fail(err, PL_E_INVALID, "--printer: the size of '%s' is over the limit of --max-dots",
                           specs[i].name);
        else
            code = load_state(hub, &hub->printers[i], err);
        if (code == PL_OK)
            code = submit_first(&hub->printers[i], err);
    }
    free(specs);
    if (code == PL_OK)
        code = printer_outside_open(hub, &hub->outside, err);
    return code == PL_OK && hub->count > 0 ? printer_io_open(hub, &hub->io, err) : code;
}

enum pl_errc printer_hub_start(struct printer_hub *hub, struct pl_error *err)
{
    if (atomic_exchange(&hub->started, true))
        return PL_OK;
    bool good = printer_outside_start(hub->outside);
    for (uint32_t i = 0; i < hub->count; i++)
        good = good && printer_start(&hub->printers[i]);
    good = good && (hub->count == 0 || printer_io_start(hub->io));
    return good ? PL_OK : pl_fail(err, PL_E_IO, "cannot start the printers' threads");
}

void printer_hub_stop(struct printer_hub *hub)
{
    if (hub->count == 0 || atomic_exchange(&hub->stopped, true))
        return;
    printer_io_stop(hub->io);
    for (uint32_t i = 0; i < hub->count; i++)
        printer_ask_to_stop(&hub->printers[i]);
    for (uint32_t i = 0; i < hub->count; i++)
        printer_stop(&hub->printers[i]);
    printer_outside_stop(hub->outside);
}

void printer_hub_close(struct printer_hub *hub)
{
    printer_hub_stop(hub);
    for (uint32_t i = 0; i < hub->count; i++)
        printer_fini(&hub->printers[i]);
    printer_io_close(hub->io);
    printer_outside_close(hub->outside);
    free(hub->printers);
    hub->printers = NULL;
    hub->count = 0;
}

struct printer *printer_hub_find(struct printer_hub *hub, struct pl_slice name)
{
    for (uint32_t i = 0; i < hub->count; i++) {
        if (pl_slice_eq_cstr(name, hub->printers[i].spec.name))
            return &hub->printers[i];
    }
    return NULL;
}

static void tell(struct printer_hub *hub, struct printer *p, uint64_t id, const char *name, struct pl_slice json)
{
    http_events_send(hub->server, printer_topic(p), id, name, json);
    http_events_send(hub->server, PRINTER_TOPIC_ALL, id, name, json);
}

// To the folder of --keep and to the webhook. The list says what did not get there.
static void take_outside(struct printer_hub *hub, struct printer *p, struct printed_label *label)
{
    struct pl_buf text;
    struct pl_json_writer out;
    if (!hub->outside)
        return;
    pl_buf_init(&text, LABEL_JSON_BYTES);
    pl_json_writer_init(&out, &text);
    printer_write_label(p, label, true, &out);
    struct pl_slice json = text.failed ? pl_slice_make("", 0) : pl_buf_slice(&text);
    bool kept = printer_outside_keep(hub->outside, p->spec.name, label, json);
    if (!text.failed)
        printer_outside_webhook(hub->outside, json);
    if (text.failed)
        atomic_store(&label->not_kept, "its JSON has more than 16 MiB");
    else if (!kept)
        atomic_store(&label->not_kept, "too many files waited to be written");
    pl_buf_fini(&text);
}

void printer_hub_printed(struct printer_hub *hub, struct printer *p, struct printed_label *label)
{
    struct pl_buf text;
    struct pl_json_writer out;
    http_counter_add(hub->labels, label->copies);
    take_outside(hub, p, label);
    pl_buf_init(&text, LABEL_JSON_BYTES);
    pl_json_writer_init(&out, &text);
    printer_write_label(p, label, false, &out);
    if (!text.failed)
        tell(hub, p, label->seq, "label", pl_buf_slice(&text));
    pl_buf_fini(&text);
}

void printer_hub_changed(struct printer_hub *hub, struct printer *p)
{
    struct pl_buf text;
    struct pl_json_writer out;
    pl_buf_init(&text, (size_t)1 << 20);
    pl_json_writer_init(&out, &text);
    pthread_mutex_lock(&p->lock);
    printer_write_state(p, false, &out);
    pthread_mutex_unlock(&p->lock);
    if (!text.failed)
        tell(hub, p, 0, "state", pl_buf_slice(&text));
    pl_buf_fini(&text);
}
