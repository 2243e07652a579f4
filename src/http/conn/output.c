// The output side of a connection. Its states: OPEN -> LAST -> SHUT (http_output_last, http_output_shut); bytes are
// queued only in OPEN, and leave in all but SHUT.
#include "http/conn/output.h"

#include <errno.h>
#include <stdlib.h>

#include "base/ckd.h"
#include "http/exchange/loop.h"
#include "http/exchange/note.h"
#include "http/exchange/server.h"

#define KEEP_BLOCKS 16
#define PARTS_PER_SEND 16

void http_output_last(struct http_conn *c)
{
    if (c->out.state == HTTP_OUT_OPEN)
        c->out.state = HTTP_OUT_LAST;
}

void http_output_shut(struct http_conn *c)
{
    if (c->out.state != HTTP_OUT_LAST || c->out.first)
        abort();
    c->out.state = HTTP_OUT_SHUT;
}

// ---- pieces

static struct http_piece *new_block(struct http_loop *l)
{
    struct http_piece *piece = l->free_blocks;
    if (piece) {
        l->free_blocks = piece->next;
        l->free_block_count--;
    } else {
        piece = malloc(sizeof(*piece) + HTTP_BLOCK_SIZE);
        if (!piece)
            return NULL;
    }
    *piece = (struct http_piece){.is_block = true};
    piece->data = piece->block;
    return piece;
}

static void free_piece(struct http_loop *l, struct http_piece *piece)
{
    if (piece->charged > 0) {
        http_budget_give(&l->server->budget, piece->charged);
        http_clients_give_bytes(&l->server->clients, piece->client_key, piece->charged);
    }
    free(piece->taken);
    if (piece->is_block && l->free_block_count < KEEP_BLOCKS) {
        piece->next = l->free_blocks;
        l->free_blocks = piece;
        l->free_block_count++;
    } else {
        free(piece);
    }
}

static void append(struct http_output *out, struct http_piece *piece)
{
    if (out->state != HTTP_OUT_OPEN)
        abort();
    piece->next = NULL;
    if (out->last)
        out->last->next = piece;
    else
        out->first = piece;
    out->last = piece;
    out->queued += piece->len;
}

uint8_t *http_output_room(struct http_loop *l, struct http_conn *c, size_t bytes)
{
    struct http_piece *piece = c->out.last;
    if (c->out.state != HTTP_OUT_OPEN)
        abort(); // an answer after the last one
    if (!piece || !piece->is_block || piece->answer || HTTP_BLOCK_SIZE - piece->len < bytes) {
        piece = new_block(l);
        if (!piece)
            return NULL;
        append(&c->out, piece);
    }
    return piece->block + piece->len;
}

void http_output_fill(struct http_conn *c, size_t used)
{
    c->out.last->len += used;
    c->out.queued += used;
}

bool http_output_copy(struct http_loop *l, struct http_conn *c, const void *data, size_t len)
{
    uint8_t *room = http_output_room(l, c, len);
    if (!room)
        return false;
    if (len > 0)
        memcpy(room, data, len);
    http_output_fill(c, len);
    return true;
}

static struct http_piece *new_reference(const void *data, size_t len)
{
    struct http_piece *piece = malloc(sizeof(*piece));
    if (piece)
        *piece = (struct http_piece){.data = data, .len = len};
    return piece;
}

bool http_output_body(struct http_loop *l, struct http_conn *c, struct http_exchange *ex, struct pl_slice body)
{
    (void)l;
    struct http_piece *piece = new_reference(body.ptr, body.len);
    if (!piece)
        return false;
    http_exchange_move(ex, HTTP_AT_OUTPUT, HTTP_AT_PIECE);
    piece->answer = ex;
    append(&c->out, piece);
    return true;
}

bool http_output_take(struct http_loop *l, struct http_conn *c, struct pl_buf *bytes, size_t charged)
{
    (void)l;
    struct http_piece *piece = new_reference(bytes->data, bytes->len);
    if (!piece)
        return false;
    piece->taken = bytes->data;
    piece->charged = charged;
    piece->client_key = c->client_key;
    *bytes = (struct pl_buf){.max = bytes->max};
    append(&c->out, piece);
    return true;
}

