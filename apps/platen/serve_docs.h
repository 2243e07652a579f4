// The discovery documents of Platen: templates filled from the tables of controls, formats, routes and options.
#ifndef PLATEN_SERVE_DOCS_H
#define PLATEN_SERVE_DOCS_H

#include "api.h"

enum pl_errc serve_docs_publish(struct http_server *server, struct service *service, struct pl_error *err);

#endif
