// `platen serve`: the label service over HTTP.
#include "commands.h"
#include "http/docs.h"
#include "http/http.h"
#include "page.h"

extern const struct http_embedded platen_docs[];

static enum pl_errc publish(struct http_server *server, void *user, struct pl_error *err)
{
    static const struct {
        const char *path;
        const char *type;
        const char *file;
        const char *summary;
    } DOCUMENTS[] = {
        {"/openapi.json", "application/json", "openapi.json", "This interface as an OpenAPI 3.1 document."},
        {"/llms.txt", "text/plain; charset=utf-8", "llms.txt", "What the service does, in short, for language models."},
        {"/llms-full.txt", "text/plain; charset=utf-8", "llms-full.txt", "The same in full."},
    };
    for (size_t i = 0; i < sizeof(DOCUMENTS) / sizeof(DOCUMENTS[0]); i++)
        PL_TRY(http_docs_publish(server, DOCUMENTS[i].path, DOCUMENTS[i].type,
                                 http_embedded_find(platen_docs, DOCUMENTS[i].file), NULL, 0, user,
                                 DOCUMENTS[i].summary, err));
    return PL_OK;
}

int command_serve(int argc, char **argv)
{
    const struct http_app app = {
        .name = "platen",
        .version = "1.0.0",
        .env_prefix = "PLATEN",
        .default_listen = "127.0.0.1:8080",
        .assets = label_assets,
        .asset_count = label_asset_count,
        .health_members = "\"formats\":[\"png\",\"jpeg\",\"webp\",\"pdf\",\"json\",\"base64\"]",
        .exposed_headers = "X-Total-Count, X-Warnings, X-Warning-Count",
        .start = publish,
    };
    return http_serve(&app, argc, argv);
}
