// One interpretation of ZPL for tests.
#ifndef PL_TEST_ZPL_FIXTURE_H
#define PL_TEST_ZPL_FIXTURE_H

#include "../lang_fixture.h"
#include "lang/zpl/zpl.h"

static inline void run_zpl(struct run *r, const void *zpl, size_t len)
{
    run_with(r, pl_zpl_interpret, zpl, len);
}

static inline void run_text(struct run *r, const char *zpl)
{
    run_init(r);
    run_zpl(r, zpl, strlen(zpl));
    assert_int_equal(r->code, PL_OK);
}

#endif
