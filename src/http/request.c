// What handlers ask of a request.
#include "http/server.h"

static bool find_pair(const struct http_pair *pairs, size_t count, const char *name, struct pl_slice *value)
{
    struct pl_slice wanted = pl_slice_cstr(name);
    for (size_t i = 0; i < count; i++) {
        if (pl_slice_eq(pairs[i].name, wanted)) {
            *value = pairs[i].value;
            return true;
        }
    }
    return false;
}

bool http_header(const struct http_request *req, const char *name, struct pl_slice *value)
{
    struct pl_slice wanted = pl_slice_cstr(name);
    for (size_t i = 0; i < req->header_count; i++) {
        if (pl_slice_eq_nocase(req->headers[i].name, wanted)) {
            *value = req->headers[i].value;
            return true;
        }
    }
    return false;
}

bool http_query(const struct http_request *req, const char *name, struct pl_slice *value)
{
    return find_pair(req->query, req->query_count, name, value);
}

bool http_param(const struct http_request *req, const char *name, struct pl_slice *value)
{
    return find_pair(req->params, req->param_count, name, value);
}

// True when the parameters of a list's entry hold a weight of zero ("q=0", "q=0.000").
static bool weight_is_zero(struct pl_slice parameters)
{
    size_t at = 0;
    while (at < parameters.len) {
        const uint8_t *semicolon = memchr(parameters.ptr + at, ';', parameters.len - at);
        size_t end = semicolon ? (size_t)(semicolon - parameters.ptr) : parameters.len;
        struct pl_slice part = pl_slice_trim(pl_slice_sub(parameters, at, end - at));
        if (part.len >= 3 && (part.ptr[0] | 0x20) == 'q' && part.ptr[1] == '=') {
            for (size_t i = 2; i < part.len; i++) {
                if (part.ptr[i] != '0' && part.ptr[i] != '.')
                    return false;
            }
            return true;
        }
        at = end + 1;
    }
    return false;
}

int http_list_has(struct pl_slice list, struct pl_slice wanted)
{
    size_t at = 0;
    while (at < list.len) {
        const uint8_t *comma = memchr(list.ptr + at, ',', list.len - at);
        size_t end = comma ? (size_t)(comma - list.ptr) : list.len;
        struct pl_slice entry = pl_slice_sub(list, at, end - at);
        const uint8_t *semicolon = entry.len ? memchr(entry.ptr, ';', entry.len) : NULL;
        size_t len = semicolon ? (size_t)(semicolon - entry.ptr) : entry.len;
        if (pl_slice_eq_nocase(pl_slice_trim(pl_slice_sub(entry, 0, len)), wanted))
            return weight_is_zero(pl_slice_sub(entry, len + 1, entry.len)) ? 0 : 1;
        at = end + 1;
    }
    return -1;
}

bool http_accepts(const struct http_request *req, const char *media_type)
{
    struct pl_slice accept;
    return http_header(req, "accept", &accept) && http_list_has(accept, pl_slice_cstr(media_type)) == 1;
}

const struct http_json *http_request_json(struct http_request *req, struct http_response *res)
{
    struct http_exchange *ex = http_exchange_of(req);
    struct pl_error err = {0};
    if (ex->json)
        return ex->json;
    switch (http_json_parse(req->body, 0, &ex->json, &err)) {
    case PL_OK:
        return ex->json;
    case PL_E_LIMIT:
        http_problem(res, 413, "json_too_large", "%s", err.message);
        return NULL;
    case PL_E_INVALID:
        http_problem(res, 400, "bad_json", "%s", err.message);
        return NULL;
    default:
        http_problem_error(res, &err);
        return NULL;
    }
}

static struct http_log_field *log_field(struct http_request *req, const char *key)
{
    struct http_exchange *ex = http_exchange_of(req);
    if (ex->log_count == HTTP_MAX_LOG_FIELDS)
        return NULL;
    struct http_log_field *field = &ex->log[ex->log_count++];
    *field = (struct http_log_field){.key = key};
    return field;
}

void http_log_number(struct http_request *req, const char *key, uint64_t value)
{
    struct http_log_field *field = log_field(req, key);
    if (field)
        field->number = value;
}

void http_log_text(struct http_request *req, const char *key, const char *text)
{
    struct http_log_field *field = log_field(req, key);
    if (field)
        field->text = text;
}
