// `platen serve`: the label service over HTTP.
#include <malloc.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "api.h"
#include "base/ckd.h"
#include "commands.h"
#include "http/http.h"
#include "http/route/docs.h"
#include "page.h"
#include "process/limits.h"
#include "serve_docs.h"

static const struct http_route ROUTES[] = {
    {HTTP_POST, "/api/render", api_render, 0, 0, "Render; the format comes from query, body or Accept."},
    {HTTP_POST, "/api/render/{format}", api_render_format, 0, 0, "Render in the format of the path."},
    {HTTP_POST, "/api/compare", api_compare, 0, 0, "Compare two versions of labels: what differs, and where."},
    {HTTP_POST, "/v1/printers/{dpmm}dpmm/labels/{w}x{h}/{index}", api_labelary, 0, 0,
     "Labelary's address: one label, sizes in inches, output by Accept."},
    {HTTP_POST, "/v1/printers/{dpmm}dpmm/labels/{w}x{h}/{index}/", api_labelary, HTTP_NO_DOCS, 0,
     "The same with a last slash."},
    {HTTP_POST, "/v1/printers/{dpmm}dpmm/labels/{w}x{h}", api_labelary, 0, 0,
     "Labelary's address: all labels as a PDF, or their fields as JSON."},
    {HTTP_POST, "/v1/printers/{dpmm}dpmm/labels/{w}x{h}/", api_labelary, HTTP_NO_DOCS, 0,
     "The same with a last slash."},
    {HTTP_GET, "/v1/printers/{dpmm}dpmm/labels/{w}x{h}/{index}/{zpl*}", api_labelary, 0, 0,
     "Labelary's address with the label code in the path."},
    {HTTP_GET, "/v1/printers/{dpmm}dpmm/labels/{w}x{h}/{zpl*}", api_labelary, HTTP_NO_DOCS, 0,
     "The same without an index: all labels."},
};

#define AT(member) offsetof(struct service, member)
#define GIB ((uint64_t)1 << 30)
#define ANSWER_BYTES ((size_t)256 << 20)  // for one label; more only with more --max-memory
#define RENDERER_SPARE ((size_t)64 << 20) // for libraries and buffers, beyond --max-memory

static const struct http_option OPTIONS[] = {
    {"objects", HTTP_OPT_TEXT, AT(engine_options.objects_dir), 0, 0, NULL, NULL,
     "folder of graphics, formats and fonts to preload as drive E:", NULL},
    {"max-labels", HTTP_OPT_U32, AT(engine_options.labels), 1, 1000000, "500", "labelsPerRequest",
     "labels of one request, copies included", NULL},
    {"max-dots", HTTP_OPT_U64, AT(engine_options.dots_per_label), 1, (uint64_t)1 << 34, "100000000", "dotsPerLabel",
     "dots of one label, width times height", NULL},
    {"max-graphics", HTTP_OPT_SIZE, AT(engine_options.decoded_graphics), 1, 4 * GIB, "64MiB", "decodedGraphicsBytes",
     "bytes of decoded graphics of one request", NULL},
    {"max-stored", HTTP_OPT_SIZE, AT(engine_options.stored_bytes), 1, 4 * GIB, "64MiB", "storedObjectsBytes",
     "bytes of stored objects of one request", NULL},
    {"max-elements", HTTP_OPT_U32, AT(engine_options.elements_per_label), 1, 10000000, "20000", "elementsPerLabel",
     "fields drawn on one label", NULL},
    {"max-memory", HTTP_OPT_SIZE, AT(engine_options.arena_bytes), 1 << 20, 64 * GIB, "256MiB", "renderMemoryBytes",
     "memory of one render", NULL},
    {"render-timeout", HTTP_OPT_MS, AT(render_ms), 1, 86400000, "10s", "renderTimeoutMs",
     "time of one render; longer ones are answered 503", NULL},
    {"glyph-cache", HTTP_OPT_SIZE, AT(engine_options.glyph_cache_bytes), 65536, GIB, "8MiB", NULL,
     "glyph cache of each worker", NULL},
};

static enum pl_errc inner_error(const struct platen_error *from, struct pl_error *err)
{
    return pl_fail(err, (enum pl_errc)from->status, "%s", from->message);
}

static void register_metrics(struct http_server *server, struct service *service)
{
    static const char *const labels[OUTPUT_COUNT] = {"format=\"png\"", "format=\"jpeg\"", "format=\"webp\"",
                                                     "format=\"pdf\"", "format=\"json\"", "format=\"base64\""};
    struct http_metrics *metrics = http_server_metrics(server);
    for (int i = 0; i < OUTPUT_COUNT; i++)
        service->renders[i] =
            http_metric_counter(metrics, "renders_total", "Renders answered, by output format.", labels[i]);
    service->labels = http_metric_counter(metrics, "labels_total", "Labels in the answered renders.", NULL);
    service->render_time = http_metric_histogram(
        metrics, "render_seconds",
        "Time that making an answer took, without the time in which it waited for its reader.", NULL);
}

