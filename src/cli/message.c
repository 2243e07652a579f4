// Messages of the command line.
#include "cli/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void message_say(const struct message_sink *sink, const void *text, size_t len)
{
    if (sink && sink->say)
        sink->say(sink->user, text, len);
    else
        fwrite(text, 1, len, stderr);
}

static void append(void *user, const char *text, size_t len)
{
    pl_buf_append(user, text, len);
}

struct message_sink message_into(struct pl_buf *buf)
{
    return (struct message_sink){.say = append, .user = buf};
}

void message_print(const struct message_sink *sink, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (!sink || !sink->say) {
        vfprintf(stderr, fmt, args);
    } else {
        char *text;
        int len = vasprintf(&text, fmt, args);
        if (len >= 0) {
            sink->say(sink->user, text, (size_t)len);
            free(text);
        }
    }
    va_end(args);
}
