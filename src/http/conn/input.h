// The states of a connection's input side (enum http_input_state).
#ifndef HTTP_INPUT_H
#define HTTP_INPUT_H

#include "http/conn/connection.h"

void http_input_await_body(struct http_conn *c, bool streams); // HEAD -> BODY, or STREAM
void http_input_hold(struct http_conn *c);                     // HEAD, BODY, STREAM -> HELD
void http_input_release(struct http_conn *c);                  // HELD -> HEAD
void http_input_end(struct http_conn *c);                      // any -> DISCARD
bool http_input_idle(const struct http_conn *c);               // between two requests, with nothing of the next one
void http_input_drop(struct http_conn *c);

#endif
