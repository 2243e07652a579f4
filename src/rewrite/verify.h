// What verification finds: notes of fields, of which only so many are listed.
#ifndef PL_REWRITE_VERIFY_H
#define PL_REWRITE_VERIFY_H

#include "base/diag.h"
#include "render/render.h"

#define RW_FINDINGS_MOST 50u // of fields that look otherwise; and as many of fields that are useless now

struct rw_findings {
    struct pl_diags *diags;
    uint32_t count[2]; // found; [1]: of fields that are useless now
};

// Counts a finding. False: it is one too many to be listed.
bool rw_finding_fits(struct rw_findings *f, enum pl_diag_id id);
// Notes how many were not listed, and why labels could not be drawn. A deadline that is over is the caller's error.
enum pl_errc rw_findings_end(const struct rw_findings *f, enum platen_status status, const struct platen_error *why,
                             struct pl_error *err) PL_MUST_USE;

#define RW_FINDING(f, id, source, ...)                                                                                 \
    (void)(rw_finding_fits(f, id) && (pl_diag_add((f)->diags, id, source, 0, __VA_ARGS__), true))

static inline bool rw_reads(const struct platen_element *e)
{
    return e->decoded == 1 && e->matches != 0;
}

#endif
