// The status of a printer.
#include <string.h>
#include <time.h>

#include "base/ckd.h"
#include "os/clock.h"
#include "printer_hub.h"
#include "printer_parts.h"

bool printer_is_stopped(const struct printer *p)
{
    const struct printer_faults *f = &p->faults;
    return f->paper_out || f->ribbon_out || f->head_open || f->paused;
}

const char *printer_state_word(const struct printer *p)
{
    const struct printer_faults *f = &p->faults;
    return f->head_open                                       ? "head-open"
           : f->paper_out                                     ? "paper-out"
           : f->ribbon_out                                    ? "ribbon-out"
           : f->paused                                        ? "paused"
           : f->buffer_full || p->full_until_ns > pl_now_ns() ? "buffer-full"
           : p->busy                                          ? "printing"
                                                              : "ready";
}

// Printers of TSPL do not know SGD.
static const char *language_of(const struct printer *p)
{
    enum platen_language language = p->spec.language;
    return language == PLATEN_LANGUAGE_EPL ? "epl" : language == PLATEN_LANGUAGE_CPCL ? "line_print" : "hybrid_xml_zpl";
}

void printer_face(const struct printer *p, struct printer_face *face)
{
    struct platen_limits limits;
    platen_engine_limits(p->hub->engine, &limits);
    size_t used = 0;
    for (int i = 0; i < RENDER_MEMORY_PARTS; i++)
        used += p->memory[i]->size;
    const struct platen_settings *s = &p->settings;
    *face = (struct printer_face){
        .name = p->spec.name,
        .model = "ZT410",
        .firmware = "V75.20.01Z",
        .language = language_of(p),
        .serial = p->serial,
        .address = p->address,
        .port = p->port,
        .dpmm = p->spec.dpmm,
        .paper_out = p->faults.paper_out,
        .ribbon_out = p->faults.ribbon_out,
        .head_open = p->faults.head_open,
        .paused = p->faults.paused,
        .buffer_full = p->faults.buffer_full || p->full || p->full_until_ns > pl_now_ns(),
        .format_is_partial = p->partial > 0,
        .width = s->print_width ? s->print_width : p->width,
        .length = s->label_length ? s->label_length : p->length,
        .formats_waiting = p->job_count + p->busy,
        .labels_remaining = p->waiting.labels,
        .stored_graphics = p->graphics,
        .memory_kb = (uint32_t)PL_MIN(limits.stored_bytes / 1024, (size_t)UINT32_MAX),
        .memory_free_kb = (uint32_t)(limits.stored_bytes > used ? (limits.stored_bytes - used) / 1024 : 0),
        .darkness_tenths = s->darkness_tenths,
        .tear_off = s->tear_off,
        .mode = s->mode,
        .tracking = s->tracking,
        .media = s->media,
        .speed = s->speed,
        .slew = s->slew,
        .backfeed = s->backfeed,
        .prefixes = p->prefixes,
        .printed = p->printed,
        .printed_dots = p->printed_dots,
        .uptime_s = (pl_now_ns() - p->started_ns) / 1000000000u,
        .time = (int64_t)time(NULL),
    };
    memcpy(face->mac, p->mac, sizeof p->mac);
    if (!p->expects || p->settings_waiting == 0)
        return;
    const struct sgd_values *e = &p->expected;
    face->width = e->width ? e->width : p->width;
    face->length = e->length ? e->length : p->length;
    face->darkness_tenths = e->darkness_tenths;
    face->speed = e->speed;
    face->mode = e->mode;
    face->tracking = e->tracking;
    face->media = e->media;
}
