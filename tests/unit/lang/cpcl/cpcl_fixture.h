// One interpretation of CPCL for tests.
#ifndef PL_TEST_CPCL_FIXTURE_H
#define PL_TEST_CPCL_FIXTURE_H

#include "../lang_fixture.h"
#include "lang/cpcl/cpcl.h"

static inline void run_cpcl_bytes(struct run *r, const void *cpcl, size_t size)
{
    run_with(r, pl_cpcl_interpret, cpcl, size);
}

static inline void run_cpcl(struct run *r, const char *cpcl)
{
    run_init(r);
    run_cpcl_bytes(r, cpcl, strlen(cpcl));
    assert_int_equal(r->code, PL_OK);
}

// The characters of a text element by its place.
static inline const char *run_string_at(const struct run *r, uint32_t label, uint32_t index)
{
    static char out[256];
    return run_string(run_element(r, label, index), out, sizeof out);
}

#endif
