// From a parsed head to a request with a route, and the refusals that need no handler.
#include "http/conn/admit.h"

#include <arpa/inet.h>
#include <stdio.h>

#include "base/hash.h"
#include "base/utf8.h"
#include "http/exchange/loop.h"
#include "http/exchange/server.h"
#include "http/guard/cors.h"
#include "http/guard/guard.h"
#include "http/guard/host_list.h"
#include "http/message/url.h"
#include "http/route/router.h"

static void make_id(struct http_loop *l, struct http_exchange *ex, struct pl_slice given)
{
    bool usable = given.len > 0 && given.len <= 64;
    for (size_t i = 0; usable && i < given.len; i++) {
        uint8_t c = given.ptr[i];
        usable = pl_is_digit(c) || pl_is_letter(c) || c == '-' || c == '_' || c == '.';
    }
    if (usable) {
        ex->req.id = given;
        return;
    }
    static const char HEX[] = "0123456789abcdef";
    uint64_t id = pl_hash_mix(l->server->id_seed, ++l->id_count);
    for (int i = 0; i < 16; i++)
        ex->id_text[i] = HEX[id >> (60 - 4 * i) & 15];
    ex->req.id = pl_slice_make(ex->id_text, 16);
}

static bool is_hex(const uint8_t *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (!pl_is_digit(text[i]) && !(text[i] >= 'a' && text[i] <= 'f'))
            return false;
    }
    return true;
}

static bool is_id(const uint8_t *text, size_t len)
{
    size_t zeros = 0;
    while (zeros < len && text[zeros] == '0')
        zeros++;
    return zeros < len && is_hex(text, len);
}

// W3C's Trace Context: version, trace, parent, flags. Later versions may have more behind it. A malformed one counts as
// none.
static void note_trace(struct http_exchange *ex, struct pl_slice given)
{
    const uint8_t *text = given.ptr;
    ex->trace[0] = '\0';
    if (given.len < HTTP_TRACE_LEN || text[2] != '-' || text[35] != '-' || text[52] != '-' || !is_hex(text, 2) ||
        !is_id(text + 3, 32) || !is_id(text + 36, 16) || !is_hex(text + 53, 2) || memcmp(text, "ff", 2) == 0)
        return;
    if (given.len > HTTP_TRACE_LEN && (memcmp(text, "00", 2) == 0 || text[HTTP_TRACE_LEN] != '-'))
        return;
    memcpy(ex->trace, text, HTTP_TRACE_LEN);
}

static struct pl_slice field(const struct http_parser *p, const uint8_t *data, enum http_field id)
{
    struct pl_slice value = pl_slice_make("", 0);
    if (!http_parser_field(p, data, id, &value))
        value = pl_slice_make("", 0);
    return value;
}

// The last address of the last X-Forwarded-For: the one that the proxy in front of us has seen itself. What stands
// before it, in the same line or in others, may be the client's invention. Empty where no proxy is trusted.
static struct pl_slice forwarded_client(const struct http_server *s, const struct http_parser *p, const uint8_t *data)
{
    if (!s->config.trust_proxy)
        return pl_slice_make("", 0);
    struct pl_slice list = field(p, data, HTTP_F_FORWARDED_FOR);
    size_t start = list.len;
    while (start > 0 && list.ptr[start - 1] != ',')
        start--;
    return pl_slice_trim(pl_slice_sub(list, start, list.len));
}

