// A connection as its parts see it: its two sides, and the request that it is about.
#ifndef HTTP_CONNECTION_H
#define HTTP_CONNECTION_H

#include <netinet/in.h>

#include "http/exchange/exchange.h"
#include "http/message/chunked.h"

// ---- the input side: from bytes to whole requests

#define HTTP_READ_SIZE 65536

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

// ---- the output side: a queue of pieces that leave in order
//
// A piece owns its bytes, or the exchange whose body it is, until they are written or the connection is closed; so no
// bytes can be left over for another connection.

#define HTTP_BLOCK_SIZE 32768u
// With HIGH queued no more requests are read; an answer in steps goes on when no more than LOW is left.
#define HTTP_OUTPUT_HIGH 32768u
#define HTTP_OUTPUT_LOW (HTTP_OUTPUT_HIGH / 2)

enum http_output_state {
    HTTP_OUT_OPEN, // answers come and go
    HTTP_OUT_LAST, // no more answers: what is queued goes out, then the connection ends
    HTTP_OUT_SHUT  // all is out and the peer has been told so
};

struct http_piece {
    struct http_piece *next;
    const uint8_t *data;
    size_t len;
    size_t at;                    // of `len`, how many are out
    size_t charged;               // to the server's budget
    uint64_t client_key;          // and to the share of this client
    void *taken;                  // malloc'ed memory that `data` lies in; NULL: in the block, or in the answer
    struct http_exchange *answer; // ends with this piece, and belongs to it
    bool is_block;                // has room for HTTP_BLOCK_SIZE bytes behind it
    uint8_t block[];
};

struct http_output {
    uint8_t state; // enum http_output_state
    bool blocked;  // the socket took less than it was given: its readiness will be told
    bool reset;    // the last answer is cut off: the connection ends with a reset, so that nobody takes it for whole
    bool open_end; // the last answer ends with the connection: until all of it is out, the program's end is a reset
    struct http_piece *first, *last;
    size_t queued;        // bytes of all pieces that are not out
    uint64_t since_ns;    // when the peer began to be waited for
    uint64_t moved;       // bytes out since then
    uint64_t moved_ns;    // when the last of them went out
    uint64_t deadline_ns; // for the peer to read on; 0: nothing is waited for
    uint64_t latest_ns;   // for it to have read everything; 0: no bound
};

// ---- both

struct http_conn {
    int fd;
    bool open;
    bool can_read;   // the socket may hold bytes
    bool peer_ended; // the client sends no more
    bool fresh;      // no request yet
    bool in_ready;
    struct http_input in;
    struct http_output out;
    // The request that arrives (owned by the input), is worked on (the pool) or is answered in steps (the output); NULL
    // between requests. No other request is read meanwhile, so answers are in order.
    struct http_exchange *current;
    uint64_t leave_ns; // when work for a client that has ended its side is given up; 0: it has not
    // Timer wheel.
    uint32_t slot; // 0: not queued
    uint64_t deadline_ns;
    uint64_t due_tick;
    struct http_conn *timer_next, *timer_prev;
    struct http_conn *all_next, *all_prev;
    struct http_conn *ready_next;
    struct sockaddr_storage peer;
    uint64_t client_key; // what connections of one client have in common
    uint32_t door;       // of http_adopt; 0: none
    uint8_t host_len;    // the Host that was last allowed; 0: none was
    char host[HTTP_TEXT_LEN];
    uint8_t client_len; // 0: not made yet
    char client[HTTP_TEXT_LEN];
};

#endif
