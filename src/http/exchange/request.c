// What handlers ask of a request.
#include "http/exchange/exchange.h"

static bool find_pair(const struct http_pair *pairs, size_t count, const char *name, struct pl_slice *value)
{
    struct pl_slice wanted = pl_slice_cstr(name);
    for (size_t i = 0; i < count; i++) {
        if (pl_slice_eq_nocase(pairs[i].name, wanted)) {
            *value = pairs[i].value;
            return true;
        }
    }
    return false;
}

bool http_header(const struct http_request *req, const char *name, struct pl_slice *value)
{
    return find_pair(req->headers, req->header_count, name, value);
}

bool http_query(const struct http_request *req, const char *name, struct pl_slice *value)
{
    return find_pair(req->query, req->query_count, name, value);
}

bool http_param(const struct http_request *req, const char *name, struct pl_slice *value)
{
    return find_pair(req->params, req->param_count, name, value);
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
        http_problem(res, 400, "invalid_json", "%s", err.message);
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
