// What is told of printers: events over HTTP, files, the webhook.
#include "printer_hub.h"
#include "printer_outside.h"

#define LABEL_JSON_BYTES ((size_t)16 << 20) // of one label, for files and the webhook

static void tell(struct printer_hub *hub, struct printer *p, uint64_t id, const char *name, struct pl_slice json)
{
    if (atomic_load(&hub->stopped))
        return; // no loop takes events any more
    http_events_send(hub->server, printer_topic(p), id, name, json);
    http_events_send(hub->server, PRINTER_TOPIC_ALL, id, name, json);
}

// To the folder of --keep and to the webhook. A label whose files are not all written says so; a webhook whose
// JSON is too large is left out.
static void take_outside(struct printer_hub *hub, struct printer *p, struct printed_label *label)
{
    struct pl_buf text;
    struct pl_json_writer out;
    if (!hub->outside)
        return;
    pl_buf_init(&text, LABEL_JSON_BYTES);
    pl_json_writer_init(&out, &text);
    printer_write_label(p, label, true, &out);
    atomic_store(&label->not_kept, printer_outside_keep(hub->outside, p, label, &text));
    if (!text.failed)
        printer_outside_webhook(hub->outside, pl_buf_slice(&text));
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
