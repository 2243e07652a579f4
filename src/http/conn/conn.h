// The life of a connection: opened, noted as ready, closed.
#ifndef HTTP_CONN_H
#define HTTP_CONN_H

#include "http/conn/connection.h"

// The caller has counted it in conn_count and in the server's clients.
void http_conn_open(struct http_loop *l, int fd, const struct sockaddr_storage *peer, uint64_t client_key,
                    uint32_t door);
void http_conn_close(struct http_loop *l, struct http_conn *c, bool reset);
void http_conn_ready(struct http_loop *l, struct http_conn *c); // has more to do in the next turn
void http_conn_free_dead(struct http_loop *l);
void http_conn_drop_request(struct http_loop *l, struct http_conn *c); // nobody waits for conn->current any more

#endif
