// The table of a job's moves.
#include "printer/job_state.h"

#include <stdio.h>
#include <stdlib.h>

#define TO(state) (1u << (state))

static const struct {
    const char *name;
    unsigned to;
} STATES[JOB_STATES] = {
    [JOB_RECEIVED] = {"received", TO(JOB_QUEUED) | TO(JOB_NAMED)},
    [JOB_QUEUED] = {"queued", TO(JOB_DRAWING) | TO(JOB_CANCELLED) | TO(JOB_KEPT) | TO(JOB_NAMED)},
    // Back to the queue: the service ends before it is drawn.
    [JOB_DRAWING] = {"drawing", TO(JOB_DRAWN) | TO(JOB_CANCELLED) | TO(JOB_QUEUED) | TO(JOB_NAMED)},
    [JOB_WAITING] = {"waiting", TO(JOB_PRINTED) | TO(JOB_CANCELLED) | TO(JOB_KEPT) | TO(JOB_NAMED)},
    [JOB_DRAWN] = {"drawn", 0},
    [JOB_PRINTED] = {"printed", 0},
    [JOB_CANCELLED] = {"cancelled", 0},
    // The file could not be written after all.
    [JOB_KEPT] = {"kept", TO(JOB_NAMED)},
    [JOB_NAMED] = {"named", 0},
};

const char *printer_job_state_name(enum printer_job_state state)
{
    return STATES[state].name;
}

bool printer_job_may_move(enum printer_job_state from, enum printer_job_state to)
{
    return from < JOB_STATES && to < JOB_STATES && (STATES[from].to & TO(to)) != 0;
}

void printer_job_move(enum printer_job_state *state, enum printer_job_state to)
{
    if (!printer_job_may_move(*state, to)) {
        fprintf(stderr, "platen: a printer's job cannot go from '%s' to '%s'\n", printer_job_state_name(*state),
                printer_job_state_name(to));
        abort();
    }
    *state = to;
}
