// Discovery documents: templates whose {{names}} are filled from the tables in the code, so that they cannot drift.
#ifndef HTTP_DOCS_H
#define HTTP_DOCS_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/slice.h"

struct http_server;

// A file put into the program by tools/embed; a table of them ends with a row of NULLs.
struct http_embedded {
    const char *name;
    const unsigned char *begin;
    const unsigned char *end;
};

// The file's bytes; an empty slice when the table does not have it.
struct pl_slice http_embedded_find(const struct http_embedded *table, const char *name);

// A placeholder of the application: writes what {{name}} stands for.
struct http_doc_var {
    const char *name;
    void (*write)(struct pl_buf *out, void *user);
};

// Fills a template. The core knows {{service}}, {{version}}, {{routes}} (Markdown list of method, path, summary),
// {{limits}} (JSON members), {{limits_table}} and {{options}} (Markdown); `vars` adds or replaces. An unknown name is
// PL_E_BUG. {{address}} stays as it is: each answer has there the address that was asked.
enum pl_errc http_docs_fill(struct http_server *server, struct pl_slice text, const struct http_doc_var *vars,
                            size_t count, void *user, struct pl_buf *out, struct pl_error *err) PL_MUST_USE;
// Publishes at `path`, during http_app.start. The template is filled after start has returned, when all routes are
// known, so `text`, `vars` and `user` must live until then. A document that should be JSON and is not is refused.
enum pl_errc http_docs_publish(struct http_server *server, const char *path, const char *content_type,
                               struct pl_slice text, const struct http_doc_var *vars, size_t count, void *user,
                               const char *summary, struct pl_error *err) PL_MUST_USE;

#endif
