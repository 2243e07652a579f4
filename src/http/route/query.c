// The names that a route's query may have: in one place, so that no route forgets to look.
#include <stdio.h>
#include <string.h>

#include "base/ckd.h"
#include "http/route/router.h"

#define SHOWN 32

static bool is_listed(const char *names, struct pl_slice name)
{
    while (*names) {
        size_t len = strcspn(names, " ");
        if (pl_slice_eq_nocase(name, pl_slice_make(names, len)))
            return true;
        names += len;
        names += *names == ' ';
    }
    return false;
}

bool http_query_differs(const struct http_request *req, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (pl_slice_eq_nocase(req->query[i].name, req->query[index].name) &&
            !pl_slice_eq(req->query[i].value, req->query[index].value))
            return true;
    }
    return false;
}

void http_note_ignored(struct http_response *res, struct pl_slice name)
{
    char note[SHOWN + 64], shown[SHOWN + 1];
    size_t len = PL_MIN(name.len, (size_t)SHOWN);
    for (size_t i = 0; i < len; i++)
        shown[i] = name.ptr[i] == '|' ? '/' : (char)name.ptr[i]; // bars divide the fields
    shown[len] = '\0';
    snprintf(note, sizeof note, "0|0|||'%s' was ignored: it has no meaning here.", shown);
    http_set_header_cstr(res, "X-Warnings", note);
}

bool http_route_takes_query(const struct http_request *req, struct http_response *res)
{
    const struct http_route *route = req->route;
    const char *names = route->query ? route->query : "";
    if (strcmp(names, HTTP_ANY_QUERY) == 0)
        return true;
    for (size_t i = 0; i < req->query_count; i++) {
        struct pl_slice name = req->query[i].name;
        int shown = (int)PL_MIN(name.len, (size_t)SHOWN);
        if (is_listed(names, name)) {
            if (!http_query_differs(req, i))
                continue;
            http_problem(res, 400, "conflicting_parameter", "'%.*s' is given twice with different values.", shown,
                         (const char *)name.ptr);
            return false;
        }
        if (!(route->flags & HTTP_NOTE_QUERY)) {
            http_problem(res, 400, "unknown_parameter", "There is no '%.*s' in this route's query; it takes %s.", shown,
                         (const char *)name.ptr, *names ? names : "none");
            return false;
        }
        http_note_ignored(res, name);
        break; // one is enough to look again
    }
    return true;
}
