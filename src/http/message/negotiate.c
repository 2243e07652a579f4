// What the client would rather have: lists of names with weights, as in Accept, Accept-Encoding and Accept-Language.
#include <limits.h>

#include "base/fmt.h"
#include "http/http.h"

// The part of `*rest` before the next `separator`, trimmed; `*rest` goes behind it. False at the end.
static bool next_part(struct pl_slice *rest, char separator, struct pl_slice *part)
{
    if (rest->len == 0)
        return false;
    *part = pl_slice_trim(pl_slice_until(rest, (uint8_t)separator));
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

// How closely an entry names a type.
enum { NOT_AT_ALL, BY_ANYTHING, BY_FAMILY, BY_NAME };

static int closeness(struct pl_slice entry, struct pl_slice type)
{
    if (pl_slice_eq_nocase(entry, type))
        return BY_NAME;
    if (pl_slice_eq_cstr(entry, "*/*"))
        return BY_ANYTHING;
    bool family = entry.len > 2 && entry.ptr[entry.len - 1] == '*' && entry.ptr[entry.len - 2] == '/' &&
                  type.len >= entry.len - 1 &&
                  pl_slice_eq_nocase(pl_slice_sub(entry, 0, entry.len - 1), pl_slice_sub(type, 0, entry.len - 1));
    return family ? BY_FAMILY : NOT_AT_ALL;
}

// What Accept says of a type by the entry that names it closest. Of equal weights the lower `place` wins: that of the
// entry in the list; 0 where a range takes what is offered first, and behind all names where it takes another.
struct opinion {
    double weight;
    int closeness, place;
};

static struct opinion opinion_of(const struct http_request *req, const char *type, bool is_first)
{
    struct accepted a = {0};
    struct opinion best = {0};
    for (int place = 1; next_accepted(req, &a); place++) {
        int close = closeness(a.type, pl_slice_cstr(type));
        if (close > best.closeness)
            best = (struct opinion){.weight = a.weight,
                                    .closeness = close,
                                    .place = close == BY_NAME ? place
                                             : is_first       ? 0
                                                              : INT_MAX};
    }
    return best;
}

static bool names(const struct accepted *a, const char *type)
{
    return pl_slice_eq_nocase(a->type, pl_slice_cstr(type));
}

// Browsers name what they can show, not what somebody asks for, and then take anything.
static bool is_browser_list(const struct http_request *req)
{
    struct accepted a = {0};
    bool shows = false, anything = false;
    while (next_accepted(req, &a)) {
        anything = anything || names(&a, "*/*");
        shows = shows || names(&a, "text/html") || names(&a, "image/avif") || names(&a, "image/apng");
    }
    return shows && anything;
}

size_t http_accept_choose(const struct http_request *req, const char *const *offered, size_t count)
{
    size_t best = 0;
    struct opinion highest = {0};
    if (is_browser_list(req))
        return 0;
    for (size_t i = 0; i < count; i++) {
        struct opinion of = opinion_of(req, offered[i], i == 0);
        bool earlier = of.weight == highest.weight && of.weight > 0 && of.place < highest.place;
        if (of.weight > highest.weight || earlier) {
            best = i;
            highest = of;
        }
    }
    return best;
}
