// Whose job is next: jobs of one client stay in their order, those of several clients take turns. A job gets a round;
// a queue that is sorted by rounds, with equal ones in the order of their arrival, is in the order of turns.
#ifndef PL_BASE_TURNS_H
#define PL_BASE_TURNS_H

#include <stddef.h>
#include <stdint.h>

// Keys of clients are hashes. Two clients in one place share their turns.
#define TURNS_PLACES 4096u

enum turn {
    TURN_OF_CLIENT,
    TURN_AFTER_ALL, // after all that wait, and before all that come later
};

struct turns {
    uint64_t round;  // no job that comes now gets an earlier one
    uint64_t newest; // the latest round of all
    size_t reserved; // bytes of all clients
    struct turns_share {
        uint64_t round;  // the client's latest
        uint32_t jobs;   // that wait
        size_t bytes;    // of them
        size_t reserved; // bytes of requests that become jobs now
    } shares[TURNS_PLACES];
};

// What the client has in the queue.
const struct turns_share *turns_share_of(const struct turns *turns, uint64_t client);
// A job joins the queue: its round.
uint64_t turns_join(struct turns *turns, uint64_t client, size_t bytes, enum turn turn);
// It is back at the head of the queue, with the round that it had.
void turns_rejoin(struct turns *turns, uint64_t client, size_t bytes);
void turns_leave(struct turns *turns, uint64_t client, size_t bytes, uint64_t round);
// It leaves the queue before its turn, which the client keeps for its next job.
void turns_withdraw(struct turns *turns, uint64_t client, size_t bytes);
// Bytes that become jobs of the client: who asks for room meanwhile knows of them.
void turns_reserve(struct turns *turns, uint64_t client, size_t bytes);
void turns_release(struct turns *turns, uint64_t client, size_t bytes);

#endif
