// One interpretation of TSPL for tests.
#ifndef PL_TEST_TSPL_FIXTURE_H
#define PL_TEST_TSPL_FIXTURE_H

#include "../lang_fixture.h"
#include "lang/tspl/tspl.h"

static inline void run_bytes(struct run *r, const void *tspl, size_t size)
{
    run_with(r, pl_tspl_interpret, tspl, size);
}

static inline void run_text(struct run *r, const char *tspl)
{
    run_init(r);
    run_bytes(r, tspl, strlen(tspl));
    assert_int_equal(r->code, PL_OK);
}

// The characters of a text element by its place.
static inline const char *run_string_at(const struct run *r, uint32_t label, uint32_t index)
{
    static char out[256];
    return run_string(run_element(r, label, index), out, sizeof out);
}

#endif
