// The `serve` subcommand: options, setting up, running, tearing down.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/ckd.h"
#include "http/conn/conn.h"
#include "http/exchange/note.h"
#include "http/guard/cors.h"
#include "http/guard/sandbox.h"
#include "http/io/loop.h"
#include "http/server/server.h"
#include "os/cores.h"
#include "os/random.h"
#include "process/say.h"

#define DEFAULT_ARENA ((size_t)16 << 20)
#define DESCRIPTORS_APART 48u    // listeners, event loops, files
#define DESCRIPTORS_OF_WORKER 2u // the channel to its renderer
#define DESCRIPTORS_OF_OWN 5u    // the same for a device of the application, and its listeners
#define CONNECTIONS_LEAST 8u

static const char *command_of(const struct http_server *s)
{
    return s->app->command ? s->app->command : "serve";
}

bool http_server_leaving(const struct http_server *server)
{
    return atomic_load_explicit(&server->leaving, memory_order_relaxed);
}

uint32_t http_server_workers(const struct http_server *server)
{
    return server->config.workers > 0 ? server->config.workers : pl_core_count();
}

size_t http_server_max_body(const struct http_server *server)
{
    return server->config.max_body;
}

bool http_server_confined(const struct http_server *server)
{
    return server->config.sandbox;
}

struct http_metrics *http_server_metrics(struct http_server *server)
{
    return server->metrics;
}

// The header lines that every answer carries, and those of answers to pages of other origins.
static enum pl_errc make_fixed_headers(struct http_server *s, struct pl_error *err)
{
    pl_buf_init(&s->fixed, 2048);
    pl_buf_append_cstr(&s->fixed, "X-Content-Type-Options: nosniff\r\n");
    PL_TRY(pl_buf_check(&s->fixed, err));
    return http_cors_prepare(s, err);
}

// As many descriptors as the system grants: connections are bounded by --max-connections.
static void raise_descriptor_limit(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= files.rlim_max)
        return;
    files.rlim_cur = files.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &files) != 0)
        errno = 0;
}

// How many devices of its own the application has.
static uint64_t own_devices(const struct http_server *s)
{
    const char *text = s->app->own_connections && *s->app->own_connections ? *s->app->own_connections : "";
    uint64_t count = text[0] != '\0';
    for (; *text; text++)
        count += *text == ';';
    return count;
}

uint32_t http_server_most_connections(const struct http_server *s)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return UINT32_MAX;
    const uint64_t apart = DESCRIPTORS_APART + DESCRIPTORS_OF_WORKER * (uint64_t)http_server_workers(s) +
                           DESCRIPTORS_OF_OWN * own_devices(s);
    uint64_t most = files.rlim_cur > apart ? files.rlim_cur - apart : 0;
    return (uint32_t)PL_MAX(PL_MIN(most, (uint64_t)UINT32_MAX), (uint64_t)CONNECTIONS_LEAST);
}

// Where descriptors are few, HTTP leaves the application its half, and one client has at most half of what HTTP has.
static void fit_connections(struct http_server *s)
{
    uint32_t most = http_server_most_connections(s);
    if (own_devices(s) > 0) {
        most /= 2;
        s->config.max_connections = PL_MIN(s->config.max_connections, most);
    }
    s->config.max_client_connections = PL_MIN(s->config.max_client_connections, most / 2); // 0 stays: no limit
}

// Routes and the application's own part, which may add documents; then the documents are filled.
static enum pl_errc start_app(struct http_server *s, struct pl_error *err)
{
    PL_TRY(http_routes_init(s->routes, err));
    PL_TRY(http_core_routes(s, err));
    if (s->app->check)
        PL_TRY(s->app->check(s->app->user, err));
    if (s->app->start)
        PL_TRY(s->app->start(s, s->app->user, err));
    // After the application has forked the processes of its own: they have no business with the keys.
    if (s->config.api_key_file[0])
        PL_TRY(http_keys_load(&s->guard->keys, s->config.api_key_file, err));
    return http_docs_finish(s, err);
}

