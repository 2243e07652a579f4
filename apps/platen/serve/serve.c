// `platen serve`: the label service over HTTP.
#include <malloc.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "assistants/mcp_tools.h"
#include "base/ckd.h"
#include "cli/limit_options.h"
#include "commands.h"
#include "commit.h"
#include "http/http.h"
#include "http/route/docs.h"
#include "mcp/transport.h"
#include "page.h"
#include "serve_docs.h"
#include "virtual_printer/printer_api.h"
#include "virtual_printer/printer_doors.h"
#include "virtual_printer/printer_hub.h"
#include "virtual_printer/printer_outside.h"

#define LOST_JOBS 3 // exit status: jobs that the printers accepted were neither printed nor kept
#define DOOR (HTTP_AT_DOOR | HTTP_ONLY_DOOR | HTTP_NO_DOCS | HTTP_NO_KEY) // Browser Print has no keys
#define PAGES (HTTP_AT_DOOR | HTTP_NO_DOCS)

static const struct http_route ROUTES[] = {
    {HTTP_POST, "/api/render", api_render, 0, 0, "Render; the format comes from query, body or Accept.",
     HTTP_ANY_QUERY},
    {HTTP_POST, "/api/render/{format}", api_render_format, 0, 0, "Render in the format of the path.", HTTP_ANY_QUERY},
    {HTTP_POST, "/api/batch", api_batch, HTTP_STREAM_BODY, 0,
     "Render any number of documents; the answer is sent while it is made.", HTTP_ANY_QUERY},
    {HTTP_POST, "/api/check", api_check, 0, 0, "What is wrong with labels: findings with their places and fixes.",
     HTTP_ANY_QUERY},
    {HTTP_POST, "/api/compare", api_compare, 0, 0, "Compare two versions of labels: what differs, and where.",
     HTTP_ANY_QUERY},
    {HTTP_POST, "/api/zpl", api_zpl, 0, 0,
     "Label code to label code: format, minify, another density, rotation, values; or explained, or as a table.",
     HTTP_ANY_QUERY},
    {HTTP_POST, "/api/image", api_image, 0, 0,
     "A picture to label code: PNG, JPEG, GIF, WebP, BMP, PCX, PBM, PGM or PPM.", HTTP_ANY_QUERY},
    {HTTP_POST, "/api/font", api_font, 0, 0, "A TrueType or OpenType font to label code, whole or some characters.",
     HTTP_ANY_QUERY},
    {HTTP_POST, MCP_ROUTE, mcp_post, HTTP_NOTE_QUERY, 0,
     "Tools for assistants: Model Context Protocol over streamable HTTP.", NULL},
    {HTTP_POST, "/v1/graphics", api_graphics, 0, 0, "Labelary's address: a picture to label code.", HTTP_ANY_QUERY},
    {HTTP_POST, "/v1/fonts", api_fonts, 0, 0, "Labelary's address: a font to label code.", HTTP_ANY_QUERY},
    {HTTP_POST, "/v1/printers/{dpmm}dpmm/labels/{w}x{h}/{index}", api_labelary, 0, 0,
     "Labelary's address: one label, sizes in inches, output by Accept.", HTTP_ANY_QUERY},
    {HTTP_POST, "/v1/printers/{dpmm}dpmm/labels/{w}x{h}/{index}/", api_labelary, HTTP_NO_DOCS, 0,
     "The same with a last slash.", HTTP_ANY_QUERY},
    {HTTP_POST, "/v1/printers/{dpmm}dpmm/labels/{w}x{h}", api_labelary, 0, 0,
     "Labelary's address: all labels as a PDF, or their fields as JSON.", HTTP_ANY_QUERY},
    {HTTP_POST, "/v1/printers/{dpmm}dpmm/labels/{w}x{h}/", api_labelary, HTTP_NO_DOCS, 0, "The same with a last slash.",
     HTTP_ANY_QUERY},
    {HTTP_GET, "/v1/printers/{dpmm}dpmm/labels/{w}x{h}/{index}/{zpl*}", api_labelary, 0, 0,
     "Labelary's address with the label code in the path.", HTTP_ANY_QUERY},
    {HTTP_GET, "/v1/printers/{dpmm}dpmm/labels/{w}x{h}/{zpl*}", api_labelary, HTTP_NO_DOCS, 0,
     "The same without an index: all labels.", HTTP_ANY_QUERY},
    {HTTP_GET, "/api/printers", printer_api_list, HTTP_PRIVATE | HTTP_NOTE_QUERY, 0,
     "The virtual printers and their state.", NULL},
    {HTTP_POST, "/api/printers", printer_api_make, HTTP_PRIVATE, 0, "Makes a spare printer one that is there.", NULL},
    {HTTP_GET, "/api/printers/events", printer_api_events, HTTP_PRIVATE | HTTP_NOTE_QUERY, 0,
     "Events of all virtual printers.", NULL},
    {HTTP_GET, "/api/printers/{name}", printer_api_one, HTTP_PRIVATE | HTTP_NOTE_QUERY, 0,
     "A printer, with its memory and settings.", NULL},
    {HTTP_GET, "/api/printers/{name}/labels", printer_api_labels, HTTP_PRIVATE | HTTP_NOTE_QUERY, 0,
     "What it printed, oldest first.", "after limit match"},
    {HTTP_GET, "/api/printers/{name}/labels/next", printer_api_next, HTTP_PRIVATE | HTTP_NOTE_QUERY, 0,
     "The next label after a number; waits for it.", "after timeout match"},
    {HTTP_GET, "/api/printers/{name}/labels/{file}", printer_api_label, HTTP_PRIVATE | HTTP_NOTE_QUERY, 0,
     "A label as SEQ.png, .pdf, .zpl or .json; 'latest' is the last one.", NULL},
    {HTTP_GET, "/api/printers/{name}/events", printer_api_events, HTTP_PRIVATE | HTTP_NOTE_QUERY, 0,
     "Labels and changes, as events.", NULL},
    {HTTP_DELETE, "/api/printers/{name}/labels", printer_api_clear, HTTP_PRIVATE, 0, "Forgets what it printed.", NULL},
    {HTTP_DELETE, "/api/printers/{name}/memory", printer_api_forget, HTTP_PRIVATE, 0, "Deletes stored objects.",
     "object"},
    {HTTP_POST, "/api/printers/{name}/reset", printer_api_reset, HTTP_PRIVATE, 0, "As new, for the next test.",
     "memory"},
    {HTTP_POST, "/api/printers/{name}/print", printer_api_print, HTTP_PRIVATE, 0, "Prints the body.", NULL},
    {HTTP_POST, "/api/printers/{name}/labels/{seq}/print-to", printer_api_print_to, HTTP_PRIVATE, 0,
     "Sends a label's code to a real printer.", "host"},
    {HTTP_POST, "/api/print", printer_api_send, HTTP_PRIVATE, 0, "Sends the body to a real printer.", "host"},
    {HTTP_GET, "/available", printer_door_available, DOOR, 0, "Browser Print.", HTTP_ANY_QUERY},
    {HTTP_GET, "/default", printer_door_default, DOOR, 0, "Browser Print.", HTTP_ANY_QUERY},
    {HTTP_GET, "/config", printer_door_config, DOOR, 0, "Browser Print.", HTTP_ANY_QUERY},
    {HTTP_POST, "/write", printer_door_write, DOOR, 0, "Browser Print.", HTTP_ANY_QUERY},
    {HTTP_POST, "/read", printer_door_read, DOOR, 0, "Browser Print.", HTTP_ANY_QUERY},
    {HTTP_POST, "/pstprnt", printer_door_pstprnt, PAGES, 0, "The printer's web pages.", HTTP_ANY_QUERY},
    {HTTP_POST, "/printer/pstprnt", printer_door_pstprnt, PAGES, 0, "The printer's web pages.", HTTP_ANY_QUERY},
    {HTTP_POST, "/zpl", printer_door_zpl, PAGES, 0, "The printer's web pages.", HTTP_ANY_QUERY},
    {HTTP_POST, "/printer/zpl", printer_door_zpl, PAGES, 0, "The printer's web pages.", HTTP_ANY_QUERY},
    {HTTP_GET, "/png", printer_door_png, PAGES, 0, "The printer's web pages.", HTTP_ANY_QUERY},
    {HTTP_GET, "/printer/png", printer_door_png, PAGES, 0, "The printer's web pages.", HTTP_ANY_QUERY},
    {HTTP_GET, "/config.html", printer_door_page, PAGES, 0, "The printer's web pages.", HTTP_ANY_QUERY},
    {HTTP_GET, "/docs", serve_docs_to_folder, HTTP_INLINE | HTTP_NO_KEY | HTTP_NO_RATE | HTTP_NO_DOCS | HTTP_ANY_PAGE,
     0, "To the documentation, /docs/.", HTTP_ANY_QUERY},
    {HTTP_PUT, "/api/printers/{name}/state", printer_api_state, HTTP_PRIVATE, 0, "Faults: paper out, paused, slow …",
     NULL},
};

