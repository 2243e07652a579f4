// An engine and a worker for a group of tests.
#ifndef PL_TESTS_ENGINE_FIXTURE_H
#define PL_TESTS_ENGINE_FIXTURE_H

#include "platen/platen.h"

static struct platen_engine *engine;
static struct platen_worker *worker;

static inline int engine_set_up(void **state)
{
    (void)state;
    return platen_engine_new(NULL, &engine, NULL) != PLATEN_OK || platen_worker_new(engine, &worker, NULL) != PLATEN_OK;
}

static inline int engine_tear_down(void **state)
{
    (void)state;
    platen_worker_free(worker);
    platen_engine_free(engine);
    return 0;
}

#endif
