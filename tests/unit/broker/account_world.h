// The world of test_account.c: what submitters, workers, the broker's queue and the collector have and remember.
#ifndef TEST_ACCOUNT_WORLD_H
#define TEST_ACCOUNT_WORLD_H

#include "account.h"

#define ROWS 6u
#define SUBMITTERS 2u
#define GROUP 3u // rows in one message of jobs or results at most
#define MESSAGES 8000u
#define TOKEN 100u

enum defect {
    NONE,
    NO_FENCE,          // the collector ends when what it has seen so far is complete
    COUNT_ALONE,       // it ends by the first submitter's end
    CONTENT_IGNORED,   // rows are the same if their ids are
    ATTEMPT_IGNORED,   // an error of an earlier attempt ends a later one
    LISTED_LATE,       // jobs are sent before their rows are listed
    AGAIN_OPENS,       // a dead letter that is sent again opens its submitter, which has ended
    GROUP_ENDS_EARLY,  // a group is acknowledged when the first of its results are stored
    SPLIT_LOSES_REST,  // of a group that is split only the row in trouble is sent again
    TROUBLE_IS_SHARED, // the error of a row in trouble is also the result of those behind it
    PROOF_IGNORED,     // a result counts without the proof of its row
    EDIT_IGNORED,      // a row of the journal is done, whatever its input has under this id now
    GROUP_IN_PARTS,    // a collector may have a part of a group in its journal and acknowledge all of it
    DEFECTS
};

enum kind { ROW, AGAIN, CLOSED, RESULT, FENCE };
struct message {
    enum kind kind;
    struct account_mark mark;
    unsigned id;
    uint64_t content; // of the row, and in which attempt: also where a defect leaves it out of the mark
    uint32_t attempt;
    bool ok;
    bool drawn;      // of RESULT: by its own drawing
    bool forged;     // by who knows all of the row but its submitter's secret, or made of that
    bool more;       // the next RESULT is in the same message
    uint64_t number; // of CLOSED: rows that were listed; of FENCE: whose
};

struct job {
    struct message rows[GROUP];
    unsigned count, at; // what became of the rows before `at` is stored, as its worker remembers
};

struct submitter {
    uint64_t token;
    char secret[ACCOUNT_SECRET_SIZE]; // empty: of an older program
    uint64_t proof[ROWS];
    uint32_t attempt;
    unsigned from;          // its first id
    uint64_t content[ROWS]; // of its rows
    uint64_t noted[ROWS];   // of those in the journal
    bool listed[ROWS];      // in this run, as it remembers
    bool sent[ROWS];        // in this run, as it remembers
    bool journal[ROWS];     // sent, on its disk
    bool ever[ROWS];        // listed in any run
    bool retries[ROWS];     // failed ones that this run sends again
    bool ended;
};

struct world {
    enum defect defect;
    uint64_t random;
    struct submitter submitters[SUBMITTERS];
    struct message queue[MESSAGES];
    struct job jobs[MESSAGES];
    size_t queued, job_count, job_next;
    size_t read, acknowledged, journaled; // by the collector; `journaled` is what its disk has
    struct account account;
    uint64_t fence, fences;
    size_t promise; // messages that were in the queue when the collector thought that all was there
    bool done;
};

#endif
