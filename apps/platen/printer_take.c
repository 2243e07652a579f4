// Label code that comes by a request, whole.
#include <stdio.h>

#include "printer_api.h"
#include "printer_hub.h"

#define UNITS_MOST 10000u // of a request

struct into_job {
    struct printer *printer;
    struct printer_source source;
    uint32_t jobs;
    bool starved;
};

static void take_unit(void *user, enum printer_unit unit, struct pl_buf *bytes)
{
    struct into_job *in = user;
    struct pl_buf answer;
    pl_buf_init(&answer, 65536);
    const char *refused = unit == PRINTER_UNIT_TOO_LARGE    ? "the format or download is over the limit of --max-body"
                          : unit == PRINTER_UNIT_UNFINISHED ? "the request ended before the format's ^XZ"
                                                            : NULL;
    if (unit == PRINTER_UNIT_CONTROL) {
        printer_control(in->printer, pl_buf_slice(bytes), &in->source, &answer);
    } else if (unit == PRINTER_UNIT_SGD) {
        printer_sgd(in->printer, pl_buf_slice(bytes), &in->source, &answer);
    } else if (unit == PRINTER_UNIT_JSON) {
        printer_json(in->printer, pl_buf_slice(bytes), &in->source, &answer);
    } else {
        struct printer_job *job = printer_job_new(in->printer, pl_buf_slice(bytes), &in->source);
        in->starved = in->starved || !job;
        if (job) {
            job->refused = refused;
            in->jobs++;
            printer_submit(in->printer, job);
        }
    }
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
    uint32_t units = 0;
    printer_splitter_init(&splitter, p->hub->unit_bytes);
    pthread_mutex_lock(&p->lock);
    splitter.prefixes = p->prefixes;
    pthread_mutex_unlock(&p->lock);
    printer_splitter_feed(&splitter, code, count_unit, &units);
    printer_splitter_end(&splitter, count_unit, &units);
    printer_splitter_fini(&splitter);
    return units > UNITS_MOST;
}

int printer_not_taken(struct http_response *res, enum printer_taken taken)
{
    if (taken == PRINTER_TAKEN_TOO_MANY)
        return http_problem(res, 413, "too_many_formats",
                            "A request may have %u formats and commands; the raw port takes any number.", UNITS_MOST);
    return http_problem_overloaded(res);
}

enum printer_taken printer_take(struct printer *p, struct pl_slice code, const char *source, bool browser,
                                uint32_t *jobs)
{
    struct printer_splitter splitter;
    struct into_job in = {.printer = p, .source = {.browser = browser}};
    if (has_too_many(p, code))
        return PRINTER_TAKEN_TOO_MANY;
    snprintf(in.source.text, sizeof in.source.text, "%s", source);
    printer_splitter_init(&splitter, p->hub->unit_bytes);
    pthread_mutex_lock(&p->lock);
    splitter.prefixes = p->prefixes;
    pthread_mutex_unlock(&p->lock);
    printer_splitter_feed(&splitter, code, take_unit, &in);
    printer_splitter_end(&splitter, take_unit, &in);
    pthread_mutex_lock(&p->lock);
    p->prefixes = splitter.prefixes;
    pthread_mutex_unlock(&p->lock);
    printer_splitter_fini(&splitter);
    *jobs = in.jobs;
    printer_tell_changes(p);
    return in.starved ? PRINTER_TAKEN_NO_MEMORY : PRINTER_TAKEN;
}
