// `hygro serve`: the grain service over HTTP.
#include "commands.h"
#include "http/docs.h"
#include "http/http.h"
#include "page.h"

extern const struct http_embedded hygro_docs[];

static enum pl_errc publish(struct http_server *server, void *user, struct pl_error *err)
{
    PL_TRY(http_docs_publish(server, "/openapi.json", "application/json",
                             http_embedded_find(hygro_docs, "openapi.json"), NULL, 0, user,
                             "This interface as an OpenAPI 3.1 document.", err));
    return http_docs_publish(server, "/llms.txt", "text/plain; charset=utf-8",
                             http_embedded_find(hygro_docs, "llms.txt"), NULL, 0, user,
                             "What the service does, in short, for language models.", err);
}

int hygro_serve(int argc, char **argv)
{
    const struct http_app app = {
        .name = "hygro",
        .version = "1.0.0",
        .env_prefix = "HYGRO",
        .default_listen = "127.0.0.1:8081",
        .assets = grain_assets,
        .asset_count = grain_asset_count,
        .start = publish,
    };
    return http_serve(&app, argc, argv);
}
