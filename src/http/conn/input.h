// The input side of a connection: from bytes to whole requests.
#ifndef HTTP_INPUT_H
#define HTTP_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http/message/chunked.h"
#include "http/message/parser.h"

#define HTTP_READ_SIZE 65536

struct http_conn;
struct http_exchange;
struct http_loop;

enum http_input_state {
    HTTP_IN_HEAD,   // waits for a request's head, or for the rest of it
    HTTP_IN_BODY,   // reads the body of conn->current
    HTTP_IN_STREAM, // the same while conn->current is answered, but not while the pool has it
    HTTP_IN_HELD,   // reads nothing until conn->current is answered
    HTTP_IN_DISCARD // takes no more requests: what still comes is thrown away
};

// Input that waits for more, with the state of its parsing.
struct http_stash {
    struct http_parser parser;
    size_t len;
    size_t cap;
    uint8_t data[];
};

struct http_input {
    uint8_t state;    // enum http_input_state
    bool head_timing; // the deadline of a head is running
    bool is_chunked;
    bool unread;  // the client sent what is not read: closing at once would reset the connection
    bool stalled; // stopped because the output is full
    struct http_stash *stash;
    struct http_chunked chunked;
    uint64_t body_left;
    uint64_t since_ns;      // when the body began
    uint64_t moved;         // bytes of it since then
    uint64_t streamed;      // bytes of it in all
    uint64_t paused_ns;     // since when no more of a streamed body is read; 0: it is
    uint64_t deadline_ns;   // for what is waited for; 0: nothing is
    uint64_t idle_since_ns; // when the last request was answered, or the connection was made
};

// Reads and parses as long as there is something to read, requests are taken and the output has room; for one turn.
void http_input_run(struct http_loop *l, struct http_conn *c);
void http_input_await_body(struct http_conn *c, bool streams); // HEAD -> BODY, or STREAM
void http_input_hold(struct http_conn *c);                     // HEAD, BODY, STREAM -> HELD
void http_input_release(struct http_conn *c);                  // HELD -> HEAD
void http_input_end(struct http_conn *c);                      // any -> DISCARD
void http_input_timeout(struct http_loop *l, struct http_conn *c);
void http_input_set_deadline(struct http_loop *l, struct http_conn *c); // the deadline for what is waited for now
bool http_input_idle(const struct http_conn *c); // between two requests, with nothing of the next one
void http_input_drop(struct http_conn *c);

#endif
