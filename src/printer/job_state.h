// Where a job is. What was accepted ends in exactly one of the last states; no other file says which moves are legal.
// A job that is drawn becomes labels, which go on from JOB_WAITING.
#ifndef PRINTER_JOB_STATE_H
#define PRINTER_JOB_STATE_H

#include <stdbool.h>

enum printer_job_state {
    JOB_RECEIVED,  // whole, and nobody's yet
    JOB_QUEUED,    // the printer's: accepted
    JOB_DRAWING,   // a renderer has it
    JOB_WAITING,   // a label: drawn, to be printed
    JOB_DRAWN,     // the job: its labels go on
    JOB_PRINTED,   // the label: in the ring, told to those who listen, given to --keep and --webhook
    JOB_CANCELLED, // by ~JA, ~JP, ~JR or a reset
    JOB_KEPT,      // in the folder of --state, for the next start
    JOB_NAMED,     // not printed: standard error and the exit status say so
    JOB_STATES
};

const char *printer_job_state_name(enum printer_job_state state);
bool printer_job_may_move(enum printer_job_state from, enum printer_job_state to);
// An illegal move ends the program: the job would be lost, or printed twice.
void printer_job_move(enum printer_job_state *state, enum printer_job_state to);

#endif