// The address as text is made once for a connection; each request has a copy, since it may outlive the connection.
static void note_client(struct http_exchange *ex, struct http_conn *c, struct pl_slice forwarded)
{
    if (forwarded.len > 0 && forwarded.len < HTTP_TEXT_LEN && pl_utf8_valid(forwarded)) {
        memcpy(ex->client_text, forwarded.ptr, forwarded.len);
        ex->req.client = pl_slice_make(ex->client_text, forwarded.len);
        return;
    }
    if (c->client_len == 0) {
        const struct sockaddr_storage *peer = &c->peer;
        const void *address = peer->ss_family == AF_INET6
                                  ? (const void *)&((const struct sockaddr_in6 *)(const void *)peer)->sin6_addr
                                  : (const void *)&((const struct sockaddr_in *)(const void *)peer)->sin_addr;
        if (!inet_ntop(peer->ss_family, address, c->client, HTTP_TEXT_LEN))
            memcpy(c->client, "-", 2);
        c->client_len = (uint8_t)strlen(c->client);
    }
    memcpy(ex->client_text, c->client, c->client_len);
    ex->req.client = pl_slice_make(ex->client_text, c->client_len);
}

// Media type in lower case, and what follows its ';'.
static bool split_content_type(struct http_exchange *ex, struct pl_slice value)
{
    struct pl_slice type = pl_slice_trim(pl_slice_until(&value, ';'));
    uint8_t *lower = pl_arena_alloc(&ex->arena, type.len + 1, 1);
    if (!lower)
        return false;
    for (size_t i = 0; i < type.len; i++)
        lower[i] = pl_lower(type.ptr[i]);
    ex->req.content_type = pl_slice_make(lower, type.len);
    ex->req.content_param = pl_slice_trim(value);
    return true;
}

static void refuse(struct http_exchange *ex, int status, const char *code, const char *message)
{
    ex->refused = true;
    http_problem(&ex->res, status, code, "%s", message);
}

static void append_methods(char *out, size_t size, unsigned allow)
{
    static const struct {
        unsigned method;
        const char *name;
    } NAMES[] = {{HTTP_GET, "GET, HEAD"}, {HTTP_POST, "POST"},     {HTTP_PUT, "PUT"},
                 {HTTP_PATCH, "PATCH"},   {HTTP_DELETE, "DELETE"}, {HTTP_OPTIONS, "OPTIONS"}};
    size_t at = 0;
    for (size_t i = 0; i < sizeof(NAMES) / sizeof(NAMES[0]); i++) {
        size_t n = strlen(NAMES[i].name);
        if ((allow & NAMES[i].method) == 0 || at + n + 3 > size)
            continue;
        if (at > 0) {
            memcpy(out + at, ", ", 2);
            at += 2;
        }
        memcpy(out + at, NAMES[i].name, n);
        at += n;
    }
    out[at] = '\0';
}

// OPTIONS: what the path allows, and to pages that may read its answers the preflight answer of CORS.
static void answer_options(struct http_server *s, struct http_exchange *ex, unsigned allow)
{
    char methods[64];
    append_methods(methods, sizeof(methods), allow | HTTP_OPTIONS);
    ex->refused = true;
    ex->res.status = 204;
    http_set_header_cstr(&ex->res, "Allow", methods);
    if (!http_cors_open(s, ex))
        return;
    http_set_header_cstr(&ex->res, "Access-Control-Allow-Methods", methods);
    const char *more = s->app->request_headers;
    char headers[512];
    if (snprintf(headers, sizeof(headers),
                 "Accept, Authorization, Content-Encoding, Content-Type, traceparent, X-API-Key, X-Request-Id%s%s",
                 more ? ", " : "", more ? more : "") > 0)
        http_set_header_cstr(&ex->res, "Access-Control-Allow-Headers", headers);
    http_set_header_cstr(&ex->res, "Access-Control-Max-Age", "86400");
}

// Is one of the path's routes private? Then pages of other origins read no answer of that path.
static bool path_is_private(struct http_server *s, struct pl_slice path, unsigned methods)
{
    struct http_pair params[HTTP_MAX_PARAMS];
    for (unsigned method = 1; method <= methods; method <<= 1) {
        size_t count;
        unsigned allow;
        const struct http_slot *slot =
            methods & method ? http_router_find(s->routes, method, path, params, &count, &allow) : NULL;
        if (slot && (slot->route.flags & HTTP_PRIVATE))
            return true;
    }
    return false;
}

