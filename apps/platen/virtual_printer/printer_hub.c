// All virtual printers: set up, started, stopped; what is told of them.
#include "printer_hub.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "http/io/seam.h"
#include "os/clock.h"
#include "os/files.h"
#include "printer_io.h"
#include "printer_outside.h"
#include "process/say.h"

#define STATE_BYTES ((uint64_t)1 << 30)
#define LABEL_JSON_BYTES ((size_t)16 << 20) // of one label, for files and the webhook

// A file of --state, mapped; *size is 0 where there is none.
static enum pl_errc map_state(const struct printer_hub *hub, const struct printer *p, const char *ext,
                              const void **bytes, size_t *size, struct pl_error *err)
{
    char path[4096];
    const char *dir = hub->options.state_dir;
    *size = 0;
    if (!dir || !*dir)
        return PL_OK;
    int n = snprintf(path, sizeof path, "%s/%s.%s", dir, p->spec.name, ext);
    if (n < 0 || (size_t)n >= sizeof path)
        return pl_fail(err, PL_E_INVALID, "--state: the path is too long");
    if (pl_os_map(path, STATE_BYTES, bytes, size))
        return PL_OK;
    *size = 0;
    return errno == ENOMEM ? pl_fail_memory(err)
           : errno == 0 || errno == ENOENT
               ? PL_OK
               : pl_fail(err, PL_E_IO, "--state: cannot read %s: %s", path, strerror(errno));
}

// What it holds and which settings it has is known after a job that changes nothing.
static enum pl_errc submit_first(struct printer *p, const char *code, struct pl_error *err)
{
    static const struct printer_source SELF = {.text = "start"};
    struct printer_job *job = printer_job_new(pl_slice_cstr(code), &SELF);
    if (!job)
        return pl_fail_memory(err);
    job->quiet = job->of_start = true;
    printer_submit(p, job);
    return PL_OK;
}

// What --state kept of a printer: drive E: and settings, and jobs that were not printed. None is none.
static enum pl_errc load_state(struct printer_hub *hub, struct printer *p, struct pl_error *err)
{
    const void *bytes;
    size_t size;
    PL_TRY(map_state(hub, p, "zpl", &bytes, &size, err));
    if (size > 0) {
        struct blob *lasting = blob_new(pl_slice_make(bytes, size));
        pl_os_unmap(bytes, size);
        if (!lasting)
            return pl_fail_memory(err);
        blob_release(p->memory[0]);
        p->memory[0] = lasting;
    }
    PL_TRY(map_state(hub, p, "jobs", &bytes, &size, err));
    if (size == 0)
        return submit_first(p, "\x10JR", err);
    // Drive R: is as it was when the jobs were kept.
    enum pl_errc code = submit_first(p, "\x02\x03", err);
    struct pl_error why;
    if (code == PL_OK && (code = printer_load_left(p, pl_slice_make(bytes, size), &why)) != PL_OK)
        code = pl_fail(err, code, "--state: %s.jobs: %s", p->spec.name, why.message);
    pl_os_unmap(bytes, size);
    return code;
}

// From here on the service has the kept jobs, and keeps them again if it ends before they are printed.
static bool forget_kept(struct printer_hub *hub)
{
    char path[4096];
    const char *dir = hub->options.state_dir;
    for (uint32_t i = 0; dir && *dir && i < hub->count; i++) {
        snprintf(path, sizeof path, "%s/%s.jobs", dir, hub->printers[i].spec.name);
        if (unlink(path) != 0 && errno != ENOENT)
            return false;
    }
    return true;
}

enum pl_errc printer_hub_open(struct printer_hub *hub, struct http_server *server, struct pl_error *err)
{
    struct printer_spec *specs = calloc(PRINTERS_MAX, sizeof *specs);
    uint32_t count = 0;
    hub->server = server;
    pl_say_begin();
    if (!hub->seam)
        hub->seam = &http_system_seam;
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
    }
    free(specs);
    if (code == PL_OK)
        code = printer_outside_open(hub, &hub->outside, err);
    if (code != PL_OK || hub->count == 0)
        return code;
    PL_TRY(printer_io_open(hub, &hub->io, err));
    hub->ports = printer_io_ports(hub->io);
    return PL_OK;
}

enum pl_errc printer_hub_start(struct printer_hub *hub, struct pl_error *err)
{
    if (atomic_exchange(&hub->started, true))
        return PL_OK;
    if (!forget_kept(hub))
        return pl_fail(err, PL_E_IO, "--state: cannot remove the file of kept jobs: %s", strerror(errno));
    bool good = printer_outside_start(hub->outside);
    for (uint32_t i = 0; i < hub->count; i++)
        good = good && printer_start(&hub->printers[i]);
    good = good && (hub->count == 0 || printer_io_start(hub->io));
    return good ? PL_OK : pl_fail(err, PL_E_IO, "cannot start the printers' threads");
}

void printer_hub_drain(struct printer_hub *hub, uint64_t end_ns)
{
    atomic_store(&hub->drain_end_ns, end_ns);
    if (hub->count > 0)
        printer_io_drain(hub->io);
}

// Connections first: they give jobs to the printers, nobody gives anything to them.
bool printer_hub_is_drained(struct printer_hub *hub)
{
    if (hub->count > 0 && !printer_io_is_drained(hub->io))
        return false;
    for (uint32_t i = 0; i < hub->count; i++) {
        if (!printer_is_idle(&hub->printers[i]))
            return false;
    }
    return true;
}

static void wait_until_drained(struct printer_hub *hub)
{
    const struct timespec moment = {.tv_nsec = 2000000};
    while (!printer_hub_is_drained(hub) && pl_now_ns() < atomic_load(&hub->drain_end_ns))
        nanosleep(&moment, NULL);
}

void printer_hub_stop(struct printer_hub *hub)
{
    if (hub->count == 0 || atomic_exchange(&hub->stopped, true))
        return;
    if (atomic_load(&hub->started))
        wait_until_drained(hub);
    printer_io_stop(hub->io);
    for (uint32_t i = 0; i < hub->count; i++)
        printer_ask_to_stop(&hub->printers[i]);
    for (uint32_t i = 0; i < hub->count; i++)
        printer_stop(&hub->printers[i]);
}

// What is not printed goes into the folder of --state, or is named.
static void leave(struct printer_hub *hub)
{
    bool kept[PRINTERS_MAX] = {false}, has_folder = hub->options.state_dir && *hub->options.state_dir;
    for (uint32_t i = 0; i < hub->count; i++) {
        struct printer *p = &hub->printers[i];
        struct pl_buf file = {0};
        struct blob *jobs = has_folder && printer_keep_left(p, &file) ? blob_new(pl_buf_slice(&file)) : NULL;
        kept[i] = jobs && printer_outside_save(hub->outside, i, p->spec.name, SAVE_JOBS, jobs);
        blob_release(jobs);
        pl_buf_fini(&file);
    }
    atomic_fetch_add(&hub->lost, printer_outside_stop(hub->outside, atomic_load(&hub->drain_end_ns)));
    for (uint32_t i = 0; i < hub->count; i++) {
        if (!kept[i] || !printer_outside_saved(hub->outside, i))
            printer_name_left(&hub->printers[i]);
    }
}

void printer_hub_close(struct printer_hub *hub)
{
    printer_hub_stop(hub);
    if (atomic_load(&hub->started))
        leave(hub); // else the files are as they were
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
    if (atomic_load(&hub->stopped))
        return; // no loop takes events any more
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
    bool kept = printer_outside_keep(hub->outside, p, label, json);
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