// Labelary's addresses have dots in a millimetre; people look for the dots in an inch that their printer is sold with.
static const struct http_alias ALIASES[] = {
    {"/v1/printers/152dpi/", "/v1/printers/6dpmm/"},
    {"/v1/printers/203dpi/", "/v1/printers/8dpmm/"},
    {"/v1/printers/300dpi/", "/v1/printers/12dpmm/"},
    {"/v1/printers/304dpi/", "/v1/printers/12dpmm/"},
    {"/v1/printers/600dpi/", "/v1/printers/24dpmm/"},
    {"/v1/printers/609dpi/", "/v1/printers/24dpmm/"},
    {"/api/render.", "/api/render/"},
    {"/render.", "/api/render/"},
    {"/", "/api/"},
    {NULL, NULL},
};

// The parts of the running service. `render` is first: its address is http_request.app of all handlers.
struct parts {
    struct service render;
    struct printer_hub hub;
};

static const struct http_option OPTIONS[] = {
    {"objects", HTTP_TEXT(struct parts, render.engine_options.objects_dir), NULL, NULL,
     "folder of graphics, formats and fonts to preload as drive E:", NULL},
    {"max-labels", HTTP_U32(struct parts, render.engine_options.labels, 1, LIMIT_LABELS_MOST),
     PL_LIMIT_TEXT(PL_LIMIT_LABELS), "labelsPerRequest", "labels of one request, copies included", NULL},
    LIMIT_OPTIONS(struct parts, render.engine_options, "request"),
    {"render-timeout", HTTP_MS(struct parts, render.render_ms, 1, LIMIT_MS_MOST), PL_LIMIT_TEXT(PL_LIMIT_SECONDS) "s",
     "renderTimeoutMs", "time of one render; longer ones are answered 503", NULL},
    {"glyph-cache", HTTP_SIZE(struct parts, render.engine_options.glyph_cache_bytes, 65536, LIMIT_GIB(1)), "8MiB", NULL,
     "glyph cache of each worker", NULL},
    {"printer", HTTP_TEXT(struct parts, hub.options.printers), NULL, NULL,
     "virtual printers: HOST:PORT or name=,listen=,language=,size=,dpmm=,profile=,model=,json=,lpd=,spare=; several "
     "are separated by ';'",
     NULL},
    {"printer-labels", HTTP_U32(struct parts, hub.options.ring_labels, 1, 1000000), "500", NULL,
     "labels that each virtual printer remembers", NULL},
    {"printer-bytes", HTTP_SIZE(struct parts, hub.options.ring_bytes, 65536, LIMIT_GIB(64)), "64MiB", NULL,
     "memory for them; the oldest go first", NULL},
    {"printer-memory", HTTP_SIZE(struct parts, hub.options.input_bytes, 65536, LIMIT_GIB(64)), "256MiB", NULL,
     "memory for unfinished formats and unread answers of all printers' connections; a printer beside others has half",
     NULL},
    {"printer-client-memory", HTTP_SIZE(struct parts, hub.options.client_bytes, 0, LIMIT_GIB(64)), "64MiB", NULL,
     "of that for one client address; 0: no limit", NULL},
    {"printer-client-connections", HTTP_U32(struct parts, hub.options.client_connections, 0, 1024), "256", NULL,
     "connections of one client address to the printers; 0: no limit", NULL},
    {"printer-format-timeout", HTTP_MS(struct parts, hub.options.format_ms, 0, 86400000), "300s", NULL,
     "silence in an unfinished format after which its connection ends; 0: never", NULL},
    {"state", HTTP_TEXT(struct parts, hub.options.state_dir), NULL, NULL,
     "folder where virtual printers keep drive E:, saved settings, and jobs that were not printed at the end", NULL},
    {"keep", HTTP_TEXT(struct parts, hub.options.keep_dir), NULL, NULL,
     "folder where every printed label is written as zpl, png and json", NULL},
    {"forward", HTTP_TEXT(struct parts, hub.options.forward), NULL, NULL,
     "HOST:PORT of a real printer that gets all jobs as well", NULL},
    {"print-to", HTTP_TEXT(struct parts, hub.options.print_to), NULL, NULL,
     "HOST:PORT of printers, separated by commas, that the page may print to", NULL},
    {"webhook", HTTP_TEXT(struct parts, hub.options.webhook), NULL, NULL,
     "http:// address that gets a POST for every printed label", NULL},
    {"webhook-secret", HTTP_TEXT(struct parts, hub.options.webhook_secret), NULL, NULL,
     "signs it: X-Platen-Signature is the HMAC-SHA-256 of the body", NULL},
    {"browser-print", HTTP_BOOL(struct parts, hub.options.browser_print), "off", NULL,
     "answer Zebra Browser Print's requests on the printers' ports", NULL},
    {"printer-pages", HTTP_BOOL(struct parts, hub.options.web_pages), "off", NULL,
     "answer /pstprnt, /zpl and /config.html as a printer's web pages do", NULL},
    {"printer-discovery", HTTP_TEXT(struct parts, hub.options.discovery), NULL, NULL,
     "HOST:4201 where Zebra's discovery packets are answered", NULL},
    {"printer-mdns", HTTP_TEXT(struct parts, hub.options.mdns), NULL, NULL,
     "IPv4 address of this machine on whose network printers are announced by multicast DNS", NULL},
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

static enum pl_errc check(void *user, struct pl_error *err)
{
    const struct service *service = user;
    return printer_hub_check(service->hub, err);
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
    // The server's own body limit holds; a printer's memory is read as label code, too.
    size_t stored = service->engine_options.stored_bytes;
    service->engine_options.input_bytes = PL_MAX(http_server_max_body(server), stored + stored / 2);
    if (platen_engine_new(&service->engine_options, &service->engine, &failure) != PLATEN_OK)
        return inner_error(&failure, err);
    register_metrics(server, service);
    struct printer_hub *hub = service->hub;
    hub->engine = service->engine;
    hub->renderers = &service->renderers;
    hub->render_ms = service->render_ms;
    hub->unit_bytes = http_server_max_body(server);
    PL_TRY(printer_hub_open(hub, server, err));
    repeat_guard_init(&service->repeats);
    size_t beside = service->engine_options.glyph_cache_bytes + http_server_max_body(server);
    PL_TRY(renderers_start(&service->renderers, server, service->engine, beside,
                           http_server_workers(server) + hub->count, err));
    PL_TRY(mcp_prepare(err));
    return serve_docs_publish(server, service, err);
}

static void stop(void *user)
{
    struct service *service = user;
    printer_hub_close(service->hub);
    renderers_stop(&service->renderers);
    platen_engine_free(service->engine);
    service->engine = NULL;
}

// The service takes no more connections: the printers do not either.
static void drain(void *user, uint64_t end_ns)
{
    struct service *service = user;
    printer_hub_drain(service->hub, end_ns);
}

// A second signal: what the printers have not printed is kept or named now.
static void observe(void *user)
{
    const struct service *service = user;
    printer_outside_observe(service->hub->outside);
}

static bool hurry(void *user)
{
    struct service *service = user;
    return printer_hub_hurry(service->hub);
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
        code = printer_hub_start(service->hub, err); // the first one does
    if (code == PL_OK)
        *worker = link;
    else
        free(link);
    return code;
}

static void worker_fini(void *user, void *worker)
{
    struct service *service = user;
    printer_hub_stop(service->hub); // while there are loops that take its events
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

// Those of other commands and of fonts, and those that tests and packages are run with.
static const char *const OTHER_VARIABLES[] = {"broker", "build", "fonts", "shared", "work-", NULL};

// What the service is, for the commands that need to know its options. `name` is "printer" or, for "serve", NULL.
static int with_app(http_command *command, const char *name, int argc, char **argv)
{
    static struct parts parts = {.render = {.request_arena = (size_t)32 << 20}}; // too large for a stack
    parts.render.hub = &parts.hub;
    const struct http_app app = {
        .name = "platen",
        .command = name,
        .about = name ? "Serves over HTTP with a virtual printer, without --printer on 127.0.0.1:9100," : NULL,
        .version = platen_version(),
        .commit = build_commit,
        .env_prefix = "PLATEN",
        .other_variables = OTHER_VARIABLES,
        .default_listen = "127.0.0.1:8080",
        .routes = ROUTES,
        .route_count = PL_COUNTOF(ROUTES),
        .aliases = ALIASES,
        .options = OPTIONS,
        .option_count = PL_COUNTOF(OPTIONS),
        .option_base = &parts,
        .assets = label_assets,
        .asset_count = label_asset_count,
        .health_members = "\"formats\":[\"png\",\"jpeg\",\"webp\",\"pdf\",\"json\",\"base64\"]",
        .request_headers =
            "X-Linter, X-Quality, X-Rotation, X-Formatter, X-Target-Dpmm, X-Page-Size, X-Page-Orientation, "
            "X-Page-Layout, X-Page-Align, X-Page-Vertical-Align, X-Label-Border, Mcp-Protocol-Version, Mcp-Method, "
            "Mcp-Name",
        .exposed_headers = "X-Total-Count, X-Warnings, X-Warning-Count, X-Label-Width-Mm, X-Label-Height-Mm",
        .deadline_ms = &parts.render.render_ms,
        .deadline_code = "render_timeout",
        .own_connections = &parts.hub.options.printers,
        .arena_bytes = &parts.render.request_arena,
        .user = &parts.render,
        .check = check,
        .start = start,
        .drain = drain,
        .hurry = hurry,
        .stop = stop,
        .observe = observe,
        .worker_init = worker_init,
        .worker_fini = worker_fini,
    };
    int status = command(&app, argc, argv);
    return atomic_load(&parts.hub.lost) > 0 ? LOST_JOBS : status;
}

// Several --printer are one, parted by ';'. `fallback` is for none at all.
static int with_printers(http_command *command, const char *name, int argc, char **argv, const char *fallback)
{
    static const char FLAG[] = "--printer";
    size_t room = strlen(fallback) + 1;
    for (int i = 0; i < argc; i++)
        room += strlen(argv[i]) + 1;
    char *all = calloc(1, room), **rest = calloc((size_t)argc + 3, sizeof *rest);
    int count = 0, status = 1;
    bool named = getenv("PLATEN_PRINTER") != NULL;
    for (int i = 0; all && rest && i < argc; i++) {
        bool glued = strncmp(argv[i], "--printer=", sizeof FLAG) == 0;
        bool apart = strcmp(argv[i], FLAG) == 0 && i + 1 < argc;
        if (!glued && !apart) {
            rest[count++] = argv[i];
            named = named || strncmp(argv[i], "--config", 8) == 0 || strcmp(argv[i], "--help") == 0;
            continue;
        }
        if (*all)
            strcat(all, ";");
        strcat(all, glued ? argv[i] + sizeof FLAG : argv[++i]);
        named = true;
    }
    if (all && rest) {
        if (!named)
            strcpy(all, fallback);
        if (*all) {
            rest[count++] = (char *)(uintptr_t)FLAG;
            rest[count++] = all;
        }
        status = with_app(command, name, count, rest);
    } else {
        fprintf(stderr, "%s: out of memory\n", argv[0]); // "platen serve"
    }
    free(all);
    free(rest);
    return status;
}

int command_serve(int argc, char **argv)
{
    give_memory_back();
    return with_printers(http_serve, NULL, argc, argv, "");
}

// The same with a printer at the usual port, if none is named.
int command_printer(int argc, char **argv)
{
    give_memory_back();
    return with_printers(http_serve, "printer", argc, argv, "127.0.0.1:9100");
}

int command_config(int argc, char **argv)
{
    return with_printers(http_config_command, NULL, argc, argv, "");
}

int command_health(int argc, char **argv)
{
    return with_printers(http_health_command, NULL, argc, argv, "");
}
