// The whole server: what all its parts share, and the parts of each layer.
#ifndef HTTP_SERVICE_H
#define HTTP_SERVICE_H

#include "http/exchange/pool.h"
#include "http/exchange/server.h"
#include "http/guard/guard.h"
#include "http/io/io.h"
#include "http/route/router.h"

struct http_service {
    struct http_server server; // first: the memory of both is one
    struct http_pool pool;
    struct http_guard guard;
    struct http_routes routes;
    struct http_io io;
};

// config_command.c
struct http_server *http_server_new(const struct http_app *app); // zeros, with its parts in place; NULL: no memory
// A server with its options only, for the subcommands that do not serve. NULL: a line was printed, and *status is the
// program's.
struct http_server *http_command_server(const struct http_app *app, const char *command, int argc, char **argv,
                                        int *status);
void http_command_server_free(struct http_server *s);
int http_print(struct pl_buf *out); // to standard output; frees it and returns the program's status
// core_routes.c
enum pl_errc http_core_routes(struct http_server *s, struct pl_error *err) PL_MUST_USE;
// serve.c: what a server needs before its loops, apart from the world (listener, threads, signals).
enum pl_errc http_server_prepare(struct http_server *s, struct pl_error *err) PL_MUST_USE;
void http_server_fini(struct http_server *s);

#endif
