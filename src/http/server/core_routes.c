// What every service has: the health document, metrics, and the files of its page.
#include <stdio.h>

#include "http/server/server.h"

static int health(struct http_request *req, struct http_response *res)
{
    struct http_server *s = req->server;
    bool ok = !atomic_load_explicit(&s->leaving, memory_order_relaxed);
    struct pl_buf *out = &res->json;
    pl_buf_clear(out);
    pl_buf_append_cstr(out, ok ? "{\"ok\":true,\"service\":\"" : "{\"ok\":false,\"service\":\"");
    pl_buf_append_cstr(out, s->app->name);
    pl_buf_append_cstr(out, "\",\"version\":\"");
    pl_buf_append_cstr(out, s->app->version);
    if (s->app->commit && s->app->commit[0]) {
        pl_buf_append_cstr(out, "\",\"commit\":\"");
        pl_buf_append_cstr(out, s->app->commit);
    }
    pl_buf_append_cstr(out, ok ? "\",\"status\":\"ok\",\"uptimeSeconds\":"
                               : "\",\"status\":\"draining\",\"uptimeSeconds\":");
    pl_buf_append_u64(out, (res->ex->start_ns - s->boot_ns) / 1000000000u);
    if (s->app->health_members) {
        pl_buf_append_byte(out, ',');
        pl_buf_append_cstr(out, s->app->health_members);
    }
    pl_buf_append_cstr(out, ",\"limits\":{");
    pl_buf_append(out, s->limits.data, s->limits.len);
    pl_buf_append_cstr(out, ok ? "}}" : "},\"error\":\"The service is stopping.\",\"code\":\"draining\"}");
    if (out->failed)
        return http_problem_overloaded(res);
    http_body_borrow(res, pl_buf_slice(out));
    http_set_type(res, "application/json");
    if (!ok)
        http_set_header_cstr(res, "Retry-After", "1");
    return ok ? 200 : 503;
}

static int metrics(struct http_request *req, struct http_response *res)
{
    struct http_server *s = req->server;
    http_gauge_set(s->m.connections, http_connection_count(s));
    http_gauge_set(s->m.queue, http_list_count(&s->pool->fresh));
    http_gauge_set(s->m.memory, atomic_load_explicit(&s->budget.used, memory_order_relaxed));
    if (s->app->observe)
        s->app->observe(s->app->user);
    pl_buf_clear(&res->json);
    http_metrics_write(s->metrics, &res->json);
    if (res->json.failed)
        return http_problem_overloaded(res);
    http_body_borrow(res, pl_buf_slice(&res->json));
    http_set_type(res, "text/plain; version=0.0.4; charset=utf-8");
    return 200;
}