enum pl_errc http_server_prepare(struct http_server *s, struct pl_error *err)
{
    s->config.workers = http_server_workers(s); // settled once
    s->parse_limits = (struct http_parse_limits){s->config.max_uri, s->config.max_header};
    s->arena_limit = (s->app->arena_bytes ? *s->app->arena_bytes : DEFAULT_ARENA);
    s->budget.limit = s->config.max_body_memory;
    pthread_mutex_init(&s->guard->rates.lock, NULL);
    pthread_rwlock_init(&s->guard->keys_lock, NULL);
    // Behind a proxy all connections are the proxy's.
    bool direct = !s->config.trust_proxy;
    PL_TRY(http_clients_init(&s->clients, s->config.max_connections, direct ? s->config.max_client_connections : 0,
                             direct ? s->config.max_client_memory : 0, err));
    PL_TRY(http_pool_init(s->pool, s, err));
    pl_buf_init(&s->limits, 16384);
    http_options_limits(s->sets, HTTP_OPTION_SETS, &s->limits);
    PL_TRY(pl_buf_check(&s->limits, err));
    PL_TRY(make_fixed_headers(s, err));
    PL_TRY(start_app(s, err));
    s->boot_ns = s->seam->now_ns();
    return http_loops_init(s, err);
}

static enum pl_errc set_up(struct http_server *s, char *address, size_t address_size, struct pl_error *err)
{
    raise_descriptor_limit();
    fit_connections(s);
    pl_say_begin();
    // Before the first socket of the application: what it has accepted by then is not lost by a signal.
    s->io->signal_fd = s->seam->signals_new();
    if (s->io->signal_fd < 0)
        return pl_fail(err, PL_E_IO, "cannot wait for signals");
    PL_TRY(http_server_prepare(s, err));
    PL_TRY(http_key_reader_fork(s, err));
    http_notify_open(s->io);
    if (!pl_random(&s->id_seed, sizeof(s->id_seed)))
        return pl_fail(err, PL_E_IO, "the system gives no random bytes");
    PL_TRY(http_listen(s, address, address_size, err));
    PL_TRY(http_key_reader_start(s, err));
    PL_TRY(http_log_start(&s->log, s->config.log, s->config.log_to, err));
    PL_TRY(http_pool_start(s->pool, err));
    PL_TRY(http_loops_start(s, err));
    PL_TRY(http_accept_start(&s->loops[0], err));
    bool confined = false;
    const char *why_not = NULL;
    if (s->config.sandbox)
        PL_TRY(http_sandbox_enter(s->app->system_calls, s->app->system_call_count, &confined, &why_not, err));
    if (why_not)
        fprintf(stderr, "%s %s: running without the system call filter: %s\n", s->app->name, command_of(s), why_not);
    http_gauge_set(http_metric_gauge(s->metrics, "sandbox", "1 when system calls are confined.", NULL), confined);
    // Later on a missing counter is a small thing; without memory for them at the start, the service does not start.
    return http_metrics_whole(s->metrics) ? PL_OK : pl_fail_memory(err);
}

static struct http_server *ending; // for on_late_signal: set before that is its handler

