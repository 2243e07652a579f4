// The `config` subcommand: which values `serve` would have with the same arguments, and where each comes from.
#include <stdio.h>
#include <stdlib.h>

#include "http/server/server.h"

struct http_server *http_command_server(const struct http_app *app, const char *command, int argc, char **argv,
                                        int *status)
{
    struct http_server *s = calloc(1, sizeof(*s));
    struct pl_error err = {0};
    *status = 1;
    if (!s) {
        fprintf(stderr, "%s %s: no memory\n", app->name, command);
        return NULL;
    }
    s->app = app;
    enum pl_errc code = http_server_options(s, &err);
    if (code == PL_OK)
        code = http_options_parse(s->sets, HTTP_OPTION_SETS, app->env_prefix, argc, argv, &s->found, &err);
    if (code == PL_OK)
        return s;
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
