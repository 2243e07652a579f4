// What label code does in which order, and which stored objects it brings along itself.
#ifndef PL_REWRITE_FLOW_H
#define PL_REWRITE_FLOW_H

#include "rewrite/commands.h"
#include "rewrite/unit.h"
#include "store/store.h"

struct rw_flow {
    uint32_t *order; // indexes of commands as they are carried out: a stored format where it is recalled first
    uint32_t count;
    uint32_t reached;        // of them; behind these are the formats that nobody recalls
    struct rw_unit *units;   // in force behind each command, by its index
    struct pl_store objects; // names alone
};

// Formats that nobody recalls come last. Every command comes once.
enum pl_errc rw_flow_find(struct rw_document *doc, struct rw_flow *out, struct pl_error *err) PL_MUST_USE;

// Does the command draw a stored picture, a saved label or a format that is not in the code?
bool rw_recalls_unknown(const struct rw_flow *flow, const struct rw_command *c);

#endif
