// What was printed: the last labels, by number and by bytes. Labels are counted references, so that a reader keeps what
// it has while the ring moves on. The ring itself is its owner's, behind the owner's lock.
#ifndef PRINTER_RING_H
#define PRINTER_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "printer/blob.h"
#include "printer/job_state.h"

#define PRINTED_MEMORY_PARTS 3
#define PRINTED_SOURCE_MAX 63
#define PRINTED_REASON_MAX 191

struct printed_label {
    atomic_uint holders;
    enum printer_job_state state; // from JOB_WAITING on; of who has it in a list
    uint64_t seq;                 // of all printers together; 0: not printed yet
    uint64_t job;                 // the unit of label code that it came with
    uint64_t preview;             // the request that waits for it; 0: none. No start has those of another one
    uint64_t time_ms;
    int64_t clock_s; // what the printer's clock said when it was drawn
    uint32_t index;  // of the label in its job
    uint32_t copies;
    double width_mm, height_mm;
    uint32_t dpmm;
    uint32_t length_dots;
    struct blob *zpl, *png, *members, *warnings; // members: of its JSON object; warnings: an array
    uint64_t memory_number;
    struct blob *memory[PRINTED_MEMORY_PARTS]; // with which it can be drawn again; none in the ring: it has them
    char source[PRINTED_SOURCE_MAX + 1];
    char refused[PRINTED_REASON_MAX + 1]; // why there is no picture; empty: there is one
    bool failed;                          // accepted, and could not be drawn: `refused` says why
    _Atomic(const char *) not_kept;       // why the folder of --keep has not all of it; a constant; NULL: it has
    struct printed_label *next;           // of whoever has it: a list of those that wait
    size_t waiting_bytes;                 // that it counts for there
};

struct printed_label *printed_label_new(void); // NULL: no memory
void printed_label_hold(struct printed_label *label);
void printed_label_release(struct printed_label *label);
size_t printed_label_bytes(const struct printed_label *label);

struct print_slot {
    struct printed_label *label;
    struct blob *memory[PRINTED_MEMORY_PARTS]; // that the printer had; gone for the oldest when they are too large
};

struct print_ring {
    struct print_slot *slots; // a circle of `most`
    uint32_t most, first, count;
    uint32_t forgotten; // of the oldest labels: their memory is gone
    size_t bytes, most_bytes;
    size_t memory_bytes; // at most as many again
};

bool print_ring_init(struct print_ring *ring, uint32_t most, size_t most_bytes);
void print_ring_fini(struct print_ring *ring);
void print_ring_clear(struct print_ring *ring);
// Takes the label over; the oldest ones go. Their `seq` grow.
void print_ring_add(struct print_ring *ring, struct printed_label *label);
// The first label after `seq`, or NULL. The ring still holds it.
struct printed_label *print_ring_after(const struct print_ring *ring, uint64_t seq);
struct printed_label *print_ring_find(const struct print_ring *ring, uint64_t seq);
struct printed_label *print_ring_last(const struct print_ring *ring);
struct printed_label *print_ring_at(const struct print_ring *ring, uint32_t index); // 0: the oldest
// The memory that the printer had when it drew the label, held for the caller. False: it is no longer kept.
bool print_ring_memory(const struct print_ring *ring, uint64_t seq, struct blob *memory[PRINTED_MEMORY_PARTS]);

#endif
