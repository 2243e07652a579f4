// From a whole request to its handler or the pool, and from its answer to the output.
#ifndef HTTP_ANSWER_H
#define HTTP_ANSWER_H

#include "http/conn/connection.h"

// In place of the next chunk, where an answer is cut off. Some clients (Node's fetch) take the end of a connection for
// the end of the answer, whether the last chunk came or not. The first byte is no hexadecimal digit: others (wget) take
// digits in front for the size of a chunk, whatever follows them.
#define HTTP_CUT_OFF "!cut off\r\n"

// conn->current is whole and the input's: to its handler or to the pool.
void http_conn_dispatch(struct http_loop *l, struct http_conn *c);
// conn->current is the output's: puts its answer there, or what there is of it.
void http_conn_answer(struct http_loop *l, struct http_conn *c);
// conn->current is the input's: answers it and takes no more requests.
void http_conn_answer_last(struct http_loop *l, struct http_conn *c);
// The same with a problem: the framing is in doubt or the rest is not wanted. An answer that has begun is cut off.
void http_conn_fail(struct http_loop *l, struct http_conn *c, int status, const char *code, const char *message);
void http_conn_fail_memory(struct http_loop *l, struct http_conn *c); // 503: there is no room for the request
// conn->current is the output's: its next step, if there is room for what it writes.
void http_conn_continue(struct http_loop *l, struct http_conn *c);
void http_conn_overdue(struct http_loop *l, struct http_conn *c); // the time of conn->current is over

#endif
