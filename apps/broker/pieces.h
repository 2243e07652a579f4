// Results that are larger than a message: their pieces gather in a file of the collector's folder.
#ifndef BROKER_PIECES_H
#define BROKER_PIECES_H

#include "base/err.h"
#include "base/slice.h"

#define PIECES_BEGIN ".platen-piece-" // how names of such files begin

struct piece {
    uint64_t name, begin, total;
};
// HEADER_PIECE of a result. False: no worker has written it.
bool piece_read(struct pl_slice text, struct piece *out);
// Writes a piece. *whole: it was the last one, and `path` has the result. A piece may come twice; those of a result
// come in their order. PL_E_INVALID: one before it has not come.
enum pl_errc piece_write(const char *folder, const struct piece *piece, struct pl_slice body, char *path, size_t size,
                         bool *whole, struct pl_error *err) PL_MUST_USE;

#endif