void http_server_fini(struct http_server *s)
{
    http_loops_join(s);
    // Work that is still going on ends at its next look at the flag.
    for (uint32_t i = 0; i < s->loop_count; i++) {
        while (s->loops[i].all)
            http_conn_close(&s->loops[i], s->loops[i].all, true);
    }
    http_pool_fini(s->pool);
    for (uint32_t i = 0; i < s->loop_count; i++) {
        http_loop_take_completed(&s->loops[i]); // counts and logs what the workers had
        http_log_flush(&s->loops[i]);
    }
    http_log_stop(&s->log);
    for (uint32_t i = 0; i < s->loop_count; i++)
        http_loop_fini(&s->loops[i]);
    free(s->loops);
    if (s->io->listen_fd >= 0)
        s->seam->close(s->io->listen_fd, false);
    if (s->io->signal_fd >= 0)
        s->seam->close(s->io->signal_fd, false);
    if (s->app->stop)
        s->app->stop(s->app->user);
    http_key_reader_stop(s);
    if (ending) { // what is left takes no time: a further signal must not reach what is freed now
        signal(SIGTERM, SIG_IGN);
        signal(SIGINT, SIG_IGN);
        ending = NULL;
    }
    http_keys_free(&s->guard->keys);
    pthread_rwlock_destroy(&s->guard->keys_lock);
    http_notify_close(s->io);
    http_options_found_free(&s->found);
    free(s->guard->rates.buckets);
    pthread_mutex_destroy(&s->guard->rates.lock);
    http_clients_fini(&s->clients);
    http_routes_fini(s->routes);
    pl_buf_fini(&s->fixed);
    pl_buf_fini(&s->guard->cors);
    pl_buf_fini(&s->limits);
    http_metrics_free(s->metrics);
    free(s);
}

static void on_late_signal(int signal)
{
    (void)signal;
    if (ending->io->signals++ > 1 || !ending->app->hurry(ending->app->user))
        _exit(1);
}

// No loop listens to signals any more: from here on one of them ends the program, whatever it waits for; if the
// application has something to keep, the second one after that.
static void signals_end_it(struct http_server *s)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    if (s->app->hurry) {
        ending = s;
        const struct sigaction action = {.sa_handler = on_late_signal, .sa_mask = signals, .sa_flags = SA_RESTART};
        sigaction(SIGTERM, &action, NULL);
        sigaction(SIGINT, &action, NULL);
    }
    pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

static int print_help(const struct http_server *s)
{
    struct pl_buf out;
    pl_buf_init(&out, 1u << 20);
    pl_buf_printf(&out, "usage: %s %s [options]\n\n%s until SIGTERM or Ctrl-C.\n\noptions:\n", s->app->name,
                  command_of(s), s->app->about ? s->app->about : "Serves over HTTP");
    http_options_help(s->sets, HTTP_OPTION_SETS, s->app->env_prefix, &out);
    pl_buf_append_cstr(
        &out, "  --help\n      this list\n\n"
              "Flags win over environment variables, those over the file of --config, that over the defaults.\n");
    if (!s->app->command) // `config` has the options of `serve`
        pl_buf_printf(&out, "'%s config' shows which values hold and where they come from.\n", s->app->name);
    return http_print(&out);
}

// On standard output: where, for whoever has asked for port 0, and which build it is.
static void print_start(const struct http_server *s, const char *address)
{
    const char *commit = s->app->commit ? s->app->commit : "";
    printf("listening on %s\n%s %s%s%s%s\n", address, s->app->name, s->app->version, commit[0] ? " (" : "", commit,
           commit[0] ? ")" : "");
    if (fflush(stdout) != 0)
        clearerr(stdout); // nobody wants to know; serving goes on
}

int http_serve(const struct http_app *app, int argc, char **argv)
{
    int status;
    struct pl_error err = {0};
    struct http_server *s = http_command_server(app, app->command ? app->command : "serve", argc, argv, &status);
    if (!s)
        return status;
    s->seam = app->seam ? app->seam : &http_system_seam;
    char address[192];
    if (s->found.help) {
        status = print_help(s);
        http_command_server_free(s);
        return status;
    }
    status = 0;
    enum pl_errc code = set_up(s, address, sizeof(address), &err);
    if (code != PL_OK) {
        fprintf(stderr, "%s %s: %s\n", app->name, command_of(s), err.message);
        status = code == PL_E_INVALID ? 2 : 1;
    } else {
        print_start(s, address);
        http_notify(s->io, "READY=1");
        http_loop_run(&s->loops[0]);
        signals_end_it(s);
        http_loops_join(s);
        for (uint32_t i = 0; i < s->loop_count; i++)
            status |= s->loops[i].cut ? 1 : 0;
    }
    http_server_fini(s);
    return status;
}
