// The output side of a connection: a queue of pieces that leave in order.
//
// A piece owns its bytes, or the exchange whose body it is, until they are written or the connection is closed; so no
// bytes can be left over for another connection.
#ifndef HTTP_OUTPUT_H
#define HTTP_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"

struct http_conn;
struct http_exchange;
struct http_loop;

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
    struct http_piece *first, *last;
    size_t queued;        // bytes of all pieces that are not out
    uint64_t since_ns;    // when the peer began to be waited for
    uint64_t moved;       // bytes out since then
    uint64_t moved_ns;    // when the last of them went out
    uint64_t deadline_ns; // for the peer to read on; 0: nothing is waited for
    uint64_t latest_ns;   // for it to have read everything; 0: no bound
};

// Room for `bytes` (at most HTTP_BLOCK_SIZE) at the end of the queue, or NULL without memory; http_output_fill says how
// many were used.
uint8_t *http_output_room(struct http_loop *l, struct http_conn *c, size_t bytes);
void http_output_fill(struct http_conn *c, size_t used);
// A copy of small bytes. False: there is no memory.
bool http_output_copy(struct http_loop *l, struct http_conn *c, const void *data, size_t len);
// The body of an answer that ends here, and with it the exchange. False: there is no memory, and the exchange is
// still the caller's.
bool http_output_body(struct http_loop *l, struct http_conn *c, struct http_exchange *ex, struct pl_slice body);
// Takes over malloc'ed bytes that `charged` bytes of the budget were taken for. False: it is still the caller's.
bool http_output_take(struct http_loop *l, struct http_conn *c, struct pl_buf *bytes, size_t charged);
// An exchange of which all is queued: it is counted when that is out. False: there is no memory.
bool http_output_finish(struct http_loop *l, struct http_conn *c, struct http_exchange *ex);
void http_output_last(struct http_conn *c); // OPEN -> LAST
void http_output_shut(struct http_conn *c); // LAST -> SHUT

enum http_flush { HTTP_FLUSH_EMPTY, HTTP_FLUSH_BLOCKED, HTTP_FLUSH_BROKEN };
enum http_flush http_output_flush(struct http_loop *l, struct http_conn *c);
// Bytes behind the last answer that is queued whole.
size_t http_output_unsent(const struct http_output *out);
// All pieces and what they own.
void http_output_drop(struct http_loop *l, struct http_conn *c);

#endif
