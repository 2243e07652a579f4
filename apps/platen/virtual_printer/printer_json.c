// Printers and labels as JSON.
#include <stdio.h>

#include "base/date.h"
#include "printer_hub.h"
#include "printer_outside.h"

static void put_time(struct pl_json_writer *out, uint64_t ms)
{
    struct pl_date d;
    char text[40];
    pl_date_from_seconds((int64_t)(ms / 1000), &d);
    snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%03uZ", d.year, d.month, d.day, d.hour, d.minute,
             d.second, (unsigned)(ms % 1000));
    pl_json_kv_cstr(out, "time", text);
}

void printer_write_label(const struct printer *p, const struct printed_label *l, bool whole, struct pl_json_writer *out)
{
    pl_json_object(out);
    pl_json_kv_u64(out, "seq", l->seq);
    pl_json_kv_cstr(out, "printer", p->spec.name);
    pl_json_kv_u64(out, "job", l->job);
    pl_json_kv_u64(out, "index", l->index);
    pl_json_kv_cstr(out, "source", l->source);
    put_time(out, l->time_ms);
    pl_json_kv_double(out, "widthMm", l->width_mm);
    pl_json_kv_double(out, "heightMm", l->height_mm);
    pl_json_kv_u64(out, "dpmm", l->dpmm);
    pl_json_kv_cstr(out, "language", printer_language_name(&p->spec));
    pl_json_kv_u64(out, "zplBytes", blob_slice(l->zpl).len);
    pl_json_kv_u64(out, "pngBytes", blob_slice(l->png).len);
    pl_json_kv_u64(out, "copies", l->copies);
    pl_json_kv_bool(out, "refused", l->refused[0] != '\0');
    if (l->refused[0])
        pl_json_kv_cstr(out, "reason", l->refused);
    const char *not_kept = printer_outside_not_kept(p->hub->outside, l);
    if (not_kept)
        pl_json_kv_cstr(out, "notKept", not_kept);
    if (whole) {
        pl_json_kv_slice(out, "zpl", blob_slice(l->zpl));
        if (l->members) {
            // Members of an object: "copies", "elements", "warnings".
            pl_json_key(out, "label");
            struct pl_buf object;
            pl_buf_init(&object, SIZE_MAX / 2);
            pl_buf_append_byte(&object, '{');
            pl_buf_append_slice(&object, blob_slice(l->members));
            pl_buf_append_byte(&object, '}');
            pl_json_raw(out, pl_buf_slice(&object));
            pl_buf_take_over(out->buf, &object);
        }
    }
    pl_json_end(out);
}

static void put_settings(const struct printer *p, struct pl_json_writer *out)
{
    const struct platen_settings *s = &p->settings;
    char letter[2] = "";
    pl_json_kv_object(out, "settings");
    pl_json_kv_u64(out, "printWidth", s->print_width ? s->print_width : p->width);
    pl_json_kv_u64(out, "labelLength", s->label_length ? s->label_length : p->length);
    pl_json_kv_double(out, "darkness", s->darkness_tenths / 10.0);
    pl_json_kv_u64(out, "speed", s->speed);
    pl_json_kv_i64(out, "tearOff", s->tear_off);
    letter[0] = s->mode;
    pl_json_kv_cstr(out, "mode", letter);
    letter[0] = s->tracking;
    pl_json_kv_cstr(out, "tracking", letter);
    letter[0] = s->media;
    pl_json_kv_cstr(out, "media", letter);
    pl_json_end(out);
}

void printer_write_state(const struct printer *p, bool whole, struct pl_json_writer *out)
{
    const struct printer_faults *f = &p->faults;
    const struct printed_label *last = print_ring_last(&p->ring);
    pl_json_object(out);
    pl_json_kv_cstr(out, "name", p->spec.name);
    pl_json_kv_cstr(out, "address", p->address);
    pl_json_kv_u64(out, "port", p->port);
    pl_json_kv_double(out, "widthMm", p->spec.width_mm);
    pl_json_kv_double(out, "heightMm", p->spec.height_mm);
    pl_json_kv_u64(out, "dpmm", p->spec.dpmm);
    pl_json_kv_cstr(out, "language", printer_language_name(&p->spec));
    pl_json_kv_cstr(out, "profile", p->spec.reference ? "reference" : "printer");
    struct platen_printer_model model = {.name = ""};
    platen_printer_model_at(p->spec.model, &model);
    pl_json_kv_cstr(out, "model", model.name);
    pl_json_kv_bool(out, "autoSize", p->spec.fits);
    pl_json_kv_cstr(out, "state", printer_state_word(p));
    pl_json_kv_bool(out, "paperOut", f->paper_out);
    pl_json_kv_bool(out, "ribbonOut", f->ribbon_out);
    pl_json_kv_bool(out, "headOpen", f->head_open);
    pl_json_kv_bool(out, "paused", f->paused);
    pl_json_kv_bool(out, "bufferFull", f->buffer_full);
    pl_json_kv_bool(out, "silent", f->silent);
    pl_json_kv_bool(out, "refuseConnections", f->refuses);
    pl_json_kv_u64(out, "slowMs", f->slow_ms);
    pl_json_kv_u64(out, "connections", atomic_load(&p->connections));
    pl_json_kv_u64(out, "inputBytes", atomic_load(&p->input_bytes));
    pl_json_kv_u64(out, "jobsWaiting", p->job_count + p->busy);
    pl_json_kv_u64(out, "labelsWaiting", p->waiting.labels);
    pl_json_kv_u64(out, "printed", p->printed);
    pl_json_kv_u64(out, "refused", p->refused);
    struct printer_failures failures = printer_outside_failures(p->hub->outside, p->index);
    pl_json_kv_u64(out, "notKept", failures.files);
    pl_json_kv_u64(out, "notForwarded", failures.forwards);
    pl_json_kv_u64(out, "labels", p->ring.count);
    pl_json_kv_u64(out, "lastSeq", last ? last->seq : 0);
    if (whole) {
        put_settings(p, out);
        pl_json_key(out, "memory");
        pl_json_raw(out, blob_slice(p->stored));
    }
    pl_json_end(out);
}
