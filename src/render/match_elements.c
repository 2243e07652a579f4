// Which element of one page is which of another. The rules are in docs/library.md.
#include <stdlib.h>
#include <string.h>

#include "render/compare.h"

// What two elements must have in common to be a pair.
enum { KIND = 1, DATA = 2, SIZE = 4, LOOK = 8, BOX = 16, ORIGIN = 32 };

static int order(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int order_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int order_kind(const struct platen_element *a, const struct platen_element *b)
{
    int by_name = strcmp(a->type_name, b->type_name);
    if (by_name != 0)
        return by_name;
    return strcmp(a->symbology ? a->symbology : "", b->symbology ? b->symbology : "");
}

static int order_data(const struct pl_kept_element *a, const struct pl_kept_element *b)
{
    int by_hash = order_u64(a->data_hash, b->data_hash);
    if (by_hash != 0)
        return by_hash;
    if (a->element.data_size != b->element.data_size)
        return order_u64(a->element.data_size, b->element.data_size);
    return a->element.data_size ? memcmp(a->element.data, b->element.data, a->element.data_size) : 0;
}

static int order_by(const struct pl_kept_element *a, const struct pl_kept_element *b, unsigned what)
{
    const struct platen_element *x = &a->element, *y = &b->element;
    int by = 0;
    if (what & KIND)
        by = order_kind(x, y);
    if (by == 0 && (what & ORIGIN))
        by = order(a->origin_y, b->origin_y);
    if (by == 0 && (what & ORIGIN))
        by = order(a->origin_x, b->origin_x);
    if (by == 0 && (what & BOX))
        by = order(x->y, y->y);
    if (by == 0 && (what & BOX))
        by = order(x->x, y->x);
    if (by == 0 && (what & SIZE))
        by = order(x->height, y->height);
    if (by == 0 && (what & SIZE))
        by = order(x->width, y->width);
    if (by == 0 && (what & LOOK))
        by = order_u64(a->look, b->look);
    if (by == 0 && (what & DATA))
        by = order_data(a, b);
    return by;
}

// Those that are alike are paired from top to bottom and from left to right.
static int sort_by(const void *left, const void *right, unsigned what)
{
    const struct pl_kept_element *a = *(const struct pl_kept_element *const *)left,
                                 *b = *(const struct pl_kept_element *const *)right;
    int by = order_by(a, b, what);
    if (by == 0)
        by = order_by(a, b, BOX);
    return by != 0 ? by : order(a->index, b->index);
}

// Each step pairs what those before have left over.
#define STEPS(X)                                                                                                       \
    X(the_same, KIND | DATA | SIZE | LOOK | BOX)                                                                       \
    X(moved, KIND | DATA | SIZE | LOOK)                                                                                \
    X(in_place, KIND | ORIGIN)                                                                                         \
    X(same_data, KIND | DATA)                                                                                          \
    X(other_kind, ORIGIN)

#define SORTER(name, what)                                                                                             \
    static int sort_##name(const void *left, const void *right)                                                        \
    {                                                                                                                  \
        return sort_by(left, right, what);                                                                             \
    }
STEPS(SORTER)
#undef SORTER

static const struct step {
    unsigned what;
    int (*sort)(const void *left, const void *right);
} STEP[] = {
#define ROW(name, what) {what, sort_##name},
    STEPS(ROW)
#undef ROW
};

// Lines and frames say nothing: two of them elsewhere, of another size, are two and not one that changed.
static bool takes_part(const struct pl_kept_element *e, unsigned what)
{
    return (what & (BOX | ORIGIN | SIZE)) != 0 || e->element.data_size > 0;
}

static uint32_t collect(const struct platen_snapshot *s, const uint32_t *partners, const bool *taken, unsigned what,
                        const struct pl_kept_element **list)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->element_count; i++) {
        bool is_free = partners ? partners[i] == PL_NO_PARTNER : !taken[i];
        if (is_free && takes_part(&s->elements[i], what))
            list[n++] = &s->elements[i];
    }
    return n;
}

enum pl_errc pl_match_elements(const struct platen_snapshot *a, const struct platen_snapshot *b,
                               struct pl_arena *scratch, uint32_t *partners, bool *taken, struct pl_error *err)
{
    const struct pl_kept_element **left =
        PL_ARENA_ARRAY(scratch, const struct pl_kept_element *, a->element_count + 1u);
    const struct pl_kept_element **right =
        PL_ARENA_ARRAY(scratch, const struct pl_kept_element *, b->element_count + 1u);
    if (!left || !right)
        return pl_fail_memory(err);
    for (uint32_t i = 0; i < a->element_count; i++)
        partners[i] = PL_NO_PARTNER;
    memset(taken, 0, b->element_count);
    for (size_t step = 0; step < sizeof STEP / sizeof STEP[0]; step++) {
        unsigned what = STEP[step].what;
        uint32_t n = collect(a, partners, NULL, what, left), m = collect(b, NULL, taken, what, right);
        if (n == 0 || m == 0)
            continue;
        qsort(left, n, sizeof *left, STEP[step].sort);
        qsort(right, m, sizeof *right, STEP[step].sort);
        for (uint32_t i = 0, k = 0; i < n && k < m;) {
            int by = order_by(left[i], right[k], what);
            if (by == 0) {
                partners[left[i]->index] = right[k]->index;
                taken[right[k]->index] = true;
            }
            i += by <= 0;
            k += by >= 0;
        }
    }
    return PL_OK;
}

uint32_t pl_element_differences(const struct pl_kept_element *a, const struct pl_kept_element *b)
{
    bool resized = order_by(a, b, SIZE) != 0;
    bool elsewhere = order_by(a, b, resized ? ORIGIN : BOX) != 0;
    return (order_by(a, b, KIND) ? PLATEN_DIFFERS_TYPE : 0u) | (order_by(a, b, DATA) ? PLATEN_DIFFERS_DATA : 0u) |
           (resized ? PLATEN_DIFFERS_SIZE : 0u) | (elsewhere ? PLATEN_DIFFERS_PLACE : 0u) |
           (order_by(a, b, LOOK) ? PLATEN_DIFFERS_LOOK : 0u);
}
