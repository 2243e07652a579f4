// The ring of printed labels.
#include "printer/ring.h"

struct printed_label *printed_label_new(void)
{
    struct printed_label *label = calloc(1, sizeof *label);
    if (label)
        atomic_init(&label->holders, 1);
    return label;
}

void printed_label_hold(struct printed_label *label)
{
    atomic_fetch_add_explicit(&label->holders, 1, memory_order_relaxed);
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

// The memory is not counted: one copy of it serves many labels, and the printer has the last one anyway.
size_t printed_label_bytes(const struct printed_label *label)
{
    return sizeof *label + size_of(label->zpl) + size_of(label->png) + size_of(label->members) +
           size_of(label->warnings);
}

bool print_ring_init(struct print_ring *ring, uint32_t most, size_t most_bytes)
{
    *ring = (struct print_ring){.most = most, .most_bytes = most_bytes};
    ring->labels = calloc(most, sizeof(struct printed_label *));
    return ring->labels != NULL;
}

static void drop_first(struct print_ring *ring)
{
    struct printed_label *label = ring->labels[ring->first];
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
    free(ring->labels);
    ring->labels = NULL;
}

void print_ring_add(struct print_ring *ring, struct printed_label *label)
{
    size_t bytes = printed_label_bytes(label);
    while (ring->count > 0 && (ring->count == ring->most || ring->bytes + bytes > ring->most_bytes))
        drop_first(ring);
    ring->labels[(ring->first + ring->count) % ring->most] = label;
    ring->count++;
    ring->bytes += bytes;
}

static struct printed_label *at(const struct print_ring *ring, uint32_t index)
{
    return ring->labels[(ring->first + index) % ring->most];
}

struct printed_label *print_ring_after(const struct print_ring *ring, uint64_t seq)
{
    uint32_t low = 0, high = ring->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (at(ring, middle)->seq <= seq)
            low = middle + 1;
        else
            high = middle;
    }
    return low < ring->count ? at(ring, low) : NULL;
}

struct printed_label *print_ring_find(const struct print_ring *ring, uint64_t seq)
{
    struct printed_label *label = seq > 0 ? print_ring_after(ring, seq - 1) : NULL;
    return label && label->seq == seq ? label : NULL;
}

struct printed_label *print_ring_last(const struct print_ring *ring)
{
    return ring->count > 0 ? at(ring, ring->count - 1) : NULL;
}
