// Connections per client: temporary.
#include "http/guard.h"
enum pl_errc http_clients_init(struct http_clients *clients, uint32_t connections, uint32_t most, struct pl_error *err)
{
    (void)connections;
    (void)err;
    clients->most = most;
    return PL_OK;
}
void http_clients_fini(struct http_clients *clients)
{
    (void)clients;
}
bool http_clients_take(struct http_clients *clients, uint64_t key)
{
    (void)clients;
    (void)key;
    return true;
}
void http_clients_give(struct http_clients *clients, uint64_t key)
{
    (void)clients;
    (void)key;
}
uint64_t http_client_key(const struct http_server *s, const struct sockaddr_storage *peer)
{
    (void)s;
    (void)peer;
    return 1;
}