// What comes by another door finds only the routes for it; pages of any origin may ask there (docs/printer.md).
static void answer_door_options(struct http_exchange *ex)
{
    ex->refused = true;
    ex->res.status = 204;
    http_set_header(&ex->res, "Access-Control-Allow-Origin", ex->origin.len > 0 ? ex->origin : pl_slice_cstr("*"));
    http_set_header_cstr(&ex->res, "Access-Control-Allow-Methods", "GET, POST, OPTIONS");
    http_set_header_cstr(&ex->res, "Access-Control-Allow-Headers", "Content-Type");
    http_set_header_cstr(&ex->res, "Access-Control-Allow-Private-Network", "true");
}

// Where slashes or the case of letters are wrong, or the path begins as an alias, the answer names the path that is
// meant. False: there is none.
static bool answer_meant(const struct http_server *s, struct http_exchange *ex, unsigned methods)
{
    char path[HTTP_MEANT_MAX];
    size_t len = http_router_meant(s->routes, methods, ex->req.path, path);
    if (len == 0)
        return false;
    ex->refused = true;
    http_problem(&ex->res, 404, "not_found", "There is nothing at this path. It is written %.*s.", (int)len, path);
    return true;
}

static void find_route(struct http_server *s, struct http_exchange *ex, bool asterisk)
{
    struct http_request *req = &ex->req;
    if (req->door != 0 && req->method == HTTP_OPTIONS) {
        answer_door_options(ex);
        return;
    }
    if (asterisk) {
        answer_options(s, ex, HTTP_GET | HTTP_POST);
        return;
    }
    unsigned allow;
    unsigned method = ex->head_only ? HTTP_GET : req->method;
    ex->slot = http_router_find(s->routes, method, req->path, ex->params, &req->param_count, &allow);
    unsigned flags = ex->slot ? ex->slot->route.flags : 0;
    if (req->door != 0 ? !(flags & HTTP_AT_DOOR) : (flags & HTTP_ONLY_DOOR) != 0) {
        ex->slot = NULL;
        allow = 0;
    }
    if (ex->slot) {
        req->route = &ex->slot->route;
        ex->is_private = (req->route->flags & HTTP_PRIVATE) != 0;
        return;
    }
    if (answer_meant(s, ex, method) || (allow == 0 && answer_meant(s, ex, ~0u)))
        return;
    if (allow == 0) {
        ex->refused = true;
        http_problem(&ex->res, 404, "not_found", "There is nothing at this path.");
        return;
    }
    ex->is_private = path_is_private(s, req->path, allow);
    if (req->method == HTTP_OPTIONS) {
        answer_options(s, ex, allow);
        return;
    }
    char methods[64];
    append_methods(methods, sizeof(methods), allow | HTTP_OPTIONS);
    ex->refused = true;
    http_problem(&ex->res, 405, "method_not_allowed", "This path takes %s.", methods);
    http_set_header_cstr(&ex->res, "Allow", methods);
}

// Only requests for this machine's own names, or allowed ones, are answered where --listen or --allow-host says so.
static bool host_allowed(const struct http_server *s, struct http_conn *c, const struct http_parser *p,
                         const uint8_t *data)
{
    if (!s->on_loopback && !s->config.allow_host[0])
        return true;
    // HTTP/1.0 may do without Host; a browser never does.
    struct pl_slice host;
    if (http_parser_field(p, data, HTTP_F_HOST, &host) && !pl_slice_eq(host, pl_slice_make(c->host, c->host_len))) {
        if (!http_host_allowed(s->config.allow_host, host))
            return false;
        // The next requests of the connection are for the same host.
        c->host_len = host.len <= sizeof(c->host) ? (uint8_t)host.len : 0;
        memcpy(c->host, host.ptr, c->host_len);
    }
    return p->authority.len == 0 ||
           http_host_allowed(s->config.allow_host, pl_slice_make(data + p->authority.at, p->authority.len));
}

