// The discovery documents of Platen: templates filled from the tables of controls, formats, routes and options.
#ifndef PLATEN_SERVE_DOCS_H
#define PLATEN_SERVE_DOCS_H

#include "api/api.h"

// GET /docs: the files are in a folder, /docs/.
int serve_docs_to_folder(struct http_request *req, struct http_response *res);

enum pl_errc serve_docs_publish(struct http_server *server, struct service *service, struct pl_error *err);

#endif
