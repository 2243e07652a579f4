// Content-Disposition: the name under which a browser saves an answer.
#ifndef PLATEN_DISPOSITION_H
#define PLATEN_DISPOSITION_H

#include "api.h"

void disposition_set(struct render_call *call);

#endif
