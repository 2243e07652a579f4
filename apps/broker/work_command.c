// `platen work`: renders jobs from RabbitMQ until it is told to end; health and metrics over HTTP.
#include "work.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/ckd.h"
#include "broker_commands.h"
#include "cli/limit_options.h"
#include "cli/path_list.h"
#include "commit.h"
#include "os/cores.h"
#include "registry.h"
#include "result_files.h"

// RabbitMQ 4 takes messages of 16 MiB if nobody has changed it; a job has 8 MiB at most.
#define PIECE_BYTES ((size_t)8 << 20)
#define CONSUMER_MS 1800000u // RabbitMQ's consumer_timeout, if nobody has changed it

static struct http_option work_options[] = {
    {"broker", HTTP_TEXT(struct work, broker.urls), BROKER_DEFAULT_URL, NULL,
     "amqp:// or amqps:// address; several, separated by commas, are tried in turn; or $PLATEN_BROKER", NULL},
    {"password-file", HTTP_TEXT(struct work, broker.password_file), "", NULL,
     "file with the broker's password; wins over the one in the address", NULL},
    {"ca", HTTP_TEXT(struct work, broker.ca), "", NULL, "file of authorities for amqps; empty: the system's", NULL},
    {"cert", HTTP_TEXT(struct work, broker.cert), "", NULL, "certificate of this client", NULL},
    {"key", HTTP_TEXT(struct work, broker.key), "", NULL, "its key; empty: in the file of --cert", NULL},
    {"prefix", HTTP_TEXT(struct work, broker.prefix), "platen", NULL, "of the names of queues and exchanges", NULL},
    {"broker-heartbeat", HTTP_MS(struct work, heartbeat_ms, 1000, 600000), "30s", NULL,
     "sign of life on a connection to the broker", NULL},
    {"connections", HTTP_U32(struct work, connections, 0, 256), "0", NULL,
     "connections to the broker, each with a renderer; 0: one per core", NULL},
    {"prefetch", HTTP_U32(struct work, prefetch, 1, 1000), "64", NULL,
     "jobs that a connection holds at most, and one of each other queue; it begins with one", NULL},
    {"hold", HTTP_MS(struct work, hold_ms, 1, 86400000), "2m", NULL,
     "time for which a job waits behind others before it is given back", NULL},
    {"deliveries", HTTP_U32(struct work, deliveries, 1, 59), "6", "deliveries",
     "deliveries after which a job whose renderer ended or had no time goes to the dead letters", NULL},
    {"max-deliveries", HTTP_U32(struct work, deliveries_most, 1, 59), "40", "maxDeliveries",
     "the same for any job: those whose worker or connection ended count, too", NULL},
    {"declare", HTTP_CHOICE(struct work, declare), "off", NULL, "make queues and exchanges: on, or only (and end)",
     "off|on|only"},
    {"results", HTTP_TEXT(struct work, results), "", NULL,
     "folder for results, instead of the batch's exchange: each batch has a folder in it", NULL},
    {"job-key-file", HTTP_TEXT(struct work, key_file), "", NULL,
     "file with a key: jobs of submitters without it are not drawn; empty: all are", NULL},
    {"job-timeout", HTTP_MS(struct work, job_ms, 1, LIMIT_MS_MOST), PL_LIMIT_TEXT(PL_LIMIT_SECONDS) "s", "jobTimeoutMs",
     "time of one job", NULL},
    {"objects", HTTP_TEXT(struct work, engine_options.objects_dir), NULL, NULL,
     "folder of graphics, formats and fonts to preload as drive E:", NULL},
    {"max-labels", HTTP_U32(struct work, engine_options.labels, 1, LIMIT_LABELS_MOST), PL_LIMIT_TEXT(PL_LIMIT_LABELS),
     "labelsPerJob", "labels of one job, copies included", NULL},
    LIMIT_OPTIONS(struct work, engine_options, "job"),
};

// Beyond serving: connections out, their names, and files of results and certificates.
static const int SYSTEM_CALLS[] = {
    SYS_socket,   SYS_connect, SYS_bind,   SYS_openat,    SYS_fsync,  SYS_renameat, SYS_renameat2, SYS_unlinkat,
    SYS_sendmmsg, SYS_ioctl,   SYS_uname,  SYS_faccessat, SYS_statx,  SYS_eventfd2, SYS_mkdirat,   SYS_getrandom,
#ifdef SYS_open
    SYS_mkdir,    SYS_open,    SYS_rename, SYS_unlink,    SYS_access, SYS_stat,
#endif
};

// 200 while a connection works, else 503: for what may wait until the broker is there.
static int ready(struct http_request *req, struct http_response *res)
{
    struct work *work = req->app;
    unsigned connected = atomic_load(&work->connected);
    struct pl_json_writer *out = http_json_begin(res);
    pl_json_object(out);
    pl_json_kv_bool(out, "ok", connected > 0);
    pl_json_kv_u64(out, "connected", connected);
    pl_json_kv_u64(out, "connections", work->lane_count);
    pl_json_end(out);
    return http_json_send(res, connected > 0 && !http_server_leaving(req->server) ? 200 : 503);
}

