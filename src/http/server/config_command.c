// The `config` subcommand: which values `serve` would have with the same arguments, and where each comes from.
#include <stdio.h>
#include <stdlib.h>

#include "http/guard/cors.h"
#include "http/server/server.h"

struct http_server *http_server_new(const struct http_app *app)
{
    struct http_service *service = calloc(1, sizeof(*service));
    if (!service)
        return NULL;
    struct http_server *s = &service->server;
    s->app = app;
    s->pool = &service->pool;
    s->guard = &service->guard;
    s->routes = &service->routes;
    s->io = &service->io;
    s->io->listen_fd = s->io->signal_fd = s->log.fd = -1;
    return s;
}

// The rows of core and application with the structures that they fill.
static enum pl_errc set_options(struct http_server *s, struct pl_error *err)
{
    if (s->app->option_count > HTTP_APP_OPTIONS_MAX)
        return pl_fail(err, PL_E_BUG, "more options than there is room for");
    memcpy(s->core_options, http_core_options, http_core_option_count * sizeof(s->core_options[0]));
    s->core_options[0].value = s->app->default_listen; // the first row is --listen
    s->sets[0] = (struct http_option_set){s->core_options, http_core_option_count, &s->config, s->core_sources};
    s->sets[1] = (struct http_option_set){s->app->options, s->app->option_count, s->app->option_base, s->app_sources};
    return PL_OK;
}

// A misspelt variable has no effect, but it ends nothing: others may have set it for another version.
static void warn_of_variables(const struct http_server *s, const char *command)
{
    char who[64];
    if (snprintf(who, sizeof(who), "%s %s", s->app->name, command) > 0)
        http_options_warn(s->sets, HTTP_OPTION_SETS, s->app->env_prefix, s->app->other_variables, who);
}

struct http_server *http_command_server(const struct http_app *app, const char *command, int argc, char **argv,
                                        int *status)
{
    struct http_server *s = http_server_new(app);
    struct pl_error err = {0};
    *status = 1;
    if (!s) {
        fprintf(stderr, "%s %s: no memory\n", app->name, command);
        return NULL;
    }
    enum pl_errc code = set_options(s, &err);
    if (code == PL_OK)
        code = http_options_parse(s->sets, HTTP_OPTION_SETS, app->env_prefix, argc, argv, &s->found, &err);
    if (code == PL_OK) {
        if (!s->found.help)
            warn_of_variables(s, command);
        return s;
    }
    fprintf(stderr, "%s %s: %s\n", app->name, command, err.message);
    *status = code == PL_E_INVALID ? 2 : 1;
    http_command_server_free(s);
    return NULL;
}

void http_command_server_free(struct http_server *s)
{
    http_options_found_free(&s->found);
    free(s);
}

int http_print(struct pl_buf *out)
{
    bool ok = !out->failed && fwrite(out->data, 1, out->len, stdout) == out->len && fflush(stdout) == 0;
    pl_buf_fini(out);
    return ok ? 0 : 1;
}

int http_config_command(const struct http_app *app, int argc, char **argv)
{
    int status;
    struct http_server *s = http_command_server(app, "config", argc, argv, &status);
    if (!s)
        return status;
    // What serving would refuse before it opens anything.
    char host[HTTP_LISTEN_HOST];
    const char *port;
    struct pl_error err = {0};
    enum pl_errc code = s->found.help ? PL_OK : http_listen_check(s, host, &port, &err);
    if (code == PL_OK && !s->found.help)
        code = http_cors_check(s, &err);
    if (code == PL_OK && !s->found.help && app->check)
        code = app->check(app->user, &err);
    if (code != PL_OK) {
        fprintf(stderr, "%s config: %s\n", app->name, err.message);
        http_command_server_free(s);
        return 2;
    }
    struct pl_buf out;
    pl_buf_init(&out, 4u << 20);
    if (s->found.help) {
        pl_buf_printf(
            &out,
            "usage: %s config [options of %s serve]\n\n"
            "Prints the options that '%s serve' would have with the same arguments, environment and file, as a\n"
            "configuration file, each with the place it came from: default, FILE:LINE, variable or flag.\n\n"
            "  --config FILE\n      file of options, NAME = VALUE a line\n"
            "  --help\n      this text\n\n"
            "Exit status: 0 the options are right, 1 the file cannot be read, 2 something in them is wrong.\n",
            app->name, app->name, app->name);
    } else {
        http_options_print(s->sets, HTTP_OPTION_SETS, app->env_prefix, &s->found, &out);
    }
    http_command_server_free(s);
    return http_print(&out);
}
