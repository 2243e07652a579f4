// All virtual printers: set up, started, stopped.
#include "printer_hub.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/ckd.h"
#include "http/message/host.h"
#include "http/system/seam.h"
#include "os/clock.h"
#include "printer_helper.h"
#include "printer_io.h"
#include "printer_outside.h"
#include "printer_state.h"

#define ADDRESS_ROOM 300

static bool given(const char *text)
{
    return text && *text;
}

// Of fewer bytes than `room`.
static enum pl_errc check_address(const char *option, struct pl_slice text, size_t room, struct pl_error *err)
{
    char address[ADDRESS_ROOM], host[ADDRESS_ROOM];
    const char *port;
    snprintf(address, sizeof address, "%.*s", (int)PL_MIN(text.len, sizeof address), (const char *)text.ptr);
    bool good = text.len < room && http_address_split(address, host, sizeof host, &port) && strlen(port) <= 5 &&
                strtoul(port, NULL, 10) <= 65535;
    return good ? PL_OK : pl_fail(err, PL_E_INVALID, "%s: '%s' is not HOST:PORT", option, address);
}

// None is right, too.
static enum pl_errc check_one(const char *option, const char *text, struct pl_error *err)
{
    return given(text) ? check_address(option, pl_slice_cstr(text), ADDRESS_ROOM, err) : PL_OK;
}

enum pl_errc printer_hub_check(struct printer_hub *hub, struct pl_error *err)
{
    const struct printer_options *o = &hub->options;
    char address[ADDRESS_ROOM];
    const char *path, *list = o->print_to;
    struct pl_slice entry;
    struct in_addr interface;
    if (given(o->webhook) && !printer_split_url(o->webhook, address, sizeof address, &path))
        return pl_fail(err, PL_E_INVALID, "--webhook: '%s' is not a URL that starts with http://", o->webhook);
    if (given(o->mdns) && inet_pton(AF_INET, o->mdns, &interface) != 1)
        return pl_fail(err, PL_E_INVALID, "--printer-mdns: '%s' is not an IPv4 address of this machine", o->mdns);
    PL_TRY(check_one("--forward", o->forward, err));
    PL_TRY(check_one("--printer-discovery", o->discovery, err));
    while (given(list) && http_option_entry(&list, &entry)) {
        if (entry.len > 0)
            PL_TRY(check_address("--print-to", entry, sizeof((struct printer_task_head *)0)->name, err));
    }
    PL_TRY(printer_specs_read(o->printers, hub->specs, &hub->spec_count, err));
    for (uint32_t i = 0; i < hub->spec_count; i++) {
        const struct printer_spec *spec = &hub->specs[i];
        PL_TRY(check_one("--printer", spec->listen, err));
        PL_TRY(check_one("--printer", spec->json, err));
        PL_TRY(check_one("--printer", spec->lpd, err));
    }
    return PL_OK;
}

enum pl_errc printer_hub_open(struct printer_hub *hub, struct http_server *server, struct pl_error *err)
{
    enum pl_errc code = PL_OK;
    hub->server = server;
    if (!hub->seam)
        hub->seam = &http_system_seam;
    if (hub->spec_count > 0) {
        struct http_metrics *metrics = http_server_metrics(server);
        hub->labels = http_metric_counter(metrics, "printer_labels_total", "Labels that the printers printed.", NULL);
        hub->jobs = http_metric_counter(metrics, "printer_jobs_total", "Formats and downloads for the printers.", NULL);
        hub->refused = http_metric_counter(metrics, "printer_refused_total", "Jobs that were not carried out.", NULL);
        hub->connections = http_metric_gauge(metrics, "printer_connections", "Raw connections open now.", NULL);
        hub->printers = calloc(hub->spec_count, sizeof *hub->printers);
        code = hub->printers ? printer_state_lock(hub, err) : pl_fail_memory(err);
    }
    for (uint32_t i = 0; code == PL_OK && i < hub->spec_count; i++) {
        hub->count++;
        if (!printer_init(&hub->printers[i], hub, i, &hub->specs[i]))
            code = pl_fail_memory(err);
        else if (hub->printers[i].width == 0)
            code = pl_fail(err, PL_E_INVALID, "--printer: the size of '%s' is over the limit of --max-dots",
                           hub->specs[i].name);
        else
            code = printer_state_load(hub, &hub->printers[i], err);
    }
    if (code == PL_OK)
        code = printer_outside_open(hub, &hub->outside, err);
    if (code != PL_OK || hub->count == 0)
        return code;
    PL_TRY(printer_io_open(hub, &hub->io, err));
    hub->ports = printer_io_ports(hub->io);
    return PL_OK;
}

