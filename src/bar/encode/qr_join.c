// QR Code: automatic segments as printers join them, from left to right and never going back.
#include "bar/encode/qr.h"

static uint32_t bits_of(const struct pl_qr_run *run, uint32_t range)
{
    return pl_qr_segment_bits(run->mode, run->length, range);
}

// Two neighbours in the mode that holds both: modes are in the order of what they hold.
static struct pl_qr_run joined(const struct pl_qr_run *a, const struct pl_qr_run *b)
{
    return (struct pl_qr_run){a->mode > b->mode ? a->mode : b->mode, a->start, a->length + b->length};
}

static bool saves(const struct pl_qr_run *a, const struct pl_qr_run *b, uint32_t range)
{
    struct pl_qr_run both = joined(a, b);
    return bits_of(&both, range) < bits_of(a, range) + bits_of(b, range);
}

uint32_t pl_qr_join_by_bits(struct pl_qr_run *runs, uint32_t count, uint32_t range)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct pl_qr_run next = runs[i];
        struct pl_qr_run *last = kept ? &runs[kept - 1] : NULL;
        // Bytes swallow a shorter mode only after it had its chance to join the one behind it.
        if (last && last->mode == PL_QR_BYTE && next.mode != PL_QR_BYTE && i + 1 < count &&
            runs[i + 1].mode != PL_QR_BYTE && saves(&next, &runs[i + 1], range))
            next = joined(&next, &runs[++i]);
        if (last && (last->mode == next.mode || saves(last, &next, range))) {
            *last = joined(last, &next);
            continue;
        }
        // Two equal ones may swallow what lies between them.
        if (last && i + 1 < count && runs[i + 1].mode == last->mode && last->mode > next.mode) {
            struct pl_qr_run two = joined(last, &next), three = joined(&two, &runs[i + 1]);
            if (bits_of(&three, range) < bits_of(last, range) + bits_of(&next, range) + bits_of(&runs[i + 1], range)) {
                *last = three;
                i++;
                continue;
            }
        }
        runs[kept++] = next;
    }
    return kept;
}