bool http_output_finish(struct http_loop *l, struct http_conn *c, struct http_exchange *ex)
{
    if (!c->out.last || c->out.last->answer) {
        if (!http_output_room(l, c, 0))
            return false;
    }
    http_exchange_move(ex, HTTP_AT_OUTPUT, HTTP_AT_PIECE);
    c->out.last->answer = ex;
    return true;
}

// ---- writing

// The piece is out: what it owned is given back.
static void finish_piece(struct http_loop *l, struct http_output *out)
{
    struct http_piece *piece = out->first;
    out->first = piece->next;
    if (!out->first)
        out->last = NULL;
    if (piece->answer) {
        http_exchange_note(l, piece->answer, piece->answer->answer_bytes);
        http_exchange_put(l, piece->answer);
    }
    free_piece(l, piece);
}

static void advance(struct http_loop *l, struct http_output *out, size_t sent)
{
    out->moved += sent;
    out->queued -= sent;
    while (out->first && out->first->len - out->first->at <= sent) {
        sent -= out->first->len - out->first->at;
        finish_piece(l, out);
    }
    if (sent > 0)
        out->first->at += sent;
}

static size_t gather(const struct http_output *out, struct iovec *parts, size_t *total)
{
    size_t count = 0;
    *total = 0;
    for (const struct http_piece *piece = out->first; piece && count < PARTS_PER_SEND; piece = piece->next) {
        size_t left = piece->len - piece->at;
        if (left == 0)
            continue;
        parts[count++] = (struct iovec){(void *)(uintptr_t)(piece->data + piece->at), left};
        *total += left;
    }
    return count;
}

// The peer has --write-timeout to read on, and for each byte that it read as long as --min-rate grants. What it was
// granted in advance is bounded: one that read fast and then stops is not waited for longer than one that is slow.
static void wait_for_peer(struct http_loop *l, struct http_output *out)
{
    const struct http_config *config = &l->server->config;
    out->blocked = true;
    if (out->deadline_ns == 0) {
        out->since_ns = out->moved_ns = l->now_ns;
        out->moved = 0;
    }
    uint64_t timeout = config->write_timeout_ms * 1000000u;
    uint64_t granted = out->since_ns + timeout + out->moved * 1000000000u / config->min_rate;
    out->deadline_ns = PL_MIN(granted, out->moved_ns + 2 * timeout);
    if (out->latest_ns != 0)
        out->deadline_ns = PL_MIN(out->deadline_ns, out->latest_ns);
}

enum http_flush http_output_flush(struct http_loop *l, struct http_conn *c)
{
    struct http_output *out = &c->out;
    while (out->first && !out->blocked) {
        struct iovec parts[PARTS_PER_SEND];
        size_t total;
        size_t count = gather(out, parts, &total);
        if (count == 0) {
            advance(l, out, 0); // pieces without bytes
            continue;
        }
        ssize_t n = l->seam->send(c->fd, parts, count);
        if (n < 0) {
            if (errno != EAGAIN && errno != EWOULDBLOCK)
                return HTTP_FLUSH_BROKEN;
            wait_for_peer(l, out);
            break;
        }
        out->moved_ns = l->now_ns;
        advance(l, out, (size_t)n);
        // A socket that took less than it was given is full; its room will be told.
        if ((size_t)n < total)
            wait_for_peer(l, out);
    }
    if (out->first)
        return HTTP_FLUSH_BLOCKED;
    out->deadline_ns = 0;
    return HTTP_FLUSH_EMPTY;
}

size_t http_output_unsent(const struct http_output *out)
{
    size_t unsent = 0;
    for (const struct http_piece *piece = out->first; piece; piece = piece->next)
        unsent = piece->answer ? 0 : unsent + piece->len - piece->at;
    return unsent;
}

void http_output_drop(struct http_loop *l, struct http_conn *c)
{
    struct http_output *out = &c->out;
    uint64_t unsent = 0; // of the answer that the pieces belong to
    while (out->first) {
        struct http_piece *piece = out->first;
        out->first = piece->next;
        struct http_exchange *ex = piece->answer;
        unsent += piece->len - piece->at;
        if (ex) {
            http_exchange_note(l, ex, ex->answer_bytes - PL_MIN(unsent, ex->answer_bytes));
            http_exchange_put(l, ex);
            unsent = 0;
        }
        free_piece(l, piece);
    }
    out->last = NULL;
    out->queued = 0;
}