// None of them does anything before all can: until then the kept jobs are in their files.
static bool start_threads(struct printer_hub *hub)
{
    for (uint32_t i = 0; i < hub->count; i++)
        pthread_mutex_lock(&hub->printers[i].lock);
    bool good = printer_outside_start(hub->outside);
    for (uint32_t i = 0; i < hub->count; i++)
        good = good && printer_start(&hub->printers[i]);
    good = good && printer_state_take(hub);
    if (good && hub->count > 0 && !printer_io_start(hub->io)) {
        printer_state_give_back(hub);
        good = false;
    }
    atomic_store(&hub->started, good);
    for (uint32_t i = 0; i < hub->count; i++) {
        hub->printers[i].stopping = !good;
        pthread_mutex_unlock(&hub->printers[i].lock);
    }
    return good;
}

enum pl_errc printer_hub_start(struct printer_hub *hub, struct pl_error *err)
{
    if (atomic_exchange(&hub->begun, true))
        return PL_OK;
    if (!start_threads(hub))
        return pl_fail(err, PL_E_IO, "cannot start the printers, or take over the jobs in the folder of --state");
    printer_state_forget(hub);
    return PL_OK;
}

bool printer_hub_hurry(struct printer_hub *hub)
{
    atomic_store(&hub->hurried, true);
    return atomic_load(&hub->closed) || (hub->printers && atomic_load(&hub->started));
}

static bool is_late(struct printer_hub *hub)
{
    return atomic_load(&hub->hurried) || pl_now_ns() >= atomic_load(&hub->drain_end_ns);
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
    while (!printer_hub_is_drained(hub) && !is_late(hub))
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
    bool kept[PRINTERS_MAX] = {false};
    for (uint32_t i = 0; i < hub->count; i++) {
        struct printer *p = &hub->printers[i];
        struct pl_buf file = {0};
        struct blob *jobs =
            printer_state_asked(hub) && printer_keep_left(p, &file) ? blob_new(pl_buf_slice(&file)) : NULL;
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
    atomic_store(&hub->closed, hub->count > 0 && atomic_load(&hub->started));
    printer_io_close(hub->io); // what its connections have read is of printers
    for (uint32_t i = 0; i < hub->count; i++)
        printer_fini(&hub->printers[i]);
    printer_outside_close(hub->outside);
    printer_state_unlock(hub);
    free(hub->printers);
    hub->printers = NULL;
    hub->count = 0;
}

struct printer *printer_hub_find(struct printer_hub *hub, struct pl_slice name)
{
    for (uint32_t i = 0; i < hub->count; i++) {
        if (atomic_load(&hub->printers[i].is_there) && pl_slice_eq_cstr(name, hub->printers[i].spec.name))
            return &hub->printers[i];
    }
    return NULL;
}

// ---- spare printers

uint32_t printer_hub_spares(const struct printer_hub *hub)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < hub->count; i++)
        count += !atomic_load(&hub->printers[i].is_there);
    return count;
}

uint32_t printer_hub_spare(const struct printer_hub *hub, struct printer_spec *spec)
{
    uint32_t i = 0;
    while (i < hub->count && atomic_load(&hub->printers[i].is_there))
        i++;
    *spec = i < hub->count ? hub->printers[i].spec : (struct printer_spec){.is_spare = true};
    spec->name[0] = '\0';
    return i;
}

// Nobody but its thread and the listener knows a printer that is not there: the thread waits for a job, the listener
// refuses until that is over.
static enum printer_made describe_spare(struct printer *p, const struct printer_spec *spec)
{
    struct printer_spec before = p->spec;
    pthread_mutex_lock(&p->lock);
    enum printer_made made = p->first || p->busy ? PRINTER_MADE_BUSY : PRINTER_MADE;
    if (made == PRINTER_MADE) {
        printer_describe(p, spec);
        if (p->width == 0) {
            printer_describe(p, &before);
            made = PRINTER_MADE_TOO_LARGE;
        }
    }
    pthread_mutex_unlock(&p->lock);
    return made;
}

static enum printer_made make_spare(struct printer_hub *hub, uint32_t index, const struct printer_spec *spec)
{
    if (printer_hub_find(hub, pl_slice_cstr(spec->name)))
        return PRINTER_MADE_NAME_TAKEN;
    if (index >= hub->count)
        return PRINTER_MADE_NONE_LEFT;
    struct printer *p = &hub->printers[index];
    if (atomic_load(&p->is_there))
        return PRINTER_MADE_BUSY; // made since then: its client asks again
    enum printer_made made = describe_spare(p, spec);
    if (made != PRINTER_MADE)
        return made;
    if (printer_power_cycle(p, true) == 0) { // from now on it would take connections
        pthread_mutex_lock(&p->lock);
        p->faults.refuses = true;
        pthread_mutex_unlock(&p->lock);
        return PRINTER_MADE_BUSY;
    }
    atomic_store(&p->is_there, true);
    printer_io_announce(hub->io);
    return PRINTER_MADE;
}

enum printer_made printer_hub_make(struct printer_hub *hub, uint32_t index, const struct printer_spec *spec)
{
    if (atomic_exchange(&hub->is_making, true))
        return PRINTER_MADE_BUSY; // another one is being made: its client asks again
    enum printer_made made = make_spare(hub, index, spec);
    atomic_store(&hub->is_making, false);
    return made;
}
