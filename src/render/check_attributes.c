// Symbols of one label that hold the same key: what else they say of it must agree, too.
#include "base/ckd.h"
#include "render/check_keys.h"

enum { REPORTED_MOST = 16 };

struct comparison {
    const struct pl_check_run *run;
    const struct pl_check_symbol *symbols;
    uint32_t count;
    const char *reported[REPORTED_MOST]; // identifiers: one fault, one finding
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
    static const char *const pieces[] = {"21", "253", "254", "414", "8003", "8004", "8010"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        if (strcmp(pieces[i], ai) == 0)
            return true;
    return false;
}

static bool is_elsewhere(const struct comparison *c, const struct pl_gs1_element *e, enum pl_check_symbology symbology,
                         const struct pl_check_symbol *a, const struct pl_check_symbol *b)
{
    for (uint32_t i = 0; i < c->count; i++) {
        const struct pl_check_symbol *s = &c->symbols[i];
        const struct pl_gs1_element *other = s != a && s != b && s->symbology == symbology ? find(s, e->ai) : NULL;
        if (other && pl_slice_eq(other->value, e->value))
            return true;
    }
    return false;
}

static void tell(struct comparison *c, const struct pl_check_symbol *a, const struct pl_gs1_element *mine,
                 const struct pl_check_symbol *b, const struct pl_gs1_element *theirs)
{
    enum { SHOWN_MOST = 40 };
    if (a->symbology == b->symbology && is_of_piece(mine->ai))
        return;
    // Each of two pieces has both symbols.
    if (is_elsewhere(c, mine, b->symbology, a, b) && is_elsewhere(c, theirs, a->symbology, a, b))
        return;
    for (uint32_t i = 0; i < c->reported_count; i++)
        if (strcmp(c->reported[i], mine->ai) == 0)
            return;
    if (c->reported_count == REPORTED_MOST)
        return;
    c->reported[c->reported_count++] = mine->ai;
    const struct platen_element *e = &c->run->page->elements[a->index];
    pl_check_find(c->run, b->index, PL_DIAG_KEYS_DIFFER, c->run->page->drawn.reports[b->index].element->source, 0,
                  "(%s) %.*s is not that of the barcode at %d,%d, which has %.*s.", mine->ai,
                  (int)PL_MIN(theirs->value.len, (size_t)SHOWN_MOST), (const char *)theirs->value.ptr, e->x, e->y,
                  (int)PL_MIN(mine->value.len, (size_t)SHOWN_MOST), (const char *)mine->value.ptr);
}

// Do both hold the same thing, or has one of them no key? Keys that differ are told, but for GTIN and SSCC, which are
// compared with symbols without identifiers, too.
static bool compare_keys(struct comparison *c, const struct pl_check_symbol *a, const struct pl_check_symbol *b)
{
    bool shared = false, keys[2] = {false, false};
    for (uint32_t i = 0; i < b->result->element_count; i++)
        keys[1] = keys[1] || is_key(&b->result->elements[i]);
    for (uint32_t i = 0; i < a->result->element_count; i++) {
        const struct pl_gs1_element *mine = &a->result->elements[i];
        const struct pl_gs1_element *theirs = is_key(mine) ? find(b, mine->ai) : NULL;
        keys[0] = keys[0] || is_key(mine);
        if (!theirs)
            continue;
        if (pl_slice_eq(mine->value, theirs->value)) {
            shared = true;
            continue;
        }
        if (strcmp(mine->ai, "00") != 0 && strcmp(mine->ai, "01") != 0)
            tell(c, a, mine, b, theirs);
        return false;
    }
    return shared || !keys[0] || !keys[1];
}

static void compare(struct comparison *c, const struct pl_check_symbol *a, const struct pl_check_symbol *b)
{
    if (a->index == b->index || !compare_keys(c, a, b))
        return;
    for (uint32_t i = 0; i < a->result->element_count; i++) {
        const struct pl_gs1_element *mine = &a->result->elements[i];
        // 90 to 99 mean what a company wants.
        const struct pl_gs1_element *theirs = is_key(mine) || mine->ai[0] == '9' ? NULL : find(b, mine->ai);
        if (theirs && !pl_slice_eq(mine->value, theirs->value))
            tell(c, a, mine, b, theirs);
    }
}

enum pl_errc pl_check_attributes(const struct pl_check_run *run, const struct pl_check_symbol *symbols, uint32_t count)
{
    struct comparison c = {.run = run, .symbols = symbols, .count = count};
    for (uint32_t i = 0; i < count; i++) {
        PL_TRY(pl_job_check(&run->document->job, run->err));
        for (uint32_t k = i + 1; k < count; k++)
            compare(&c, &symbols[i], &symbols[k]);
    }
    return PL_OK;
}
