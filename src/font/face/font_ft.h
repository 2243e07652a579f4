// The interface to FreeType: font files become glyph numbers and outlines, outlines become bits.
#ifndef PL_FONT_FACE_FONT_FT_H
#define PL_FONT_FACE_FONT_FT_H

#include "base/arena.h"
#include "base/job.h"
#include "base/slice.h"
#include "font/face/outline.h"
#include "raster/bitmap.h"

#define PL_FT_MOST_POINTS 32000 // of an outline: FreeType counts them in short

struct pl_ft;      // FreeType library of one thread
struct pl_ft_face; // an open font file

// What FreeType allocates counts in `budget`, which may be NULL.
enum pl_errc pl_ft_new(struct pl_budget *budget, struct pl_ft **out, struct pl_error *err) PL_MUST_USE;
void pl_ft_free(struct pl_ft *ft);
// True after memory ran out inside FreeType. Its faces answer nothing from then on: close them all, then refresh.
bool pl_ft_starved(const struct pl_ft *ft);
void pl_ft_refresh(struct pl_ft *ft);
// How many times a glyph was left alone because it would have cost too much.
uint64_t pl_ft_refused(const struct pl_ft *ft);

// NULL when the bytes are no scalable font that can be used. The bytes must outlive the face.
struct pl_ft_face *pl_ft_open(struct pl_ft *ft, struct pl_slice bytes);
void pl_ft_close(struct pl_ft_face *face);
// Appends the TrueType or OpenType file that a WOFF or WOFF2 file holds. PL_E_INVALID: it cannot be read.
struct pl_buf;
enum pl_errc pl_ft_unwrap(struct pl_ft *ft, struct pl_slice woff, struct pl_buf *out, struct pl_error *err) PL_MUST_USE;
int32_t pl_ft_units_per_em(const struct pl_ft_face *face);
// 0: the font lacks the character.
uint32_t pl_ft_glyph_index(struct pl_ft_face *face, uint32_t codepoint);
// Font units; 0 when the glyph cannot be loaded.
int32_t pl_ft_advance(struct pl_ft_face *face, uint32_t glyph);
// The outline in font units, valid until the next call on any face of the library. False: it cannot be loaded.
bool pl_ft_outline(struct pl_ft_face *face, uint32_t glyph, struct pl_outline *out);

// The dots that the mapped outline touches: a half-open box with y growing downwards, the baseline at 0.
struct pl_box pl_ft_dots(const struct pl_outline *outline, const struct pl_outline_map *map);
// Draws the part of the mapped outline that lies in `window` (same frame as pl_ft_dots) into `out`, which is `window`'s
// size and blank, at most PL_FT_LARGEST dots each way. A dot is ink when half of it is covered, or any of it under
// `any_coverage`. *drawn is false when the outline is too complex for its size; nothing useful was drawn then. The
// clock is looked at in between where it may take long.
#define PL_FT_LARGEST 16384
enum pl_errc pl_ft_rasterise(struct pl_ft *ft, const struct pl_job *job, const struct pl_outline *outline,
                             const struct pl_outline_map *map, struct pl_box window, bool any_coverage,
                             struct pl_bitmap *out, bool *drawn, struct pl_error *err) PL_MUST_USE;

#endif
