// One interpretation of EPL2 for tests.
#ifndef PL_TEST_EPL_FIXTURE_H
#define PL_TEST_EPL_FIXTURE_H

#include "../zpl/zpl_fixture.h"
#include "lang/epl/epl.h"

static inline void run_epl_bytes(struct run *r, const void *epl, size_t len)
{
    pl_store_init(&r->store, &r->arena, NULL, r->options.limits.stored_bytes);
    pl_diags_init(&r->diags, &r->arena, r->options.limits.diagnostics);
    r->code = pl_epl_interpret(pl_slice_make(epl, len), &r->options, &r->store, &r->arena, &r->diags, NULL, &r->scene,
                               &r->err);
}

static inline void run_epl(struct run *r, const char *epl)
{
    run_init(r);
    run_epl_bytes(r, epl, strlen(epl));
    assert_int_equal(r->code, PL_OK);
}

#endif