// False: it is refused. What comes by another door is for pages of any origin: whoever opens it wants that.
static bool check_page(const struct http_server *s, struct http_exchange *ex)
{
    if (!ex->slot || ex->req.door != 0 || (ex->slot->route.flags & HTTP_ANY_PAGE) || http_cors_admits(s, ex))
        return true;
    refuse(ex, 403, "other_origin",
           ex->is_private ? "Pages of other origins may not do this."
                          : "Pages of other origins may not do this unless --cors allows them.");
    return false;
}

static struct pl_slice given_key(const struct http_parser *p, const uint8_t *data)
{
    struct pl_slice given = field(p, data, HTTP_F_API_KEY);
    struct pl_slice bearer = field(p, data, HTTP_F_AUTHORIZATION);
    if (given.len == 0 && bearer.len > 7 && pl_slice_eq_nocase(pl_slice_sub(bearer, 0, 7), pl_slice_cstr("Bearer ")))
        given = pl_slice_trim(pl_slice_sub(bearer, 7, bearer.len));
    return given;
}

static void refuse_for_now(struct http_loop *l, struct http_exchange *ex, const char *code, const char *message,
                           uint64_t retry_s)
{
    http_counter_add(l->server->m.rejected_rate, 1);
    refuse(ex, 429, code, message);
    http_set_header_u64(&ex->res, "Retry-After", retry_s);
}

// A request without a key is no try at one.
static void check_key(struct http_loop *l, struct http_exchange *ex, struct pl_slice given, struct pl_slice forwarded,
                      const struct sockaddr_storage *peer)
{
    struct http_server *s = l->server;
    struct http_key_try tried = {.retry_s = 1};
    enum http_key_verdict verdict = HTTP_KEY_WRONG;
    if (given.len > 0)
        verdict = http_key_try(s, l->now_ns, peer, forwarded, given, &tried);
    memcpy(ex->key_name, tried.name, sizeof(ex->key_name));
    if (verdict == HTTP_KEY_LATER) {
        refuse_for_now(l, ex, "too_many_wrong_keys", "Too many wrong API keys came from this client.", tried.retry_s);
    } else if (verdict == HTTP_KEY_WRONG) {
        http_counter_add(s->m.rejected_key, 1);
        refuse(ex, 401, "unauthorized",
               "The API key is missing or wrong: 'Authorization: Bearer KEY' or 'X-API-Key: KEY'.");
        http_set_header_cstr(&ex->res, "WWW-Authenticate", "Bearer");
    }
}

// Requests that are refused for another reason count too. False: it is refused for this one.
static bool check_rate(struct http_loop *l, struct http_exchange *ex, const struct http_parser *p, const uint8_t *data,
                       const struct sockaddr_storage *peer)
{
    struct http_server *s = l->server;
    uint64_t retry_s;
    if (s->config.rate_limit == 0 || (ex->slot && (ex->slot->route.flags & HTTP_NO_RATE)) ||
        http_rate_take(s, l->now_ns, peer, forwarded_client(s, p, data), &retry_s))
        return true;
    refuse_for_now(l, ex, "rate_limited", "This client sends more requests than its rate allows.", retry_s);
    return false;
}

// Key and what the body must be, in this order. The request has a route.
static void check_guards(struct http_loop *l, struct http_exchange *ex, const struct http_parser *p,
                         const uint8_t *data, const struct sockaddr_storage *peer)
{
    struct http_server *s = l->server;
    const struct http_route *route = &ex->slot->route;
    struct pl_slice forwarded = forwarded_client(s, p, data);
    if (s->config.api_key_file[0] && !(route->flags & HTTP_NO_KEY)) {
        check_key(l, ex, given_key(p, data), forwarded, peer);
        if (ex->refused)
            return;
    }
    if (!http_route_takes_query(&ex->req, &ex->res)) {
        ex->refused = true;
        return;
    }
    bool takes_body = (route->method & (HTTP_POST | HTTP_PUT | HTTP_PATCH)) != 0;
    if (!takes_body) {
        ex->discard = true;
        ex->body_limit = HTTP_READ_SIZE;
        return;
    }
    ex->body_limit = route->body_limit ? route->body_limit : s->config.max_body;
    if (!p->chunked && !p->has_length) {
        refuse(ex, 411, "length_required", "The request needs a body with Content-Length or chunked coding.");
        return;
    }
    struct pl_slice coding = field(p, data, HTTP_F_CONTENT_ENCODING);
    if (pl_slice_eq_nocase(coding, pl_slice_cstr("gzip")) || pl_slice_eq_nocase(coding, pl_slice_cstr("x-gzip")))
        ex->gzip = true;
    else if (coding.len > 0 && !pl_slice_eq_nocase(coding, pl_slice_cstr("identity")))
        refuse(ex, 415, "unsupported_coding", "The only content coding understood here is gzip.");
}

