// Label code that comes by a request, whole.
#include <string.h>

#include "printer_api.h"
#include "printer_hub.h"

#define UNITS_MOST 10000u // of a request

struct into_job {
    struct printer *printer;
    struct printer_splitter *splitter;
    struct printer_source source;
    uint32_t jobs;
    bool starved;
};

static void take_unit(void *user, enum printer_unit unit, struct pl_buf *bytes)
{
    struct into_job *in = user;
    struct pl_buf answer;
    pl_buf_init(&answer, 65536);
    int jobs = printer_take_unit(in->printer, in->splitter, unit, bytes, &in->source, &answer);
    in->starved = in->starved || jobs < 0;
    in->jobs += jobs > 0 || (jobs == 0 && unit == PRINTER_UNIT_STORED); // whether or not it joined one that waits
    if (in->source.browser && answer.len > 0 && !answer.failed) {
        pthread_mutex_lock(&in->printer->lock);
        if (in->printer->browser_out.len + answer.len <= in->printer->browser_out.max)
            pl_buf_append_slice(&in->printer->browser_out, pl_buf_slice(&answer));
        pthread_mutex_unlock(&in->printer->lock);
    }
    pl_buf_fini(&answer);
}

static void count_unit(void *user, enum printer_unit unit, struct pl_buf *bytes)
{
    (void)unit;
    (void)bytes;
    ++*(uint32_t *)user;
}

// A raw connection is not read while jobs wait; a request is here as a whole.
static bool has_too_many(struct printer *p, struct pl_slice code)
{
    struct printer_splitter splitter;
    struct printer_forms forms;
    uint32_t units = 0;
    printer_splitter_init(&splitter, p->hub->unit_bytes);
    pthread_mutex_lock(&p->lock);
    splitter.prefixes = p->prefixes;
    forms = p->forms;
    pthread_mutex_unlock(&p->lock);
    forms.guard = NULL; // a copy: it is only counted here
    printer_splitter_read(&splitter, p->spec.language, &forms);
    printer_splitter_feed(&splitter, code, count_unit, &units);
    printer_splitter_end(&splitter, count_unit, &units);
    printer_splitter_fini(&splitter);
    return units > UNITS_MOST;
}

int printer_not_taken(struct http_response *res, enum printer_taken taken)
{
    if (taken == PRINTER_TAKEN_BUSY)
        return http_problem(res, 503, "printer_busy", "The printer takes no more jobs at the moment.");
    if (taken == PRINTER_TAKEN_TOO_MANY)
        return http_problem(res, 413, "too_many_formats",
                            "A request may have %u formats and commands; the raw port takes any number.", UNITS_MOST);
    return http_problem_overloaded(res);
}

static enum printer_taken take_all(struct printer *p, struct pl_slice code, const struct printer_source *source,
                                   uint32_t *jobs)
{
    struct printer_splitter splitter;
    struct into_job in = {.printer = p, .splitter = &splitter, .source = *source};
    if (has_too_many(p, code))
        return PRINTER_TAKEN_TOO_MANY;
    printer_splitter_init(&splitter, p->hub->unit_bytes);
    printer_reads(p, &splitter);
    pthread_mutex_lock(&p->lock);
    splitter.prefixes = p->prefixes;
    pthread_mutex_unlock(&p->lock);
    const struct printer_prefixes before = splitter.prefixes;
    printer_splitter_feed(&splitter, code, take_unit, &in);
    printer_splitter_end(&splitter, take_unit, &in);
    if (memcmp(&before, &splitter.prefixes, sizeof before) != 0) { // what others changed meanwhile stays otherwise
        pthread_mutex_lock(&p->lock);
        p->prefixes = splitter.prefixes;
        pthread_mutex_unlock(&p->lock);
    }
    in.starved = in.starved || splitter.starved;
    printer_splitter_fini(&splitter);
    *jobs = in.jobs;
    printer_tell_changes(p);
    return in.starved ? PRINTER_TAKEN_NO_MEMORY : PRINTER_TAKEN;
}

enum printer_taken printer_take(struct printer *p, struct pl_slice code, const struct printer_source *source,
                                uint32_t *jobs)
{
    // Many workers take requests at once: none has the room that another was granted.
    if (!printer_reserve(p, source->client, code.len))
        return PRINTER_TAKEN_BUSY;
    enum printer_taken taken = take_all(p, code, source, jobs);
    printer_release(p, source->client, code.len);
    return taken;
}
