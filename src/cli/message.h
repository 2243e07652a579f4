// Messages of the command line, and where they go.
#ifndef PLATEN_CLI_MESSAGE_H
#define PLATEN_CLI_MESSAGE_H

#include <stddef.h>

#include "base/buf.h"

// NULL, and one without `say`, is standard error.
struct message_sink {
    void (*say)(void *user, const char *text, size_t len);
    void *user;
};

void message_say(const struct message_sink *sink, const void *text, size_t len);
// Keeps what is said.
struct message_sink message_into(struct pl_buf *buf);
// One message, whole lines.
void message_print(const struct message_sink *sink, const char *fmt, ...) PL_PRINTF(2, 3);

#endif
