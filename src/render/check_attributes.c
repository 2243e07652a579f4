// Symbols of one label that hold the same key: what else they say of it must agree, too.
#include "base/ckd.h"
#include "render/check_keys.h"

enum { REPORTED_MOST = 16 };

struct comparison {
    const struct pl_check_run *run;
    const struct pl_check_symbol *symbols;
    uint32_t count;
    const bool *same; // [a * count + b]: symbols of the same thing
    struct {
        const char *ai;
        struct pl_slice key;
    } reported[REPORTED_MOST]; // one fault, one finding
    uint32_t reported_count;
};

static bool is_key(const struct pl_gs1_element *e)
{
    return e->row->qualifiers || strcmp(e->ai, "02") == 0;
}

static const struct pl_gs1_element *find(const struct pl_check_symbol *s, const char *ai)
{
    for (uint32_t i = 0; i < s->result->element_count; i++)
        if (strcmp(s->result->elements[i].ai, ai) == 0)
            return &s->result->elements[i];
    return NULL;
}

// What differs from piece to piece where one label has several of the same kind, side by side.
static bool is_of_piece(const char *ai)
{
    static const char *const pieces[] = {"21", "253", "254", "414", "8003", "8004", "8010", "8017", "8018"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        if (strcmp(pieces[i], ai) == 0)
            return true;
    return false;
}

// Does another symbol say this of the same thing, one of the kind of `than`, or of any other kind where both are of
// one?
static bool is_elsewhere(const struct comparison *c, const struct pl_gs1_element *e, uint32_t of, uint32_t than)
{
    const struct pl_check_symbol *a = &c->symbols[of], *b = &c->symbols[than];
    for (uint32_t i = 0; i < c->count; i++) {
        const struct pl_check_symbol *s = &c->symbols[i];
        const bool wanted = a->symbology == b->symbology ? s->symbology != a->symbology : s->symbology == b->symbology;
        const struct pl_gs1_element *other =
            wanted && i != of && i != than && c->same[of * c->count + i] ? find(s, e->ai) : NULL;
        if (other && pl_gs1_is_same(other, e))
            return true;
    }
    return false;
}

// A list: three or more symbols of this kind hold the same thing, and each says something else of it (lots, dates).
static bool is_listed(const struct comparison *c, uint32_t of, const char *ai)
{
    enum { LIST_LEAST = 3 };
    const struct pl_check_symbol *a = &c->symbols[of];
    const struct pl_gs1_element *listed[LIST_LEAST];
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->count && count < LIST_LEAST; i++) {
        const struct pl_check_symbol *s = &c->symbols[i];
        const struct pl_gs1_element *e =
            s->symbology == a->symbology && (i == of || c->same[of * c->count + i]) ? find(s, ai) : NULL;
        for (uint32_t k = 0; k < count && e; k++)
            e = pl_gs1_is_same(listed[k], e) ? NULL : e;
        if (e)
            listed[count++] = e;
    }
    return count == LIST_LEAST;
}

static struct pl_slice key_of(const struct pl_check_symbol *s)
{
    for (uint32_t i = 0; i < s->result->element_count; i++)
        if (is_key(&s->result->elements[i]))
            return s->result->elements[i].value;
    return (struct pl_slice){0};
}

static bool was_reported(const struct comparison *c, const char *ai, struct pl_slice key)
{
    for (uint32_t i = 0; i < c->reported_count; i++)
        if (strcmp(c->reported[i].ai, ai) == 0 && pl_slice_eq(c->reported[i].key, key))
            return true;
    return c->reported_count == REPORTED_MOST;
}

static void tell(struct comparison *c, uint32_t of, const struct pl_gs1_element *mine, uint32_t than,
                 const struct pl_gs1_element *theirs)
{
    enum { SHOWN_MOST = 40 };
    const struct pl_check_symbol *a = &c->symbols[of], *b = &c->symbols[than];
    const struct pl_slice key = key_of(a).len ? key_of(a) : key_of(b);
    if ((a->symbology == b->symbology && is_of_piece(mine->ai)) || was_reported(c, mine->ai, key))
        return;
    if (a->symbology == b->symbology && is_listed(c, of, mine->ai))
        return;
    // Each of two pieces has both symbols.
    if (is_elsewhere(c, mine, of, than) && is_elsewhere(c, theirs, than, of))
        return;
    c->reported[c->reported_count].ai = mine->ai;
    c->reported[c->reported_count++].key = key;
    const struct platen_element *e = &c->run->page->elements[a->index];
    pl_check_find(c->run, b->index, PL_DIAG_KEYS_DIFFER, c->run->page->drawn.reports[b->index].element->source, 0,
                  "(%s) %.*s is not that of the barcode at %d,%d, which has %.*s.", mine->ai,
                  (int)PL_MIN(theirs->value.len, (size_t)SHOWN_MOST), (const char *)theirs->value.ptr, e->x, e->y,
                  (int)PL_MIN(mine->value.len, (size_t)SHOWN_MOST), (const char *)mine->value.ptr);
}