// The process from which renderers are forked, while there are no threads yet.
static enum pl_errc start_renderers(struct http_server *server, struct service *service, struct pl_error *err)
{
    struct platen_limits limits;
    platen_engine_limits(service->engine, &limits);
    struct renderers *renderers = &service->renderers;
    size_t beside = service->engine_options.glyph_cache_bytes + RENDERER_SPARE + http_server_max_body(server);
    renderers->plan = (struct renderer_plan){.engine = service->engine, .confined = http_server_confined(server)};
    if (!PL_CKD_ADD(&renderers->plan.memory, limits.arena_bytes, beside))
        renderers->plan.memory = 0;
    renderers->most_labels = limits.labels;
    renderers->plan.answer_bytes = PL_MAX(limits.arena_bytes, ANSWER_BYTES);
    struct http_metrics *metrics = http_server_metrics(server);
    renderers->killed = http_metric_counter(metrics, "renderer_killed_total",
                                            "Renderers that were ended since they went past the time limit.", NULL);
    renderers->died = http_metric_counter(metrics, "renderer_died_total", "Renderers that ended by themselves.", NULL);
    renderers->restarts = http_metric_counter(metrics, "renderer_restarts_total",
                                              "Renderers that were started in the place of others.", NULL);
    repeat_guard_init(&service->repeats);
    if (!pl_process_can_limit())
        fprintf(stderr, "platen serve: the system does not let renderers bound their memory\n");
    return renderers_start(renderers, http_server_workers(server), err);
}

static enum pl_errc start(struct http_server *server, void *user, struct pl_error *err)
{
    struct service *service = user;
    struct platen_error failure;
    const char *objects = service->engine_options.objects_dir;
    if (objects && *objects && http_server_open_to_all_pages(server))
        return pl_fail(err, PL_E_INVALID,
                       "--cors '*' with --objects would let every page read the preloaded objects; name the origins");
    service->engine_options.size = sizeof service->engine_options;
    service->engine_options.input_bytes = 0; // the server's own body limit holds
    if (platen_engine_new(&service->engine_options, &service->engine, &failure) != PLATEN_OK)
        return inner_error(&failure, err);
    register_metrics(server, service);
    PL_TRY(start_renderers(server, service, err));
    return serve_docs_publish(server, service, err);
}

static void stop(void *user)
{
    struct service *service = user;
    renderers_stop(&service->renderers);
    platen_engine_free(service->engine);
    service->engine = NULL;
}

// A worker is a thread that asks a renderer of its own.
static enum pl_errc worker_init(void *user, void **worker, struct pl_error *err)
{
    struct service *service = user;
    struct renderer_link *link = malloc(sizeof *link);
    if (!link)
        return pl_fail_memory(err);
    enum pl_errc code = renderer_link_open(&service->renderers, link, err);
    if (code == PL_OK)
        *worker = link;
    else
        free(link);
    return code;
}

static void worker_fini(void *user, void *worker)
{
    (void)user;
    renderer_link_close(worker);
    free(worker);
}

// glibc raises the size from which on blocks are mapped, and so given back when they are freed, to the largest block
// that was ever freed: a service that has answered one large request would keep as much for good.
static void give_memory_back(void)
{
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_TRIM_THRESHOLD, 2 << 20);
}

// What the service is, for the commands that need to know its options.
static int with_app(http_command *command, int argc, char **argv)
{
    static struct service service = {.request_arena = (size_t)32 << 20}; // too large for a stack
    const struct http_app app = {
        .name = "platen",
        .version = platen_version(),
        .env_prefix = "PLATEN",
        .default_listen = "127.0.0.1:8080",
        .routes = ROUTES,
        .route_count = PL_COUNTOF(ROUTES),
        .options = OPTIONS,
        .option_count = PL_COUNTOF(OPTIONS),
        .option_base = &service,
        .assets = label_assets,
        .asset_count = label_asset_count,
        .health_members = "\"formats\":[\"png\",\"jpeg\",\"webp\",\"pdf\",\"json\",\"base64\"]",
        .request_headers = "X-Linter, X-Quality, X-Rotation",
        .exposed_headers = "X-Total-Count, X-Warnings, X-Warning-Count, X-Label-Width-Mm, X-Label-Height-Mm",
        .deadline_ms = &service.render_ms,
        .deadline_code = "render_timeout",
        .arena_bytes = &service.request_arena,
        .user = &service,
        .start = start,
        .stop = stop,
        .worker_init = worker_init,
        .worker_fini = worker_fini,
    };
    return command(&app, argc, argv);
}

int command_serve(int argc, char **argv)
{
    give_memory_back();
    return with_app(http_serve, argc, argv);
}

int command_config(int argc, char **argv)
{
    return with_app(http_config_command, argc, argv);
}

int command_health(int argc, char **argv)
{
    return with_app(http_health_command, argc, argv);
}
