// Memory that the program shares with one process, and with nobody else. They take turns in it: the program asks, the
// process answers. Waiting costs one system call, and questions and answers that fit are not copied by the system; what
// is larger goes over their channel (channel.h).
#ifndef PL_PROCESS_TURNS_H
#define PL_PROCESS_TURNS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "process/channel.h"

#define PL_SHARED_HEAD ((size_t)4 << 10)
#define PL_SHARED_BODY ((size_t)256 << 10)

struct pl_shared {
    atomic_uint asked;     // questions so far
    atomic_uint answered;  // the number of the last one that is answered
    atomic_bool cancelled; // nobody wants the answer any more
    atomic_bool leaves;    // the process shall end
    atomic_bool ended;     // it has
    _Alignas(4096) uint8_t question_head[PL_SHARED_HEAD];
    uint8_t question[PL_SHARED_BODY];
    uint8_t answer_head[PL_SHARED_HEAD];
    uint8_t answer[PL_SHARED_BODY];
};

// In the program. The answer to the last question, or why there is none; what the process has written is not to be
// believed.
void pl_turn_ask(struct pl_shared *shared);
enum pl_channel_result pl_turn_wait_answer(struct pl_shared *shared, int channel, struct pl_patience *patience);
void pl_turn_leave(struct pl_shared *shared);
// In the process, which has seen `*seen` questions, 0 at first. PL_CHANNEL_GONE: it shall end; PL_CHANNEL_LATE: there
// was none for `most_ms` (0: it waits for ever).
enum pl_channel_result pl_turn_wait_question(struct pl_shared *shared, unsigned *seen, unsigned most_ms);
void pl_turn_answer(struct pl_shared *shared, unsigned seen);
// In the keeper.
void pl_turn_reset(struct pl_shared *shared);
void pl_turn_process_ended(struct pl_shared *shared);

#endif
