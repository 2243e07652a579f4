// The ring of printed labels.
#include "printer/ring.h"
#include "base/search.h"

#include <assert.h>

struct printed_label *printed_label_new(void)
{
    struct printed_label *label = calloc(1, sizeof *label);
    if (label) {
        atomic_init(&label->holders, 1);
        label->state = JOB_WAITING;
    }
    return label;
}

void printed_label_hold(struct printed_label *label)
{
    unsigned before = atomic_fetch_add_explicit(&label->holders, 1, memory_order_relaxed);
    assert(before > 0); // only who holds it can give it to another one
    (void)before;
}

void printed_label_release(struct printed_label *label)
{
    if (!label || atomic_fetch_sub_explicit(&label->holders, 1, memory_order_acq_rel) != 1)
        return;
    blob_release(label->zpl);
    blob_release(label->png);
    blob_release(label->members);
    blob_release(label->warnings);
    for (int i = 0; i < PRINTED_MEMORY_PARTS; i++)
        blob_release(label->memory[i]);
    free(label);
}

static size_t size_of(const struct blob *blob)
{
    return blob ? sizeof *blob + blob->size : 0;
}

// Without the memory: one copy of it serves many labels.
size_t printed_label_bytes(const struct printed_label *label)
{
    return sizeof *label + size_of(label->zpl) + size_of(label->png) + size_of(label->members) +
           size_of(label->warnings);
}

bool print_ring_init(struct print_ring *ring, uint32_t most, size_t most_bytes)
{
    assert(most > 0);
    *ring = (struct print_ring){.most = most, .most_bytes = most_bytes};
    ring->slots = calloc(most, sizeof *ring->slots);
    return ring->slots != NULL;
}

static struct print_slot *slot(const struct print_ring *ring, uint32_t index)
{
    return &ring->slots[(ring->first + index) % ring->most];
}

// The memory of the oldest that has one. A part that the next label has too stays.
static void forget_memory(struct print_ring *ring)
{
    assert(ring->forgotten < ring->count);
    struct print_slot *goes = slot(ring, ring->forgotten),
                      *next = ring->forgotten + 1 < ring->count ? slot(ring, ring->forgotten + 1) : NULL;
    for (int i = 0; i < PRINTED_MEMORY_PARTS; i++) {
        if (!next || next->memory[i] != goes->memory[i])
            ring->memory_bytes -= size_of(goes->memory[i]);
        blob_release(goes->memory[i]);
        goes->memory[i] = NULL;
    }
    ring->forgotten++;
}

static void drop_first(struct print_ring *ring)
{
    assert(ring->count > 0);
    if (ring->forgotten == 0)
        forget_memory(ring);
    struct printed_label *label = slot(ring, 0)->label;
    assert(ring->bytes >= printed_label_bytes(label)); // a label in the ring does not change
    ring->forgotten--;
    ring->bytes -= printed_label_bytes(label);
    ring->first = (ring->first + 1) % ring->most;
    ring->count--;
    printed_label_release(label);
}

void print_ring_clear(struct print_ring *ring)
{
    while (ring->count > 0)
        drop_first(ring);
}

void print_ring_fini(struct print_ring *ring)
{
    print_ring_clear(ring);
    free(ring->slots);
    ring->slots = NULL;
}

void print_ring_add(struct print_ring *ring, struct printed_label *label)
{
    size_t bytes = printed_label_bytes(label);
    while (ring->count > 0 && (ring->count == ring->most || ring->bytes + bytes > ring->most_bytes))
        drop_first(ring);
    struct print_slot *to = slot(ring, ring->count), *before = ring->count > 0 ? slot(ring, ring->count - 1) : NULL;
    to->label = label;
    for (int i = 0; i < PRINTED_MEMORY_PARTS; i++) {
        to->memory[i] = label->memory[i];
        label->memory[i] = NULL;
        if (!before || before->memory[i] != to->memory[i])
            ring->memory_bytes += size_of(to->memory[i]);
    }
    ring->count++;
    ring->bytes += bytes;
    while (ring->memory_bytes > ring->most_bytes && ring->forgotten < ring->count)
        forget_memory(ring);
}

struct printed_label *print_ring_at(const struct print_ring *ring, uint32_t index)
{
    assert(index < ring->count);
    return slot(ring, index)->label;
}

// How many labels are up to `seq`.
static uint32_t count_to(const struct print_ring *ring, uint64_t seq)
{
    uint32_t first;
    PL_FIND_FIRST(first, ring->count, slot(ring, first)->label->seq <= seq);
    return first;
}

struct printed_label *print_ring_after(const struct print_ring *ring, uint64_t seq)
{
    uint32_t index = count_to(ring, seq);
    return index < ring->count ? print_ring_at(ring, index) : NULL;
}

struct printed_label *print_ring_find(const struct print_ring *ring, uint64_t seq)
{
    struct printed_label *label = seq > 0 ? print_ring_after(ring, seq - 1) : NULL;
    return label && label->seq == seq ? label : NULL;
}

struct printed_label *print_ring_last(const struct print_ring *ring)
{
    return ring->count > 0 ? print_ring_at(ring, ring->count - 1) : NULL;
}

bool print_ring_memory(const struct print_ring *ring, uint64_t seq, struct blob *memory[PRINTED_MEMORY_PARTS])
{
    uint32_t index = seq > 0 ? count_to(ring, seq - 1) : ring->count;
    if (index >= ring->count || index < ring->forgotten || print_ring_at(ring, index)->seq != seq)
        return false;
    bool any = false; // a reprint of a label whose memory was gone has none
    for (int i = 0; i < PRINTED_MEMORY_PARTS; i++) {
        memory[i] = blob_hold(slot(ring, index)->memory[i]);
        any = any || memory[i];
    }
    return any;
}