static void register_metrics(struct work *work)
{
    struct http_metrics *m = http_server_metrics(work->server);
    const char *help = "Jobs that were done, by how they ended.";
    work->ok = http_metric_counter(m, "jobs_total", help, "result=\"ok\"");
    work->failed = http_metric_counter(m, "jobs_total", help, "result=\"error\"");
    work->cancelled = http_metric_counter(m, "jobs_total", help, "result=\"cancelled\"");
    work->dead = http_metric_counter(m, "jobs_dead_total", "Jobs that went to the dead letters.", NULL);
    work->returned = http_metric_counter(m, "jobs_returned_total", "Jobs given back to be tried again.", NULL);
    work->held = http_metric_counter(m, "jobs_held_total",
                                     "Jobs that waited and were tried again: no result could be stored, or no renderer "
                                     "could be started.",
                                     NULL);
    work->labels = http_metric_counter(m, "labels_total", "Labels in results.", NULL);
    work->bytes = http_metric_counter(m, "result_bytes_total", "Bytes of results.", NULL);
    work->reconnects = http_metric_counter(m, "broker_lost_total", "Connections to the broker that were lost.", NULL);
    work->connected_now = http_metric_gauge(m, "broker_connections", "Connections to the broker now.", NULL);
    work->in_flight = http_metric_gauge(m, "jobs_rendering", "Jobs that are rendered now.", NULL);
    work->job_time = http_metric_histogram(m, "job_seconds", "Time that rendering a job took.", NULL);
}

// `--declare only`: the queues, and nothing else.
_Noreturn static void declare_and_end(const struct broker_options *options)
{
    struct pl_error err = {0};
    struct broker *broker = NULL;
    uint32_t turn = 0;
    enum pl_errc code = broker_open(options, &turn, &broker, &err);
    if (code == PL_OK)
        code = broker_declare(broker, &err);
    if (code != PL_OK)
        fprintf(stderr, "platen work: %s\n", err.message);
    broker_close(&broker);
    exit(code == PL_OK ? 0 : 1);
}

static enum pl_errc start(struct http_server *server, void *user, struct pl_error *err)
{
    struct work *work = user;
    struct platen_error failure;
    struct pl_error why;
    work->server = server;
    work->broker.heartbeat_s = (uint32_t)(work->heartbeat_ms / 1000);
    if (broker_addresses(&work->broker, &why) == 0)
        return pl_fail(err, PL_E_INVALID, "--broker: %s", why.message);
    if (work->key_file[0] && job_key_load(&work->key, work->key_file, &why) != PL_OK)
        return pl_fail(err, PL_E_INVALID, "--job-key-file: %s", why.message);
    registry_own_name(work->name, sizeof work->name);
    atomic_store(&work->piece, PIECE_BYTES);
    atomic_store(&work->turns, BROKER_TURNS);
    work->lane_count = work->connections ? work->connections : pl_core_count();
    if (strcmp(work->declare, "only") == 0)
        declare_and_end(&work->broker); // before there are renderers and connections
    if (work->results[0] && !is_folder(work->results))
        return pl_fail(err, PL_E_INVALID, "--results: %s is no folder", work->results);
    if (work->results[0])
        result_files_clean(work->results);
    // A job whose renderer ended is tried a second time.
    if (2 * work->job_ms + work->hold_ms > CONSUMER_MS)
        fprintf(
            stderr,
            "platen work: twice --job-timeout and --hold are more than 30 minutes, after which RabbitMQ takes a job "
            "back: "
            "set its consumer_timeout higher\n");
    work->engine_options.size = sizeof work->engine_options;
    if (platen_engine_new(&work->engine_options, &work->engine, &failure) != PLATEN_OK)
        return pl_fail(err, (enum pl_errc)failure.status, "%s", failure.message);
    register_metrics(work);
    PL_TRY(renderers_start(&work->renderers, server, work->engine, PL_MIB(PL_LIMIT_INPUT_MIB), work->lane_count, err));
    return lanes_start(work, err);
}

static void stop(void *user)
{
    struct work *work = user;
    atomic_store(&work->stopping, true);
    lanes_stop(work);
    renderers_stop(&work->renderers);
    platen_engine_free(work->engine);
}

int command_work(int argc, char **argv)
{
    static const struct http_route ROUTES[] = {{HTTP_GET, "/ready", ready,
                                                HTTP_INLINE | HTTP_NO_KEY | HTTP_NO_RATE | HTTP_ANY_PAGE, 0,
                                                "Whether it works for the broker.", NULL}};
    static struct work work; // too large for a stack
    static char declare_on[] = "--declare=on";
    const char *url = getenv("PLATEN_BROKER");
    if (url && *url)
        work_options[0].value =
            url; // as for submit and collect; a configuration file and PLATEN_WORK_BROKER win over it
    for (int i = 1; i < argc; i++) {
        // The flag alone means on.
        if (strcmp(argv[i], "--declare") == 0 && (i + 1 == argc || argv[i + 1][0] == '-'))
            argv[i] = declare_on;
    }
    const struct http_app app = {.name = "platen",
                                 .command = "work",
                                 .about = "Renders the jobs of a broker",
                                 .version = platen_version(),
                                 .commit = build_commit,
                                 .env_prefix = "PLATEN_WORK",
                                 .default_listen = "127.0.0.1:0", // any: several workers run on a machine
                                 .routes = ROUTES,
                                 .route_count = PL_COUNTOF(ROUTES),
                                 .options = work_options,
                                 .option_count = PL_COUNTOF(work_options),
                                 .option_base = &work,
                                 .user = &work,
                                 .system_calls = SYSTEM_CALLS,
                                 .system_call_count = PL_COUNTOF(SYSTEM_CALLS),
                                 .start = start,
                                 .stop = stop};
    return http_serve(&app, argc, argv);
}