void http_exchange_identify(struct http_loop *l, struct http_exchange *ex, struct http_conn *c)
{
    make_id(l, ex, pl_slice_make("", 0));
    note_client(ex, c, pl_slice_make("", 0));
}

void http_exchange_fill(struct http_loop *l, struct http_exchange *ex, const struct http_parser *p, const uint8_t *data,
                        struct http_conn *c)
{
    struct http_server *s = l->server;
    struct http_request *req = &ex->req;
    struct pl_error err = {0};
    ex->http10 = p->http10;
    ex->keep_alive = p->keep_alive;
    ex->head_only = p->method == HTTP_HEAD;
    req->method = ex->head_only ? HTTP_GET : (enum http_method)p->method;
    ex->method_text = pl_slice_make(data + p->method_text.at, p->method_text.len);
    req->target = pl_slice_make(data + p->target.at, p->target.len);
    req->door = c->door;
    for (unsigned i = 0; i < p->count; i++) {
        ex->headers[i].name = pl_slice_make(data + p->fields[i].name.at, p->fields[i].name.len);
        ex->headers[i].value = pl_slice_make(data + p->fields[i].value.at, p->fields[i].value.len);
    }
    req->header_count = p->count;
    ex->origin = field(p, data, HTTP_F_ORIGIN);
    ex->accept_encoding = field(p, data, HTTP_F_ACCEPT_ENCODING);
    ex->if_none_match = field(p, data, HTTP_F_IF_NONE_MATCH);
    make_id(l, ex, field(p, data, HTTP_F_REQUEST_ID));
    note_trace(ex, field(p, data, HTTP_F_TRACEPARENT));
    note_client(ex, c, forwarded_client(s, p, data));
    struct pl_slice path = pl_slice_make(data + p->path.at, p->path.len);
    if (path.len == 0)
        path = pl_slice_make("/", 1);
    struct pl_slice query = pl_slice_make(data + p->query.at, p->query.len);
    req->path = path;
    enum pl_errc code = http_url_decode(&ex->arena, path, false, &req->path, &err);
    if (code == PL_OK && query.len > 0)
        code = http_query_split(&ex->arena, query, ex->query, HTTP_MAX_QUERY, &req->query_count, &err);
    if (code != PL_OK && code != PL_E_MEMORY) {
        refuse(ex, 400, "bad_target", err.message);
        return;
    }
    struct pl_slice type = field(p, data, HTTP_F_CONTENT_TYPE);
    if (code == PL_E_MEMORY || (type.len > 0 && !split_content_type(ex, type))) {
        ex->refused = true;
        http_problem_overloaded(&ex->res);
        return;
    }
    find_route(s, ex, p->asterisk);
    if (!host_allowed(s, c, p, data)) {
        ex->is_private = true;
        refuse(ex, 403, "host_not_allowed",
               "This service does not answer to the name in this request's Host; --allow-host lists further names.");
        return;
    }
    // A stranger's page takes nothing of the rate that its visitor has.
    if (check_page(s, ex) && check_rate(l, ex, p, data, &c->peer) && !ex->refused)
        check_guards(l, ex, p, data, &c->peer);
}
