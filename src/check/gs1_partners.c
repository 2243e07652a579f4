// Which identifiers require or exclude one another, over all symbols of an item.
#include "check/gs1_internal.h"

struct item {
    const struct pl_gs1_result *own;
    const struct pl_gs1_result *const *others;
    size_t count;
};

// The next piece of a list up to `mark`; false at its end.
static bool next(struct pl_slice *rest, char mark, struct pl_slice *piece)
{
    if (rest->len == 0)
        return false;
    const uint8_t *end = memchr(rest->ptr, mark, rest->len);
    size_t length = end ? (size_t)(end - rest->ptr) : rest->len;
    *piece = pl_slice_sub(*rest, 0, length);
    *rest = pl_slice_sub(*rest, length + 1, rest->len);
    return true;
}

// An element that the pattern names and that is not the identifier itself.
static const struct pl_gs1_element *find_in(const struct pl_gs1_result *in, struct pl_slice pattern, const char *but)
{
    for (uint32_t i = 0; i < in->element_count; i++)
        if (strcmp(in->elements[i].ai, but) != 0 && pl_gs1_matches(pattern, in->elements[i].ai))
            return &in->elements[i];
    return NULL;
}

static const struct pl_gs1_element *find(const struct item *item, struct pl_slice pattern, const char *but)
{
    const struct pl_gs1_element *found = find_in(item->own, pattern, but);
    for (size_t i = 0; i < item->count && !found; i++)
        found = find_in(item->others[i], pattern, but);
    return found;
}

static bool has_needed(const struct item *item, const char *needs)
{
    struct pl_slice rest = pl_slice_cstr(needs), group, pattern;
    while (next(&rest, ',', &group)) {
        bool all = true;
        while (all && next(&group, '+', &pattern))
            all = find(item, pattern, "") != NULL;
        if (all)
            return true;
    }
    return false;
}

enum pl_errc pl_gs1_check_partners(struct pl_gs1_result *out, const struct pl_gs1_result *const *others, size_t count,
                                   struct pl_arena *arena, struct pl_error *err)
{
    struct pl_gs1_reader r = {.arena = arena, .out = out};
    struct item item = {.own = out, .others = others, .count = count};
    for (uint32_t i = 0; i < out->element_count; i++) {
        const struct pl_gs1_element *e = &out->elements[i];
        if (e->row->needs && !has_needed(&item, e->row->needs))
            pl_gs1_report(&r, PL_GS1_E_PARTNER_MISSING, e->ai_offset, e->ai, "one of these must go with it: %s",
                          e->row->needs);
        struct pl_slice rest = pl_slice_cstr(e->row->excludes ? e->row->excludes : ""), pattern;
        while (next(&rest, ',', &pattern)) {
            const struct pl_gs1_element *other = find(&item, pattern, e->ai);
            if (other)
                pl_gs1_report(&r, PL_GS1_E_PARTNER_EXCLUDED, e->ai_offset, e->ai, "(%s) may not go with it", other->ai);
        }
    }
    return r.short_of_memory ? pl_fail_memory(err) : PL_OK;
}