static enum pl_errc register_metrics(struct http_server *s, struct pl_error *err)
{
    struct http_metrics *m = http_metrics_new(s->app->name);
    s->metrics = m;
    if (!m)
        return pl_fail_memory(err);
    snprintf(s->build_labels, sizeof(s->build_labels), "version=\"%s\",commit=\"%s\"", s->app->version,
             s->app->commit ? s->app->commit : "");
    http_gauge_set(http_metric_gauge(m, "build_info", "1; its labels are the version and the commit.", s->build_labels),
                   1);
    s->m.accepted = http_metric_counter(m, "http_connections_total", "Connections accepted.", NULL);
    s->m.connections = http_metric_gauge(m, "http_connections", "Connections open now.", NULL);
    s->m.queue = http_metric_gauge(m, "http_queue", "Requests that wait for a worker.", NULL);
    s->m.busy = http_metric_gauge(m, "http_workers_busy", "Workers that run a request.", NULL);
    s->m.queue_wait = http_metric_histogram(m, "http_queue_seconds", "Time that requests waited for a worker.", NULL);
    s->m.bytes_in = http_metric_counter(m, "http_request_body_bytes_total", "Bytes of request bodies.", NULL);
    s->m.bytes_out = http_metric_counter(m, "http_response_bytes_total", "Bytes of answers.", NULL);
    const char *help = "Requests refused: queue, rate, key or memory.";
    s->m.rejected_queue = http_metric_counter(m, "http_rejected_total", help, "reason=\"queue_full\"");
    s->m.rejected_rate = http_metric_counter(m, "http_rejected_total", help, "reason=\"rate_limited\"");
    s->m.rejected_key = http_metric_counter(m, "http_rejected_total", help, "reason=\"unauthorized\"");
    s->m.rejected_memory = http_metric_counter(m, "http_rejected_total", help, "reason=\"overloaded\"");
    s->m.memory =
        http_metric_gauge(m, "http_memory_bytes", "Bytes of bodies and answers that clients make it hold.", NULL);
    s->m.cut = http_metric_counter(m, "http_cut_total", "Answers that failed after they had begun.", NULL);
    s->m.subscribers = http_metric_gauge(m, "http_event_streams", "Event streams open now.", NULL);
    s->m.events_dropped =
        http_metric_counter(m, "http_events_dropped_total", "Events that a slow client or lack of memory lost.", NULL);
    s->m.bad_requests =
        http_metric_counter(m, "http_malformed_total", "Requests that are not HTTP as it should be.", NULL);
    s->m.timeouts = http_metric_counter(m, "http_timeouts_total", "Connections ended by a deadline.", NULL);
    s->m.cancelled =
        http_metric_counter(m, "http_cancelled_total", "Requests whose client left before the answer.", NULL);
    s->m.log_dropped =
        http_metric_counter(m, "http_log_dropped_total", "Lines of the access log that were dropped.", NULL);
    for (size_t i = 0; i < s->routes->slot_count; i++) {
        char labels[256];
        struct http_slot *slot = &s->routes->slots[i];
        if (slot->asset || snprintf(labels, sizeof(labels), "route=\"%s\"", slot->route.pattern) < 0)
            continue;
        slot->duration =
            http_metric_histogram(m, "http_request_seconds", "Time from a request's head to its answer.", labels);
    }
    s->unrouted.route.pattern = "none";
    return PL_OK;
}

enum pl_errc http_core_routes(struct http_server *s, struct pl_error *err)
{
    static const struct http_route CORE[] = {
        {HTTP_GET, "/api/health", health, HTTP_INLINE | HTTP_NO_KEY | HTTP_NO_RATE | HTTP_ANY_PAGE | HTTP_NOTE_QUERY, 0,
         "State of the service: ok, version, uptime, formats and limits.", NULL},
        {HTTP_GET, "/metrics", metrics, HTTP_INLINE | HTTP_NO_RATE | HTTP_PRIVATE | HTTP_NOTE_QUERY, 0,
         "Counters and histograms for Prometheus.", NULL},
    };
    for (size_t i = 0; i < sizeof(CORE) / sizeof(CORE[0]); i++)
        PL_TRY(http_router_add(s->routes, &CORE[i], NULL, err));
    s->routes->aliases = s->app->aliases;
    for (size_t i = 0; i < s->app->route_count; i++)
        PL_TRY(http_router_add(s->routes, &s->app->routes[i], NULL, err));
    PL_TRY(register_metrics(s, err));
    for (size_t i = 0; i < s->app->asset_count; i++) {
        const struct http_asset *asset = &s->app->assets[i];
        const struct http_route route = {.method = HTTP_GET,
                                         .pattern = asset->path,
                                         .flags = HTTP_INLINE | HTTP_NO_KEY | HTTP_NO_RATE | HTTP_ANY_PAGE |
                                                  (strcmp(asset->path, "/") == 0 ? 0 : HTTP_NO_DOCS),
                                         .summary = "The page for browsers.",
                                         .query = HTTP_ANY_QUERY};
        PL_TRY(http_router_add(s->routes, &route, asset, err));
    }
    return PL_OK;
}
