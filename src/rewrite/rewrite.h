// Rewriting that needs labels drawn.
#ifndef PL_REWRITE_REWRITE_H
#define PL_REWRITE_REWRITE_H

#include "render/render.h"
#include "rewrite/commands.h"

// rw_rescale by the densities of the options; then both versions are drawn, and fields whose size or place differs are
// noted.
enum pl_errc rw_rescale_checked(struct platen_worker *worker, struct rw_document *doc,
                                const struct platen_rewrite_options *options, struct pl_error *err) PL_MUST_USE;
// Turns every label clockwise: its fields, boxes and graphics. options->dpmm is not looked at: the document has been
// scaled to options->target_dpmm.
enum pl_errc rw_rotate(struct platen_worker *worker, struct rw_document *doc,
                       const struct platen_rewrite_options *options, struct pl_error *err) PL_MUST_USE;

#endif
