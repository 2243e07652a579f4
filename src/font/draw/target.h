// What text is drawn with and on. The fonts are shared; each thread has a writer of its own.
#ifndef PL_FONT_DRAW_TARGET_H
#define PL_FONT_DRAW_TARGET_H

#include "base/budget.h"
#include "base/diag.h"
#include "base/job.h"
#include "font/face/fonts.h"
#include "profile/profile.h"
#include "raster/samples.h"
#include "scene/scene.h"

struct pl_writer; // open faces and glyph cache of one thread

// What its fonts take, but for the glyph cache, counts in `budget`, which may be NULL.
enum pl_errc pl_writer_new(const struct pl_fonts *fonts, size_t cache_bytes, struct pl_budget *budget,
                           struct pl_writer **out, struct pl_error *err) PL_MUST_USE;
void pl_writer_free(struct pl_writer *writer);
// Between two jobs: closes the faces of downloaded fonts, whose bytes die with the job.
void pl_writer_end_job(struct pl_writer *writer);

// Closes all faces and empties the glyph cache: after memory ran out, what they hold may be wrong.
void pl_writer_forget(struct pl_writer *writer);

// The characters that were searched in the fonts of all labels since the last pl_writer_forget_searched, because the
// label's own lack them.
void pl_writer_forget_searched(struct pl_writer *writer);
bool pl_writer_searched_at(const struct pl_writer *writer, uint32_t index, uint32_t *character);

// Told of each glyph that is drawn: the field's character, its pen on the label, and how it is turned.
struct pl_glyph_watch {
    void (*seen)(void *user, uint32_t character, int32_t x, int32_t y, enum pl_rotation rotation);
    void *user;
};

// What text is drawn on, and how.
struct pl_text_target {
    const struct pl_profile_font *profile;
    struct pl_bitmap *canvas;
    struct pl_samples *samples; // smooth output on a page; its black dots are the canvas, not enlarged. May be NULL
    enum pl_ink ink;
    uint32_t scale;    // 1; 4 when drawing for smooth output: all positions and sizes are multiplied by it
    bool any_coverage; // ^FR: a dot that the outline touches at all is ink (otherwise: half of it or more)
    int32_t left, top; // dots of the canvas at which the label begins
    uint32_t dpmm;
    struct pl_arena *arena; // scratch, given back before the call returns: not the arena of `diags`
    struct pl_diags *diags; // may be NULL
    const struct pl_job *job;
    const struct pl_glyph_watch *watch; // for measuring; usually NULL
};

// Where the last text field ended, for ^FT without coordinates. Fractions of a dot: 1/2048.
struct pl_pen {
    bool set;
    int64_t x_2048, y_2048;
};

struct pl_text_result {
    struct pl_box ink;   // in dots of the label (scale 1), clipped to nothing
    struct pl_box paper; // what was erased first
    bool clipped;        // text was cut off or printed over itself for want of room in its block
};

#endif
