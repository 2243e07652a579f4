// `hygro serve`: the grain service over HTTP.
#include "base/ckd.h"
#include "commands.h"
#include "commit.h"
#include "grain/catalog.h"
#include "http/route/docs.h"
#include "mcp/transport.h"
#include "page.h"
#include "service.h"

extern const struct http_embedded hygro_docs[];

const char hygro_page_policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'";

static const struct http_route routes[] = {
    {HTTP_POST, "/api/calculate", hygro_api_calculate_post, HTTP_SHORT_INLINE, 0,
     "One calculation, or a batch of up to 10,000 when the body is an array.", HTTP_ANY_QUERY},
    {HTTP_GET, "/api/calculate", hygro_api_calculate_get, HTTP_INLINE | HTTP_ANY_PAGE | HTTP_CACHEABLE, 0,
     "One calculation from the query: grain, ta, ur.", HTTP_ANY_QUERY},
    {HTTP_GET, "/api/table", hygro_api_table, HTTP_INLINE | HTTP_ANY_PAGE | HTTP_CACHEABLE, 0,
     "Temperature by humidity, as JSON or CSV.", HTTP_ANY_QUERY},
    {HTTP_GET, "/api/air", hygro_api_tool, HTTP_INLINE | HTTP_ANY_PAGE | HTTP_CACHEABLE, 0,
     "Moist air from humidity, dew point or wet bulb, at an altitude, after the heat of a fan.", HTTP_ANY_QUERY},
    {HTTP_GET, "/api/keeping", hygro_api_tool, HTTP_INLINE | HTTP_ANY_PAGE | HTTP_CACHEABLE, 0,
     "Mould band, highest safe moisture and allowable storage time.", HTTP_ANY_QUERY},
    {HTTP_GET, "/api/verdict", hygro_api_tool, HTTP_INLINE | HTTP_ANY_PAGE | HTTP_CACHEABLE, 0,
     "May this grain be stored like this: verdict, reason, days, what the air does, limits of trade.", HTTP_ANY_QUERY},
    {HTTP_GET, "/api/shrink", hygro_api_tool, HTTP_INLINE | HTTP_ANY_PAGE | HTTP_CACHEABLE, 0,
     "Shrink, water to remove, wet and dry basis.", HTTP_ANY_QUERY},
    {HTTP_POST, "/api/hours", hygro_api_hours, 0, 0,
     "The hours of a season: a CSV of temperature and humidity in, JSON or CSV out.", HTTP_ANY_QUERY},
    {HTTP_POST, MCP_ROUTE, hygro_mcp_post, HTTP_NOTE_QUERY, 0,
     "The tool grain_moisture for assistants: Model Context Protocol.", NULL},
    {HTTP_GET, "/", hygro_page_get, HTTP_INLINE | HTTP_ANY_PAGE | HTTP_NO_KEY | HTTP_NO_DOCS, 0,
     "The page for browsers.", HTTP_ANY_QUERY},
    // It computes files, so that it needs a key where the interface does.
    {HTTP_POST, "/", hygro_page_post, HTTP_NO_DOCS, 0, "The page for browsers, with a file of hours.", HTTP_ANY_QUERY},
};

static struct pl_slice page_template(void)
{
    for (size_t i = 0; i < grain_asset_count; i++) {
        if (pl_slice_eq_cstr(pl_slice_cstr(grain_assets[i].path), "/"))
            return pl_slice_make(grain_assets[i].data, grain_assets[i].size);
    }
    return pl_slice_make("", 0);
}

static enum pl_errc publish_catalog(struct http_server *server, struct pl_error *err)
{
    struct pl_buf catalog;
    pl_buf_init(&catalog, 1 << 20);
    grain_write_catalog(&catalog);
    enum pl_errc code = pl_buf_check(&catalog, err);
    if (code == PL_OK)
        code = http_publish(server, "/api/grains", "application/json", pl_buf_slice(&catalog),
                            "The cultures: names, equations, constants, sources, confidence.", err);
    pl_buf_fini(&catalog);
    return code;
}

static void write_ids(struct pl_buf *out, void *user)
{
    (void)user;
    for (size_t i = 0; i < GRAIN_CULTURES; i++)
        pl_buf_printf(out, "%s%s", i == 0 ? "" : ", ", grain_cultures()[i].id);
}

static void write_quoted_ids(struct pl_buf *out, void *user)
{
    (void)user;
    for (size_t i = 0; i < GRAIN_CULTURES; i++)
        pl_buf_printf(out, "%s\"%s\"", i == 0 ? "" : ",", grain_cultures()[i].id);
}

static const struct http_doc_var doc_vars[] = {{"grain_ids", write_ids}, {"grain_ids_quoted", write_quoted_ids}};

static enum pl_errc start(struct http_server *server, void *user, struct pl_error *err)
{
    struct hygro_service *service = user;
    struct http_metrics *metrics = http_server_metrics(server);
    service->calculations = http_metric_counter(metrics, "calculations_total",
                                                "Calculations asked for, each item of a batch as one.", NULL);
    service->refusals = http_metric_counter(metrics, "calculations_refused_total", "Calculations with an error.", NULL);
    PL_TRY(hygro_page_new(page_template(), &service->page, err));
    PL_TRY(publish_catalog(server, err));
    PL_TRY(hygro_mcp_prepare(err));
    PL_TRY(http_docs_publish(server, "/openapi.json", "application/json",
                             http_embedded_find(hygro_docs, "openapi.json"), doc_vars, PL_COUNTOF(doc_vars), user,
                             "This interface as an OpenAPI 3.1 document.", err));
    return http_docs_publish(server, "/llms.txt", "text/plain; charset=utf-8",
                             http_embedded_find(hygro_docs, "llms.txt"), doc_vars, PL_COUNTOF(doc_vars), user,
                             "What the service does, in short, for language models.", err);
}

static void stop(void *user)
{
    struct hygro_service *service = user;
    hygro_page_free(service->page);
    service->page = NULL;
}

// What the service is, for the commands that need to know its options.
static int with_app(http_command *command, int argc, char **argv)
{
    struct hygro_service service = {.page = NULL};
    const struct http_app app = {
        .name = "hygro",
        .version = PROJECT_VERSION,
        .commit = build_commit,
        .env_prefix = "HYGRO",
        .default_listen = "127.0.0.1:8081",
        .routes = routes,
        .route_count = PL_COUNTOF(routes),
        .aliases = (const struct http_alias[]){{"/", "/api/"}, {NULL, NULL}},
        .assets = grain_assets,
        .asset_count = grain_asset_count,
        .page_policy = hygro_page_policy,
        .request_headers = "Mcp-Protocol-Version, Mcp-Method, Mcp-Name",
        .health_members = "\"cultures\":" GRAIN_CULTURES_TEXT ",\"batch\":10000",
        .user = &service,
        .start = start,
        .stop = stop,
    };
    return command(&app, argc, argv);
}

int hygro_serve(int argc, char **argv)
{
    return with_app(http_serve, argc, argv);
}

int hygro_config(int argc, char **argv)
{
    return with_app(http_config_command, argc, argv);
}

int hygro_health(int argc, char **argv)
{
    return with_app(http_health_command, argc, argv);
}
