// Choosing an output format by the Accept header.
#ifndef PLATEN_ACCEPT_H
#define PLATEN_ACCEPT_H

#include "controls.h"

// Of `offered`, the one whose exact type the client weighs highest, the first named of equal ones; offered[0] when it
// names none. Wildcards name nothing.
enum output accept_choose(const struct http_request *req, const enum output *offered, size_t count);
// Does the client take anything, as browsers and libraries say of themselves?
bool accept_anything(const struct http_request *req);

#endif
