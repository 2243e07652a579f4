// Choosing an output format by the Accept header.
#include "accept.h"

#include <string.h>

#include "base/fmt.h"

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

// The weight among a type's parameters; 1 when there is none, 0 when it is no number.
static double weight_of(struct pl_slice parameters)
{
    struct pl_slice parameter;
    while (next_part(&parameters, ';', &parameter)) {
        if (parameter.len > 2 && (parameter.ptr[0] == 'q' || parameter.ptr[0] == 'Q') && parameter.ptr[1] == '=') {
            double weight;
            return pl_parse_double(pl_slice_sub(parameter, 2, parameter.len), &weight) && weight <= 1 ? weight : 0;
        }
    }
    return 1;
}

typedef void visit_fn(void *context, struct pl_slice type, double weight);

// All types of all Accept headers, in their order.
static void each_type(const struct http_request *req, visit_fn *visit, void *context)
{
    for (size_t i = 0; i < req->header_count; i++) {
        if (!pl_slice_eq_nocase(req->headers[i].name, pl_slice_cstr("accept")))
            continue;
        struct pl_slice list = req->headers[i].value, entry, type;
        while (next_part(&list, ',', &entry)) {
            if (next_part(&entry, ';', &type))
                visit(context, type, weight_of(entry));
        }
    }
}

struct choice {
    const enum output *offered;
    size_t count;
    enum output best;
    double weight;
};

static void weigh(void *context, struct pl_slice type, double weight)
{
    struct choice *choice = context;
    for (size_t i = 0; i < choice->count; i++) {
        if (weight > choice->weight && pl_slice_eq_nocase(type, pl_slice_cstr(output_mime(choice->offered[i])))) {
            choice->best = choice->offered[i];
            choice->weight = weight;
        }
    }
}

enum output accept_choose(const struct http_request *req, const enum output *offered, size_t count)
{
    struct choice choice = {.offered = offered, .count = count, .best = offered[0]};
    each_type(req, weigh, &choice);
    return choice.best;
}

static void look_for_anything(void *context, struct pl_slice type, double weight)
{
    if (weight > 0 && pl_slice_eq_cstr(type, "*/*"))
        *(bool *)context = true;
}

bool accept_anything(const struct http_request *req)
{
    bool found = false;
    each_type(req, look_for_anything, &found);
    return found;
}
