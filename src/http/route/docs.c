// Filling the templates of discovery documents.
#include "http/route/docs.h"

#include "base/ckd.h"
#include "http/exchange/note.h"
#include "http/exchange/server.h"
#include "http/route/router.h"

struct pl_slice http_embedded_find(const struct http_embedded *table, const char *name)
{
    for (; table->name; table++) {
        if (strcmp(table->name, name) == 0)
            return pl_slice_make(table->begin, (size_t)(table->end - table->begin));
    }
    return pl_slice_make("", 0);
}

static void write_routes(struct http_server *s, struct pl_buf *out)
{
    for (size_t i = 0; i < s->routes->slot_count; i++) {
        const struct http_route *route = &s->routes->slots[i].route;
        if (!(route->flags & HTTP_NO_DOCS))
            pl_buf_printf(out, "- `%s %s`: %s\n", http_method_name(route->method), route->pattern,
                          route->summary ? route->summary : "");
    }
}

static void write_limits_table(struct http_server *s, struct pl_buf *out)
{
    pl_buf_append_cstr(out, "| limit | value | what |\n|---|---|---|\n");
    for (size_t i = 0; i < sizeof(s->sets) / sizeof(s->sets[0]); i++) {
        for (size_t k = 0; k < s->sets[i].count; k++) {
            const struct http_option *row = &s->sets[i].rows[k];
            if (!row->health)
                continue;
            struct http_option_set one = {.rows = row, .count = 1, .base = s->sets[i].base};
            struct pl_buf member;
            pl_buf_init(&member, 256);
            http_options_limits(&one, 1, &member);
            // The member is "key":value.
            const uint8_t *colon = member.len ? memchr(member.data, ':', member.len) : NULL;
            if (colon)
                pl_buf_printf(out, "| %s | %.*s | %s |\n", row->health, (int)(member.data + member.len - colon - 1),
                              (const char *)colon + 1, row->help);
            pl_buf_fini(&member);
        }
    }
}

static bool core_value(struct http_server *s, struct pl_slice name, struct pl_buf *out)
{
    if (pl_slice_eq_cstr(name, "service"))
        pl_buf_append_cstr(out, s->app->name);
    else if (pl_slice_eq_cstr(name, "version"))
        pl_buf_append_cstr(out, s->app->version);
    else if (pl_slice_eq_cstr(name, "address"))
        pl_buf_append_cstr(out, HTTP_ADDRESS_MARK);
    else if (pl_slice_eq_cstr(name, "routes"))
        write_routes(s, out);
    else if (pl_slice_eq_cstr(name, "limits"))
        pl_buf_append(out, s->limits.data, s->limits.len);
    else if (pl_slice_eq_cstr(name, "limits_table"))
        write_limits_table(s, out);
    else if (pl_slice_eq_cstr(name, "options"))
        http_options_markdown(s->sets, sizeof(s->sets) / sizeof(s->sets[0]), s->app->env_prefix, out);
    else
        return false;
    return true;
}

enum pl_errc http_docs_fill(struct http_server *server, struct pl_slice text, const struct http_doc_var *vars,
                            size_t count, void *user, struct pl_buf *out, struct pl_error *err)
{
    size_t at = 0;
    while (at < text.len) {
        const uint8_t *open = memmem(text.ptr + at, text.len - at, "{{", 2);
        size_t stop = open ? (size_t)(open - text.ptr) : text.len;
        pl_buf_append(out, text.ptr + at, stop - at);
        if (!open)
            break;
        const uint8_t *close = memmem(text.ptr + stop, text.len - stop, "}}", 2);
        if (!close)
            return pl_fail(err, PL_E_BUG, "a template has '{{' without '}}'");
        struct pl_slice name = pl_slice_make(open + 2, (size_t)(close - open) - 2);
        at = (size_t)(close - text.ptr) + 2;
        size_t i = 0;
        while (i < count && !pl_slice_eq_cstr(name, vars[i].name))
            i++;
        if (i < count)
            vars[i].write(out, user);
        else if (!core_value(server, name, out))
            return pl_fail(err, PL_E_BUG, "a template names {{%.*s}}, which nobody writes", (int)PL_MIN(name.len, 64),
                           (const char *)name.ptr);
    }
    return pl_buf_check(out, err);
}

enum pl_errc http_docs_publish(struct http_server *server, const char *path, const char *content_type,
                               struct pl_slice text, const struct http_doc_var *vars, size_t count, void *user,
                               const char *summary, struct pl_error *err)
{
    struct http_document *document = NULL;
    PL_TRY(http_document_add(server->routes, path, content_type, summary, &document, err));
    document->text = text;
    document->vars = vars;
    document->count = count;
    document->user = user;
    return PL_OK;
}

static enum pl_errc finish_one(struct http_server *s, struct http_document *document, struct pl_buf *out,
                               struct pl_error *err)
{
    PL_TRY(http_docs_fill(s, document->text, document->vars, document->count, document->user, out, err));
    if (strstr(document->asset->content_type, "json")) {
        struct http_json *parsed = NULL;
        struct pl_error why = {0};
        enum pl_errc code = http_json_parse(pl_buf_slice(out), 0, &parsed, &why);
        http_json_free(parsed);
        if (code != PL_OK)
            return pl_fail(err, PL_E_BUG, "%s: %s", document->asset->path, why.message);
    }
    return http_document_fill(document, pl_buf_slice(out), err);
}

enum pl_errc http_docs_finish(struct http_server *s, struct pl_error *err)
{
    enum pl_errc code = PL_OK;
    for (size_t i = 0; i < s->routes->document_count && code == PL_OK; i++) {
        struct http_document *document = &s->routes->documents[i];
        if (document->asset->data)
            continue;
        struct pl_buf out;
        pl_buf_init(&out, 16u << 20);
        code = finish_one(s, document, &out, err);
        pl_buf_fini(&out);
    }
    return code;
}
