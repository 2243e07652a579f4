// One interpretation of EPL2 for tests.
#ifndef PL_TEST_EPL_FIXTURE_H
#define PL_TEST_EPL_FIXTURE_H

#include "../lang_fixture.h"
#include "lang/epl/epl.h"

static inline void run_epl_bytes(struct run *r, const void *epl, size_t len)
{
    run_with(r, pl_epl_interpret, epl, len);
}

static inline void run_epl(struct run *r, const char *epl)
{
    run_init(r);
    run_epl_bytes(r, epl, strlen(epl));
    assert_int_equal(r->code, PL_OK);
}

#endif
