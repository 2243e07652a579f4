// Rewriting that needs labels drawn.
#ifndef PL_REWRITE_REWRITE_H
#define PL_REWRITE_REWRITE_H

#include "render/render.h"
#include "rewrite/commands.h"

// Turns every label clockwise: its fields, boxes and graphics. options->dpmm is not looked at: the document has been
// scaled to options->target_dpmm.
enum pl_errc rw_rotate(struct platen_worker *worker, struct rw_document *doc,
                       const struct platen_rewrite_options *options, struct pl_error *err) PL_MUST_USE;

// After a rotation or a change of density: draws the code before and after, and notes each element that is not where it
// should be, not as large, no longer inside the label or no longer readable. `places`: where the code before comes
// from; NULL: it is the caller's.
enum pl_errc rw_verify(struct platen_worker *worker, struct rw_document *doc, struct pl_slice before,
                       const struct rw_places *places, struct pl_slice after,
                       const struct platen_rewrite_options *options, struct pl_error *err) PL_MUST_USE;

// After values were filled in: draws every label, and notes each field that does not have its value, cannot be read, is
// not inside the label or its block, or has no value and still differs from row to row. `template` is the document
// before, `places` where the filled code comes from.
struct rw_rows;
enum pl_errc rw_verify_fill(struct platen_worker *worker, const struct rw_document *template,
                            const struct rw_rows *rows, struct pl_slice filled, const struct rw_places *places,
                            const struct platen_rewrite_options *options, struct pl_error *err) PL_MUST_USE;

#endif
