// One request to render on its way: what every answer to it does, from asking a renderer to what is counted.
#include "api_call.h"

#include <stdlib.h>
#include <time.h>

#include "base/ckd.h"
#include "base/hash.h"

void api_note_failure(struct render_call *call, const struct platen_error *err)
{
    struct service *service = call->req->app;
    if (err->status != RENDER_E_KILLED && err->status != RENDER_E_DIED)
        return;
    http_log_text(call->req, "renderer", err->status == RENDER_E_KILLED ? "killed" : "died");
    repeat_guard_note(&service->repeats, call->req->client, call->zpl, pl_now_ns());
}

int api_problem(struct render_call *call, const struct platen_error *err)
{
    struct problem problem;
    if (err->status == RENDER_E_NONE)
        return http_problem_overloaded(call->res);
    api_problem_of(err, call->req->id, &problem);
    problem_answer(&problem, call->res);
    return problem.status;
}

static void set_header_mm(struct http_response *res, const char *name, double mm)
{
    struct pl_buf text;
    pl_buf_init(&text, 64);
    pl_buf_append_double(&text, mm);
    http_set_header_buf(res, name, &text);
    pl_buf_fini(&text);
}

void api_set_headers(struct render_call *call, uint32_t pages, struct warning_header *warnings)
{
    http_set_type(call->res, output_mime(call->controls.format));
    disposition_set(call);
    http_set_header_u64(call->res, "X-Total-Count", pages);
    if (warnings->count > 0) {
        http_set_header_buf(call->res, "X-Warnings", &warnings->text);
        http_set_header_u64(call->res, "X-Warning-Count", warnings->count);
    }
    if (call->size_found) {
        set_header_mm(call->res, "X-Label-Width-Mm", call->controls.width_mm);
        set_header_mm(call->res, "X-Label-Height-Mm", call->controls.height_mm);
    }
}

bool api_take_size(struct render_call *call, const struct summary *summary)
{
    const struct service *service = call->req->app;
    struct controls *c = &call->controls;
    uint32_t width, height;
    if (!c->fit_size && summary->language == PLATEN_LANGUAGE_ZPL)
        return true;
    const struct platen_options found =
        PLATEN_OPTIONS(.width_mm = summary->width_mm, .height_mm = summary->height_mm, .dpmm = c->dpmm);
    if (!(summary->width_mm > 0) || !(summary->height_mm > 0) ||
        platen_size_in_dots(service->engine, &found, &width, &height, NULL) != PLATEN_OK)
        return false;
    controls_set_size(&c->values, summary->width_mm, summary->height_mm);
    call->size_found = true;
    return true;
}

// ---- asking

static const char *ordinal_end(unsigned long long number)
{
    static const char *const ENDS[] = {"th", "st", "nd", "rd"};
    bool teen = number / 10 % 10 == 1;
    return number % 10 <= 3 && !teen ? ENDS[number % 10] : "th";
}

// The Labelary-compatible API says it in the words that Labelary's clients look for.
static void no_page(struct render_call *call, const struct summary *summary)
{
    uint32_t pages = summary->pages;
    if (!call->labelary) {
        struct problem problem;
        api_no_page(call->controls.page, summary, &problem);
        problem_answer(&problem, call->res);
        return;
    }
    unsigned long long number = (unsigned long long)call->controls.page + 1;
    if (pages == 0)
        http_problem(call->res, 404, "no_labels", "Requested %llu%s label but ZPL generated no labels", number,
                     ordinal_end(number));
    else
        http_problem(call->res, 404, "page_not_found", "Requested %llu%s label but ZPL generated only %u label%s",
                     number, ordinal_end(number), pages, pages == 1 ? "" : "s");
}

void api_ask(const struct render_call *call, enum render_kind kind, struct render_ask *ask)
{
    const struct controls *c = &call->controls;
    render_ask_init(ask, kind, call->number, pl_hash_fnv1a(call->req->client));
    control_values_copy(&ask->controls, c);
    if (kind == RENDER_LABELS) {
        ask->first_size = call->first_size;
        ask->labels.fills = call->first_size > 0;
        ask->labels.content = call->labelary && c->format == OUTPUT_JSON ? LABEL_FIELDS : LABEL_PICTURE;
        ask->labels.linter = call->labelary && call->warn;
    }
}

bool api_layout_fits(const struct controls *c, const struct platen_pdf_layout *layout, struct platen_error *err)
{
    bool sideways = c->rotation % 180 != 0;
    return platen_pdf_layout_check(layout, sideways ? c->height_mm : c->width_mm, sideways ? c->width_mm : c->height_mm,
                                   err) == PLATEN_OK;
}

// It is found out before the first byte is sent.
static bool layout_fits(struct render_call *call)
{
    const struct controls *c = &call->controls;
    struct platen_pdf_layout layout;
    struct platen_error err;
    if (c->format != OUTPUT_PDF || !controls_layout(&c->values, &layout) || api_layout_fits(c, &layout, &err))
        return true;
    api_problem(call, &err);
    return false;
}

bool api_open(struct render_call *call, struct render_ask *ask, struct summary *summary, struct label_part *part)
{
    const struct controls *c = &call->controls;
    struct platen_error err;
    ask->opens = true;
    if (renderer_ask(call->req->worker, ask, call->zpl, &call->req->job, summary, part, &err) != PLATEN_OK) {
        http_log_text(call->req, "format", output_name(c->format));
        api_note_failure(call, &err);
        api_problem(call, &err);
        return false;
    }
    if (!api_take_size(call, summary)) {
        summary_free(summary);
        err = (struct platen_error){.status = PLATEN_E_BUG};
        api_problem(call, &err);
        return false;
    }
    if (!layout_fits(call)) {
        summary_free(summary);
        return false;
    }
    bool of_one = output_is_picture(c->format) || call->single_page;
    bool missing = summary->pages == 0 || (of_one && c->page >= summary->pages);
    if (missing)
        no_page(call, summary);
    else
        http_log_number(call->req, "labels", summary->pages);
    http_log_text(call->req, "format", output_name(c->format));
    if (!missing)
        return true;
    summary_free(summary);
    return false;
}

void api_count(const struct render_call *call, uint32_t pages, uint64_t ns)
{
    const struct service *service = call->req->app;
    http_counter_add(service->renders[call->controls.format], 1);
    http_counter_add(service->labels, pages);
    http_histogram_observe(service->render_time, ns);
}

uint32_t api_start(struct render_call *call, struct problem *problem)
{
    struct service *service = call->req->app;
    uint32_t wait_s = repeat_guard_wait_s(&service->repeats, call->req->client, call->zpl, pl_now_ns());
    if (wait_s > 0) {
        problem_set(problem, 429, "render_failed_before",
                    "No renderer survived this label code from you before; it may be tried again in %u s.", wait_s);
        return wait_s;
    }
    call->number = atomic_fetch_add_explicit(&service->requests, 1, memory_order_relaxed) + 1;
    // A document may be understood more than once, on several renderers: all of them have the same clock.
    if (!controls_has(&call->controls, CONTROL_TIME))
        call->controls.time = (int64_t)time(NULL);
    return 0;
}

bool api_begin(struct render_call *call)
{
    struct problem problem;
    uint32_t wait_s = api_start(call, &problem);
    if (wait_s == 0)
        return true;
    problem_answer(&problem, call->res);
    http_set_header_u64(call->res, "Retry-After", wait_s);
    return false;
}
