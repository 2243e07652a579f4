// The input side of a connection. Its states and what leads from one to the next:
//
//   HEAD     a head is whole: BODY, STREAM, HELD  the client ends, or the request is refused for good: DISCARD
//   BODY     the body is whole: HELD              the same
//   STREAM   the body is whole: HELD              the same, or the answer ends before the body
//   HELD     the request is answered: HEAD        the answer was the last one: DISCARD
//   DISCARD  stays
#include "http/conn/input.h"

#include <stdlib.h>

static void enter(struct http_input *in, enum http_input_state to)
{
    static const uint8_t FROM[] = {
        [HTTP_IN_HEAD] = 1 << HTTP_IN_HELD,
        [HTTP_IN_BODY] = 1 << HTTP_IN_HEAD,
        [HTTP_IN_STREAM] = 1 << HTTP_IN_HEAD,
        [HTTP_IN_HELD] = 1 << HTTP_IN_HEAD | 1 << HTTP_IN_BODY | 1 << HTTP_IN_STREAM,
        [HTTP_IN_DISCARD] =
            1 << HTTP_IN_HEAD | 1 << HTTP_IN_BODY | 1 << HTTP_IN_STREAM | 1 << HTTP_IN_HELD | 1 << HTTP_IN_DISCARD,
    };
    if (!(FROM[to] >> in->state & 1))
        abort();
    in->state = (uint8_t)to;
    in->deadline_ns = 0;
}

void http_input_await_body(struct http_conn *c, bool streams)
{
    enter(&c->in, streams ? HTTP_IN_STREAM : HTTP_IN_BODY);
}

void http_input_hold(struct http_conn *c)
{
    enter(&c->in, HTTP_IN_HELD);
}

void http_input_release(struct http_conn *c)
{
    enter(&c->in, HTTP_IN_HEAD);
}

void http_input_end(struct http_conn *c)
{
    enter(&c->in, HTTP_IN_DISCARD);
    c->in.stalled = false;
    if (c->in.stash) {
        c->in.unread = c->in.unread || c->in.stash->len > 0;
        http_input_drop(c);
    }
}

void http_input_drop(struct http_conn *c)
{
    free(c->in.stash);
    c->in.stash = NULL;
}

bool http_input_idle(const struct http_conn *c)
{
    return c->in.state == HTTP_IN_HEAD && !c->in.stash && !c->can_read && !c->out.first;
}