// The first key of `a` that `b` has with another value; NULL: none. `*same`: do both hold the same thing, or has one of
// them no key?
static const struct pl_gs1_element *compare_keys(const struct pl_check_symbol *a, const struct pl_check_symbol *b,
                                                 bool *same)
{
    bool shared = false;
    *same = false;
    for (uint32_t i = 0; i < a->result->element_count; i++) {
        const struct pl_gs1_element *mine = &a->result->elements[i];
        const struct pl_gs1_element *theirs = is_key(mine) ? find(b, mine->ai) : NULL;
        if (theirs && !pl_slice_eq(mine->value, theirs->value))
            return mine;
        shared = shared || theirs;
    }
    *same = shared || !key_of(a).len || !key_of(b).len;
    return NULL;
}

static void compare(struct comparison *c, uint32_t of, uint32_t than)
{
    const struct pl_check_symbol *a = &c->symbols[of], *b = &c->symbols[than];
    bool same;
    if (a->index == b->index)
        return;
    // GTIN and SSCC are compared with symbols without identifiers, too, elsewhere.
    const struct pl_gs1_element *key = compare_keys(a, b, &same);
    if (key && strcmp(key->ai, "00") != 0 && strcmp(key->ai, "01") != 0)
        tell(c, of, key, than, find(b, key->ai));
    for (uint32_t i = 0; same && i < a->result->element_count; i++) {
        const struct pl_gs1_element *mine = &a->result->elements[i];
        // 90 to 99 mean what a company wants.
        const struct pl_gs1_element *theirs = is_key(mine) || mine->ai[0] == '9' ? NULL : find(b, mine->ai);
        if (theirs && !pl_gs1_is_same(mine, theirs))
            tell(c, of, mine, than, theirs);
    }
}

// Days since the start of a century; `open` is the day where the date says 00.
static int32_t day_of(struct pl_slice date, int32_t open)
{
    const int32_t day = (date.ptr[4] - '0') * 10 + date.ptr[5] - '0';
    return ((date.ptr[0] - '0') * 10 + date.ptr[1] - '0') * 372 + ((date.ptr[2] - '0') * 10 + date.ptr[3] - '0') * 31 +
           (day ? day : open);
}

// Years have two digits: dates are less than fifty years apart. A day of 00 may be any day of its month.
static bool is_before(struct pl_slice date, struct pl_slice other)
{
    enum { CENTURY = 37200, FIRST = 1, LAST = 31 };
    return (day_of(date, LAST) - day_of(other, FIRST) + CENTURY) % CENTURY > CENTURY / 2;
}

// A harvest of several days: the first and the last.
static void check_harvest(const struct pl_check_run *run, const struct pl_check_symbol *s)
{
    enum { DATE = 6 };
    const struct pl_gs1_element *e = find(s, "7007");
    if (!e || e->value.len != 2 * (size_t)DATE || !pl_all_digits(e->value) ||
        !is_before(pl_slice_sub(e->value, DATE, DATE), pl_slice_sub(e->value, 0, DATE)))
        return;
    struct pl_diag *d = pl_check_find(run, s->index, PL_DIAG_GS1_VALUE,
                                      pl_element_data_source(run->page->drawn.reports[s->index].element), 0,
                                      "(7007): the harvest ends (%.6s) before it begins (%.6s).",
                                      (const char *)e->value.ptr + DATE, (const char *)e->value.ptr);
    if (d)
        d->severity = PL_SEV_WARNING;
}

// Goods that expire before they are made or packed, and other dates in an order that none can have.
static void check_dates(const struct pl_check_run *run, const struct pl_check_symbol *s)
{
    static const char *const orders[][2] = {{"11", "15"}, {"11", "16"}, {"11", "17"}, {"13", "15"},
                                            {"13", "16"}, {"13", "17"}, {"11", "13"}, {"15", "17"}};
    for (size_t i = 0; i < PL_COUNTOF(orders); i++) {
        const struct pl_gs1_element *from = find(s, orders[i][0]), *to = find(s, orders[i][1]);
        if (!from || !to || from->value.len != 6 || to->value.len != 6 || !pl_all_digits(from->value) ||
            !pl_all_digits(to->value) || !is_before(to->value, from->value))
            continue;
        struct pl_diag *d = pl_check_find(run, s->index, PL_DIAG_GS1_VALUE,
                                          pl_element_data_source(run->page->drawn.reports[s->index].element), 0,
                                          "(%s) %.6s is before (%s) %.6s.", to->ai, (const char *)to->value.ptr,
                                          from->ai, (const char *)from->value.ptr);
        if (d)
            d->severity = PL_SEV_WARNING;
        return;
    }
}

enum pl_errc pl_check_attributes(const struct pl_check_run *run, const struct pl_check_symbol *symbols, uint32_t count)
{
    bool *same = PL_ARENA_ARRAY(&run->worker->scratch, bool, (size_t)count *count + 1);
    struct comparison c = {.run = run, .symbols = symbols, .count = count, .same = same};
    if (!same)
        return pl_fail_memory(run->err);
    for (uint32_t i = 0; i < count; i++)
        if (symbols[i].result->finding_count == 0) {
            check_dates(run, &symbols[i]);
            check_harvest(run, &symbols[i]);
        }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count; k++)
            compare_keys(&symbols[i], &symbols[k], &same[i * count + k]);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = i + 1; k < count; k++) {
            PL_TRY(pl_job_check(&run->document->job, run->err));
            compare(&c, i, k);
        }
    return PL_OK;
}
