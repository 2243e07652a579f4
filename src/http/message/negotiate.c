// What the client would rather have: lists of names with weights, as in Accept, Accept-Encoding and Accept-Language.
#include "base/fmt.h"
#include "http/http.h"

// The part of `*rest` before the next `separator`, trimmed; `*rest` goes behind it. False at the end.
static bool next_part(struct pl_slice *rest, char separator, struct pl_slice *part)
{
    if (rest->len == 0)
        return false;
    const uint8_t *found = memchr(rest->ptr, separator, rest->len);
    size_t end = found ? (size_t)(found - rest->ptr) : rest->len;
    *part = pl_slice_trim(pl_slice_sub(*rest, 0, end));
    *rest = pl_slice_sub(*rest, end + 1, rest->len);
    return true;
}

// The weight among an entry's parameters; 1 when there is none, 0 when it is none from 0 to 1.
static double weight_of(struct pl_slice parameters)
{
    struct pl_slice parameter;
    while (next_part(&parameters, ';', &parameter)) {
        if (parameter.len > 2 && (parameter.ptr[0] == 'q' || parameter.ptr[0] == 'Q') && parameter.ptr[1] == '=') {
            double weight;
            bool valid = pl_parse_double(pl_slice_sub(parameter, 2, parameter.len), &weight);
            return valid && weight >= 0 && weight <= 1 ? weight : 0;
        }
    }
    return 1;
}

bool http_list_next(struct pl_slice *list, struct pl_slice *name, double *weight)
{
    struct pl_slice entry;
    while (next_part(list, ',', &entry)) {
        if (next_part(&entry, ';', name)) {
            *weight = weight_of(entry);
            return true;
        }
    }
    return false;
}

double http_list_weight(struct pl_slice list, const char *wanted)
{
    struct pl_slice name;
    double weight;
    while (http_list_next(&list, &name, &weight)) {
        if (pl_slice_eq_nocase(name, pl_slice_cstr(wanted)))
            return weight;
    }
    return -1;
}

// The next entry of all Accept headers, in their order. Starts with {0}.
struct accepted {
    size_t next_header;
    struct pl_slice list, type;
    double weight;
};

static bool next_accepted(const struct http_request *req, struct accepted *a)
{
    while (!http_list_next(&a->list, &a->type, &a->weight)) {
        struct http_pair header;
        do {
            if (a->next_header == req->header_count)
                return false;
            header = req->headers[a->next_header++];
        } while (!pl_slice_eq_nocase(header.name, pl_slice_cstr("accept")));
        a->list = header.value;
    }
    return true;
}

size_t http_accept_choose(const struct http_request *req, const char *const *offered, size_t count)
{
    struct accepted a = {0};
    size_t best = 0;
    double best_weight = 0;
    while (next_accepted(req, &a)) {
        for (size_t i = 0; i < count; i++) {
            if (a.weight > best_weight && pl_slice_eq_nocase(a.type, pl_slice_cstr(offered[i]))) {
                best = i;
                best_weight = a.weight;
            }
        }
    }
    return best;
}

bool http_accept_anything(const struct http_request *req)
{
    struct accepted a = {0};
    while (next_accepted(req, &a)) {
        if (a.weight > 0 && pl_slice_eq_cstr(a.type, "*/*"))
            return true;
    }
    return false;
}
